/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_STORE_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_STORE_H

/** A store in one file of SQLite 3, which is loaded when it is needed. Linux only. */

#include "fleet/store/store_ops.h"

extern const struct store_ops sqlite_store_ops;

#endif
