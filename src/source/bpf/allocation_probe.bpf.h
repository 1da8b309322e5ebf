/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_ALLOCATION_PROBE_BPF_H
#define WPERF_SOURCE_BPF_ALLOCATION_PROBE_BPF_H

/**
 * The program at the functions of an allocator: it chooses which calls are samples, so that only
 * these leave the kernel. A .bpf.c file includes it after frame_walker.bpf.h, whose walk a sample
 * has as well.
 */

#include "source/bpf/allocation_maps.h"
#include "source/bpf/frame_walker.bpf.h"

// As in the preloaded library, each byte is chosen with the same probability, 1 / period,
// independently of all others: the distance from one to the next is exponential. Such a distance
// has no memory, so that a core can count down for whatever threads it runs. A call that has
// chosen bytes is a sample; calls from inside an allocator, which its caller has paid for, are
// dropped only then. That thins the bytes out, and leaves the probability of the others as it is.
//
// Uprobes run on the thread, and may be interrupted by another thread that allocates: a core's
// countdown is changed atomically, and whoever takes it below zero has chosen. A thread that finds
// it there lost the race; its bytes are those of the winner.

enum {
	ALLOCATION_MMAP_LEAST = 64 << 10,
	ALLOCATION_LIBC_ALIGNMENT = 16, // malloc() has that anyway
	ALLOCATION_WRITABLE = 2,        // PROT_WRITE
	ALLOCATION_ANONYMOUS = 0x20,    // MAP_ANONYMOUS
	ALLOCATION_PROCESSES = 1024,
};

#define ALLOCATION_MOST_BYTES ((uint64_t)1 << 47)

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct allocation_setting);
} allocation_settings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct allocation_countdown);
} countdowns SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ALLOCATION_PROCESSES);
	__type(key, uint32_t);
	__type(value, struct allocation_process);
} allocators SEC(".maps");

// An event of each core whose samples have registers and stack; the loader says how many.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} allocation_rings SEC(".maps");

struct pt_regs___x86_all {
	unsigned long di, si, dx, cx, sp;
} __attribute__((preserve_access_index));

struct pt_regs___aarch64_all {
	unsigned long regs[31];
} __attribute__((preserve_access_index));

struct allocation_call {
	uint64_t arguments[4];
	uint64_t return_address;
};

enum { ALLOCATION_LINK_REGISTER = 30 };

static __always_inline void allocation_read_call(const void *context, struct allocation_call *call)
{
	const struct pt_regs___x86_all *x86 = context;
	const struct pt_regs___aarch64_all *aarch64 = context;
	if (bpf_core_field_exists(x86->di)) {
		bpf_core_read(&call->arguments[0], sizeof(uint64_t), &x86->di);
		bpf_core_read(&call->arguments[1], sizeof(uint64_t), &x86->si);
		bpf_core_read(&call->arguments[2], sizeof(uint64_t), &x86->dx);
		bpf_core_read(&call->arguments[3], sizeof(uint64_t), &x86->cx);
	} else if (bpf_core_field_exists(aarch64->regs)) {
		bpf_core_read(call->arguments, sizeof(call->arguments), &aarch64->regs);
	}
}

/** 0 if it cannot be read. */
static __always_inline uint64_t allocation_return_address(const void *context)
{
	const struct pt_regs___x86_all *x86 = context;
	const struct pt_regs___aarch64_all *aarch64 = context;
	uint64_t sp = 0, address = 0;
	if (bpf_core_field_exists(x86->sp)) {
		bpf_core_read(&sp, sizeof(sp), &x86->sp);
		bpf_probe_read_user(&address, sizeof(address), (const void *)sp);
	} else if (bpf_core_field_exists(aarch64->regs)) {
		bpf_core_read(&address, sizeof(address), &aarch64->regs[ALLOCATION_LINK_REGISTER]);
	}
	return address;
}

/** 0: it does not count. */
static __always_inline uint64_t allocation_size(uint64_t kind, const struct allocation_call *call)
{
	const uint64_t *arguments = call->arguments;
	switch (kind) {
	case ALLOCATION_SIZE_FIRST:
		return arguments[0];
	case ALLOCATION_PRODUCT:
		// One that overflows fails.
		return arguments[0] && arguments[1] > ALLOCATION_MOST_BYTES / arguments[0]
			       ? 0
			       : arguments[0] * arguments[1];
	case ALLOCATION_SIZE_SECOND:
		return arguments[1];
	case ALLOCATION_SIZE_THIRD:
		return arguments[2];
	case ALLOCATION_MMAP:
		return arguments[2] & ALLOCATION_WRITABLE && arguments[3] & ALLOCATION_ANONYMOUS &&
				       arguments[1] >= ALLOCATION_MMAP_LEAST
			       ? arguments[1]
			       : 0;
	case ALLOCATION_LIBC_REALLOC:
		return arguments[0] ? arguments[1] : 0;
	case ALLOCATION_LIBC_MEMALIGN:
		return arguments[0] > ALLOCATION_LIBC_ALIGNMENT ? arguments[1] : 0;
	case ALLOCATION_LIBC_POSIX_MEMALIGN:
		return arguments[1] > ALLOCATION_LIBC_ALIGNMENT ? arguments[2] : 0;
	default:
		return 0;
	}
}

