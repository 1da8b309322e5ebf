// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/kernel/thread.h"

#include "tests/baremetal/console.h"
#include "tests/mini_nt/boot/page_tables.h"
#include "tests/mini_nt/kernel/dpc.h"
#include "tests/mini_nt/kernel/interrupts.h"

// One lock for all. It is held over a switch: who is switched to releases it.

enum { FIRST_STACK = 3 * LAYOUT_NUM_CPUS, USER_STACK = 0x2000 };
enum { FIRST_ID = 1000, SWITCH_BYTES = 96 };

static struct thread threads[THREAD_MAX];
static struct thread idle_threads[LAYOUT_NUM_CPUS];
static KSPIN_LOCK lock;
static unsigned num_created;

extern const uint8_t user_increment[], user_code_end[];

KIRQL thread_lock(void)
{
	KIRQL irql =
		cpu_this()->irql < DISPATCH_LEVEL ? cpu_raise(DISPATCH_LEVEL) : cpu_this()->irql;
	cpu_lock(&lock);
	return irql;
}

void thread_unlock(KIRQL irql)
{
	cpu_unlock(&lock);
	cpu_lower(irql);
}

void thread_init_cpu(struct cpu *cpu)
{
	struct thread *idle = &idle_threads[cpu->index];
	idle->cpu = cpu->index;
	idle->priority = THREAD_IDLE_PRIORITY;
	idle->state = THREAD_READY;
	cpu->idle = cpu->thread = idle;
	cpu->last_time = 0;
}

// Both clocks of QEMU count nanoseconds of the same time, one in steps of 16.
static void check_cycles(struct cpu *cpu)
{
	enum { TOLERANCE = 2000, NS_PER_SECOND = 1000000000 };
	uint64_t time = SYSREG_READ(cntvct_el0), cycles = SYSREG_READ(pmccntr_el0);
	uint64_t passed = (time - cpu->last_time) * (NS_PER_SECOND / SYSREG_READ(cntfrq_el0));
	int64_t difference = (int64_t)(cycles - cpu->last_cycles - passed);
	if (cpu->last_time && (difference > TOLERANCE || difference < -TOLERANCE))
		cpu_fault("the cycle counter and the clock disagree by", (uint64_t)difference);
	cpu->last_time = time;
	cpu->last_cycles = cycles;
	cpu->num_switches++;
}

// Of equal ones the next behind the current.
static struct thread *find_next(struct cpu *cpu)
{
	struct thread *best = cpu->thread->state == THREAD_READY ? cpu->thread : cpu->idle;
	unsigned first = cpu->thread == cpu->idle ? 0 : (unsigned)(cpu->thread - threads) + 1;
	bool is_current = best == cpu->thread;
	for (unsigned i = 0; i < THREAD_MAX; i++) {
		struct thread *thread = &threads[(first + i) % THREAD_MAX];
		if (thread->state != THREAD_READY || thread->cpu != cpu->index ||
		    thread->priority < best->priority)
			continue;
		if (thread->priority > best->priority || (is_current && thread != best)) {
			best = thread;
			is_current = false;
		}
	}
	return best;
}

static void thread_switch(struct cpu *cpu)
{
	struct thread *before = cpu->thread, *next = find_next(cpu);
	cpu->wants_switch = false;
	if (next == before)
		return;
	check_cycles(cpu);
	cpu->thread = next;
	cpu_switch(&before->sp, next->sp);
}

void thread_yield(void)
{
	cpu_lock(&lock);
	thread_switch(cpu_this());
	cpu_unlock(&lock);
}

void thread_idle(void *unused)
{
	cpu_lower(PASSIVE_LEVEL);
	cpu_unmask();
	for (;;) {
		KIRQL irql = thread_lock();
		thread_switch(cpu_this());
		thread_unlock(irql);
		cpu_mask();
		if (!cpu_this()->wants_switch)
			__asm__ volatile("wfi");
		cpu_unmask();
	}
}

static void begin(void)
{
	struct thread *thread = cpu_this()->thread;
	thread_unlock(PASSIVE_LEVEL);
	if (thread->user_pc)
		cpu_enter_user(thread->user_pc, thread->user_sp, (uint64_t)thread->argument,
			       thread->user_fp, thread->stack_end);
	thread->function(thread->argument);
	thread_end();
}

static struct thread *allocate(unsigned cpu, unsigned priority)
{
	unsigned i = 0;
	while (i < THREAD_MAX && threads[i].state != THREAD_FREE)
		i++;
	if (i == THREAD_MAX)
		cpu_fault("too many threads", THREAD_MAX);
	struct thread *thread = &threads[i];
	RtlZeroMemory(thread, sizeof(*thread));
	thread_init_event(&thread->ended, NotificationEvent, false);
	thread->cpu = cpu;
	thread->priority = priority;
	thread->id = FIRST_ID + num_created++;
	thread->stack_end = cpu_stack_end(FIRST_STACK + i);
	// As if it had switched away: x29 and x30 are the first words.
	thread->sp = thread->stack_end - SWITCH_BYTES;
	RtlZeroMemory((void *)thread->sp, SWITCH_BYTES);
	((uint64_t *)thread->sp)[1] = (uint64_t)begin;
	return thread;
}

