/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SAMPLING_RING_REQUESTS_H
#define WPERF_DRIVER_CORE_SAMPLING_RING_REQUESTS_H

/** The requests of the ring. */

#include "driver/core/call.h"

/** Handlers of WPERF_RING_CTL_QUERY, _START, _STOP, _READ and _WAIT. */
driver_handler_fn driver_ring_handle_query;
driver_handler_fn driver_ring_handle_start;
driver_handler_fn driver_ring_handle_stop;
driver_handler_fn driver_ring_handle_read;
driver_handler_fn driver_ring_handle_wait;

#endif
