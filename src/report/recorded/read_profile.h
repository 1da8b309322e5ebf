/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_READ_PROFILE_H
#define WPERF_REPORT_RECORDED_READ_PROFILE_H

/** What report, export and script begin with: the file that was named, and which samples of it. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"
#include "record/spe/spe_trace.h"
#include "session/recording.h"

#include <stdbool.h>

struct options;

/**
 * @path: NULL for the one that options name, or the default.
 * @keeps_samples: each with its time. What is wrong with the file or lacks names goes to stderr.
 */
struct error *read_profile(const struct options *options, const char *path, bool keeps_samples,
			   struct named_profile *ret);

/** The file that options name, or the default. */
const char *read_profile_path(const struct options *options);

/** An error if two files were named. */
struct error *read_profile_check_words(const struct options *options);

/** The error of opening @path, with a hint where nobody named a file and there is none. */
struct error *read_profile_hint(const struct options *options, const char *path, struct error *err);

/** What --python says of a profile that is there: its frames alone, or none of them. read_profile()
 *  has done it. */
struct error *read_profile_reduce(const struct options *options, struct named_profile *profile);

/** The samples that options ask for. @event: number of one, or NAMED_NONE for all that they ask. */
struct error *read_profile_filter(const struct options *options,
				  const struct named_profile *profile, uint32_t event,
				  struct profile_filter **ret);

/** Does --event ask for this one? One that is not in the profile is an error. */
struct error *read_profile_check_event(const struct options *options,
				       const struct named_profile *profile);
bool read_profile_wants_event(const struct options *options, const struct named_profile *profile,
			      uint32_t event);

/** How many stacks were walked, and could not be to their end. */
void read_profile_note_cut_stacks(const struct recording_totals *totals);

/** What a trace of SPE's lacks. */
void read_profile_note_spe(const struct spe_trace_totals *spe);

#endif
