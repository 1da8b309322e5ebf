/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_REGISTERS_H
#define WPERF_DRIVER_CORE_REGISTERS_H

/**
 * The hardware, as the core sees it: system registers, each of one CPU core, and the counters of
 * memory controllers. What stands behind them is the user's business: real ones, or a simulation.
 *
 * To add a register: 1) name it here (n registers in a row: the first, and the last as first + n -
 * 1), 2) give it a row in driver/sim/register_file.c and in driver/windows/regs_arm64.c.
 */

#include <stdbool.h>
#include <stdint.h>

enum { DRIVER_MAX_EVENT_COUNTERS = 31 }; /* of a core or a cluster, its cycle counter aside */

enum driver_register {
	DRIVER_MIDR_EL1,
	DRIVER_ID_AA64DFR0_EL1,
	DRIVER_PMCR_EL0,
	DRIVER_PMCEID0_EL0,
	DRIVER_PMCEID1_EL0,
	DRIVER_PMCNTENSET_EL0,
	DRIVER_PMCNTENCLR_EL0,
	DRIVER_PMINTENSET_EL1,
	DRIVER_PMINTENCLR_EL1,
	DRIVER_PMOVSCLR_EL0,
	DRIVER_PMCCNTR_EL0,
	DRIVER_PMCCFILTR_EL0,
	DRIVER_PMEVCNTR0_EL0, /* of the rows there are only as many as PMCR_EL0.N says */
	DRIVER_PMEVCNTR30_EL0 = DRIVER_PMEVCNTR0_EL0 + DRIVER_MAX_EVENT_COUNTERS - 1,
	DRIVER_PMEVTYPER0_EL0,
	DRIVER_PMEVTYPER30_EL0 = DRIVER_PMEVTYPER0_EL0 + DRIVER_MAX_EVENT_COUNTERS - 1,
	DRIVER_CNTVCT_EL0, /* the time; the next: how often it ticks in a second */
	DRIVER_CNTFRQ_EL0,
	DRIVER_PMBIDR_EL1, /* this and the next ones only where ID_AA64DFR0_EL1.PMSVer is not 0 */
	DRIVER_PMSIDR_EL1,
	DRIVER_PMSCR_EL1,
	DRIVER_PMSICR_EL1,
	DRIVER_PMSIRR_EL1,
	DRIVER_PMSFCR_EL1,
	DRIVER_PMSEVFR_EL1,
	DRIVER_PMSLATFR_EL1,
	DRIVER_PMBLIMITR_EL1,
	DRIVER_PMBPTR_EL1,
	DRIVER_PMBSR_EL1,
	DRIVER_CLUSTERPMCR_EL1, /* the cluster's only where there is a DSU, from any core of it */
	DRIVER_CLUSTERPMCEID0_EL1,
	DRIVER_CLUSTERPMCEID1_EL1,
	DRIVER_CLUSTERPMCNTENSET_EL1,
	DRIVER_CLUSTERPMCNTENCLR_EL1,
	DRIVER_CLUSTERPMINTENSET_EL1,
	DRIVER_CLUSTERPMINTENCLR_EL1,
	DRIVER_CLUSTERPMOVSCLR_EL1,
	DRIVER_CLUSTERPMCCNTR_EL1,
	/* Two rows of the hardware's CLUSTERPMXEVCNTR and CLUSTERPMXEVTYPER: who implements an
	   access selects the counter with CLUSTERPMSELR first. */
	DRIVER_CLUSTERPMEVCNTR0_EL1,
	DRIVER_CLUSTERPMEVCNTR30_EL1 = DRIVER_CLUSTERPMEVCNTR0_EL1 + DRIVER_MAX_EVENT_COUNTERS - 1,
	DRIVER_CLUSTERPMEVTYPER0_EL1,
	DRIVER_CLUSTERPMEVTYPER30_EL1 =
		DRIVER_CLUSTERPMEVTYPER0_EL1 + DRIVER_MAX_EVENT_COUNTERS - 1,
	NUM_DRIVER_REGISTERS,
};

/** What a counter of a memory controller has. Counter n is at 0x10 + n * 0x28 of its channel. */
enum driver_dmc_register {
	DRIVER_DMC_CONTROL, /* +0x10; bit 0: it counts, from bit 2 on: which event */
	DRIVER_DMC_VALUE,   /* +0x20; 32 bits */
	NUM_DRIVER_DMC_REGISTERS,
};

