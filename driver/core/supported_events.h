/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SUPPORTED_EVENTS_H
#define WPERF_DRIVER_CORE_SUPPORTED_EVENTS_H

/**
 * What can be counted here, by number: the common events that the registers of all CPUs and of
 * all clusters name, and those of the memory controllers. Events of one product only, which no
 * register names, can be counted as well; knowing them is the client's part.
 */

#include "driver/core/call.h"

/** Handler of WPERF_PMU_CTL_QUERY_SUPP_EVENTS. */
driver_handler_fn driver_supported_events_handle_query;

#endif
