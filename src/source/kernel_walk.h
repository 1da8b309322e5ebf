/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_KERNEL_WALK_H
#define WPERF_SOURCE_KERNEL_WALK_H

/**
 * What a source in the kernel needs so that each sample has interpreted frames: the program that
 * walks over them, and for each process what it has to know. The source looks into neither.
 */

#include <stddef.h>
#include <stdint.h>

/** The program, around source/bpf/kernel/frame_walker.bpf.h. */
struct kernel_walk_program {
	const uint8_t *bytes; /* of an object file of BPF, aligned to 8 */
	size_t num_bytes;
};

/** The walk of a process. */
struct kernel_walk {
	uint32_t number;    /* of the program's walks: whose frames */
	const void *layout; /* for that walk: where things are in the process's memory */
	size_t layout_bytes;
};

#endif
