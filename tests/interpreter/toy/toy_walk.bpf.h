/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_TESTS_INTERPRETER_TOY_TOY_WALK_BPF_H
#define WPERF_TESTS_INTERPRETER_TOY_TOY_WALK_BPF_H

/** The toy's walk in the kernel: see source/bpf/kernel/frame_walker.bpf.h, which is included
 * before. */

#include "tests/interpreter/toy/toy_layout.h"
#include "tests/interpreter/toy/toy_walk.h"

_Static_assert(sizeof(struct toy_runtime) <= WALKER_OWN_BYTES, "a scratch has room");

// Only the first thread runs code.
static __always_inline bool toy_walk_thread(struct walker *walker)
{
	const struct toy_walk *walk = (const struct toy_walk *)walker->process->layout;
	struct walker_scratch *scratch = walker->scratch;
	struct toy_runtime *runtime = (struct toy_runtime *)scratch->own;
	uint64_t thread = bpf_get_current_pid_tgid();
	if ((uint32_t)thread != thread >> 32)
		return false;
	scratch->output.gil = GIL_UNKNOWN;
	scratch->output.end = FRAME_WALK_NO_MEMORY;
	if (!walker_read(walker, walk->runtime, runtime, sizeof(*runtime)))
		return true;
	uint64_t num = runtime->num_frames;
	scratch->output.end = num > TOY_MAX_FRAMES ? FRAME_WALK_TORN
			      : num                ? FRAME_WALK_WHOLE
						   : FRAME_WALK_NO_FRAMES;
	for (uint32_t i = 0; i < TOY_MAX_FRAMES && i < num && num <= TOY_MAX_FRAMES; i++) {
		const struct toy_frame *from =
			&runtime->frames[(num - 1 - i) & (TOY_MAX_FRAMES - 1)];
		*walker_frame_of(scratch, i) = (struct interpreted_frame){
			.code = from->function,
			.instruction = from->instruction,
			.flags = INTERPRETED_FRAME_IS_ENTRY,
		};
		scratch->output.num_frames = i + 1;
	}
	return true;
}

#endif
