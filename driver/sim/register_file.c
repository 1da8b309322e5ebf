// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/register_file.h"

#include "driver/sim/load.h"
#include "driver/sim/program.h"
#include "driver/sim/sim_machine.h"
#include "driver/sim/spe_unit.h"

#include <string.h>

// `rows` describes each register: which unit it belongs to, how writes behave, which bits can be
// written. Set and clear registers (PMCNTENSET_EL0 and PMCNTENCLR_EL0 ...) share one value.
// Counters do not tick: register_file_update() brings them up to date before each access, by the
// number of events between the last access and now (load.c). The time of the next overflow is
// computed from the same numbers (counter_overflow_time()), so that interrupts come in the exact
// nanosecond.
//
// Accesses that would crash a real machine are counted as faults, which tests compare with 0:
// missing registers, and registers of another CPU than the running one.

enum {
	DSU_COUNTERS = 6,
	IMPLEMENTER_ARM = 0x41,
	PMU_VERSION_3_5 = 6, // from it on counters can have 64 bits
	TICKS_PER_SECOND = 1000000000,
};

#define ALL_COUNTERS   UINT64_C(0xffffffff)
#define EVENT_FIELD    UINT64_C(0xffff)
#define EXCLUDE_LEVELS ((uint64_t)WPERF_FILTER_EXCLUDE_EL1 | WPERF_FILTER_EXCLUDE_EL0)
#define DMC_ENABLE     UINT32_C(1)

enum { DMC_EVENT_SHIFT = 2 };

// Of PMCR: E, X, DP and LC can be written, and LP where there is one; D, to count every 64th
// cycle, is not simulated.
#define PMCR_ENABLE       UINT64_C(0x01)
#define PMCR_RESET_EVENTS UINT64_C(0x02) // P and C; they read as zero
#define PMCR_RESET_CYCLES UINT64_C(0x04)
#define PMCR_WRITABLE     UINT64_C(0x71)
#define PMCR_LONG         UINT64_C(0x80)

// ID_AA64DFR0_EL1 without the fields of PMU and SPE: debug v8.2, 6 breakpoints, 4 watchpoints.
#define DEBUG_FEATURES UINT64_C(0x10305008)

// PMSIDR_EL1: all three filters; every 1024 operations at least; records of at most 64 bytes;
// counters of 12 bits.
#define SPE_FEATURES UINT64_C(0x00026407)

// PMBIDR_EL1: buffer aligned to 64 bytes, sets access and dirty flags.
#define SPE_BUFFER_FEATURES UINT64_C(0x26)

// CLUSTERPMCEID: cycles, bus accesses, memory errors, bus cycles, chain ...
#define DSU_EVENTS_LOW                                                           \
	((UINT32_C(1) << 0x11) | (UINT32_C(1) << 0x19) | (UINT32_C(1) << 0x1a) | \
	 (UINT32_C(1) << 0x1d) | (UINT32_C(1) << 0x1e))
// ... and allocations, refills, accesses and write-backs of the level 3 cache (0x29 to 0x2c).
#define DSU_EVENTS_HIGH (UINT32_C(0xf) << (0x29 - 32))

enum unit { UNIT_CORE, UNIT_SPE, UNIT_DSU };

enum behaviour {
	FIXED,
	PLAIN,
	SET,     // written ones set bits ...
	CLEAR,   // ... and clear bits of the register that has the value
	CONTROL, // PMCR
	CLOCK,
	RELOAD, // PMSICR: a new interval begins
};

