// SPDX-License-Identifier: Apache-2.0

// Samples and their callers against what is known; and that programs get on meanwhile.

#include "tests/mini_nt/boot/page_tables.h"
#include "tests/mini_nt/checks/checks.h"
#include "tests/mini_nt/kernel/dpc.h"
#include "tests/mini_nt/kernel/interrupts.h"

#define ONLY_USER   WPERF_FILTER_EXCLUDE_EL1
#define ONLY_KERNEL WPERF_FILTER_EXCLUDE_EL0

enum { DEPTH = 2 };

/** What samples were like. */
struct tally {
	unsigned num, num_elsewhere, num_with_callers, num_wrong;
	uint64_t begin, end;     /* where samples must be */
	const uint64_t *callers; /* NULL: there are none */
};

static void take_sample(void *context, const struct wperf_ring_sample *sample,
			const uint64_t *callers)
{
	struct tally *tally = context;
	tally->num++;
	tally->num_elsewhere += sample->pc < tally->begin || sample->pc >= tally->end;
	tally->num_with_callers += sample->num_callers > 0;
	if (!tally->callers)
		return;
	bool is_right = sample->num_callers >= DEPTH;
	for (unsigned i = 0; is_right && i < DEPTH; i++)
		is_right = callers[i] == tally->callers[i];
	tally->num_wrong += !is_right;
}

// Each interval is a sample, at the instruction that made it overflow or right behind it.
void check_samples_of_programs(struct report *report)
{
	enum { INTERVAL = 1009, ROUNDS = 200000 };
	struct client client;
	client_begin_check(&client, report);
	EXPECT_EQUAL(report,
		     client_start_sampling(&client, CLIENT_ALL_CPUS, EVENT_SW_INCR, INTERVAL,
					   ONLY_USER),
		     STATUS_SUCCESS);
	checks_increment_everywhere(ROUNDS);
	struct wperf_sample_summary summary = client_stop_sampling(&client, CLIENT_ALL_CPUS);
	EXPECT_EQUAL(report, summary.sample_generated, LAYOUT_NUM_CPUS * (ROUNDS / INTERVAL));
	EXPECT_EQUAL(report, summary.sample_dropped, 0);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++) {
		struct tally tally = {.begin = checks_user_address(user_increment_loop)};
		tally.end = tally.begin + 12;
		client_read_ring(&client, i, take_sample, &tally);
		EXPECT_EQUAL(report, tally.num, ROUNDS / INTERVAL);
		EXPECT_EQUAL(report, tally.num_elsewhere, 0);
		EXPECT_EQUAL(report, tally.num_with_callers, 0);
	}
	client_end_check(&client);
}

// Two functions that call each other; each knows where it returns to.

extern const uint8_t kernel_increment_end[];
void kernel_increment(uint64_t rounds, uint64_t fp);

static uint64_t truth[DEPTH];
static uint64_t rounds_of_callers;

#define NOT_INLINED __attribute__((noinline))
#define NO_TAIL     __asm__ volatile("" ::: "memory")

static NOT_INLINED void innermost(void)
{
	truth[0] = (uint64_t)__builtin_return_address(0);
	kernel_increment(rounds_of_callers, (uint64_t)__builtin_frame_address(0));
	NO_TAIL;
}

static NOT_INLINED void middle(void)
{
	truth[1] = (uint64_t)__builtin_return_address(0);
	innermost();
	NO_TAIL;
}

static void in_thread(void *unused)
{
	middle();
	NO_TAIL;
}

static KEVENT work_done;
static unsigned num_left;

static void NTAPI in_dpc(KDPC *dpc, void *context, void *unused1, void *unused2)
{
	middle();
	thread_set_event(&work_done);
}

// From the clock, some rounds each time, as nothing else runs on the CPU meanwhile.
static void in_interrupt(void)
{
	if (num_left > 0 && --num_left > 0)
		middle();
}

enum place { IN_THREAD, IN_DPC, IN_INTERRUPT, NUM_PLACES };
enum { CALLER_CPU = 2, NUM_INTERRUPTS = 10, CALLER_ROUNDS = 400000, CALLER_INTERVAL = 20011 };

