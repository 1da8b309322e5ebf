// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_counting.h"

#include "base/container/array.h"
#include "catalog/linux/system_events.h"
#include "source/perf/perf_host.h"
#include "tests/unit/open_files.h"

#include <errno.h>
#include <grp.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { NOBODY = 65534, NUM_PAGES = 500, NS_PER_MS = 1000000, PAGE = 4096 };

/** A process that waits until it is told to go, and then does one thing. */
struct worker {
	uint32_t pid;
	int go;    /* write here */
	int ready; /* read here: it is waiting again */
};

typedef void (*work_fn)(void);

static void say(int fd)
{
	if (write(fd, "x", 1) != 1)
		_exit(1);
}

static void await(int fd)
{
	char c;
	if (read(fd, &c, 1) != 1)
		_exit(0);
}

static void worker_start(struct worker *worker, work_fn work)
{
	int go[2], ready[2];
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(ready), 0);
	worker->pid = fork();
	if (worker->pid == 0) {
		close(go[1]);
		close(ready[0]);
		for (;;) {
			await(go[0]);
			work();
			say(ready[1]);
		}
	}
	close(go[0]);
	close(ready[1]);
	worker->go = go[1];
	worker->ready = ready[0];
}

static void worker_work(struct worker *worker)
{
	char c;
	assert_int_equal(write(worker->go, "x", 1), 1);
	assert_int_equal(read(worker->ready, &c, 1), 1);
}

static void worker_end(struct worker *worker)
{
	kill(worker->pid, SIGKILL);
	close(worker->go);
	close(worker->ready);
	waitpid(worker->pid, NULL, 0);
}

static void touch_pages(void)
{
	volatile char *pages = mmap(NULL, NUM_PAGES * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise((void *)pages, NUM_PAGES * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < NUM_PAGES; i++)
		pages[i * PAGE] = 1;
	munmap((void *)pages, NUM_PAGES * PAGE);
}

static void *touch_in_thread(void *unused)
{
	touch_pages();
	return NULL;
}

static void touch_in_new_thread(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, touch_in_thread, NULL);
	pthread_join(thread, NULL);
}

static void touch_in_grandchild(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		pid_t grandchild = fork();
		if (grandchild == 0)
			touch_pages();
		else
			waitpid(grandchild, NULL, 0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void burn(void)
{
	struct timespec now;
	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_nsec % (50 * NS_PER_MS) < 45 * NS_PER_MS);
}

static void do_nothing(void)
{
}

/** The list of software events that @names says; group 0 if they are one. */
struct fixture {
	struct event_list events;
	struct count_plan plan;
	struct perf_counting counting;
};

static void fixture_deinit(struct fixture *fixture)
{
	perf_counting_close(&fixture->counting);
	event_list_deinit(&fixture->events);
}

#define FIXTURE_INIT                                                       \
	{                                                                  \
		.events = EVENT_LIST_INIT, .counting = PERF_COUNTING_INIT, \
	}

static void add_event(struct fixture *fixture, const struct event *event, int group,
		      unsigned modifiers)
{
	struct event_request request = {.event = event, .group = group, .modifiers = modifiers};
	assert_no_error(event_list_add(&fixture->events, &request));
	fixture->plan.events = &fixture->events;
}

static void add(struct fixture *fixture, const char *name, int group)
{
	add_event(fixture, &system_events_find_generic(name)->event, group, EVENT_ANY_LEVEL);
}

static void open_on(struct fixture *fixture, const uint32_t *pid)
{
	fixture->plan.pids = pid;
	fixture->plan.num_pids = 1;
	assert_no_error(perf_counting_open(&fixture->counting, &fixture->plan));
}

static struct count read_one(struct fixture *fixture, size_t unit, size_t column)
{
	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	assert_no_error(perf_counting_read(&fixture->counting, &counts));
	assert_int_equal(counts.sets[EVENT_CORE].num_units, 0);
	assert_true(unit < counts.sets[EVENT_PERF].num_units);
	return *count_set_at(&counts.sets[EVENT_PERF], unit, column);
}

static void assert_about(uint64_t value, uint64_t least)
{
	assert_in_range(value, least, least + NUM_PAGES / 2);
}

static void pages_and_time_of_a_process_are_right(void **state)
{
	struct worker worker;
	worker_start(&worker, touch_pages);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	add(&fixture, "task-clock", EVENT_UNGROUPED);
	add(&fixture, "major-faults", EVENT_UNGROUPED);
	open_on(&fixture, &worker.pid);

	worker_work(&worker); // before the start
	assert_int_equal(read_one(&fixture, 0, 0).value, 0);
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&worker);
	assert_no_error(perf_counting_stop(&fixture.counting));
	worker_work(&worker); // after the stop

	struct count faults = read_one(&fixture, 0, 0);
	assert_about(faults.value, NUM_PAGES);
	assert_true(count_is_measured(&faults));
	assert_true(count_is_whole(&faults));
	struct count clock = read_one(&fixture, 0, 1);
	assert_in_range(clock.value, 1000, 1000 * NS_PER_MS);
	assert_in_range(clock.scheduled, clock.value / 2, clock.value * 2);
	assert_int_equal(read_one(&fixture, 0, 2).value, 0);
	worker_end(&worker);
}

