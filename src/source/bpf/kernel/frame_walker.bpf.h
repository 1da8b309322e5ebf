/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_FRAME_WALKER_BPF_H
#define WPERF_SOURCE_BPF_FRAME_WALKER_BPF_H

/**
 * The program that runs in the kernel when a sample is taken, on the thread that was interrupted:
 * an interpreter's frames are walked and left in the ring, right before the kernel leaves the
 * sample there. All but the walk itself is here. The walk belongs to the interpreter: a .bpf.c file
 * includes this header, then those of the walks, and defines walker_follow(), which chooses one.
 * It is compiled as one object, because the kernel verifies a program with all that it calls.
 *
 * A walk reads with walker_read(), adds frames at walker_frame_of(), and keeps what it works on in
 * `own` of its scratch.
 */

#include "source/bpf/walker_maps.h"

#include <linux/bpf.h>
// These want the types of the one before.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>
#include <stddef.h>

// This wants all of them.
#include "source/bpf/kernel/walk_budget.h"

// A sample runs at_event(): walk_at_sample() looks up the process's layout (set by bpf_walker.c),
// has its interpreter's walk follow the frames, and writes the result into the core's ring
// (walker_give()), right before the kernel writes the sample. Everything read is user memory of the
// interrupted thread (bpf_probe_read_user()), which may not fault: a page that is missing ends the
// walk.
//
// If wperf unwinds native stacks, their bytes come the same way (walker_copy_stack()), also those
// of processes without an interpreter. The kernel could copy them into the sample, but it takes
// room for 64 KiB in the ring each time, and copies the environment above the stack as well: at
// 10,000 samples a second that cost programs 5 % of their time.
//
// The verifier of the kernel follows every path: loops are callbacks of bpf_loop(), offsets into
// buffers are masked, and the working memory is in a map (scratches) and not on the stack of 512
// bytes. A thread may spend a tenth of its CPU time on walks (walk_budget.h); beyond that, walks
// are cut short.
//
// On kernels with bpf_task_work_schedule_resume(), a walk that met a missing page is repeated by
// the thread itself before it returns to user code (walk_late()), where bpf_copy_from_user() may
// fetch the page. The thread has not gone on, so the frames are those of the sample. The result is
// in the map `lates`, where perf_round.c finds it by slot and number.

// The kernel lets only programs of its own licence use the helpers that read and give output.
char licence[] SEC("license") = "GPL";

enum {
	MAX_PROCESSES = 4096,
	MAX_THREADS = 16384,
	MAX_LATE_STEPS = 64, // pages that may be missing
	MAX_LATE_GENERATIONS = 4,
	FORKED_WITHOUT_EXEC = 0x40, // of a task's flags
	KERNEL_THREAD = 0x200000,
	NO_SPACE = 28,
};

// Of the kernel's structs only what is used; the loader finds where it really is, and what this
// kernel has at all. What stands behind three underscores is no part of a name.
struct thread_struct {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

struct thread_struct___aarch64 {
	struct {
		unsigned long tp_value;
	} uw;
} __attribute__((preserve_access_index));

typedef struct {
	int counter;
} atomic_t;

// Registers as the program had them when it was left for the kernel: the stack pointer, and the
// first two arguments of a system call.
struct pt_regs___x86 {
	unsigned long si, di, sp, ip;
} __attribute__((preserve_access_index));

struct pt_regs___aarch64 {
	unsigned long regs[31];
	unsigned long sp;
	unsigned long pc;
	unsigned long orig_x0;
} __attribute__((preserve_access_index));

struct signal_struct {
	atomic_t live;
} __attribute__((preserve_access_index));

struct bpf_map {
	int id;
};

struct upid {
	int nr;
} __attribute__((preserve_access_index));

struct pid {
	unsigned int level;
	struct upid numbers[1];
} __attribute__((preserve_access_index));

struct mm_struct {
	unsigned long start_stack;
} __attribute__((preserve_access_index));

struct task_struct {
	int pid, tgid;
	unsigned int flags;
	struct mm_struct *mm;
	struct signal_struct *signal;
	struct pid *thread_pid;
	void *stack;
	struct thread_struct thread;
} __attribute__((preserve_access_index));

struct task_struct___aarch64 {
	struct thread_struct___aarch64 thread;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_PROCESSES);
	__type(key, uint32_t);
	__type(value, struct walker_process);
} processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_THREADS);
	__type(key, struct walker_thread_key);
	__type(value, struct walker_thread);
} threads SEC(".maps");

