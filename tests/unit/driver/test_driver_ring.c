// SPDX-License-Identifier: Apache-2.0

// The ring by itself, with a thread that puts in while another takes out, and through requests.

#include "tests/unit/sim_fixture.h"

#include "driver/core/sampling/ring.h"
#include "tests/unit/simulated_function.h"

#include <pthread.h>

enum { LD_SPEC = 0x70, RING_SIZE = DRIVER_RING_MIN_SIZE, HEAD = sizeof(struct wperf_ring_sample) };

#define ONLY_USER WPERF_FILTER_EXCLUDE_EL1

static bool put(struct driver_ring *ring, uint64_t number, unsigned num_callers)
{
	uint64_t callers[WPERF_RING_MAX_CALLERS];
	for (unsigned i = 0; i < num_callers; i++)
		callers[i] = number + i;
	struct wperf_ring_sample sample = {.pc = number, .num_callers = (uint16_t)num_callers};
	return driver_ring_put(ring, &sample, callers);
}

/** The next sample of an answer; checks that its callers are those of put(). */
static struct wperf_ring_sample next_sample(const uint8_t **at)
{
	struct wperf_ring_sample sample;
	memcpy(&sample, *at, sizeof(sample));
	assert_int_equal(sample.size, HEAD + sample.num_callers * sizeof(uint64_t));
	for (unsigned i = 0; i < sample.num_callers; i++) {
		uint64_t caller;
		memcpy(&caller, *at + HEAD + i * sizeof(caller), sizeof(caller));
		assert_int_equal(caller, sample.pc + i);
	}
	*at += sample.size;
	return sample;
}

static void test_fills_up_and_goes_on(void **state)
{
	uint8_t memory[RING_SIZE], out[RING_SIZE];
	struct driver_ring ring;
	driver_ring_init(&ring, memory, sizeof(memory));
	for (unsigned round = 0; round < 100; round++) {
		unsigned num = 0;
		while (put(&ring, num, (round + num) % 20))
			num++;
		assert_in_range(RING_SIZE - driver_ring_fill(&ring), 0, HEAD + 20 * 8 - 1);
		assert_true(driver_ring_has_enough(&ring));
		size_t size = driver_ring_take(&ring, out, sizeof(out));
		assert_int_equal(driver_ring_fill(&ring), 0);
		const uint8_t *at = out;
		for (unsigned i = 0; i < num; i++)
			assert_int_equal(next_sample(&at).pc, i);
		assert_int_equal(at - out, size);
	}
}

static void test_enough_is_a_quarter(void **state)
{
	uint8_t memory[RING_SIZE];
	struct driver_ring ring;
	driver_ring_init(&ring, memory, sizeof(memory));
	while (driver_ring_fill(&ring) + HEAD < RING_SIZE / 4) {
		assert_true(put(&ring, 1, 0));
		assert_false(driver_ring_has_enough(&ring));
	}
	assert_true(put(&ring, 1, 0));
	assert_true(driver_ring_has_enough(&ring));
	driver_ring_clear(&ring);
	assert_false(driver_ring_has_enough(&ring));
}

static void test_takes_whole_samples_only(void **state)
{
	uint8_t memory[RING_SIZE], out[2 * (HEAD + 16) + 1];
	struct driver_ring ring;
	driver_ring_init(&ring, memory, sizeof(memory));
	for (unsigned i = 0; i < 3; i++)
		assert_true(put(&ring, i, 2));
	assert_int_equal(driver_ring_take(&ring, out, HEAD + 15), 0);
	assert_int_equal(driver_ring_take(&ring, out, sizeof(out)), 2 * (HEAD + 16));
	assert_int_equal(driver_ring_take(&ring, out, sizeof(out)), HEAD + 16);
	assert_int_equal(driver_ring_take(&ring, out, sizeof(out)), 0);
}

enum { NUM_PUT = 200000 };

struct putting {
	struct driver_ring ring;
	uint64_t num_lost;
	atomic_bool is_done;
};

static void *put_many(void *argument)
{
	struct putting *putting = argument;
	for (uint64_t i = 0; i < NUM_PUT; i++)
		putting->num_lost += !put(&putting->ring, i, i % 7);
	putting->is_done = true;
	return NULL;
}

