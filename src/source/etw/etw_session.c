// SPDX-License-Identifier: Apache-2.0
// The order of "Configuring and Starting a SystemTraceProvider Session" (Microsoft): privilege,
// StartTrace(), stacks, intervals, sampled sources, what is enabled, and then counters of context
// switches, as profilers do that were seen to work on x64. What is of the whole machine is noted
// before it is changed (etw_journal.h). Whatever fails, etw_session_destroy() undoes what was done.

#include "source/etw/etw_session.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/os/host.h"
#include "base/os/random_bytes.h"
#include "source/etw/etw_journal.h"
#include "source/etw/etw_loggers.h"
#include "source/etw/etw_owners.h"
#include "source/etw/etw_rights.h"
#include "source/etw/etw_text.h"

#include <stdio.h>
#include <string.h>

enum {
	// A flush writes whole buffers, of each CPU: small ones make small files for `top`.
	DEFAULT_BUFFER_KB = 64,
	DEFAULT_BUFFERS_PER_CPU = 16,
	MAX_BUFFERS_FACTOR = 4,
	FLUSH_SECONDS = 1, // so that a killed run leaves a recording
	STACK_CACHE_SIZE = 1 << 20,
	STACK_CACHE_BUCKETS = 2048,
};

// Those who are allowed to use it may start a session without being administrators.
static const struct etw_guid own_guid = {
	0x1d3f4a52, 0x6c1b, 0x4b7e, {0x9a, 0x43, 0x77, 0x70, 0x65, 0x72, 0x66, 0x01}};

struct etw_session {
	const struct etw_calls *calls;
	struct etw_journal journal;
	char name[ETW_MARK_SIZE + 16];
	uint64_t handle;
	bool is_running;
	char *file; /* to be removed; NULL: none */
	struct etw_interval sampled[ETW_UNDO_MAX];
	size_t num_sampled;
};

struct error *etw_session_check(const struct etw_calls *calls)
{
	uint32_t code = calls->enable_privilege(calls->context);
	return code ? etw_error(code, "cannot record kernel events") : NULL;
}

static struct error *etw_session_check_source(const struct etw_sources *sources, uint32_t id,
					      uint32_t interval)
{
	const struct etw_source *source = etw_sources_find(sources, id);
	if (!source)
		return error_with_hint(error_create(ERROR_USAGE,
						    "Windows has no profile source %u here", id),
				       "'wperf etw' lists them");
	if (!interval || (interval >= source->min_interval && interval <= source->max_interval))
		return NULL;
	return error_create(ERROR_USAGE, "'%s' accepts intervals from %u to %u, not %u",
			    etw_source_short_name(source), source->min_interval,
			    source->max_interval, interval);
}

/** All sources of the plan, each once. */
static size_t etw_session_wanted(const struct etw_session_plan *plan,
				 uint32_t ret[static 2 * ETW_UNDO_MAX])
{
	size_t num = 0;
	for (size_t i = 0; i < plan->num_sampled + plan->num_counted; i++) {
		uint32_t source = i < plan->num_sampled ? plan->sampled[i].source
							: plan->counted[i - plan->num_sampled];
		bool is_new = true;
		for (size_t j = 0; j < num; j++)
			is_new &= ret[j] != source;
		if (is_new)
			ret[num++] = source;
	}
	return num;
}

static struct error *etw_session_check_plan(const struct etw_calls *calls,
					    const struct etw_session_plan *plan)
{
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	if (plan->num_sampled > ETW_UNDO_MAX || plan->num_counted > ETW_UNDO_MAX)
		return error_create(ERROR_USAGE,
				    "too many profile sources at once; the limit is %d",
				    ETW_UNDO_MAX);
	struct error *err = etw_sources_list(calls, &sources);
	for (size_t i = 0; !err && i < plan->num_sampled; i++)
		err = etw_session_check_source(&sources, plan->sampled[i].source,
					       plan->sampled[i].interval);
	for (size_t i = 0; !err && i < plan->num_counted; i++)
		err = etw_session_check_source(&sources, plan->counted[i], 0);
	if (err)
		return err;
	uint32_t wanted[2 * ETW_UNDO_MAX];
	size_t num_wanted = etw_session_wanted(plan, wanted), num_counters = 0;
	for (size_t i = 0; i < num_wanted; i++)
		num_counters += wanted[i] != ETW_SOURCE_TIMER;
	// Windows takes more without a word, and then these never count.
	if (sources.max_counters && num_counters > sources.max_counters)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "%zu events at once, but Windows counts at most %u here",
				     num_counters, sources.max_counters),
			"choose fewer events, or measure them in several runs");
	return etw_owners_check(calls, &sources, wanted, num_wanted);
}

