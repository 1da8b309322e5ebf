// SPDX-License-Identifier: Apache-2.0
// An event is found by what the catalogue says of it: source_etw.c puts Windows' own sources there
// as events of the system, under Windows' names. All other events of a core are those of the CPU's
// table, or raw numbers: they are registered as new sources. Windows samples a source at one
// interval, which is why an event cannot be there twice.

#include "source/etw/etw_events.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "record/perf_data/event_attr.h"
#include "source/sample_ops.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE_MAX = 256 };

void etw_notes_clear(struct etw_notes *notes)
{
	while (notes->num_items)
		free(notes->items[--notes->num_items]);
}

struct error *etw_notes_add(struct etw_notes *notes, const char *format, ...)
{
	char text[NOTE_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (notes->num_items == ARRAY_SIZE(notes->items))
		return NULL;
	char *copy = strdup(text);
	if (!copy)
		return &error_no_memory;
	notes->items[notes->num_items++] = copy;
	return NULL;
}

uint32_t etw_events_timer_interval(const struct etw_source *timer, uint32_t frequency_hz)
{
	uint32_t interval = frequency_hz ? (ETW_UNITS_PER_S + frequency_hz / 2) / frequency_hz
					 : timer->interval;
	if (interval < timer->min_interval)
		return timer->min_interval;
	return timer->max_interval && interval > timer->max_interval ? timer->max_interval
								     : interval;
}

/** Periods of cpu-clock are nanoseconds, as on Linux. */
static struct error *etw_events_set_timer(struct etw_events *events,
					  const struct etw_events_request *asked,
					  const struct event_request *request,
					  const struct etw_source *timer, struct etw_event *ret)
{
	if (asked->is_counting)
		return error_with_hint(error_create(ERROR_USAGE, "source 'etw' cannot count '%s'",
						    request->event->name),
				       "'wperf record' samples it");
	ret->source = timer->id;
	uint32_t frequency = request->frequency ? request->frequency : asked->frequency_hz;
	uint64_t units = request->interval / ETW_NS_PER_UNIT;
	if (request->interval && (units < timer->min_interval || units > timer->max_interval))
		return error_with_hint(error_create(ERROR_USAGE,
						    "cannot sample '%s' every %" PRIu64 " ns",
						    request->event->name, request->interval),
				       "Windows' timer accepts %" PRIu64 " to %" PRIu64 " ns",
				       (uint64_t)timer->min_interval * ETW_NS_PER_UNIT,
				       (uint64_t)timer->max_interval * ETW_NS_PER_UNIT);
	ret->interval =
		request->interval ? (uint32_t)units : etw_events_timer_interval(timer, frequency);
	uint32_t real = (ETW_UNITS_PER_S + ret->interval / 2) / ret->interval;
	if (!request->interval && (real > frequency + 1 || real + 1 < frequency))
		return etw_notes_add(events->notes,
				     "'%s' was sampled %" PRIu32 " times a second, not %" PRIu32
				     ": Windows' timer has no such interval",
				     request->event->name, real, frequency);
	return NULL;
}

static struct error *etw_events_check_interval(const struct event_request *request,
					       const struct etw_source *source)
{
	if (request->interval >= source->min_interval && request->interval <= source->max_interval)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "cannot sample '%s' every %" PRIu64 " events",
					    request->event->name, request->interval),
			       "Windows accepts periods from %" PRIu32 " to %" PRIu32 " for it",
			       source->min_interval, source->max_interval);
}

/** A source that Windows lists. */
static struct error *etw_events_set_listed(const struct etw_sources *sources, bool is_counting,
					   const struct event_request *request,
					   struct etw_event *ret)
{
	const struct etw_source *source = etw_sources_find(sources, (uint32_t)request->event->code);
	if (!source)
		return error_create(ERROR_FAILED, "Windows no longer has the source '%s'",
				    request->event->name);
	ret->source = source->id;
	if (is_counting)
		return NULL;
	ret->interval = request->interval ? (uint32_t)request->interval : source->interval;
	return request->interval ? etw_events_check_interval(request, source) : NULL;
}

/** An event of the CPU's catalogue, or a number. */
static struct error *etw_events_register(struct etw_events *events,
					 const struct event_request *request, struct etw_event *ret)
{
	struct etw_source source;
	uint64_t interval = request->interval ? request->interval : ETW_DEFAULT_INTERVAL;
	if (interval > INT32_MAX)
		return error_create(ERROR_USAGE, "cannot sample '%s' every %" PRIu64 " events",
				    request->event->name, interval);
	struct error *err = etw_sources_register(events->calls, (uint32_t)request->event->code,
						 request->event->name, (uint32_t)interval, &source);
	if (err)
		return err;
	ret->is_ours = true;
	ret->source = source.id;
	ret->interval = (uint32_t)interval;
	return etw_notes_add(events->notes,
			     "'%s' was registered in Windows for this run; this was never tested "
			     "on Arm64: check that its numbers are plausible",
			     request->event->name);
}

