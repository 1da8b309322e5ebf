/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_CALL_PROBE_BPF_H
#define WPERF_SOURCE_BPF_CALL_PROBE_BPF_H

/**
 * The programs at system calls: they count and time each call of the target, and choose which calls
 * are samples. A .bpf.c file includes this beside frame_walker.bpf.h, whose walk a sample has as
 * well.
 */

#include "source/bpf/call_maps.h"
#include "source/bpf/kernel/frame_walker.bpf.h"

// At sys_enter, the thread's entry in call_threads notes the call and the time; sched_switch adds
// the time that the thread waits meanwhile; sys_exit adds all to the count of the thread and call.
// These tracepoints are those of all threads of the machine: one of another process costs a lookup
// at each. Only the thread itself changes its entry and its counts, so that nothing is atomic.
//
// Which calls are samples: a call stands for `period` calls, and is chosen with the probability 1 /
// period, so that sums of what samples stand for are right on average. The period rises with the
// number of calls seen so far, but is lower for calls that are long: those that took a large part
// of the time so far. A million equal calls make about CALL_SAMPLES * (1 + ln(1,000,000 /
// CALL_SAMPLES)) samples on a core.

enum {
	CALL_PROCESSES = 4096,
	CALL_COMPAT = 2,       // TS_COMPAT, of thread_info.status
	CALL_MAX_ERRNO = 4095, // results from here to -1 are errors
	CALL_MUTEX_OWNER = 8,  // where a mutex of the GNU C library says which thread has it
	CALL_FUTEX_WAIT_OPS = 1 << 0 | 1 << 9, // FUTEX_WAIT, FUTEX_WAIT_BITSET
	CALL_FUTEX_OP_MASK = 0x7f,
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct call_setting);
} call_settings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CALL_PROCESSES);
	__type(key, uint32_t);
	__type(value, struct call_process);
} call_processes SEC(".maps");

// The loader sizes the next three where they are used.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct call_thread);
} call_threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct call_key);
	__type(value, struct call_count);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct call_rate);
} call_rates SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, CALL_NUM_LOSSES);
	__type(key, uint32_t);
	__type(value, uint64_t);
} call_losses SEC(".maps");

// An event of each core whose samples have registers and stack; the loader says how many.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} call_rings SEC(".maps");

// What the counts begin with, too large for the stack.
static const struct call_count call_nothing;

struct thread_info {
	unsigned int status;
} __attribute__((preserve_access_index));

struct task_struct___call {
	struct thread_info thread_info;
	unsigned int __state;
	struct files_struct *files;
} __attribute__((preserve_access_index));

struct inode {
	unsigned short i_mode;
} __attribute__((preserve_access_index));

struct file {
	struct inode *f_inode;
} __attribute__((preserve_access_index));

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
} __attribute__((preserve_access_index));

struct files_struct {
	struct fdtable *fdt;
} __attribute__((preserve_access_index));

/** The clocks of two cores may differ by a little, and `then` may be another core's that is newer.
 */
static __always_inline uint64_t call_time_since(uint64_t then, uint64_t now)
{
	return now > then ? now - then : 0;
}

static __always_inline void call_add_loss(uint32_t which)
{
	uint64_t *num = bpf_map_lookup_elem(&call_losses, &which);
	if (num)
		++*num;
}

static __always_inline const struct call_setting *call_find_setting(void)
{
	uint32_t first = 0;
	return bpf_map_lookup_elem(&call_settings, &first);
}

/** Else threads and counts stay as they are: their reader must meet each of them once. */
static __always_inline bool call_is_on(void)
{
	const struct call_setting *setting = call_find_setting();
	return setting && setting->is_on;
}

/** On AArch64, 32-bit programs are not told apart: their numbers are read as those of 64 bits. */
static __always_inline bool call_is_foreign(const void *task)
{
	const struct task_struct___call *known = task;
	unsigned int status = 0;
	if (bpf_core_field_exists(known->thread_info.status))
		bpf_core_read(&status, sizeof(status), &known->thread_info.status);
	return status & CALL_COMPAT;
}

