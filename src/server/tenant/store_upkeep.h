/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_STORE_UPKEEP_H
#define WPERF_SERVER_TENANT_STORE_UPKEEP_H

/** A thread that trims the stores of all tenants: when it starts, and every hour, unless the clock
 *  has jumped ahead (retention_clock.h). */

#include "base/error.h"
#include "server/tenant/tenants.h"

#include <stdint.h>
#include <stdio.h>

struct store_upkeep_config {
	struct tenants *tenants;
	uint64_t keep_ns, keep_hours_ns; /* windows, and sums of hours */
	struct server_metrics *metrics;
	FILE *log;
};

struct store_upkeep;

/** @ret: set only on success. */
struct error *store_upkeep_start(const struct store_upkeep_config *config,
				 struct store_upkeep **ret);

/** Waits for the store that it trims. Accepts NULL. */
void store_upkeep_stop(struct store_upkeep *upkeep);

#endif
