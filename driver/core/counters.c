// SPDX-License-Identifier: Apache-2.0

#include "driver/core/counters.h"

#include "driver/include/wperf_driver.h"

#include <string.h>

// Registers of the Arm ARM (PMCR_EL0, PMCNTENSET_EL0, PMEVTYPER<n>_EL0 ...) and of the DynamIQ
// Shared Unit's manual (CLUSTERPM*). `layouts` maps the parts of a PMU to register numbers, so that
// all functions serve both; clusters have no filter of exception levels. Counters that are not ours
// are left alone: `indexes` maps our numbers to theirs, and enable and disable registers are
// written with our bits only.
//
// 64-bit counters (PMCR_EL0.LP, since PMUv3p5) are used if all counters are ours, as the switch is
// for all. It is read back, because a hypervisor may refuse it.

enum { PMU_VERSION_3_5 = 6 }; // ID_AA64DFR0_EL1.PMUVer: the first with 64 bits

// Of PMCR_EL0 and CLUSTERPMCR_EL1.
#define CONTROL_ENABLE      (UINT64_C(1) << 0) // E
#define CONTROL_DIVIDE      (UINT64_C(1) << 3) // D: count every 64th cycle only
#define CONTROL_LONG_CYCLES (UINT64_C(1) << 6) // LC
#define CONTROL_LONG_EVENTS (UINT64_C(1) << 7) // LP

#define CYCLE_BIT (UINT64_C(1) << WPERF_CYCLE_COUNTER)

static const struct layout {
	enum driver_register control, enable_set, enable_clear, interrupt_set, interrupt_clear,
		overflow_clear, cycles, first_value, first_type;
	bool has_filter;
} layouts[] = {
	[DRIVER_PMU_CORE] =
		{
			.control = DRIVER_PMCR_EL0,
			.enable_set = DRIVER_PMCNTENSET_EL0,
			.enable_clear = DRIVER_PMCNTENCLR_EL0,
			.interrupt_set = DRIVER_PMINTENSET_EL1,
			.interrupt_clear = DRIVER_PMINTENCLR_EL1,
			.overflow_clear = DRIVER_PMOVSCLR_EL0,
			.cycles = DRIVER_PMCCNTR_EL0,
			.first_value = DRIVER_PMEVCNTR0_EL0,
			.first_type = DRIVER_PMEVTYPER0_EL0,
			.has_filter = true,
		},
	[DRIVER_PMU_CLUSTER] =
		{
			.control = DRIVER_CLUSTERPMCR_EL1,
			.enable_set = DRIVER_CLUSTERPMCNTENSET_EL1,
			.enable_clear = DRIVER_CLUSTERPMCNTENCLR_EL1,
			.interrupt_set = DRIVER_CLUSTERPMINTENSET_EL1,
			.interrupt_clear = DRIVER_CLUSTERPMINTENCLR_EL1,
			.overflow_clear = DRIVER_CLUSTERPMOVSCLR_EL1,
			.cycles = DRIVER_CLUSTERPMCCNTR_EL1,
			.first_value = DRIVER_CLUSTERPMEVCNTR0_EL1,
			.first_type = DRIVER_CLUSTERPMEVTYPER0_EL1,
			.has_filter = false,
		},
};

static const struct layout *layout_of(const struct driver_counters *counters)
{
	return &layouts[counters->pmu];
}

static uint64_t counters_read_register(const struct driver_counters *counters,
				       enum driver_register reg)
{
	return driver_registers_read(counters->registers, counters->cpu, reg);
}

static void counters_write_register(const struct driver_counters *counters,
				    enum driver_register reg, uint64_t value)
{
	driver_registers_write(counters->registers, counters->cpu, reg, value);
}

static enum driver_register nth_register(const struct driver_counters *counters,
					 enum driver_register first, unsigned counter)
{
	return (enum driver_register)((unsigned)first + counters->indexes[counter]);
}

// The width is one switch for all counters of a core: it is ours only if all counters are.
static bool can_be_long(const struct driver_counters *counters)
{
	if (counters->pmu != DRIVER_PMU_CORE)
		return false;
	const struct driver_registers *registers = counters->registers;
	uint64_t dfr0 = driver_registers_fetch(registers, counters->cpu, DRIVER_ID_AA64DFR0_EL1);
	uint64_t pmcr = driver_registers_fetch(registers, counters->cpu, DRIVER_PMCR_EL0);
	return driver_register_field(dfr0, 11, 8) >= PMU_VERSION_3_5 &&
	       counters->num == driver_register_num_counters(pmcr);
}

