// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/spe_unit.h"

#include "driver/core/spe/spe.h"
#include "driver/sim/load.h"
#include "driver/sim/sim_machine.h"
#include "driver/sim/spe_operation.h"

#include <string.h>

// Like counters, the unit is brought up to date when it is looked at: spe_unit_profile() goes
// through the samples between the last look and now. Each sample is an operation made from its
// number (spe_operation.c), which passes the filters or not, and is written at PMBPTR_EL1. A full
// buffer sets PMBSR_EL1.S and stops profiling, as in the Arm ARM; a buffer outside of the given
// memory is counted as a fault.

enum {
	OP_SPEC = 0x3b, // operations that were executed
	KERNEL_SHARE = 10,
	COLLISION_SHARE = 1000,
	JITTER = 0xff,
};

enum { POPULATION, FEED, FILTRATE, COLLISION };

static uint64_t *registers_of(struct sim *sim, unsigned cpu)
{
	return sim->registers[cpu];
}

static uint64_t spe_unit_rate_of(const struct sim *sim, unsigned cpu, uint64_t pmscr)
{
	uint64_t excluded = 0;
	if (!(pmscr & DRIVER_PMSCR_E0SPE))
		excluded = WPERF_FILTER_EXCLUDE_EL0;
	else if (!(pmscr & DRIVER_PMSCR_E1SPE))
		excluded = WPERF_FILTER_EXCLUDE_EL1;
	return load_of_core(sim_mhz(&sim->config), cpu, OP_SPEC, excluded);
}

static bool has_wanted_type(const struct spe_sim_operation *operation, uint64_t pmsfcr)
{
	switch (operation->class) {
	case SPE_LOAD:
		return pmsfcr & DRIVER_PMSFCR_LD;
	case SPE_STORE:
		return pmsfcr & DRIVER_PMSFCR_ST;
	case SPE_BRANCH:
		return pmsfcr & DRIVER_PMSFCR_B;
	default:
		return false;
	}
}

static bool spe_unit_passes(const struct spe_sim_operation *operation, const uint64_t *registers)
{
	uint64_t pmsfcr = registers[DRIVER_PMSFCR_EL1];
	uint64_t wanted_events = registers[DRIVER_PMSEVFR_EL1];
	if ((pmsfcr & DRIVER_PMSFCR_FT) && !has_wanted_type(operation, pmsfcr))
		return false;
	if ((pmsfcr & DRIVER_PMSFCR_FE) && (operation->events & wanted_events) != wanted_events)
		return false;
	return !(pmsfcr & DRIVER_PMSFCR_FL) || operation->total >= registers[DRIVER_PMSLATFR_EL1];
}

static void spe_unit_store(struct sim *sim, unsigned cpu, const struct spe_sim_operation *operation,
			   uint64_t time_ns)
{
	uint64_t *registers = registers_of(sim, cpu);
	uint64_t pointer = registers[DRIVER_PMBPTR_EL1];
	uint64_t limit = registers[DRIVER_PMBLIMITR_EL1] & DRIVER_PMBLIMITR_LIMIT;
	// Memory that a driver of this machine was given. Anything else would be a fault of the
	// hardware.
	uintptr_t start = (uintptr_t)sim->spe_memory, end = start + sizeof(sim->spe_memory);
	bool is_given = pointer >= start && limit <= end && pointer <= limit;
	if (!is_given)
		sim->num_faults++;
	// A full buffer stops profiling.
	if (!is_given || limit - pointer < SPE_SIM_RECORD_SIZE) {
		registers[DRIVER_PMBSR_EL1] |= DRIVER_PMBSR_S;
		return;
	}
	uint64_t pmscr = registers[DRIVER_PMSCR_EL1];
	const struct spe_sim_record record = {
		.has_timestamp = pmscr & DRIVER_PMSCR_TS,
		.timestamp = time_ns,
		.has_physical_address = pmscr & DRIVER_PMSCR_PA,
	};
	spe_sim_operation_write(operation, &record, (uint8_t *)sim->spe_memory + (pointer - start));
	registers[DRIVER_PMBPTR_EL1] = pointer + SPE_SIM_RECORD_SIZE;
}

