/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_PUT_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_PUT_H

#include "fleet/store/sqlite/sqlite_file.h"

/** Of a series, and read back by sqlite_query.c. */
enum sqlite_event_flag {
	SQLITE_EVENT_WHOLE = 1,
	SQLITE_EVENT_WAIT = 2,
	SQLITE_EVENT_AHEAD = 4,
	SQLITE_EVENT_EXCLUDES_IDLE = 8,
};

/** The fact from which time on windows are kept; 0: none were dropped. */
#define SQLITE_FIRST_WINDOW_FACT "first_window"

/** The fact from which hour on there are sums of all labels; 0: all. */
#define SQLITE_FIRST_WHOLE_HOUR_FACT "first_whole_hour"

struct error *sqlite_put_get_fact(struct sqlite_file *file, const char *name, int64_t *ret);

/** See put() of store_ops.h. */
struct error *sqlite_put(struct sqlite_file *file, const struct fleet_batch *const *batches,
			 size_t num_batches, struct store_put_result *ret);

#endif
