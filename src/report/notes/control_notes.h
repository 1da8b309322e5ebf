/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_CONTROL_NOTES_H
#define WPERF_REPORT_NOTES_CONTROL_NOTES_H

/** What came through --control and was not done, or could not be answered. */

#include "session/control/control_channel.h"

#include <stdio.h>

void control_notes_print(const struct control_channel *channel, FILE *stream);

#endif
