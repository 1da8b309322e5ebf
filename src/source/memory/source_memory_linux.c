// SPDX-License-Identifier: Apache-2.0

#include "source/memory/source_memory.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "catalog/linux/system_event.h"
#include "source/memory/memory_events.h"
#include "source/memory/memory_sampling.h"
#include "source/memory/preloading.h"
#include "source/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A library that wperf has preloaded into the program (preload/) samples its allocations, and
// shares memory with us. environment() creates this memory, and the environment by which the
// program finds both; the rest is in memory_sampling.c.

/** Of events that the kernel does not know. */
#define NO_KERNEL_TYPE UINT32_MAX

static const struct setting_rule settings[] = {{.key = NULL}};

struct source_memory {
	struct source source;
	struct memory_sampling sampling;
	char **environment;
	char note[128];
};

static struct source_memory *source_memory_of(struct source *source)
{
	return (struct source_memory *)source;
}

static struct error *source_memory_open(const struct source_settings *said, bool force_lock,
					struct source **ret)
{
	struct source_memory *memory = calloc(1, sizeof(*memory));
	if (!memory)
		return &error_no_memory;
	memory->source.ops = &source_memory_ops;
	memory->sampling = (struct memory_sampling)MEMORY_SAMPLING_INIT;
	*ret = &memory->source;
	return NULL;
}

static void source_memory_close(struct source *source)
{
	struct source_memory *memory = source_memory_of(source);
	memory_sampling_close(&memory->sampling);
	preloading_free_environment(memory->environment);
	free(memory);
}

static struct error *source_memory_identify(const struct source_settings *said, uint64_t *ret_midr)
{
	struct host host = host_read();
	*ret_midr = strtoull(host.cpu_id, NULL, 16);
	return NULL;
}

static struct error *source_memory_describe(struct source *source, struct source_info *ret)
{
	struct host host = host_read();
	ret->num_cores = host.cpus_online;
	ret->counters_known = true;
	ret->counts_processes = true;
	ret->description = strdup("allocations, sampled from inside the program");
	return ret->description ? source_info_set_version(ret, host.release, "+memory")
				: &error_no_memory;
}

static struct error *source_memory_list_events(struct source *source, struct catalog *catalog,
					       struct string_builder *notes)
{
	static const struct system_event events[] = {
		{
			.event = {.name = "alloc",
				  .title = "Bytes allocated",
				  .description =
					  "Bytes that the program allocated: malloc() and "
					  "its kin, anonymous mmap(), and CPython's objects.",
				  .event_class = EVENT_PERF,
				  .code = MEMORY_BYTES},
			.type = NO_KERNEL_TYPE,
			.kind = "Memory event",
			.unit = SYSTEM_EVENT_BYTES,
			.scale = 1,
			.by_bytes = true,
		},
		{
			.event = {.name = "alloc-count",
				  .title = "Allocations",
				  .description = "How often the program allocated memory.",
				  .event_class = EVENT_PERF,
				  .code = MEMORY_COUNT},
			.type = NO_KERNEL_TYPE,
			.kind = "Memory event",
			.scale = 1,
			.by_bytes = true,
		},
		{
			.event = {.name = "heap",
				  .title = "Bytes in use",
				  .description =
					  "Bytes that the program allocated and did not free "
					  "until it ended, or wperf did.",
				  .event_class = EVENT_PERF,
				  .code = MEMORY_LIVE},
			.type = NO_KERNEL_TYPE,
			.kind = "Memory event",
			.unit = SYSTEM_EVENT_BYTES,
			.scale = 1,
			.by_bytes = true,
		},
		{
			.event = {.name = "heap-peak",
				  .title = "Bytes in use at the peak",
				  .description =
					  "Bytes that the program had in use when it had most.",
				  .event_class = EVENT_PERF,
				  .code = MEMORY_PEAK},
			.type = NO_KERNEL_TYPE,
			.kind = "Memory event",
			.unit = SYSTEM_EVENT_BYTES,
			.scale = 1,
			.by_bytes = true,
		},
	};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < ARRAY_SIZE(events); i++)
		err = system_event_append(catalog, &events[i]);
	return err;
}

static struct error *source_memory_probe(const struct source_settings *said, struct probe *ret)
{
	char path[PATH_MAX];
	_cleanup_(error_destroyp) struct error *err = preloading_find(path);
	return err ? probe_add_error(ret, "allocations", err)
		   : probe_add_finding(ret, "allocations", PROBE_YES, path, NULL);
}

