// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/sim.h"

#include "driver/core/request.h"
#include "driver/sim/interrupt.h"
#include "driver/sim/load.h"
#include "driver/sim/register_file.h"

#include <string.h>

// Time is a number of nanoseconds. sim_advance() repeatedly finds what happens next, a timer tick
// or an overflow interrupt, moves the time there, and calls the driver's core as Windows would,
// until the end. Nothing depends on the host's clock or on threads, so that runs are byte-identical
// and tests can compare exact counts: sim_truth() computes what should have been counted without
// any of the driver's code.

enum {
	MAX_PMU_VERSION = 14, // 15 is a PMU that is not Arm's
	MAX_MHZ = 100000,
	NS_PER_MS = 1000000,
};

static const char *find_bad_field(const struct sim_config *config)
{
	const struct {
		const char *field;
		unsigned value, min, max;
	} ranges[] = {
		{"num_cores", config->num_cores, 1, WPERF_MAX_CORES},
		{"counters", config->counters, 0, DRIVER_MAX_EVENT_COUNTERS - 1},
		{"busy_counters", config->busy_counters, 0, config->counters},
		{"dsu_clusters", config->dsu_clusters, 0, config->num_cores},
		{"dmc_channels", config->dmc_channels, 0, WPERF_ALL_DMCS - 1},
		{"pmu_version", config->pmu_version, 1, MAX_PMU_VERSION},
		{"mhz", config->mhz, 0, MAX_MHZ},
	};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max)
			return ranges[i].field;
	}
	// Clusters have one size in the contract.
	if (config->dsu_clusters && config->num_cores % config->dsu_clusters != 0)
		return "dsu_clusters";
	return NULL;
}

enum driver_status sim_init(struct sim *sim, const struct sim_config *config,
			    const char **ret_field)
{
	const char *bad_field = find_bad_field(config);
	if (bad_field) {
		*ret_field = bad_field;
		return DRIVER_INVALID_PARAMETER;
	}
	// The memory of buffers and rings behind is large, and written before it is read.
	memset(sim, 0, offsetof(struct sim, spe_memory));
	sim->config = *config;
	sim->running_cpu = SIM_NO_CPU;
	register_file_reset(sim);
	static const uint8_t contract_version[3] = {3, 8, 0}, none[3];
	bool has_version = memcmp(config->version, none, sizeof(none)) != 0;
	const uint8_t *version = has_version ? config->version : contract_version;
	const struct driver_config driver_config = {
		.num_cores = config->num_cores,
		.dsu_clusters = config->dsu_clusters,
		.dsu_cluster_size = sim_cluster_size(config),
		.dmc_channels = config->dmc_channels,
		.spe = config->spe,
		.spe_buffers = sim->spe_memory,
		.spe_buffer_size = SIM_SPE_BUFFER,
		.ring_memory = config->no_ring ? NULL : sim->ring_memory,
		.ring_size = SIM_RING,
		.free_counters = UINT32_MAX << config->busy_counters,
		.no_interrupts = config->no_interrupts,
		.version = {version[0], version[1], version[2]},
		.git_version = "0000000-sim",
		.features = config->spe ? "+spe" : "",
	};
	const struct driver_registers registers = {.ops = &register_file_ops, .context = sim};
	return driver_core_init(&sim->core, &driver_config, &registers);
}

// A timer whose period stays the same goes on.
static void sim_set_timers(struct sim *sim)
{
	for (unsigned cpu = 0; cpu < sim->config.num_cores; cpu++) {
		unsigned period_ms = driver_core_timer_period_ms(&sim->core, cpu);
		if (period_ms == sim->timers[cpu].period_ms)
			continue;
		sim->timers[cpu].period_ms = period_ms;
		sim->timers[cpu].due_ns = sim->now_ns + (uint64_t)period_ms * NS_PER_MS;
	}
}

enum driver_status sim_request(struct sim *sim, driver_client client, uint32_t code, const void *in,
			       size_t in_size, void *out, size_t out_size, size_t *ret_size)
{
	enum driver_status status =
		driver_request(&sim->core, client, code, in, in_size, out, out_size, ret_size);
	sim_set_timers(sim);
	return status;
}

