/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_REQUEST_H
#define WPERF_DRIVER_CORE_REQUEST_H

/** The one door into the core for what clients ask (driver/include/wperf_driver.h). */

#include "driver/core/core.h"

/**
 * Check and carry out one request.
 *
 * DRIVER_PENDING: the user keeps the request, one of each client at most (it answers others with
 * DRIVER_DEVICE_BUSY), and asks again after each other request and each close, and when
 * driver_core_has_enough() has become true; until there is another status, or the client cancels.
 * The core keeps nothing of it.
 *
 * @client:   the handle it came through; not DRIVER_CLIENT_NONE.
 * @in, @out: NULL counts as empty. They may overlap or be the same.
 * @ret_size: bytes that are valid in @out; 0 unless DRIVER_OK. A request that fails has written
 *            nothing and changed nothing.
 */
enum driver_status driver_request(struct driver_core *core, driver_client client, uint32_t code,
				  const void *in, size_t in_size, void *out, size_t out_size,
				  size_t *ret_size);

/** "PMU_CTL_QUERY_HW_CFG"; NULL for a code that the core does not serve. */
const char *driver_request_name(uint32_t code);

#endif
