// SPDX-License-Identifier: Apache-2.0

#include "source/timer/source_timer.h"

#include "base/os/host.h"
#include "catalog/linux/system_events.h"
#include "record/perf_data/event_attr.h"
#include "source/source.h"
#include "source/timer/timer_sampling.h"

#include <stdlib.h>
#include <string.h>

// Sampling without perf events: by looking at threads on a timer (timer_sampling.c). It cannot
// count, has one event and takes no settings; everything that differs between the systems is in
// timer_look_linux.c and timer_look_win.c. traits.looks_by_time says that a sample stands for the
// time since the last look, and not for a number of events.

static const struct setting_rule settings[] = {{.key = NULL}};

struct source_timer {
	struct source source;
	struct timer_sampling sampling;
};

static struct timer_sampling *source_timer_sampling_of(struct source *source)
{
	return &((struct source_timer *)source)->sampling;
}

static struct error *open_timer(const struct source_settings *said, bool force_lock,
				struct source **ret)
{
	struct source_timer *timer = calloc(1, sizeof(*timer));
	if (!timer)
		return &error_no_memory;
	timer->source.ops = &source_timer_ops;
	*ret = &timer->source;
	return NULL;
}

static void close_timer(struct source *source)
{
	timer_sampling_close(source_timer_sampling_of(source));
	free(source);
}

static struct error *identify_timer(const struct source_settings *said, uint64_t *ret_midr)
{
	struct host host = host_read();
	*ret_midr = strtoull(host.cpu_id, NULL, 16);
	return NULL;
}

static struct error *source_timer_describe(struct source *source, struct source_info *ret)
{
	struct host host = host_read();
	ret->num_cores = host.cpus_online;
	ret->counters_known = true;
	ret->counts_processes = true;
	ret->max_frequency = TIMER_MOST_HZ;
	ret->description = strdup("threads, sampled on a timer");
	return ret->description ? source_info_set_version(ret, host.release, "+timer")
				: &error_no_memory;
}

/** Named as the kernel of Linux names it. */
static struct error *list_timer_events(struct source *source, struct catalog *catalog,
				       struct string_builder *notes)
{
	static const struct system_event clock = {
		.event = {.name = "cpu-clock",
			  .title = "Time on the CPU",
			  .description =
				  "Time that threads spent on a CPU, as the system counts it.",
			  .event_class = EVENT_PERF},
		.type = EVENT_ATTR_SOFTWARE,
		.kind = "Software event",
		.unit = "msec",
		// Nanoseconds as milliseconds.
		.scale = 1e-6,
	};
	string_builder_append(notes, "note: source timer samples only cpu-clock\n");
	return system_event_append(catalog, &clock);
}

/** No sample brings them; why it is not better is what keeps perf from being the source. */
static struct error *source_timer_walk_open(struct source *source,
					    const struct kernel_walk_program *program)
{
	struct error *err = timer_look_above();
	if (err)
		return err;
	return error_with_hint(error_create(ERROR_FAILED, "chosen with --source timer"),
			       "--source perf works here, too, and samples any event");
}

/** The interpreter has been found. Where nothing but its frames is seen, that is all. */
static struct error *source_timer_walk(struct source *source, uint32_t pid,
				       const struct kernel_walk *walk)
{
	if (walk && !timer_look_holds_threads())
		watched_tasks_complete(&source_timer_sampling_of(source)->tasks, pid);
	return NULL;
}

static struct error *source_timer_sample_open(struct source *source, const struct sample_plan *plan)
{
	timer_sampling_close(source_timer_sampling_of(source));
	return timer_sampling_open(source_timer_sampling_of(source), plan);
}

static struct error *source_timer_sample_start(struct source *source)
{
	timer_sampling_start(source_timer_sampling_of(source));
	return NULL;
}

static struct error *source_timer_sample_stop(struct source *source)
{
	timer_sampling_stop(source_timer_sampling_of(source));
	return NULL;
}

static struct error *source_timer_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return timer_sampling_wait(source_timer_sampling_of(source), timeout_ns, fd);
}

static struct error *source_timer_sample_next(struct source *source, struct record *ret,
					      bool *ret_more)
{
	return timer_sampling_next(source_timer_sampling_of(source), ret, ret_more);
}

static void source_timer_sample_close(struct source *source)
{
	timer_sampling_close(source_timer_sampling_of(source));
}

static bool source_timer_sample_wakeup(struct source *source, size_t n, struct sample_wakeup *ret)
{
	return timer_sampling_wakeup(source_timer_sampling_of(source), n, ret);
}

static struct sample_totals source_timer_sample_totals(struct source *source)
{
	return timer_sampling_totals(source_timer_sampling_of(source));
}

static const struct perf_data_event *source_timer_sample_events(struct source *source,
								size_t *ret_num)
{
	*ret_num = 1;
	return &source_timer_sampling_of(source)->event;
}

static struct error *probe_timer(const struct source_settings *said, struct probe *ret)
{
	return timer_look_probe(ret);
}

static const struct sample_ops timer_sample_ops = {
	.holds_threads = timer_look_holds_threads,
	.open = source_timer_sample_open,
	.start = source_timer_sample_start,
	.stop = source_timer_sample_stop,
	.wait = source_timer_sample_wait,
	.next = source_timer_sample_next,
	.close = source_timer_sample_close,
	.wakeup = source_timer_sample_wakeup,
	.totals = source_timer_sample_totals,
	.events = source_timer_sample_events,
	.walk_open = source_timer_walk_open,
	.walk = source_timer_walk,
};

const struct source_ops source_timer_ops = {
	.traits =
		{
			.name = SOURCE_TIMER_NAME,
			.summary = "samples threads on a timer: Python code, on Windows also "
				   "native code",
			.settings = settings,
			.looks_by_time = true,
		},
	.probe = probe_timer,
	.identify = identify_timer,
	.open = open_timer,
	.describe = source_timer_describe,
	.list_events = list_timer_events,
	.sample = &timer_sample_ops,
	.close = close_timer,
};