static struct error *etw_session_give_name(struct etw_session *session)
{
	uint32_t number;
	struct error *err = random_bytes_fill(&number, sizeof(number));
	if (err)
		return err;
	char mark[ETW_MARK_SIZE];
	etw_mark_write((struct etw_mark){session->calls->pid, session->calls->birth}, mark);
	snprintf(session->name, sizeof(session->name), "%s%08x", mark, number);
	return NULL;
}

static struct error *etw_session_take_file(struct etw_session *session,
					   const struct etw_session_plan *plan)
{
	if (file_path_kind(plan->path) != FILE_PATH_ABSENT)
		return error_create(ERROR_FAILED, "'%s' exists already", plan->path);
	// Unless it is to be kept, it is noted, so that it can be removed after a kill.
	struct error *err = plan->keeps_file ? NULL
					     : etw_journal_note_file(&session->journal, plan->path,
								     plan->is_recording);
	if (err)
		return err;
	// If the session cannot be started, there must be no file of a kept name, either.
	session->file = strdup(plan->path);
	return session->file ? NULL : &error_no_memory;
}

static struct error *etw_session_properties(const struct etw_session_plan *plan,
					    struct etw_properties *ret)
{
	uint32_t num_buffers = plan->num_buffers;
	if (!num_buffers)
		num_buffers = DEFAULT_BUFFERS_PER_CPU * (host_read().cpus_online + 1);
	*ret = etw_properties_init();
	ret->guid = own_guid;
	ret->buffer_kb = plan->buffer_kb ? plan->buffer_kb : DEFAULT_BUFFER_KB;
	ret->min_buffers = num_buffers;
	ret->max_buffers = num_buffers * MAX_BUFFERS_FACTOR;
	ret->mode = ETW_MODE_SYSTEM_LOGGER;
	ret->flush_seconds = FLUSH_SECONDS;
	return etw_text_widen(plan->path, ret->file, ARRAY_SIZE(ret->file))
		       ? NULL
		       : error_create(ERROR_USAGE, "not a file name for a recording: '%s'",
				      plan->path);
}

static uint32_t etw_session_try(struct etw_session *session, const uint16_t *name,
				const struct etw_properties *properties)
{
	const struct etw_calls *calls = session->calls;
	struct etw_properties answer = *properties;
	uint32_t code = calls->start(calls->context, &session->handle, name, &answer);
	session->is_running = !code;
	return code;
}

// Windows has a session of a name and of a GUID once. If what has ours was left by a killed run, it
// is ended; if another wperf has it, ours gets a GUID of its own, which administrators may.
static struct error *etw_session_begin(struct etw_session *session,
				       const struct etw_session_plan *plan)
{
	struct etw_properties properties;
	uint16_t name[ETW_SESSION_NAME_MAX];
	size_t num_stopped = 0;
	struct error *err = etw_session_properties(plan, &properties);
	if (err)
		return err;
	etw_text_widen(session->name, name, ARRAY_SIZE(name));
	uint32_t code = etw_session_try(session, name, &properties);
	if (code == ETW_ERROR_ALREADY_EXISTS || code == ETW_ERROR_NO_RESOURCES) {
		err = etw_loggers_stop_left(session->calls, &num_stopped);
		if (!err && num_stopped)
			code = etw_session_try(session, name, &properties);
	}
	if (!err && code == ETW_ERROR_ALREADY_EXISTS) {
		err = random_bytes_fill(&properties.guid, sizeof(properties.guid));
		if (!err)
			code = etw_session_try(session, name, &properties);
	}
	if (err || !code)
		return err;
	return etw_error(code, "cannot start a session of ETW");
}

static struct error *etw_session_set(const struct etw_session *session, enum etw_class class,
				     const void *info, size_t size, const char *what)
{
	uint32_t code = session->calls->set(session->calls->context, session->handle, class, info,
					    (uint32_t)size);
	return code ? etw_error(code, "cannot %s", what) : NULL;
}