// What a walk works on is too large for the stack, or, on it, too much for the kernel, which
// follows each value of what is there when it checks the program: that took a quarter of a second.
// A core works on one sample at a time: the kernel sees to that. An array for each core would be
// the kernel's own, but its values may have no more than 32 KiB.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); // one for each core: the loader knows how many
	__type(key, uint32_t);
	__type(value, struct walker_core);
} scratches SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct walker_wish);
} wishes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALKER_NUM_COUNTERS);
	__type(key, uint32_t);
	__type(value, uint64_t);
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WALKER_NUM_LATES);
	__type(key, uint32_t);
	__type(value, struct walker_late);
} lates SEC(".maps");

// Threads in a late walk, and how many of them led to it. To fetch a page is a page fault, which
// may be sampled itself: without an end to this a late walk could lead to the next one for ever.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4 * WALKER_NUM_LATES);
	__type(key, uint64_t);
	__type(value, uint32_t);
} late_threads SEC(".maps");

// An event of each core that writes into the ring of the core's samples; the loader says how many.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} rings SEC(".maps");

// Objects that may be gone before wperf reads them.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, WALKER_NUM_COPIES);
	__type(key, struct object_copy_key);
	__type(value, struct object_copy);
} copies SEC(".maps");

uint32_t num_lates;

struct walker {
	const struct walker_process *process;
	struct walker_scratch *scratch;
	bool is_cut_short; // because the thread has spent its budget
	bool is_at_probe;  // at whose place the thread is
	uint64_t tls;
	// Where the TLS base may be that of the program before:
	uint64_t number;     // of the thread; else 0
	bool is_only_thread; // since its program began
};

static __always_inline uint64_t walker_tls_of(const struct task_struct *task)
{
	const struct task_struct___aarch64 *aarch64 = (const void *)task;
	if (bpf_core_field_exists(aarch64->thread.uw.tp_value))
		return aarch64->thread.uw.tp_value;
	return task->thread.fsbase;
}

// What the thread itself knows for its number, in whatever container.
static __always_inline uint64_t walker_thread_number(struct task_struct *task)
{
	uint64_t pid = 0;
	uint32_t level = 0, number = 0;
	bpf_core_read(&pid, sizeof(pid), &task->thread_pid);
	bpf_core_read(&level, sizeof(level), &((struct pid *)pid)->level);
	const char *numbers = (const char *)pid + bpf_core_field_offset(struct pid, numbers);
	bpf_probe_read_kernel(&number, sizeof(number),
			      numbers + level * bpf_core_type_size(struct upid));
	return number;
}

// A child that runs the program of its parent has a TLS base since it was forked.
static __always_inline bool walker_is_only_thread(const struct task_struct *task)
{
	return !(task->flags & FORKED_WITHOUT_EXEC) && task->signal->live.counter == 1;
}

static __always_inline bool walker_read(struct walker *walker, uint64_t address, void *ret,
					uint32_t size)
{
	walker->scratch->num_reads++;
	if (!bpf_probe_read_user(ret, size, (const void *)address))
		return true;
	walker->scratch->missing = address;
	walker->scratch->missing_bytes = size;
	return false;
}

static __always_inline bool walker_has_to_stop(const struct walker *walker)
{
	return walker->is_cut_short && walker->scratch->num_reads >= WALK_BUDGET_LEAST_READS;
}

static __always_inline bool walker_read_word(struct walker *walker, uint64_t address, uint64_t *ret)
{
	return walker_read(walker, address, ret, sizeof(*ret));
}

// What cannot be read is not missed: wperf reads the object itself, unless it is gone.
static __always_inline void walker_copy(struct object_copy_part *part, uint64_t address)
{
	enum { PAGE_BYTES = 4096 }; // the smallest
	uint32_t on_page = PAGE_BYTES - (address & (PAGE_BYTES - 1));
	part->address = address;
	part->size = 0;
	if (!address)
		return;
	if (!bpf_probe_read_user(part->bytes, sizeof(part->bytes), (const void *)address))
		part->size = sizeof(part->bytes);
	else if (on_page < sizeof(part->bytes) &&
		 !bpf_probe_read_user(part->bytes, on_page, (const void *)address))
		part->size = on_page;
}

