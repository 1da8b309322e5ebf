// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_slots.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "source/memory/preload/region_slot.h"
#include "tests/unit/assert_error.h"

enum {
	MS = 1000000,
	STACK_BYTES = 4096,
	OWN = 1000,
	PERIOD = 65536,
	LONG_NS = 2000000000,
	LATE_NS = 400000000,
};

static void begin(struct memory_slots *slots)
{
	assert_no_error(memory_slots_create(slots));
	const struct memory_slots_config config = {.period = PERIOD, .stack_bytes = STACK_BYTES};
	memory_slots_configure(slots, &config);
	memory_slots_enable(slots);
}

/** As the library does it. */
static void write_sample(struct memory_slots *slots, uint64_t time_ns, uint32_t stack_size)
{
	struct region_slot slot;
	assert_true(region_slot_claim(&slot, slots->region, OWN));
	slot.memory->head = (struct memory_head){
		.kind = MEMORY_ALLOCATION,
		.pid = OWN,
		.tid = OWN,
		.time_ns = time_ns,
		.size = time_ns * 10,
		.period = PERIOD,
		.stack_size = stack_size,
	};
	memset(slot.stack, (int)time_ns, stack_size);
	region_slot_publish(&slot, 0);
}

static void samples_come_by_time(void **state)
{
	struct memory_slots slots;
	struct memory_sample sample;
	begin(&slots);
	assert_int_equal(memory_slots_look(&slots, MS), 0);
	assert_false(memory_slots_take(&slots, &sample));
	write_sample(&slots, 3, 16);
	write_sample(&slots, 1, 8);
	write_sample(&slots, 2, 0);
	assert_int_equal(memory_slots_look(&slots, MS), 3);
	for (uint64_t i = 1; i <= 3; i++) {
		assert_true(memory_slots_take(&slots, &sample));
		assert_int_equal(sample.head.time_ns, i);
		assert_int_equal(sample.head.size, i * 10);
		assert_false(sample.is_held);
	}
	assert_int_equal(sample.stack[15], 3);
	assert_false(memory_slots_take(&slots, &sample));
	assert_int_equal(memory_slots_look(&slots, MS), 0);
	memory_slots_destroy(&slots);
}

static void all_slots_are_used_again(void **state)
{
	struct memory_slots slots;
	struct memory_sample sample;
	begin(&slots);
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < MEMORY_NUM_SLOTS; i++)
			write_sample(&slots, i + 1, 8);
		assert_int_equal(memory_slots_look(&slots, MS), MEMORY_NUM_SLOTS);
		while (memory_slots_take(&slots, &sample))
			;
	}
	assert_int_equal(slots.region->num_lost, 0);
	memory_slots_destroy(&slots);
}

static void fill(struct memory_slots *slots)
{
	for (unsigned i = 0; i < MEMORY_NUM_SLOTS; i++)
		write_sample(slots, i + 1, 8);
}

static void what_has_no_room_is_lost(void **state)
{
	struct memory_slots slots;
	struct region_slot slot;
	int status;
	begin(&slots);
	fill(&slots);
	pid_t stopped = fork();
	if (stopped == 0) {
		raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(stopped, &status, WUNTRACED), stopped);
	slots.region->reader = stopped;
	assert_false(region_slot_claim(&slot, slots.region, OWN));
	// Nobody waits a second time for a reader that does not read.
	assert_false(region_slot_claim(&slot, slots.region, OWN));
	assert_int_equal(slots.region->num_lost, 2);
	kill(stopped, SIGKILL);
	waitpid(stopped, &status, 0);
	memory_slots_destroy(&slots);
}

static void *read_late(void *slots)
{
	struct memory_sample sample;
	usleep(LATE_NS / 1000);
	memory_slots_look(slots, MS);
	while (memory_slots_take(slots, &sample))
		;
	return NULL;
}

/** On a busy machine: what it reads late is not lost. */
static void a_slow_reader_is_awaited(void **state)
{
	struct memory_slots slots;
	pthread_t reader;
	begin(&slots);
	slots.region->reader = getpid();
	fill(&slots);
	assert_int_equal(pthread_create(&reader, NULL, read_late, &slots), 0);
	write_sample(&slots, 1, 8);
	assert_int_equal(pthread_join(reader, NULL), 0);
	assert_int_equal(slots.region->num_lost, 0);
	memory_slots_destroy(&slots);
}

/** A head that no library of ours writes. */
static void write_head(struct memory_slots *slots, const struct memory_head *head)
{
	struct region_slot slot;
	assert_true(region_slot_claim(&slot, slots->region, OWN));
	slot.memory->head = *head;
	region_slot_publish(&slot, 0);
}

