/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETER_OPS_H
#define WPERF_INTERPRETER_INTERPRETER_OPS_H

/**
 * All that the other rooms know about an interpreter: a program that runs code of its own language.
 * How its functions, frames and lines stand in memory is known only in its folder.
 *
 * To add an interpreter:
 * 1) Write src/interpreter/NAME/ with a `const struct interpreter_ops`. Its process struct begins
 *    with a struct interpreted_process; attach() finds it, read() and find() give its frames.
 *    For `dump` it has dump_ops (interpreter_dump.h).
 * 2) Add a row in interpreters.c, and the files in CMakeLists.txt.
 * 3) If it can be walked in the kernel: the recipe in kernel_walks.h.
 * 4) Test it with a program of known shares, as tests/interpreter/ does with a toy interpreter.
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "base/text/string_builder.h"
#include "interpreter/code_budget.h"
#include "interpreter/code_places.h"
#include "interpreter/eval_loops.h"
#include "interpreter/interpreter_dump.h"
#include "interpreter/thread_names.h"
#include "process/process_table.h"
#include "profile/interpreted/language.h"
#include "record/interpreted_frame.h"
#include "record/object_copy.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_walk;
struct source;

/** What the processes of a profile share. */
struct interpreter_context {
	struct code_places *places;
	struct eval_loops *loops; /* not owned; says where files are searched */
	struct code_budget budget;
	struct string_builder notes;    /* complete lines for the user, each once */
	uint64_t num_unnamed;           /* frames whose code could not be read */
	struct source *source;          /* NULL: it makes no copies of objects; not owned */
	bool by_task;                   /* stacks begin with the task that ran */
	bool with_raises;               /* where find_raise() says, they end with the exception */
	struct string_table task_names; /* that programs gave */
	struct string_table type_names; /* of exceptions */
};

/** An object of a frame that is gone, as it was at a sample. False: there is no copy. */
bool interpreter_context_find_copy(const struct interpreter_context *context,
				   const struct object_copy_key *key, struct object_copy *ret);

/** Adds a line for the user, ending in a line break. */
void interpreter_context_note(struct interpreter_context *context, const char *note);

/** An interpreter in a process. Each interpreter's own struct begins with it. */
struct interpreted_process {
	const struct interpreter_ops *ops;
	struct interpreter_context *context;
	uint32_t pid;
	uint32_t loops;   /* the number of its module in context->loops, set by attach() */
	uint64_t bias;    /* address in the process - address in the module's file; as well */
	uint64_t unknown; /* the place of frames whose code cannot be read */

	/* Private to interpreted_process.c. */
	struct interpreted_process *parent; /* NULL: it is not known, or no longer of use */
	uint32_t num_children;
	uint32_t depth; /* number of parents that are kept */
	bool is_over;
};

struct interpreter_ops {
	const struct language *language;

	/** Is this the name of a program that runs its code; or of a file that such programs have
	 *  mapped, itself or its library? By these the frames are wanted without being asked for.
	 */
	bool (*is_program)(const char *path);
	bool (*is_mapped_as)(const char *path);

	/** Does a script whose first line begins with "#!" run in it? NULL: it has no scripts. */
	bool (*runs_script)(const char *first_line);

	/** Can a file with this name contain the interpreter? Only such files are opened. */
	bool (*may_be_in)(const char *path);

	/** Is this the name of the interpreter's own program or library? May be a narrower rule:
	 *  its loops are searched in stripped files without any process. */
	bool (*is_named_in)(const char *path);

	/** The C functions that run its code: see eval_loops.h. @ret: empty if there are none. */
	void (*find_loops)(struct object *object, struct eval_loop_ranges *ret);

	/** The C function that raises exceptions of its code, in an object that may_be_in().
	 *  @ret: its linked address. False: it has none that can be found. NULL: it has no
	 *  exceptions. */
	bool (*find_raise)(struct object *object, uint64_t *ret);

