// SPDX-License-Identifier: Apache-2.0
// Event Tracing for Windows as a source. Its events are Windows' profile sources, under the names
// that Windows gives them; which event of the CPU such a name is, Windows does not say. Events of
// the CPU's own table, and raw numbers, are registered when they are asked for (etw_events.c).

#include "source/etw/source_etw.h"

#include "base/os/host.h"
#include "record/perf_data/event_attr.h"
#include "source/etw/etw_calls.h"
#include "source/etw/etw_counting.h"
#include "source/etw/etw_sampling.h"
#include "source/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct setting_rule settings[] = {{.key = NULL}};

enum { TEXT_MAX = 160 };

struct source_etw {
	struct source source;
	struct etw_calls calls;
	struct etw_sources sources;
	struct system_event *listed; /* of Windows' sources but the timer, for the catalogue */
	struct etw_sampling sampling;
	struct etw_counting counting;
	struct etw_notes notes;
};

static struct source_etw *source_etw_of(struct source *source)
{
	return (struct source_etw *)source;
}

static void close_etw(struct source *source)
{
	struct source_etw *etw = source_etw_of(source);
	etw_sampling_close(&etw->sampling);
	etw_counting_close(&etw->counting);
	etw_sources_deinit(&etw->sources);
	etw_notes_clear(&etw->notes);
	etw_calls_close(&etw->calls);
	free(etw->listed);
	free(etw);
}

static struct error *open_etw(const struct source_settings *said, bool force_lock,
			      struct source **ret)
{
	struct source_etw *etw = calloc(1, sizeof(*etw));
	if (!etw)
		return &error_no_memory;
	etw->source.ops = &source_etw_ops;
	struct error *err = etw_calls_open(&etw->calls);
	if (!err)
		err = etw_sources_list(&etw->calls, &etw->sources);
	if (err)
		close_etw(&etw->source);
	else
		*ret = &etw->source;
	return err;
}

static struct error *identify_etw(const struct source_settings *said, uint64_t *ret_midr)
{
	_cleanup_(etw_calls_close) struct etw_calls calls = ETW_CALLS_INIT;
	struct error *err = etw_calls_open(&calls);
	if (!err)
		*ret_midr = calls.midr;
	return err;
}

/** One number for all cores: events are registered for all of them alike. */
static struct error *source_etw_identify_cores(uint64_t midr, struct source_info *info)
{
	if (!midr)
		return NULL;
	info->core_midr = calloc(info->num_cores, sizeof(*info->core_midr));
	if (!info->core_midr)
		return &error_no_memory;
	for (unsigned i = 0; i < info->num_cores; i++)
		info->core_midr[i] = midr;
	return NULL;
}

static struct error *source_etw_describe(struct source *source, struct source_info *ret)
{
	struct host host = host_read();
	const struct etw_source *timer =
		etw_sources_find(&source_etw_of(source)->sources, ETW_SOURCE_TIMER);
	ret->num_cores = host.cpus_online;
	ret->counts_processes = true;
	if (timer && timer->min_interval)
		ret->max_frequency = ETW_UNITS_PER_S / timer->min_interval;
	ret->description = strdup("Windows' own profiler (ETW)");
	if (!ret->description)
		return &error_no_memory;
	struct error *err = source_etw_identify_cores(source_etw_of(source)->calls.midr, ret);
	return err ? err : source_info_set_version(ret, host.release, "+etw");
}

/** What is sampled without any counter of the CPU. */
static struct error *source_etw_list_time(struct catalog *catalog)
{
	static const struct system_event clock = {
		.event = {.name = "cpu-clock",
			  .title = "Time on the CPU",
			  .description = "Time that threads spent on a CPU, by Windows' timer.",
			  .event_class = EVENT_PERF},
		.type = EVENT_ATTR_SOFTWARE,
		.kind = "Software event",
		.unit = "msec",
		// Nanoseconds as milliseconds.
		.scale = 1e-6,
	};
	static const struct system_event absences = {
		.event = {.name = SAMPLE_ABSENCES_EVENT,
			  .title = "Time off the CPU",
			  .description = "Time between two times of a thread on a CPU, by context "
					 "switches. --off-cpu samples it.",
			  .event_class = EVENT_PERF,
			  .code = ETW_ABSENCES_CODE},
		.type = EVENT_ATTR_SOFTWARE,
		.kind = "Software event",
		.unit = "msec",
		.scale = 1e-6,
	};
	struct error *err = system_event_append(catalog, &clock);
	return err ? err : system_event_append(catalog, &absences);
}