static __always_inline void walker_remember(const struct walker_thread_key *key, uint64_t state,
					    uint64_t retry_ns)
{
	struct walker_thread thread = {.state = state, .retry_ns = retry_ns};
	bpf_map_update_elem(&threads, key, &thread, BPF_ANY);
}

static __always_inline struct interpreted_frame *walker_frame_of(struct walker_scratch *scratch,
								 uint32_t place)
{
	return &scratch->frames[place & (FRAME_WALK_MAX_FRAMES - 1)];
}

// Of the system call that the thread is in.
static __always_inline uint64_t walker_first_argument(void)
{
	const void *regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	const struct pt_regs___x86 *x86 = regs;
	const struct pt_regs___aarch64 *aarch64 = regs;
	uint64_t argument = 0;
	if (bpf_core_field_exists(x86->di))
		bpf_core_read(&argument, sizeof(argument), &x86->di);
	else if (bpf_core_field_exists(aarch64->orig_x0))
		bpf_core_read(&argument, sizeof(argument), &aarch64->orig_x0);
	return argument;
}

static __always_inline uint64_t walker_second_argument(void)
{
	const void *regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	const struct pt_regs___x86 *x86 = regs;
	const struct pt_regs___aarch64 *aarch64 = regs;
	uint64_t argument = 0;
	if (bpf_core_field_exists(x86->si))
		bpf_core_read(&argument, sizeof(argument), &x86->si);
	else if (bpf_core_field_exists(aarch64->regs))
		bpf_core_read(&argument, sizeof(argument), &aarch64->regs[1]);
	return argument;
}

/** Does the program run on the thread's own stack of the kernel? Interrupts have others, unless
 * they interrupt user code. */
static __always_inline bool walker_is_on_own_stack(const void *context)
{
	enum { STACK_BYTES = 32 << 10 }; // at most, of a thread in the kernel
	const struct task_struct *task = bpf_get_current_task_btf();
	uint64_t place = 0, stack = 0;
	// As a number: the context is where the kernel has put the tracepoint's arguments.
	bpf_probe_read_kernel(&place, sizeof(place), &context);
	bpf_core_read(&stack, sizeof(stack), &task->stack);
	return place - stack < STACK_BYTES;
}

// Where the thread is in its program.
static __always_inline uint64_t walker_instruction(void)
{
	const void *regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	const struct pt_regs___x86 *x86 = regs;
	const struct pt_regs___aarch64 *aarch64 = regs;
	uint64_t address = 0;
	if (bpf_core_field_exists(x86->ip))
		bpf_core_read(&address, sizeof(address), &x86->ip);
	else if (bpf_core_field_exists(aarch64->pc))
		bpf_core_read(&address, sizeof(address), &aarch64->pc);
	return address;
}

static __always_inline void walker_count(uint32_t counter, uint64_t number)
{
	uint64_t *value = bpf_map_lookup_elem(&counters, &counter);
	if (value)
		*value += number;
}

static __always_inline void walker_charge(uint64_t *spent, uint64_t ns)
{
	*spent += ns;
	walker_count(WALKER_COUNTER_NS, ns);
}

static __always_inline uint32_t walker_frame_bytes(const struct walker_scratch *scratch)
{
	uint32_t num = scratch->output.num_frames;
	if (num > FRAME_WALK_MAX_FRAMES)
		num = FRAME_WALK_MAX_FRAMES;
	return num * sizeof(scratch->frames[0]);
}

static __always_inline uint64_t walker_stack_pointer(struct task_struct *task)
{
	const void *regs = (const void *)bpf_task_pt_regs(task);
	const struct pt_regs___x86 *x86 = regs;
	const struct pt_regs___aarch64 *aarch64 = regs;
	uint64_t pointer = 0;
	if (bpf_core_field_exists(x86->sp) && bpf_core_field_exists(x86->di))
		bpf_core_read(&pointer, sizeof(pointer), &x86->sp);
	else if (bpf_core_field_exists(aarch64->sp))
		bpf_core_read(&pointer, sizeof(pointer), &aarch64->sp);
	return pointer;
}