// What arrives is whole and in order, and what does not was refused.
static void test_put_while_it_is_taken(void **state)
{
	uint8_t memory[RING_SIZE], out[RING_SIZE / 2];
	struct putting putting = {.num_lost = 0};
	driver_ring_init(&putting.ring, memory, sizeof(memory));
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, put_many, &putting), 0);
	uint64_t num = 0, next = 0;
	for (bool is_done = false; !is_done || driver_ring_fill(&putting.ring);) {
		is_done = putting.is_done;
		size_t size = driver_ring_take(&putting.ring, out, sizeof(out));
		for (const uint8_t *at = out; at < out + size; num++) {
			struct wperf_ring_sample sample = next_sample(&at);
			assert_true(sample.pc >= next);
			assert_int_equal(sample.num_callers, sample.pc % 7);
			next = sample.pc + 1;
		}
	}
	pthread_join(thread, NULL);
	assert_int_equal(num + putting.num_lost, NUM_PUT);
}

static struct sim *create_sampling(unsigned core, uint32_t event, uint32_t interval)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event event;
	} source = {{core}, {event, interval, ONLY_USER}};
	tell(sim, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source));
	return sim;
}

static enum driver_status try_start(struct sim *sim, const struct wperf_control *control,
				    uint32_t max_callers)
{
	struct wperf_ring_start start = {.control = *control, .max_callers = max_callers};
	return ask_sized(sim, ALICE, WPERF_RING_CTL_START, &start, sizeof(start), 0).status;
}

static void start(struct sim *sim, unsigned core, uint32_t max_callers)
{
	struct wperf_control control = control_of_core(core, WPERF_CONTROL_CORE);
	assert_int_equal(try_start(sim, &control, max_callers), DRIVER_OK);
}

static struct wperf_sample_summary stop(struct sim *sim, const struct wperf_control *control)
{
	struct wperf_sample_summary summary;
	read_counts(sim, WPERF_RING_CTL_STOP, control, &summary, sizeof(summary));
	return summary;
}

static struct wperf_sample_summary stop_core(struct sim *sim, unsigned core)
{
	struct wperf_control control = control_of_core(core, WPERF_CONTROL_CORE);
	return stop(sim, &control);
}

static struct answer try_read(struct sim *sim, unsigned core, size_t out_size)
{
	struct wperf_ring_read request = {core};
	return ask_sized(sim, ALICE, WPERF_RING_CTL_READ, &request, sizeof(request), out_size);
}

static struct wperf_ring_answer head_of(const struct answer *answer)
{
	struct wperf_ring_answer head;
	assert_int_equal(answer->status, DRIVER_OK);
	memcpy(&head, answer->bytes, sizeof(head));
	assert_int_equal(answer->size, sizeof(head) + head.size);
	return head;
}

static struct answer try_wait(struct sim *sim, driver_client client, uint32_t flags)
{
	struct wperf_ring_wait request = {flags};
	return ask_sized(sim, client, WPERF_RING_CTL_WAIT, &request, sizeof(request),
			 sizeof(struct wperf_ring_ready));
}

static struct wperf_ring_ready ready_of(const struct answer *answer)
{
	struct wperf_ring_ready ready;
	assert_int_equal(answer->status, DRIVER_OK);
	memcpy(&ready, answer->bytes, sizeof(ready));
	return ready;
}

/** Each caller calls the one before, up to one that nobody calls. */
static void check_callers(const uint8_t *sample_bytes, const struct wperf_ring_sample *sample)
{
	size_t num;
	const struct program_function *functions = program_functions(&num);
	const struct program_function *function = find_function(sample->pc);
	for (unsigned i = 0; i < sample->num_callers; i++) {
		uint64_t caller;
		memcpy(&caller, sample_bytes + HEAD + i * sizeof(caller), sizeof(caller));
		assert_ptr_equal(find_function(caller), &functions[function->caller]);
		function = find_function(caller);
	}
	if (!(sample->flags & WPERF_RING_CUT))
		assert_ptr_equal(&functions[function->caller], function);
}

