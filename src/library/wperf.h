/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_H
#define WPERF_H

/**
 * libwperf: count and sample programs, and read recordings, from within another program.
 *
 *	struct wperf_session *session;
 *	struct wperf_error *error = wperf_session_open(NULL, &session);
 *	if (error)
 *		fprintf(stderr, "%s\n", wperf_error_message(error));
 *
 * What fails returns an error object, which the caller frees; NULL is success. `ret` parameters are
 * set only on success. No call exits, prints, takes over signals, or keeps state of its own outside
 * of the objects: each object belongs to one thread at a time, different sessions may be used in
 * different threads. The calls whose comment says "from any thread" are the exception.
 *
 * Texts are UTF-8. A text, or an item of an object, is valid as long as the object, unless it is
 * said otherwise. Numbers of items count from 0; WPERF_NONE: there is none.
 *
 * A struct that is passed in begins with its size, so that later versions may add members: use its
 * _INIT, then set what is to be different. A struct that is filled in keeps its members for as long
 * as the number in the library's name (libwperf.so.0) stays.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && !defined(WPERF_STATIC)
#ifdef WPERF_BUILDS_LIBRARY
#define WPERF_API __declspec(dllexport)
#else
#define WPERF_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WPERF_API __attribute__((visibility("default")))
#else
#define WPERF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define WPERF_NONE UINT32_MAX

/** "0.1.0": that of the library, which may be newer than the header. */
WPERF_API const char *wperf_library_version(void);

/* ---- Errors ---- */

struct wperf_error;

enum wperf_error_kind {
	WPERF_ERROR_FAILED,
	WPERF_ERROR_USAGE,  /* what was asked for makes no sense */
	WPERF_ERROR_ABSENT, /* nothing has that name */
	WPERF_ERROR_NO_MEMORY,
	WPERF_ERROR_CANCELLED, /* a callback, or wperf_..._cancel(), wanted it to end */
};

WPERF_API enum wperf_error_kind wperf_error_kind_of(const struct wperf_error *error);
/** What failed, and on what; may have several lines. */
WPERF_API const char *wperf_error_message(const struct wperf_error *error);
/** What to do about it; NULL: that is not known. */
WPERF_API const char *wperf_error_hint(const struct wperf_error *error);
WPERF_API void wperf_error_free(struct wperf_error *error); /* NULL is fine */

/* ---- Progress ---- */

struct wperf_progress {
	uint64_t elapsed_ns;            /* since the call began, or the count or sampling */
	uint64_t num_samples, num_lost; /* so far */
	uint64_t done, whole;           /* bytes of a file, or nanoseconds; 0: not known */
};

/** What a long call tells its caller. All zeros: nothing. */
struct wperf_watch {
	/** Some times a second, in the thread of the call. False: the call is to end. */
	bool (*progress)(void *data, const struct wperf_progress *progress);
	void *data;
};

/* ---- Where numbers come from ---- */

struct wperf_source {
	const char *name;    /* "perf", "sim", "driver" ... */
	const char *summary; /* one line */
};

/** False after the last; the first is what a session takes where none is named. */
WPERF_API bool wperf_source_at(size_t number, struct wperf_source *ret);

struct wperf_session;

struct wperf_session_config {
	size_t size;
	const char *source;        /* "sim,cpu=neoverse-v1"; NULL: the first of wperf_source_at() */
	uint32_t core;             /* whose events are listed */
	const char *extra_events;  /* "name:hex,...": see -E of wperf; or NULL */
	const char *metric_file;   /* with own metrics: see -C; or NULL */
	const char *events_folder; /* with tables of CPUs: see --events-dir; or NULL */
	bool forces_lock;          /* takes the driver away from another program */
};

#define WPERF_SESSION_CONFIG_INIT                                                     \
	{                                                                             \
		sizeof(struct wperf_session_config), NULL, 0, NULL, NULL, NULL, false \
	}

/** @config: NULL: the default. @ret: ended by wperf_session_close(). */
WPERF_API struct wperf_error *wperf_session_open(const struct wperf_session_config *config,
						 struct wperf_session **ret);
/** After all counts and samplings of the session are closed. NULL is fine. */
WPERF_API void wperf_session_close(struct wperf_session *session);

