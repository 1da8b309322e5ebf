/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_LOCK_REQUESTS_H
#define WPERF_DRIVER_CORE_LOCK_REQUESTS_H

/** The requests of who may use the counters. */

#include "driver/core/call.h"

/**
 * Handlers of WPERF_PMU_CTL_LOCK_ACQUIRE and _RELEASE. Who loses the lock, either way, counts no
 * more, and who gets it finds nothing of what was before.
 */
driver_handler_fn driver_lock_handle_acquire;
driver_handler_fn driver_lock_handle_release;

#endif
