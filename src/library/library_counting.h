/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_LIBRARY_COUNTING_H
#define WPERF_LIBRARY_LIBRARY_COUNTING_H

/** A count of the library: what `wperf stat` has, without its loops. */

#include "base/container/arena.h"
#include "base/text/string_builder.h"
#include "base/thread/wake_event.h"
#include "library/library_session.h"
#include "library/wperf.h"
#include "report/stat/stat_tables.h"
#include "session/counting.h"
#include "session/setup/count_setup.h"

struct wperf_count {
	struct wperf_session *session;
	struct arena arena; /* the caller's words */
	struct counted_word words[2];
	const char *config[1];
	struct count_request asked;
	struct count_setup setup;
	struct wake_event cancel;
	struct counting *counting;
	struct counting_result result; /* of the last read */
	struct stat_tables tables;
	struct string_builder warnings, notes;
	bool has_begun, has_numbers;
};

#endif
