// SPDX-License-Identifier: Apache-2.0

#include "source/memory/source_memory.h"

#include "source/memory/memory_events.h"
#include "source/source.h"

// Windows has no LD_PRELOAD, by which the library gets into the program: the source is there to say
// so, and where it works.

static struct error *source_memory_refuse(void)
{
	return error_with_hint(error_create(ERROR_ABSENT, "allocations are sampled on Linux only"),
			       "leave out the event; 'wperf list' shows those of this machine");
}

static struct error *source_memory_open(const struct source_settings *said, bool force_lock,
					struct source **ret)
{
	return source_memory_refuse();
}

static struct error *source_memory_identify(const struct source_settings *said, uint64_t *ret_midr)
{
	return source_memory_refuse();
}

static struct error *source_memory_probe(const struct source_settings *said, struct probe *ret)
{
	_cleanup_(error_destroyp) struct error *err = source_memory_refuse();
	return probe_add_error(ret, "allocations", err);
}

static const struct setting_rule settings[] = {{.key = NULL}};

static const char *const more_events[] = {"page-faults", NULL};

// All else needs an open source.
const struct source_ops source_memory_ops = {
	.traits =
		{
			.name = "memory",
			.summary = "allocations of a program, sampled by bytes from inside it",
			.settings = settings,
			.own_events = memory_own_events,
			.more_events = more_events,
			.needs_callers = true,
		},
	.probe = source_memory_probe,
	.identify = source_memory_identify,
	.open = source_memory_open,
};
