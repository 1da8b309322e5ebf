/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_NAMED_PROFILE_H
#define WPERF_PROFILE_NAMED_PROFILE_H

/**
 * A profile whose addresses have become functions, files and lines: what every report, page and
 * export is made from. Inlined calls are frames of their own. Everything refers to everything by
 * index; strings are ids of `strings`, whose string 0 is "".
 */

#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "base/error.h"
#include "base/file/file_rights.h"
#include "profile/interpreted/language.h"
#include "profile/memory/memory_curve.h"
#include "profile/run_queue/run_queue.h"
#include "profile/spe/spe_profile.h"
#include "profile/tree/stack_table.h"
#include "profile/values/value_table.h"
#include "profile/wait_table.h"
#include "record/interpreted_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** What kind of code it is; views colour by it. */
enum frame_kind {
	FRAME_NATIVE,
	FRAME_KERNEL,
	FRAME_JIT,
	FRAME_INTERPRETED, /* of code that an interpreter runs */
	FRAME_MARKER,      /* no code: "[truncated stack]" and the like */
};

struct named_module {
	uint32_t name; /* short, as in tables: libc.so.6, [kernel], python3.11 */
	uint32_t path;
	uint32_t build_id; /* hex digits, or "" */
	uint32_t pid;      /* a process that mapped it; no part of what tells modules apart */
	bool has_rights;   /* the next is known */
	struct file_rights rights; /* of that process, for the module's files */
};

struct named_function {
	uint32_t name;         /* readable; "[unknown]" if nothing names it */
	uint32_t linkage_name; /* as in the symbol table; "" if the same or none */
	uint32_t module;       /* index, or NAMED_NONE */
	uint32_t file;         /* of its definition; "" if not known */
	uint32_t line;         /* of its definition; 0 if not known */
	enum frame_kind kind;
};

/** Enough for what LLVM encodes first: which piece, and how often it was copied. */
enum { FRAME_DISCRIMINATOR_BITS = 28, FRAME_DISCRIMINATOR_MASK = (1 << 28) - 1 };

/** A place in a function: the frames of stacks are these. */
struct named_frame {
	uint32_t function;
	uint32_t file; /* where the line is: of another file than the function's for macros */
	uint32_t line; /* 0 if not known */
	/** Tells several pieces of code of the line apart, as the compiler numbers them in DWARF.
	 */
	uint32_t discriminator : FRAME_DISCRIMINATOR_BITS;
	bool is_inlined : 1;  /* into the frame that calls it, which has the same address */
	bool is_compiled : 1; /* the interpreter's JIT was at work: it may be another line of the
				 function */
	uint64_t address; /* relative to the module, as its symbols are; 0 for interpreted code */
};

/** What a process is for: see process_roles.h. */
struct named_role {
	uint32_t words;     /* "multiprocessing: worker of Pool"; "": nobody has looked */
	uint32_t number;    /* among the processes of this role, from 1 on */
	uint32_t num_alike; /* how many these are */
};

/** Only its numbers and its name tell it apart from others. */
struct named_thread {
	uint32_t pid, tid;
	uint32_t name;         /* comm */
	uint32_t process_name; /* comm of the process */
	uint32_t said_role;    /* what the interpreter said that the process is for; "": nothing */
	uint32_t parent_pid;   /* who started the process; 0: its start was not seen */
	struct file_rights rights; /* of the process */
	struct named_role role;    /* of the process */
};

/** A sum of samples. */
struct named_total {
	uint64_t count, weight;
};

struct named_event {
	uint32_t name;      /* cycles, ld_spec ... */
	uint32_t unit;      /* of a sample's weight: "events", "nanoseconds" */
	uint32_t model;     /* what stands in for hardware that counts it, in words; "": nothing */
	uint64_t period;    /* 0: by frequency */
	uint64_t frequency; /* in Hz; 0: by period */
	bool is_whole;      /* every one was taken: chance has no part in it */
	bool is_wait;       /* of threads that were off their CPU */
	bool is_state;      /* of memory that is in use: what counts is what is there at the end */
	bool is_ahead;      /* a sample weighs the time after it; else the time before it */
	bool is_dummy;      /* it has no samples: process events came with it */
	bool excludes_idle; /* samples of idle CPUs were never taken, so that none is left out */
	/** Samples of idle CPUs that were left out (idle_samples.h), and all there were. */
	struct named_total idle, with_idle;
};

/** How its interpreted frames were collected, and how exact that is; all 0: not known. */
struct named_collection {
	uint32_t way, words;                /* "timer", and the same for people */
	uint64_t num_samples;               /* of threads of an interpreter */
	uint64_t num_without;               /* of them without their frames */
	uint64_t mean_skew_ns, max_skew_ns; /* how much later than the samples they were read */
};

