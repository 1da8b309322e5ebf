/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_KERNEL_THREAD_H
#define WPERF_TESTS_MINI_NT_KERNEL_THREAD_H

/**
 * Threads, each on one CPU for ever, and events, which they wait for. The ready thread with the
 * highest priority runs, equal ones take turns by the clock. With each switch the CPU's cycle
 * counter is read, as Windows does to account threads: it must agree with the clock.
 */

#include "driver/windows/trap_frame_arm64.h"
#include "tests/mini_nt/kernel/cpu.h"

typedef void thread_fn(void *argument);

enum { THREAD_MAX = 32 };
enum { THREAD_IDLE_PRIORITY, THREAD_LOW_PRIORITY, THREAD_HIGH_PRIORITY };

struct thread {
	KEVENT ended; /* first: who waits for a thread waits for this */
	uint64_t sp;
	unsigned cpu, priority, id;
	uint64_t stack_end;
	enum { THREAD_FREE, THREAD_READY, THREAD_WAITS, THREAD_ENDED } state;
	DISPATCHER_HEADER *waits_for;
	uint64_t wake_100ns; /* UINT64_MAX: never by time */
	thread_fn *function;
	void *argument;
	uint64_t user_pc, user_sp, user_fp; /* pc 0: it is a kernel's */
};

/** The boot code of a CPU becomes its idle thread, and goes on. */
void thread_init_cpu(struct cpu *cpu);

/** From idle threads: run others, for ever. */
void thread_idle(void *unused);

struct thread *thread_create(unsigned cpu, unsigned priority, thread_fn *function, void *argument);

/** A thread at EL0. @pc: of the code of boot.S. @rounds: its argument. @fp: its frame pointer. */
struct thread *thread_create_user(unsigned cpu, const void *pc, uint64_t rounds, uint64_t fp);

/** The current one. */
_Noreturn void thread_end(void);

/** Wait for its end; it can be used no more. */
void thread_join(struct thread *thread);

void thread_init_event(KEVENT *event, EVENT_TYPE type, bool is_set);
void thread_set_event(KEVENT *event);

/** STATUS_SUCCESS or _TIMEOUT. @timeout: NULL, or negative: from now on, in 100 ns. */
NTSTATUS thread_wait(DISPATCHER_HEADER *object, const LARGE_INTEGER *timeout);

void thread_sleep_ms(unsigned ms);

/** At DISPATCH_LEVEL: let another one run if it should. */
void thread_yield(void);

/** The lock of threads, events and timers. */
KIRQL thread_lock(void);
void thread_unlock(KIRQL irql);

/** At DISPATCH_LEVEL on CPU 0: who waits no longer? */
void thread_look_at_timers(void);

/** Ends everything with words. */
_Noreturn void thread_describe_fault(const struct trap_frame *frame, uint64_t address);

#endif
