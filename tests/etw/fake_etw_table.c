// SPDX-License-Identifier: Apache-2.0
// The sources of Windows, on a computer that has no driver.

#include "source/etw/source_etw.h"
#include "source/sim/source_sim.h"
#include "source/source.h"
#include "source/timer/source_timer.h"

static const struct setting_rule no_settings[] = {{.key = NULL}};

static struct error *no_driver(void)
{
	return error_create(ERROR_ABSENT, "error: No active device interfaces found.");
}

static struct error *no_driver_open(const struct source_settings *said, bool force_lock,
				    struct source **ret)
{
	return no_driver();
}

static struct error *no_driver_probe(const struct source_settings *said, struct probe *ret)
{
	_cleanup_(error_destroyp) struct error *err = no_driver();
	return probe_add_error(ret, "counting and sampling", err);
}

static struct error *no_driver_identify(const struct source_settings *said, uint64_t *ret_midr)
{
	*ret_midr = 0;
	return NULL;
}

static const struct sample_ops no_driver_sample_ops = {.check = no_driver};

static const struct source_ops no_driver_ops = {
	.traits = {.name = "driver", .summary = "there is none", .settings = no_settings},
	.probe = no_driver_probe,
	.identify = no_driver_identify,
	.open = no_driver_open,
	.sample = &no_driver_sample_ops,
};

const struct source_ops *const all_sources[] = {
	&no_driver_ops, &source_etw_ops, &source_timer_ops, &source_sim_ops, NULL,
};
