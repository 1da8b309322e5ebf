// SPDX-License-Identifier: Apache-2.0
// The thread owns the sampling from start to end: it begins, goes round after round and finishes.
// The caller's threads only wait for its phases, and read its numbers, which are atomic. Once it is
// joined, everything is the caller's again: names are looked up, the recording is finished and the
// profile taken by wperf_sampling_stop(), in this order, as the recording takes names along.
//
// A simulated machine has no thread: its time passes in wperf_sampling_wait(), round by round.

#include "library/library_sampling.h"

#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "library/library_error.h"
#include "library/library_profile.h"
#include "library/library_session.h"
#include "report/notes/diagnostics.h"
#include "report/sample/sample_result.h"

#include <stdio.h>

enum {
	ROUND_NS = 20000000, // a stop is noticed between rounds
	SIMULATED_ROUND_NS = 100000000,
	PROGRESS_NS = 100000000,
	NOTE_NS = 50000000, // between two looks at the numbers
};

static void set_phase(struct wperf_sampling *sampling, enum library_sampling_phase phase)
{
	atomic_store(&sampling->phase, phase);
	wake_event_set(&sampling->news);
}

/** What the caller may read while it goes on. */
static void note_numbers(struct wperf_sampling *sampling)
{
	struct sampling_state state = sampling_state(sampling->sampling);
	atomic_store(&sampling->elapsed_ns, state.elapsed_ns);
	atomic_store(&sampling->num_samples, state.totals.num_generated - state.totals.num_lost);
	atomic_store(&sampling->num_lost, state.totals.num_lost);
}

static struct error *begin_sampling(struct wperf_sampling *sampling, uint64_t duration_ns)
{
	struct error *err = sampling_begin(sampling->sampling, duration_ns);
	if (!err && sampling->file)
		recording_file_begin(sampling->file, false);
	return err;
}

static struct error *take_rounds(struct wperf_sampling *sampling)
{
	struct error *err = NULL;
	bool is_over = false;
	uint64_t due_ns = 0;
	while (!err && !is_over && !atomic_load(&sampling->is_stopping)) {
		err = sampling_round(sampling->sampling, ROUND_NS, &is_over);
		// Where samples wake us, there are thousands of rounds a second.
		uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
		if (now_ns < due_ns)
			continue;
		note_numbers(sampling);
		due_ns = now_ns + NOTE_NS;
	}
	return err ? err : sampling_finish(sampling->sampling);
}

void library_sampling_take(void *data)
{
	struct wperf_sampling *sampling = data;
	struct error *err = NULL;
	while (!err && !atomic_load(&sampling->is_stopping) &&
	       atomic_load(&sampling->phase) == LIBRARY_SAMPLING_PREPARED) {
		enum interrupt_wake wake;
		err = interrupt_wait(sampling->begin.fd, INTERRUPT_NO_TIMEOUT, &wake);
	}
	if (!err && !atomic_load(&sampling->is_stopping)) {
		err = begin_sampling(sampling, SAMPLING_FOREVER);
		if (!err) {
			set_phase(sampling, LIBRARY_SAMPLING_BEGUN);
			err = take_rounds(sampling);
			note_numbers(sampling);
		}
	}
	sampling->err = err;
	set_phase(sampling, LIBRARY_SAMPLING_OVER);
}

void library_sampling_end_thread(struct wperf_sampling *sampling)
{
	atomic_store(&sampling->is_stopping, true);
	if (sampling->thread)
		wake_event_set(&sampling->begin);
	thread_join(sampling->thread);
	sampling->thread = NULL;
}

/** In a forked child there is neither the thread nor what it reads. */
static struct error *check_process(const struct wperf_sampling *sampling)
{
	if (sampling->process == thread_own_process())
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "the sampling is that of process %u",
					    sampling->process),
			       "a forked process opens its own");
}

static struct error *await_begin(struct wperf_sampling *sampling)
{
	atomic_store(&sampling->phase, LIBRARY_SAMPLING_ASKED_FOR);
	wake_event_set(&sampling->begin);
	struct error *err = NULL;
	while (!err && atomic_load(&sampling->phase) == LIBRARY_SAMPLING_ASKED_FOR) {
		enum interrupt_wake wake;
		err = interrupt_wait(sampling->news.fd, INTERRUPT_NO_TIMEOUT, &wake);
		wake_event_clear(&sampling->news);
	}
	if (err || atomic_load(&sampling->phase) != LIBRARY_SAMPLING_OVER)
		return err;
	return take_ptr(sampling->err);
}