/** The machine of the session. */
struct wperf_machine {
	const char *source;      /* "perf" */
	const char *description; /* "simulated neoverse-n1, 8 cores" */
	const char *cpu;         /* "neoverse-n1", if it is a known Arm core; else NULL */
	const char *vendor;      /* of the CPU; NULL: not known */
	uint32_t num_cores;
	uint64_t midr;         /* of the session's core; 0: no Arm core */
	uint32_t num_counters; /* that events of a core share; 0: not known */
	bool can_count, can_sample, has_spe;
};
WPERF_API void wperf_session_machine(const struct wperf_session *session,
				     struct wperf_machine *ret);

/** What the user should know of the session, line after line; "": nothing. */
WPERF_API const char *wperf_session_notes(const struct wperf_session *session);

struct wperf_event {
	const char *name;        /* as the events of a count or sampling are written */
	const char *unit;        /* that counts it: "core", "dsu", "dmc_clk", "perf", "spe" ...;
"spe_filter": it stands between the slashes of arm_spe_0// */
	const char *title;       /* a few words; NULL: none */
	const char *description; /* a sentence or two; may be "" */
	uint64_t code;
};
WPERF_API size_t wperf_session_num_events(const struct wperf_session *session);
/** False: there are not so many. */
WPERF_API bool wperf_session_event_at(const struct wperf_session *session, size_t number,
				      struct wperf_event *ret);

struct wperf_metric {
	const char *name;
	const char *events;      /* that it is computed from, as they are written */
	const char *formula;     /* NULL: it only names events that are counted together */
	const char *unit;        /* "percent of slots"; NULL: none */
	const char *title;       /* NULL: none */
	const char *description; /* NULL: none */
};
WPERF_API size_t wperf_session_num_metrics(const struct wperf_session *session);
WPERF_API bool wperf_session_metric_at(const struct wperf_session *session, size_t number,
				       struct wperf_metric *ret);

/* ---- Counting ---- */

struct wperf_count;

/** What is counted or sampled, if neither processes nor a command are named. */
enum wperf_scope {
	WPERF_SCOPE_MACHINE, /* the cores */
	WPERF_SCOPE_PROCESS, /* this process, and what it starts from now on */
	WPERF_SCOPE_THREAD,  /* the calling thread alone */
};

struct wperf_count_config {
	size_t size;
	const char *events;   /* as after -e: "cycles,{instructions,branches}"; NULL: none */
	const char *metrics;  /* as after -m: "imix,ipc"; NULL: none */
	const char *cores;    /* "0,2-3"; NULL: all */
	const char *pids;     /* "12,34": these processes; or NULL */
	char *const *command; /* to be started and counted, ends with NULL; or NULL */
	enum wperf_scope scope;
	bool with_kernel;   /* CPU events also count the kernel's code, as with -k of wperf */
	uint32_t period_ms; /* of one window, where events take turns; 0: the default */
};

#define WPERF_COUNT_CONFIG_INIT                                                  \
	{                                                                        \
		sizeof(struct wperf_count_config), NULL, NULL, NULL, NULL, NULL, \
			WPERF_SCOPE_MACHINE, false, 0                            \
	}

/**
 * Prepare a count; without events and metrics, of the events that `wperf stat` counts.
 * @ret: ended by wperf_count_close().
 */
WPERF_API struct wperf_error *wperf_count_open(struct wperf_session *session,
					       const struct wperf_count_config *config,
					       struct wperf_count **ret);
/** Also ends a command that still runs. NULL is fine. */
WPERF_API void wperf_count_close(struct wperf_count *count);

/**
 * What the user should know of the count, line after line: what this machine cannot count, or only
 * in part; "": nothing. Valid until the next call.
 */
WPERF_API const char *wperf_count_notes(struct wperf_count *count);

/** Count from 0. A command begins with the first start. */
WPERF_API struct wperf_error *wperf_count_start(struct wperf_count *count);
/** Stop, and keep the numbers. Then start begins anew, resume adds to them. */
WPERF_API struct wperf_error *wperf_count_stop(struct wperf_count *count);
WPERF_API struct wperf_error *wperf_count_resume(struct wperf_count *count);
/**
 * Wait until the time is up, the command or the processes have ended, or it is cancelled; the count
 * goes on. On simulated machines time passes by this call alone, and at once; if the wait has no
 * end, as real time does.
 * @duration_ns: 0: without an end. @watch: or NULL.
 */