void driver_counters_init(struct driver_counters *counters, enum driver_pmu pmu,
			  const struct driver_registers *registers, unsigned cpu, uint32_t ours)
{
	memset(counters, 0, sizeof(*counters));
	counters->pmu = pmu;
	counters->registers = registers;
	counters->cpu = cpu;
	for (unsigned index = 0; index < DRIVER_MAX_EVENT_COUNTERS; index++) {
		if (ours >> index & 1)
			counters->indexes[counters->num++] = (uint8_t)index;
	}
	counters->can_be_long = can_be_long(counters);
	counters->value_mask = UINT32_MAX;
}

static uint64_t bits_of_first(const struct driver_counters *counters, unsigned num)
{
	uint64_t bits = 0;
	for (unsigned counter = 0; counter < num; counter++)
		bits |= driver_counters_bit(counters, counter);
	return bits;
}

static uint64_t all_bits(const struct driver_counters *counters)
{
	return CYCLE_BIT | bits_of_first(counters, counters->num);
}

void driver_counters_prepare(struct driver_counters *counters, uint64_t filter)
{
	const struct layout *layout = layout_of(counters);
	driver_counters_disable(counters);
	driver_counters_disable_interrupts(counters);
	uint64_t control = counters_read_register(counters, layout->control);
	// E for all counters, which others may use as well; LC: overflow of the cycle counter from
	// bit 63.
	control = (control & ~CONTROL_DIVIDE) | CONTROL_ENABLE | CONTROL_LONG_CYCLES;
	if (counters->can_be_long)
		control |= CONTROL_LONG_EVENTS;
	counters_write_register(counters, layout->control, control);
	if (layout->has_filter)
		counters_write_register(counters, DRIVER_PMCCFILTR_EL0, filter);
	// A hypervisor may have kept the switch where it was.
	bool is_long = counters->can_be_long &&
		       (counters_read_register(counters, layout->control) & CONTROL_LONG_EVENTS);
	counters->value_mask = is_long ? UINT64_MAX : UINT32_MAX;
}

void driver_counters_program(const struct driver_counters *counters, unsigned counter,
			     uint16_t event, uint64_t filter)
{
	const struct layout *layout = layout_of(counters);
	uint64_t type = event | (layout->has_filter ? filter : 0);
	counters_write_register(counters, nth_register(counters, layout->first_type, counter),
				type);
	counters_write_register(counters, nth_register(counters, layout->first_value, counter), 0);
}

void driver_counters_preload(const struct driver_counters *counters, unsigned counter,
			     uint64_t events)
{
	counters_write_register(counters,
				nth_register(counters, layout_of(counters)->first_value, counter),
				// It overflows after so many events: counters count up, and
				// overflow from all ones to 0.
				(0 - events) & counters->value_mask);
}

void driver_counters_preload_cycles(const struct driver_counters *counters, uint64_t cycles)
{
	counters_write_register(counters, layout_of(counters)->cycles, 0 - cycles);
}

uint64_t driver_counters_bit(const struct driver_counters *counters, unsigned counter)
{
	return UINT64_C(1) << counters->indexes[counter];
}

void driver_counters_enable_interrupts(const struct driver_counters *counters, uint64_t bits)
{
	counters_write_register(counters, layout_of(counters)->interrupt_set, bits);
}

void driver_counters_disable_interrupts(const struct driver_counters *counters)
{
	const struct layout *layout = layout_of(counters);
	// What overflowed before must not interrupt as soon as interrupts are on.
	counters_write_register(counters, layout->interrupt_clear, all_bits(counters));
	counters_write_register(counters, layout->overflow_clear, all_bits(counters));
}

uint64_t driver_counters_take_overflows(const struct driver_counters *counters, uint64_t bits)
{
	const struct layout *layout = layout_of(counters);
	// Reading the clear register gives the flags; writing ones clears them.
	uint64_t overflows = counters_read_register(counters, layout->overflow_clear) & bits;
	if (overflows)
		counters_write_register(counters, layout->overflow_clear, overflows);
	return overflows;
}

void driver_counters_enable(const struct driver_counters *counters, unsigned num)
{
	uint64_t bits = CYCLE_BIT | bits_of_first(counters, num);
	counters_write_register(counters, layout_of(counters)->enable_set, bits);
}

void driver_counters_pause(const struct driver_counters *counters)
{
	counters_write_register(counters, layout_of(counters)->enable_clear,
				bits_of_first(counters, counters->num));
}

void driver_counters_disable(const struct driver_counters *counters)
{
	counters_write_register(counters, layout_of(counters)->enable_clear, all_bits(counters));
}

uint64_t driver_counters_read_cycles(const struct driver_counters *counters)
{
	return counters_read_register(counters, layout_of(counters)->cycles);
}

uint64_t driver_counters_read(const struct driver_counters *counters, unsigned counter)
{
	return counters_read_register(counters,
				      nth_register(counters, layout_of(counters)->first_value,
						   counter)) &
	       counters->value_mask;
}