static void work_in(enum place place)
{
	static KDPC dpc;
	switch (place) {
	case IN_THREAD:
		rounds_of_callers = CALLER_ROUNDS;
		thread_join(thread_create(CALLER_CPU, THREAD_LOW_PRIORITY, in_thread, NULL));
		break;
	case IN_DPC:
		rounds_of_callers = CALLER_ROUNDS;
		thread_init_event(&work_done, NotificationEvent, false);
		dpc_init(&dpc, in_dpc, NULL);
		dpc_target(&dpc, CALLER_CPU);
		dpc_queue(&dpc, NULL, NULL);
		thread_wait(&work_done.Header, NULL);
		break;
	default:
		rounds_of_callers = CALLER_ROUNDS / NUM_INTERRUPTS;
		num_left = NUM_INTERRUPTS + 1;
		interrupts_set_clock_work(CALLER_CPU, in_interrupt);
		while (*(volatile unsigned *)&num_left > 0)
			thread_sleep_ms(1);
		interrupts_set_clock_work(CALLER_CPU, NULL);
	}
}

// Of code on the stack of a thread, of DPCs, and of interrupts.
void check_callers(struct report *report)
{
	struct client client;
	client_begin_check(&client, report);
	for (enum place place = IN_THREAD; place < NUM_PLACES; place++) {
		EXPECT_EQUAL(report,
			     client_start_sampling(&client, CALLER_CPU, EVENT_SW_INCR,
						   CALLER_INTERVAL, ONLY_KERNEL),
			     STATUS_SUCCESS);
		work_in(place);
		struct wperf_sample_summary summary = client_stop_sampling(&client, CALLER_CPU);
		// kernel_increment() has no frame: LR, which is not among callers, is its caller.
		struct tally tally = {.begin = (uint64_t)kernel_increment,
				      .end = (uint64_t)kernel_increment_end,
				      .callers = truth};
		client_read_ring(&client, CALLER_CPU, take_sample, &tally);
		EXPECT_EQUAL(report, summary.sample_generated, CALLER_ROUNDS / CALLER_INTERVAL);
		EXPECT_EQUAL(report, tally.num, CALLER_ROUNDS / CALLER_INTERVAL);
		EXPECT_EQUAL(report, tally.num_elsewhere, 0);
		EXPECT_EQUAL(report, tally.num_wrong, 0);
	}
	client_end_check(&client);
}

// x29 of a program may be anything, and that of the kernel may be broken: no fault, no callers.
void check_bad_frames(struct report *report)
{
	enum { INTERVAL = 5003, ROUNDS = 100000, CPU = 4, USER_STACK_PAGE = 5 };
	struct client client;
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	const uint64_t frames[] = {here,
				   cpu_stack_end(CPU) + 8,
				   0,
				   8,
				   UINT64_MAX - 7,
				   LAYOUT_USER_VIRTUAL + 0x100000,
				   LAYOUT_HIGH + 8};
	client_begin_check(&client, report);
	for (unsigned i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		struct tally tally = {.begin = 0, .end = UINT64_MAX};
		client_start_sampling(&client, CPU, EVENT_SW_INCR, INTERVAL, ONLY_USER);
		struct thread *thread = thread_create_user(CPU, user_increment, ROUNDS, frames[i]);
		// Its memory goes away and comes back meanwhile.
		for (unsigned k = 0; k < 50; k++)
			page_tables_set(LAYOUT_USER +
						(uint64_t)(USER_STACK_PAGE + k % 2) * PAGE_SIZE,
					k % 4 < 2 ? PAGE_NONE : PAGE_USER_DATA);
		thread_join(thread);
		client_stop_sampling(&client, CPU);
		client_read_ring(&client, CPU, take_sample, &tally);
		EXPECT_EQUAL(report, tally.num, ROUNDS / INTERVAL);
		EXPECT_EQUAL(report, tally.num_with_callers, 0);
	}
	client_end_check(&client);
}

static uint64_t broken_distance;

