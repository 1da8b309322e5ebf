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

// Of calls of a function within itself the outermost is timed: a depth counts the others. A call
// that never returns, as longjmp() leaves it, is found at the next one, whose stack does not lie
// below it.

char licence[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LATENCY_MAX_PLACES);
	__type(key, uint32_t);
	__type(value, uint64_t);
} latency_limits SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, LATENCY_MAX_CALLS);
	__type(key, struct latency_key);
	__type(value, struct latency_call);
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

static __always_inline uint64_t latency_stack_of(const void *regs)
{
	const struct pt_regs___x86 *x86 = regs;
	const struct pt_regs___aarch64 *aarch64 = regs;
	uint64_t stack = 0;
	if (bpf_core_field_exists(aarch64->pstate))
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

static __always_inline struct latency_key latency_key_of(void *context)
{
	return (struct latency_key){
		.tid = (uint32_t)bpf_get_current_pid_tgid(),
		.place = (uint32_t)bpf_get_attach_cookie(context),
	};
}

SEC("kprobe")
int latency_begin(void *context)
{
	struct latency_key key = latency_key_of(context);
	uint64_t stack = latency_stack_of(context);
	struct latency_call *outer = bpf_map_lookup_elem(&latency_calls, &key);
	if (outer && stack < outer->stack) {
		outer->depth++;
		return 0;
	}
	const struct latency_call call = {bpf_ktime_get_ns(), stack, 1};
	if (bpf_map_update_elem(&latency_calls, &key, &call, BPF_ANY))
		latency_add_loss(LATENCY_LOST_CALLS);
	return 0;
}

SEC("kprobe")
int latency_end(void *context)
{
	uint64_t now = bpf_ktime_get_ns();
	struct latency_key key = latency_key_of(context);
	struct latency_call *call = bpf_map_lookup_elem(&latency_calls, &key);
	const uint64_t *limit_ns = bpf_map_lookup_elem(&latency_limits, &key.place);
	if (!call || --call->depth)
		return 0;
	uint64_t since_ns = call->since_ns;
	bpf_map_delete_elem(&latency_calls, &key);
	if (!limit_ns || now < since_ns || now - since_ns <= *limit_ns)
		return 0;
	struct latency_hit hit = {
		.place = key.place,
		.pid = bpf_get_current_pid_tgid() >> 32,
		.tid = key.tid,
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