WPERF_API struct wperf_error *wperf_count_wait(struct wperf_count *count, uint64_t duration_ns,
					       const struct wperf_watch *watch);
/**
 * End the wait, or the next one if there is none now, with WPERF_ERROR_CANCELLED; from any thread,
 * and from a signal handler. The count goes on.
 */
WPERF_API void wperf_count_cancel(struct wperf_count *count);

/** Take the numbers since the start, which the calls below give until the next one. */
WPERF_API struct wperf_error *wperf_count_read(struct wperf_count *count);

/**
 * The number of one event on one unit: a core, a cluster of cores (events of the DSU), a channel of
 * memory (of the DMC), or a process. All four WPERF_NONE: the sum over all units.
 */
struct wperf_value {
	const char *event;
	const char *metric; /* for which it is counted; NULL: for none */
	const char *unit; /* that `value` is in: "msec", "Joules"; NULL: it is a number of events */
	uint32_t group;   /* of events that are counted at the same time; WPERF_NONE: none */
	uint32_t core, cluster, channel;
	uint32_t pid;    /* with WPERF_SCOPE_THREAD the system's number of the thread */
	bool is_counted; /* else the machine cannot, or it never had its turn; the value is 0 */
	double value;    /* scaled up where events took turns */
	uint64_t raw;    /* as counted */
	uint64_t enabled,
		running; /* time, or windows: how long it should have been counted and was */
};
/**
 * Those of each unit first, in the order of `wperf stat`, then the sums if there are several.
 * Sources with a fixed cycle counter (the driver, sim) have it before the events of a core, as
 * "cycle".
 */
WPERF_API size_t wperf_count_num_values(const struct wperf_count *count);
WPERF_API bool wperf_count_value_at(const struct wperf_count *count, size_t number,
				    struct wperf_value *ret);
/** The sum of an event over all units. False: it is not among the events, or not counted. */
WPERF_API bool wperf_count_value(const struct wperf_count *count, const char *event, double *ret);

struct wperf_metric_value {
	const char *name, *unit; /* unit NULL: none */
	uint32_t core, pid;      /* both WPERF_NONE: over all units */
	bool is_known;           /* else one of its events was not counted, and the value is 0 */
	bool is_split;           /* its events were counted at different times */
	double value;            /* 0 if it would be a division by 0 */
};
/** In the same order; of metrics that have a formula. */
WPERF_API size_t wperf_count_num_metrics(const struct wperf_count *count);
WPERF_API bool wperf_count_metric_at(const struct wperf_count *count, size_t number,
				     struct wperf_metric_value *ret);

/** Between the start and the stop, or until the last read. */
WPERF_API uint64_t wperf_count_elapsed_ns(const struct wperf_count *count);
/** -1: no command, or it has not ended. 128 + signal: it was killed. */
WPERF_API int wperf_count_exit_code(const struct wperf_count *count);

/* ---- Sampling ---- */

struct wperf_sampling;
struct wperf_profile;

struct wperf_sampling_config {
	size_t size;
	const char *events; /* as after -e: "cycles", "ld_spec:100000"; NULL: the default */
	uint32_t frequency; /* samples a second, for events without a period; 0: the default,
			       UINT32_MAX: as many as there can be */
	const char *cores;  /* as in wperf_count_config */
	const char *pids;
	char *const *command;
	enum wperf_scope scope;
	bool with_kernel;      /* CPU events also sample the kernel's code, as with -k of wperf */
	bool with_callers;     /* whole stacks */
	bool with_off_cpu;     /* also where threads wait */
	const char *unwind;    /* "fp", "cfi", "lbr": how callers are found; NULL: the default */
	const char *python;    /* "mixed", "only", "native"; NULL: as the target is */
	bool only_with_gil;    /* samples of threads that hold the GIL */
	bool keeps_times;      /* each sample with its time; else equal ones are summed up */
	const char *recording; /* also write this perf.data file; or NULL */
};

#define WPERF_SAMPLING_CONFIG_INIT                                                               \
	{                                                                                        \
		sizeof(struct wperf_sampling_config), NULL, 0, NULL, NULL, NULL,                 \
			WPERF_SCOPE_MACHINE, false, false, false, NULL, NULL, false, false, NULL \
	}

