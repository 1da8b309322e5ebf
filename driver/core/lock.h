/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_LOCK_H
#define WPERF_DRIVER_CORE_LOCK_H

/** Who may use the counters: at most one client, until it lets go, closes, or is robbed. */

#include "driver/core/call.h"

#include <stdbool.h>

struct driver_lock {
	driver_client owner; /* DRIVER_CLIENT_NONE: idle */
};

/** @force: take it even from another client. False: somebody else has it. */
bool driver_lock_take(struct driver_lock *lock, driver_client client, bool force);

/** False: it was not @client's. */
bool driver_lock_drop(struct driver_lock *lock, driver_client client);

bool driver_lock_is_held_by(const struct driver_lock *lock, driver_client client);

#endif
