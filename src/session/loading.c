// SPDX-License-Identifier: Apache-2.0

#include "session/loading.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/os/host.h"
#include "process/process_roots.h"
#include "profile/anonymous_profile.h"
#include "profile/memory/memory_event.h"
#include "record/perf_data/event_attr.h"
#include "record/recording_reader.h"
#include "session/profile_builder.h"
#include "session/profile_facts.h"
#include "session/recording_copy.h"

#include <string.h>

// loading_read() opens the file, feeds all records to a profile builder, and has the profile named.
// Events are added before the first record: in files they are known from the header, in pipe mode
// from the first records on. The kernel and the processes of this machine are used only if the
// file's host name and kernel release are this machine's (is_from_here()). Users of processes are
// believed only if the file belongs to this user, since they decide which files may be opened on
// their behalf.
//
// A copy of the recording (recording_copy.h) gets each record after the profile builder, which
// makes the chains of samples that have registers. It gets names before profile_builder_finish(),
// which takes the profile that they are in.
//
// What an event counts is in its attribute, except for times that no kernel event measures: perf
// and the reader of ETW write them as BPF_OUTPUT events, by the name of which they are known
// (loading_find_time()).

/** The time that is the period of an event's samples; NULL: it is no such event. */
struct loading_time {
	const char *name;  /* in the file */
	const char *shown; /* in reports */
	bool is_whole;     /* each occurrence is in the file, and none was chosen by chance */
};

static const struct loading_time *loading_find_time(const struct perf_data_event *event)
{
	static const struct loading_time times[] = {
		{"offcpu-time", OFF_CPU_NAME, true}, // as perf record --off-cpu calls it
		{"dpc", "dpc", true},
		{"isr", "isr", true},
	};
	if (!event->name || !event_attr_is_output(event->attr, event->attr_size))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (strcmp(event->name, times[i].name) == 0)
			return &times[i];
	return NULL;
}

const char *loading_event_name(const struct perf_data_event *event, bool is_off_cpu)
{
	const struct loading_time *time = loading_find_time(event);
	if (is_off_cpu)
		return OFF_CPU_NAME;
	return time ? time->shown : event->name;
}

/** Of memory, which no kernel event measures, either; else "events". */
static const char *loading_memory_unit(const struct perf_data_event *event)
{
	bool is_output = event->name && event_attr_is_output(event->attr, event->attr_size);
	const char *unit = is_output ? memory_event_unit(event->name) : NULL;
	return unit ? unit : "events";
}

static struct error *loading_describe_event(struct named_profile *profile,
					    const struct perf_data_event *event, bool is_off_cpu,
					    struct named_event *ret)
{
	struct event_attr_rate rate = event_attr_rate(event->attr, event->attr_size);
	const struct loading_time *time = loading_find_time(event);
	bool is_whole = is_off_cpu || (time && time->is_whole) ||
			event_attr_is_wake(event->attr, event->attr_size);
	*ret = (struct named_event){
		.period = is_whole ? 0 : rate.period,
		.frequency = is_whole ? 0 : rate.frequency,
		.is_whole = is_whole,
		.is_wait = is_off_cpu || (time && strcmp(time->shown, OFF_CPU_NAME) == 0),
		.is_ahead = is_off_cpu,
		// What perf has no event for, as wake-ups of Windows, is written as one, too.
		.is_dummy = event_attr_is_dummy(event->attr, event->attr_size) && event->name &&
			    strncmp(event->name, "dummy", strlen("dummy")) == 0,
		.excludes_idle = event_attr_excludes_idle(event->attr, event->attr_size),
	};
	struct error *err =
		named_profile_string(profile, loading_event_name(event, is_off_cpu), &ret->name);
	bool is_time = is_whole || event_attr_is_clock(event->attr, event->attr_size);
	const char *unit = is_time ? "nanoseconds" : loading_memory_unit(event);
	return err ? err : named_profile_string(profile, unit, &ret->unit);
}

/** Nothing in the file says "off-CPU". It needs a sample of each context switch, and the records of
 *  switches in and out to weigh it with: perf record -e context-switches -c 1 --switch-events makes
 *  the same. Switch records without the samples would only be times without stacks. */