static const struct row {
	enum unit unit;
	enum behaviour behaviour;
	uint64_t writable;
	enum driver_register value_in; // SET, CLEAR
} rows[NUM_DRIVER_REGISTERS] = {
	[DRIVER_MIDR_EL1] = {UNIT_CORE, FIXED, 0, 0},
	[DRIVER_ID_AA64DFR0_EL1] = {UNIT_CORE, FIXED, 0, 0},
	[DRIVER_PMCR_EL0] = {UNIT_CORE, CONTROL, PMCR_WRITABLE, 0},
	[DRIVER_PMCEID0_EL0] = {UNIT_CORE, FIXED, 0, 0},
	[DRIVER_PMCEID1_EL0] = {UNIT_CORE, FIXED, 0, 0},
	[DRIVER_PMCNTENSET_EL0] = {UNIT_CORE, SET, ALL_COUNTERS, DRIVER_PMCNTENSET_EL0},
	[DRIVER_PMCNTENCLR_EL0] = {UNIT_CORE, CLEAR, ALL_COUNTERS, DRIVER_PMCNTENSET_EL0},
	[DRIVER_PMINTENSET_EL1] = {UNIT_CORE, SET, ALL_COUNTERS, DRIVER_PMINTENSET_EL1},
	[DRIVER_PMINTENCLR_EL1] = {UNIT_CORE, CLEAR, ALL_COUNTERS, DRIVER_PMINTENSET_EL1},
	[DRIVER_PMOVSCLR_EL0] = {UNIT_CORE, CLEAR, ALL_COUNTERS, DRIVER_PMOVSCLR_EL0},
	[DRIVER_PMCCNTR_EL0] = {UNIT_CORE, PLAIN, UINT64_MAX, 0},
	[DRIVER_PMCCFILTR_EL0] = {UNIT_CORE, PLAIN, EXCLUDE_LEVELS, 0},
	[DRIVER_PMEVCNTR0_EL0] = {UNIT_CORE, PLAIN, UINT64_MAX, 0},
	[DRIVER_PMEVTYPER0_EL0] = {UNIT_CORE, PLAIN, EXCLUDE_LEVELS | EVENT_FIELD, 0},
	[DRIVER_CNTVCT_EL0] = {UNIT_CORE, CLOCK, 0, 0},
	[DRIVER_CNTFRQ_EL0] = {UNIT_CORE, FIXED, 0, 0},
	[DRIVER_PMBIDR_EL1] = {UNIT_SPE, FIXED, 0, 0},
	[DRIVER_PMSIDR_EL1] = {UNIT_SPE, FIXED, 0, 0},
	[DRIVER_PMSCR_EL1] = {UNIT_SPE, PLAIN, UINT64_MAX, 0},
	[DRIVER_PMSICR_EL1] = {UNIT_SPE, RELOAD, UINT64_MAX, 0},
	[DRIVER_PMSIRR_EL1] = {UNIT_SPE, PLAIN, UINT64_C(0xffffff01), 0},
	[DRIVER_PMSFCR_EL1] = {UNIT_SPE, PLAIN, UINT64_C(0x70007), 0},
	[DRIVER_PMSEVFR_EL1] = {UNIT_SPE, PLAIN, UINT64_MAX, 0},
	[DRIVER_PMSLATFR_EL1] = {UNIT_SPE, PLAIN, UINT64_C(0xffff), 0},
	[DRIVER_PMBLIMITR_EL1] = {UNIT_SPE, PLAIN, ~UINT64_C(0xff8), 0},
	[DRIVER_PMBPTR_EL1] = {UNIT_SPE, PLAIN, UINT64_MAX, 0},
	[DRIVER_PMBSR_EL1] = {UNIT_SPE, PLAIN, UINT64_MAX, 0},
	[DRIVER_CLUSTERPMCR_EL1] = {UNIT_DSU, CONTROL, PMCR_WRITABLE, 0},
	[DRIVER_CLUSTERPMCEID0_EL1] = {UNIT_DSU, FIXED, 0, 0},
	[DRIVER_CLUSTERPMCEID1_EL1] = {UNIT_DSU, FIXED, 0, 0},
	[DRIVER_CLUSTERPMCNTENSET_EL1] = {UNIT_DSU, SET, ALL_COUNTERS,
					  DRIVER_CLUSTERPMCNTENSET_EL1},
	[DRIVER_CLUSTERPMCNTENCLR_EL1] = {UNIT_DSU, CLEAR, ALL_COUNTERS,
					  DRIVER_CLUSTERPMCNTENSET_EL1},
	[DRIVER_CLUSTERPMINTENSET_EL1] = {UNIT_DSU, SET, ALL_COUNTERS,
					  DRIVER_CLUSTERPMINTENSET_EL1},
	[DRIVER_CLUSTERPMINTENCLR_EL1] = {UNIT_DSU, CLEAR, ALL_COUNTERS,
					  DRIVER_CLUSTERPMINTENSET_EL1},
	[DRIVER_CLUSTERPMOVSCLR_EL1] = {UNIT_DSU, CLEAR, ALL_COUNTERS, DRIVER_CLUSTERPMOVSCLR_EL1},
	[DRIVER_CLUSTERPMCCNTR_EL1] = {UNIT_DSU, PLAIN, UINT64_MAX, 0},
	[DRIVER_CLUSTERPMEVCNTR0_EL1] = {UNIT_DSU, PLAIN, UINT64_MAX, 0},
	[DRIVER_CLUSTERPMEVTYPER0_EL1] = {UNIT_DSU, PLAIN, EVENT_FIELD, 0},
};