static void counts_begin_anew_after_a_reset(void **state)
{
	struct worker worker;
	worker_start(&worker, touch_pages);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	open_on(&fixture, &worker.pid);
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&worker);
	worker_work(&worker);
	assert_about(read_one(&fixture, 0, 0).value, 2 * NUM_PAGES);
	assert_no_error(perf_counting_reset(&fixture.counting));
	struct count count = read_one(&fixture, 0, 0);
	assert_in_range(count.value, 0, 20);
	assert_in_range(count.total, 0, 5 * NS_PER_MS);
	worker_work(&worker);
	assert_about(read_one(&fixture, 0, 0).value, NUM_PAGES);
	assert_no_error(perf_counting_stop(&fixture.counting));
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&worker);
	assert_about(read_one(&fixture, 0, 0).value, 2 * NUM_PAGES);
	worker_end(&worker);
}

/** `true`, stopped before it is that. @ret_go: closing it lets it run. */
static pid_t start_true(int *ret_go)
{
	int go[2];
	assert_int_equal(pipe(go), 0);
	pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		char c;
		if (read(go[0], &c, 1) == 0)
			execlp("true", "true", (char *)NULL);
		_exit(127);
	}
	close(go[0]);
	*ret_go = go[1];
	return pid;
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

static void a_program_is_counted_from_its_first_instruction(void **state)
{
	int go;
	uint32_t pid = start_true(&go);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	fixture.plan.enable_on_exec = true;
	fixture.plan.inherit = true;
	add(&fixture, "task-clock", EVENT_UNGROUPED);
	add(&fixture, "page-faults", 0);
	add(&fixture, "minor-faults", 0);
	open_on(&fixture, &pid);
	assert_no_error(perf_counting_start(&fixture.counting));
	assert_int_equal(read_one(&fixture, 0, 0).total, 0);

	uint64_t start = now_ns();
	close(go);
	int status;
	waitpid(pid, &status, 0);
	uint64_t elapsed = now_ns() - start;
	assert_int_equal(status, 0);
	assert_no_error(perf_counting_stop(&fixture.counting));

	struct count clock = read_one(&fixture, 0, 0);
	assert_in_range(clock.value, 10000, elapsed);
	assert_in_range(read_one(&fixture, 0, 1).value, 5, 5000);
	assert_in_range(read_one(&fixture, 0, 2).value, 5, 5000);
	// It had no name yet when it was opened.
	assert_null(perf_counting_unit_name(&fixture.counting, 0));
}

static uint64_t count_pages(work_fn work, bool inherit)
{
	struct worker worker;
	worker_start(&worker, work);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	fixture.plan.inherit = inherit;
	add(&fixture, "minor-faults", 0);
	add(&fixture, "page-faults", 0);
	open_on(&fixture, &worker.pid);
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&worker);
	uint64_t value = read_one(&fixture, 0, 1).value;
	worker_end(&worker);
	return value;
}

static void children_are_counted_if_they_shall(void **state)
{
	assert_in_range(count_pages(touch_in_grandchild, true), NUM_PAGES, 2 * NUM_PAGES);
	assert_in_range(count_pages(touch_in_grandchild, false), 0, NUM_PAGES / 2);
}

static void new_threads_are_part_of_their_process(void **state)
{
	assert_in_range(count_pages(touch_in_new_thread, true), NUM_PAGES, 2 * NUM_PAGES);
	assert_in_range(count_pages(touch_in_new_thread, false), NUM_PAGES, 2 * NUM_PAGES);
}

