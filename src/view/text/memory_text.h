/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_MEMORY_TEXT_H
#define WPERF_VIEW_TEXT_MEMORY_TEXT_H

/** Memory in use over time, as lines of a report. */

#include "profile/named_profile.h"

#include <stdio.h>

/** The peak, the end, and a small chart; nothing if the recording does not have it. */
void memory_text_print_curve(const struct named_profile *profile, FILE *stream);

#endif
