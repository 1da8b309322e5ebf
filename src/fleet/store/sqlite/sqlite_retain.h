/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_RETAIN_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_RETAIN_H

#include "fleet/store/sqlite/sqlite_file.h"

/** See roll_up() and retain() of store_ops.h. */
struct error *sqlite_retain_roll_up(struct sqlite_file *file, uint64_t until_ns);
struct error *sqlite_retain(struct sqlite_file *file, uint64_t windows_ns, uint64_t hours_ns);

#endif