/** Starts from zero, whether or not somebody has read what was before. */
static void each_start_after_a_reset_counts_from_zero(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", 0);
	add(&fixture, "task-clock", 0);
	uint32_t self = getpid();
	open_on(&fixture, &self);
	for (int i = 0; i < 4; i++) {
		assert_no_error(perf_counting_reset(&fixture.counting));
		assert_no_error(perf_counting_start(&fixture.counting));
		touch_pages();
		assert_no_error(perf_counting_stop(&fixture.counting));
		touch_pages();
		if (i % 2)
			assert_about(read_one(&fixture, 0, 0).value, NUM_PAGES);
	}
	// Without a reset it adds up.
	assert_no_error(perf_counting_start(&fixture.counting));
	touch_pages();
	assert_about(read_one(&fixture, 0, 0).value, 2 * NUM_PAGES);
	assert_no_error(perf_counting_reset(&fixture.counting)); // while it counts
	touch_pages();
	assert_about(read_one(&fixture, 0, 0).value, NUM_PAGES);
}

static void a_thread_counts_itself_alone(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	uint32_t self = getpid();
	fixture.plan.only_thread = self;
	fixture.plan.per_thread = true;
	open_on(&fixture, &self);
	assert_no_error(perf_counting_start(&fixture.counting));
	touch_pages();
	touch_in_new_thread();
	touch_in_grandchild();
	assert_no_error(perf_counting_stop(&fixture.counting));
	assert_about(read_one(&fixture, 0, 0).value, NUM_PAGES);
	assert_null(perf_counting_note(&fixture.counting, 0));
}

static void members_of_a_group_have_the_same_times(void **state)
{
	struct worker worker;
	worker_start(&worker, burn);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	add(&fixture, "task-clock", 0);
	add(&fixture, "cpu-clock", 0);
	add(&fixture, "page-faults", 0);
	add(&fixture, "page-faults", 1);
	add(&fixture, "context-switches", 1);
	open_on(&fixture, &worker.pid);
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&worker);
	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	assert_no_error(perf_counting_read(&fixture.counting, &counts));
	const struct count *row = count_set_at(&counts.sets[EVENT_PERF], 0, 0);
	assert_true(row[1].total > 0);
	for (size_t i = 2; i < 4; i++) {
		assert_int_equal(row[i].total, row[1].total);
		assert_int_equal(row[i].scheduled, row[1].scheduled);
	}
	assert_int_equal(row[4].total, row[5].total);
	assert_true(row[5].value > 0 || perf_counting_note(&fixture.counting, 5));
	// Two clocks that are switched on and read together.
	assert_in_range(row[2].value, row[1].value - row[1].value / 10,
			row[1].value + row[1].value / 10);
	worker_end(&worker);
}

static pthread_barrier_t barrier;

static void *toucher(void *times)
{
	prctl(PR_SET_NAME, "toucher");
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < (size_t)times; i++)
		touch_pages();
	return NULL;
}

/** Threads of this process that ended keep what they counted, each for itself or as a sum. */
static void count_threads(bool per_thread)
{
	pthread_t threads[3];
	pthread_barrier_init(&barrier, NULL, ARRAY_SIZE(threads) + 1);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_create(&threads[i], NULL, toucher, (void *)(i + 1));
	pthread_barrier_wait(&barrier);

	uint32_t pid = getpid();
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	fixture.plan.per_thread = per_thread;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	open_on(&fixture, &pid);
	assert_no_error(perf_counting_start(&fixture.counting));
	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&barrier);

	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	assert_no_error(perf_counting_read(&fixture.counting, &counts));
	const struct count_set *set = &counts.sets[EVENT_PERF];
	if (!per_thread) {
		assert_int_equal(set->unit_kind, COUNT_UNIT_PROCESS);
		assert_int_equal(set->num_units, 1);
		assert_int_equal(set->units[0], pid);
		assert_in_range(count_set_at(set, 0, 0)->value, 6 * NUM_PAGES, 7 * NUM_PAGES);
		return;
	}
	assert_int_equal(set->unit_kind, COUNT_UNIT_THREAD);
	assert_int_equal(set->num_units, 4);
	assert_int_equal(set->units[0], pid);
	for (size_t unit = 1; unit < 4; unit++) {
		assert_about(count_set_at(set, unit, 0)->value, unit * NUM_PAGES);
		assert_string_equal(perf_counting_unit_name(&fixture.counting, unit), "toucher");
	}
}