	/** Is this the symbol of such a function, or of one that only calls it? */
	bool (*is_loop_name)(const char *symbol);

	/**
	 * Find the interpreter in a mapped module of a process, even if none of its code has run.
	 * ERROR_ABSENT: it is not there; ERROR_FAILED: it cannot be read, which is told the user.
	 * @ret: allocated, with @loops and @bias set; the other members of the base are filled in
	 *       by the caller. Set only on success.
	 */
	struct error *(*attach)(struct interpreter_context *context, const struct process *process,
				const struct mapping *mapping, const struct module *module,
				struct interpreted_process **ret);

	/** With context->by_task, for each executable mapping of the process, also those from
	 *  before: is it where tasks are found? True: what kernel_walk() returns has changed. NULL:
	 *  it has no tasks. */
	bool (*note_module)(struct interpreted_process *process, const struct mapping *mapping,
			    const struct module *module);

	/** A child has everything at the same place as its parent. @ret: as of attach(). */
	struct error *(*fork)(const struct interpreted_process *parent, uint32_t pid,
			      struct interpreted_process **ret);
	void (*destroy)(struct interpreted_process *process);

	/**
	 * Before a sample of the process: check whether its memory is as expected, as long as that
	 * is not known. NULL: there is nothing to check.
	 * @ret_is_decided: true if this call decided.
	 */
	struct error *(*check)(struct interpreted_process *process, bool *ret_is_decided);

	/** Can its frames be trusted, as far as is known now? NULL: always. */
	bool (*is_trusted)(const struct interpreted_process *process);

	/**
	 * What its walk in the kernel has to know of a process: see kernel_walks.h. By it a source
	 * can collect the frames by itself. NULL: it has no such walk, and no source can.
	 * @ret: valid as long as the process.
	 */
	void (*kernel_walk)(const struct interpreted_process *process, struct kernel_walk *ret);

	/**
	 * Read the current frames of a thread, innermost first, into the sample: at most
	 * FRAME_WALK_MAX_FRAMES. They are valid until the next call.
	 * @is_away: the thread may be off the CPU.
	 */
	struct error *(*read)(struct interpreted_process *process, uint32_t tid, bool is_away,
			      struct record_sample *sample);

	/**
	 * With context->by_task or with_raises, add to the frames of a sample what stands beside
	 * them. An exception that is raised is put in front of them (INTERPRETED_FRAME_IS_RAISE).
	 * By task, they are cut at the outermost one of the task that ran, and the task
	 * (INTERPRETED_FRAME_IS_TASK) and what is known to wait for it are added. What is not
	 * known changes nothing. NULL: it has neither.
	 * @sample: its frames are valid until the next call.
	 */
	struct error *(*complete)(struct interpreted_process *process,
				  struct record_sample *sample);

	/**
	 * The places of frames, as of context->places. An error is a lack of memory.
	 * @ret: by frame; CODE_PLACE_NONE: its code cannot be read (any more).
	 */
	struct error *(*find)(struct interpreted_process *process,
			      const struct interpreted_frame *frames, size_t num_frames,
			      uint64_t *ret);

	/**
	 * Names that it knows of the threads of a process. NULL: it knows none. An error is a lack
	 * of memory. @names: its items are replaced.
	 */
	struct error *(*read_names)(struct interpreted_process *process,
				    struct thread_names *names);

	/** What a process is for, by its command line, as one of the language's roles; it is NULL
	 * or returns NULL: that does not say. */
	const char *(*role_of_command)(const char *command);

	/** The threads of a process at one moment. NULL: `dump` cannot show them. */
	const struct dump_ops *dump;
};

/** All interpreters, in interpreters.c; ends with NULL. */
extern const struct interpreter_ops *const all_interpreters[];

/** The one that texts mean where it is not known which one the target has. */
static inline const struct language *interpreter_usual_language(void)
{
	return all_interpreters[0]->language;
}

#endif
