/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_RUN_REQUESTS_H
#define WPERF_CLI_OPTION_OPTION_RUN_REQUESTS_H

/**
 * The requests of commands that count or sample, as option_requests.h has those of commands that
 * show something. Texts of a request belong to its options.
 */

#include "cli/option/options.h"
#include "process/system/core_topology.h"
#include "report/sample/record_files.h"
#include "report/stat/stat_periods.h"
#include "report/stat/stat_timeline.h"
#include "session/setup/count_setup.h"

/** Of -e, -m, -c and --config. */
struct run_words options_run_words(const struct options *options);

/** Of `stat`. */
struct count_request options_count_request(const struct options *options);

/**
 * Of --per-socket and the like.
 * @ret_word: the spelling, for messages; NULL: none was said.
 */
struct error *options_core_grouping(const struct options *options, struct core_grouping *ret,
				    const char **ret_word);

/** Of --save, -o, --html and --export_perf_data. */
struct record_files_request options_record_files(const struct options *options);

/** Of -I, with --timeout and -n. */
struct stat_periods_request options_stat_periods(const struct options *options);

/** Of -t, with --timeout, -i and -n. */
struct stat_timeline_request options_stat_timeline(const struct options *options);

#endif