static void threads_are_counted_one_by_one_or_as_their_process(void **state)
{
	count_threads(true);
	count_threads(false);
}

static void processes_are_units_in_the_plans_order(void **state)
{
	struct worker workers[2];
	worker_start(&workers[0], touch_pages);
	worker_start(&workers[1], do_nothing);
	uint32_t pids[] = {workers[1].pid, workers[0].pid, workers[1].pid};
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	fixture.plan.pids = pids;
	fixture.plan.num_pids = ARRAY_SIZE(pids);
	assert_no_error(perf_counting_open(&fixture.counting, &fixture.plan));
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&workers[0]);
	worker_work(&workers[1]);
	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	assert_no_error(perf_counting_read(&fixture.counting, &counts));
	const struct count_set *set = &counts.sets[EVENT_PERF];
	assert_int_equal(set->num_units, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(set->units[i], pids[i]);
	assert_about(count_set_at(set, 1, 0)->value, NUM_PAGES);
	assert_in_range(count_set_at(set, 0, 0)->value, 0, 50);
	worker_end(&workers[0]);
	worker_end(&workers[1]);
}

static bool may_count_cores(void)
{
	return perf_host_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, PERF_WHOLE_CORE) == 0;
}

static void whole_cores_count_all_the_time(void **state)
{
	if (!may_count_cores())
		skip();
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "cpu-clock", EVENT_UNGROUPED);
	add(&fixture, "context-switches", EVENT_UNGROUPED);
	fixture.plan.cores = (unsigned[]){0};
	fixture.plan.num_cores = 1;
	assert_no_error(perf_counting_open(&fixture.counting, &fixture.plan));
	uint64_t start = now_ns();
	assert_no_error(perf_counting_start(&fixture.counting));
	usleep(50000);
	assert_no_error(perf_counting_stop(&fixture.counting));
	uint64_t elapsed = now_ns() - start;
	struct count clock = read_one(&fixture, 0, 0);
	assert_in_range(clock.total, 50 * NS_PER_MS, elapsed);
	assert_in_range(clock.value, 45 * NS_PER_MS, elapsed);
	assert_null(perf_counting_unit_name(&fixture.counting, 0));
	assert_null(perf_counting_note(&fixture.counting, 0));
}

static void without_a_target_it_is_every_core(void **state)
{
	if (!may_count_cores())
		skip();
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "cpu-clock", EVENT_UNGROUPED);
	assert_no_error(perf_counting_open(&fixture.counting, &fixture.plan));
	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	assert_no_error(perf_counting_read(&fixture.counting, &counts));
	assert_int_equal(counts.sets[EVENT_PERF].unit_kind, COUNT_UNIT_CORE);
	assert_int_equal(counts.sets[EVENT_PERF].num_units, sysconf(_SC_NPROCESSORS_ONLN));
}

static void a_process_may_be_counted_on_some_cores_only(void **state)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	struct worker worker;
	worker_start(&worker, touch_pages);
	cpu_set_t core_1;
	CPU_ZERO(&core_1);
	CPU_SET(1, &core_1);
	if (sched_setaffinity(worker.pid, sizeof(core_1), &core_1)) {
		worker_end(&worker);
		skip();
	}
	for (unsigned core = 0; core < 2; core++) {
		_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
		add(&fixture, "page-faults", EVENT_UNGROUPED);
		fixture.plan.cores = &core;
		fixture.plan.num_cores = 1;
		open_on(&fixture, &worker.pid);
		assert_no_error(perf_counting_start(&fixture.counting));
		worker_work(&worker);
		struct count count = read_one(&fixture, 0, 0);
		assert_about(count.value, core == 1 ? NUM_PAGES : 0);
		assert_int_equal(count_is_measured(&count), core == 1);
	}
	worker_end(&worker);
}