// One per counter: their row of the table is that of the first.
static const enum driver_register firsts[] = {
	DRIVER_PMEVCNTR0_EL0,
	DRIVER_PMEVTYPER0_EL0,
	DRIVER_CLUSTERPMEVCNTR0_EL1,
	DRIVER_CLUSTERPMEVTYPER0_EL1,
};

// What counts: a core's PMU, or a cluster's, whose registers are kept with its first core.
static const struct pmu {
	enum driver_register control, enabled, overflow, cycles, first_value, first_type;
} pmus[] = {
	[DRIVER_PMU_CORE] = {DRIVER_PMCR_EL0, DRIVER_PMCNTENSET_EL0, DRIVER_PMOVSCLR_EL0,
			     DRIVER_PMCCNTR_EL0, DRIVER_PMEVCNTR0_EL0, DRIVER_PMEVTYPER0_EL0},
	[DRIVER_PMU_CLUSTER] = {DRIVER_CLUSTERPMCR_EL1, DRIVER_CLUSTERPMCNTENSET_EL1,
				DRIVER_CLUSTERPMOVSCLR_EL1, DRIVER_CLUSTERPMCCNTR_EL1,
				DRIVER_CLUSTERPMEVCNTR0_EL1, DRIVER_CLUSTERPMEVTYPER0_EL1},
};

// NULL: there is no such register. *cpu becomes the one that its value is kept with.
static const struct row *register_file_find_row(const struct sim *sim, unsigned *cpu,
						enum driver_register reg)
{
	if (*cpu >= sim->config.num_cores || (unsigned)reg >= NUM_DRIVER_REGISTERS)
		return NULL;
	// The first of the row of registers, one per counter, that this one is in.
	const enum driver_register *first = NULL;
	for (size_t i = 0; !first && i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		if (reg >= firsts[i] && reg - firsts[i] < DRIVER_MAX_EVENT_COUNTERS)
			first = &firsts[i];
	}
	const struct row *row = &rows[first ? *first : reg];
	if ((row->unit == UNIT_SPE && !sim->config.spe) ||
	    (row->unit == UNIT_DSU && sim->config.dsu_clusters == 0))
		return NULL;
	enum driver_register control = DRIVER_PMCR_EL0;
	if (row->unit == UNIT_DSU) {
		*cpu -= *cpu % sim_cluster_size(&sim->config);
		control = DRIVER_CLUSTERPMCR_EL1;
	}
	if (first && reg - *first >= driver_register_num_counters(sim->registers[*cpu][control]))
		return NULL;
	return row;
}

static uint64_t event_of_counter(const struct sim *sim, unsigned cpu, unsigned counter)
{
	if (counter == WPERF_CYCLE_COUNTER)
		return WPERF_CYCLE_EVENT;
	return sim->registers[cpu][DRIVER_PMEVTYPER0_EL0 + counter] & EVENT_FIELD;
}

static uint64_t filter_of_counter(const struct sim *sim, unsigned cpu, unsigned counter)
{
	unsigned reg = counter == WPERF_CYCLE_COUNTER ? (unsigned)DRIVER_PMCCFILTR_EL0
						      : DRIVER_PMEVTYPER0_EL0 + counter;
	return sim->registers[cpu][reg] & EXCLUDE_LEVELS;
}

bool register_file_is_spe_event(const struct sim *sim, uint64_t event)
{
	return sim->config.spe && event >= SIM_SPE_FIRST_EVENT &&
	       event < SIM_SPE_FIRST_EVENT + SIM_SPE_NUM_EVENTS;
}

static uint64_t rate_of_core_counter(struct sim *sim, unsigned cpu, unsigned counter)
{
	struct sim_rate *rate = &sim->rates[cpu][counter];
	if (!rate->is_known) {
		rate->per_ms = load_of_core(sim_mhz(&sim->config), cpu,
					    event_of_counter(sim, cpu, counter),
					    filter_of_counter(sim, cpu, counter));
		rate->is_known = true;
	}
	return rate->per_ms;
}