static void take_sample(struct sim *sim, unsigned cpu, uint64_t time_ns)
{
	struct sim_spe_unit *unit = &sim->spe_units[cpu];
	uint64_t *registers = registers_of(sim, cpu);
	uint64_t seed = unit->next * WPERF_MAX_CORES + cpu;
	// The operation before is still being followed: this one is lost (PMBSR_EL1.COLL).
	if (load_hash(seed ^ COLLISION) % COLLISION_SHARE == 0) {
		unit->counts[COLLISION]++;
		registers[DRIVER_PMBSR_EL1] |= DRIVER_PMBSR_COLL;
		return;
	}
	unit->counts[FEED]++;
	uint64_t pmscr = registers[DRIVER_PMSCR_EL1];
	bool is_kernel = (pmscr & DRIVER_PMSCR_E1SPE) &&
			 (!(pmscr & DRIVER_PMSCR_E0SPE) || load_hash(~seed) % KERNEL_SHARE == 0);
	struct spe_sim_operation operation = spe_sim_operation_make(is_kernel, seed);
	if (!spe_unit_passes(&operation, registers))
		return;
	unit->counts[FILTRATE]++;
	spe_unit_store(sim, cpu, &operation, time_ns);
}

// PMSIRR_EL1: INTERVAL, and with RND a random number of 8 bits more (Arm ARM, "PMSIRR_EL1").
static uint64_t interval_to_next(const struct sim_spe_unit *unit, uint64_t pmsirr)
{
	uint64_t interval = pmsirr & DRIVER_PMSIRR_INTERVAL;
	if (!interval)
		interval = JITTER + 1;
	return interval + (pmsirr & DRIVER_PMSIRR_RND ? load_hash(unit->next) & JITTER : 0);
}

static bool is_profiling(const uint64_t *registers)
{
	uint64_t levels = DRIVER_PMSCR_E0SPE | DRIVER_PMSCR_E1SPE;
	return (registers[DRIVER_PMSCR_EL1] & levels) &&
	       (registers[DRIVER_PMBLIMITR_EL1] & DRIVER_PMBLIMITR_E) &&
	       !(registers[DRIVER_PMBSR_EL1] & DRIVER_PMBSR_S);
}

static void spe_unit_profile(struct sim *sim, unsigned cpu, uint64_t since_ns)
{
	struct sim_spe_unit *unit = &sim->spe_units[cpu];
	const uint64_t *registers = registers_of(sim, cpu);
	uint64_t per_ms = spe_unit_rate_of(sim, cpu, registers[DRIVER_PMSCR_EL1]);
	uint64_t first = load_count(per_ms, since_ns), last = load_count(per_ms, sim->now_ns);
	uint64_t pmsirr = registers[DRIVER_PMSIRR_EL1];
	if (!unit->is_armed) {
		unit->is_armed = true;
		unit->next = first + interval_to_next(unit, pmsirr);
	}
	while (unit->next <= last && is_profiling(registers)) {
		take_sample(sim, cpu, load_time(per_ms, unit->next));
		unit->next += interval_to_next(unit, pmsirr);
	}
	// What was executed while the buffer was full is no part of the population.
	uint64_t end = is_profiling(registers) ? last : unit->next;
	unit->counts[POPULATION] += end > first && end <= last ? end - first : last - first;
	if (unit->next <= last)
		unit->is_armed = false;
}

void sim_spe_unit_update(struct sim *sim, unsigned cpu)
{
	struct sim_spe_unit *unit = &sim->spe_units[cpu];
	uint64_t since_ns = unit->updated_ns;
	unit->updated_ns = sim->now_ns;
	if (sim->config.spe && since_ns != sim->now_ns && is_profiling(registers_of(sim, cpu)))
		spe_unit_profile(sim, cpu, since_ns);
}