static struct error *library_sampling_start(struct wperf_sampling *sampling)
{
	struct error *err = check_process(sampling);
	if (err)
		return err;
	if (sampling->has_started)
		return error_with_hint(error_create(ERROR_USAGE, "the sampling was started before"),
				       "open another one");
	sampling->has_started = true;
	err = sampling->thread ? await_begin(sampling) : begin_sampling(sampling, UINT64_MAX);
	// What could not begin has nothing to give.
	sampling->has_stopped = err != NULL;
	if (!err && !sampling->thread)
		set_phase(sampling, LIBRARY_SAMPLING_BEGUN);
	return err;
}

struct wperf_error *wperf_sampling_start(struct wperf_sampling *sampling)
{
	return library_error_give(library_sampling_start(sampling));
}

/** A wait, and what the caller wants to know of it. */
struct sampling_wait {
	const struct wperf_watch *watch; /* or NULL */
	uint64_t duration_ns;            /* UINT64_MAX: without an end */
	uint64_t began_ns, told_ns;
};

static struct error *tell_progress(struct wperf_sampling *sampling, struct sampling_wait *wait)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	bool is_asked = wait->watch && wait->watch->progress;
	if (!is_asked || now_ns - wait->told_ns < PROGRESS_NS)
		return NULL;
	wait->told_ns = now_ns;
	const struct wperf_progress progress = {
		.elapsed_ns = atomic_load(&sampling->elapsed_ns),
		.num_samples = atomic_load(&sampling->num_samples),
		.num_lost = atomic_load(&sampling->num_lost),
		.done = now_ns - wait->began_ns,
		.whole = wait->duration_ns == UINT64_MAX ? 0 : wait->duration_ns,
	};
	return wait->watch->progress(wait->watch->data, &progress) ? NULL
								   : library_error_cancelled();
}

static struct error *check_cancel(struct wperf_sampling *sampling)
{
	return atomic_exchange(&sampling->is_cancelled, false) ? library_error_cancelled() : NULL;
}

static struct error *wait_for_thread(struct wperf_sampling *sampling, struct sampling_wait *wait)
{
	for (;;) {
		struct error *err = check_cancel(sampling);
		if (!err)
			err = tell_progress(sampling, wait);
		if (err || atomic_load(&sampling->phase) == LIBRARY_SAMPLING_OVER)
			return err;
		uint64_t passed_ns = clock_ns(CLOCK_MONOTONIC) - wait->began_ns;
		if (passed_ns >= wait->duration_ns)
			return NULL;
		uint64_t left_ns = wait->duration_ns - passed_ns;
		bool is_watched = wait->watch && wait->watch->progress;
		if (is_watched && left_ns > PROGRESS_NS)
			left_ns = PROGRESS_NS;
		enum interrupt_wake wake;
		err = interrupt_wait(sampling->news.fd, left_ns, &wake);
		if (err)
			return err;
		// Before the flags are read again: who sets one after that sets it, too.
		wake_event_clear(&sampling->news);
	}
}

/** Its time passes at once; without an end it goes along with ours. */
static struct error *simulate(struct wperf_sampling *sampling, struct sampling_wait *wait)
{
	uint64_t left_ns = wait->duration_ns;
	struct error *err = check_cancel(sampling);
	while (!err && left_ns) {
		uint64_t round_ns = left_ns < SIMULATED_ROUND_NS ? left_ns : SIMULATED_ROUND_NS;
		enum interrupt_wake wake;
		bool is_over;
		if (wait->duration_ns == UINT64_MAX)
			err = interrupt_wait(sampling->news.fd, round_ns, &wake);
		wake_event_clear(&sampling->news);
		if (!err)
			err = check_cancel(sampling);
		if (!err)
			err = sampling_round(sampling->sampling, round_ns, &is_over);
		note_numbers(sampling);
		if (!err)
			err = tell_progress(sampling, wait);
		left_ns -= wait->duration_ns == UINT64_MAX ? 0 : round_ns;
	}
	return err;
}

static struct error *library_sampling_wait(struct wperf_sampling *sampling, uint64_t duration_ns,
					   const struct wperf_watch *watch)
{
	struct error *err = check_process(sampling);
	if (err)
		return err;
	if (!sampling->has_started || sampling->has_stopped)
		return error_with_hint(error_create(ERROR_USAGE, "the sampling does not run"),
				       "wait between its start and its stop");
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	struct sampling_wait wait = {
		.watch = watch,
		.duration_ns = duration_ns ? duration_ns : UINT64_MAX,
		.began_ns = now_ns,
		.told_ns = now_ns,
	};
	return sampling->thread ? wait_for_thread(sampling, &wait) : simulate(sampling, &wait);
}

struct wperf_error *wperf_sampling_wait(struct wperf_sampling *sampling, uint64_t duration_ns,
					const struct wperf_watch *watch)
{
	return library_error_give(library_sampling_wait(sampling, duration_ns, watch));
}

