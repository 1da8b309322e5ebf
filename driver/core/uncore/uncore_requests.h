/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_UNCORE_UNCORE_REQUESTS_H
#define WPERF_DRIVER_CORE_UNCORE_UNCORE_REQUESTS_H

/** The requests by which a client says which shared units it sees. */

#include "driver/core/call.h"

/** Handlers of WPERF_DMC_CTL_INIT and WPERF_DSU_CTL_INIT. */
driver_handler_fn driver_dmc_handle_init;
driver_handler_fn driver_dsu_handle_init;

#endif
