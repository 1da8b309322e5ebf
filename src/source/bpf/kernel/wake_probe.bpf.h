/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_WAKE_PROBE_BPF_H
#define WPERF_SOURCE_BPF_WAKE_PROBE_BPF_H

/**
 * The programs at wake-ups: they tell who wakes a thread of the target, and from where. A .bpf.c
 * file includes this beside frame_walker.bpf.h, whose walk a sample has as well.
 */

#include "record/wake.h"
#include "source/bpf/kernel/frame_walker.bpf.h"
#include "source/bpf/wake_maps.h"

// sched_waking runs on the waker's core, in what wakes: a system call of a thread, or an interrupt.
// Each wake-up of a thread of the target is a sample. That of a thread has its registers and stack;
// an interrupt has nothing to do with the thread that was interrupted, whose stack is left out.
// Whether the woken thread was away, and since when, is for the reader to find out
// (session/off_cpu.h): here nothing is known of it but that it is to run.
//
// The kernel counts in which interrupts a core is, but not all kernels say where. So tracepoints
// around what timers and interrupts call note it; and what is not on the thread's own stack is an
// interrupt. What neither tells are interrupts from other cores and those of perf events, while
// user code runs: they hardly ever wake anybody.
//
// A packet to this machine is received in a soft interrupt that the sender itself asks for and
// runs, on its core, before its system call ends: what wakes the receiver is the sender.

enum { WAKE_NET_RX = 3 }; // include/linux/interrupt.h

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct wake_setting);
} wake_settings SEC(".maps");

// The loader sizes it where it is used.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, uint32_t);
} wake_processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct wake_core);
} wake_cores SEC(".maps");

// Two events of each core: the samples of one have registers and stack. The loader says how many.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} wake_rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} wake_bare_rings SEC(".maps");

static __always_inline struct wake_core *wake_find_core(void)
{
	uint32_t first = 0;
	return bpf_map_lookup_elem(&wake_cores, &first);
}

static __always_inline enum wake_cause wake_find_cause(const void *context)
{
	const struct task_struct *task = (const void *)bpf_get_current_task_btf();
	const struct wake_core *core = wake_find_core();
	if (core && core->is_in[WAKE_IN_TIMER])
		return WAKE_BY_TIMER;
	if (core && core->is_in[WAKE_IN_INTERRUPT])
		return WAKE_BY_INTERRUPT;
	if (core && core->is_in[WAKE_IN_SOFT_INTERRUPT])
		return core->is_in[WAKE_IN_SOFT_INTERRUPT] == (uint32_t)task->pid
			       ? WAKE_BY_THREAD
			       : WAKE_BY_INTERRUPT;
	// The idle task does nothing by itself.
	return task->pid && walker_is_on_own_stack(context) ? WAKE_BY_THREAD : WAKE_BY_INTERRUPT;
}

static __always_inline const struct wake_setting *wake_find_setting(void)
{
	uint32_t first = 0;
	return bpf_map_lookup_elem(&wake_settings, &first);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(wake_waking, struct task_struct *woken)
{
	const struct wake_setting *setting = wake_find_setting();
	uint32_t pid = woken->tgid;
	if (!setting || !setting->is_on || pid == setting->own_pid ||
	    (!setting->is_of_all && !bpf_map_lookup_elem(&wake_processes, &pid)))
		return 0;
	struct wake wake = {.pid = pid, .tid = woken->pid, .cause = wake_find_cause(ctx)};
	if (wake.cause != WAKE_BY_THREAD) {
		bpf_perf_event_output(ctx, &wake_bare_rings, BPF_F_CURRENT_CPU, &wake,
				      sizeof(wake));
		return 0;
	}
	bpf_get_current_comm(wake.name, sizeof(wake.name));
	walk_at_sample(ctx, 0, false);
	bpf_perf_event_output(ctx, &wake_rings, BPF_F_CURRENT_CPU, &wake, sizeof(wake));
	return 0;
}

static __always_inline int wake_note(enum wake_place place, bool is_in)
{
	struct wake_core *core = wake_find_core();
	if (core)
		core->is_in[place] = is_in;
	return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(wake_begin_timer)
{
	return wake_note(WAKE_IN_TIMER, true);
}

SEC("tp_btf/hrtimer_expire_exit")
int BPF_PROG(wake_end_timer)
{
	return wake_note(WAKE_IN_TIMER, false);
}

SEC("tp_btf/timer_expire_entry")
int BPF_PROG(wake_begin_coarse_timer)
{
	return wake_note(WAKE_IN_TIMER, true);
}

SEC("tp_btf/timer_expire_exit")
int BPF_PROG(wake_end_coarse_timer)
{
	return wake_note(WAKE_IN_TIMER, false);
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(wake_begin_interrupt)
{
	return wake_note(WAKE_IN_INTERRUPT, true);
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(wake_end_interrupt)
{
	return wake_note(WAKE_IN_INTERRUPT, false);
}

SEC("tp_btf/softirq_raise")
int BPF_PROG(wake_ask_for_soft, unsigned int number)
{
	const struct task_struct *task = (const void *)bpf_get_current_task_btf();
	struct wake_core *core = wake_find_core();
	if (!core || number != WAKE_NET_RX)
		return 0;
	core->sender = wake_find_cause(ctx) == WAKE_BY_THREAD ? task->pid : 0;
	return 0;
}

// Of a sender that runs it, its number; else one that no thread has.
SEC("tp_btf/softirq_entry")
int BPF_PROG(wake_begin_soft, unsigned int number)
{
	const struct task_struct *task = (const void *)bpf_get_current_task_btf();
	struct wake_core *core = wake_find_core();
	if (!core)
		return 0;
	bool is_sender = number == WAKE_NET_RX && task->pid && core->sender == (uint32_t)task->pid;
	core->is_in[WAKE_IN_SOFT_INTERRUPT] = is_sender ? core->sender : UINT32_MAX;
	if (number == WAKE_NET_RX)
		core->sender = 0;
	return 0;
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(wake_end_soft)
{
	return wake_note(WAKE_IN_SOFT_INTERRUPT, false);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(wake_fork, struct task_struct *parent, struct task_struct *child)
{
	uint32_t parent_id = parent->tgid, child_id = child->tgid, is_known = 1;
	const struct wake_setting *setting = wake_find_setting();
	if (parent_id == child_id || !setting || !setting->inherits ||
	    !bpf_map_lookup_elem(&wake_processes, &parent_id))
		return 0;
	bpf_map_update_elem(&wake_processes, &child_id, &is_known, BPF_ANY);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(wake_end, struct task_struct *task)
{
	uint32_t pid = task->tgid;
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&wake_processes, &pid);
	return 0;
}

#endif
