/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_STACK_WALKER_H
#define WPERF_STACK_STACK_WALKER_H

/** Unwinds user stacks of samples with registers and a copy of the stack, by the tables of the
 *  mapped files. */

#include "process/process_table.h"
#include "record/record.h"
#include "stack/native_unwind.h"
#include "symbols/module_file.h"

struct stack_walker;

/**
 * @machine: as in uname. For an unsupported machine, the walker finds no callers.
 * @search: where files are searched; copied. If the processes run here, the vdso is this kernel's.
 */
struct error *stack_walker_create(const char *machine, const struct module_file_search *search,
				  struct stack_walker **ret);
void stack_walker_destroy(struct stack_walker *walker);

/** Tables are made of so many bytes of .eh_frame together; further files have none. */
void stack_walker_limit_tables(struct stack_walker *walker, uint64_t max_bytes);

struct walked_stack {
	const uint64_t *frames; /* leaf first; valid until the next walk */
	const bool *is_return_address;
	const uint64_t *stack_pointers; /* of each frame */
	size_t num_frames;
	enum unwind_end end;
	size_t num_copied; /* frames in the sample's copy; the others were read from the process */
};

/** Allow stack_walker_walk() to read the stack above the copy from the process, which runs here. */
void stack_walker_read_processes(struct stack_walker *walker);

/**
 * False: the sample has no user registers, for example because it is of a kernel thread.
 * @reads_rest: read callers above the copy from the process, if that is allowed. They may be those
 *              of a later call: the caller must check them (stack_rest.h).
 */
bool stack_walker_walk(struct stack_walker *walker, const struct module_table *modules,
		       const struct process *process, const struct record_sample *sample,
		       bool reads_rest, struct walked_stack *ret);

#endif
