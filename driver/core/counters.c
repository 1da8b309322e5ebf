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
// Of what all of a core's counters share, only PMCR_EL0.E is ever changed, and set back: the
// operating system counts with PMCCNTR_EL0, whose width and speed the other bits decide on. How
// wide event counters count (PMCR_EL0.LP, since PMUv3p5) is therefore taken as it is.

// Of PMCR_EL0 and CLUSTERPMCR_EL1.
#define CONTROL_ENABLE      (UINT64_C(1) << 0) // E
#define CONTROL_LONG_EVENTS (UINT64_C(1) << 7) // LP, of PMCR_EL0 only

enum { CPU_CYCLES = 0x11 }; // the event of a core (Arm ARM, "PMU events")

#define CYCLE_BIT (UINT64_C(1) << WPERF_CYCLE_COUNTER)

// Of PMEVTYPER<n>_EL0: the event's number, and the levels that are left out.
#define TYPE_MASK (UINT64_C(0xffff) | WPERF_FILTER_EXCLUDE_EL1 | WPERF_FILTER_EXCLUDE_EL0)

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
	counters->value_mask = UINT32_MAX;
	counters->cycle_mask = UINT64_MAX;
	counters->cycle_index = WPERF_CYCLE_COUNTER;
	counters->has_cycles = pmu == DRIVER_PMU_CLUSTER || counters->num > 0;
	if (pmu == DRIVER_PMU_CORE && counters->num > 0) {
		counters->cycle_index = counters->indexes[--counters->num];
		counters->cycle_mask = counters->value_mask;
	}
}

static uint64_t cycle_bit_of_hardware(const struct driver_counters *counters)
{
	return counters->has_cycles ? UINT64_C(1) << counters->cycle_index : 0;
}

static uint64_t bits_to_hardware(const struct driver_counters *counters, uint64_t bits)
{
	return bits & CYCLE_BIT ? (bits & ~CYCLE_BIT) | cycle_bit_of_hardware(counters) : bits;
}

static uint64_t bits_from_hardware(const struct driver_counters *counters, uint64_t bits)
{
	uint64_t cycle_bit = cycle_bit_of_hardware(counters);
	return bits & cycle_bit ? (bits & ~cycle_bit) | CYCLE_BIT : bits;
}

static enum driver_register cycles_register(const struct driver_counters *counters)
{
	const struct layout *layout = layout_of(counters);
	if (counters->cycle_index == WPERF_CYCLE_COUNTER)
		return layout->cycles;
	return (enum driver_register)((unsigned)layout->first_value + counters->cycle_index);
}

static uint64_t bits_of_first(const struct driver_counters *counters, unsigned num)
{
	uint64_t bits = 0;
	for (unsigned counter = 0; counter < num; counter++)
		bits |= driver_counters_bit(counters, counter);
	return bits;
}

// As the registers have them.
static uint64_t all_bits(const struct driver_counters *counters)
{
	return cycle_bit_of_hardware(counters) | bits_of_first(counters, counters->num);
}

// On a cluster the cycle counter needs no event.
static bool has_borrowed_cycles(const struct driver_counters *counters)
{
	return counters->has_cycles && counters->pmu == DRIVER_PMU_CORE;
}

static enum driver_register type_of_cycles(const struct driver_counters *counters)
{
	unsigned first_type = (unsigned)layout_of(counters)->first_type;
	return (enum driver_register)(first_type + counters->cycle_index);
}

static void program_cycles(struct driver_counters *counters, uint64_t filter)
{
	if (!has_borrowed_cycles(counters))
		return;
	uint64_t type = CPU_CYCLES | filter;
	counters_write_register(counters, type_of_cycles(counters), type);
	counters_write_register(counters, cycles_register(counters), 0);
	counters->wanted.types[counters->num] = (uint32_t)type;
}

void driver_counters_prepare(struct driver_counters *counters, uint64_t filter)
{
	const struct layout *layout = layout_of(counters);
	counters->before.control = counters_read_register(counters, layout->control);
	counters->before.enabled = counters_read_register(counters, layout->enable_set);
	counters->before.interrupts = counters_read_register(counters, layout->interrupt_set);
	driver_counters_prepare_again(counters, filter);
}

void driver_counters_prepare_again(struct driver_counters *counters, uint64_t filter)
{
	const struct layout *layout = layout_of(counters);
	uint64_t control = counters_read_register(counters, layout->control);
	driver_counters_disable(counters);
	driver_counters_disable_interrupts(counters);
	counters->wanted.num_types = 0;
	if (!(control & CONTROL_ENABLE))
		counters_write_register(counters, layout->control, control | CONTROL_ENABLE);
	if (counters->pmu == DRIVER_PMU_CORE) {
		counters->value_mask = control & CONTROL_LONG_EVENTS ? UINT64_MAX : UINT32_MAX;
		counters->cycle_mask = counters->value_mask;
	}
	program_cycles(counters, filter);
}

