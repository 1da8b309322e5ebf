/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_HW_CFG_H
#define WPERF_DRIVER_CORE_HW_CFG_H

/** What machine is this, and which of its counters are ours? */

#include "driver/core/call.h"

/** Handler of WPERF_PMU_CTL_QUERY_HW_CFG. */
driver_handler_fn driver_hw_cfg_handle_query;

#endif