void wperf_sampling_cancel(struct wperf_sampling *sampling)
{
	atomic_store(&sampling->is_cancelled, true);
	wake_event_set(&sampling->news);
}

bool wperf_sampling_is_over(const struct wperf_sampling *sampling)
{
	return atomic_load(&sampling->phase) == LIBRARY_SAMPLING_OVER;
}

/** What it lacks, and why, of those who write it. NULL: nothing, or there is none. */
static const struct error *recording_failure(const struct wperf_sampling *sampling)
{
	return sampling->file ? recording_file_failure(sampling->file) : NULL;
}

/** Also if names could not be found, or samples not be taken to the end: what there is, is kept. */
static struct error *finish_recording(struct wperf_sampling *sampling,
				      struct symbolizer *symbolizer)
{
	if (!sampling->file)
		return NULL;
	struct error *err = recording_file_finish(sampling->file, sampling->setup.builder,
						  symbolizer, sampling->asked.command_line);
	const struct error *failure = recording_failure(sampling);
	if (err || !failure)
		return err;
	err = error_create(ERROR_FAILED, "the recording '%s' is not complete: %s",
			   sampling->recording, failure->message);
	return failure->hint ? error_with_hint(err, "%s", failure->hint) : err;
}

/** Lines that came up on the way to the profile, in their order. */
static struct error *write_notes(const struct wperf_sampling *sampling,
				 const struct sample_result *result,
				 const struct error *recording_err, FILE *stream)
{
	const struct string_builder *warnings = &sampling->setup.session->warnings;
	diagnostics_print_notes(string_builder_peek(warnings) + sampling->warnings_before, stream);
	diagnostics_print_notes(string_builder_peek(&sampling->setup.notes), stream);
	struct error *err = sample_result_print_notes(result, stream);
	if (recording_err) {
		fputs("warning: ", stream);
		diagnostics_print_reason(recording_err->message, recording_err->hint, stream);
	}
	return err;
}

/** @recording_err: or NULL. */
static struct error *take_profile(struct wperf_sampling *sampling, struct symbolizer *symbolizer,
				  const struct error *recording_err, struct wperf_profile **ret)
{
	_cleanup_(library_profile_closep) struct wperf_profile *profile = NULL;
	_cleanup_(sample_result_deinit) struct sample_result result = {
		.setup = &sampling->setup,
		.sampling = sampling->sampling,
		.symbolizer = symbolizer,
	};
	struct error *err = library_profile_create(&profile);
	if (!err)
		err = sample_result_take_profile(&result);
	if (!err)
		err = write_notes(sampling, &result, recording_err, profile->notes.stream);
	if (!err)
		err = library_profile_finish(profile);
	if (err)
		return err;
	profile->profile = result.profile;
	result.profile = (struct named_profile){0};
	profile->keeps_times = sampling->asked.keeps_samples;
	*ret = take_ptr(profile);
	return NULL;
}

/** The profile is worth more than the recording: who gets one finds the failure in its notes. */
static struct error *finish_sampling(struct wperf_sampling *sampling, struct wperf_profile **ret)
{
	_cleanup_(symbolizer_destroyp) struct symbolizer *symbolizer = NULL;
	struct error *err = sample_setup_symbolizer(&sampling->setup, &symbolizer);
	if (!err)
		err = profile_builder_name(sampling->setup.builder, symbolizer);
	_cleanup_(error_destroyp) struct error *recording_err =
		finish_recording(sampling, err ? NULL : symbolizer);
	if (!err && ret)
		return take_profile(sampling, symbolizer, recording_err, ret);
	return err ? err : take_ptr(recording_err);
}

static struct error *library_sampling_stop(struct wperf_sampling *sampling,
					   struct wperf_profile **ret)
{
	struct error *err = check_process(sampling);
	if (err)
		return err;
	if (!sampling->has_started || sampling->has_stopped)
		return error_with_hint(error_create(ERROR_USAGE, "the sampling does not run"),
				       "stop it once, after its start");
	bool is_simulated = !sampling->thread;
	library_sampling_end_thread(sampling);
	sampling->has_stopped = true;
	err = is_simulated ? sampling_finish(sampling->sampling) : take_ptr(sampling->err);
	if (!err)
		return finish_sampling(sampling, ret);
	error_destroy(finish_recording(sampling, NULL));
	return err;
}

struct wperf_error *wperf_sampling_stop(struct wperf_sampling *sampling, struct wperf_profile **ret)
{
	return library_error_give(library_sampling_stop(sampling, ret));
}

int wperf_sampling_exit_code(const struct wperf_sampling *sampling)
{
	// Until it is over, the target is the thread's.
	if (!wperf_sampling_is_over(sampling))
		return -1;
	const struct target_command_end end = sampling_state(sampling->sampling).command;
	return end.has_ended ? end.exit_code : -1;
}
