/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_SAMPLE_SETUP_H
#define WPERF_SESSION_SETUP_SAMPLE_SETUP_H

/**
 * What sampling commands begin with: from what the user asked for to a plan and an empty profile
 * builder.
 */

#include "interpreter/interpreted_choice.h"
#include "session/profile_builder.h"
#include "session/sampling.h"
#include "session/session.h"
#include "session/setup/run_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_path;

#define SAMPLE_FREQUENCY_MAX UINT32_MAX /* as often as the source can */

/** What the user asked for. */
struct sample_request {
	struct run_words words;
	bool keeps_samples; /* each with its time, not only their sums */
	bool keeps_none;    /* there is only a recording of them */
	bool keeps_idle;    /* samples of idle CPUs are samples like others */
	bool with_spe;      /* what SPE has to say of its operations */
	bool kernel, off_cpu;
	bool wakers;        /* with off_cpu: also who ends it */
	bool branches;      /* the processor's records of them */
	uint32_t frequency; /* 0: the source's default */

	char *const *command; /* to start and to sample, ends with NULL; or NULL */
	char *const *clock;   /* without it: only says for how long; or NULL */
	enum child_output command_output;
	const char *pids;         /* "12,34": these processes; or NULL */
	uint32_t only_thread;     /* of these processes, this one alone; 0: all */
	uint32_t left_out_thread; /* of these processes, all but this one; 0: none */
	const char *process_name; /* without pids: all of this name; or NULL */
	const char *sysroot;      /* where the files of the target are; or NULL */
	uint64_t delay_ns;        /* before the command is sampled */

	bool has_callers;
	const char *unwind_method; /* fp, cfi or lbr, and ",BYTES" of stack; NULL: cfi */
	uint32_t stack_bytes;      /* of each sample; 0: as much as is needed */

	const char *interpreted; /* mixed, only or native; NULL: as the target is */
	bool tries_interpreted;  /* whatever the target is; without a mode */
	bool only_with_gil;
	bool by_task;       /* stacks of interpreted code begin with the task that ran */
	bool stops;         /* threads, while their interpreted stack is read */
	bool is_live;       /* samples are shown while more come */
	bool raises_limits; /* of this process, which is ours alone: that of open files */

	struct symbol_path *symbol_path; /* or NULL */
	bool with_full_names;
	bool without_lines; /* of native code: reading debug information costs time and memory */
	/** For who runs for long: symbolizer_config.max_file_bytes, and
	 *  profile_builder_config.max_table_bytes. 0: no limit. */
	uint64_t max_file_bytes, max_table_bytes;
	char *const *command_line; /* of wperf, for the recording */
};

struct sample_setup {
	const struct sample_request *asked;
	struct session *session; /* borrowed */
	struct run_request request;
	struct sampling_config config;
	struct profile_builder *builder;
	struct interpreted_choice interpreted;
	struct string_builder notes; /* lines for the user; the session has its own */
	/* private */
	uint32_t *pids;
	struct symbolizer_name *names; /* of the source's own code */
	size_t num_names;
};

/**
 * Find the events that are wanted, in the open session of the setup, which is set before, and must
 * outlive it as @asked must.
 * @setup is ended with sample_setup_deinit() also after a failure.
 */
struct error *sample_setup_find_events(struct sample_setup *setup,
				       const struct sample_request *asked);

/** Find the target, and make the plan and the profile builder. Nothing is started. */
struct error *sample_setup_finish(struct sample_setup *setup);

void sample_setup_deinit(struct sample_setup *setup);

/** A source that samples cores, not processes, can do so with one at a time: is there no such one?
 */
bool sample_setup_lacks_core(const struct sample_setup *setup);

/**
 * Once sampling is open: the recording of it. Nothing is in its place yet: see recording_file.h.
 * @ret: the caller gives it to sampling_save().
 */
struct error *sample_setup_create_file(const struct sample_setup *setup, const char *path,
				       struct recording_file **ret);

/** The same with several files, or of the last samples.
 *  @config: without its events, which are filled in. @ret: for sampling_record(). */
struct error *sample_setup_create_recorder(const struct sample_setup *setup,
					   const struct recorder_config *config,
					   struct recorder **ret);

/** A machine that plays itself has a program of its own, whatever command was said. */
bool sample_setup_is_simulated(const struct sample_setup *setup);

/** Once sampling is open: names for what it records. The setup must outlive it. Another call needs
 *  the symbolizer of the one before to be destroyed. */
struct error *sample_setup_symbolizer(struct sample_setup *setup, struct symbolizer **ret);

/**
 * An empty profile builder in place of the setup's, for sampling_renew().
 * @ret_old: the one before, which is the caller's from now on; set only on success.
 */
struct error *sample_setup_renew_builder(struct sample_setup *setup,
					 struct profile_builder **ret_old);

#endif
