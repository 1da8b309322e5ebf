// SPDX-License-Identifier: Apache-2.0

#include "driver/core/uncore/dsu.h"

#include "driver/core/core.h"

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