static struct error *source_memory_environment(struct source *source, const char *program,
					       char *const **ret)
{
	struct source_memory *memory = source_memory_of(source);
	char library[PATH_MAX], region[64];
	struct error *err = preloading_find(library);
	if (!err && program)
		err = preloading_check(program);
	if (!err)
		err = memory_sampling_prepare(&memory->sampling);
	if (err)
		return err;
	memory_slots_path(&memory->sampling.slots, region, sizeof(region));
	preloading_free_environment(memory->environment);
	memory->environment = NULL;
	err = preloading_environment(library, region, &memory->environment);
	if (!err)
		*ret = memory->environment;
	return err;
}

/** Each thread waits until its sample has been taken. */
static struct error *source_memory_walk_open(struct source *source,
					     const struct kernel_walk_program *program)
{
	return NULL;
}

static uint64_t source_memory_default_period(struct source *source, const struct event *event)
{
	return MEMORY_DEFAULT_PERIOD;
}

static struct error *source_memory_sample_open(struct source *source,
					       const struct sample_plan *plan)
{
	return memory_sampling_open(&source_memory_of(source)->sampling, plan);
}

static struct error *source_memory_sample_start(struct source *source)
{
	memory_slots_enable(&source_memory_of(source)->sampling.slots);
	return NULL;
}

static struct error *source_memory_sample_stop(struct source *source)
{
	memory_slots_close(&source_memory_of(source)->sampling.slots);
	return NULL;
}

static struct error *source_memory_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return memory_sampling_wait(&source_memory_of(source)->sampling, timeout_ns, fd);
}

static struct error *source_memory_sample_next(struct source *source, struct record *ret,
					       bool *ret_more)
{
	return memory_sampling_next(&source_memory_of(source)->sampling, ret, ret_more);
}

static void source_memory_sample_close(struct source *source)
{
	memory_sampling_close(&source_memory_of(source)->sampling);
}

static struct sample_totals source_memory_sample_totals(struct source *source)
{
	return memory_sampling_totals(&source_memory_of(source)->sampling);
}

static const struct perf_data_event *source_memory_sample_events(struct source *source,
								 size_t *ret_num)
{
	const struct memory_sampling *sampling = &source_memory_of(source)->sampling;
	*ret_num = sampling->num_events;
	return sampling->events;
}

static const char *source_memory_run_note(struct source *source, size_t n)
{
	struct source_memory *memory = source_memory_of(source);
	const struct memory_region *region = memory->sampling.slots.region;
	if (!region)
		return NULL;
	if (region->has_own_malloc && n-- == 0)
		return "a program has a malloc of its own: its allocations were not sampled";
	if (region->num_unseen && n-- == 0)
		return "too many sampled blocks at once: some were not followed to their end";
	uint64_t num_hasty = region->holds ? region->num_hasty : 0;
	if (num_hasty && n-- == 0) {
		snprintf(memory->note, sizeof(memory->note),
			 "%" PRIu64 " samples waited too long for wperf: some have no interpreted "
			 "frames",
			 num_hasty);
		return memory->note;
	}
	return NULL;
}

static const char *const own_events[] = {"alloc", "alloc-count", "heap", "heap-peak", NULL};

static const struct sample_ops memory_sample_ops = {
	.open = source_memory_sample_open,
	.default_period = source_memory_default_period,
	.start = source_memory_sample_start,
	.stop = source_memory_sample_stop,
	.wait = source_memory_sample_wait,
	.next = source_memory_sample_next,
	.close = source_memory_sample_close,
	.totals = source_memory_sample_totals,
	.events = source_memory_sample_events,
	.walk_open = source_memory_walk_open,
};

const struct source_ops source_memory_ops = {
	.traits =
		{
			.name = "memory",
			.summary = "allocations of a program, sampled by bytes from inside it",
			.settings = settings,
			.own_events = own_events,
			.needs_callers = true,
		},
	.probe = source_memory_probe,
	.identify = source_memory_identify,
	.open = source_memory_open,
	.describe = source_memory_describe,
	.list_events = source_memory_list_events,
	.environment = source_memory_environment,
	.sample = &memory_sample_ops,
	.run_note = source_memory_run_note,
	.close = source_memory_close,
};
