// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/sim.h"

#include "driver/core/request.h"

#include <string.h>

enum {
	SIM_MAX_COUNTERS = 31,
	SIM_MAX_PMU_VERSION = 14, // 15 is a PMU that is not Arm's
	DSU_COUNTERS = 6,
	IMPLEMENTER_ARM = 0x41,
};

// E, D, X and DP of PMCR. P and C act and read as zero: for them, counters are needed.
#define PMCR_WRITABLE UINT64_C(0x39)

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

static const struct {
	enum unit unit;
	uint64_t writable;
} layout[NUM_DRIVER_REGISTERS] = {
	[DRIVER_MIDR_EL1] = {UNIT_CORE, 0},
	[DRIVER_ID_AA64DFR0_EL1] = {UNIT_CORE, 0},
	[DRIVER_PMCR_EL0] = {UNIT_CORE, PMCR_WRITABLE},
	[DRIVER_PMCEID0_EL0] = {UNIT_CORE, 0},
	[DRIVER_PMCEID1_EL0] = {UNIT_CORE, 0},
	[DRIVER_PMBIDR_EL1] = {UNIT_SPE, 0},
	[DRIVER_PMSIDR_EL1] = {UNIT_SPE, 0},
	[DRIVER_CLUSTERPMCR_EL1] = {UNIT_DSU, PMCR_WRITABLE},
	[DRIVER_CLUSTERPMCEID0_EL1] = {UNIT_DSU, 0},
	[DRIVER_CLUSTERPMCEID1_EL1] = {UNIT_DSU, 0},
};

void sim_config_add_event(struct sim_config *config, uint64_t event)
{
	if (event < 64)
		config->common_events |= UINT64_C(1) << event;
	else if (event >= 0x4000 && event < 0x4000 + 64)
		config->extended_events |= UINT64_C(1) << (event - 0x4000);
}

static unsigned cluster_size(const struct sim_config *config)
{
	return config->dsu_clusters ? config->num_cores / config->dsu_clusters : 0;
}

// The registers of a cluster are kept with its first core.
static uint64_t *find_register(struct sim *sim, unsigned cpu, enum driver_register reg)
{
	if (cpu >= sim->config.num_cores || (unsigned)reg >= NUM_DRIVER_REGISTERS)
		return NULL;
	switch (layout[reg].unit) {
	case UNIT_SPE:
		return sim->config.spe ? &sim->registers[cpu][reg] : NULL;
	case UNIT_DSU:
		if (sim->config.dsu_clusters == 0)
			return NULL;
		return &sim->registers[cpu - cpu % cluster_size(&sim->config)][reg];
	case UNIT_CORE:
		break;
	}
	return &sim->registers[cpu][reg];
}

static uint64_t read_register(void *context, unsigned cpu, enum driver_register reg)
{
	struct sim *sim = context;
	const uint64_t *value = find_register(sim, cpu, reg);
	if (!value) {
		sim->num_faults++;
		return 0;
	}
	return *value;
}

static void write_register(void *context, unsigned cpu, enum driver_register reg, uint64_t value)
{
	struct sim *sim = context;
	uint64_t *stored = find_register(sim, cpu, reg);
	if (!stored) {
		sim->num_faults++;
		return;
	}
	*stored = (*stored & ~layout[reg].writable) | (value & layout[reg].writable);
}

static const struct driver_register_ops register_ops = {
	.read = read_register,
	.write = write_register,
};

static const char *find_bad_field(const struct sim_config *config)
{
	const struct {
		const char *field;
		unsigned value, min, max;
	} ranges[] = {
		{"num_cores", config->num_cores, 1, WPERF_MAX_CORES},
		{"counters", config->counters, 0, SIM_MAX_COUNTERS},
		{"busy_counters", config->busy_counters, 0, config->counters},
		{"dsu_clusters", config->dsu_clusters, 0, config->num_cores},
		{"dmc_channels", config->dmc_channels, 0, WPERF_ALL_DMCS - 1},
		{"pmu_version", config->pmu_version, 1, SIM_MAX_PMU_VERSION},
	};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max)
			return ranges[i].field;
	}
	if (config->dsu_clusters && config->num_cores % config->dsu_clusters != 0)
		return "dsu_clusters";
	return NULL;
}

static uint64_t pmcr_of(unsigned implementer, unsigned counters)
{
	return (uint64_t)implementer << 24 | (uint64_t)counters << 11;
}

static uint64_t words(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static void reset_core(struct sim *sim, unsigned cpu)
{
	const struct sim_config *config = &sim->config;
	uint64_t *registers = sim->registers[cpu];
	uint64_t midr = config->core_midr[cpu] ? config->core_midr[cpu] : config->midr;
	registers[DRIVER_MIDR_EL1] = midr;
	registers[DRIVER_ID_AA64DFR0_EL1] =
		DEBUG_FEATURES | (uint64_t)config->pmu_version << 8 | (uint64_t)config->spe << 32;
	registers[DRIVER_PMCR_EL0] = pmcr_of(driver_register_field(midr, 31, 24), config->counters);
	registers[DRIVER_PMCEID0_EL0] =
		words((uint32_t)config->extended_events, (uint32_t)config->common_events);
	registers[DRIVER_PMCEID1_EL0] = words((uint32_t)(config->extended_events >> 32),
					      (uint32_t)(config->common_events >> 32));
	registers[DRIVER_PMBIDR_EL1] = SPE_BUFFER_FEATURES;
	registers[DRIVER_PMSIDR_EL1] = SPE_FEATURES;
	registers[DRIVER_CLUSTERPMCR_EL1] = pmcr_of(IMPLEMENTER_ARM, DSU_COUNTERS);
	registers[DRIVER_CLUSTERPMCEID0_EL1] = DSU_EVENTS_LOW;
	registers[DRIVER_CLUSTERPMCEID1_EL1] = DSU_EVENTS_HIGH;
}

enum driver_status sim_init(struct sim *sim, const struct sim_config *config,
			    const char **ret_field)
{
	const char *bad_field = find_bad_field(config);
	if (bad_field) {
		*ret_field = bad_field;
		return DRIVER_INVALID_PARAMETER;
	}
	memset(sim, 0, sizeof(*sim));
	sim->config = *config;
	for (unsigned cpu = 0; cpu < config->num_cores; cpu++)
		reset_core(sim, cpu);
	static const uint8_t contract_version[3] = {3, 8, 0}, none[3];
	bool has_version = memcmp(config->version, none, sizeof(none)) != 0;
	const uint8_t *version = has_version ? config->version : contract_version;
	const struct driver_config driver_config = {
		.num_cores = config->num_cores,
		.dsu_clusters = config->dsu_clusters,
		.dsu_cluster_size = cluster_size(config),
		.dmc_channels = config->dmc_channels,
		.spe = config->spe,
		.free_counters = UINT32_MAX << config->busy_counters,
		.version = {version[0], version[1], version[2]},
		.git_version = "0000000-sim",
		.features = config->spe ? "+spe" : "",
	};
	const struct driver_registers registers = {.ops = &register_ops, .context = sim};
	return driver_core_init(&sim->core, &driver_config, &registers);
}

enum driver_status sim_request(struct sim *sim, driver_client client, uint32_t code, const void *in,
			       size_t in_size, void *out, size_t out_size, size_t *ret_size)
{
	return driver_request(&sim->core, client, code, in, in_size, out, out_size, ret_size);
}

void sim_close(struct sim *sim, driver_client client)
{
	driver_core_close(&sim->core, client);
}
