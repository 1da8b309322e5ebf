/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_COUNTERS_H
#define WPERF_DRIVER_CORE_COUNTERS_H

/**
 * The counters of one PMU, a core's or a cluster's: one for cycles, and those event counters that
 * are ours, numbered from 0 without gaps. Registers of other counters are left alone.
 *
 * A core's cycles are counted by the last of our event counters. Its cycle counter, PMCCNTR_EL0,
 * belongs to the operating system, which accounts the time of threads with it. Bits of counters
 * (driver_counters_bit()) name it WPERF_CYCLE_COUNTER all the same, as clients do.
 */

#include "driver/core/registers.h"

#include <stdbool.h>
#include <stdint.h>

enum driver_pmu { DRIVER_PMU_CORE, DRIVER_PMU_CLUSTER };

struct driver_counters {
	const struct driver_registers *registers;
	enum driver_pmu pmu;
	unsigned cpu;                               /* where the registers are accessed */
	unsigned num;                               /* for events */
	uint8_t indexes[DRIVER_MAX_EVENT_COUNTERS]; /* in hardware */
	bool has_cycles;                            /* false: no counter is ours at all */
	uint8_t cycle_index;                        /* in hardware */
	uint64_t value_mask;                        /* as wide as an event counter counts */
	uint64_t cycle_mask;

	/* What is in the registers of ours, if nobody else wrote to them. */
	struct {
		uint64_t enabled;
		uint32_t types[DRIVER_MAX_EVENT_COUNTERS]; /* [i]: of counter i, and behind them of
							      the cycles */
		unsigned num_types;
	} wanted;

	/* As driver_counters_prepare() found them, for driver_counters_release(). */
	struct {
		uint64_t control, enabled, interrupts;
	} before;
};

/**
 * From anywhere, the functions below only on @cpu.
 * @registers: must outlive the counters.
 * @ours: bit n: counter n of the hardware, which exists.
 */
void driver_counters_init(struct driver_counters *counters, enum driver_pmu pmu,
			  const struct driver_registers *registers, unsigned cpu, uint32_t ours);

/** Get the PMU ready, nothing counts yet. @filter: WPERF_FILTER_*, of the cycles. */
void driver_counters_prepare(struct driver_counters *counters, uint64_t filter);

/** The same after driver_counters_have_lost_state(); what was there before is still known. */
void driver_counters_prepare_again(struct driver_counters *counters, uint64_t filter);

/** Stop all of them; what is enabled, and what interrupts, is as it was before. */
void driver_counters_release(struct driver_counters *counters);

/**
 * A core that was switched off, or slept, may come back with an empty PMU. Is anything else in the
 * registers than was put there? Then what the counters show means nothing.
 */
bool driver_counters_have_lost_state(const struct driver_counters *counters);

/** Put an event on a counter that stands still; its value is 0 then. */
void driver_counters_program(struct driver_counters *counters, unsigned counter, uint16_t event,
			     uint64_t filter);

/** What a counter that stands still shows next: so many events before it overflows. */
void driver_counters_preload(const struct driver_counters *counters, unsigned counter,
			     uint64_t events);
void driver_counters_preload_cycles(const struct driver_counters *counters, uint64_t cycles);

/** The bit of a counter among overflows. */
uint64_t driver_counters_bit(const struct driver_counters *counters, unsigned counter);

/** From now on the overflow of these interrupts. */
void driver_counters_enable_interrupts(const struct driver_counters *counters, uint64_t bits);

/** No overflow of ours interrupts, and none is waiting to. */
void driver_counters_disable_interrupts(const struct driver_counters *counters);

/** Which of @bits have overflowed? They have not any more. */
uint64_t driver_counters_take_overflows(const struct driver_counters *counters, uint64_t bits);

/** Let the cycles and the first @num event counters count. */
void driver_counters_enable(struct driver_counters *counters, unsigned num);

/** Stop the event counters; cycles go on. */
void driver_counters_pause(struct driver_counters *counters);

/** Stop all of them. */
void driver_counters_disable(struct driver_counters *counters);

/** Modulo cycle_mask + 1. */
uint64_t driver_counters_read_cycles(const struct driver_counters *counters);

/** Modulo value_mask + 1. */
uint64_t driver_counters_read(const struct driver_counters *counters, unsigned counter);

#endif
