/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_STORED_STORED_CHOICE_H
#define WPERF_CLI_OPTION_STORED_STORED_CHOICE_H

/**
 * What the user wants of a store: --service, --since, --until, --host and --label, and what of it
 * is different in the profile that --diff compares with. That is a list of words with commas
 * between them: SINCE, UNTIL, or KEY=VALUE, where KEY is service, host, since, until or a label.
 */

#include "base/container/arena.h"
#include "cli/option/options.h"
#include "fleet/store/store_ops.h"

/** Labels of --label and --host, each key once; texts and rows are the arena's. */
struct error *stored_choice_labels(const struct options *options, struct arena *arena,
				   struct fleet_label **ret, size_t *ret_num);

/** @option: for the error. */
struct error *stored_choice_time(const char *option, const char *text, uint64_t *ret_ns);

/** Words that need --from are there without it, or others do not fit. */
struct error *stored_choice_check(const struct options *options);

/**
 * @diff: the value of --diff; NULL: what it is compared with.
 * @ret:  its texts are the options' and the arena's.
 */
struct error *stored_choice_query(const struct options *options, const char *diff,
				  struct arena *arena, struct store_query *ret);

/** The same for people, wherever the store is: "shop, version=1.3, since 2h". */
struct error *stored_choice_words(const struct options *options, const char *diff, char **ret);

#endif
