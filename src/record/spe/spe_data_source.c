// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_data_source.h"

#include "base/container/array.h"
#include "record/perf_data/perf_access.h"
#include "record/spe/spe_core.h"

#include <stddef.h>

// What the payload of a data source packet means depends on the implementation. The tables are
// those of the cores' Technical Reference Manuals, which perf has as well
// (tools/perf/util/arm-spe-decoder/arm-spe-decoder.h). Cores that are not listed get no answer: 8
// means L2 on a Neoverse, and L1 on an AmpereOne.

static const struct spe_data_source arm_sources[] = {
	{0x0, SPE_DISTANCE_L1, false, "L1D"},
	{0x8, SPE_DISTANCE_L2, false, "L2"},
	{0x9, SPE_DISTANCE_PEER_CORE, false, "peer core"},
	{0xa, SPE_DISTANCE_LOCAL_CLUSTER, false, "local cluster"},
	{0xb, SPE_DISTANCE_SYSTEM_CACHE, false, "system cache"},
	{0xc, SPE_DISTANCE_PEER_CLUSTER, false, "peer cluster"},
	{0xd, SPE_DISTANCE_REMOTE, false, "remote"},
	{0xe, SPE_DISTANCE_MEMORY, false, "DRAM"},
	{},
};

static const struct spe_data_source ampere_sources[] = {
	{0x0, SPE_DISTANCE_PEER_CORE, false, "local chip cache or device"},
	{0x3, SPE_DISTANCE_SYSTEM_CACHE, false, "system cache"},
	{0x5, SPE_DISTANCE_REMOTE, false, "remote chip cache"},
	{0x7, SPE_DISTANCE_MEMORY, false, "DDR"},
	{0x8, SPE_DISTANCE_L1, false, "L1D"},
	{0x9, SPE_DISTANCE_L2, false, "L2D"},
	{},
};

static const struct spe_data_source hip_sources[] = {
	{0, SPE_DISTANCE_PEER_CORE, false, "peer core"},
	{1, SPE_DISTANCE_PEER_CORE, true, "peer core, modified"},
	{2, SPE_DISTANCE_SYSTEM_CACHE, false, "L3"},
	{3, SPE_DISTANCE_SYSTEM_CACHE, true, "L3, modified"},
	{4, SPE_DISTANCE_PEER_CLUSTER, false, "peer cluster"},
	{5, SPE_DISTANCE_PEER_CLUSTER, true, "peer cluster, modified"},
	{6, SPE_DISTANCE_REMOTE, false, "remote socket"},
	{7, SPE_DISTANCE_REMOTE, true, "remote socket, modified"},
	{8, SPE_DISTANCE_MEMORY, false, "local memory"},
	{9, SPE_DISTANCE_REMOTE_MEMORY, false, "remote memory"},
	{13, SPE_DISTANCE_DEVICE, false, "device"},
	{16, SPE_DISTANCE_L2, false, "L2"},
	{17, SPE_DISTANCE_L2, true, "L2, modified"},
	{18, SPE_DISTANCE_L1, false, "L1"},
	{},
};

// The names are perf's words where it has some.
static const struct spe_data_source perf_sources[] = {
	{PERF_ACCESS_L1, SPE_DISTANCE_L1, false, "L1"},
	{PERF_ACCESS_FILL_BUFFER, SPE_DISTANCE_L1, false, "line fill buffer"},
	{PERF_ACCESS_L2, SPE_DISTANCE_L2, false, "L2"},
	{PERF_ACCESS_L3, SPE_DISTANCE_SYSTEM_CACHE, false, "L3"},
	{PERF_ACCESS_L4, SPE_DISTANCE_SYSTEM_CACHE, false, "L4"},
	{PERF_ACCESS_PEER, SPE_DISTANCE_PEER_CORE, false, "peer core"},
	{PERF_ACCESS_PEER_MODIFIED, SPE_DISTANCE_PEER_CORE, true, "peer core, modified"},
	{PERF_ACCESS_REMOTE_CACHE, SPE_DISTANCE_REMOTE, false, "remote cache"},
	{PERF_ACCESS_REMOTE_MODIFIED, SPE_DISTANCE_REMOTE, true, "remote cache, modified"},
	{PERF_ACCESS_MEMORY, SPE_DISTANCE_MEMORY, false, "RAM"},
	{PERF_ACCESS_PERSISTENT, SPE_DISTANCE_MEMORY, false, "persistent memory"},
	{PERF_ACCESS_CXL, SPE_DISTANCE_REMOTE_MEMORY, false, "CXL memory"},
	{PERF_ACCESS_REMOTE_MEMORY, SPE_DISTANCE_REMOTE_MEMORY, false, "remote RAM"},
	{PERF_ACCESS_DEVICE, SPE_DISTANCE_DEVICE, false, "I/O or not cached"},
	{},
};

// Arm's cores whose manuals have the table above. Others may differ, so that they are not guessed.
static const struct {
	uint32_t core;
	const struct spe_data_source *sources;
} cores[] = {
	{SPE_CORE_NEOVERSE_N1, arm_sources}, {SPE_CORE_NEOVERSE_N2, arm_sources},
	{SPE_CORE_NEOVERSE_V1, arm_sources}, {SPE_CORE_NEOVERSE_V2, arm_sources},
	{SPE_CORE_CORTEX_A720, arm_sources}, {SPE_CORE_CORTEX_A720AE, arm_sources},
	{SPE_CORE_CORTEX_A725, arm_sources}, {SPE_CORE_CORTEX_X1C, arm_sources},
	{SPE_CORE_CORTEX_X3, arm_sources},   {SPE_CORE_CORTEX_X925, arm_sources},
	{SPE_CORE_COBALT_100, arm_sources},  {SPE_CORE_AMPEREONE_A, ampere_sources},
	{SPE_CORE_HIP12, hip_sources},       {SPE_CORE_OF_PERF, perf_sources},
};

const struct spe_data_source *spe_data_source_find(uint32_t midr, uint64_t payload)
{
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		if (cores[i].core != spe_core_of(midr))
			continue;
		for (const struct spe_data_source *source = cores[i].sources; source->name;
		     source++)
			if (source->number == payload)
				return source;
	}
	return NULL;
}

const char *spe_distance_name(enum spe_distance distance)
{
	static const char *const names[SPE_NUM_DISTANCES] = {
		[SPE_DISTANCE_L1] = "L1",
		[SPE_DISTANCE_L2] = "L2",
		[SPE_DISTANCE_PEER_CORE] = "peer core",
		[SPE_DISTANCE_LOCAL_CLUSTER] = "local cluster",
		[SPE_DISTANCE_SYSTEM_CACHE] = "system cache",
		[SPE_DISTANCE_PEER_CLUSTER] = "peer cluster",
		[SPE_DISTANCE_MEMORY] = "memory",
		[SPE_DISTANCE_REMOTE] = "remote",
		[SPE_DISTANCE_REMOTE_MEMORY] = "remote memory",
		[SPE_DISTANCE_DEVICE] = "device",
	};
	return names[distance];
}
