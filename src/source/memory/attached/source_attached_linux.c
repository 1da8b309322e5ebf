// SPDX-License-Identifier: Apache-2.0

#include "source/memory/attached/source_attached.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "catalog/linux/system_event.h"
#include "source/kernel_walk.h"
#include "source/memory/attached/attached_sampling.h"
#include "source/memory/memory_events.h"
#include "source/perf/perf_host.h"
#include "source/perf/perf_probe.h"
#include "source/perf/perf_round.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The events are those of a BPF program's output (PERF_COUNT_SW_BPF_OUTPUT): what a sample of them
// weighs is in config1, which the kernel does not look at. Events that need more than allocations
// are listed only so that they can be refused with a reason.

enum { DEFAULT_SLOWDOWN = 400, MOST_SLOWDOWN = 1000000 };

static const char setting_slowdown[] = "slowdown";

static const struct setting_rule settings[] = {
	{setting_slowdown, SETTING_NUMBER, 1, MOST_SLOWDOWN,
	 "refuse processes that would take more CPU time by more than so many percent (default: "
	 "400)"},
	{.key = NULL},
};

struct source_attached {
	struct source source;
	struct attached_sampling sampling;
	uint64_t max_percent;
	char start_note[256], end_note[192];
};

static struct attached_sampling *attached_of(struct source *source)
{
	return &((struct source_attached *)source)->sampling;
}

static struct error *source_attached_open(const struct source_settings *said, bool force_lock,
					  struct source **ret)
{
	struct source_attached *attached = calloc(1, sizeof(*attached));
	if (!attached)
		return &error_no_memory;
	attached->source.ops = &source_attached_ops;
	attached->sampling = (struct attached_sampling)ATTACHED_SAMPLING_INIT;
	attached->max_percent = source_settings_number(said, setting_slowdown, DEFAULT_SLOWDOWN);
	*ret = &attached->source;
	return NULL;
}

static void source_attached_close(struct source *source)
{
	attached_sampling_close(attached_of(source));
	free(source);
}

static struct error *source_attached_identify(const struct source_settings *said,
					      uint64_t *ret_midr)
{
	*ret_midr = perf_host_midr(0);
	return NULL;
}

static struct error *source_attached_describe(struct source *source, struct source_info *ret)
{
	struct host host = host_read();
	ret->num_cores = perf_host_num_cores();
	ret->counters_known = true;
	ret->counts_processes = true;
	ret->description = strdup("allocations of running processes, sampled by probes");
	return ret->description ? source_info_set_version(ret, host.release, "+memory-attach")
				: &error_no_memory;
}

#define ATTACHED_EVENT(name, title, text, measure, unit)                  \
	{                                                                 \
		MEMORY_EVENT(name, title, text, unit, PERF_TYPE_SOFTWARE, \
			     PERF_COUNT_SW_BPF_OUTPUT),                   \
			.config1 = (measure)                              \
	}