uint32_t loading_off_cpu_event(const struct perf_data_info *info)
{
	uint32_t found = (uint32_t)info->num_events;
	bool tells_switches = false;
	for (uint32_t i = 0; i < info->num_events; i++) {
		const struct perf_data_event *event = &info->events[i];
		tells_switches |= event_attr_tells_switches(event->attr, event->attr_size);
		if (event_attr_is_each_switch(event->attr, event->attr_size))
			found = i;
	}
	return tells_switches ? found : (uint32_t)info->num_events;
}

/** info->num_events: there is none. */
static uint32_t loading_wake_event(const struct perf_data_info *info)
{
	uint32_t found = 0;
	while (found < info->num_events &&
	       !event_attr_is_wake(info->events[found].attr, info->events[found].attr_size))
		found++;
	return found;
}

static struct error *loading_add_events(struct profile_builder *builder,
					const struct perf_data_info *info)
{
	uint32_t off_cpu_event = loading_off_cpu_event(info);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < info->num_events; i++) {
		struct named_event event;
		err = loading_describe_event(profile_builder_profile(builder), &info->events[i],
					     i == off_cpu_event, &event);
		if (!err)
			err = profile_builder_add_event(builder, &event);
	}
	return err;
}

/** Were these records taken here, since this machine was started? */
static bool is_from_here(const struct perf_data_info *info)
{
	struct host host = host_read();
	return info->host && info->system_release && !strcmp(info->host, host.name) &&
	       !strcmp(info->system_release, host.release);
}

/** When the watch was asked, and when it is to be asked again. */
struct loading_clock {
	const struct loading_watch *watch;
	uint64_t start_ns, next_ns;
	uint64_t num_records; /* since the clock was read */
};

static struct error *loading_ask(struct loading_clock *clock, const struct recording_reader *reader,
				 const struct profile_builder *builder)
{
	enum { INTERVAL_NS = 100 * 1000 * 1000 };
	if (!clock->watch->progress)
		return NULL;
	const struct perf_data_position position = recording_reader_position(reader);
	const struct profile_builder_totals totals = profile_builder_totals(builder);
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	const struct loading_progress progress = {
		.elapsed_ns = now_ns - clock->start_ns,
		.num_samples = totals.num_samples,
		.num_lost = totals.num_lost,
		.done = position.done,
		.whole = position.whole,
	};
	clock->next_ns = now_ns + INTERVAL_NS;
	if (clock->watch->progress(clock->watch->data, &progress))
		return NULL;
	return error_create(ERROR_CANCELLED, "reading the recording was cancelled");
}

/** A record takes less than a microsecond: reading the clock for each would be felt. */
static bool loading_is_time(struct loading_clock *clock)
{
	enum { RECORDS_BETWEEN = 4096 };
	if (++clock->num_records < RECORDS_BETWEEN)
		return false;
	clock->num_records = 0;
	return clock_ns(CLOCK_MONOTONIC) >= clock->next_ns;
}

/** What records become. */
struct loading_output {
	struct profile_builder *builder;
	uint64_t last_time_ns; /* of the records so far */
	bool is_anonymous;
	struct recording_copy *copy; /* NULL: none is wanted, or the events are not known yet */
	const char *copy_path;
};

/** The builder is the caller's. */
static void loading_output_deinit(struct loading_output *output)
{
	recording_copy_destroy(output->copy);
}

static struct error *loading_begin_output(struct loading_output *output,
					  const struct perf_data_info *info)
{
	struct error *err = loading_add_events(output->builder, info);
	if (!err && output->copy_path)
		err = recording_copy_create(output->copy_path, info, output->is_anonymous,
					    &output->copy);
	return err;
}

/** perf record --off-cpu writes its sums behind all other samples, with a time that is none. They
 * get that of the last record. */
static void loading_mend_time(struct loading_output *output, struct record *record)
{
	static const uint64_t off_cpu_timestamp = UINT64_MAX << 32; // of tools/perf/util/off_cpu.h
	if (record->time_ns >= off_cpu_timestamp)
		record->time_ns = output->last_time_ns;
	else if (record->time_ns > output->last_time_ns)
		output->last_time_ns = record->time_ns;
}

