/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SAMPLING_SAMPLES_H
#define WPERF_DRIVER_CORE_SAMPLING_SAMPLES_H

/** The requests of sampling: what a core samples, when, and what came of it. */

#include "driver/core/call.h"

/** Handlers of WPERF_PMU_CTL_SAMPLE_SET_SRC, _START, _STOP and _GET. */
driver_handler_fn driver_samples_handle_set_source;
driver_handler_fn driver_samples_handle_start;
driver_handler_fn driver_samples_handle_stop;
driver_handler_fn driver_samples_handle_get;

#endif
