/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_DIFF_PAIR_H
#define WPERF_REPORT_RECORDED_DIFF_PAIR_H

/** Two recordings that are compared: how they are called, and which event of each counts. */

#include "base/error.h"
#include "report/recorded/sample_choice.h"

#include <stdbool.h>
#include <stdint.h>

/** @paths: as the user gave them. Names of files, or paths where two folders have the same name;
 *  folders are not for who is anonymous. */
void diff_pair_name(const char *const paths[2], bool is_anonymous, const char *ret[2]);

/**
 * The first wanted event that both have. Without one: the first wanted one of each, with a note on
 * standard error, as two computers may have different events for the same purpose.
 * @must_match: that is an error instead.
 */
struct error *diff_pair_choose_events(const struct sample_choice *choice,
				      const struct named_profile *const profiles[2],
				      bool must_match, uint32_t ret[2]);

#endif
