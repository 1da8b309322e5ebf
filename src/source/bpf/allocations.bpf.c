// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only

// The program at allocators for processes without an interpreter: no frames are walked.

#include "source/bpf/frame_walker.bpf.h"

#include "source/bpf/allocation_probe.bpf.h"
#include "source/bpf/call_probe.bpf.h"
#include "source/bpf/sched_probe.bpf.h"
#include "source/bpf/wake_probe.bpf.h"

static __always_inline bool walker_follow(struct walker *walker,
					  const struct walker_thread_key *key)
{
	return false;
}