/** Who runs on a CPU. */
struct driver_task {
	uint32_t pid, tid;
};

/** A record on the stack of A64 code: where the frame pointer points to. */
struct driver_frame {
	uint64_t next; /* the caller's frame pointer */
	uint64_t lr;
};

typedef void driver_cpu_fn(void *argument);

/** The core only asks for what exists: elsewhere an access is a crash. */
struct driver_register_ops {
	/**
	 * Always called on @cpu itself: by on_cpu(), or by who ticks. A write is in effect when it
	 * returns: real registers need an ISB for that.
	 */
	uint64_t (*read)(void *context, unsigned cpu, enum driver_register reg);
	void (*write)(void *context, unsigned cpu, enum driver_register reg, uint64_t value);

	uint32_t (*read_dmc)(void *context, unsigned channel, unsigned counter,
			     enum driver_dmc_register reg);
	void (*write_dmc)(void *context, unsigned channel, unsigned counter,
			  enum driver_dmc_register reg, uint32_t value);

	/**
	 * On @cpu itself, where there is SPE: all that was profiled is in memory when it returns,
	 * and PMBPTR_EL1 behind it (PSB CSYNC, DSB, ISB). NULL where no CPU has SPE.
	 */
	void (*drain_profiling)(void *context, unsigned cpu);

	/** In the interrupt, on @cpu: who was interrupted. NULL: nobody knows. */
	void (*read_task)(void *context, unsigned cpu, struct driver_task *ret);

	/**
	 * In the interrupt, on @cpu: what is at @address of the stack that was interrupted. Any
	 * multiple of 8 may come. False if it is not memory, or cannot be read just now: it must
	 * neither fault nor wait. NULL: there are no callers.
	 */
	bool (*read_frame)(void *context, unsigned cpu, uint64_t address, struct driver_frame *ret);

	/**
	 * On @cpu itself, with each reading of a core's counter: what came since the last one.
	 * @event: its number, or WPERF_CYCLE_EVENT. @counter: in hardware; WPERF_CYCLE_COUNTER.
	 * NULL: nobody wants to know.
	 */
	void (*counted)(void *context, unsigned cpu, uint32_t event, unsigned counter,
			uint64_t value);

	/**
	 * Run @function on @cpu and wait until it has ended. On a CPU these functions and
	 * driver_core_tick() never interrupt each other (in Windows: both are DPCs), nor does
	 * driver_core_overflow() interrupt them (in Windows: they run at its level); the core needs
	 * no other lock for what it keeps per CPU.
	 */
	void (*on_cpu)(void *context, unsigned cpu, driver_cpu_fn *function, void *argument);
};

struct driver_registers {
	const struct driver_register_ops *ops;
	void *context;
};

/** On @cpu itself. */
static inline uint64_t driver_registers_read(const struct driver_registers *registers, unsigned cpu,
					     enum driver_register reg)
{
	return registers->ops->read(registers->context, cpu, reg);
}

/** On @cpu itself. */
static inline void driver_registers_write(const struct driver_registers *registers, unsigned cpu,
					  enum driver_register reg, uint64_t value)
{
	registers->ops->write(registers->context, cpu, reg, value);
}

/** On @cpu itself. */
static inline void driver_registers_drain_profiling(const struct driver_registers *registers,
						    unsigned cpu)
{
	registers->ops->drain_profiling(registers->context, cpu);
}

static inline void driver_registers_on_cpu(const struct driver_registers *registers, unsigned cpu,
					   driver_cpu_fn *function, void *argument)
{
	registers->ops->on_cpu(registers->context, cpu, function, argument);
}

/** From anywhere: goes to @cpu to read. */
uint64_t driver_registers_fetch(const struct driver_registers *registers, unsigned cpu,
				enum driver_register reg);

/** The field of a register from bit @low to bit @high, both included; not all 64 of them. */
static inline unsigned driver_register_field(uint64_t value, unsigned high, unsigned low)
{
	return (unsigned)(value >> low & ((UINT64_C(1) << (high - low + 1)) - 1));
}

/** PMCR_EL0.N or CLUSTERPMCR_EL1.N: how many counters there are, the cycle counter aside. */
static inline unsigned driver_register_num_counters(uint64_t pmcr)
{
	return driver_register_field(pmcr, 15, 11);
}

#endif
