/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_INTERPRETER_KERNEL_WALKS_H
#define WPERF_INTERPRETER_KERNEL_WALKS_H

/**
 * The walks of interpreters' frames in the kernel, at each sample. They are compiled into one
 * program, as the kernel verifies a program with all that it calls; a process's record says which
 * of them it needs.
 *
 * To add the walk of an interpreter:
 * 1) In its folder, write kernel/NAME_walk.h with what the walk has to know of a process, and
 *    kernel/NAME_walk.bpf.h with NAME_walk_thread(): source/bpf/kernel/frame_walker.bpf.h says how.
 * 2) Add a number here, and its case in kernel_walks.bpf.c.
 * 3) Have kernel_walk() of its interpreter_ops return the number and the record.
 * tests/interpreter/ does it with a toy.
 */

/** As the program and the records of processes number them. */
enum kernel_walk_number {
	KERNEL_WALK_PYTHON,
};

struct kernel_walk_program;

/** Its bytes are compiled from kernel_walks.bpf.c. */
extern const struct kernel_walk_program kernel_walk_program;

#endif