static void increment_with_broken_frame(void *unused)
{
	enum { ROUNDS = 200000 };
	kernel_increment(ROUNDS, cpu_this()->thread->stack_end + broken_distance);
}

// Right above a thread's stack there is no page; what is below its stack pointer is not its own.
void check_broken_kernel_frames(struct report *report)
{
	enum { CPU = 4, NUM_SAMPLES = 200000 / CALLER_INTERVAL };
	struct client client;
	client_begin_check(&client, report);
	for (int64_t distance = -32; distance <= 32; distance += 8) {
		struct tally tally = {.begin = (uint64_t)kernel_increment,
				      .end = (uint64_t)kernel_increment_end};
		broken_distance = (uint64_t)distance;
		client_start_sampling(&client, CPU, EVENT_SW_INCR, CALLER_INTERVAL, ONLY_KERNEL);
		struct thread *thread =
			thread_create(CPU, THREAD_LOW_PRIORITY, increment_with_broken_frame, NULL);
		thread_join(thread);
		client_stop_sampling(&client, CPU);
		client_read_ring(&client, CPU, take_sample, &tally);
		EXPECT_EQUAL(report, tally.num, NUM_SAMPLES);
		EXPECT_EQUAL(report, tally.num_elsewhere, 0);
		if (distance >= -8)
			EXPECT_EQUAL(report, tally.num_with_callers, 0);
	}
	client_end_check(&client);
}

struct progress {
	uint64_t duration_ns, num_clock_ticks;
};

static uint64_t now_ns(void)
{
	return SYSREG_READ(cntvct_el0) * (UINT64_C(1000000000) / SYSREG_READ(cntfrq_el0));
}

static void spin_in_kernel(void *rounds)
{
	kernel_increment((uint64_t)rounds, 0);
}

static struct progress run_on(unsigned cpu, bool in_kernel, uint64_t rounds)
{
	struct progress progress = {now_ns(), cpus[cpu].num_clock_ticks};
	thread_join(
		in_kernel ? thread_create(cpu, THREAD_LOW_PRIORITY, spin_in_kernel, (void *)rounds)
			  : thread_create_user(cpu, user_increment, rounds, 0));
	progress.duration_ns = now_ns() - progress.duration_ns;
	progress.num_clock_ticks = cpus[cpu].num_clock_ticks - progress.num_clock_ticks;
	return progress;
}

// As often as is accepted: what is interrupted gets a tenth of the time, the clock all it needs.
void check_progress(struct report *report)
{
	enum { CPU = 6, ROUNDS = 6000000, NS_PER_TICK = 1000000 };
	static const struct {
		uint32_t interval, filter;
		bool in_kernel;
	} cases[] = {
		{1, ONLY_USER, false},
		{2, ONLY_USER, false},
		{100, ONLY_USER, false},
		{WPERF_MIN_KERNEL_INTERVAL, ONLY_KERNEL, true},
		{WPERF_MIN_KERNEL_INTERVAL, 0, true},
	};
	struct client client;
	client_begin_check(&client, report);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct progress alone = run_on(CPU, cases[i].in_kernel, ROUNDS);
		EXPECT_EQUAL(report,
			     client_start_sampling(&client, CPU, EVENT_SW_INCR, cases[i].interval,
						   cases[i].filter),
			     STATUS_SUCCESS);
		struct progress sampled = run_on(CPU, cases[i].in_kernel, ROUNDS);
		struct wperf_sample_summary summary = client_stop_sampling(&client, CPU);
		EXPECT_WITHIN(report, sampled.duration_ns, 0, 10 * alone.duration_ns);
		EXPECT_WITHIN(report, sampled.num_clock_ticks,
			      sampled.duration_ns / NS_PER_TICK * 9 / 10, UINT64_MAX);
		uint64_t num = ROUNDS / cases[i].interval;
		EXPECT_WITHIN(report, summary.sample_generated, num, num + 1);
		struct tally tally = {.begin = 0, .end = UINT64_MAX};
		client_read_ring(&client, CPU, take_sample, &tally);
		EXPECT_WITHIN(report, tally.num + summary.sample_dropped, num, num + 1);
	}
	client_end_check(&client);
}