static void test_query(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	struct wperf_ring_info info;
	struct answer answer = ask_sized(sim, ALICE, WPERF_RING_CTL_QUERY, "abcd", 4, sizeof(info));
	assert_int_equal(answer.status, DRIVER_OK);
	memcpy(&info, answer.bytes, sizeof(info));
	assert_int_equal(info.version, 1);
	assert_int_equal(info.features, WPERF_RING_TASKS | WPERF_RING_CALLERS);
	assert_int_equal(info.ring_size, SIM_RING);
	assert_int_equal(info.max_callers, WPERF_RING_MAX_CALLERS);
	assert_int_equal(info.timer_frequency, 1000000000);
	assert_int_equal(info.timer_now, sim->now_ns);
	free(sim);
}

// 90 % of 25 million cycles of user code in 10 ms.
static void test_samples_tell_thread_time_and_callers(void **state)
{
	struct sim *sim = create_sampling(1, WPERF_CYCLE_EVENT, 100000);
	start(sim, 1, WPERF_RING_MAX_CALLERS);
	sim_advance(sim, MS(10));
	struct answer answer = try_read(sim, 1, WPERF_MAX_OUTPUT);
	assert_int_equal(head_of(&answer).left, 0);
	unsigned num = 0;
	uint64_t before = 0;
	const uint8_t *at = answer.bytes + sizeof(struct wperf_ring_answer);
	while (at < answer.bytes + answer.size) {
		struct wperf_ring_sample sample;
		memcpy(&sample, at, sizeof(sample));
		assert_int_equal(sample.pid, PROGRAM_PID);
		assert_int_equal(sample.tid, PROGRAM_PID + 1);
		assert_int_equal(sample.core, 1);
		assert_int_equal(sample.flags, 0);
		assert_int_equal(sample.overflows, 1u << 31);
		assert_int_equal(sample.num_lost, 0);
		assert_in_range(sample.time, before + 1, MS(10));
		check_callers(at, &sample);
		before = sample.time;
		at += sample.size;
		num++;
	}
	assert_int_equal(num, 225);
	assert_int_equal(stop_core(sim, 1).sample_generated, 225);
	free(sim);
}

static void test_whoever_runs_has_the_samples(void **state)
{
	struct sim *sim = create_sampling(1, WPERF_CYCLE_EVENT, 100000);
	const struct sim_task task = {.who = {77, 78}, .pc = 0x1000}, nobody = {.pc = 0};
	unsigned num = 0, num_of_task = 0;
	start(sim, 1, WPERF_RING_MAX_CALLERS);
	sim_advance(sim, MS(1));
	sim_run(sim, 1, &task);
	sim_advance(sim, MS(2));
	sim_run(sim, 1, &nobody);
	sim_advance(sim, MS(1));
	struct answer answer = try_read(sim, 1, WPERF_MAX_OUTPUT);
	const uint8_t *at = answer.bytes + sizeof(struct wperf_ring_answer);
	for (struct wperf_ring_sample sample; at < answer.bytes + answer.size; at += sample.size) {
		memcpy(&sample, at, sizeof(sample));
		bool is_of_task = sample.time > MS(1) && sample.time <= MS(3);
		assert_int_equal(sample.pid, is_of_task ? 77 : PROGRAM_PID);
		assert_int_equal(sample.tid, is_of_task ? 78 : PROGRAM_PID + 1);
		assert_true(is_of_task == (sample.pc == 0x1000 && !sample.num_callers));
		num_of_task += is_of_task;
		num++;
	}
	assert_int_equal(num, 90);
	assert_int_equal(num_of_task, 45);
	free(sim);
}

