// SPDX-License-Identifier: Apache-2.0

#include "driver/core/core.h"

#include "driver/core/uncore/dmc.h"
#include "driver/core/uncore/dsu.h"
#include "driver/core/wide_text.h"
#include "driver/include/wperf_driver.h"

// driver_core_init() probes every CPU and takes the smallest common PMU: the number of counters,
// the highest event number. Machines with different cores therefore work, with what all of them
// have; SPE is a matter of each CPU. Everything else dispatches to the units. A cluster's counters
// are served by the first CPU of the cluster (driver_dsu_cpu()), memory channels by DRIVER_DMC_CPU:
// driver_core_tick() calls them only there.

// In ID_AA64DFR0_EL1.PMUVer: a PMU of the vendor's own kind, which is not Arm's.
enum { PMU_VERSION_OTHER = 15 };
enum { PMU_VERSION_3_1 = 4, MAX_EVENT_BEFORE_3_1 = 0x3ff };

static bool is_valid(const struct driver_config *config)
{
	// A division: the product of two unchecked numbers might be too large for its type.
	bool has_dsu_range = config->dsu_clusters == 0 ||
			     (config->dsu_cluster_size > 0 &&
			      config->dsu_clusters <= config->num_cores / config->dsu_cluster_size);
	size_t size = config->ring_size;
	bool has_ring_range =
		!config->ring_memory || (size >= DRIVER_RING_MIN_SIZE &&
					 size <= DRIVER_RING_MAX_SIZE && (size & (size - 1)) == 0);
	return config->num_cores >= 1 && config->num_cores <= WPERF_MAX_CORES && has_dsu_range &&
	       has_ring_range && config->dmc_channels < WPERF_ALL_DMCS &&
	       driver_wide_text_fits(WPERF_GIT_VERSION_SIZE, config->git_version) &&
	       driver_wide_text_fits(WPERF_FEATURE_STRING_SIZE, config->features);
}

static bool probe_cpu(struct driver_core *core, unsigned cpu)
{
	uint64_t dfr0 = driver_registers_fetch(&core->registers, cpu, DRIVER_ID_AA64DFR0_EL1);
	unsigned pmu_version = driver_register_field(dfr0, 11, 8); // PMUVer
	if (pmu_version == 0 || pmu_version == PMU_VERSION_OTHER)
		return false;
	// Event numbers have 10 bits before PMUv3p1, and 16 since (Arm ARM, "PMEVTYPER<n>_EL0").
	if (pmu_version < PMU_VERSION_3_1)
		core->max_event = MAX_EVENT_BEFORE_3_1;
	uint64_t pmcr = driver_registers_fetch(&core->registers, cpu, DRIVER_PMCR_EL0);
	unsigned num_counters = driver_register_num_counters(pmcr);
	if (num_counters < core->num_counters)
		core->num_counters = num_counters;
	return true;
}

static uint32_t lowest_bits(unsigned num)
{
	return (UINT32_C(1) << num) - 1;
}

static bool cpu_has_spe(const struct driver_core *core, unsigned cpu)
{
	return core->config.spe && driver_spe_exists(&core->registers, cpu);
}

static void init_cores(struct driver_core *core)
{
	const struct driver_config *config = &core->config;
	uint8_t *rings = config->ring_memory;
	uint8_t *spe_buffers = config->spe_buffers;
	for (unsigned cpu = 0; cpu < config->num_cores; cpu++) {
		struct driver_counters counters;
		driver_counters_init(&counters, DRIVER_PMU_CORE, &core->registers, cpu,
				     core->free_counters);
		driver_counting_init(&core->cores[cpu], &counters, core->core_events[cpu]);
		driver_sampling_init(&core->samplings[cpu], &counters,
				     rings ? rings + cpu * config->ring_size : NULL,
				     config->ring_size);
		driver_spe_init(&core->spes[cpu], &core->registers, cpu,
				spe_buffers && cpu_has_spe(core, cpu)
					? spe_buffers + cpu * config->spe_buffer_size
					: NULL,
				config->spe_buffer_size);
	}
}

// All counters of a cluster are ours: the HAL gives out only those of cores.
static void init_clusters(struct driver_core *core)
{
	uint32_t ours = lowest_bits(driver_dsu_count_counters(core));
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++) {
		struct driver_counters counters;
		driver_counters_init(&counters, DRIVER_PMU_CLUSTER, &core->registers,
				     driver_dsu_cpu(core, cluster), ours);
		driver_counting_init(&core->clusters[cluster], &counters,
				     core->cluster_events[cluster]);
	}
}

enum driver_status driver_core_init(struct driver_core *core, const struct driver_config *config,
				    const struct driver_registers *registers)
{
	if (!is_valid(config))
		return DRIVER_INVALID_PARAMETER;
	// Not by assignment: a compiler may build the other side on a stack that is too small.
	memset(core, 0, sizeof(*core));
	core->config = *config;
	core->registers = *registers;
	core->num_counters = DRIVER_MAX_EVENT_COUNTERS;
	core->max_event = UINT16_MAX;
	core->spe_cpu = DRIVER_NO_CPU;
	for (unsigned cpu = 0; cpu < config->num_cores; cpu++) {
		if (!probe_cpu(core, cpu))
			return DRIVER_NOT_SUPPORTED;
	}
	for (unsigned cpu = config->num_cores; cpu-- > 0;)
		core->spe_cpu = cpu_has_spe(core, cpu) ? cpu : core->spe_cpu;
	core->free_counters = config->free_counters & lowest_bits(core->num_counters);
	init_cores(core);
	init_clusters(core);
	for (unsigned channel = 0; channel < config->dmc_channels; channel++)
		driver_dmc_counting_init(&core->channels[channel], &core->registers, channel);
	return DRIVER_OK;
}