static struct error *source_etw_list_events(struct source *source, struct catalog *catalog,
					    struct string_builder *notes)
{
	struct source_etw *etw = source_etw_of(source);
	free(etw->listed);
	etw->listed = calloc(etw->sources.num_items + 1, sizeof(*etw->listed));
	if (!etw->listed)
		return &error_no_memory;
	size_t num_listed = 0;
	struct error *err = source_etw_list_time(catalog);
	for (size_t i = 0; !err && i < etw->sources.num_items; i++) {
		const struct etw_source *from = &etw->sources.items[i];
		if (from->id == ETW_SOURCE_TIMER || from->is_ours)
			continue;
		struct system_event *listed = &etw->listed[num_listed++];
		*listed = (struct system_event){
			.event = {.name = from->name,
				  .title = "Profile source of Windows",
				  .description =
					  "A counter of the CPU under Windows' name. Windows "
					  "does not say which event it counts.",
				  .event_class = EVENT_PERF,
				  .code = from->id},
			.type = ETW_EVENT_TYPE,
			.kind = "Windows profile source",
			.scale = 1,
		};
		err = system_event_append(catalog, listed);
	}
	if (!num_listed)
		string_builder_append(notes, "note: Windows offers no counters of the CPU here; "
					     "virtual machines often have none\n");
	if (catalog->cpu)
		string_builder_append(notes,
				      "note: source etw registers the CPU's events in Windows "
				      "while they are used: never seen on Arm64\n");
	return err;
}

static uint64_t source_etw_default_period(struct source *source, const struct event *event)
{
	if (event->event_class == EVENT_CORE)
		return ETW_DEFAULT_INTERVAL;
	if (event->event_class != EVENT_PERF || system_event_of(event)->type != ETW_EVENT_TYPE)
		return 0;
	const struct etw_source *from =
		etw_sources_find(&source_etw_of(source)->sources, (uint32_t)event->code);
	return from ? from->interval : 0;
}

/** Is there ETW, and may this user start a session? */
static struct error *source_etw_check(void)
{
	_cleanup_(etw_calls_close) struct etw_calls calls = ETW_CALLS_INIT;
	struct error *err = etw_calls_open(&calls);
	return err ? err : etw_session_check(&calls);
}

static struct error *source_etw_probe_counters(const struct etw_sources *sources, struct probe *ret)
{
	static const char ability[] = "hardware events";
	size_t num_counters = 0;
	char text[TEXT_MAX];
	for (size_t i = 0; i < sources->num_items; i++)
		num_counters += sources->items[i].id != ETW_SOURCE_TIMER;
	if (!num_counters)
		return probe_add_finding(ret, ability, PROBE_NO,
					 "Windows offers only its timer here",
					 "virtual machines, and virtualization-based security on "
					 "x64, hide the counters of the CPU");
	snprintf(text, sizeof(text), "%zu under Windows' names, %" PRIu32 " at once", num_counters,
		 sources->max_counters);
	if (!sources->max_counters)
		snprintf(text, sizeof(text), "%zu under Windows' names", num_counters);
	return probe_add_finding(ret, ability, PROBE_YES, text, NULL);
}

static struct error *source_etw_probe_all(const struct etw_calls *calls, struct probe *ret)
{
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {.num_items = 0};
	struct error *err = etw_sources_list(calls, &sources);
	if (!err)
		err = probe_add_finding(ret, "sampling", PROBE_YES,
					"all processes, with callers, without a driver", NULL);
	if (!err)
		err = source_etw_probe_counters(&sources, ret);
	return err ? err
		   : probe_add_finding(ret, "events of the CPU's table", PROBE_PARTLY,
				       "registered in Windows while they are used: never seen on "
				       "Arm64",
				       "tell us whether it works: docs/etw.md");
}

static struct error *probe_etw(const struct source_settings *said, struct probe *ret)
{
	_cleanup_(etw_calls_close) struct etw_calls calls = ETW_CALLS_INIT;
	_cleanup_(error_destroyp) struct error *err = etw_calls_open(&calls);
	if (!err)
		err = etw_session_check(&calls);
	if (err && err->code == ERROR_NO_MEMORY)
		return take_ptr(err);
	return err ? probe_add_error(ret, "sampling", err) : source_etw_probe_all(&calls, ret);
}