static uint64_t register_file_rate_of(struct sim *sim, enum driver_pmu pmu, unsigned cpu,
				      unsigned counter)
{
	if (pmu == DRIVER_PMU_CORE)
		return rate_of_core_counter(sim, cpu, counter);
	uint64_t event =
		counter == WPERF_CYCLE_COUNTER
			? WPERF_CYCLE_EVENT
			: sim->registers[cpu][DRIVER_CLUSTERPMEVTYPER0_EL1 + counter] & EVENT_FIELD;
	return load_of_cluster(sim_mhz(&sim->config), cpu, sim_cluster_size(&sim->config), event);
}

static uint64_t count_since(const struct sim *sim, uint64_t per_ms, uint64_t since_ns)
{
	return load_count(per_ms, sim->now_ns) - load_count(per_ms, since_ns);
}

// Returns whether it went round.
static bool register_file_grow(uint64_t *value, uint64_t happened, uint64_t mask)
{
	uint64_t old = *value & mask;
	*value = (old + happened) & mask;
	return happened > mask - old;
}

static void update_counters(struct sim *sim, enum driver_pmu which, unsigned cpu, uint64_t since_ns)
{
	const struct pmu *pmu = &pmus[which];
	uint64_t *registers = sim->registers[cpu];
	uint64_t mask = registers[pmu->control] & PMCR_LONG ? UINT64_MAX : UINT32_MAX;
	for (unsigned i = 0; i < driver_register_num_counters(registers[pmu->control]); i++) {
		if (!(registers[pmu->enabled] >> i & 1))
			continue;
		uint64_t event = event_of_counter(sim, cpu, i), happened;
		if (which == DRIVER_PMU_CORE && register_file_is_spe_event(sim, event))
			happened = sim->spe_units[cpu].counts[event - SIM_SPE_FIRST_EVENT] -
				   sim->spe_seen[cpu][i];
		else
			happened = count_since(sim, register_file_rate_of(sim, which, cpu, i),
					       since_ns);
		if (register_file_grow(&registers[pmu->first_value + i], happened, mask))
			registers[pmu->overflow] |= UINT64_C(1) << i;
	}
	if (!(registers[pmu->enabled] >> WPERF_CYCLE_COUNTER & 1))
		return;
	uint64_t per_ms = register_file_rate_of(sim, which, cpu, WPERF_CYCLE_COUNTER);
	if (register_file_grow(&registers[pmu->cycles], count_since(sim, per_ms, since_ns),
			       UINT64_MAX))
		registers[pmu->overflow] |= UINT64_C(1) << WPERF_CYCLE_COUNTER;
}

// From now on only what happens then is counted.
static void see_spe_counts(struct sim *sim, unsigned cpu)
{
	const uint64_t *counts = sim->spe_units[cpu].counts;
	unsigned num = driver_register_num_counters(sim->registers[cpu][DRIVER_PMCR_EL0]);
	for (unsigned i = 0; i < num; i++) {
		uint64_t event = event_of_counter(sim, cpu, i);
		if (register_file_is_spe_event(sim, event))
			sim->spe_seen[cpu][i] = counts[event - SIM_SPE_FIRST_EVENT];
	}
}

static void register_file_update(struct sim *sim, enum unit unit, unsigned cpu)
{
	sim_spe_unit_update(sim, cpu);
	enum driver_pmu which = unit == UNIT_DSU ? DRIVER_PMU_CLUSTER : DRIVER_PMU_CORE;
	uint64_t since_ns = sim->updated_ns[cpu][which];
	sim->updated_ns[cpu][which] = sim->now_ns;
	if (since_ns != sim->now_ns && (sim->registers[cpu][pmus[which].control] & PMCR_ENABLE))
		update_counters(sim, which, cpu, since_ns);
	if (sim->config.spe && which == DRIVER_PMU_CORE)
		see_spe_counts(sim, cpu);
}