static void a_process_that_is_gone_is_an_error(void **state)
{
	pid_t gone = fork();
	if (gone == 0)
		_exit(0);
	siginfo_t info;
	waitid(P_PID, (id_t)gone, &info, WEXITED | WNOWAIT);
	char message[80];
	snprintf(message, sizeof(message), "cannot count process %d: no such process", (int)gone);
	size_t before = count_open_files();
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", 0);
	add(&fixture, "task-clock", 0);
	fixture.plan.pids = (uint32_t[]){getpid(), (uint32_t)gone};
	fixture.plan.num_pids = 2;
	// First as a zombie, which /proc still shows, then not at all.
	for (int i = 0; i < 2; i++) {
		assert_error(perf_counting_open(&fixture.counting, &fixture.plan), ERROR_FAILED,
			     message);
		assert_int_equal(count_open_files(), before);
		waitpid(gone, NULL, 0);
	}
}

static void a_process_that_ends_later_keeps_its_counts(void **state)
{
	struct worker worker;
	worker_start(&worker, touch_pages);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", 0);
	add(&fixture, "task-clock", 0);
	open_on(&fixture, &worker.pid);
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&worker);
	worker_end(&worker);
	assert_in_range(read_one(&fixture, 0, 0).value, NUM_PAGES, NUM_PAGES + 200);
	assert_no_error(perf_counting_stop(&fixture.counting));
	assert_no_error(perf_counting_reset(&fixture.counting));
	assert_no_error(perf_counting_start(&fixture.counting));
	assert_int_equal(read_one(&fixture, 0, 0).value, 0);
}

static void nothing_stays_open(void **state)
{
	static const struct event unknown = {
		.name = "r1b", .event_class = EVENT_CORE, .code = 0x1b};
	struct worker worker;
	worker_start(&worker, do_nothing);
	size_t before = count_open_files();
	{
		_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
		add(&fixture, "page-faults", 0);
		add(&fixture, "task-clock", 0);
		open_on(&fixture, &worker.pid);
		assert_int_equal(count_open_files(), before + 2);
	}
	assert_int_equal(count_open_files(), before);
	if (perf_host_try_cycles() == ENOENT) {
		_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
		add(&fixture, "page-faults", EVENT_UNGROUPED);
		add_event(&fixture, &unknown, EVENT_UNGROUPED, EVENT_ANY_LEVEL);
		fixture.plan.pids = &worker.pid;
		fixture.plan.num_pids = 1;
		assert_error(perf_counting_open(&fixture.counting, &fixture.plan), ERROR_FAILED,
			     "this machine cannot count 'r1b'");
		assert_int_equal(count_open_files(), before);
	}
	worker_end(&worker);
}

static void only_events_of_the_kernel_and_of_cores_are_columns(void **state)
{
	static const struct event dsu = {.name = "/dsu/x", .event_class = EVENT_DSU};
	uint32_t pid = getpid();
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add_event(&fixture, &dsu, 0, EVENT_ANY_LEVEL);
	add(&fixture, "page-faults", 0);
	open_on(&fixture, &pid);
	assert_int_equal(fixture.counting.num_columns, 1);
	assert_int_equal(read_one(&fixture, 0, 0).value, 0);
}

static void modifiers_choose_the_code(void **state)
{
	const struct event *faults = &system_events_find_generic("page-faults")->event;
	struct worker worker;
	worker_start(&worker, touch_pages);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add_event(&fixture, faults, EVENT_UNGROUPED, EVENT_USER);
	if (perf_host_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, PERF_OWN_KERNEL_CODE) == 0)
		add_event(&fixture, faults, EVENT_UNGROUPED, EVENT_KERNEL);
	open_on(&fixture, &worker.pid);
	assert_no_error(perf_counting_start(&fixture.counting));
	worker_work(&worker);
	assert_about(read_one(&fixture, 0, 0).value, NUM_PAGES);
	if (fixture.counting.num_columns > 1)
		assert_in_range(read_one(&fixture, 0, 1).value, 0, 50);
	worker_end(&worker);
}

static void *sleeper(void *unused)
{
	pause();
	return NULL;
}