static void test_the_same_places_as_without_a_ring(void **state)
{
	struct sim *sim = create_sampling(0, LD_SPEC, 10000),
		   *peer = create_sampling(0, LD_SPEC, 10000);
	start(sim, 0, 0);
	struct wperf_control control = control_of_core(0, WPERF_CONTROL_CORE);
	tell(peer, WPERF_PMU_CTL_SAMPLE_START, &control, sizeof(control));
	sim_advance(sim, MS(3));
	sim_advance(peer, MS(3));
	uint32_t core = 0;
	struct wperf_samples samples;
	memcpy(&samples,
	       ask_sized(peer, ALICE, WPERF_PMU_CTL_SAMPLE_GET, &core, 4, sizeof(samples)).bytes,
	       sizeof(samples));
	struct answer answer = try_read(sim, 0, WPERF_MAX_OUTPUT);
	assert_int_equal(head_of(&answer).size, samples.size * HEAD);
	assert_in_range(samples.size, 60, 100);
	for (unsigned i = 0; i < samples.size; i++) {
		struct wperf_ring_sample sample;
		memcpy(&sample, answer.bytes + 8 + i * HEAD, sizeof(sample));
		assert_int_equal(sample.num_callers, 0);
		assert_int_equal(sample.pc, samples.samples[i].pc);
		assert_int_equal(sample.lr, samples.samples[i].lr);
		assert_int_equal(sample.overflows, samples.samples[i].ov_flags);
	}
	free(sim);
	free(peer);
}

static void test_callers_that_are_too_many(void **state)
{
	struct sim *sim = create_sampling(0, WPERF_CYCLE_EVENT, 1000000);
	start(sim, 0, 2);
	sim_advance(sim, MS(10));
	struct answer answer = try_read(sim, 0, WPERF_MAX_OUTPUT);
	assert_int_not_equal(head_of(&answer).size, 0);
	bool was_cut = false;
	const uint8_t *at = answer.bytes + sizeof(struct wperf_ring_answer);
	while (at < answer.bytes + answer.size) {
		struct wperf_ring_sample sample;
		memcpy(&sample, at, sizeof(sample));
		assert_in_range(sample.num_callers, 0, 2);
		was_cut = was_cut || sample.flags & WPERF_RING_CUT;
		check_callers(at, &sample);
		at += sample.size;
	}
	assert_true(was_cut);
	free(sim);
}

// An output too small for all of them, and one too small for any.
static void test_read_in_pieces(void **state)
{
	struct sim *sim = create_sampling(0, WPERF_CYCLE_EVENT, 100000);
	start(sim, 0, 0);
	sim_advance(sim, MS(10));
	assert_int_equal(stop_core(sim, 0).sample_generated, 225);
	for (size_t room = 0; room < HEAD; room++)
		assert_int_equal(try_read(sim, 0, sizeof(struct wperf_ring_answer) + room).status,
				 DRIVER_INSUFFICIENT_RESOURCES);
	size_t left = 225 * HEAD;
	while (left > 0) {
		struct answer answer = try_read(sim, 0, 1000);
		size_t size = head_of(&answer).size;
		assert_int_equal(size, left < 992 ? left : 992 / HEAD * HEAD);
		left -= size;
		assert_int_equal(head_of(&answer).left, left);
	}
	struct answer answer = try_read(sim, 0, sizeof(struct wperf_ring_answer));
	assert_int_equal(head_of(&answer).size, 0);
	free(sim);
}

// The first sample behind the gap tells how many are missing.
static void test_lost_samples_are_counted(void **state)
{
	struct sim *sim = create_sampling(0, WPERF_CYCLE_EVENT, 100000);
	start(sim, 0, 0);
	sim_advance(sim, MS(100)); // 2250
	unsigned num = 0;
	for (struct answer answer = try_read(sim, 0, WPERF_MAX_OUTPUT); head_of(&answer).size;
	     answer = try_read(sim, 0, WPERF_MAX_OUTPUT))
		num += head_of(&answer).size / HEAD;
	assert_int_equal(num, SIM_RING / HEAD);
	sim_advance(sim, MS(1));
	struct answer answer = try_read(sim, 0, WPERF_MAX_OUTPUT);
	struct wperf_ring_sample samples[2];
	memcpy(samples, answer.bytes + sizeof(struct wperf_ring_answer), sizeof(samples));
	assert_int_equal(samples[0].num_lost, 2250 - num);
	assert_int_equal(samples[1].num_lost, 0);
	struct wperf_sample_summary summary = stop_core(sim, 0);
	assert_int_equal(summary.sample_dropped, 2250 - num);
	assert_in_range(summary.sample_generated, 2250 + 22, 2250 + 23);
	free(sim);
}