static void impossible_samples_are_left_out(void **state)
{
	static const struct memory_head heads[] = {
		{.period = PERIOD, .kind = MEMORY_NUM_KINDS, .pid = 1, .tid = 1},
		{.period = PERIOD, .kind = UINT32_MAX, .pid = 1, .tid = 1},
		{.period = PERIOD, .pid = 0, .tid = 1},
		{.period = PERIOD - 1, .pid = 1, .tid = 1},
		{.period = 0, .pid = 1, .tid = 1},
		{.period = PERIOD, .pid = 1, .tid = 0},
		{.period = PERIOD, .pid = UINT32_MAX, .tid = 1},
		{.period = PERIOD, .pid = 1, .tid = 1, .parent = UINT32_MAX},
		{.period = PERIOD, .pid = 1, .tid = 1, .stack_size = STACK_BYTES + 8},
		{.period = PERIOD, .pid = 1, .tid = 1, .stack_size = UINT32_MAX},
		{.period = PERIOD, .pid = 1, .tid = 1, .stack_size = 7},
	};
	struct memory_slots slots;
	struct memory_sample sample;
	begin(&slots);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		write_head(&slots, &heads[i]);
	write_sample(&slots, 5, STACK_BYTES);
	memory_slots_look(&slots, MS);
	assert_true(memory_slots_take(&slots, &sample));
	assert_int_equal(sample.head.time_ns, 5);
	assert_false(memory_slots_take(&slots, &sample));
	assert_int_equal(slots.num_invalid, sizeof(heads) / sizeof(heads[0]));
	memory_slots_destroy(&slots);
}

/** A process that writes a sample and waits. Its exit code: was it read? */
static pid_t fork_writer(struct memory_slots *slots, uint64_t wait_ns)
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid)
		return pid;
	struct region_slot slot;
	if (!region_slot_claim(&slot, slots->region, (uint32_t)getpid()))
		_exit(2);
	slot.memory->head =
		(struct memory_head){.period = PERIOD, .pid = OWN, .tid = OWN, .time_ns = 1};
	region_slot_publish(&slot, wait_ns);
	_exit(slots->region->num_hasty ? 1 : 0);
}

static int end_of(pid_t pid)
{
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_thread_waits_until_it_was_read(void **state)
{
	struct memory_slots slots;
	struct memory_sample sample;
	begin(&slots);
	pid_t pid = fork_writer(&slots, LONG_NS);
	while (!memory_slots_look(&slots, MS))
		memory_slots_sleep(&slots, MS);
	assert_true(memory_slots_take(&slots, &sample));
	assert_true(sample.is_held);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	memory_slots_release(&slots);
	assert_int_equal(end_of(pid), 0);
	memory_slots_destroy(&slots);
}

static void a_thread_does_not_wait_for_ever(void **state)
{
	struct memory_slots slots;
	struct memory_sample sample;
	begin(&slots);
	assert_int_equal(end_of(fork_writer(&slots, MS)), 1);
	memory_slots_look(&slots, MS);
	assert_true(memory_slots_take(&slots, &sample));
	assert_false(sample.is_held);
	memory_slots_destroy(&slots);
}

static void nobody_waits_for_a_dead_reader(void **state)
{
	struct memory_slots slots;
	begin(&slots);
	pid_t reader = fork();
	if (reader == 0)
		_exit(0);
	assert_int_equal(end_of(reader), 0);
	slots.region->reader = reader;
	end_of(fork_writer(&slots, MS));
	assert_true(slots.region->is_closed);
	memory_slots_destroy(&slots);
}

static void slots_of_the_dead_come_back(void **state)
{
	struct memory_slots slots;
	begin(&slots);
	pid_t pid = fork();
	if (pid == 0) {
		struct region_slot slot;
		_exit(!region_slot_claim(&slot, slots.region, (uint32_t)getpid()));
	}
	assert_int_equal(end_of(pid), 0);
	uint32_t num_freed = slots.region->num_freed;
	memory_slots_look(&slots, 1 * MS);
	memory_slots_look(&slots, 500 * MS);
	assert_int_equal(slots.region->num_freed, num_freed);
	memory_slots_look(&slots, 1002 * MS);
	assert_int_equal(slots.region->num_freed, num_freed + 1);
	memory_slots_destroy(&slots);
}

static void a_program_cannot_take_the_memory_away(void **state)
{
	struct memory_slots slots;
	char path[64];
	begin(&slots);
	memory_slots_path(&slots, path, sizeof(path));
	int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_not_equal(ftruncate(fd, 0), 0);
	close(fd);
	memory_slots_destroy(&slots);
}

int memory_slots_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_by_time),
		cmocka_unit_test(all_slots_are_used_again),
		cmocka_unit_test(what_has_no_room_is_lost),
		cmocka_unit_test(a_slow_reader_is_awaited),
		cmocka_unit_test(impossible_samples_are_left_out),
		cmocka_unit_test(a_thread_waits_until_it_was_read),
		cmocka_unit_test(a_thread_does_not_wait_for_ever),
		cmocka_unit_test(nobody_waits_for_a_dead_reader),
		cmocka_unit_test(slots_of_the_dead_come_back),
		cmocka_unit_test(a_program_cannot_take_the_memory_away),
	};
	return cmocka_run_group_tests_name("memory_slots", tests, NULL, NULL);
}