// When it goes round, from now on.
static uint64_t counter_overflow_time(struct sim *sim, unsigned cpu, unsigned counter)
{
	const uint64_t *registers = sim->registers[cpu];
	// Those of SPE are seen when it is looked at.
	if (register_file_is_spe_event(sim, event_of_counter(sim, cpu, counter)))
		return UINT64_MAX;
	bool is_cycles = counter == WPERF_CYCLE_COUNTER;
	bool is_long = is_cycles || (registers[DRIVER_PMCR_EL0] & PMCR_LONG);
	uint64_t mask = is_long ? UINT64_MAX : UINT32_MAX;
	uint64_t value = registers[is_cycles ? (unsigned)DRIVER_PMCCNTR_EL0
					     : DRIVER_PMEVCNTR0_EL0 + counter];
	// Events until it is all ones; the one after that overflows.
	uint64_t left = mask - (value & mask);
	uint64_t per_ms = rate_of_core_counter(sim, cpu, counter);
	uint64_t happened = load_count(per_ms, sim->now_ns);
	if (left >= UINT64_MAX - happened)
		return UINT64_MAX;
	return load_time(per_ms, happened + left + 1);
}

static uint64_t register_file_read(void *context, unsigned cpu, enum driver_register reg)
{
	struct sim *sim = context;
	unsigned keeper = cpu;
	const struct row *row = register_file_find_row(sim, &keeper, reg);
	if (!row || cpu != sim->running_cpu) {
		sim->num_faults++;
		return 0;
	}
	register_file_update(sim, row->unit, keeper);
	// The timer ticks once a nanosecond.
	if (row->behaviour == CLOCK)
		return sim->now_ns;
	bool is_pair = row->behaviour == SET || row->behaviour == CLEAR;
	return sim->registers[keeper][is_pair ? row->value_in : reg];
}

uint64_t register_file_overflow_time(struct sim *sim, unsigned cpu)
{
	const struct pmu *pmu = &pmus[DRIVER_PMU_CORE];
	register_file_update(sim, UNIT_CORE, cpu);
	uint64_t *registers = sim->registers[cpu];
	uint64_t bits = registers[DRIVER_PMINTENSET_EL1];
	if (!(registers[pmu->control] & PMCR_ENABLE) || !bits)
		return UINT64_MAX;
	if (registers[pmu->overflow] & bits)
		return sim->now_ns;
	bits &= registers[pmu->enabled];
	uint64_t first_ns = UINT64_MAX;
	for (unsigned counter = 0; bits >> counter; counter++) {
		uint64_t time_ns =
			bits >> counter & 1 ? counter_overflow_time(sim, cpu, counter) : UINT64_MAX;
		if (time_ns < first_ns)
			first_ns = time_ns;
	}
	return first_ns;
}

bool register_file_find_overflow(struct sim *sim, unsigned cpu, uint64_t *ret_event,
				 uint64_t *ret_filter)
{
	register_file_update(sim, UNIT_CORE, cpu);
	const uint64_t *registers = sim->registers[cpu];
	uint64_t bits = registers[DRIVER_PMOVSCLR_EL0] & registers[DRIVER_PMINTENSET_EL1];
	for (unsigned counter = 0; bits >> counter; counter++) {
		if (!(bits >> counter & 1))
			continue;
		*ret_event = event_of_counter(sim, cpu, counter);
		*ret_filter = filter_of_counter(sim, cpu, counter);
		return true;
	}
	return false;
}

static void register_file_write_control(struct sim *sim, unsigned cpu, enum driver_register reg,
					uint64_t value)
{
	uint64_t writable = PMCR_WRITABLE;
	const struct pmu *pmu =
		&pmus[reg == DRIVER_PMCR_EL0 ? DRIVER_PMU_CORE : DRIVER_PMU_CLUSTER];
	if (reg == DRIVER_PMCR_EL0 && sim->config.pmu_version >= PMU_VERSION_3_5)
		writable |= PMCR_LONG;
	uint64_t *registers = sim->registers[cpu];
	registers[reg] = (registers[reg] & ~writable) | (value & writable);
	if (value & PMCR_RESET_EVENTS)
		memset(&registers[pmu->first_value], 0,
		       driver_register_num_counters(registers[reg]) * sizeof(registers[0]));
	if (value & PMCR_RESET_CYCLES)
		registers[pmu->cycles] = 0;
}

static void forget_rate(struct sim *sim, unsigned cpu, enum driver_register reg)
{
	if (reg == DRIVER_PMCCFILTR_EL0)
		sim->rates[cpu][WPERF_CYCLE_COUNTER].is_known = false;
	else if (reg >= DRIVER_PMEVTYPER0_EL0 && reg <= DRIVER_PMEVTYPER30_EL0)
		sim->rates[cpu][reg - DRIVER_PMEVTYPER0_EL0].is_known = false;
}