static struct error *source_attached_list_events(struct source *source, struct catalog *catalog,
						 struct string_builder *notes)
{
	static const char needs_start[] = "Only of programs that wperf starts.";
	static const struct system_event events[] = {
		ATTACHED_EVENT("alloc", "Bytes allocated",
			       "Bytes that the process allocates with malloc() and its kin, and "
			       "by anonymous mmap().",
			       MEMORY_BYTES, SYSTEM_EVENT_BYTES),
		ATTACHED_EVENT("alloc-count", "Allocations",
			       "How often the process allocates memory.", MEMORY_COUNT,
			       SYSTEM_EVENT_ALLOCATIONS),
		ATTACHED_EVENT("heap", "Bytes in use",
			       "Bytes that the process allocated since wperf attached to it, and "
			       "did not free until it ended, or wperf did.",
			       MEMORY_LIVE, SYSTEM_EVENT_BYTES),
		ATTACHED_EVENT("heap-count", "Blocks in use",
			       "Allocations of the process since wperf attached to it that it did "
			       "not free until it ended, or wperf did.",
			       MEMORY_BLOCKS, SYSTEM_EVENT_BLOCKS),
		ATTACHED_EVENT("heap-peak", "Bytes in use at the peak",
			       "Of the bytes that the process allocated since wperf attached to "
			       "it, those in use when most were.",
			       MEMORY_PEAK, SYSTEM_EVENT_BYTES),
		ATTACHED_EVENT("heap-at", "Bytes in use at a moment",
			       "Of the bytes that the process allocated since wperf attached to "
			       "it, those in use at the time of --at, or when wperf last got "
			       "SIGUSR2.",
			       MEMORY_MOMENT, SYSTEM_EVENT_BYTES),
		ATTACHED_EVENT("leak", "Bytes leaked", needs_start, MEMORY_LEAKED,
			       SYSTEM_EVENT_BYTES),
		ATTACHED_EVENT("alloc-temporary", "Bytes allocated for a moment",
			       "Bytes that the thread which allocated them freed before it had "
			       "allocated 16 KiB more.",
			       MEMORY_TEMPORARY, SYSTEM_EVENT_BYTES),
		ATTACHED_EVENT("touched", "Bytes touched", needs_start, MEMORY_TOUCHED,
			       SYSTEM_EVENT_BYTES),
	};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < ARRAY_SIZE(events); i++)
		err = system_event_append(catalog, &events[i]);
	return err;
}

static struct error *source_attached_probe(const struct source_settings *said, struct probe *ret)
{
	static const char ability[] = "allocations of running processes";
	uint32_t type;
	struct bpf_walker *walker = NULL;
	struct error *err = perf_probe_type(false, &type);
	if (!err)
		err = bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_ALLOCATIONS,
					&walker);
	bpf_walker_destroy(walker);
	struct error *told = err ? probe_add_error(ret, ability, err)
				 : probe_add_finding(ret, ability, PROBE_YES,
						     "by probes and a BPF program", NULL);
	error_destroy(err);
	return told;
}

static uint64_t source_attached_default_period(struct source *source, const struct event *event)
{
	return MEMORY_DEFAULT_PERIOD;
}

static struct error *source_attached_walk_open(struct source *source,
					       const struct kernel_walk_program *program)
{
	struct attached_sampling *attached = attached_of(source);
	attached_sampling_close(attached);
	return bpf_walker_create(program, BPF_WALKER_AT_ALLOCATIONS, &attached->walker);
}

static struct error *source_attached_walk(struct source *source, uint32_t pid,
					  const struct kernel_walk *walk)
{
	struct bpf_walker *walker = attached_of(source)->walker;
	return walker ? bpf_walker_set_walk(walker, pid, walk) : NULL;
}

static bool source_attached_find_copy(struct source *source, const struct object_copy_key *key,
				      struct object_copy *ret)
{
	const struct bpf_walker *walker = attached_of(source)->walker;
	return walker && bpf_walker_find_copy(walker, key, ret);
}

static struct error *source_attached_sample_open(struct source *source,
						 const struct sample_plan *plan)
{
	struct source_attached *attached = (struct source_attached *)source;
	return attached_sampling_open(&attached->sampling, plan, attached->max_percent);
}

static struct error *source_attached_sample_start(struct source *source)
{
	return attached_sampling_start(attached_of(source));
}

/** What happened before it is in the rings, and read by the round that follows. */
static struct error *source_attached_mark_moment(struct source *source)
{
	struct attached_sampling *attached = attached_of(source);
	attached->num_moments++;
	return perf_round_wait(&attached->sampling, 0, -1);
}

static struct error *source_attached_sample_stop(struct source *source)
{
	return attached_sampling_stop(attached_of(source));
}

static struct error *source_attached_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return perf_round_wait(&attached_of(source)->sampling, timeout_ns, fd);
}

static struct error *source_attached_sample_next(struct source *source, struct record *ret,
						 bool *ret_more)
{
	return attached_sampling_next(attached_of(source), ret, ret_more);
}

