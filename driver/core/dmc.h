/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_DMC_H
#define WPERF_DRIVER_CORE_DMC_H

/** Dynamic memory controllers: two kinds of counters, by the clock that they run on. */

#include "driver/core/call.h"

/** Events are numbered from 0. */
enum {
	DRIVER_DMC_CLK_EVENTS = 3,
	DRIVER_DMC_CLKDIV2_EVENTS = 26,
};

/** Handler of WPERF_DMC_CTL_INIT. */
driver_handler_fn driver_dmc_handle_init;

#endif