void driver_core_close(struct driver_core *core, driver_client client)
{
	if (driver_lock_drop(&core->lock, client))
		driver_core_forget_work(core);
}

static void forget_counting(struct driver_counting *counting)
{
	driver_counting_stop(counting);
	driver_counting_assign(counting, NULL, 0, 0);
}

void driver_core_forget_work(struct driver_core *core)
{
	for (unsigned cpu = 0; cpu < core->config.num_cores; cpu++) {
		forget_counting(&core->cores[cpu]);
		driver_sampling_forget(&core->samplings[cpu]);
		driver_spe_forget(&core->spes[cpu]);
	}
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++)
		forget_counting(&core->clusters[cluster]);
	for (unsigned channel = 0; channel < core->config.dmc_channels; channel++) {
		struct driver_dmc_counting *counting = &core->channels[channel];
		driver_dmc_counting_stop(counting);
		for (unsigned kind = 0; kind < NUM_DRIVER_DMC_KINDS; kind++)
			driver_dmc_counting_assign(counting, (enum driver_dmc_kind)kind, NULL, 0);
	}
}

void driver_core_suspend(struct driver_core *core)
{
	for (unsigned cpu = 0; cpu < core->config.num_cores; cpu++) {
		driver_counting_suspend(&core->cores[cpu]);
		driver_sampling_suspend(&core->samplings[cpu]);
		driver_spe_suspend(&core->spes[cpu]);
	}
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++)
		driver_counting_suspend(&core->clusters[cluster]);
	for (unsigned channel = 0; channel < core->config.dmc_channels; channel++)
		driver_dmc_counting_suspend(&core->channels[channel]);
}

void driver_core_resume(struct driver_core *core)
{
	for (unsigned cpu = 0; cpu < core->config.num_cores; cpu++) {
		driver_counting_resume(&core->cores[cpu]);
		driver_sampling_resume(&core->samplings[cpu]);
		driver_spe_resume(&core->spes[cpu]);
	}
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++)
		driver_counting_resume(&core->clusters[cluster]);
	for (unsigned channel = 0; channel < core->config.dmc_channels; channel++)
		driver_dmc_counting_resume(&core->channels[channel]);
}

// 0 means none.
static unsigned shorter_period(unsigned a, unsigned b)
{
	if (a == 0 || b == 0)
		return a + b;
	return a < b ? a : b;
}

static bool looks_after_cluster(const struct driver_core *core, unsigned cpu, unsigned *ret_cluster)
{
	return driver_dsu_find_cluster(core, cpu, ret_cluster) &&
	       driver_dsu_cpu(core, *ret_cluster) == cpu;
}

unsigned driver_core_timer_period_ms(const struct driver_core *core, unsigned cpu)
{
	unsigned period_ms = core->cores[cpu].period_ms;
	if (core->samplings[cpu].is_running)
		period_ms = shorter_period(period_ms, DRIVER_SAMPLING_TICK_MS);
	unsigned cluster;
	if (looks_after_cluster(core, cpu, &cluster))
		period_ms = shorter_period(period_ms, core->clusters[cluster].period_ms);
	if (cpu != DRIVER_DMC_CPU)
		return period_ms;
	for (unsigned channel = 0; channel < core->config.dmc_channels; channel++)
		period_ms = shorter_period(period_ms, core->channels[channel].period_ms);
	return period_ms;
}

void driver_core_tick(struct driver_core *core, unsigned cpu)
{
	driver_counting_tick(&core->cores[cpu]);
	driver_sampling_tick(&core->samplings[cpu]);
	unsigned cluster;
	if (looks_after_cluster(core, cpu, &cluster))
		driver_counting_tick(&core->clusters[cluster]);
	if (cpu != DRIVER_DMC_CPU)
		return;
	for (unsigned channel = 0; channel < core->config.dmc_channels; channel++)
		driver_dmc_counting_tick(&core->channels[channel]);
}

bool driver_core_overflow(struct driver_core *core, unsigned cpu,
			  const struct driver_interrupted *interrupted)
{
	return driver_sampling_overflow(&core->samplings[cpu], interrupted);
}

bool driver_core_has_enough(const struct driver_core *core, unsigned cpu)
{
	return driver_ring_has_enough(&core->samplings[cpu].ring);
}

uint64_t driver_core_common_bits(const struct driver_core *core, enum driver_register reg)
{
	uint64_t bits = UINT64_MAX;
	for (unsigned cpu = 0; cpu < core->config.num_cores; cpu++)
		bits &= driver_registers_fetch(&core->registers, cpu, reg);
	return bits;
}

uint64_t driver_core_common_cluster_bits(const struct driver_core *core, enum driver_register reg)
{
	uint64_t bits = UINT64_MAX;
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++) {
		unsigned cpu = driver_dsu_cpu(core, cluster);
		bits &= driver_registers_fetch(&core->registers, cpu, reg);
	}
	return bits;
}