static void make_ready(struct thread *thread)
{
	thread->state = THREAD_READY;
	cpus[thread->cpu].wants_switch = true;
	interrupts_ask(&cpus[thread->cpu]);
}

struct thread *thread_create(unsigned cpu, unsigned priority, thread_fn *function, void *argument)
{
	KIRQL irql = thread_lock();
	struct thread *thread = allocate(cpu, priority);
	thread->function = function;
	thread->argument = argument;
	make_ready(thread);
	thread_unlock(irql);
	return thread;
}

struct thread *thread_create_user(unsigned cpu, const void *pc, uint64_t rounds, uint64_t fp)
{
	KIRQL irql = thread_lock();
	struct thread *thread = allocate(cpu, THREAD_LOW_PRIORITY);
	thread->argument = (void *)rounds;
	thread->user_pc = LAYOUT_USER_VIRTUAL + (uint64_t)((const uint8_t *)pc - user_increment);
	thread->user_sp = LAYOUT_USER_VIRTUAL + USER_STACK * (cpu + 2);
	thread->user_fp = fp;
	make_ready(thread);
	thread_unlock(irql);
	return thread;
}

static void signal(DISPATCHER_HEADER *object)
{
	object->SignalState = 1;
	for (unsigned i = 0; i < THREAD_MAX; i++) {
		if (threads[i].state == THREAD_WAITS && threads[i].waits_for == object)
			make_ready(&threads[i]);
	}
}

void thread_end(void)
{
	thread_lock();
	struct cpu *cpu = cpu_this();
	cpu->thread->state = THREAD_ENDED;
	signal(&cpu->thread->ended.Header);
	thread_switch(cpu);
	cpu_fault("a thread that has ended runs", cpu->thread->id);
}

void thread_join(struct thread *thread)
{
	thread_wait(&thread->ended.Header, NULL);
	KIRQL irql = thread_lock();
	thread->state = THREAD_FREE;
	thread_unlock(irql);
}

void thread_init_event(KEVENT *event, EVENT_TYPE type, bool is_set)
{
	RtlZeroMemory(event, sizeof(*event));
	event->Header.Type = (UCHAR)type;
	event->Header.SignalState = is_set;
}

void thread_set_event(KEVENT *event)
{
	KIRQL irql = thread_lock();
	signal(&event->Header);
	thread_unlock(irql);
}

NTSTATUS thread_wait(DISPATCHER_HEADER *object, const LARGE_INTEGER *timeout)
{
	NTSTATUS status = STATUS_SUCCESS;
	uint64_t wake = timeout ? dpc_now_100ns() + (uint64_t)-timeout->QuadPart : UINT64_MAX;
	KIRQL irql = thread_lock();
	if (irql >= DISPATCH_LEVEL)
		cpu_fault("waited at IRQL", irql);
	while (!object->SignalState && status == STATUS_SUCCESS) {
		struct thread *thread = cpu_this()->thread;
		thread->waits_for = object;
		thread->wake_100ns = wake;
		thread->state = THREAD_WAITS;
		thread_switch(cpu_this());
		if (!object->SignalState && dpc_now_100ns() >= wake)
			status = STATUS_TIMEOUT;
	}
	if (status == STATUS_SUCCESS && object->Type == SynchronizationEvent)
		object->SignalState = 0;
	thread_unlock(irql);
	return status;
}

void thread_sleep_ms(unsigned ms)
{
	KEVENT never;
	LARGE_INTEGER timeout = {.QuadPart = -(LONGLONG)ms * 10000};
	thread_init_event(&never, NotificationEvent, false);
	thread_wait(&never.Header, &timeout);
}

void thread_look_at_timers(void)
{
	cpu_lock(&lock);
	uint64_t now = dpc_now_100ns();
	for (unsigned i = 0; i < THREAD_MAX; i++) {
		if (threads[i].state == THREAD_WAITS && threads[i].wake_100ns <= now)
			make_ready(&threads[i]);
	}
	dpc_fire_timers();
	cpu_unlock(&lock);
}

void thread_describe_fault(const struct trap_frame *frame, uint64_t address)
{
	enum { CLASS_SHIFT = 26, CLASS_VECTORS = 7 };
	console_text(frame->esr >> CLASS_SHIFT == CLASS_VECTORS ? "FAIL a vector register was used"
								: "FAIL fault");
	console_text(" at IRQL ");
	console_number(cpu_this()->irql);
	console_text(", pc ");
	console_hex(frame->pc);
	console_text(", lr ");
	console_hex(frame->lr);
	console_text(", syndrome ");
	console_hex(frame->esr);
	console_text("\n");
	cpu_fault("address", address);
}
