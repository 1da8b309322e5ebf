// SPDX-License-Identifier: Apache-2.0

#include "source/sched/source_sched.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "catalog/linux/system_event.h"
#include "source/kernel_walk.h"
#include "source/perf/perf_host.h"
#include "source/sched/sched_sampling.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

// The event is that of a BPF program's output (PERF_COUNT_SW_BPF_OUTPUT).

enum { DEFAULT_PERIOD_NS = 1000000 };

struct source_sched {
	struct source source;
	struct sched_sampling sampling;
};

static const struct setting_rule settings[] = {{.key = NULL}};

static const char *const sched_events[] = {SAMPLE_RUN_QUEUE_EVENT, NULL};

static struct sched_sampling *sched_of(struct source *source)
{
	return &((struct source_sched *)source)->sampling;
}

static struct error *source_sched_open(const struct source_settings *said, bool force_lock,
				       struct source **ret)
{
	struct source_sched *sched = calloc(1, sizeof(*sched));
	if (!sched)
		return &error_no_memory;
	sched->source.ops = &source_sched_ops;
	sched->sampling = (struct sched_sampling)SCHED_SAMPLING_INIT;
	*ret = &sched->source;
	return NULL;
}

static void source_sched_close(struct source *source)
{
	sched_sampling_close(sched_of(source));
	free(source);
}

static struct error *source_sched_identify(const struct source_settings *said, uint64_t *ret_midr)
{
	*ret_midr = perf_host_midr(0);
	return NULL;
}

static struct error *source_sched_describe(struct source *source, struct source_info *ret)
{
	struct host host = host_read();
	ret->num_cores = perf_host_num_cores();
	ret->counters_known = true;
	ret->counts_processes = true;
	ret->description = strdup("waits in run queues, measured in the kernel");
	return ret->description ? source_info_set_version(ret, host.release, "+sched")
				: &error_no_memory;
}

static struct error *source_sched_list_events(struct source *source, struct catalog *catalog,
					      struct string_builder *notes)
{
	static const struct system_event event = {
		.event = {.name = SAMPLE_RUN_QUEUE_EVENT,
			  .title = "Ready without running",
			  .description = "Nanoseconds that threads are ready to run and wait for "
					 "a CPU. Its period is a number of nanoseconds.",
			  .event_class = EVENT_PERF,
			  .code = PERF_COUNT_SW_BPF_OUTPUT},
		.type = PERF_TYPE_SOFTWARE,
		.kind = "Scheduler event",
		.unit = SYSTEM_EVENT_NANOSECONDS,
		.scale = 1,
	};
	return system_event_append(catalog, &event);
}

static struct error *source_sched_probe(const struct source_settings *said, struct probe *ret)
{
	static const char ability[] = "run queues";
	struct bpf_walker *walker = NULL;
	struct error *err =
		bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_SWITCHES, &walker);
	bpf_walker_destroy(walker);
	struct error *told =
		err ? probe_add_error(ret, ability, err)
		    : probe_add_finding(ret, ability, PROBE_YES,
					"measured by BPF programs at the scheduler", NULL);
	error_destroy(err);
	return told;
}

static uint64_t source_sched_default_period(struct source *source, const struct event *event)
{
	return DEFAULT_PERIOD_NS;
}

static struct error *source_sched_walk_open(struct source *source,
					    const struct kernel_walk_program *program)
{
	struct sched_sampling *sched = sched_of(source);
	sched_sampling_close(sched);
	return bpf_walker_create(program, BPF_WALKER_AT_SWITCHES, &sched->walker);
}

static struct error *source_sched_walk(struct source *source, uint32_t pid,
				       const struct kernel_walk *walk)
{
	struct bpf_walker *walker = sched_of(source)->walker;
	return walker ? bpf_walker_set_walk(walker, pid, walk) : NULL;
}

static bool source_sched_find_copy(struct source *source, const struct object_copy_key *key,
				   struct object_copy *ret)
{
	const struct bpf_walker *walker = sched_of(source)->walker;
	return walker && bpf_walker_find_copy(walker, key, ret);
}

static struct error *source_sched_sample_open(struct source *source, const struct sample_plan *plan)
{
	return sched_sampling_open(sched_of(source), plan);
}

static struct error *source_sched_sample_start(struct source *source)
{
	return sched_sampling_start(sched_of(source));
}

static struct error *source_sched_sample_stop(struct source *source)
{
	return sched_sampling_stop(sched_of(source));
}

static struct error *source_sched_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return sched_sampling_wait(sched_of(source), timeout_ns, fd);
}

static struct error *source_sched_sample_next(struct source *source, struct record *ret,
					      bool *ret_more)
{
	return sched_sampling_next(sched_of(source), ret, ret_more);
}

static void source_sched_sample_close(struct source *source)
{
	sched_sampling_close(sched_of(source));
}

static struct sample_totals source_sched_sample_totals(struct source *source)
{
	return sched_sampling_totals(sched_of(source));
}

static const struct perf_data_event *source_sched_sample_events(struct source *source,
								size_t *ret_num)
{
	const struct perf_sampling *sampling = &sched_of(source)->sampling;
	*ret_num = sampling->num_events;
	return sampling->file_events;
}

static struct error *source_sched_read(struct source *source, struct run_queue *ret)
{
	return sched_sampling_read(sched_of(source), ret);
}

static const struct sample_ops sched_sample_ops = {
	.open = source_sched_sample_open,
	.default_period = source_sched_default_period,
	.start = source_sched_sample_start,
	.stop = source_sched_sample_stop,
	.wait = source_sched_sample_wait,
	.next = source_sched_sample_next,
	.close = source_sched_sample_close,
	.totals = source_sched_sample_totals,
	.events = source_sched_sample_events,
	.walk_open = source_sched_walk_open,
	.walk = source_sched_walk,
	.find_copy = source_sched_find_copy,
};

const struct source_ops source_sched_ops = {
	.traits =
		{
			.name = "sched",
			.summary = "how long threads are ready before they run, measured in the "
				   "kernel",
			.settings = settings,
			.own_events = sched_events,
			.needs_callers = true,
		},
	.probe = source_sched_probe,
	.identify = source_sched_identify,
	.open = source_sched_open,
	.describe = source_sched_describe,
	.list_events = source_sched_list_events,
	.sample = &sched_sample_ops,
	.read_run_queue = source_sched_read,
	.close = source_sched_close,
};
