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

enum { DEFAULT_TOUCHED_PERIOD = 64 << 10 };

/** Of events that the kernel does not know. */
#define NO_KERNEL_TYPE UINT32_MAX

#define LISTED(name, title, measure, unit, text) \
	MEMORY_EVENT(name, title, text, unit, NO_KERNEL_TYPE, measure)

static const struct setting_rule settings[] = {{.key = NULL}};

struct source_memory {
	struct source source;
	struct memory_sampling sampling;
	char **environment;
	const struct kernel_walk_program *walk_program; /* for page faults; or NULL */
	bool chooses_period;                            /* the user did not */
	char note[256];
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

static const struct system_event listed_events[] = {
	{LISTED("alloc", "Bytes allocated", MEMORY_BYTES, SYSTEM_EVENT_BYTES,
		"Bytes that the program allocated: malloc() and its kin, anonymous mmap(), and "
		"CPython's objects.")},
	{LISTED("alloc-count", "Allocations", MEMORY_COUNT, SYSTEM_EVENT_ALLOCATIONS,
		"How often the program allocated memory.")},
	{LISTED("heap", "Bytes in use", MEMORY_LIVE, SYSTEM_EVENT_BYTES,
		"Bytes that the program allocated and did not free until it ended, or wperf did.")},
	{LISTED("heap-count", "Blocks in use", MEMORY_BLOCKS, SYSTEM_EVENT_BLOCKS,
		"Allocations that the program did not free until it ended, or wperf did.")},
	{LISTED("heap-peak", "Bytes in use at the peak", MEMORY_PEAK, SYSTEM_EVENT_BYTES,
		"Bytes that the program had in use when it had most.")},
	{LISTED("touched", "Bytes touched", MEMORY_TOUCHED, SYSTEM_EVENT_BYTES,
		"Pages that the program touched for the first time: page faults, in bytes. Beside "
		"the other events of memory."),
	 .alias = "page-faults"},
	{LISTED("heap-at", "Bytes in use at a moment", MEMORY_MOMENT, SYSTEM_EVENT_BYTES,
		"Bytes that the program had in use at the time of --at, or when wperf last got "
		"SIGUSR2.")},
	{LISTED("leak", "Bytes leaked", MEMORY_LEAKED, SYSTEM_EVENT_BYTES,
		"Bytes that the program did not free, and that nothing in its memory points to "
		"when it ends.")},
	{LISTED("alloc-temporary", "Bytes allocated for a moment", MEMORY_TEMPORARY,
		SYSTEM_EVENT_BYTES,
		"Bytes that the thread which allocated them freed before it had allocated 16 KiB "
		"more.")},
};

static struct error *source_memory_list_events(struct source *source, struct catalog *catalog,
					       struct string_builder *notes)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < ARRAY_SIZE(listed_events); i++)
		err = system_event_append(catalog, &listed_events[i]);
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

/** Each thread waits until its sample has been taken; the program is for page faults. */
static struct error *source_memory_walk_open(struct source *source,
					     const struct kernel_walk_program *program)
{
	source_memory_of(source)->walk_program = program;
	return NULL;
}

static struct error *source_memory_walk(struct source *source, uint32_t pid,
					const struct kernel_walk *walk)
{
	return touched_pages_walk(&source_memory_of(source)->sampling.touched, pid, walk);
}

static bool source_memory_find_copy(struct source *source, const struct object_copy_key *key,
				    struct object_copy *ret)
{
	return touched_pages_find_copy(&source_memory_of(source)->sampling.touched, key, ret);
}

static uint64_t source_memory_default_period(struct source *source, const struct event *event)
{
	if (event->code == MEMORY_TOUCHED)
		return DEFAULT_TOUCHED_PERIOD;
	source_memory_of(source)->chooses_period = true;
	return MEMORY_DEFAULT_PERIOD;
}

static struct error *source_memory_sample_open(struct source *source,
					       const struct sample_plan *plan)
{
	struct source_memory *memory = source_memory_of(source);
	return memory_sampling_open(&memory->sampling, plan, memory->walk_program,
				    memory->chooses_period);
}

static struct error *source_memory_sample_start(struct source *source)
{
	struct memory_sampling *sampling = &source_memory_of(source)->sampling;
	memory_slots_enable(&sampling->slots);
	return touched_pages_start(&sampling->touched);
}

static struct error *source_memory_mark_moment(struct source *source)
{
	return memory_sampling_mark_moment(&source_memory_of(source)->sampling);
}

static struct error *source_memory_sample_stop(struct source *source)
{
	struct memory_sampling *sampling = &source_memory_of(source)->sampling;
	struct error *err = memory_sampling_stop(sampling);
	return err ? err : touched_pages_stop(&sampling->touched);
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
	uint64_t num_unseen = region->num_unseen;
	if (num_unseen && n-- == 0) {
		snprintf(memory->note, sizeof(memory->note),
			 "too many sampled blocks at once: %" PRIu64
			 " were not followed to their end, and count as in use; use a larger "
			 "period",
			 num_unseen);
		return memory->note;
	}
	const struct memory_sampling *sampling = &memory->sampling;
	bool lacks_moment = memory_sampling_has(sampling, MEMORY_MOMENT) && !sampling->num_moments;
	if (lacks_moment && n-- == 0)
		return "heap-at has no moment: the program ended before --at, and no SIGUSR2 came";
	if (sampling->num_unsearched && n-- == 0) {
		const struct error *why = sampling->search_error;
		snprintf(memory->note, sizeof(memory->note),
			 "%" PRIu64 " of %zu processes were not searched for leaks: %s",
			 sampling->num_unsearched, sampling->known.num_processes,
			 why ? why->message : "they did not end by exit()");
		return memory->note;
	}
	if (sampling->num_missed && n-- == 0) {
		snprintf(memory->note, sizeof(memory->note),
			 "searches for leaks at a moment that failed: %" PRIu64 "; the first: %s",
			 sampling->num_missed, sampling->missed_error->message);
		return memory->note;
	}
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

static const char *const more_events[] = {"page-faults", NULL};

static const struct sample_ops memory_sample_ops = {
	.open = source_memory_sample_open,
	.default_period = source_memory_default_period,
	.start = source_memory_sample_start,
	.mark_moment = source_memory_mark_moment,
	.stop = source_memory_sample_stop,
	.wait = source_memory_sample_wait,
	.next = source_memory_sample_next,
	.close = source_memory_sample_close,
	.totals = source_memory_sample_totals,
	.events = source_memory_sample_events,
	.walk_open = source_memory_walk_open,
	.walk = source_memory_walk,
	.find_copy = source_memory_find_copy,
	.holds_most = true,
};

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
	.describe = source_memory_describe,
	.list_events = source_memory_list_events,
	.environment = source_memory_environment,
	.sample = &memory_sample_ops,
	.run_note = source_memory_run_note,
	.close = source_memory_close,
};