enum { NAMED_VALUES_BITS = 24 };

/** One sample, or several that are equal in all but the time (then the time is the first's). */
struct named_sample {
	uint64_t time_ns;
	uint64_t weight; /* in the event's unit */
	uint32_t count;
	uint32_t stack; /* STACK_NONE: nothing is known of it */
	uint32_t thread;
	uint32_t event;
	uint32_t cpu;           /* NAMED_NONE: not said */
	enum gil_state gil : 8; /* of its thread then */
	uint32_t values
	    : NAMED_VALUES_BITS; /* of a probe: index in named_profile.values; 0: none */
};

enum { NAMED_NONE = UINT32_MAX };

struct named_profile {
	struct string_table strings;
	struct named_module *modules;
	struct named_function *functions;
	struct named_frame *frames;
	struct named_thread *threads;
	struct named_event *events;
	struct named_sample *samples; /* by time where times are kept */
	size_t num_modules, num_functions, num_frames, num_threads, num_events, num_samples;
	size_t cap_modules, cap_functions, cap_frames, cap_threads, cap_events, cap_samples;
	struct hash_table function_index, frame_index, module_index, thread_index;
	struct stack_table stacks;
	struct value_table values; /* of samples of probes */
	struct spe_profile *spe; /* what SPE told besides; NULL: it was not there, or not wanted */
	/** What was recorded; 0 and "" where not known. */
	uint32_t command_line, host, system, machine; /* "aarch64", "x86_64" */
	uint64_t start_time_ns, duration_ns;          /* on the clock of the samples' times */
	uint64_t start_wall_ns;                       /* the same instant, since 1970 */
	uint64_t num_lost;
	struct memory_curve memory; /* in use over time, of events that need it */
	struct wait_table waits;    /* of the event with is_wait, where they are told apart */
	struct run_queue run_queue; /* waits in it, where they were measured */
	bool is_anonymous;          /* anonymous_profile_apply(): no source text is shown, either */
	struct named_collection collection;
	const struct language *language; /* of interpreted code; not owned, never NULL */
	struct language *named_language; /* that of named_profile_set_language(), or NULL */
	struct file_roots roots;         /* of threads[].rights and modules[].rights */
};

/** Empty, with "" as string 0. */
struct error *named_profile_init(struct named_profile *profile);
void named_profile_deinit(struct named_profile *profile);

struct error *named_profile_string(struct named_profile *profile, const char *text, uint32_t *ret);
/** A frame that is no code, but says something: "[truncated stack]". */
struct error *named_profile_marker(struct named_profile *profile, const char *name, uint32_t *ret);

const char *named_profile_text(const struct named_profile *profile, uint32_t string);

/** Its interpreted code is of a language of which no more is known. @name: language_is_name(). */
struct error *named_profile_set_language(struct named_profile *profile, const char *name);

/** Equal ones get equal indexes: a module by path, a function by all of it, a frame by all of it,
 *  a thread by pid, tid and name. */
struct error *named_profile_module(struct named_profile *profile, const struct named_module *module,
				   uint32_t *ret);
/** The same, but builds of one path are modules of their own. frame_replacement_apply() joins them;
 *  without build ids they are one. */
struct error *named_profile_build(struct named_profile *profile, const struct named_module *module,
				  uint32_t *ret);
struct error *named_profile_function(struct named_profile *profile,
				     const struct named_function *function, uint32_t *ret);
struct error *named_profile_frame(struct named_profile *profile, const struct named_frame *frame,
				  uint32_t *ret);
struct error *named_profile_thread(struct named_profile *profile, const struct named_thread *thread,
				   uint32_t *ret);
/** @name: a string. Its samples remain its own. */
struct error *named_profile_rename_thread(struct named_profile *profile, uint32_t thread,
					  uint32_t name);
struct error *named_profile_event(struct named_profile *profile, const struct named_event *event,
				  uint32_t *ret);
struct error *named_profile_add(struct named_profile *profile, const struct named_sample *sample);

/** Are its samples those of SPE, or their latency? */
bool named_profile_is_of_spe(const struct named_profile *profile, uint32_t event);

static inline void named_total_add(struct named_total *total, struct named_total more)
{
	total->count += more.count;
	total->weight += more.weight;
}

/** Are the weights of its samples amounts of memory? */
static inline bool named_event_is_bytes(const struct named_profile *profile, uint32_t event)
{
	return event < profile->num_events &&
	       strcmp(named_profile_text(profile, profile->events[event].unit), "bytes") == 0;
}

/** By weight; 0 of nothing. */
static inline double named_total_percent(struct named_total part, struct named_total whole)
{
	return whole.weight ? 100.0 * (double)part.weight / (double)whole.weight : 0;
}

#endif