static struct error *etw_session_set_stacks(const struct etw_session *session,
					    const struct etw_session_plan *plan)
{
	struct etw_event_id events[3];
	size_t num = 0;
	bool has_counters = false;
	for (size_t i = 0; i < plan->num_sampled; i++)
		has_counters |= plan->sampled[i].source != ETW_SOURCE_TIMER;
	if (plan->num_sampled)
		events[num++] = (struct etw_event_id){ETW_GUID_PERF_INFO, ETW_EVENT_SAMPLE, {0}};
	if (has_counters)
		events[num++] =
			(struct etw_event_id){ETW_GUID_PERF_INFO, ETW_EVENT_COUNTER_SAMPLE, {0}};
	if (plan->has_switches)
		events[num++] = (struct etw_event_id){ETW_GUID_THREAD, ETW_EVENT_SWITCH, {0}};
	if (!plan->has_stacks || !num)
		return NULL;
	struct error *err = etw_session_set(session, ETW_CLASS_STACKS, events,
					    num * sizeof(events[0]), "switch stacks on");
	if (err || !plan->caches_stacks)
		return err;
	const struct etw_stack_cache cache = {.is_enabled = 1,
					      .cache_size = STACK_CACHE_SIZE,
					      .num_buckets = STACK_CACHE_BUCKETS};
	return etw_session_set(session, ETW_CLASS_STACK_CACHE, &cache, sizeof(cache),
			       "switch the cache of stacks on");
}

static struct error *etw_session_query_interval(const struct etw_calls *calls,
						struct etw_interval *interval)
{
	uint32_t size = 0;
	uint32_t code = calls->query(calls->context, 0, ETW_CLASS_INTERVAL, interval,
				     sizeof(*interval), &size);
	return code ? etw_error(code, "cannot read the sampling interval of source %u",
				interval->source)
		    : NULL;
}

/** @ret: as Windows set it. */
static struct error *etw_session_set_interval(struct etw_session *session,
					      struct etw_sampled sampled, struct etw_interval *ret)
{
	const struct etw_calls *calls = session->calls;
	struct etw_interval old = {.source = sampled.source};
	struct error *err = etw_session_query_interval(calls, &old);
	*ret = old;
	if (err || !sampled.interval || sampled.interval == old.interval)
		return err;
	err = etw_journal_note_interval(&session->journal, old);
	if (err)
		return err;
	const struct etw_interval wanted = {sampled.source, sampled.interval};
	uint32_t code = calls->set(calls->context, 0, ETW_CLASS_INTERVAL, &wanted, sizeof(wanted));
	if (code)
		return etw_error(code, "cannot set the sampling interval of source %u to %u",
				 wanted.source, wanted.interval);
	return etw_session_query_interval(calls, ret);
}

// What sampled before is set back if Windows says what that was. Sessions of others that start
// later choose their own.
static struct error *etw_session_set_sampled(struct etw_session *session, const uint32_t *sources,
					     size_t num)
{
	const struct etw_calls *calls = session->calls;
	uint32_t old[ETW_UNDO_MAX], size = 0;
	uint32_t code =
		calls->query(calls->context, 0, ETW_CLASS_SOURCE_CONFIG, old, sizeof(old), &size);
	if (code && code != ETW_ERROR_INVALID_PARAMETER && code != ETW_ERROR_NOT_SUPPORTED)
		return etw_error(code, "cannot query which sources are sampled");
	size_t num_old = code || size > sizeof(old) ? 0 : size / sizeof(old[0]);
	struct error *err =
		num_old ? etw_journal_note_sampled(&session->journal, old, num_old) : NULL;
	if (err)
		return err;
	code = calls->set(calls->context, 0, ETW_CLASS_SOURCE_CONFIG, sources,
			  (uint32_t)(num * sizeof(sources[0])));
	return code ? etw_error(code, "cannot sample %zu events of the CPU", num) : NULL;
}

static struct error *etw_session_set_sources(struct etw_session *session,
					     const struct etw_session_plan *plan)
{
	uint32_t sources[ETW_UNDO_MAX];
	size_t num = 0;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < plan->num_sampled; i++) {
		struct etw_interval *set = &session->sampled[session->num_sampled++];
		err = etw_session_set_interval(session, plan->sampled[i], set);
		if (plan->sampled[i].source != ETW_SOURCE_TIMER)
			sources[num++] = plan->sampled[i].source;
	}
	return err || !num ? err : etw_session_set_sampled(session, sources, num);
}

static struct error *etw_session_enable(const struct etw_session *session,
					const struct etw_session_plan *plan)
{
	uint32_t masks[ETW_NUM_MASKS] = {ETW_FLAG_PROCESS | ETW_FLAG_THREAD | ETW_FLAG_IMAGE_LOAD};
	for (size_t i = 0; i < plan->num_sampled; i++) {
		if (plan->sampled[i].source == ETW_SOURCE_TIMER)
			masks[0] |= ETW_FLAG_PROFILE;
		else
			masks[1] |= ETW_FLAG2_COUNTER_PROFILE;
	}
	if (plan->has_switches || plan->num_counted)
		masks[0] |= ETW_FLAG_SWITCH;
	if (plan->has_switches)
		masks[0] |= ETW_FLAG_READY;
	return etw_session_set(session, ETW_CLASS_ENABLE_FLAGS, masks, sizeof(masks),
			       "switch kernel events on");
}

