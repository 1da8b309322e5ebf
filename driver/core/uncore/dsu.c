// SPDX-License-Identifier: Apache-2.0

#include "driver/core/uncore/dsu.h"

#include "driver/core/core.h"
#include "driver/include/wperf_driver.h"

unsigned driver_dsu_cpu(const struct driver_core *core, unsigned cluster)
{
	return cluster * core->config.dsu_cluster_size;
}

bool driver_dsu_find_cluster(const struct driver_core *core, unsigned cpu, unsigned *ret_cluster)
{
	if (core->config.dsu_clusters == 0 ||
	    cpu / core->config.dsu_cluster_size >= core->config.dsu_clusters)
		return false;
	*ret_cluster = cpu / core->config.dsu_cluster_size;
	return true;
}

// Of the cluster that has least: events are put on the same counters of all clusters.
unsigned driver_dsu_count_counters(const struct driver_core *core)
{
	unsigned num_counters = core->config.dsu_clusters ? DRIVER_MAX_EVENT_COUNTERS : 0;
	for (unsigned cluster = 0; cluster < core->config.dsu_clusters; cluster++) {
		uint64_t pmcr = driver_registers_fetch(
			&core->registers, driver_dsu_cpu(core, cluster), DRIVER_CLUSTERPMCR_EL1);
		unsigned n = driver_register_num_counters(pmcr);
		if (n < num_counters)
			num_counters = n;
	}
	return num_counters;
}

enum driver_status driver_dsu_handle_init(struct driver_core *core, struct driver_call *call)
{
	struct wperf_dsu_topology topology;
	memcpy(&topology, call->unsafe_in, sizeof(topology));
	const struct driver_config *config = &core->config;
	if (config->dsu_clusters == 0)
		return DRIVER_NOT_SUPPORTED;
	// A client that sees other clusters would give counts to the wrong cores.
	if (topology.cluster_num != config->dsu_clusters ||
	    topology.cluster_size != config->dsu_cluster_size)
		return DRIVER_INVALID_PARAMETER;
	struct wperf_dsu_cfg dsu_cfg = {.fpc_num = 1,
					.gpc_num = (uint8_t)driver_dsu_count_counters(core)};
	return driver_call_reply(call, &dsu_cfg, sizeof(dsu_cfg));
}