static struct error *etw_events_set(struct etw_events *events, const struct etw_sources *sources,
				    const struct etw_events_request *asked,
				    const struct event_request *request, struct etw_event *ret)
{
	const struct event *event = request->event;
	if (event->event_class == EVENT_CORE)
		return etw_events_register(events, request, ret);
	const struct system_event *system =
		event->event_class == EVENT_PERF ? system_event_of(event) : NULL;
	if (system && system->type == ETW_EVENT_TYPE)
		return etw_events_set_listed(sources, asked->is_counting, request, ret);
	const struct etw_source *timer = etw_sources_find(sources, ETW_SOURCE_TIMER);
	if (system && system_event_is_clock(system) && timer)
		return etw_events_set_timer(events, asked, request, timer, ret);
	if (!system || !system_event_is_software(system) || event->code != ETW_ABSENCES_CODE ||
	    asked->is_counting)
		return error_with_hint(error_create(ERROR_USAGE, "source 'etw' has no event '%s'",
						    event->name),
				       "'wperf list --source etw' shows its events");
	ret->is_absences = events->has_absences = true;
	return NULL;
}

/** Windows would sample too many without an error, and the last ones never. */
static struct error *etw_events_check_number(const struct etw_events *events,
					     const struct etw_sources *sources)
{
	uint32_t num_counters = 0;
	for (size_t i = 0; i < events->num_items; i++) {
		const struct etw_event *event = &events->items[i];
		num_counters += !event->is_absences && event->source != ETW_SOURCE_TIMER;
		for (size_t k = 0; k < i; k++)
			if (events->items[k].source == event->source &&
			    events->items[k].is_absences == event->is_absences)
				return error_with_hint(
					error_create(ERROR_USAGE, "'%s' was given twice",
						     events->described[i].name),
					"Windows samples each event at a single period");
	}
	if (!sources->max_counters || num_counters <= sources->max_counters)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "%" PRIu32
					    " events need counters of the CPU, and Windows "
					    "has %" PRIu32 " at once",
					    num_counters, sources->max_counters),
			       "measure them in several runs");
}

static void etw_events_describe(struct etw_events *events, size_t n,
				const struct event_request *request)
{
	const struct etw_event *event = &events->items[n];
	const struct etw_filter_event *wanted = &events->wanted[n];
	bool is_timer = !event->is_absences && event->source == ETW_SOURCE_TIMER;
	const struct event_attr_raw raw = {
		.type = is_timer || event->is_absences ? EVENT_ATTR_SOFTWARE : 0,
		.code = request->event->code,
		.period = event->is_absences ? 1
			  : is_timer         ? (uint64_t)event->interval * ETW_NS_PER_UNIT
					     : event->interval,
		.excludes_user = !wanted->user,
		.excludes_kernel = !wanted->kernel,
		.clock = CLOCK_MONOTONIC,
	};
	struct perf_data_event *described = &events->described[n];
	events->ids[n] = n + 1; // 0 would be none
	described->name = request->event->name;
	described->ids = &events->ids[n];
	described->num_ids = 1;
	described->attr_size = event_attr_set_raw(described->attr, &raw);
}

/** Samples of which code? Without a modifier, -k decides. */
static struct etw_filter_event etw_events_want(const struct event_request *request, bool kernel,
					       const struct etw_event *event)
{
	unsigned levels = request->modifiers & (EVENT_USER | EVENT_KERNEL);
	return (struct etw_filter_event){
		.user = !levels || levels & EVENT_USER,
		.kernel = levels ? levels & EVENT_KERNEL : kernel,
		.is_absences = event->is_absences,
	};
}

struct error *etw_events_open(const struct etw_calls *calls, const struct etw_sources *sources,
			      const struct etw_events_request *request, struct etw_events *ret)
{
	size_t num_items = request->events->num_items;
	*ret = (struct etw_events){.calls = calls, .notes = request->notes};
	ret->items = calloc(num_items + 1, sizeof(*ret->items));
	ret->described = calloc(num_items + 1, sizeof(*ret->described));
	ret->ids = calloc(num_items + 1, sizeof(*ret->ids));
	ret->wanted = calloc(num_items + 1, sizeof(*ret->wanted));
	if (!ret->wanted || !ret->items || !ret->described || !ret->ids)
		return &error_no_memory;
	if (num_items > ETW_EVENTS_MAX)
		return error_create(ERROR_USAGE, "source 'etw' takes at most %d events",
				    ETW_EVENTS_MAX);
	for (size_t i = 0; i < num_items; i++) {
		const struct event_request *item = &request->events->items[i];
		struct error *err = etw_events_set(ret, sources, request, item, &ret->items[i]);
		if (err)
			return err;
		ret->num_items++;
		ret->wanted[i] = etw_events_want(item, request->kernel, &ret->items[i]);
		etw_events_describe(ret, i, item);
		err = etw_events_check_number(ret, sources);
		if (err)
			return err;
	}
	return NULL;
}

struct error *etw_events_unregister(struct etw_events *events)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < events->num_items; i++) {
		if (!events->items[i].is_ours)
			continue;
		_cleanup_(error_destroyp) struct error *failure =
			etw_sources_unregister(events->calls, events->items[i].source);
		events->items[i].is_ours = false;
		if (failure)
			err = etw_notes_add(events->notes,
					    "%s; 'wperf etw --clean' tries that again",
					    failure->message);
	}
	return err;
}

void etw_events_close(struct etw_events *events)
{
	error_destroy(etw_events_unregister(events));
	free(events->items);
	free(events->described);
	free(events->ids);
	free(events->wanted);
	*events = (struct etw_events)ETW_EVENTS_INIT;
}
