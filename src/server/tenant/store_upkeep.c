// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/store_upkeep.h"

#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "base/thread/thread.h"
#include "base/thread/wake_event.h"
#include "server/tenant/retention_clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

struct store_upkeep {
	struct store_upkeep_config config;
	struct retention_clock clock;
	struct wake_event stop;
	struct thread *thread;
};

static struct retention_instant store_upkeep_now(void)
{
	return (struct retention_instant){clock_ns(CLOCK_REALTIME), clock_ns(CLOCK_BOOTTIME)};
}

/** A store that cannot be read says nothing about the clock. */
static uint64_t store_upkeep_newest(const struct store_upkeep_config *config, uint64_t now_ns)
{
	struct tenant *tenant;
	uint64_t newest_ns = 0;
	for (size_t i = 0; (tenant = tenants_at(config->tenants, i)); i++) {
		uint64_t end_ns = 0;
		error_destroy(tenant_newest(tenant, now_ns, &end_ns));
		newest_ns = end_ns > newest_ns ? end_ns : newest_ns;
	}
	return newest_ns;
}

static void store_upkeep_log_held(const struct store_upkeep *upkeep, uint64_t hours)
{
	bool is_by_window = upkeep->clock.goes_by_window;
	// In one piece: other threads write lines, too.
	fprintf(upkeep->config.log,
		"wperf serve: %s %" PRIu64
		" h%s may be wrong: nothing is dropped for 24 h, or until it is right again\n",
		is_by_window ? "the newest window is" : "the clock has jumped ahead by", hours,
		is_by_window ? " old, so the clock" : ", so it");
}

static bool store_upkeep_may_drop(struct store_upkeep *upkeep, struct retention_instant now)
{
	bool was_held = upkeep->clock.is_held;
	uint64_t ahead_ns = 0;
	bool may_drop = retention_clock_permits(&upkeep->clock, now, &ahead_ns);
	atomic_store(&upkeep->config.metrics->is_retention_held, !may_drop);
	if (!may_drop && !was_held)
		store_upkeep_log_held(upkeep, ahead_ns / STORE_HOUR_NS);
	return may_drop;
}

static void store_upkeep_trim(struct store_upkeep *upkeep)
{
	const struct store_upkeep_config *config = &upkeep->config;
	const struct retention_instant now = store_upkeep_now();
	bool may_drop = store_upkeep_may_drop(upkeep, now);
	struct tenant *tenant;
	for (size_t i = 0; (tenant = tenants_at(config->tenants, i)); i++) {
		_cleanup_(error_destroyp) struct error *err =
			tenant_trim(tenant, now.wall_ns, may_drop ? config->keep_ns : UINT64_MAX,
				    may_drop ? config->keep_hours_ns : UINT64_MAX);
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
	const struct retention_instant now = store_upkeep_now();
	retention_clock_init(&upkeep->clock, store_upkeep_newest(&upkeep->config, now.wall_ns),
			     upkeep->config.keep_ns, now);
	do {
		store_upkeep_trim(upkeep);
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
