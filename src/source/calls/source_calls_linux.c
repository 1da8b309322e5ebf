// SPDX-License-Identifier: Apache-2.0

#include "source/calls/source_calls.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "catalog/linux/system_event.h"
#include "source/calls/call_sampling.h"
#include "source/kernel_walk.h"
#include "source/perf/perf_host.h"
#include "source/perf/perf_round.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

// The events are those of a BPF program's output (PERF_COUNT_SW_BPF_OUTPUT): what a sample of them
// weighs is in config1, which the kernel does not look at.

struct source_calls {
	struct source source;
	struct call_sampling sampling;
};

static const struct setting_rule settings[] = {{.key = NULL}};

static const char *const call_events[] = {"syscalls", "syscall-time", "syscall-wait",
					  "syscall-wake", NULL};

static struct call_sampling *calls_of(struct source *source)
{
	return &((struct source_calls *)source)->sampling;
}

static struct error *source_calls_open(const struct source_settings *said, bool force_lock,
				       struct source **ret)
{
	struct source_calls *calls = calloc(1, sizeof(*calls));
	if (!calls)
		return &error_no_memory;
	calls->source.ops = &source_calls_ops;
	calls->sampling.sampling = (struct perf_sampling)PERF_SAMPLING_INIT;
	*ret = &calls->source;
	return NULL;
}

static void source_calls_close(struct source *source)
{
	call_sampling_close(calls_of(source));
	free(source);
}

static struct error *source_calls_identify(const struct source_settings *said, uint64_t *ret_midr)
{
	*ret_midr = perf_host_midr(0);
	return NULL;
}

static struct error *source_calls_describe(struct source *source, struct source_info *ret)
{
	struct host host = host_read();
	ret->num_cores = perf_host_num_cores();
	ret->counters_known = true;
	ret->counts_processes = true;
	ret->description = strdup("system calls of processes, counted in the kernel");
	return ret->description ? source_info_set_version(ret, host.release, "+calls")
				: &error_no_memory;
}

#define CALL_EVENT(event_name, event_title, text, measure, event_unit)                         \
	{                                                                                      \
		.event = {.name = (event_name),                                                \
			  .title = (event_title),                                              \
			  .description = (text),                                               \
			  .event_class = EVENT_PERF,                                           \
			  .code = PERF_COUNT_SW_BPF_OUTPUT},                                   \
		.type = PERF_TYPE_SOFTWARE, .kind = "System call event", .unit = (event_unit), \
		.scale = 1, .config1 = (measure)                                               \
	}

static struct error *source_calls_list_events(struct source *source, struct catalog *catalog,
					      struct string_builder *notes)
{
	static const struct system_event events[] = {
		CALL_EVENT("syscalls", "System calls", "How often the process calls the kernel.",
			   CALL_MEASURE_COUNT, SYSTEM_EVENT_CALLS),
		CALL_EVENT("syscall-time", "Time in system calls",
			   "Nanoseconds from the begin of a system call to its end.",
			   CALL_MEASURE_TIME, SYSTEM_EVENT_NANOSECONDS),
		CALL_EVENT(
			"syscall-wait", "Waiting in system calls",
			"Nanoseconds that threads are off their CPU in system calls, because they "
			"wait there.",
			CALL_MEASURE_WAIT, SYSTEM_EVENT_NANOSECONDS),
		CALL_EVENT("syscall-wake", "Waits that system calls end",
			   "Nanoseconds that other threads waited in system calls, until this "
			   "thread woke them.",
			   CALL_MEASURE_WAKE, SYSTEM_EVENT_NANOSECONDS),
	};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < ARRAY_SIZE(events); i++)
		err = system_event_append(catalog, &events[i]);
	return err;
}

static struct error *source_calls_probe(const struct source_settings *said, struct probe *ret)
{
	static const char ability[] = "system calls";
	struct bpf_walker *walker = NULL;
	struct error *err =
		bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_CALLS, &walker);
	bpf_walker_destroy(walker);
	struct error *told = err ? probe_add_error(ret, ability, err)
				 : probe_add_finding(ret, ability, PROBE_YES,
						     "counted by BPF programs at sys_enter and "
						     "sys_exit",
						     NULL);
	error_destroy(err);
	return told;
}

static uint64_t source_calls_default_period(struct source *source, const struct event *event)
{
	return 1;
}

static struct error *source_calls_walk_open(struct source *source,
					    const struct kernel_walk_program *program)
{
	struct call_sampling *calls = calls_of(source);
	call_sampling_close(calls);
	return bpf_walker_create(program, BPF_WALKER_AT_CALLS, &calls->walker);
}

static struct error *source_calls_walk(struct source *source, uint32_t pid,
				       const struct kernel_walk *walk)
{
	struct bpf_walker *walker = calls_of(source)->walker;
	return walker ? bpf_walker_set_walk(walker, pid, walk) : NULL;
}

static struct error *source_calls_sample_open(struct source *source, const struct sample_plan *plan)
{
	return call_sampling_open(calls_of(source), plan);
}

static struct error *source_calls_sample_start(struct source *source)
{
	return call_sampling_start(calls_of(source));
}

static struct error *source_calls_sample_stop(struct source *source)
{
	return call_sampling_stop(calls_of(source));
}

static struct error *source_calls_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return perf_round_wait(&calls_of(source)->sampling, timeout_ns, fd);
}

static struct error *source_calls_sample_next(struct source *source, struct record *ret,
					      bool *ret_more)
{
	return call_sampling_next(calls_of(source), ret, ret_more);
}

static void source_calls_sample_close(struct source *source)
{
	call_sampling_close(calls_of(source));
}

static struct sample_totals source_calls_sample_totals(struct source *source)
{
	return call_sampling_totals(calls_of(source));
}

static const struct sample_symbol *source_calls_symbols(struct source *source, size_t *ret_num)
{
	return call_frames_symbols(&calls_of(source)->frames, ret_num);
}

static struct error *source_calls_read(struct source *source, struct call_table *ret)
{
	return call_sampling_read(calls_of(source), ret);
}

static const struct sample_ops call_sample_ops = {
	.open = source_calls_sample_open,
	.default_period = source_calls_default_period,
	.start = source_calls_sample_start,
	.stop = source_calls_sample_stop,
	.wait = source_calls_sample_wait,
	.next = source_calls_sample_next,
	.close = source_calls_sample_close,
	.totals = source_calls_sample_totals,
	.symbols = source_calls_symbols,
	.walk_open = source_calls_walk_open,
	.walk = source_calls_walk,
};

const struct source_ops source_calls_ops = {
	.traits =
		{
			.name = "calls",
			.summary = "system calls of processes, counted and sampled in the kernel",
			.settings = settings,
			.own_events = call_events,
			.needs_callers = true,
		},
	.probe = source_calls_probe,
	.identify = source_calls_identify,
	.open = source_calls_open,
	.describe = source_calls_describe,
	.list_events = source_calls_list_events,
	.sample = &call_sample_ops,
	.read_calls = source_calls_read,
	.close = source_calls_close,
};