static struct error *loading_take(struct loading_output *output, struct record *record)
{
	loading_mend_time(output, record);
	struct error *err = profile_builder_add(output->builder, record);
	if (!err && output->copy)
		err = recording_copy_add(output->copy, record,
					 profile_builder_last_chain(output->builder));
	return err;
}

static struct error *loading_read_records(struct recording_reader *reader,
					  struct loading_output *output,
					  struct loading_clock *clock)
{
	bool more = true;
	struct error *err = NULL;
	size_t num_events = 0;
	while (!err && more) {
		struct record record;
		err = recording_reader_next(reader, &record, &more);
		if (err || !more)
			break;
		// In pipe mode they are known from the first record on.
		const struct perf_data_info *info = recording_reader_info(reader);
		if (num_events == 0 && info->num_events) {
			num_events = info->num_events;
			err = loading_begin_output(output, info);
		}
		if (!err)
			err = loading_take(output, &record);
		if (!err && loading_is_time(clock))
			err = loading_ask(clock, reader, output->builder);
	}
	return err;
}

static struct error *loading_finish_copy(const struct loading_output *output,
					 const struct perf_data_info *info,
					 struct symbolizer *symbolizer)
{
	if (!output->copy_path)
		return NULL;
	if (!output->copy)
		return error_create(ERROR_FAILED, "the recording has no events");
	struct error *err = profile_builder_name(output->builder, symbolizer);
	return err ? err : recording_copy_finish(output->copy, info, symbolizer);
}

static struct error *loading_finish(const struct loading_config *config,
				    struct recording_reader *reader,
				    const struct loading_output *output, struct named_profile *ret,
				    struct symbolizer **ret_symbolizer)
{
	struct profile_builder *builder = output->builder;
	const struct perf_data_info *info = recording_reader_info(reader);
	struct error *err =
		profile_facts_set_language(profile_builder_profile(builder), info->language);
	if (err)
		return err;
	struct symbolizer_config names = {
		.sysroots = config->sysroots,
		.symbol_path = config->symbol_path,
		.is_this_kernel = is_from_here(info),
		.are_processes_here = is_from_here(info),
		.users = profile_builder_users(builder),
		.with_lines = config->with_lines,
		.with_full_names = config->with_full_names,
		.language = profile_builder_language(builder),
		.line_image = info->line_image,
		.line_image_size = info->line_image_size,
		.recorded_names = info->names,
		.recorded_names_size = info->names_size,
		.pdbs = info->pdbs,
		.num_pdbs = info->num_pdbs,
		.methods = info->methods,
		.num_methods = info->num_methods,
	};
	_cleanup_(symbolizer_destroyp) struct symbolizer *symbolizer = NULL;
	err = symbolizer_create(&names, &symbolizer);
	struct perf_data_info shown = *info;
	if (config->is_anonymous) {
		shown.host = NULL;
		shown.arguments = NULL;
	}
	if (!err)
		err = symbolizer_place_methods(symbolizer, profile_builder_processes(builder));
	if (!err)
		err = profile_facts_describe(profile_builder_profile(builder), &shown);
	if (!err)
		err = profile_facts_set_collection(profile_builder_profile(builder),
						   &info->collection);
	if (!err)
		err = memory_curve_decode(info->memory, info->memory_size,
					  &profile_builder_profile(builder)->memory);
	if (!err)
		err = run_queue_decode(info->run_queue, info->run_queue_size,
				       &profile_builder_profile(builder)->run_queue);
	if (!err)
		err = loading_finish_copy(output, info, symbolizer);
	if (!err)
		err = profile_builder_finish(builder, symbolizer, ret);
	if (!err && config->is_anonymous) {
		// Not before names were looked up, for which paths have to be right.
		err = anonymous_profile_apply(ret);
		if (err)
			named_profile_deinit(ret);
	}
	if (err)
		return err;
	profile_facts_set_time(ret, info);
	*ret_symbolizer = take_ptr(symbolizer);
	return NULL;
}