/**
 * Prepare a sampling. One of the own process leaves out the thread that takes the samples, which is
 * called "wperf". WPERF_SCOPE_THREAD: of the thread that calls this. On Windows a process cannot
 * sample itself with the source "timer". On Linux that source samples Python, and is taken where
 * the session named no source and the kernel's events are forbidden, as in many containers; the
 * profile's notes say so.
 * @ret: ended by wperf_sampling_close(). After a fork, the child cannot use it.
 */
WPERF_API struct wperf_error *wperf_sampling_open(struct wperf_session *session,
						  const struct wperf_sampling_config *config,
						  struct wperf_sampling **ret);
/** Also ends a command that still runs. NULL is fine. */
WPERF_API void wperf_sampling_close(struct wperf_sampling *sampling);

/** Begin, once. A thread of the library takes the samples until the stop. */
WPERF_API struct wperf_error *wperf_sampling_start(struct wperf_sampling *sampling);
/**
 * Wait until the time is up, the target has ended, something fails (which the stop tells), or it is
 * cancelled; the sampling goes on. On simulated machines time passes by this call alone, and at
 * once; if the wait has no end, as real time does.
 * @duration_ns: 0: without an end. @watch: or NULL.
 */
WPERF_API struct wperf_error *wperf_sampling_wait(struct wperf_sampling *sampling,
						  uint64_t duration_ns,
						  const struct wperf_watch *watch);
/** As wperf_count_cancel(). */
WPERF_API void wperf_sampling_cancel(struct wperf_sampling *sampling);
/** Has the target ended, or something failed? There is nothing to wait for then. */
WPERF_API bool wperf_sampling_is_over(const struct wperf_sampling *sampling);
/**
 * Stop, write the recording, and give the profile. Where the recording cannot be written to its
 * end, the notes of the profile say so; without a profile it is an error.
 * @ret: ended by wperf_profile_close(), also after the sampling is closed. NULL: not wanted.
 */
WPERF_API struct wperf_error *wperf_sampling_stop(struct wperf_sampling *sampling,
						  struct wperf_profile **ret);
/** As wperf_count_exit_code(). */
WPERF_API int wperf_sampling_exit_code(const struct wperf_sampling *sampling);

/* ---- Profiles ---- */

struct wperf_profile_config {
	size_t size;
	const char *path; /* a perf.data file of wperf or other programs; NULL: wperf.data */
	const char *
		sysroots; /* where its programs are now, ":" between them (Windows: ";"); or NULL */
	bool is_forced;   /* also a file of another user */
	bool keeps_times; /* each sample with its time; else equal ones are summed up */
	bool with_full_names; /* names of functions with their parameters */
	bool with_idle;       /* also samples of cores that had nothing to do */
	const char *python;   /* "mixed", "only", "native"; NULL: as it was recorded */
	struct wperf_watch watch;
};

#define WPERF_PROFILE_CONFIG_INIT                                                                  \
	{                                                                                          \
		sizeof(struct wperf_profile_config), NULL, NULL, false, false, false, false, NULL, \
		{                                                                                  \
			NULL, NULL                                                                 \
		}                                                                                  \
	}

/**
 * Read a recording. @config: NULL: the default. On Linux a file of more than 64 MiB (a recording,
 * or a program of it) must not become shorter meanwhile: that is SIGBUS, as the library has no
 * handlers.
 * @ret: ended by wperf_profile_close(). It needs the recording no more.
 */
WPERF_API struct wperf_error *wperf_profile_open(const struct wperf_profile_config *config,
						 struct wperf_profile **ret);
WPERF_API void wperf_profile_close(struct wperf_profile *profile); /* NULL is fine */

/** What the user should know of it (lost samples, missing symbols), line after line; or "". */
WPERF_API const char *wperf_profile_notes(const struct wperf_profile *profile);

/**
 * Everything in a profile refers to everything else by number: a sample has a stack, a stack a
 * frame and the stack of its caller, a frame a function, a function a module. WPERF_NONE: not
 * known. The tables are walked without a copy; texts are those of the profile.
 */
