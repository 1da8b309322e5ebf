/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_PUT_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_PUT_H

#include "fleet/store/sqlite/sqlite_file.h"

/** The fact from which time on windows are kept; 0: none were dropped. */
#define SQLITE_FIRST_WINDOW_FACT "first_window"

/** The fact from which hour on there are sums of all labels; 0: all. */
#define SQLITE_FIRST_WHOLE_HOUR_FACT "first_whole_hour"

struct error *sqlite_put_get_fact(struct sqlite_file *file, const char *name, int64_t *ret);

/** See put() of store_ops.h. */
struct error *sqlite_put(struct sqlite_file *file, const struct fleet_batch *const *batches,
			 size_t num_batches, struct store_put_result *ret);

#endif
