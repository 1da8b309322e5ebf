// SPDX-License-Identifier: Apache-2.0

#include "driver/core/core.h"

#include "driver/core/wide_text.h"
#include "driver/include/wperf_driver.h"

// In ID_AA64DFR0_EL1.PMUVer: a PMU of the vendor's own kind, which is not Arm's.
enum { PMU_VERSION_OTHER = 15 };

static bool has_dsu_range(const struct driver_config *config)
{
	if (config->dsu_clusters == 0)
		return true;
	return config->dsu_cluster_size > 0 &&
	       config->dsu_clusters <= config->num_cores / config->dsu_cluster_size;
}

static bool is_valid(const struct driver_config *config)
{
	return config->num_cores >= 1 && config->num_cores <= WPERF_MAX_CORES &&
	       has_dsu_range(config) && config->dmc_channels < WPERF_ALL_DMCS &&
	       driver_wide_text_fits(WPERF_GIT_VERSION_SIZE, config->git_version) &&
	       driver_wide_text_fits(WPERF_FEATURE_STRING_SIZE, config->features);
}

static bool probe_cpu(struct driver_core *core, unsigned cpu)
{
	uint64_t dfr0 = driver_registers_read(&core->registers, cpu, DRIVER_ID_AA64DFR0_EL1);
	unsigned pmu_version = driver_register_field(dfr0, 11, 8);
	if (pmu_version == 0 || pmu_version == PMU_VERSION_OTHER)
		return false;
	uint64_t pmcr = driver_registers_read(&core->registers, cpu, DRIVER_PMCR_EL0);
	unsigned num_counters = driver_register_num_counters(pmcr);
	if (num_counters < core->num_counters)
		core->num_counters = num_counters;
	if (driver_register_field(dfr0, 35, 32) == 0)
		core->has_spe = false;
	return true;
}

enum driver_status driver_core_init(struct driver_core *core, const struct driver_config *config,
				    const struct driver_registers *registers)
{
	if (!is_valid(config))
		return DRIVER_INVALID_PARAMETER;
	*core = (struct driver_core){
		.config = *config,
		.registers = *registers,
		.num_counters = WPERF_CYCLE_COUNTER,
		.has_spe = config->spe,
	};
	for (unsigned cpu = 0; cpu < config->num_cores; cpu++) {
		if (!probe_cpu(core, cpu))
			return DRIVER_NOT_SUPPORTED;
	}
	core->free_counters = config->free_counters & ((UINT32_C(1) << core->num_counters) - 1);
	return DRIVER_OK;
}

void driver_core_close(struct driver_core *core, driver_client client)
{
	driver_lock_drop(&core->lock, client);
}

uint64_t driver_core_common_bits(const struct driver_core *core, enum driver_register reg)
{
	uint64_t bits = UINT64_MAX;
	for (unsigned cpu = 0; cpu < core->config.num_cores; cpu++)
		bits &= driver_registers_read(&core->registers, cpu, reg);
	return bits;
}

uint64_t driver_core_common_cluster_bits(const struct driver_core *core, enum driver_register reg)
{
	uint64_t bits = UINT64_MAX;
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++) {
		unsigned cpu = cluster * core->config.dsu_cluster_size;
		bits &= driver_registers_read(&core->registers, cpu, reg);
	}
	return bits;
}