// Where frames cannot be. Above the first thread's stack are the program's arguments and its
// environment, thousands of bytes often; in threads that the C library made, their own data are
// above the stack, and what the TLS base points to is among them.
static __always_inline uint64_t walker_stack_end(const struct task_struct *task, uint64_t pointer)
{
	enum { BEYOND = 128 }; // the kernel's first frame of a program has its words there
	uint64_t first = task->mm->start_stack + BEYOND, tls = walker_tls_of(task);
	uint64_t end = first > pointer ? first : UINT64_MAX;
	return tls > pointer && tls < end ? tls : end;
}

// The compiler knows no more of it than before: a check that follows stays, and of the register
// that is used. Linux 6.1 knows nothing of one that has the same value.
#define walker_keep(number) asm volatile("" : "+r"(number))

struct stack_copying {
	struct walker_core *core;
	uint64_t address;
	uint32_t offset; // of the bytes behind the first frame
	uint32_t size, done;
};

// A page each, until one is missing: no stack, or paged out.
static long copy_stack_page(uint32_t step, struct stack_copying *copying)
{
	enum { PAGE_BYTES = 4096 }; // the smallest
	uint32_t first = PAGE_BYTES - (copying->address & (PAGE_BYTES - 1));
	uint32_t done = step ? first + (step - 1) * PAGE_BYTES : 0;
	uint32_t size = step ? PAGE_BYTES : first;
	if (done >= copying->size)
		return 1;
	if (size > copying->size - done)
		size = copying->size - done;
	uint32_t offset = copying->offset + done;
	walker_keep(size);
	walker_keep(offset);
	if (size > PAGE_BYTES || offset > WALKER_ROOM_BYTES)
		return 1;
	char *to = (char *)copying->core->scratch.frames + offset;
	if (bpf_probe_read_user(to, size, (const void *)(copying->address + done)))
		return 1;
	copying->done = done + size;
	return 0;
}

// Behind the frames, if there are any. Global, so that the kernel verifies it by itself, and not
// once more for each way in which a walk may have ended. Always 0.
__noinline int walker_copy_stack(uint32_t most)
{
	enum { MAX_PAGES = WALKER_ROOM_BYTES / 4096 + 2 };
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	uint32_t number = bpf_get_smp_processor_id();
	struct walker_core *core = bpf_map_lookup_elem(&scratches, &number);
	if (!core || task->flags & KERNEL_THREAD)
		return 0;
	uint32_t offset = walker_frame_bytes(&core->scratch) + sizeof(core->stack.address);
	uint64_t pointer = walker_stack_pointer(task), size = WALKER_ROOM_BYTES - offset;
	uint64_t there = walker_stack_end(task, pointer) - pointer;
	if (size > there)
		size = there;
	if (size > most)
		size = most;
	walker_keep(size);
	if (size > sizeof(core->stack.bytes))
		return 0;
	char *to = (char *)core->scratch.frames + offset;
	*(uint64_t *)(to - sizeof(core->stack.address)) = pointer;
	core->scratch.output.stack_bytes = size;
	if (!bpf_probe_read_user(to, size, (const void *)pointer))
		return 0;
	struct stack_copying copying = {
		.core = core,
		.address = pointer,
		.offset = offset,
		.size = size,
	};
	bpf_loop(MAX_PAGES, copy_stack_page, &copying, 0);
	core->scratch.output.stack_bytes = copying.done;
	return 0;
}

static __always_inline void walker_give(void *context, struct walker_scratch *scratch)
{
	uint64_t size = sizeof(scratch->output) + walker_frame_bytes(scratch);
	if (scratch->output.stack_bytes)
		size += sizeof(uint64_t) + scratch->output.stack_bytes;
	if (size > sizeof(scratch->output) + WALKER_ROOM_BYTES)
		return;
	long status =
		bpf_perf_event_output(context, &rings, BPF_F_CURRENT_CPU, &scratch->output, size);
	if (status == -NO_SPACE)
		walker_count(WALKER_COUNTER_NO_ROOM, 1);
}

// The walk of the interpreter in walker->process: it adds the thread's frames to the scratch, and
// sets the output's end and lock. False: the thread is none of the interpreter's, which is what a
// sample without a walk says.
static __always_inline bool walker_follow(struct walker *walker,
					  const struct walker_thread_key *key);

static __always_inline bool walker_walk(struct walker *walker, const struct walker_thread_key *key)
{
	struct walker_scratch *scratch = walker->scratch;
	scratch->walk++;
	scratch->missing = 0;
	scratch->num_reads = 0;
	scratch->output.num_frames = 0;
	scratch->output.late_slot = UINT32_MAX;
	scratch->output.gil_holder = 0;
	walker->tls = key->tls;
	return walker_follow(walker, key);
}