struct wperf_profile_facts {
	size_t num_events, num_samples, num_stacks, num_frames, num_functions, num_modules,
		num_threads;
	uint64_t num_lost;
	uint64_t start_ns, duration_ns; /* on the clock of the samples' times */
	uint64_t start_wall_ns;         /* the same instant since 1970; 0: not known */
	const char *command_line, *host, *system, *machine; /* "": not known */
	const char *language;                               /* of interpreted code: "Python" */
};
WPERF_API void wperf_profile_describe(const struct wperf_profile *profile,
				      struct wperf_profile_facts *ret);

struct wperf_sampled_event {
	const char *name, *unit; /* of a sample's weight: "events", "nanoseconds" */
	uint64_t period;         /* 0: by frequency */
	uint64_t frequency;      /* 0: by period */
};
WPERF_API bool wperf_profile_event_at(const struct wperf_profile *profile, size_t number,
				      struct wperf_sampled_event *ret);

struct wperf_sampled_thread {
	uint32_t pid, tid;
	const char *name, *process_name;
};
WPERF_API bool wperf_profile_thread_at(const struct wperf_profile *profile, size_t number,
				       struct wperf_sampled_thread *ret);

struct wperf_module {
	const char *name, *path;
	const char *build_id; /* hex digits, or "" */
};
WPERF_API bool wperf_profile_module_at(const struct wperf_profile *profile, size_t number,
				       struct wperf_module *ret);

enum wperf_code_kind {
	WPERF_CODE_NATIVE,
	WPERF_CODE_KERNEL,
	WPERF_CODE_JIT,
	WPERF_CODE_INTERPRETED, /* Python */
	WPERF_CODE_MARKER,      /* no code: "[truncated stack]" and the like */
};

struct wperf_function {
	const char *name;         /* "[unknown]" if nothing names it */
	const char *linkage_name; /* as in the symbol table; "": the same, or none */
	const char *file;         /* of its definition; "": not known */
	uint32_t line;            /* of its definition; 0: not known */
	uint32_t module;
	enum wperf_code_kind kind;
};
WPERF_API bool wperf_profile_function_at(const struct wperf_profile *profile, size_t number,
					 struct wperf_function *ret);

struct wperf_frame {
	uint32_t function;
	const char *file; /* where the line is; "": not known */
	uint32_t line;    /* 0: not known */
	bool is_inlined;  /* into the frame that calls it, which has the same address */
	uint64_t address; /* in the module, as its symbols are; 0 for interpreted code */
};
WPERF_API bool wperf_profile_frame_at(const struct wperf_profile *profile, size_t number,
				      struct wperf_frame *ret);

struct wperf_stack {
	uint32_t frame;
	uint32_t caller; /* a stack; WPERF_NONE: this is the outermost frame */
	uint32_t depth;  /* 1 for an outermost frame */
};
WPERF_API bool wperf_profile_stack_at(const struct wperf_profile *profile, size_t number,
				      struct wperf_stack *ret);

/** One sample, or several that are equal in all but the time (then the time is the first's). */
struct wperf_sampled {
	uint64_t time_ns;
	uint64_t weight; /* in the event's unit */
	uint32_t count;
	uint32_t stack, thread, event, core;
};
WPERF_API bool wperf_profile_sample_at(const struct wperf_profile *profile, size_t number,
				       struct wperf_sampled *ret);

/* ---- What is hot ---- */

struct wperf_hot;

enum wperf_hot_key {
	WPERF_HOT_FUNCTION,
	WPERF_HOT_LINE,
	WPERF_HOT_MODULE,
	WPERF_HOT_ADDRESS,
	WPERF_HOT_THREAD,
	WPERF_HOT_PROCESS,
	WPERF_HOT_CORE,
	WPERF_HOT_PYTHON_LINE, /* with the native code that it calls */
	WPERF_HOT_PYTHON_FUNCTION,
	WPERF_HOT_PYTHON_FILE,
};

/** Which samples count: those that meet all of these. */
struct wperf_choice {
	size_t size;
	uint32_t event;            /* its number; WPERF_NONE: of all events, by their samples */
	const char *thread;        /* its tid, or its name; NULL: any */
	const char *module;        /* a pattern with * of its name or path; NULL: any */
	const char *symbol;        /* a pattern as after --symbol, of any frame; NULL: any */
	uint64_t start_ns, end_ns; /* on the clock of the samples; end 0: no end */
};