/** Of a futex that is waited for. Whether it is that of a mutex is for the reader to decide. */
static __always_inline uint32_t call_lock_owner(void)
{
	uint32_t operation = (uint32_t)walker_second_argument() & CALL_FUTEX_OP_MASK;
	uint32_t owner = 0;
	if (operation >= 32 || !(CALL_FUTEX_WAIT_OPS >> operation & 1))
		return 0;
	bpf_probe_read_user(&owner, sizeof(owner),
			    (const void *)(walker_first_argument() + CALL_MUTEX_OWNER));
	return owner;
}

static __always_inline enum call_file call_file_of(const void *task, uint64_t number)
{
	enum {
		MODE_MASK = 0xf000,
		PIPE = 0x1000,
		TERMINAL = 0x2000,
		REGULAR = 0x8000,
		SOCKET = 0xc000
	};
	const struct task_struct___call *known = task;
	struct files_struct *files = NULL;
	struct fdtable *table = NULL;
	struct file **array = NULL, *file = NULL;
	struct inode *inode = NULL;
	unsigned int max = 0;
	unsigned short mode = 0;
	if (bpf_core_read(&files, sizeof(files), &known->files) || !files ||
	    bpf_core_read(&table, sizeof(table), &files->fdt) || !table ||
	    bpf_core_read(&max, sizeof(max), &table->max_fds) || number >= max ||
	    bpf_core_read(&array, sizeof(array), &table->fd) ||
	    bpf_probe_read_kernel(&file, sizeof(file), array + number) || !file ||
	    bpf_core_read(&inode, sizeof(inode), &file->f_inode) || !inode ||
	    bpf_core_read(&mode, sizeof(mode), &inode->i_mode))
		return CALL_FILE_UNKNOWN;
	switch (mode & MODE_MASK) {
	case PIPE:
		return CALL_FILE_PIPE;
	case SOCKET:
		return CALL_FILE_SOCKET;
	case REGULAR:
		return CALL_FILE_REGULAR;
	case TERMINAL:
		return CALL_FILE_TERMINAL;
	default:
		return CALL_FILE_OTHER;
	}
}

static __always_inline struct call_thread *call_find_thread(uint32_t pid, uint32_t tid)
{
	struct call_thread *thread = bpf_map_lookup_elem(&call_threads, &tid);
	if (thread || !bpf_map_lookup_elem(&call_processes, &pid))
		return thread;
	const struct call_thread none = {.pid = pid};
	if (bpf_map_update_elem(&call_threads, &tid, &none, BPF_ANY))
		call_add_loss(CALL_LOST_COUNTS);
	return bpf_map_lookup_elem(&call_threads, &tid);
}

static __always_inline struct call_count *call_find_count(const struct call_thread *thread,
							  uint32_t tid)
{
	const struct call_key key = {thread->pid, tid, thread->number, thread->is_foreign};
	struct call_count *count = bpf_map_lookup_elem(&calls, &key);
	if (count)
		return count;
	if (bpf_map_update_elem(&calls, &key, &call_nothing, BPF_ANY))
		call_add_loss(CALL_LOST_COUNTS);
	return bpf_map_lookup_elem(&calls, &key);
}

static __always_inline uint32_t call_bucket(uint64_t ns)
{
	uint32_t bucket = 0;
	for (uint32_t step = 32; step; step /= 2)
		if (ns >> step) {
			ns >>= step;
			bucket += step;
		}
	return bucket < CALL_HISTOGRAM_BUCKETS ? bucket : CALL_HISTOGRAM_BUCKETS - 1;
}

