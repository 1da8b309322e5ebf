// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only

// The program at allocators for processes without an interpreter: no frames are walked.

#include "source/bpf/kernel/frame_walker.bpf.h"

#include "source/bpf/kernel/allocation_probe.bpf.h"
#include "source/bpf/kernel/call_probe.bpf.h"
#include "source/bpf/kernel/sched_probe.bpf.h"
#include "source/bpf/kernel/wake_probe.bpf.h"

static __always_inline bool walker_follow(struct walker *walker,
					  const struct walker_thread_key *key)
{
	return false;
}
