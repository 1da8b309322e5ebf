/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_PROCESS_H
#define WPERF_INTERPRETER_INTERPRETED_PROCESS_H

/**
 * A process that runs an interpreter, of whatever kind: struct interpreted_process of
 * interpreter_ops.h, with its parents.
 */

#include "base/error.h"
#include "interpreter/interpreter_ops.h"

struct source;

/** What a record, or a check, has changed about the interpreter of a process. */
struct interpreter_change {
	bool is_changed; /* the source must be told */
	uint32_t pid;
	const struct interpreter_ops *ops;
	/** NULL: it no longer has the interpreter; else valid until the next record. */
	const struct interpreted_process *process;
};

/** Tell the source, if there is something to be told. */
struct error *interpreter_change_tell(const struct interpreter_change *change,
				      struct source *source);

/** The process has ended. It is destroyed when no child needs its code any more. */
void interpreted_process_end(struct interpreted_process *process);

/** @process was forked by @parent, which is kept as long as the child may need its code. */
void interpreted_process_set_parent(struct interpreted_process *process,
				    struct interpreted_process *parent);

/** Can its frames be trusted, as far as is known now? */
bool interpreted_process_is_trusted(const struct interpreted_process *process);

/**
 * Check the interpreter of a process that was sampled. Does nothing once the result is known, which
 * takes at most half a second if its memory is not as expected.
 * @ret: changed only if something has.
 */
struct error *interpreted_process_check(struct interpreted_process *process,
					struct interpreter_change *ret);

/**
 * The places of frames, which differ from all contexts of chains (sample_chain.h). Frames whose
 * code cannot be read share one place; an error is a lack of memory.
 * @ret: by frame.
 */
struct error *interpreted_process_find(struct interpreted_process *process,
				       const struct interpreted_frame *frames, size_t num_frames,
				       uint64_t *ret);

/** Tells the user, if there is something to tell, and destroys the error, unless it is a lack of
 *  memory. */
struct error *interpreter_context_complain(struct interpreter_context *context,
					   const struct interpreter_ops *ops, struct error *err);

#endif