struct late_walker {
	struct walker walker;
	const struct walker_thread_key *key;
	uint64_t *spent;
};

// Each missing page is fetched, and the walk begun anew: the thread does not go on meanwhile.
static long late_step(uint32_t step, struct late_walker *late)
{
	struct walker_scratch *scratch = late->walker.scratch;
	uint64_t begin_ns = bpf_ktime_get_ns();
	walker_walk(&late->walker, late->key);
	walker_charge(late->spent, bpf_ktime_get_ns() - begin_ns);
	uint64_t missing = scratch->missing;
	uint8_t byte;
	if (!missing || bpf_copy_from_user(&byte, sizeof(byte), (const void *)missing))
		return 1;
	return bpf_copy_from_user(&byte, sizeof(byte),
				  (const void *)(missing + scratch->missing_bytes - 1)) != 0 &&
	       step;
}

static int walk_late(struct bpf_map *map, void *slot, void *value)
{
	struct walker_late *late = value;
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &late->key.process);
	uint64_t *spent = walk_budget_spent((const void *)bpf_get_current_task_btf());
	if (!process || !spent)
		return 0;
	struct late_walker walker = {
		.walker = {.process = process, .scratch = &late->scratch},
		.key = &late->key,
		.spent = spent,
	};
	uint32_t number = late->number;
	uint64_t thread = bpf_get_current_pid_tgid();
	if (bpf_map_update_elem(&late_threads, &thread, &late->generation, BPF_ANY))
		return 0;
	late->begun = number;
	barrier();
	bpf_loop(MAX_LATE_STEPS, late_step, &walker, 0);
	barrier();
	late->done = number;
	bpf_map_delete_elem(&late_threads, &thread);
	return 0;
}

typedef int (*task_work_callback)(struct bpf_map *map, void *key, void *value);

extern int bpf_task_work_schedule_resume_impl(struct task_struct *task, struct bpf_task_work *work,
					      void *map, task_work_callback callback,
					      void *unused) __ksym __weak;

// The thread walks over its own frames before it goes on with its program.
static __always_inline void walk_once_more(struct walker_scratch *scratch,
					   const struct walker_thread_key *key)
{
	uint64_t thread = bpf_get_current_pid_tgid();
	const uint32_t *parent = bpf_map_lookup_elem(&late_threads, &thread);
	uint32_t generation = parent ? *parent + 1 : 0;
	if (generation > MAX_LATE_GENERATIONS)
		return;
	uint32_t number = __sync_fetch_and_add(&num_lates, 1) + 1;
	uint32_t slot = number % WALKER_NUM_LATES;
	struct walker_late *late = bpf_map_lookup_elem(&lates, &slot);
	if (!late || bpf_task_work_schedule_resume_impl(bpf_get_current_task_btf(), &late->work,
							&lates, walk_late, NULL))
		return;
	late->key = *key;
	late->number = number;
	late->generation = generation;
	scratch->output.late_slot = slot;
	scratch->output.late_number = number;
}

// False: no frames, as of no thread of an interpreter.
static __always_inline bool walk_with(const struct walker_process *process,
				      struct walker_scratch *scratch, bool may_be_late,
				      bool is_at_probe)
{
	uint64_t begin_ns = bpf_ktime_get_ns();
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	uint64_t *spent = walk_budget_spent((const void *)task);
	if (!spent)
		return false;
	struct walker_thread_key key = {
		.process = bpf_get_current_pid_tgid() >> 32,
		.generation = process->generation,
		.tls = walker_tls_of(task),
	};
	struct walker walker = {
		.process = process,
		.scratch = scratch,
		.is_cut_short = !walk_budget_is_left((const void *)task, spent),
		.is_at_probe = is_at_probe,
	};
	bool has_frames = walker_walk(&walker, &key);
	if (has_frames && may_be_late && scratch->missing && !walker.is_cut_short)
		walk_once_more(scratch, &key);
	*spent += bpf_ktime_get_ns() - begin_ns;
	return has_frames;
}

static __always_inline void walker_begin(struct walker_scratch *scratch)
{
	scratch->output = (struct walker_output){
		.end = FRAME_WALK_NONE,
		.late_slot = UINT32_MAX,
	};
}

