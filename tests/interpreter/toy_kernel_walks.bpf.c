// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only

// In the place of src/interpreter/kernel_walks.bpf.c: the toy's walk is one case more.

#include "source/bpf/kernel/frame_walker.bpf.h"

#include "interpreter/python/kernel/python_walk.bpf.h"
#include "tests/interpreter/toy/toy_walk.bpf.h"

static __always_inline bool walker_follow(struct walker *walker,
					  const struct walker_thread_key *key)
{
	switch (walker->process->walk) {
	case KERNEL_WALK_PYTHON:
		return python_walk_thread(walker, key);
	case KERNEL_WALK_TOY:
		return toy_walk_thread(walker);
	default:
		return false;
	}
}
