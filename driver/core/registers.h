/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_REGISTERS_H
#define WPERF_DRIVER_CORE_REGISTERS_H

/**
 * The hardware, as the core sees it: system registers, each of one CPU core. What stands behind
 * them - real registers, read on that very core, or a simulation - is the user's business.
 *
 * To add a register: 1) name it here (n registers in a row: the first, and the last as first + n -
 * 1), 2) give it a row in driver/sim/sim.c and one in driver/windows/regs_arm64.c.
 */

#include <stdint.h>

enum driver_register {
	DRIVER_MIDR_EL1,
	DRIVER_ID_AA64DFR0_EL1,
	DRIVER_PMCR_EL0,
	DRIVER_PMCEID0_EL0,
	DRIVER_PMCEID1_EL0,
	DRIVER_PMBIDR_EL1, /* this and the next only where ID_AA64DFR0_EL1.PMSVer is not 0 */
	DRIVER_PMSIDR_EL1,
	DRIVER_CLUSTERPMCR_EL1, /* the cluster's only where there is a DSU, from any core of it */
	DRIVER_CLUSTERPMCEID0_EL1,
	DRIVER_CLUSTERPMCEID1_EL1,
	NUM_DRIVER_REGISTERS,
};

/** The core only asks for cores and registers that exist: elsewhere an access is a crash. */
struct driver_register_ops {
	uint64_t (*read)(void *context, unsigned cpu, enum driver_register reg);
	void (*write)(void *context, unsigned cpu, enum driver_register reg, uint64_t value);
};

struct driver_registers {
	const struct driver_register_ops *ops;
	void *context;
};

static inline uint64_t driver_registers_read(const struct driver_registers *registers, unsigned cpu,
					     enum driver_register reg)
{
	return registers->ops->read(registers->context, cpu, reg);
}

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
