/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_STACK_WALKER_H
#define WPERF_SESSION_STACK_WALKER_H

/** User stacks of samples that carry registers and a piece of stack, by the tables of their files.
 */

#include "process/process_table.h"
#include "record/record.h"
#include "symbols/module_file.h"
#include "unwind/native_unwind.h"

struct stack_walker;

/**
 * @machine: as uname has it. One whose stacks we cannot walk gives a walker that walks none.
 * @search: copied; where files are looked for. The vdso is this kernel's if processes are here.
 */
struct error *stack_walker_create(const char *machine, const struct module_file_search *search,
				  struct stack_walker **ret);
void stack_walker_destroy(struct stack_walker *walker);

struct walked_stack {
	const uint64_t *frames; /* leaf first; valid until the next walk */
	const bool *is_return_address;
	const uint64_t *stack_pointers; /* in each frame */
	size_t num_frames;
	enum unwind_end end;
	size_t num_copied; /* frames that the sample itself has; the others are from the process */
};

/** From now on stack_walker_walk() may read what is above the copy of a stack from its process,
 * which runs here. */
void stack_walker_read_processes(struct stack_walker *walker);

/**
 * False: the sample has no user registers (it interrupted a kernel thread, say).
 * @reads_rest: callers above the copy are read from the process, if that is allowed. They may be
 * those of a later call: the caller has to compare them with what else it knows of the sample.
 */
bool stack_walker_walk(struct stack_walker *walker, const struct module_table *modules,
		       const struct process *process, const struct record_sample *sample,
		       bool reads_rest, struct walked_stack *ret);

#endif
