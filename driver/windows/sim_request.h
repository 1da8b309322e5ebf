/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_SIM_REQUEST_H
#define WPERF_DRIVER_WINDOWS_SIM_REQUEST_H

/**
 * The machine of the driver that has none (machine_sim.c), for who compares its answers with those
 * of the same machine elsewhere.
 */

#include "driver/include/wperf_driver.h"
#include "driver/sim/sim.h"

/** What it is like: a Neoverse N1 of four cores with everything that there is to count. */
static inline struct sim_config sim_request_config(void)
{
	return (struct sim_config){
		.num_cores = 4,
		.midr = 0x413fd0c1,
		.counters = 6,
		.busy_counters = 1,
		.dsu_clusters = 2,
		.dmc_channels = 2,
		.spe = true,
		.pmu_version = 4,
		.common_events = UINT64_C(0x77ffffff),
		.extended_events = UINT64_C(0xf),
	};
}

/**
 * Let time pass. In: uint64_t nanoseconds. Out: nothing. Anybody. Before the first one time is that
 * of the clock, afterwards it passes at our word only, as long as a handle is open.
 */
#define SIM_REQUEST_PASS_TIME WPERF_REQUEST(0xF00)

/**
 * What runs on a core. In: struct sim_request_run. Out: nothing. Anybody: the thread that asks
 * stands for itself from now on, or for nobody any more.
 */
#define SIM_REQUEST_RUN WPERF_REQUEST(0xF01)

struct sim_request_run {
	uint32_t core;
	uint32_t runs; /* 0: the program that is there without anybody's word */
	uint64_t pc;   /* where it is */
};
_Static_assert(sizeof(struct sim_request_run) == 16, "size of the input");

/**
 * Know no WPERF_RING_CTL, as WindowsPerf's driver does not, as long as a handle is open. In:
 * anything. Out: nothing. Anybody.
 */
#define SIM_REQUEST_HIDE_RINGS WPERF_REQUEST(0xF02)

#define SIM_REQUEST_MAX_NS UINT64_C(60000000000)

#endif
