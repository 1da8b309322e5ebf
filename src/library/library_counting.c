// SPDX-License-Identifier: Apache-2.0
// A count is opened as `wperf stat` does it: words become a request (count_setup.h), the request
// tables (stat_tables.h) and an open source (counting.h). What the caller passed is copied first,
// as a command may be started much later. From then on start, stop and read are the source's own,
// with no memory of ours allocated: see session/counting.h.

#include "library/library_counting.h"

#include "base/file/memory_stream.h"
#include "base/os/clock.h"
#include "base/thread/thread.h"
#include "library/library_config.h"
#include "library/library_error.h"
#include "report/stat/stat_notes.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PROGRESS_NS = 200000000 }; // five times a second

static void library_counting_closep(struct wperf_count **count)
{
	wperf_count_close(*count);
}

static struct error *copy_command(struct wperf_count *count, char *const *command)
{
	size_t num_words = 0;
	while (command[num_words])
		num_words++;
	if (!num_words)
		return error_create(ERROR_USAGE, "the command has no words");
	char **words = arena_alloc_array(&count->arena, num_words + 1, sizeof(*words));
	if (!words)
		return &error_no_memory;
	for (size_t i = 0; i < num_words; i++) {
		words[i] = arena_strdup(&count->arena, command[i]);
		if (!words[i])
			return &error_no_memory;
	}
	words[num_words] = NULL;
	count->asked.command = words;
	return NULL;
}

static struct error *add_word(struct wperf_count *count, bool is_metric, const char *spec)
{
	if (!spec)
		return NULL;
	struct run_words *words = &count->asked.words;
	struct counted_word *word = &count->words[words->num_counted++];
	word->is_metric = is_metric;
	word->spec = arena_strdup(&count->arena, spec);
	words->counted = count->words;
	return word->spec ? NULL : &error_no_memory;
}

static struct error *copy_words(struct wperf_count *count, const struct wperf_count_config *config)
{
	struct run_words *words = &count->asked.words;
	struct error *err = add_word(count, false, config->events);
	if (!err)
		err = add_word(count, true, config->metrics);
	if (!err && config->cores) {
		words->cores = arena_strdup(&count->arena, config->cores);
		err = words->cores ? NULL : &error_no_memory;
	}
	if (!err && config->period_ms) {
		count->config[0] =
			arena_printf(&count->arena, "count.period=%" PRIu32, config->period_ms);
		words->config = count->config;
		words->num_config = 1;
		err = count->config[0] ? NULL : &error_no_memory;
	}
	return err;
}

static struct error *choose_scope(struct wperf_count *count, enum wperf_scope scope)
{
	if (scope > WPERF_SCOPE_THREAD)
		return error_create(ERROR_USAGE, "not a scope: %d", (int)scope);
	if (scope == WPERF_SCOPE_MACHINE)
		return NULL;
	count->asked.pids = arena_printf(&count->arena, "%" PRIu32, (uint32_t)thread_own_process());
	if (scope == WPERF_SCOPE_THREAD) {
		count->asked.only_thread = thread_own_number();
		count->asked.per_thread = true;
	}
	return count->asked.pids ? NULL : &error_no_memory;
}

static struct error *choose_target(struct wperf_count *count,
				   const struct wperf_count_config *config)
{
	const struct session *session = &count->session->session;
	bool is_of_processes = config->pids || (!config->command && config->scope);
	if (is_of_processes && !session->info.counts_processes)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source '%s' counts whole cores, not processes",
						    session->source->ops->traits.name),
				       "choose cores, with WPERF_SCOPE_MACHINE");
	struct error *err = config->command ? copy_command(count, config->command) : NULL;
	if (err || !config->pids)
		return err || config->command ? err : choose_scope(count, config->scope);
	count->asked.pids = arena_strdup(&count->arena, config->pids);
	return count->asked.pids ? NULL : &error_no_memory;
}

/** Warnings come among those of the session, which there are more and more of. */
static struct error *find_events(struct wperf_count *count)
{
	struct string_builder *warnings = &count->session->session.warnings;
	size_t length = warnings->length;
	struct error *err = count_setup_find_events(&count->setup, &count->asked);
	string_builder_append(&count->warnings, string_builder_peek(warnings) + length);
	return err;
}

static struct error *open_count(struct wperf_count *count, const struct wperf_count_config *config)
{
	struct session *session = &count->session->session;
	count->asked.kernel = config->with_kernel;
	count->asked.channel = COUNT_ALL_CHANNELS;
	count->setup.session = session;
	struct error *err = copy_words(count, config);
	if (!err)
		err = choose_target(count, config);
	if (!err)
		err = find_events(count);
	if (!err)
		err = count_setup_finish(&count->setup);
	if (!err)
		err = stat_tables_create(session, &count->setup.request,
					 count->setup.config.plan.kernel, 0,
					 count->setup.target_name, false, &count->tables);
	if (!err)
		err = wake_event_init(&count->cancel);
	count->setup.config.stop = &count->cancel;
	return err ? err : counting_create(session->source, &count->setup.config, &count->counting);
}

