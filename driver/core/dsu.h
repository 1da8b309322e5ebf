/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_DSU_H
#define WPERF_DRIVER_CORE_DSU_H

/** DynamIQ shared unit: the cache of a cluster of CPUs, with counters of its own. */

#include "driver/core/call.h"

/** Handler of WPERF_DSU_CTL_INIT. */
driver_handler_fn driver_dsu_handle_init;

#endif
