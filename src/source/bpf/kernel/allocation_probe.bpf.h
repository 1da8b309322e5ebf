/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_ALLOCATION_PROBE_BPF_H
#define WPERF_SOURCE_BPF_ALLOCATION_PROBE_BPF_H

/**
 * The programs at the functions of an allocator: they choose which calls are samples, and see when
 * the blocks of samples are freed, so that only these leave the kernel. A .bpf.c file includes it
 * after frame_walker.bpf.h, whose walk a sample has as well.
 */

#include "source/bpf/allocation_maps.h"
#include "source/bpf/kernel/frame_walker.bpf.h"

// As in the preloaded library, each byte is chosen with the same probability, 1 / period,
// independently of all others: the distance from one to the next is exponential. Such a distance
// has no memory, so that a core can count down for whatever threads it runs. A call that has
// chosen bytes is a sample; calls from inside an allocator, which its caller has paid for, are
// dropped only then. That thins the bytes out, and leaves the probability of the others as it is.
//
// Uprobes run on the thread, and may be interrupted by another thread that allocates: a core's
// countdown is changed atomically, and whoever takes it below zero has chosen. A thread that finds
// it there lost the race; its bytes are those of the winner.
//
// Where frees are seen, a chosen call is kept by its thread and stack pointer, as one may be inside
// another, and becomes a sample when it returns: then its block has an address, under which it is
// kept until somebody frees it, and what has failed is none. A block is added after the allocator
// has given it out, and removed before the allocator gets it back, so that no other block can have
// its address. A realloc() that fails counts as a free of the old block.

enum {
	ALLOCATION_MMAP_LEAST = 64 << 10,
	ALLOCATION_LIBC_ALIGNMENT = 16, // malloc() has that anyway
	ALLOCATION_WRITABLE = 2,        // PROT_WRITE
	ALLOCATION_ANONYMOUS = 0x20,    // MAP_ANONYMOUS
	ALLOCATION_PROCESSES = 1024,
	ALLOCATION_BLOCKS = 65536, // as the preloaded library keeps
	ALLOCATION_CALLS = 16384,
	ALLOCATION_THREADS = 16384,
	ALLOCATION_LAST_ERROR = 4095, // mmap() fails with an address above its negative
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

// Likewise, of frees, which have neither registers nor a stack.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} freed_rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ALLOCATION_BLOCKS);
	__type(key, struct allocation_block_key);
	__type(value, struct allocation_block);
} blocks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, ALLOCATION_CALLS);
	__type(key, struct allocation_call_key);
	__type(value, struct allocation_returning);
} returning_calls SEC(".maps");

// What each thread has allocated.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, ALLOCATION_THREADS);
	__type(key, uint64_t);
	__type(value, uint64_t);
} drawn_bytes SEC(".maps");

uint64_t num_blocks;

struct pt_regs___x86_all {
	unsigned long di, si, dx, cx, sp, ax;
} __attribute__((preserve_access_index));