static void source_attached_sample_close(struct source *source)
{
	attached_sampling_close(attached_of(source));
}

static struct sample_totals source_attached_sample_totals(struct source *source)
{
	return attached_sampling_totals(attached_of(source));
}

static const struct perf_data_event *source_attached_sample_events(struct source *source,
								   size_t *ret_num)
{
	const struct perf_sampling *sampling = &attached_of(source)->sampling;
	*ret_num = sampling->num_events;
	return sampling->file_events;
}

static const char *source_attached_start_note(struct source *source)
{
	struct source_attached *attached = (struct source_attached *)source;
	const struct probe_cost *cost = &attached->sampling.cost;
	if (!attached->sampling.costly_allocator)
		return NULL;
	snprintf(attached->start_note, sizeof(attached->start_note),
		 "probes at %s: process %u calls it %.0f times a second, and needs about %.*f %% "
		 "more CPU time while it is recorded",
		 attached->sampling.costly_allocator, cost->pid, cost->calls_a_second,
		 cost->percent < 10 ? 1 : 0, cost->percent);
	return attached->start_note;
}

static const char *source_attached_format(struct source_attached *attached, const char *format,
					  uint64_t number)
{
	snprintf(attached->end_note, sizeof(attached->end_note), format, number);
	return attached->end_note;
}

static const char *source_attached_run_note(struct source *source, size_t n)
{
	struct source_attached *attached = (struct source_attached *)source;
	const struct attached_sampling *sampling = &attached->sampling;
	const struct bpf_allocations_losses losses = bpf_allocations_losses(sampling->allocations);
	if (n-- == 0)
		return "what allocates by itself, as Python does for small objects, is seen when "
		       "it takes memory for its arenas";
	if (sampling->sees_frees && n-- == 0)
		return "what was allocated before wperf attached is not known, and not in these "
		       "sums";
	if (losses.num_unseen && n-- == 0)
		return source_attached_format(attached,
					      "too many sampled blocks at once: %" PRIu64
					      " were not followed to their "
					      "end, and count as in use; use a larger period",
					      losses.num_unseen);
	if (losses.num_frees && n-- == 0)
		return source_attached_format(
			attached,
			"%" PRIu64 " frees were lost, as wperf was too slow: their blocks count as "
			"in use; use a larger period",
			losses.num_frees);
	if (attached_sampling_has(sampling, MEMORY_MOMENT) && !sampling->num_moments && n-- == 0)
		return "heap-at has no moment: the recording ended before --at, and no SIGUSR2 "
		       "came";
	if (sampling->num_not_followed && n-- == 0)
		return source_attached_format(
			attached,
			"%" PRIu64 " children were not sampled: they had ended, or were too many",
			sampling->num_not_followed);
	return NULL;
}

static const struct sample_ops attached_sample_ops = {
	.open = source_attached_sample_open,
	.default_period = source_attached_default_period,
	.start = source_attached_sample_start,
	.mark_moment = source_attached_mark_moment,
	.stop = source_attached_sample_stop,
	.wait = source_attached_sample_wait,
	.next = source_attached_sample_next,
	.close = source_attached_sample_close,
	.totals = source_attached_sample_totals,
	.events = source_attached_sample_events,
	.walk_open = source_attached_walk_open,
	.walk = source_attached_walk,
	.find_copy = source_attached_find_copy,
};

const struct source_ops source_attached_ops = {
	.traits =
		{
			.name = "memory-attach",
			.summary = "allocations of running processes, sampled by bytes by probes",
			.settings = settings,
			.own_events = memory_own_events,
			.is_of_running = true,
			.probes_allocators = true,
			.needs_callers = true,
		},
	.probe = source_attached_probe,
	.identify = source_attached_identify,
	.open = source_attached_open,
	.describe = source_attached_describe,
	.list_events = source_attached_list_events,
	.sample = &attached_sample_ops,
	.start_note = source_attached_start_note,
	.run_note = source_attached_run_note,
	.close = source_attached_close,
};
