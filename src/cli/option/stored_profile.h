/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_STORED_PROFILE_H
#define WPERF_CLI_OPTION_STORED_PROFILE_H

/** What the user wants of a store: --from and the words beside it. */

#include "base/container/arena.h"
#include "cli/option/options.h"
#include "fleet/store/store_ops.h"
#include "profile/named_profile.h"

/** The place of the store that the command reads or fills; NULL: none. */
const char *stored_profile_place(const struct options *options);

/** Labels of --label and --host, each key once; texts and rows are the arena's. */
struct error *stored_profile_labels(const struct options *options, struct arena *arena,
				    struct fleet_label **ret, size_t *ret_num);

/** @option: for the error. */
struct error *stored_profile_time(const char *option, const char *text, uint64_t *ret_ns);

/** Words that need --from are there without it, or others do not fit. */
struct error *stored_profile_check(const struct options *options);

/**
 * @range: NULL: --since and --until; else that of --diff, "SINCE[,UNTIL]".
 * @keeps_times: samples in steps of time, for a page; else sums of the whole range.
 */
struct error *stored_profile_read(const struct options *options, const char *range,
				  bool keeps_times, struct named_profile *ret);

#endif