/** More files than the limit allows: it is raised, or the user is told. */
static void many_threads_need_many_files(void **state)
{
	enum { NUM_THREADS = 100 };
	pthread_t threads[NUM_THREADS];
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 * 1024);
	for (size_t i = 0; i < NUM_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], &small, sleeper, NULL), 0);
	pthread_attr_destroy(&small);

	struct rlimit before, after, low = {.rlim_cur = 90};
	getrlimit(RLIMIT_NOFILE, &before);
	low.rlim_max = before.rlim_max;
	uint32_t pid = getpid();
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	add(&fixture, "task-clock", EVENT_UNGROUPED);
	// In a process that is not ours alone, the limit is its owner's.
	fixture.plan.pids = &pid;
	fixture.plan.num_pids = 1;
	_cleanup_(error_destroyp) struct error *err =
		perf_counting_open(&fixture.counting, &fixture.plan);
	assert_non_null(err);
	assert_non_null(strstr(err->hint, "files are needed and 90 allowed"));
	getrlimit(RLIMIT_NOFILE, &after);
	assert_int_equal(after.rlim_cur, low.rlim_cur);
	fixture.plan.raises_limits = true;
	open_on(&fixture, &pid);
	assert_int_equal(fixture.counting.num_fds, 2 * (NUM_THREADS + 1));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	for (size_t i = 0; i < NUM_THREADS; i++) {
		pthread_cancel(threads[i]);
		pthread_join(threads[i], NULL);
	}
}

/** Threads that come and go all the time. */
static void churn(void)
{
	for (int i = 0; i < 2000; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, touch_in_thread, NULL) == 0)
			pthread_detach(thread);
	}
}

static void threads_may_vanish_while_they_are_opened(void **state)
{
	struct worker worker;
	worker_start(&worker, churn);
	assert_int_equal(write(worker.go, "x", 1), 1);
	for (int i = 0; i < 30; i++) {
		_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
		fixture.plan.per_thread = i % 2;
		add(&fixture, "page-faults", 0);
		add(&fixture, "task-clock", 0);
		add(&fixture, "context-switches", 0);
		open_on(&fixture, &worker.pid);
		assert_no_error(perf_counting_start(&fixture.counting));
		usleep(1000);
		for (int reads = 0; reads < 20; reads++)
			read_one(&fixture, 0, 0);
		assert_true(fixture.counting.targets.num_units >= 1);
	}
	worker_end(&worker);
}

