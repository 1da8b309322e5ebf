/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_SIM_MACHINE_H
#define WPERF_DRIVER_SIM_SIM_MACHINE_H

/** What the simulated machine is made of; driver/sim/sim.h says what it does. */

#include "driver/core/core.h"
#include "driver/core/registers.h"
#include "driver/include/wperf_driver.h"
#include "driver/sim/spe_unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_config {
	unsigned num_cores;                  /* 1 to WPERF_MAX_CORES */
	uint64_t midr;                       /* of all cores but those of core_midr */
	uint64_t core_midr[WPERF_MAX_CORES]; /* 0: midr */
	/* Of each core, for events: 0 to 30. The hardware has one more, on which the driver counts
	   cycles, and the cycle counter, which is the operating system's. */
	unsigned counters;
	unsigned busy_counters; /* the lowest so many are held by somebody else */
	unsigned dsu_clusters;  /* equal shares of the cores; 0: no DSU */
	unsigned dmc_channels;  /* 0 to 254 */
	bool spe;
	bool no_ring;        /* of samples, as in WindowsPerf's own driver */
	bool no_interrupts;  /* the system gives the interrupt of overflows to somebody else */
	uint8_t pmu_version; /* PMUVer, 1 to 14: 1 PMUv3, 4 v3p1, 5 v3p4, 6 v3p5, 7 v3p7, 8 v3p8 */
	unsigned mhz;        /* clock of the cores, up to 100000; 0: 2500 */
	uint8_t version[3];  /* that the driver says it has; all zero: that of the contract */

	/* What the cores count: bit n stands for event n, and for event 0x4000 + n. */
	uint64_t common_events;
	uint64_t extended_events;
};

/** Say that the cores count this event; an event without a bit in the registers is skipped. */
void sim_config_add_event(struct sim_config *config, uint64_t event);

/** Cores of each cluster, 0 without a DSU; and the clock, default included. */
unsigned sim_cluster_size(const struct sim_config *config);
unsigned sim_mhz(const struct sim_config *config);

enum { SIM_NO_CPU = WPERF_MAX_CORES };

struct sim_timer {
	unsigned period_ms; /* 0: off */
	uint64_t due_ns;
};

/** How fast a counter of a core counts. */
struct sim_rate {
	bool is_known; /* until another event or filter is written */
	uint64_t per_ms;
};

enum {
	SIM_NUM_COUNTERS = 32,       /* of a core, that of cycles among them */
	SIM_SPE_BUFFER = 128 * 1024, /* of a core */
	SIM_RING = 64 * 1024,        /* of a core */
};

/** A core's overflow interrupt: when it comes, if nothing is written to a register before. */
struct sim_interrupt {
	bool is_known;
	uint64_t due_ns;  /* UINT64_MAX: never */
	uint64_t last_ns; /* the one before; 0: there was none */
};

/** What runs on a core instead of the program. */
struct sim_task {
	struct driver_task who; /* pid 0: nothing does */
	uint64_t pc;            /* where it is all the time, at EL0 and without callers */
};

/** Some 26 MiB, of which most is touched only by SPE and sampling, so not for a stack. Points into
 * itself: it must not be moved. Nothing needs to be undone. */
struct sim {
	struct sim_config config;
	struct driver_core core;
	uint64_t now_ns;
	struct sim_timer timers[WPERF_MAX_CORES];
	struct sim_rate rates[WPERF_MAX_CORES][SIM_NUM_COUNTERS];
	struct sim_interrupt interrupts[WPERF_MAX_CORES];
	struct sim_task tasks[WPERF_MAX_CORES];
	unsigned running_cpu; /* the driver's code runs there; else SIM_NO_CPU */

	uint64_t registers[WPERF_MAX_CORES][NUM_DRIVER_REGISTERS];
	uint32_t dmc_registers[WPERF_ALL_DMCS][DRIVER_DMC_NUM_COUNTERS][NUM_DRIVER_DMC_REGISTERS];
	/* When the counters got the values that they have, by enum driver_pmu. */
	uint64_t updated_ns[WPERF_MAX_CORES][2];
	uint64_t dmc_updated_ns[WPERF_ALL_DMCS][DRIVER_DMC_NUM_COUNTERS];
	/* Accesses to what does not exist, and interrupts that nobody takes. Real hardware would
	   have crashed, or hung; stays 0. */
	unsigned num_faults;

	struct sim_spe_unit spe_units[WPERF_MAX_CORES];
	/* How often the event of a counter had happened when it was updated. */
	uint64_t spe_seen[WPERF_MAX_CORES][SIM_NUM_COUNTERS];
	/* Last, as they are not zeroed. */
	uint8_t spe_memory[WPERF_MAX_CORES][SIM_SPE_BUFFER];
	uint8_t ring_memory[WPERF_MAX_CORES][SIM_RING];
};

#endif