struct pt_regs___aarch64_all {
	unsigned long regs[31];
	unsigned long sp;
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

/** The stack pointer as it is when the function has returned. */
static __always_inline uint64_t allocation_stack_pointer(const void *context, bool has_returned)
{
	const struct pt_regs___x86_all *x86 = context;
	const struct pt_regs___aarch64_all *aarch64 = context;
	uint64_t sp = 0;
	if (bpf_core_field_exists(x86->di)) {
		bpf_core_read(&sp, sizeof(sp), &x86->sp);
		return has_returned ? sp : sp + sizeof(uint64_t);
	}
	if (bpf_core_field_exists(aarch64->regs))
		bpf_core_read(&sp, sizeof(sp), &aarch64->sp);
	return sp;
}

static __always_inline uint64_t allocation_returned(const void *context)
{
	const struct pt_regs___x86_all *x86 = context;
	const struct pt_regs___aarch64_all *aarch64 = context;
	uint64_t value = 0;
	if (bpf_core_field_exists(x86->ax))
		bpf_core_read(&value, sizeof(value), &x86->ax);
	else if (bpf_core_field_exists(aarch64->regs))
		bpf_core_read(&value, sizeof(value), &aarch64->regs[0]);
	return value;
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
	case ALLOCATION_REALLOC:
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
	for (uint32_t i = 0; i < ALLOCATION_NUM_RANGES; i++) {
		const struct allocation_range *range = &process->ranges[i];
		if (i && !range->end)
			break;
		if (address >= range->start && address < range->end)
			return i || kind == ALLOCATION_MMAP;
	}
	return false;
}

static __always_inline struct allocation_countdown *allocation_countdown(void)
{
	uint32_t first = 0;
	return bpf_map_lookup_elem(&countdowns, &first);
}

static __always_inline uint64_t allocation_drawn(uint64_t thread)
{
	const uint64_t *drawn = bpf_map_lookup_elem(&drawn_bytes, &thread);
	return drawn ? *drawn : 0;
}

static __always_inline void allocation_count_thread(uint64_t thread, uint64_t size)
{
	uint64_t *drawn = bpf_map_lookup_elem(&drawn_bytes, &thread);
	if (drawn)
		*drawn += size; // nobody else has this one
	else
		bpf_map_update_elem(&drawn_bytes, &thread, &size, BPF_ANY);
}

static __always_inline void allocation_tell_free(void *context,
						 const struct allocation_setting *setting,
						 const struct allocation_block *block)
{
	uint64_t thread = bpf_get_current_pid_tgid();
	struct allocation_freed freed = {.number = block->number, .since = UINT64_MAX};
	if (setting->counts_thread && block->thread == thread)
		freed.since = allocation_drawn(thread) - block->drawn;
	struct allocation_countdown *countdown = allocation_countdown();
	if (bpf_perf_event_output(context, &freed_rings, BPF_F_CURRENT_CPU, &freed,
				  sizeof(freed)) == -NO_SPACE &&
	    countdown)
		__sync_fetch_and_add(&countdown->num_lost_frees, 1);
}

/** What was there is freed. */
static __always_inline void allocation_forget(void *context,
					      const struct allocation_setting *setting,
					      uint64_t address)
{
	struct allocation_block_key key = {bpf_get_current_pid_tgid() >> 32, address};
	const struct allocation_block *kept = bpf_map_lookup_elem(&blocks, &key);
	if (!kept)
		return;
	struct allocation_block block = *kept;
	bpf_map_delete_elem(&blocks, &key);
	allocation_tell_free(context, setting, &block);
}

/** False: the ring had no room. */
static __always_inline bool allocation_sample(void *context, uint64_t size, uint64_t number)
{
	struct allocation_countdown *countdown = allocation_countdown();
	struct allocation_output output = {.size = size, .number = number};
	walk_at_sample(context, 0, false);
	if (bpf_perf_event_output(context, &allocation_rings, BPF_F_CURRENT_CPU, &output,
				  sizeof(output)) != -NO_SPACE)
		return true;
	if (countdown)
		__sync_fetch_and_add(&countdown->num_lost, 1);
	return false;
}

static __always_inline void allocation_keep_call(const void *context, uint64_t kind,
						 const struct allocation_call *call, uint64_t size)
{
	uint64_t thread = bpf_get_current_pid_tgid();
	struct allocation_call_key key = {thread, allocation_stack_pointer(context, false)};
	bool has_place = kind == ALLOCATION_SIZE_THIRD || kind == ALLOCATION_LIBC_POSIX_MEMALIGN;
	struct allocation_returning returning = {
		.size = size,
		.drawn = allocation_drawn(thread),
		.place = has_place ? call->arguments[0] : 0,
	};
	struct allocation_countdown *countdown = allocation_countdown();
	if (bpf_map_update_elem(&returning_calls, &key, &returning, BPF_ANY) && countdown)
		__sync_fetch_and_add(&countdown->num_lost, 1);
}

/** 0: it has failed. */
static __always_inline uint64_t allocation_address(const struct allocation_returning *call,
						   uint64_t returned)
{
	uint64_t address = returned;
	// posix_memalign() returns 0 if it has not failed.
	if (call->place &&
	    (returned & UINT32_MAX ||
	     bpf_probe_read_user(&address, sizeof(address), (const void *)call->place)))
		address = 0;
	return address < -(uint64_t)ALLOCATION_LAST_ERROR ? address : 0;
}

static __always_inline void allocation_begin_block(void *context, uint64_t address,
						   const struct allocation_returning *call)
{
	uint64_t thread = bpf_get_current_pid_tgid();
	struct allocation_block_key key = {thread >> 32, address};
	struct allocation_block block = {
		.number = __sync_fetch_and_add(&num_blocks, 1) + 1,
		.thread = thread,
		.drawn = call->drawn,
	};
	struct allocation_countdown *countdown = allocation_countdown();
	if (bpf_map_update_elem(&blocks, &key, &block, BPF_ANY) && countdown)
		__sync_fetch_and_add(&countdown->num_unseen, 1);
	if (!allocation_sample(context, call->size, block.number))
		bpf_map_delete_elem(&blocks, &key);
}

/** False: nothing is probed, or not of this process. */
static __always_inline bool allocation_find_process(const struct allocation_setting **setting,
						    struct allocation_process **process)
{
	uint32_t first = 0, process_id = bpf_get_current_pid_tgid() >> 32;
	*setting = bpf_map_lookup_elem(&allocation_settings, &first);
	*process = bpf_map_lookup_elem(&allocators, &process_id);
	return *setting && *process;
}

// What these return has the kernel drop the event that the probe itself is.

SEC("kprobe")
int at_allocation(void *context)
{
	uint64_t thread = bpf_get_current_pid_tgid();
	const struct allocation_setting *setting;
	struct allocation_process *process;
	struct allocation_countdown *countdown = allocation_countdown();
	if (!countdown || !allocation_find_process(&setting, &process))
		return 0;
	// Later on, the threads of a process would have to share this word.
	if (!setting->is_on)
		__sync_fetch_and_add(&process->num_calls, 1);
	uint64_t kind = bpf_get_attach_cookie(context);
	struct allocation_call call = {0};
	allocation_read_call(context, &call);
	if (setting->sees_frees && (kind == ALLOCATION_REALLOC || kind == ALLOCATION_LIBC_REALLOC))
		allocation_forget(context, setting, call.arguments[0]);
	uint64_t size = allocation_size(kind, &call);
	if (!size || size > ALLOCATION_MOST_BYTES)
		return 0;
	if (setting->counts_thread &&
	    !allocation_is_within(process, kind, allocation_return_address(context)))
		allocation_count_thread(thread, size);
	if (!setting->is_on || !allocation_is_chosen(setting, countdown, size) ||
	    allocation_is_within(process, kind, allocation_return_address(context)))
		return 0;
	if (setting->sees_frees)
		allocation_keep_call(context, kind, &call, size);
	else
		allocation_sample(context, size, 0);
	return 0;
}

SEC("kprobe")
int at_free(void *context)
{
	const struct allocation_setting *setting;
	struct allocation_process *process;
	if (!allocation_find_process(&setting, &process))
		return 0;
	if (!setting->is_on)
		__sync_fetch_and_add(&process->num_calls, 1);
	struct allocation_call call = {0};
	allocation_read_call(context, &call);
	allocation_forget(context, setting, call.arguments[0]);
	return 0;
}

SEC("kretprobe")
int at_allocation_return(void *context)
{
	const struct allocation_setting *setting;
	struct allocation_process *process;
	if (!allocation_find_process(&setting, &process))
		return 0;
	if (!setting->is_on)
		__sync_fetch_and_add(&process->num_returns, 1);
	struct allocation_call_key key = {bpf_get_current_pid_tgid(),
					  allocation_stack_pointer(context, true)};
	const struct allocation_returning *kept = bpf_map_lookup_elem(&returning_calls, &key);
	if (!kept)
		return 0;
	struct allocation_returning call = *kept;
	bpf_map_delete_elem(&returning_calls, &key);
	uint64_t address = allocation_address(&call, allocation_returned(context));
	if (address && setting->is_on)
		allocation_begin_block(context, address, &call);
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
