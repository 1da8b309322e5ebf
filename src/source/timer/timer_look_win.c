// SPDX-License-Identifier: Apache-2.0

#include "source/timer/timer_look.h"

#include "base/os/clock.h"
#include "process/memory/process_memory.h"
#include "process/thread/thread_hold.h"
#include "process/thread/thread_registers.h"
#include "source/timer/system_call.h"
#include "source/timer/timer_sampling.h"

#include <stdlib.h>
#include <windows.h>

// Windows reports times of threads at the ticks of its clock only, but cycles at once
// (QueryThreadCycleTime()). has_run() takes a thread that used more cycles than holding it costs,
// which avoids stopping threads that wait. The thread is suspended (thread_hold_win.c), and
// registers and stack are copied; it stays suspended until timer_look_end(), so that its
// interpreted frames match.
//
// Nothing says whether the thread runs in the kernel. Its user registers do: if the instruction
// before the instruction pointer is a system call, the sample belongs to the kernel, and gets
// kernel time.

struct timer_look {
	struct thread_hold hold; /* of the thread that is looked at */
};

// A thread of one's own process may hold the lock of the heap when it is stopped: whoever allocates
// then waits for ever. thread_hold_begin() stops none of them.
struct error *timer_look_create(const struct sample_plan *plan, struct timer_look **ret)
{
	for (size_t i = 0; i < plan->num_pids; i++)
		if (plan->pids[i] == GetCurrentProcessId())
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "a process cannot stop its own threads on a timer"),
				"sample it from another process, by its process ID");
	*ret = calloc(1, sizeof(**ret));
	return *ret ? NULL : &error_no_memory;
}

void timer_look_destroy(struct timer_look *look)
{
	if (!look)
		return;
	thread_hold_deinit(&look->hold);
	free(look);
}

void timer_look_end(struct timer_look *look)
{
	if (look->hold.tid)
		thread_hold_end(&look->hold);
}

bool timer_look_holds_threads(void)
{
	return true;
}

uint64_t timer_look_spent_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

struct error *timer_look_above(void)
{
	return NULL;
}

/** Being held costs a waiting thread some cycles, too. Where the system counts none, times tell: it
 *  brings them up to date at its ticks. */
static bool has_run(struct watched_thread *thread, const struct task_clock *clock, uint64_t now_ns)
{
	enum { MOST_CYCLES_OF_HOLDING = 100000, RECENTLY_NS = 40000000 };
	if (clock->cycles)
		return clock->cycles - thread->clock.cycles > MOST_CYCLES_OF_HOLDING;
	if (!thread->recent_ns || clock->time_ns != thread->clock.time_ns ||
	    clock->kernel_ns != thread->clock.kernel_ns)
		thread->recent_ns = now_ns;
	return now_ns - thread->recent_ns < RECENTLY_NS;
}

#if defined(__aarch64__)
#define system_call_ends system_call_ends_arm64
#else
#define system_call_ends system_call_ends_x64
#endif

static void copy_stack(struct timer_sampling *sampling, struct watched_thread *thread,
		       const struct process_memory *memory, struct timed_sample *sample)
{
	uint8_t *room = timed_samples_stack(&sampling->samples, sample);
	struct stack_limits limits;
	if (!thread->stack_end && room && thread_registers_stack(&sampling->look->hold, &limits))
		thread->stack_end = limits.high;
	// Stacks grow downwards: what is in use goes from sp up to the end.
	uint64_t sp = sample->regs.sp;
	if (!room || sp >= thread->stack_end)
		return;
	uint64_t size = thread->stack_end - sp;
	if (size > sampling->samples.stack_bytes)
		size = sampling->samples.stack_bytes;
	sample->stack_size = memory->read(memory->context, sp, room, (size_t)size);
}

static bool timer_look_hold(struct timer_look *look, const struct watched_thread *thread,
			    struct user_regs *ret)
{
	if (!thread_hold_begin(&look->hold, thread->pid, thread->tid))
		return false;
	if (thread_registers_read(&look->hold, ret))
		return true;
	thread_hold_end(&look->hold);
	return false;
}

bool timer_look_at(struct timer_sampling *sampling, struct watched_thread *thread,
		   struct sample_wakeup *ret)
{
	struct task_clock clock;
	if (!task_files_clock(&thread->files, &clock))
		return false;
	bool is_wanted = has_run(thread, &clock, clock_ns(CLOCK_MONOTONIC));
	timer_sampling_take_time(sampling, thread, &clock);
	struct timed_sample sample = {
		.who = {.pid = thread->pid, .tid = thread->tid, .is_held = true}};
	if (!is_wanted || !timer_look_hold(sampling->look, thread, &sample.regs))
		return false;
	sample.who.time_ns = clock_ns(CLOCK_MONOTONIC);
	struct process_memory memory = process_memory_of(thread->pid);
	uint8_t call[SYSTEM_CALL_BYTES];
	sample.in_kernel =
		process_memory_read(&memory, sample.regs.ip - sizeof(call), call, sizeof(call)) &&
		system_call_ends(call);
	struct timed_sample *added = timed_samples_add(&sampling->samples, &sample);
	copy_stack(sampling, thread, &memory, added);
	*ret = added->who;
	return true;
}

struct error *timer_look_probe(struct probe *probe)
{
	struct error *err = probe_add_finding(probe, "CPU time of threads", PROBE_YES,
					      "cpu-clock, of this user's processes", NULL);
	ULONG64 cycles;
	if (err || QueryThreadCycleTime(GetCurrentThread(), &cycles))
		return err;
	return probe_add_finding(probe, "cycles of threads", PROBE_NO,
				 "all threads that ran within 40 ms are sampled", NULL);
}