static __always_inline void call_count_add(struct call_count *count,
					   const struct call_thread *thread, uint64_t duration_ns,
					   long result)
{
	count->num_calls++;
	count->num_errors += result < 0 && result >= -CALL_MAX_ERRNO;
	count->total_ns += duration_ns;
	count->waited_ns += thread->waited_ns;
	if (duration_ns > count->max_ns)
		count->max_ns = duration_ns;
	uint32_t bucket = call_bucket(duration_ns);
	if (bucket < CALL_HISTOGRAM_BUCKETS)
		count->histogram[bucket]++;
}

/** 0: it is no sample; else the calls that it stands for. */
static __always_inline uint64_t call_choose(uint32_t number, uint64_t duration_ns)
{
	struct call_rate *rate = bpf_map_lookup_elem(&call_rates, &number);
	if (!rate)
		return 0;
	rate->num_calls++;
	rate->total_ns += duration_ns;
	uint64_t by_count = rate->num_calls / CALL_SAMPLES;
	uint64_t by_time = rate->total_ns / (duration_ns * CALL_SAMPLES + 1);
	uint64_t period = by_count < by_time ? by_count : by_time;
	if (period <= 1)
		return 1;
	return bpf_get_prandom_u32() % period ? 0 : period;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(call_enter, struct pt_regs *regs, long number)
{
	uint64_t id = bpf_get_current_pid_tgid();
	const struct call_setting *setting = call_find_setting();
	if (!setting || !setting->is_on)
		return 0;
	struct call_thread *thread = call_find_thread(id >> 32, (uint32_t)id);
	if (!thread)
		return 0;
	thread->pid = id >> 32;
	thread->number = (uint32_t)number;
	thread->is_foreign = call_is_foreign(bpf_get_current_task_btf());
	thread->waited_ns = thread->left_ns = 0;
	thread->owner = thread->number == setting->futex ? call_lock_owner() : 0;
	thread->is_inside = 1;
	thread->start_ns = bpf_ktime_get_ns();
	return 0;
}

/** Is the process one whose calls count already? Those of its exec do. */
static __always_inline bool call_counts(const struct call_thread *thread)
{
	uint32_t pid = thread->pid;
	const struct call_process *process = bpf_map_lookup_elem(&call_processes, &pid);
	return process && !process->awaits_exec;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(call_exit, struct pt_regs *regs, long result)
{
	uint64_t now = bpf_ktime_get_ns();
	uint32_t tid = (uint32_t)bpf_get_current_pid_tgid();
	struct call_thread *thread = bpf_map_lookup_elem(&call_threads, &tid);
	if (!thread || !thread->is_inside || !call_is_on())
		return 0;
	thread->is_inside = 0;
	if (!call_counts(thread))
		return 0;
	struct call_count *count = call_find_count(thread, tid);
	if (!count)
		return 0;
	struct call_output output = {
		.number = thread->number,
		.duration_ns = call_time_since(thread->start_ns, now),
		.waited_ns = thread->waited_ns,
		.owner = thread->owner,
	};
	call_count_add(count, thread, output.duration_ns, result);
	if (thread->is_foreign)
		return 0;
	output.period = call_choose(output.number, output.duration_ns);
	if (!output.period)
		return 0;
	output.argument = walker_first_argument();
	output.file = call_file_of(bpf_get_current_task_btf(), output.argument);
	walk_at_sample(ctx, 0, false);
	if (bpf_perf_event_output(ctx, &call_rings, BPF_F_CURRENT_CPU, &output, sizeof(output)) ==
	    -NO_SPACE)
		call_add_loss(CALL_LOST_SAMPLES);
	return 0;
}

/** Does it leave its CPU to wait? A thread that only lets others run, with sched_yield(), is ready.
 */
static __always_inline bool call_waits(const struct task_struct___call *task, bool is_preempted)
{
	return !is_preempted && task->__state;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(call_switch, bool is_preempted, struct task_struct *before, struct task_struct *after)
{
	uint64_t now = bpf_ktime_get_ns();
	uint32_t left = before->pid, came = after->pid;
	struct call_thread *thread = bpf_map_lookup_elem(&call_threads, &left);
	if (thread && thread->is_inside && call_waits((const void *)before, is_preempted))
		thread->left_ns = now;
	thread = bpf_map_lookup_elem(&call_threads, &came);
	if (!thread || !thread->left_ns)
		return 0;
	thread->waited_ns += call_time_since(thread->left_ns, now);
	thread->left_ns = 0;
	return 0;
}

// What wakes a thread from an interrupt is none of the thread that was interrupted. That is so for
// packets from the network, too, also for those that were sent on this machine.
SEC("tp_btf/sched_waking")
int BPF_PROG(call_wake, struct task_struct *woken)
{
	uint64_t now = bpf_ktime_get_ns();
	uint32_t tid = woken->pid, own_tid = (uint32_t)bpf_get_current_pid_tgid();
	const struct call_thread *waiting = bpf_map_lookup_elem(&call_threads, &tid);
	if (!waiting || !waiting->is_inside || !walker_is_on_own_stack(ctx))
		return 0;
	// Once: a thread that is just about to wait writes it on its own core.
	uint64_t left_ns = *(const volatile uint64_t *)&waiting->left_ns;
	uint64_t waited_ns = call_time_since(left_ns, now);
	const struct call_thread *waker = bpf_map_lookup_elem(&call_threads, &own_tid);
	if (!left_ns || !waited_ns || !waker || !waker->is_inside || waker->is_foreign ||
	    !call_is_on() || !call_counts(waiting))
		return 0;
	struct call_output output = {
		.number = waker->number,
		.duration_ns = waited_ns,
		.waited_ns = waited_ns,
		.argument = waiting->is_foreign ? UINT32_MAX : waiting->number,
		.owner = tid,
		.is_wake = 1,
	};
	output.period = call_choose(CALL_WAKE_RATE, output.duration_ns);
	if (!output.period)
		return 0;
	walk_at_sample(ctx, 0, false);
	if (bpf_perf_event_output(ctx, &call_rings, BPF_F_CURRENT_CPU, &output, sizeof(output)) ==
	    -NO_SPACE)
		call_add_loss(CALL_LOST_SAMPLES);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(call_fork, struct task_struct *parent, struct task_struct *child)
{
	uint32_t parent_id = parent->tgid, child_id = child->tgid;
	const struct call_setting *setting = call_find_setting();
	if (parent_id == child_id || !setting || !setting->inherits)
		return 0;
	const struct call_process *process = bpf_map_lookup_elem(&call_processes, &parent_id);
	if (process && bpf_map_update_elem(&call_processes, &child_id, process, BPF_ANY))
		call_add_loss(CALL_LOST_COUNTS);
	return 0;
}

// The call is execve(), of a thread that may have another number from now on: the process's.
SEC("tp_btf/sched_process_exec")
int BPF_PROG(call_exec, struct task_struct *task, int old_tid)
{
	uint32_t pid = task->tgid, old = (uint32_t)old_tid;
	struct call_process *process = bpf_map_lookup_elem(&call_processes, &pid);
	if (!process)
		return 0;
	process->awaits_exec = 0;
	if (old == pid || !call_is_on())
		return 0;
	const struct call_thread *thread = bpf_map_lookup_elem(&call_threads, &old);
	if (thread) {
		struct call_thread moved = *thread;
		bpf_map_update_elem(&call_threads, &pid, &moved, BPF_ANY);
	}
	bpf_map_delete_elem(&call_threads, &old);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(call_end, struct task_struct *task)
{
	uint32_t tid = task->pid, pid = task->tgid;
	const struct call_thread *thread = bpf_map_lookup_elem(&call_threads, &tid);
	if (thread && call_is_on()) {
		struct call_count *count = thread->is_inside && call_counts(thread)
						   ? call_find_count(thread, tid)
						   : NULL;
		if (count)
			count->num_unreturned++;
		bpf_map_delete_elem(&call_threads, &tid);
	}
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&call_processes, &pid);
	return 0;
}

#endif