#define WPERF_CHOICE_INIT                                              \
	{                                                              \
		sizeof(struct wperf_choice), 0, NULL, NULL, NULL, 0, 0 \
	}

/**
 * @choice: NULL: all samples of event 0. @by_total: ordered by what is spent in something with all
 * that it calls; else in itself. @ret: ended by wperf_hot_free(), before the profile is closed.
 */
WPERF_API struct wperf_error *wperf_profile_hot(const struct wperf_profile *profile,
						enum wperf_hot_key key,
						const struct wperf_choice *choice, bool by_total,
						struct wperf_hot **ret);
WPERF_API void wperf_hot_free(struct wperf_hot *hot); /* NULL is fine */

struct wperf_hot_row {
	const char *label; /* "main", "job.py:12", "libc.so.6": as in wperf's tables */
	uint32_t function, frame, module, thread,
		core; /* as far as the key tells; else WPERF_NONE */
	uint64_t self_count, self_weight, total_count, total_weight;
	double self_percent, total_percent; /* of the chosen samples' weight */
	double self_low, self_high; /* in 95 of 100 recordings like this the truth is between */
};
/** Hottest first. */
WPERF_API size_t wperf_hot_num_rows(const struct wperf_hot *hot);
WPERF_API bool wperf_hot_row_at(const struct wperf_hot *hot, size_t number,
				struct wperf_hot_row *ret);

/* ---- Line by line ---- */

struct wperf_annotation;

/**
 * The lines and instructions of functions (a pattern as after --symbol: their name, or ^ and the
 * begin of it), or the lines of a source file (its path, or the end of it): exactly one of the two
 * is not NULL. What has no samples is an error.
 * @ret: ended by wperf_annotation_free(), before the profile is closed.
 */
WPERF_API struct wperf_error *wperf_profile_annotate(const struct wperf_profile *profile,
						     const char *function, const char *file,
						     const struct wperf_choice *choice,
						     struct wperf_annotation **ret);
WPERF_API void wperf_annotation_free(struct wperf_annotation *annotation); /* NULL is fine */

struct wperf_line {
	const char *file;
	uint32_t line;    /* 0: not known */
	const char *text; /* of the source; NULL: the file cannot be read here */
	uint64_t self_count, self_weight;
	uint64_t total_count, total_weight; /* with what is inlined there */
	double self_percent, total_percent; /* of the chosen samples' weight */
};
/** By file and line; only those with samples. */
WPERF_API size_t wperf_annotation_num_lines(const struct wperf_annotation *annotation);
WPERF_API bool wperf_annotation_line_at(const struct wperf_annotation *annotation, size_t number,
					struct wperf_line *ret);

struct wperf_instruction {
	uint32_t module;
	uint64_t address; /* in the module, as its symbols are */
	const char *text; /* disassembled; NULL: the code cannot be read here */
	uint64_t self_count, self_weight;
	uint64_t total_count, total_weight; /* with what is inlined there */
	double self_percent, total_percent;
};
/** By module and address; only those with samples. None of a source file. */
WPERF_API size_t wperf_annotation_num_instructions(const struct wperf_annotation *annotation);
WPERF_API bool wperf_annotation_instruction_at(const struct wperf_annotation *annotation,
					       size_t number, struct wperf_instruction *ret);

/* ---- Files for people and other programs ---- */

/**
 * Write the profile.
 * @format: "html" (a page), "json" (as wperf report writes it), "collapsed", "pprof", "firefox",
 *          "speedscope", "perf-script"; NULL: as the end of the path says. Those that show samples
 *          over time (html, firefox, speedscope, perf-script) need a profile with keeps_times.
 *          "massif" is memory in use over time, and needs an event of memory in use.
 */
WPERF_API struct wperf_error *wperf_profile_export(const struct wperf_profile *profile,
						   const char *format, const char *path);

/** The names of formats, one after the other; NULL after the last. */
WPERF_API const char *wperf_export_format_at(size_t number);

/* ---- What a process does now ---- */

/**
 * The stacks of all threads of a process that runs Python, as JSON: see
 * docs/schemas/dump.schema.json.
 * @pid: 0: this process. @ret: freed by wperf_text_free().
 */
WPERF_API struct wperf_error *wperf_dump_json(uint32_t pid, bool with_locals, char **ret);
WPERF_API void wperf_text_free(char *text); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
