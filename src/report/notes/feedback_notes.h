/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_FEEDBACK_NOTES_H
#define WPERF_REPORT_NOTES_FEEDBACK_NOTES_H

/** Of which module feedback for a compiler is, and what is not in it. */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdint.h>
#include <stdio.h>

/** @event: NAMED_NONE for all. */
struct error *feedback_notes_print(const struct named_profile *profile, uint32_t event,
				   FILE *stream);

#endif
