/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_ASSIGNMENT_H
#define WPERF_DRIVER_CORE_ASSIGNMENT_H

/**
 * Which events a client wants counted. Only the classes that a request names change; a class with
 * no events is named, too: nothing of it is counted any more but cycles.
 */

#include "driver/core/call.h"

/** Handler of WPERF_PMU_CTL_ASSIGN_EVENTS. */
driver_handler_fn driver_assignment_handle;

#endif