// A program at a probe runs on the thread: a sample of an event, or another thread that takes its
// place, may begin a walk on the core in the middle of one, and has to do without a scratch then,
// and so without frames.
static __always_inline void walk_at_place(void *context, uint32_t stack_bytes, bool may_be_late,
					  bool is_at_probe)
{
	uint32_t process_id = bpf_get_current_pid_tgid() >> 32;
	uint32_t number = bpf_get_smp_processor_id();
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &process_id);
	struct walker_core *core = bpf_map_lookup_elem(&scratches, &number);
	if (!(process || stack_bytes) || !core ||
	    __sync_lock_test_and_set(&core->scratch.is_taken, 1))
		return;
	uint64_t begin_ns = bpf_ktime_get_ns();
	struct walker_scratch *scratch = &core->scratch;
	walker_begin(scratch);
	bool has_frames = process && walk_with(process, scratch, may_be_late, is_at_probe);
	if (!has_frames)
		walker_begin(scratch);
	if (stack_bytes)
		walker_copy_stack(stack_bytes);
	if (has_frames || scratch->output.stack_bytes)
		walker_give(context, scratch);
	walker_count(WALKER_COUNTER_NS, bpf_ktime_get_ns() - begin_ns);
	scratch->is_taken = 0;
}

static __always_inline void walk_at_sample(void *context, uint32_t stack_bytes, bool may_be_late)
{
	walk_at_place(context, stack_bytes, may_be_late, false);
}

static __always_inline uint32_t walker_wished_stack_bytes(void)
{
	uint32_t first = 0;
	const struct walker_wish *wish = bpf_map_lookup_elem(&wishes, &first);
	return wish ? wish->stack_bytes : 0;
}

// What these return has the kernel go on with the sample.

SEC("perf_event")
int at_event(void *context)
{
	walk_at_sample(context, walker_wished_stack_bytes(), false);
	return 1;
}

SEC("tracepoint")
int at_tracepoint(void *context)
{
	walk_at_sample(context, 0, false);
	return 1;
}

#include "source/bpf/kernel/value_probe.bpf.h"

// Each event of a probe is a probe of its own, and each of them runs its program for all threads on
// all cores: only that whose sample follows has to walk. The cookie says which core's and thread's
// it is (walker_probe_cookie()).
SEC("kprobe")
int at_probe(void *context)
{
	uint64_t cookie = bpf_get_attach_cookie(context);
	if (cookie & VALUE_COOKIE_HAS_VALUES)
		return value_pass(context, cookie);
	uint32_t thread = cookie >> WALKER_COOKIE_CORE_BITS;
	uint32_t core = cookie & ((1U << WALKER_COOKIE_CORE_BITS) - 1);
	if (core == bpf_get_smp_processor_id() &&
	    (!thread || thread == (uint32_t)bpf_get_current_pid_tgid()))
		walk_at_place(context, 0, false, true);
	return 1;
}

SEC("perf_event")
int at_event_late(void *context)
{
	walk_at_sample(context, walker_wished_stack_bytes(), true);
	return 1;
}

SEC("tracepoint")
int at_tracepoint_late(void *context)
{
	walk_at_sample(context, 0, true);
	return 1;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(follow_fork, struct task_struct *parent, struct task_struct *child)
{
	uint32_t parent_id = parent->tgid, child_id = child->tgid;
	if (parent_id == child_id)
		return 0;
	value_follow_fork(parent_id, child_id);
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &parent_id);
	if (process)
		bpf_map_update_elem(&processes, &child_id, process, BPF_ANY);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(follow_exec, struct task_struct *task)
{
	uint32_t process_id = task->tgid;
	bpf_map_delete_elem(&processes, &process_id);
	value_follow_exec(process_id);
	return 0;
}

// The next thread may get the same place for its thread-local memory.
SEC("tp_btf/sched_process_exit")
int BPF_PROG(follow_exit, struct task_struct *task)
{
	uint32_t process_id = task->tgid;
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &process_id);
	walk_budget_forget(task);
	if (task->signal->live.counter == 0)
		value_follow_exit(process_id);
	if (!process)
		return 0;
	struct walker_thread_key key = {
		.process = process_id,
		.generation = process->generation,
		.tls = walker_tls_of(task),
	};
	bpf_map_delete_elem(&threads, &key);
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&processes, &process_id);
	return 0;
}

#endif
