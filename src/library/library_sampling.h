/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_LIBRARY_SAMPLING_H
#define WPERF_LIBRARY_LIBRARY_SAMPLING_H

/** A sampling, as library_sampling.c opens it and library_sampling_run.c runs it. */

#include "base/container/arena.h"
#include "base/thread/thread.h"
#include "base/thread/wake_event.h"
#include "library/wperf.h"
#include "session/setup/sample_setup.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum library_sampling_phase {
	LIBRARY_SAMPLING_PREPARED,
	LIBRARY_SAMPLING_ASKED_FOR, /* the thread is to begin */
	LIBRARY_SAMPLING_BEGUN,
	LIBRARY_SAMPLING_OVER, /* the target has ended, it was stopped, or something failed */
};

struct wperf_sampling {
	struct wperf_session *session;
	bool has_session;   /* to be given back */
	uint32_t process;   /* that has opened it: a forked child has neither thread nor rings */
	struct arena arena; /* what the caller's configuration said */
	struct counted_word word;
	struct sample_request asked;
	struct session stand_in; /* where the default source cannot sample; else without a source */
	size_t warnings_before;  /* in the session's, those of others */
	const char *recording;   /* or NULL */
	struct sample_setup setup;
	struct sampling *sampling;
	struct recording_file *file; /* or NULL */
	bool has_started, has_stopped;

	/* Between the threads; a simulated machine has no thread, as its time stands still. */
	struct thread *thread;
	struct wake_event begin; /* for the thread */
	struct wake_event news;  /* for the caller: a new phase, or it is cancelled */
	_Atomic enum library_sampling_phase phase;
	atomic_bool is_stopping, is_cancelled;
	_Atomic uint64_t elapsed_ns, num_samples, num_lost;
	struct error *err; /* of the thread, once it is over; or NULL */
};

/** The thread: waits until it is to begin, then takes samples until it is over. */
void library_sampling_take(void *sampling);

/** The thread has ended then; it need not have begun. */
void library_sampling_end_thread(struct wperf_sampling *sampling);

#endif