static void register_file_write(void *context, unsigned cpu, enum driver_register reg,
				uint64_t value)
{
	struct sim *sim = context;
	unsigned keeper = cpu;
	const struct row *row = register_file_find_row(sim, &keeper, reg);
	if (!row || cpu != sim->running_cpu) {
		sim->num_faults++;
		return;
	}
	register_file_update(sim, row->unit, keeper);
	sim->interrupts[keeper].is_known = false;
	forget_rate(sim, keeper, reg);
	uint64_t *registers = sim->registers[keeper];
	switch (row->behaviour) {
	case SET:
		registers[row->value_in] |= value & row->writable;
		break;
	case CLEAR:
		registers[row->value_in] &= ~(value & row->writable);
		break;
	case CONTROL:
		register_file_write_control(sim, keeper, reg, value);
		break;
	case RELOAD:
		sim->spe_units[keeper].is_armed = false;
		break;
	case FIXED:
	case PLAIN:
	case CLOCK:
		registers[reg] = (registers[reg] & ~row->writable) | (value & row->writable);
		break;
	}
	if (sim->config.spe)
		see_spe_counts(sim, keeper);
}

static uint32_t *find_dmc_register(struct sim *sim, unsigned channel, unsigned counter,
				   enum driver_dmc_register reg)
{
	if (sim->running_cpu == SIM_NO_CPU || channel >= sim->config.dmc_channels ||
	    counter >= DRIVER_DMC_NUM_COUNTERS || (unsigned)reg >= NUM_DRIVER_DMC_REGISTERS)
		return NULL;
	return &sim->dmc_registers[channel][counter][reg];
}

static void update_dmc(struct sim *sim, unsigned channel, unsigned counter)
{
	uint32_t *registers = sim->dmc_registers[channel][counter];
	uint64_t since_ns = sim->dmc_updated_ns[channel][counter];
	sim->dmc_updated_ns[channel][counter] = sim->now_ns;
	if (!(registers[DRIVER_DMC_CONTROL] & DMC_ENABLE))
		return;
	bool is_clk = counter >= driver_dmc_kinds[DRIVER_DMC_CLK].first_counter;
	uint64_t per_ms = load_of_channel(channel, is_clk ? DRIVER_DMC_CLK : DRIVER_DMC_CLKDIV2,
					  registers[DRIVER_DMC_CONTROL] >> DMC_EVENT_SHIFT);
	uint64_t value = registers[DRIVER_DMC_VALUE];
	register_file_grow(&value, count_since(sim, per_ms, since_ns), UINT32_MAX);
	registers[DRIVER_DMC_VALUE] = (uint32_t)value;
}

static uint32_t read_dmc(void *context, unsigned channel, unsigned counter,
			 enum driver_dmc_register reg)
{
	struct sim *sim = context;
	const uint32_t *value = find_dmc_register(sim, channel, counter, reg);
	if (!value) {
		sim->num_faults++;
		return 0;
	}
	update_dmc(sim, channel, counter);
	return *value;
}

static void register_file_write_dmc(void *context, unsigned channel, unsigned counter,
				    enum driver_dmc_register reg, uint32_t value)
{
	struct sim *sim = context;
	uint32_t *stored = find_dmc_register(sim, channel, counter, reg);
	if (!stored) {
		sim->num_faults++;
		return;
	}
	update_dmc(sim, channel, counter);
	*stored = value;
}

static void run_on_cpu(void *context, unsigned cpu, driver_cpu_fn *function, void *argument)
{
	struct sim *sim = context;
	unsigned before = sim->running_cpu;
	sim->running_cpu = cpu;
	function(argument);
	sim->running_cpu = before;
}

void register_file_switch_off(struct sim *sim, unsigned cpu)
{
	register_file_update(sim, UNIT_CORE, cpu);
	if (sim->config.dsu_clusters)
		register_file_update(sim, UNIT_DSU, cpu);
	for (unsigned i = 0; i < NUM_DRIVER_REGISTERS; i++) {
		enum driver_register reg = (enum driver_register)i;
		unsigned keeper = cpu;
		const struct row *row = register_file_find_row(sim, &keeper, reg);
		if (!row || keeper != cpu)
			continue;
		sim->registers[cpu][reg] &= ~row->writable;
		forget_rate(sim, cpu, reg);
	}
	sim->spe_units[cpu].is_armed = false;
}

