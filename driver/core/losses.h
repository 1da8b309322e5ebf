/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_LOSSES_H
#define WPERF_DRIVER_CORE_LOSSES_H

/** The request of what was lost. */

#include "driver/core/call.h"

/** Handler of WPERF_LOSSES_CTL_QUERY. */
driver_handler_fn driver_losses_handle_query;

#endif
