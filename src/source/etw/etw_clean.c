// SPDX-License-Identifier: Apache-2.0
// First the sessions, as these write the files and use the sources; then the journals, which say
// what intervals were and which files there are; then registered sources. What a journal says is
// checked, as whoever writes files of the user could have written it, and wperf may have more
// rights: only intervals that Windows offers, and only files that are called as ours are. What was
// recorded stays, and the user is told where.

#include "base/file/file_name.h"
#include "base/file/remote_path.h"
#include "record/etl/file/etl_stream.h"
#include "source/etw/etw_journal.h"
#include "source/etw/etw_loggers.h"
#include "source/etw/etw_rights.h"
#include "source/etw/etw_session.h"

#include <string.h>

static const char trace_beginning[] = "wperf-", trace_ending[] = ".etl";

struct etw_clean {
	const struct etw_calls *calls;
	struct etw_sources sources;
	struct string_builder *lines, *kept;
	bool only_looks;
	struct error *err; // the first one
};

static void etw_clean_fail(struct etw_clean *clean, struct error *err)
{
	if (clean->err)
		error_destroy(err);
	else
		clean->err = err;
}

static void etw_clean_sessions(struct etw_clean *clean)
{
	_cleanup_(etw_loggers_deinit) struct etw_loggers loggers = {0};
	etw_clean_fail(clean, etw_loggers_list(clean->calls, &loggers));
	for (size_t i = 0; i < loggers.num_items; i++) {
		struct etw_mark mark;
		if (!etw_mark_read(loggers.items[i].name, &mark))
			continue;
		if (etw_mark_is_alive(clean->calls, mark)) {
			if (clean->only_looks)
				string_builder_appendf(
					clean->lines, "a session of process %u, which is running\n",
					mark.pid);
			continue;
		}
		struct error *err = clean->only_looks
					    ? NULL
					    : etw_loggers_stop(clean->calls, &loggers.items[i]);
		if (!err)
			string_builder_appendf(clean->lines,
					       "a session of process %u, which has ended\n",
					       mark.pid);
		etw_clean_fail(clean, err);
	}
}

/** What Windows does not offer is not set. */
static void etw_clean_check_intervals(const struct etw_sources *sources, struct etw_undo *undo)
{
	size_t num = 0;
	for (size_t i = 0; i < undo->num_intervals; i++) {
		struct etw_interval old = undo->intervals[i];
		const struct etw_source *source = etw_sources_find(sources, old.source);
		if (source && old.interval >= source->min_interval &&
		    old.interval <= source->max_interval)
			undo->intervals[num++] = old;
	}
	undo->num_intervals = num;
	num = 0;
	for (size_t i = 0; i < undo->num_sampled; i++)
		if (etw_sources_find(sources, undo->sampled[i]))
			undo->sampled[num++] = undo->sampled[i];
	undo->num_sampled = num;
}

static bool etw_clean_is_trace(const char *path)
{
	const char *name = path ? file_name_of(path) : "";
	size_t length = strlen(name), ending = sizeof(trace_ending) - 1;
	return !strncmp(name, trace_beginning, sizeof(trace_beginning) - 1) && length > ending &&
	       !strcmp(name + length - ending, trace_ending) && !path_is_remote(path) &&
	       file_path_kind(path) == FILE_PATH_FILE;
}

/** Is anything in it? */
static bool etw_clean_is_recording(const struct etw_left *left)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	_cleanup_(error_destroyp) struct error *err =
		left->is_recording ? etl_stream_open_growing(left->unsafe_file, &stream) : NULL;
	return left->is_recording && (!err || err->code != ERROR_ABSENT);
}

static void etw_clean_add_lines(struct etw_clean *clean, const struct etw_left *left, bool has_file)
{
	for (size_t i = 0; i < left->undo.num_intervals; i++) {
		struct etw_interval old = left->undo.intervals[i];
		const struct etw_source *source = etw_sources_find(&clean->sources, old.source);
		string_builder_appendf(clean->lines, "the sampling interval of %s, which was %u\n",
				       source ? etw_source_short_name(source) : "?", old.interval);
	}
	if (left->undo.num_sampled)
		string_builder_appendf(clean->lines, "the list of %zu sampled sources\n",
				       left->undo.num_sampled);
	if (has_file && !etw_clean_is_recording(left))
		string_builder_appendf(clean->lines, "the file %s\n", left->unsafe_file);
	else if (has_file && clean->only_looks)
		string_builder_appendf(clean->lines, "the recording %s\n", left->unsafe_file);
	else if (has_file)
		string_builder_appendf(clean->kept, "%s\n", left->unsafe_file);
}

static struct error *etw_clean_journal(void *context, struct etw_left *left)
{
	struct etw_clean *clean = context;
	if (etw_mark_is_alive(clean->calls, left->mark))
		return NULL;
	etw_clean_check_intervals(&clean->sources, &left->undo);
	bool has_file = etw_clean_is_trace(left->unsafe_file);
	struct etw_left all = *left;
	if (!clean->only_looks) {
		struct error *err = etw_undo_apply(clean->calls, &left->undo);
		if (err) {
			etw_clean_fail(clean, err);
			return NULL;
		}
		file_path_remove(left->path);
	}
	etw_clean_add_lines(clean, &all, has_file);
	if (!clean->only_looks && has_file && !etw_clean_is_recording(left))
		file_path_remove(left->unsafe_file);
	return NULL;
}

static void etw_clean_sources(struct etw_clean *clean)
{
	for (size_t i = 0; i < clean->sources.num_items; i++) {
		const struct etw_source *source = &clean->sources.items[i];
		struct etw_mark mark;
		if (!etw_mark_read(source->name, &mark) || etw_mark_is_alive(clean->calls, mark))
			continue;
		struct error *err =
			clean->only_looks ? NULL : etw_sources_unregister(clean->calls, source->id);
		if (!err)
			string_builder_appendf(clean->lines,
					       "the profile source %s of process %u, which has "
					       "ended\n",
					       etw_source_short_name(source), mark.pid);
		etw_clean_fail(clean, err);
	}
}

/** @kept: NULL: only look. */
static struct error *etw_clean_run(const struct etw_calls *calls, struct string_builder *ret,
				   struct string_builder *kept)
{
	struct etw_clean clean = {.calls = calls, .lines = ret, .kept = kept, .only_looks = !kept};
	etw_clean_sessions(&clean);
	// Without the list nothing that a journal says can be checked.
	struct error *err = etw_sources_list(calls, &clean.sources);
	if (!err)
		err = etw_journal_visit(etw_clean_journal, &clean);
	etw_clean_sources(&clean);
	etw_clean_fail(&clean, err);
	etw_sources_deinit(&clean.sources);
	if (!clean.err && (ret->failed || (kept && kept->failed)))
		return &error_no_memory;
	return clean.err;
}

struct error *etw_session_ours(const struct etw_calls *calls, struct string_builder *ret)
{
	return etw_clean_run(calls, ret, NULL);
}

struct error *etw_session_clean(const struct etw_calls *calls, struct string_builder *ret,
				struct string_builder *ret_kept)
{
	struct error *err = etw_session_check(calls);
	return err ? err : etw_clean_run(calls, ret, ret_kept);
}