static void register_file_drain_profiling(void *context, unsigned cpu)
{
	struct sim *sim = context;
	if (cpu != sim->running_cpu || !sim->config.spe)
		sim->num_faults++;
	else
		sim_spe_unit_update(sim, cpu);
}

// The program has a thread on each core; the first has its number.
static void register_file_read_task(void *context, unsigned cpu, struct driver_task *ret)
{
	const struct sim *sim = context;
	*ret = sim->tasks[cpu].who;
	if (ret->pid)
		return;
	ret->pid = PROGRAM_PID;
	ret->tid = PROGRAM_PID + cpu;
}

static bool register_file_read_frame(void *context, unsigned cpu, uint64_t address,
				     struct driver_frame *ret)
{
	return program_read_frame(address, &ret->next, &ret->lr);
}

const struct driver_register_ops register_file_ops = {
	.drain_profiling = register_file_drain_profiling,
	.read_task = register_file_read_task,
	.read_frame = register_file_read_frame,
	.read = register_file_read,
	.write = register_file_write,
	.read_dmc = read_dmc,
	.write_dmc = register_file_write_dmc,
	.on_cpu = run_on_cpu,
};

static uint64_t pmcr_of(unsigned implementer, unsigned counters)
{
	return (uint64_t)implementer << 24 | (uint64_t)counters << 11;
}

static uint64_t register_file_words(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static void reset_features(struct sim *sim, unsigned cpu)
{
	const struct sim_config *config = &sim->config;
	uint64_t *registers = sim->registers[cpu];
	uint64_t midr = config->core_midr[cpu] ? config->core_midr[cpu] : config->midr;
	registers[DRIVER_MIDR_EL1] = midr;
	registers[DRIVER_ID_AA64DFR0_EL1] =
		DEBUG_FEATURES | (uint64_t)config->pmu_version << 8 | (uint64_t)config->spe << 32;
	// One more than for events: the driver borrows it for cycles.
	registers[DRIVER_PMCR_EL0] =
		pmcr_of(driver_register_field(midr, 31, 24), config->counters + 1);
	registers[DRIVER_PMCEID0_EL0] = register_file_words((uint32_t)config->extended_events,
							    (uint32_t)config->common_events);
	registers[DRIVER_PMCEID1_EL0] = register_file_words(
		(uint32_t)(config->extended_events >> 32), (uint32_t)(config->common_events >> 32));
	registers[DRIVER_CNTFRQ_EL0] = TICKS_PER_SECOND;
	registers[DRIVER_PMBIDR_EL1] = SPE_BUFFER_FEATURES;
	registers[DRIVER_PMSIDR_EL1] = SPE_FEATURES;
	registers[DRIVER_CLUSTERPMCR_EL1] = pmcr_of(IMPLEMENTER_ARM, DSU_COUNTERS);
	registers[DRIVER_CLUSTERPMCEID0_EL1] = DSU_EVENTS_LOW;
	registers[DRIVER_CLUSTERPMCEID1_EL1] = DSU_EVENTS_HIGH;
}

// Counters come up with anything. Cycles are about to go round: that must not matter.
static void reset_counters(struct sim *sim, unsigned cpu)
{
	for (size_t which = 0; which < sizeof(pmus) / sizeof(pmus[0]); which++) {
		uint64_t *registers = sim->registers[cpu];
		const struct pmu *pmu = &pmus[which];
		registers[pmu->cycles] = UINT64_MAX - load_hash(cpu) % UINT32_MAX;
		for (unsigned i = 0; i < DRIVER_MAX_EVENT_COUNTERS; i++) {
			registers[pmu->first_value + i] = load_hash(i) & UINT32_MAX;
			registers[pmu->first_type + i] = load_hash(i) & EVENT_FIELD;
		}
	}
}

void register_file_reset(struct sim *sim)
{
	for (unsigned cpu = 0; cpu < sim->config.num_cores; cpu++) {
		reset_features(sim, cpu);
		reset_counters(sim, cpu);
	}
	for (unsigned channel = 0; channel < sim->config.dmc_channels; channel++) {
		for (unsigned i = 0; i < DRIVER_DMC_NUM_COUNTERS; i++)
			sim->dmc_registers[channel][i][DRIVER_DMC_VALUE] =
				(uint32_t)load_hash(i << 8 | channel);
	}
}
