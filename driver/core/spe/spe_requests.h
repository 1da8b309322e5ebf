/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SPE_SPE_REQUESTS_H
#define WPERF_DRIVER_CORE_SPE_SPE_REQUESTS_H

/** The requests of statistical profiling. */

#include "driver/core/call.h"

/** Handlers of WPERF_PMU_CTL_SPE_INIT, _GET_SIZE, _GET_BUFFER, _START and _STOP. */
driver_handler_fn driver_spe_handle_init;
driver_handler_fn driver_spe_handle_get_size;
driver_handler_fn driver_spe_handle_get_buffer;
driver_handler_fn driver_spe_handle_start;
driver_handler_fn driver_spe_handle_stop;

#endif
