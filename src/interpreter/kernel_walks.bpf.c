// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only

// The program in the kernel: what is the same for all interpreters, and the walk of each that has
// one. kernel_walks.h has the recipe for another one.

#include "source/bpf/kernel/frame_walker.bpf.h"

#include "source/bpf/kernel/allocation_probe.bpf.h"
#include "source/bpf/kernel/call_probe.bpf.h"
#include "source/bpf/kernel/sched_probe.bpf.h"
#include "source/bpf/kernel/wake_probe.bpf.h"

#include "interpreter/kernel_walks.h"
#include "interpreter/python/kernel/python_walk.bpf.h"

static __always_inline bool walker_follow(struct walker *walker,
					  const struct walker_thread_key *key)
{
	switch (walker->process->walk) {
	case KERNEL_WALK_PYTHON:
		return python_walk_thread(walker, key);
	default:
		return false;
	}
}