static const char *source_etw_run_note(struct source *source, size_t n)
{
	const struct etw_notes *notes = &source_etw_of(source)->notes;
	return n < notes->num_items ? notes->items[n] : NULL;
}

static struct error *source_etw_sample_open(struct source *source, const struct sample_plan *plan)
{
	struct source_etw *etw = source_etw_of(source);
	etw_sampling_close(&etw->sampling);
	etw_notes_clear(&etw->notes);
	return etw_sampling_open(&etw->sampling, &etw->calls, &etw->sources, plan, &etw->notes);
}

static struct error *source_etw_sample_start(struct source *source)
{
	return etw_sampling_start(&source_etw_of(source)->sampling);
}

static struct error *source_etw_sample_stop(struct source *source)
{
	return etw_sampling_stop(&source_etw_of(source)->sampling);
}

static struct error *source_etw_sample_wait(struct source *source, uint64_t timeout_ns, int fd)
{
	return etw_sampling_wait(&source_etw_of(source)->sampling, timeout_ns, fd);
}

static struct error *source_etw_sample_next(struct source *source, struct record *ret,
					    bool *ret_more)
{
	return etw_sampling_next(&source_etw_of(source)->sampling, ret, ret_more);
}

static void source_etw_sample_close(struct source *source)
{
	etw_sampling_close(&source_etw_of(source)->sampling);
}

static struct sample_totals source_etw_sample_totals(struct source *source)
{
	return etw_sampling_totals(&source_etw_of(source)->sampling);
}

static const struct perf_data_event *source_etw_sample_events(struct source *source,
							      size_t *ret_num)
{
	const struct etw_events *events = &source_etw_of(source)->sampling.events;
	*ret_num = events->num_items;
	return events->described;
}

static struct error *source_etw_count_open(struct source *source, const struct count_plan *plan)
{
	struct source_etw *etw = source_etw_of(source);
	etw_counting_close(&etw->counting);
	etw_notes_clear(&etw->notes);
	return etw_counting_open(&etw->counting, &etw->calls, &etw->sources, plan, &etw->notes);
}

static struct error *source_etw_count_start(struct source *source)
{
	return etw_counting_start(&source_etw_of(source)->counting);
}

static struct error *source_etw_count_stop(struct source *source)
{
	return etw_counting_stop(&source_etw_of(source)->counting);
}

static struct error *source_etw_count_reset(struct source *source)
{
	return etw_counting_reset(&source_etw_of(source)->counting);
}

static struct error *source_etw_count_read(struct source *source, struct source_counts *ret)
{
	return etw_counting_read(&source_etw_of(source)->counting, ret);
}

static void source_etw_count_close(struct source *source)
{
	etw_counting_close(&source_etw_of(source)->counting);
}

static const char *source_etw_count_note(struct source *source, size_t column)
{
	return "counted at context switches: kernel code, interrupts and DPCs are in the counts of "
	       "the threads that they stop, and what ran before a core's first switch and after "
	       "its "
	       "last one is not counted";
}

static const struct count_ops etw_count_ops = {
	.counts_all_levels = true,
	.open = source_etw_count_open,
	.start = source_etw_count_start,
	.stop = source_etw_count_stop,
	.reset = source_etw_count_reset,
	.read = source_etw_count_read,
	.close = source_etw_count_close,
	.note = source_etw_count_note,
};

static const struct sample_ops etw_sample_ops = {
	.check = source_etw_check,
	.open = source_etw_sample_open,
	.tells_absences = true,
	.default_period = source_etw_default_period,
	.start = source_etw_sample_start,
	.stop = source_etw_sample_stop,
	.wait = source_etw_sample_wait,
	.next = source_etw_sample_next,
	.close = source_etw_sample_close,
	.totals = source_etw_sample_totals,
	.events = source_etw_sample_events,
};

const struct source_ops source_etw_ops = {
	.traits =
		{
			.name = "etw",
			.summary = "Windows' own profiler: samples on a timer and on counters of "
				   "the CPU, without a driver, for administrators",
			.settings = settings,
			.tells_processes = true,
			.stands_in = true,
		},
	.probe = probe_etw,
	.identify = identify_etw,
	.open = open_etw,
	.describe = source_etw_describe,
	.list_events = source_etw_list_events,
	.run_note = source_etw_run_note,
	.count = &etw_count_ops,
	.sample = &etw_sample_ops,
	.close = close_etw,
};
