// SPDX-License-Identifier: Apache-2.0

#include "source/source_timer.h"

#include "catalog/system_events.h"
#include "source/perf_host.h"
#include "source/source.h"
#include "source/source_perf.h"
#include "source/timer_sampling.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct setting_rule settings[] = {{.key = NULL}};

struct source_timer {
	struct source source;
	struct timer_sampling sampling;
};

static struct timer_sampling *sampling_of(struct source *source)
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
	timer_sampling_close(sampling_of(source));
	free(source);
}

static struct error *identify_timer(const struct source_settings *said, uint64_t *ret_midr)
{
	*ret_midr = perf_host_midr(0);
	return NULL;
}

static struct error *describe_timer(struct source *source, struct source_info *ret)
{
	ret->num_cores = perf_host_num_cores();
	ret->counters_known = true;
	ret->counts_processes = true;
	ret->description = strdup("threads, looked at by a timer");
	return ret->description ? NULL : &error_no_memory;
}

/** The kernel's, for its name; there is no other. */
static struct error *list_timer_events(struct source *source, struct catalog *catalog,
				       struct string_builder *notes)
{
	struct error *err = system_events_load(catalog, SYSTEM_EVENTS_SOFTWARE, "", notes);
	size_t num = 0;
	for (size_t i = 0; i < catalog->num_system_events; i++)
		if (strcmp(catalog->system_events[i]->name, "cpu-clock") == 0)
			catalog->system_events[num++] = catalog->system_events[i];
	catalog->num_system_events = num;
	string_builder_append(notes, "note: source timer has one event, cpu-clock\n");
	return err;
}

/** No sample brings them; why it is not better is what keeps perf from being the source. */
static struct error *python_open(struct source *source)
{
	struct error *err = source_perf_ops.sample_check();
	if (err)
		return err;
	return error_with_hint(error_create(ERROR_FAILED, "that is what --source timer does"),
			       "this user may use --source perf, which sees them at any event");
}

/** The interpreter has been found. */
static struct error *python_walk(struct source *source, uint32_t pid,
				 const struct python_walk *walk)
{
	if (walk)
		watched_tasks_complete(&sampling_of(source)->tasks, pid);
	return NULL;
}

static struct error *sample_open(struct source *source, const struct sample_plan *plan)
{
	timer_sampling_close(sampling_of(source));
	return timer_sampling_open(sampling_of(source), plan);
}

static struct error *sample_start(struct source *source)
{
	timer_sampling_start(sampling_of(source));
	return NULL;
}

static struct error *sample_stop(struct source *source)
{
	timer_sampling_stop(sampling_of(source));
	return NULL;
}

static struct error *sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return timer_sampling_wait(sampling_of(source), timeout_ns, fd);
}

static struct error *sample_next(struct source *source, struct record *ret, bool *ret_more)
{
	return timer_sampling_next(sampling_of(source), ret, ret_more);
}

static void sample_close(struct source *source)
{
	timer_sampling_close(sampling_of(source));
}

static bool sample_notice(struct source *source, size_t n, struct sample_notice *ret)
{
	return timer_sampling_notice(sampling_of(source), n, ret);
}

static struct sample_totals sample_totals(struct source *source)
{
	return sampling_of(source)->totals;
}

static const struct perf_data_event *sample_events(struct source *source, size_t *ret_num)
{
	*ret_num = 1;
	return &sampling_of(source)->event;
}

static struct error *probe_timer(const struct source_settings *said, struct probe *ret)
{
	if (access("/proc/thread-self/schedstat", R_OK))
		return probe_add_finding(ret, "CPU time of threads", PROBE_NO,
					 "there is no /proc/thread-self/schedstat",
					 "mount /proc, or use a kernel with CONFIG_SCHED_INFO");
	struct error *err = probe_add_finding(ret, "CPU time of threads", PROBE_YES,
					      "cpu-clock, of this user's processes", NULL);
	if (err || !access("/proc/thread-self/children", R_OK))
		return err;
	return probe_add_finding(ret, "what programs start", PROBE_NO,
				 "there is no /proc/thread-self/children",
				 "use a kernel with CONFIG_PROC_CHILDREN");
}

const struct source_ops source_timer_ops = {
	.name = SOURCE_TIMER_NAME,
	.summary =
		"lines of Python without the kernel's events: threads, looked at from time to time",
	.settings = settings,
	.looks_by_time = true,
	.probe = probe_timer,
	.identify = identify_timer,
	.open = open_timer,
	.describe = describe_timer,
	.list_events = list_timer_events,
	.sample_open = sample_open,
	.sample_start = sample_start,
	.sample_stop = sample_stop,
	.sample_wait = sample_wait,
	.sample_next = sample_next,
	.sample_close = sample_close,
	.sample_notice = sample_notice,
	.sample_totals = sample_totals,
	.sample_events = sample_events,
	.python_open = python_open,
	.python_walk = python_walk,
	.close = close_timer,
};