static void test_wait(void **state)
{
	struct sim *sim = create_sampling(2, WPERF_CYCLE_EVENT, 100000);
	start(sim, 2, 0);
	assert_int_equal(try_wait(sim, ALICE, 0).status, DRIVER_PENDING);
	struct answer answer = try_wait(sim, ALICE, WPERF_RING_AT_ONCE);
	assert_int_equal(ready_of(&answer).cores[0], 0);
	sim_advance(sim, MS(1));
	assert_int_equal(try_wait(sim, ALICE, 0).status, DRIVER_PENDING);
	answer = try_wait(sim, ALICE, WPERF_RING_AT_ONCE);
	assert_int_equal(ready_of(&answer).cores[0], 1 << 2);

	sim_advance_until_enough(sim, MS(1000));
	assert_in_range(sim->now_ns, MS(15), MS(16)); // 342 of 1365 samples
	answer = try_wait(sim, ALICE, 0);
	assert_int_equal(ready_of(&answer).cores[0], 1 << 2);
	assert_int_equal(ready_of(&answer).cores[1], 0);
	answer = try_read(sim, 2, WPERF_MAX_OUTPUT);
	assert_in_range(head_of(&answer).size, SIM_RING / 4, SIM_RING / 4 + HEAD - 1);
	assert_int_equal(try_wait(sim, ALICE, 0).status, DRIVER_PENDING);
	assert_int_equal(try_wait(sim, ALICE, 2).status, DRIVER_INVALID_PARAMETER);

	sim_advance_until_enough(sim, 100000);
	stop_core(sim, 2); // whoever waits need not wait any more
	answer = try_wait(sim, ALICE, 0);
	assert_int_equal(ready_of(&answer).cores[0], 1 << 2);
	free(sim);
}

static void test_who_waits_can_be_robbed(void **state)
{
	struct sim *sim = create_sampling(2, WPERF_CYCLE_EVENT, 100000);
	start(sim, 2, 0);
	assert_int_equal(try_wait(sim, ALICE, 0).status, DRIVER_PENDING);
	assert_int_equal(ask_for_lock(sim, BOB, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET_FORCE),
			 WPERF_LOCK_ACQUIRED);
	assert_int_equal(try_wait(sim, ALICE, 0).status, DRIVER_INVALID_DEVICE_STATE);
	struct answer answer = try_wait(sim, BOB, 0);
	assert_int_equal(ready_of(&answer).cores[0], 0); // the samples were not his
	free(sim);
}

static void test_start_of_many_is_of_all_or_none(void **state)
{
	struct sim *sim = create_sampling(0, WPERF_CYCLE_EVENT, 100000);
	struct wperf_control all = control_of_all(sim, WPERF_CONTROL_CORE);
	assert_int_equal(try_start(sim, &all, 0), DRIVER_INVALID_PARAMETER); // 1 has no events
	sim_advance(sim, MS(10));
	assert_int_equal(stop(sim, &all).sample_generated, 0);
	for (unsigned core = 1; core < 4; core++) {
		struct {
			struct wperf_sample_source head;
			struct wperf_sample_event event;
		} source = {{core}, {WPERF_CYCLE_EVENT, 1000000, ONLY_USER}};
		tell(sim, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source));
	}
	assert_int_equal(try_start(sim, &all, WPERF_RING_MAX_CALLERS + 1),
			 DRIVER_INVALID_PARAMETER);
	assert_int_equal(try_start(sim, &all, 0), DRIVER_OK);
	assert_int_equal(try_start(sim, &all, 0), DRIVER_DEVICE_BUSY);
	sim_advance(sim, MS(10));
	struct wperf_control twice = all;
	twice.cores_count = 8;
	memcpy(twice.cores_no + 4, all.cores_no, 4);
	assert_in_range(stop(sim, &twice).sample_generated, 225 + 3 * 22, 225 + 3 * 23);
	struct wperf_control absent = control_of_core(4, WPERF_CONTROL_CORE);
	assert_int_equal(try_start(sim, &absent, 0), DRIVER_INVALID_PARAMETER);
	assert_int_equal(try_read(sim, 4, 1000).status, DRIVER_INVALID_PARAMETER);
	free(sim);
}