struct wperf_error *wperf_count_open(struct wperf_session *session,
				     const struct wperf_count_config *config,
				     struct wperf_count **ret)
{
	struct wperf_count_config taken;
	if (!library_config_take(config, &taken, sizeof(taken)))
		return library_error_give(library_error_of_size("wperf_count_config"));
	struct error *err = library_session_take(session);
	if (err)
		return library_error_give(err);
	_cleanup_(library_counting_closep) struct wperf_count *count = calloc(1, sizeof(*count));
	if (!count) {
		library_session_release(session);
		return library_error_give(&error_no_memory);
	}
	count->session = session;
	count->cancel = (struct wake_event)WAKE_EVENT_INIT;
	err = open_count(count, &taken);
	if (!err)
		*ret = take_ptr(count);
	return library_error_give(err);
}

void wperf_count_close(struct wperf_count *count)
{
	if (!count)
		return;
	counting_destroy(count->counting);
	counting_result_deinit(&count->result);
	stat_tables_deinit(&count->tables);
	count_setup_deinit(&count->setup);
	wake_event_deinit(&count->cancel);
	string_builder_deinit(&count->warnings);
	string_builder_deinit(&count->notes);
	arena_deinit(&count->arena);
	library_session_release(count->session);
	free(count);
}

/** The setup's notes of columns, behind the warnings. */
static struct error *write_notes(struct wperf_count *count)
{
	_cleanup_(memory_stream_deinit) struct memory_stream notes = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&notes);
	if (err)
		return err;
	stat_notes_print(&count->setup, notes.stream);
	err = memory_stream_close(&notes);
	if (!err)
		string_builder_append(&count->notes, notes.text);
	return err;
}

const char *wperf_count_notes(struct wperf_count *count)
{
	string_builder_deinit(&count->notes);
	string_builder_append(&count->notes, string_builder_peek(&count->warnings));
	// Without memory there are no notes either.
	error_destroy(write_notes(count));
	return string_builder_peek(&count->notes);
}

struct wperf_error *wperf_count_start(struct wperf_count *count)
{
	count->has_begun = true;
	struct error *err = counting_stop(count->counting);
	if (!err)
		err = counting_begin(count->counting, COUNTING_FOREVER);
	return library_error_give(err);
}

struct wperf_error *wperf_count_stop(struct wperf_count *count)
{
	struct error *err = counting_stop(count->counting);
	return library_error_give(err ? err : counting_collect(count->counting));
}

static struct error *not_begun(void)
{
	return error_with_hint(error_create(ERROR_USAGE, "the count has not begun"),
			       "call wperf_count_start() first");
}

struct wperf_error *wperf_count_resume(struct wperf_count *count)
{
	return library_error_give(count->has_begun ? counting_resume(count->counting)
						   : not_begun());
}

/** False: the caller wants it to end. */
static bool tell_progress(const struct wperf_watch *watch, uint64_t waited_ns, uint64_t duration_ns)
{
	const struct wperf_progress progress = {
		.elapsed_ns = waited_ns,
		.done = waited_ns,
		.whole = duration_ns,
	};
	return !watch || !watch->progress || watch->progress(watch->data, &progress);
}

static struct error *library_counting_wait(struct wperf_count *count, uint64_t duration_ns,
					   const struct wperf_watch *watch)
{
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t step_ns = watch && watch->progress ? PROGRESS_NS : UINT64_MAX;
	bool is_over = false, is_wanted = true;
	struct error *err = NULL;
	counting_limit(count->counting, duration_ns);
	while (!err && !is_over && is_wanted) {
		err = counting_wait(count->counting, step_ns, &is_over);
		bool is_done =
			is_over && duration_ns && counting_end(count->counting) == TARGET_TIME_UP;
		is_wanted = err || tell_progress(watch,
						 is_done ? duration_ns
							 : clock_ns(CLOCK_MONOTONIC) - began_ns,
						 duration_ns);
	}
	if (!err && counting_end(count->counting) == TARGET_INTERRUPTED) {
		wake_event_clear(&count->cancel);
		return library_error_cancelled();
	}
	if (!err && !is_over)
		return library_error_cancelled();
	return err ? err : counting_collect(count->counting);
}

struct wperf_error *wperf_count_wait(struct wperf_count *count, uint64_t duration_ns,
				     const struct wperf_watch *watch)
{
	// A command waits for the start, and would never end.
	struct error *err =
		count->has_begun ? library_counting_wait(count, duration_ns, watch) : not_begun();
	return library_error_give(err);
}

void wperf_count_cancel(struct wperf_count *count)
{
	wake_event_set(&count->cancel);
}

struct wperf_error *wperf_count_read(struct wperf_count *count)
{
	struct error *err = counting_read(count->counting, &count->result);
	if (!err)
		err = stat_tables_take(&count->tables, &count->result);
	count->has_numbers = err == NULL;
	return library_error_give(err);
}

uint64_t wperf_count_elapsed_ns(const struct wperf_count *count)
{
	return counting_elapsed_ns(count->counting);
}

int wperf_count_exit_code(const struct wperf_count *count)
{
	const struct target_command_end end = counting_command_end(count->counting);
	return end.has_ended ? end.exit_code : -1;
}