/** -ln(u) * period for a random u. */
static __always_inline uint64_t allocation_draw(const struct allocation_setting *setting)
{
	enum { RANDOM_BITS = 32, REST_BITS = RANDOM_BITS - ALLOCATION_LOG_BITS };
	// u is 2^-n * (1 + fraction) / 2, with n zeros in front of a random number's first one.
	uint64_t random = (uint64_t)bpf_get_prandom_u32() << RANDOM_BITS | bpf_get_prandom_u32();
	uint32_t zeros = 0;
	for (uint32_t step = RANDOM_BITS; step; step /= 2) {
		if (random >> (2 * RANDOM_BITS - step))
			continue;
		zeros += step;
		random <<= step;
	}
	uint32_t fraction = bpf_get_prandom_u32();
	uint32_t place = fraction >> REST_BITS;
	if (place >= ALLOCATION_LOG_STEPS)
		return setting->period;
	uint64_t rest = fraction & ((1U << REST_BITS) - 1);
	uint64_t low = setting->logs[place], high = setting->logs[place + 1];
	uint64_t log = low + ((high - low) * rest >> REST_BITS);
	uint64_t minus_log = (uint64_t)(zeros + 1) * setting->log_of_2 - log;
	return (minus_log * setting->period >> ALLOCATION_FRACTION_BITS) + 1;
}

/** Has this call a byte that is chosen? */
static __always_inline bool allocation_is_chosen(const struct allocation_setting *setting,
						 struct allocation_countdown *countdown,
						 uint64_t size)
{
	if (!countdown->is_drawn) {
		countdown->is_drawn = 1;
		countdown->bytes_left = (int64_t)allocation_draw(setting);
	}
	int64_t left = __sync_fetch_and_add(&countdown->bytes_left, -(int64_t)size);
	if (left > (int64_t)size || left <= 0)
		return false;
	countdown->bytes_left = (int64_t)allocation_draw(setting);
	return true;
}

static __always_inline bool allocation_is_within(const struct allocation_process *process,
						 uint64_t kind, uint64_t address)
{
	const struct allocation_range *libc = &process->ranges[0], *other = &process->ranges[1];
	if (address >= other->start && address < other->end)
		return true;
	return kind == ALLOCATION_MMAP && address >= libc->start && address < libc->end;
}

// What it returns has the kernel drop the event that the probe itself is.
SEC("kprobe")
int at_allocation(void *context)
{
	uint32_t first = 0, process_id = bpf_get_current_pid_tgid() >> 32;
	const struct allocation_setting *setting =
		bpf_map_lookup_elem(&allocation_settings, &first);
	struct allocation_countdown *countdown = bpf_map_lookup_elem(&countdowns, &first);
	struct allocation_process *process = bpf_map_lookup_elem(&allocators, &process_id);
	if (!setting || !countdown || !process)
		return 0;
	// Later on, the threads of a process would have to share this word.
	if (!setting->is_on)
		__sync_fetch_and_add(&process->num_calls, 1);
	uint64_t kind = bpf_get_attach_cookie(context);
	struct allocation_call call = {0};
	allocation_read_call(context, &call);
	struct allocation_output output = {.size = allocation_size(kind, &call)};
	if (!setting->is_on || !output.size || output.size > ALLOCATION_MOST_BYTES ||
	    !allocation_is_chosen(setting, countdown, output.size) ||
	    allocation_is_within(process, kind, allocation_return_address(context)))
		return 0;
	walk_at_sample(context, false);
	if (bpf_perf_event_output(context, &allocation_rings, BPF_F_CURRENT_CPU, &output,
				  sizeof(output)) == -NO_SPACE)
		__sync_fetch_and_add(&countdown->num_lost, 1);
	return 0;
}

// Another program has other code at these addresses.
SEC("tp_btf/sched_process_exec")
int BPF_PROG(follow_allocator_exec, struct task_struct *task)
{
	uint32_t process_id = task->tgid;
	bpf_map_delete_elem(&allocators, &process_id);
	return 0;
}

#endif
