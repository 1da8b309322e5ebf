// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/store_upkeep.h"

#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "base/thread/thread.h"
#include "base/thread/wake_event.h"

#include <stdlib.h>

struct store_upkeep {
	struct store_upkeep_config config;
	struct wake_event stop;
	struct thread *thread;
};

static void store_upkeep_trim(const struct store_upkeep_config *config)
{
	struct tenant *tenant;
	for (size_t i = 0; (tenant = tenants_at(config->tenants, i)); i++) {
		_cleanup_(error_destroyp) struct error *err = tenant_trim(
			tenant, clock_ns(CLOCK_REALTIME), config->keep_ns, config->keep_hours_ns);
		if (err)
			fprintf(config->log, "wperf serve: cannot trim the store: %s\n",
				err->message);
	}
}

static void store_upkeep_run(void *data)
{
	struct store_upkeep *upkeep = data;
	enum interrupt_wake wake;
	struct error *err;
	do {
		store_upkeep_trim(&upkeep->config);
		err = interrupt_wait_with(-1, upkeep->stop.fd, STORE_HOUR_NS, &wake);
	} while (!err && wake == INTERRUPT_WAKE_TIMEOUT);
	error_destroy(err);
}

struct error *store_upkeep_start(const struct store_upkeep_config *config,
				 struct store_upkeep **ret)
{
	struct store_upkeep *upkeep = calloc(1, sizeof(*upkeep));
	if (!upkeep)
		return &error_no_memory;
	upkeep->config = *config;
	upkeep->stop = (struct wake_event)WAKE_EVENT_INIT;
	struct error *err = wake_event_init(&upkeep->stop);
	if (!err)
		err = thread_start("wperf-upkeep", store_upkeep_run, upkeep, &upkeep->thread);
	if (err) {
		store_upkeep_stop(upkeep);
		return err;
	}
	*ret = upkeep;
	return NULL;
}

void store_upkeep_stop(struct store_upkeep *upkeep)
{
	if (!upkeep)
		return;
	if (upkeep->thread)
		wake_event_set(&upkeep->stop);
	thread_join(upkeep->thread);
	wake_event_deinit(&upkeep->stop);
	free(upkeep);
}
