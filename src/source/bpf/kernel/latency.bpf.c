// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only

// The programs at the beginning of functions and where they return to: they time each call of a
// thread, and give those that take longer than a limit.

#include "source/bpf/latency_maps.h"

#include <linux/bpf.h>
// These want the types of the one before.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>
#include <stddef.h>

// A call is known by its thread and its place on the stack, which its return finds again; so calls
// of a function within itself are timed each on its own. A call that never returns, as longjmp(),
// the end of its thread, or the kernel for more than 64 calls within each other leave it, hides no
// other one: it stays until a call begins at the same place, or the map needs the room for newer
// ones (LRU). Calls that the map forgot before they returned are counted then. So are those that a
// function makes of itself at its end, all at one place (tail calls): the last one is timed.

char licence[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LATENCY_MAX_PLACES);
	__type(key, uint32_t);
	__type(value, uint64_t);
} latency_limits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, LATENCY_MAX_CALLS); // the loader adds LATENCY_CORE_CALLS
	__type(key, struct latency_call);
	__type(value, uint64_t);
} latency_calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, LATENCY_MAX_HITS);
	__uint(value_size, sizeof(struct latency_hit));
} latency_hits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LATENCY_NUM_LOSSES);
	__type(key, uint32_t);
	__type(value, uint64_t);
} latency_losses SEC(".maps");

struct pt_regs___x86 {
	unsigned long sp;
} __attribute__((preserve_access_index));

struct pt_regs___aarch64 {
	unsigned long sp, pstate;
} __attribute__((preserve_access_index));

static __always_inline bool latency_is_aarch64(void)
{
	return bpf_core_field_exists(((struct pt_regs___aarch64 *)0)->pstate);
}

static __always_inline uint64_t latency_stack_of(const void *regs)
{
	const struct pt_regs___x86 *x86 = regs;
	const struct pt_regs___aarch64 *aarch64 = regs;
	uint64_t stack = 0;
	if (latency_is_aarch64())
		bpf_core_read(&stack, sizeof(stack), &aarch64->sp);
	else
		bpf_core_read(&stack, sizeof(stack), &x86->sp);
	return stack;
}

static __always_inline void latency_add_loss(uint32_t which)
{
	uint64_t *num = bpf_map_lookup_elem(&latency_losses, &which);
	if (num)
		++*num;
}

static __always_inline struct latency_call latency_call_of(void *context)
{
	return (struct latency_call){
		.tid = (uint32_t)bpf_get_current_pid_tgid(),
		.place = (uint32_t)bpf_get_attach_cookie(context),
		.stack = latency_stack_of(context),
	};
}

/** When the call began; 0: it is not known. */
static __always_inline uint64_t latency_take_call(const struct latency_call *call)
{
	const uint64_t *found = bpf_map_lookup_elem(&latency_calls, call);
	uint64_t since_ns = found ? *found : 0;
	if (found)
		bpf_map_delete_elem(&latency_calls, call);
	return since_ns;
}

/** @call: with the stack pointer behind the return, which on x86 took the address from there. */
static __always_inline uint64_t latency_take_returned(struct latency_call *call)
{
	if (latency_is_aarch64())
		return latency_take_call(call);
	call->stack -= sizeof(uint64_t);
	uint64_t since_ns = latency_take_call(call);
	if (since_ns)
		return since_ns;
	// Of a program of 32 bits.
	call->stack += sizeof(uint32_t);
	return latency_take_call(call);
}

SEC("kprobe")
int latency_begin(void *context)
{
	struct latency_call call = latency_call_of(context);
	uint64_t now = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&latency_calls, &call, &now, BPF_ANY))
		latency_add_loss(LATENCY_LOST_CALLS);
	return 0;
}

SEC("kprobe")
int latency_end(void *context)
{
	uint64_t now = bpf_ktime_get_ns();
	struct latency_call call = latency_call_of(context);
	uint64_t since_ns = latency_take_returned(&call);
	const uint64_t *limit_ns = bpf_map_lookup_elem(&latency_limits, &call.place);
	if (!since_ns)
		latency_add_loss(LATENCY_LOST_CALLS);
	if (!since_ns || !limit_ns || now < since_ns || now - since_ns <= *limit_ns)
		return 0;
	struct latency_hit hit = {
		.place = call.place,
		.pid = bpf_get_current_pid_tgid() >> 32,
		.tid = call.tid,
		.ended_ns = now,
		.duration_ns = now - since_ns,
	};
	bpf_get_current_comm(hit.name, sizeof(hit.name));
	long size = bpf_get_stack(context, hit.frames, sizeof(hit.frames), BPF_F_USER_STACK);
	hit.num_frames = size > 0 ? (uint32_t)size / sizeof(hit.frames[0]) : 0;
	if (bpf_map_push_elem(&latency_hits, &hit, 0))
		latency_add_loss(LATENCY_LOST_HITS);
	return 0;
}