/** @is_here: it was made on this machine, whose users and root folders are meant. */
static struct error *add_user(const struct perf_data_user *user, bool is_here,
			      struct process_users *users)
{
	struct file_rights rights = {.group = user->group};
	rights.is_known = is_here && user->user != PERF_DATA_NO_USER;
	rights.user = rights.is_known ? user->user : 0;
	rights.num_groups = user->num_groups < FILE_RIGHTS_MAX_GROUPS ? user->num_groups
								      : FILE_RIGHTS_MAX_GROUPS;
	for (uint32_t i = 0; i < rights.num_groups; i++)
		rights.groups[i] = user->groups[i];
	struct error *err = process_root_recorded(users->roots, user->root, is_here ? user->pid : 0,
						  &rights.root);
	if (err)
		return err;
	return user->is_unseen ? process_users_add_unseen(users, user->pid, &rights)
			       : process_users_add(users, user->pid, &rights);
}

/** Whoever writes a recording could claim that root's program names /etc/shadow as its source. Our
 *  own one without users was made by perf, which reads all files with its own rights, too. */
static struct error *add_users(const struct recording_reader *reader,
			       struct profile_builder *builder)
{
	const struct perf_data_info *info = recording_reader_info(reader);
	struct process_users *users = profile_builder_users(builder);
	struct error *err = NULL;
	users->is_silent = recording_reader_is_own(reader) && !info->num_users;
	if (!process_users_matter() || !recording_reader_is_own(reader))
		return NULL;
	for (size_t i = 0; !err && i < info->num_users; i++)
		err = add_user(&info->users[i], is_from_here(info), users);
	return err;
}

static void loading_take_notes(const struct recording_reader *reader,
			       const struct profile_builder *builder, struct loading_notes *ret)
{
	const struct recording_notes file = recording_reader_notes(reader);
	*ret = (struct loading_notes){
		.truncated_bytes = file.perf_data.truncated_bytes,
		.bad_records = file.perf_data.bad_records,
		.num_let_go = recording_reader_info(reader)->num_let_go,
		.spe = file.perf_data.spe,
		.etl = file.etl,
		.totals = profile_builder_totals(builder),
	};
}

static bool has_call_branches(const struct perf_data_info *info)
{
	for (size_t i = 0; i < info->num_events; i++)
		if (event_attr_has_call_stack(info->events[i].attr, info->events[i].attr_size))
			return true;
	return false;
}

struct error *loading_read(const struct loading_config *config, struct named_profile *ret,
			   struct loading_notes *ret_notes, struct symbolizer **ret_symbolizer)
{
	_cleanup_(recording_reader_destroyp) struct recording_reader *reader = NULL;
	const struct recording_choice choice = {
		.path = config->path,
		.is_own_only = !config->is_forced,
	};
	struct error *err = recording_reader_open(&choice, &reader);
	if (err)
		return err;
	const struct perf_data_info *info = recording_reader_info(reader);
	const struct profile_builder_config wanted = {
		.machine = info->machine ? info->machine : "x86_64",
		.keeps_samples = config->keeps_samples,
		.has_callers = config->has_callers,
		.has_call_branches = has_call_branches(info),
		.walks_stacks = config->has_callers,
		.has_off_cpu = loading_off_cpu_event(info) < info->num_events,
		.off_cpu_event = loading_off_cpu_event(info),
		.has_wakes = loading_wake_event(info) < info->num_events,
		.wake_event = loading_wake_event(info),
		.joins_wakers = config->joins_wakers,
		.with_spe = config->with_spe,
		.tells_spe_threads = config->tells_spe_threads,
		.files = {.sysroots = config->sysroots, .are_processes_here = is_from_here(info)},
	};
	_cleanup_(profile_builder_destroyp) struct profile_builder *builder = NULL;
	err = profile_builder_create(&wanted, &builder);
	if (!err)
		err = add_users(reader, builder);
	struct loading_clock clock = {
		.watch = &config->watch,
		.start_ns = clock_ns(CLOCK_MONOTONIC),
	};
	if (!err)
		err = loading_ask(&clock, reader, builder);
	_cleanup_(loading_output_deinit) struct loading_output output = {
		.builder = builder,
		.copy_path = config->copy_path,
		.is_anonymous = config->is_anonymous,
	};
	if (!err)
		err = loading_read_records(reader, &output, &clock);
	if (!err)
		err = profile_builder_end(builder, recording_reader_info(reader)->last_time_ns);
	if (!err)
		err = loading_ask(&clock, reader, builder);
	if (err)
		return err;
	loading_take_notes(reader, builder, ret_notes);
	return loading_finish(config, reader, &output, ret, ret_symbolizer);
}