static struct error *etw_session_set_counters(const struct etw_session *session,
					      const struct etw_session_plan *plan)
{
	if (!plan->num_counted)
		return NULL;
	const struct etw_event_id event = {ETW_GUID_THREAD, ETW_EVENT_SWITCH, {0}};
	struct error *err = etw_session_set(session, ETW_CLASS_COUNTERS, plan->counted,
					    plan->num_counted * sizeof(plan->counted[0]),
					    "read counters at context switches");
	return err ? err
		   : etw_session_set(session, ETW_CLASS_COUNTER_EVENTS, &event, sizeof(event),
				     "read counters at context switches");
}

static struct error *etw_session_run(struct etw_session *session,
				     const struct etw_session_plan *plan)
{
	struct error *err = etw_session_check(session->calls);
	if (!err)
		err = etw_session_check_plan(session->calls, plan);
	if (!err)
		err = etw_session_give_name(session);
	if (!err)
		err = etw_journal_create(&session->journal, session->name);
	if (!err)
		err = etw_session_take_file(session, plan);
	if (!err)
		err = etw_session_begin(session, plan);
	if (!err)
		err = etw_session_set_stacks(session, plan);
	if (!err)
		err = etw_session_set_sources(session, plan);
	if (!err)
		err = etw_session_enable(session, plan);
	if (!err)
		err = etw_session_set_counters(session, plan);
	return err;
}

struct error *etw_session_start(const struct etw_calls *calls, const struct etw_session_plan *plan,
				struct etw_session **ret)
{
	_cleanup_(etw_session_destroyp) struct etw_session *session = calloc(1, sizeof(*session));
	if (!session)
		return &error_no_memory;
	session->calls = calls;
	session->journal = (struct etw_journal)ETW_JOURNAL_INIT;
	struct error *err = etw_session_run(session, plan);
	if (err)
		return err;
	if (plan->keeps_file) {
		free(session->file);
		session->file = NULL;
	}
	*ret = take_ptr(session);
	return NULL;
}

uint32_t etw_session_interval(const struct etw_session *session, uint32_t source)
{
	for (size_t i = 0; i < session->num_sampled; i++)
		if (session->sampled[i].source == source)
			return session->sampled[i].interval;
	return 0;
}

static uint32_t etw_session_control(struct etw_session *session, uint32_t control,
				    struct etw_properties *ret)
{
	*ret = etw_properties_init();
	uint32_t code = session->calls->control(session->calls->context, session->handle, NULL, ret,
						control);
	// It was done; only the names had no room.
	return code == ETW_ERROR_MORE_DATA ? 0 : code;
}

struct error *etw_session_flush(struct etw_session *session)
{
	struct etw_properties properties;
	uint32_t code = etw_session_control(session, ETW_CONTROL_FLUSH, &properties);
	return code ? etw_error(code, "cannot flush the session") : NULL;
}

struct error *etw_session_stop(struct etw_session *session, struct etw_session_totals *ret)
{
	struct etw_properties properties = {0};
	struct error *err = NULL;
	if (session->is_running) {
		uint32_t code = etw_session_control(session, ETW_CONTROL_STOP, &properties);
		// One that has ended already is no more to be ended.
		session->is_running = code && code != ETW_ERROR_NO_SESSION;
		if (code)
			err = etw_error(code, "cannot end the session of ETW");
	}
	struct error *restored = etw_journal_restore(&session->journal, session->calls);
	if (err)
		error_destroy(restored);
	else
		err = restored;
	if (err)
		return err;
	*ret = (struct etw_session_totals){
		.events_lost = properties.events_lost,
		.buffers_lost =
			(uint64_t)properties.log_buffers_lost + properties.real_time_buffers_lost,
	};
	return NULL;
}

void etw_session_destroy(struct etw_session *session)
{
	if (!session)
		return;
	struct etw_session_totals totals;
	error_destroy(etw_session_stop(session, &totals));
	// Windows has the file of a session that could not be ended; etw_session_clean() goes on.
	if (session->file && !session->is_running)
		file_path_remove(session->file);
	etw_journal_close(&session->journal, session->is_running);
	free(session->file);
	free(session);
}
