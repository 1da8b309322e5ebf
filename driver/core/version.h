/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_VERSION_H
#define WPERF_DRIVER_CORE_VERSION_H

/** Which driver is this? */

#include "driver/core/call.h"

/** Handler of WPERF_PMU_CTL_QUERY_VERSION. */
driver_handler_fn driver_version_handle_query;

#endif