void sim_close(struct sim *sim, driver_client client)
{
	driver_core_close(&sim->core, client);
	sim_set_timers(sim);
}

void sim_switch_off(struct sim *sim, unsigned cpu)
{
	register_file_switch_off(sim, cpu);
	sim->interrupts[cpu].is_known = false;
}

void sim_run(struct sim *sim, unsigned cpu, const struct sim_task *task)
{
	sim->tasks[cpu] = *task;
}

// Of those due before @end_ns the earliest, and the first CPU's; NULL: none.
static struct sim_timer *find_due(struct sim *sim, uint64_t end_ns)
{
	struct sim_timer *due = NULL;
	for (unsigned cpu = 0; cpu < sim->config.num_cores; cpu++) {
		struct sim_timer *timer = &sim->timers[cpu];
		if (timer->period_ms && timer->due_ns < (due ? due->due_ns : end_ns))
			due = timer;
	}
	return due;
}

struct tick {
	struct driver_core *core;
	unsigned cpu;
};

static void tick_here(void *argument)
{
	const struct tick *tick = argument;
	driver_core_tick(tick->core, tick->cpu);
}

// Returns false if nothing happens up to @end_ns. Of what is due at the same time interrupts come
// first, and those at the very end have come.
static bool sim_happen(struct sim *sim, uint64_t end_ns)
{
	struct sim_timer *timer = find_due(sim, end_ns);
	unsigned cpu = sim_interrupt_find(sim, timer ? timer->due_ns : end_ns);
	if (cpu != SIM_NO_CPU) {
		sim->now_ns = sim->interrupts[cpu].due_ns;
		sim_interrupt_take(sim, cpu);
	} else if (timer) {
		struct tick tick = {&sim->core, (unsigned)(timer - sim->timers)};
		sim->now_ns = timer->due_ns;
		timer->due_ns += (uint64_t)timer->period_ms * NS_PER_MS;
		driver_registers_on_cpu(&sim->core.registers, tick.cpu, tick_here, &tick);
	}
	return cpu != SIM_NO_CPU || timer;
}

void sim_advance(struct sim *sim, uint64_t duration_ns)
{
	uint64_t end_ns = sim->now_ns + duration_ns;
	while (sim_happen(sim, end_ns))
		;
	sim->now_ns = end_ns;
}

static bool has_enough(const struct sim *sim)
{
	for (unsigned cpu = 0; cpu < sim->config.num_cores; cpu++) {
		if (driver_core_has_enough(&sim->core, cpu))
			return true;
	}
	return false;
}

void sim_advance_until_enough(struct sim *sim, uint64_t max_duration_ns)
{
	uint64_t end_ns = sim->now_ns + max_duration_ns;
	bool enough = has_enough(sim);
	while (!enough && sim_happen(sim, end_ns))
		enough = has_enough(sim);
	if (!enough)
		sim->now_ns = end_ns;
}

uint64_t sim_truth(const struct sim *sim, unsigned core, uint64_t event, bool with_kernel)
{
	if (register_file_is_spe_event(sim, event))
		return sim->spe_units[core].counts[event - SIM_SPE_FIRST_EVENT];
	return load_count(load_of_core(sim_mhz(&sim->config), core, event,
				       with_kernel ? 0 : WPERF_FILTER_EXCLUDE_EL1),
			  sim->now_ns);
}

uint64_t sim_truth_of_cluster(const struct sim *sim, unsigned cluster, uint64_t event)
{
	unsigned size = sim_cluster_size(&sim->config);
	uint64_t per_ms = load_of_cluster(sim_mhz(&sim->config), cluster * size, size, event);
	return load_count(per_ms, sim->now_ns);
}

uint64_t sim_truth_of_channel(const struct sim *sim, unsigned channel, enum driver_dmc_kind kind,
			      uint64_t event)
{
	return load_count(load_of_channel(channel, kind, event), sim->now_ns);
}