static void test_counting_and_the_ring_exclude_each_other(void **state)
{
	struct sim *sim = create_sampling(0, WPERF_CYCLE_EVENT, 100000);
	struct wperf_control control = control_of_core(0, WPERF_CONTROL_CORE);
	tell(sim, WPERF_PMU_CTL_START, &control, sizeof(control));
	assert_int_equal(try_start(sim, &control, 0), DRIVER_DEVICE_BUSY);
	tell(sim, WPERF_PMU_CTL_STOP, &control, sizeof(control));
	assert_int_equal(try_start(sim, &control, 0), DRIVER_OK);
	assert_int_equal(
		ask_sized(sim, ALICE, WPERF_PMU_CTL_START, &control, sizeof(control), 0).status,
		DRIVER_DEVICE_BUSY);
	free(sim);
}

static void test_a_start_forgets_what_was(void **state)
{
	struct sim *sim = create_sampling(0, WPERF_CYCLE_EVENT, 100000);
	start(sim, 0, 0);
	sim_advance(sim, MS(1));
	stop_core(sim, 0);
	struct wperf_control control = control_of_core(0, WPERF_CONTROL_CORE);
	tell(sim, WPERF_PMU_CTL_SAMPLE_START, &control, sizeof(control));
	sim_advance(sim, MS(1));
	struct answer answer = try_read(sim, 0, WPERF_MAX_OUTPUT);
	assert_int_equal(head_of(&answer).size, 0); // they are where the start said
	uint32_t core = 0;
	struct wperf_samples samples;
	memcpy(&samples,
	       ask_sized(sim, ALICE, WPERF_PMU_CTL_SAMPLE_GET, &core, 4, sizeof(samples)).bytes,
	       sizeof(samples));
	assert_in_range(samples.size, 22, 23);
	free(sim);
}

static void test_driver_without_a_ring(void **state)
{
	struct sim_config config = full_machine();
	config.no_ring = true;
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	struct wperf_control control = control_of_core(0, WPERF_CONTROL_CORE);
	assert_int_equal(ask(sim, ALICE, WPERF_RING_CTL_QUERY, "abcd", 4).status,
			 DRIVER_NOT_SUPPORTED);
	assert_int_equal(try_start(sim, &control, 0), DRIVER_NOT_SUPPORTED);
	assert_int_equal(ask(sim, ALICE, WPERF_RING_CTL_STOP, &control, sizeof(control)).status,
			 DRIVER_NOT_SUPPORTED);
	assert_int_equal(try_read(sim, 0, 1000).status, DRIVER_NOT_SUPPORTED);
	assert_int_equal(try_wait(sim, ALICE, 0).status, DRIVER_NOT_SUPPORTED);
	free(sim);
}

static void test_ring_sizes(void **state)
{
	static const size_t bad[] = {0, 1, 2048, 4097, 12288, DRIVER_RING_MAX_SIZE * 2};
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		driver_config.ring_size = bad[i];
		assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers),
				 DRIVER_INVALID_PARAMETER);
	}
	driver_config.ring_memory = NULL;
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	free(sim);
}

int driver_ring_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fills_up_and_goes_on),
		cmocka_unit_test(test_enough_is_a_quarter),
		cmocka_unit_test(test_takes_whole_samples_only),
		cmocka_unit_test(test_put_while_it_is_taken),
		cmocka_unit_test(test_query),
		cmocka_unit_test(test_samples_tell_thread_time_and_callers),
		cmocka_unit_test(test_whoever_runs_has_the_samples),
		cmocka_unit_test(test_the_same_places_as_without_a_ring),
		cmocka_unit_test(test_callers_that_are_too_many),
		cmocka_unit_test(test_read_in_pieces),
		cmocka_unit_test(test_lost_samples_are_counted),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_who_waits_can_be_robbed),
		cmocka_unit_test(test_start_of_many_is_of_all_or_none),
		cmocka_unit_test(test_counting_and_the_ring_exclude_each_other),
		cmocka_unit_test(test_a_start_forgets_what_was),
		cmocka_unit_test(test_driver_without_a_ring),
		cmocka_unit_test(test_ring_sizes),
	};
	return cmocka_run_group_tests_name("driver_ring", tests, NULL, NULL);
}