/** Run as an ordinary user, in a process of its own that cmocka does not see. */
static void as_nobody(int (*check)(void))
{
	if (geteuid() != 0) {
		skip();
		return;
	}
	pid_t pid = fork();
	if (pid == 0) {
		if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
			_exit(99);
		prctl(PR_SET_DUMPABLE, 1);
		_exit(check());
	}
	int status;
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

/** 0, or @code if the message is not as expected. */
static int expect_error(struct error *err, const char *message, const char *hint, int code)
{
	if (!err)
		return code;
	bool same = strcmp(err->message, message) == 0 && err->hint && strstr(err->hint, hint);
	if (!same)
		print_error("%s\nhint: %s\n", err->message, err->hint ? err->hint : "-");
	error_destroy(err);
	return same ? 0 : code;
}

static int try_open(struct fixture *fixture, const char *message, const char *hint, int code)
{
	size_t before = count_open_files();
	struct error *err = perf_counting_open(&fixture->counting, &fixture->plan);
	int result = expect_error(err, message, hint, code);
	return result ? result : count_open_files() == before ? 0 : code + 1;
}

static int refused_to_nobody(void)
{
	uint32_t self = getpid();
	uint32_t init = 1;
	char message[80];
	snprintf(message, sizeof(message),
		 "cannot open 'page-faults' of process %d: permission denied", (int)self);
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", EVENT_UNGROUPED);
	fixture.plan.num_pids = 1;
	fixture.plan.pids = &init;
	int result = try_open(&fixture, "cannot open 'page-faults' of process 1: permission denied",
			      perf_host_paranoid() > 2 ? "paranoid" : "another user", 10);
	fixture.plan.pids = &self;
	fixture.plan.kernel = true;
	if (!result && perf_host_paranoid() >= 2)
		result = try_open(&fixture, message, "leave out -k", 20);
	fixture.plan.num_pids = 0;
	fixture.plan.kernel = false;
	if (!result && perf_host_paranoid() > 0)
		result =
			try_open(&fixture, "cannot open 'page-faults' on core 0: permission denied",
				 "perf_event_paranoid is ", 30);
	return result;
}

static void refusals_are_explained(void **state)
{
	as_nobody(refused_to_nobody);
}

/** What nobody may count of its own processes, and what it is told of the rest. */
static int user_code_of_nobody(void)
{
	uint32_t self = getpid();
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	add(&fixture, "page-faults", 0);
	add(&fixture, "context-switches", 0);
	add(&fixture, "task-clock", EVENT_UNGROUPED);
	fixture.plan.pids = &self;
	fixture.plan.num_pids = 1;
	struct error *err = perf_counting_open(&fixture.counting, &fixture.plan);
	if (!err)
		err = perf_counting_start(&fixture.counting);
	touch_pages();
	usleep(1000);
	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	if (!err)
		err = perf_counting_read(&fixture.counting, &counts);
	if (err)
		return 1;
	const struct count *row = count_set_at(&counts.sets[EVENT_PERF], 0, 0);
	bool is_restricted = perf_host_paranoid() >= 2;
	const char *note = perf_counting_note(&fixture.counting, 0);
	if (!note == is_restricted || (note && !strstr(note, "user code only")))
		return 2;
	note = perf_counting_note(&fixture.counting, 1);
	if (!note == is_restricted || (note && !strstr(note, "not counted")))
		return 3;
	if (row[0].value < NUM_PAGES || !count_is_measured(&row[0]))
		return 4;
	if (count_is_measured(&row[1]) == is_restricted || !row[1].total)
		return 5;
	// A clock shows all of the time, with or without that right.
	if (perf_counting_note(&fixture.counting, 2))
		return 6;
	return row[2].value ? 0 : 7;
}

static void what_the_kernel_hides_is_never_a_silent_zero(void **state)
{
	if (perf_host_paranoid() > 2)
		skip();
	as_nobody(user_code_of_nobody);
}

static int few_files_for_nobody(void)
{
	struct rlimit low = {.rlim_cur = 20, .rlim_max = 20};
	setrlimit(RLIMIT_NOFILE, &low);
	uint32_t self = getpid();
	_cleanup_(fixture_deinit) struct fixture fixture = FIXTURE_INIT;
	for (int i = 0; i < 40; i++)
		add(&fixture, "page-faults", EVENT_UNGROUPED);
	fixture.plan.pids = &self;
	fixture.plan.num_pids = 1;
	char message[80];
	snprintf(message, sizeof(message),
		 "cannot open 'page-faults' of process %d: too many open files", (int)self);
	return try_open(&fixture, message, "104 files are needed and 20 allowed; raise", 10);
}

static void too_few_files_are_told(void **state)
{
	if (perf_host_paranoid() > 2)
		skip();
	as_nobody(few_files_for_nobody);
}

int perf_counting_tests(void)
{
	if (perf_host_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, PERF_OWN_USER_CODE)) {
		print_message("skipped: no software events for us here\n");
		return 0;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_and_time_of_a_process_are_right),
		cmocka_unit_test(counts_begin_anew_after_a_reset),
		cmocka_unit_test(a_program_is_counted_from_its_first_instruction),
		cmocka_unit_test(children_are_counted_if_they_shall),
		cmocka_unit_test(new_threads_are_part_of_their_process),
		cmocka_unit_test(each_start_after_a_reset_counts_from_zero),
		cmocka_unit_test(a_thread_counts_itself_alone),
		cmocka_unit_test(members_of_a_group_have_the_same_times),
		cmocka_unit_test(threads_are_counted_one_by_one_or_as_their_process),
		cmocka_unit_test(processes_are_units_in_the_plans_order),
		cmocka_unit_test(whole_cores_count_all_the_time),
		cmocka_unit_test(without_a_target_it_is_every_core),
		cmocka_unit_test(a_process_may_be_counted_on_some_cores_only),
		cmocka_unit_test(a_process_that_is_gone_is_an_error),
		cmocka_unit_test(a_process_that_ends_later_keeps_its_counts),
		cmocka_unit_test(nothing_stays_open),
		cmocka_unit_test(only_events_of_the_kernel_and_of_cores_are_columns),
		cmocka_unit_test(modifiers_choose_the_code),
		cmocka_unit_test(many_threads_need_many_files),
		cmocka_unit_test(threads_may_vanish_while_they_are_opened),
		cmocka_unit_test(refusals_are_explained),
		cmocka_unit_test(what_the_kernel_hides_is_never_a_silent_zero),
		cmocka_unit_test(too_few_files_are_told),
	};
	return cmocka_run_group_tests_name("perf_counting", tests, NULL, NULL);
}