static bool has_lost_types(const struct driver_counters *counters)
{
	const uint32_t *types = counters->wanted.types;
	for (unsigned i = 0; i < counters->wanted.num_types; i++) {
		enum driver_register reg =
			nth_register(counters, layout_of(counters)->first_type, i);
		if ((counters_read_register(counters, reg) ^ types[i]) & TYPE_MASK)
			return true;
	}
	return has_borrowed_cycles(counters) &&
	       ((counters_read_register(counters, type_of_cycles(counters)) ^
		 types[counters->num]) &
		TYPE_MASK);
}

bool driver_counters_have_lost_state(const struct driver_counters *counters)
{
	const struct layout *layout = layout_of(counters);
	uint64_t enabled = counters_read_register(counters, layout->enable_set);
	return !(counters_read_register(counters, layout->control) & CONTROL_ENABLE) ||
	       (enabled & all_bits(counters)) != counters->wanted.enabled ||
	       has_lost_types(counters);
}

void driver_counters_release(struct driver_counters *counters)
{
	const struct layout *layout = layout_of(counters);
	uint64_t ours = all_bits(counters);
	driver_counters_disable(counters);
	driver_counters_disable_interrupts(counters);
	// E was clear: it is again, unless somebody has begun to count who needs it.
	uint64_t enabled = counters_read_register(counters, layout->enable_set);
	uint64_t control = counters_read_register(counters, layout->control);
	if (!(counters->before.control & CONTROL_ENABLE) && !(enabled & ~counters->before.enabled))
		counters_write_register(counters, layout->control, control & ~CONTROL_ENABLE);
	uint64_t to_enable = counters->before.enabled & ours;
	uint64_t to_interrupt = counters->before.interrupts & ours;
	if (to_enable)
		counters_write_register(counters, layout->enable_set, to_enable);
	if (to_interrupt)
		counters_write_register(counters, layout->interrupt_set, to_interrupt);
}

void driver_counters_program(struct driver_counters *counters, unsigned counter, uint16_t event,
			     uint64_t filter)
{
	const struct layout *layout = layout_of(counters);
	uint64_t type = event | (layout->has_filter ? filter : 0);
	counters_write_register(counters, nth_register(counters, layout->first_type, counter),
				type);
	counters_write_register(counters, nth_register(counters, layout->first_value, counter), 0);
	counters->wanted.types[counter] = (uint32_t)type;
	if (counters->wanted.num_types <= counter)
		counters->wanted.num_types = counter + 1;
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
	counters_write_register(counters, cycles_register(counters),
				(0 - cycles) & counters->cycle_mask);
}

uint64_t driver_counters_bit(const struct driver_counters *counters, unsigned counter)
{
	return UINT64_C(1) << counters->indexes[counter];
}

void driver_counters_enable_interrupts(const struct driver_counters *counters, uint64_t bits)
{
	counters_write_register(counters, layout_of(counters)->interrupt_set,
				bits_to_hardware(counters, bits));
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
	uint64_t overflows = counters_read_register(counters, layout->overflow_clear) &
			     bits_to_hardware(counters, bits);
	if (overflows)
		counters_write_register(counters, layout->overflow_clear, overflows);
	return bits_from_hardware(counters, overflows);
}

void driver_counters_enable(struct driver_counters *counters, unsigned num)
{
	uint64_t bits = cycle_bit_of_hardware(counters) | bits_of_first(counters, num);
	counters_write_register(counters, layout_of(counters)->enable_set, bits);
	counters->wanted.enabled |= bits;
}

static void counters_disable_bits(struct driver_counters *counters, uint64_t bits)
{
	counters_write_register(counters, layout_of(counters)->enable_clear, bits);
	counters->wanted.enabled &= ~bits;
}

void driver_counters_pause(struct driver_counters *counters)
{
	counters_disable_bits(counters, bits_of_first(counters, counters->num));
}

void driver_counters_disable(struct driver_counters *counters)
{
	counters_disable_bits(counters, all_bits(counters));
}

uint64_t driver_counters_read_cycles(const struct driver_counters *counters)
{
	if (!counters->has_cycles)
		return 0;
	return counters_read_register(counters, cycles_register(counters)) & counters->cycle_mask;
}

uint64_t driver_counters_read(const struct driver_counters *counters, unsigned counter)
{
	return counters_read_register(counters,
				      nth_register(counters, layout_of(counters)->first_value,
						   counter)) &
	       counters->value_mask;
}
