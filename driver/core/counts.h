/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_COUNTS_H
#define WPERF_DRIVER_CORE_COUNTS_H

/** What has been counted, as clients get it. Units that count meanwhile tell how far they are. */

#include "driver/core/call.h"

/** Handlers of WPERF_PMU_CTL_READ_COUNTING, _DSU_CTL_READ_COUNTING, _DMC_CTL_READ_COUNTING. */
driver_handler_fn driver_counts_handle_core;
driver_handler_fn driver_counts_handle_dsu;
driver_handler_fn driver_counts_handle_dmc;

#endif
