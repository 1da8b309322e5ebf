// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/sim_machine.h"

void sim_config_add_event(struct sim_config *config, uint64_t event)
{
	if (event < 64)
		config->common_events |= UINT64_C(1) << event;
	else if (event >= 0x4000 && event < 0x4000 + 64)
		config->extended_events |= UINT64_C(1) << (event - 0x4000);
}

enum { DEFAULT_MHZ = 2500 };

unsigned sim_cluster_size(const struct sim_config *config)
{
	return config->dsu_clusters ? config->num_cores / config->dsu_clusters : 0;
}

unsigned sim_mhz(const struct sim_config *config)
{
	return config->mhz ? config->mhz : DEFAULT_MHZ;
}
