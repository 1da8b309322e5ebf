// SPDX-License-Identifier: Apache-2.0

// The door: every request with everything wrong that a client can get wrong.

#include "tests/unit/sim_fixture.h"

#include "driver/core/request.h"

// A good call of each request on the full machine. DMC: 3 channels, their ranges all zero.
static const struct good_call {
	const char *name;
	uint32_t code;
	bool needs_owner;
	uint8_t in[16];
	size_t in_size;
	size_t out_size;
} good_calls[] = {
	{"PMU_CTL_START", WPERF_PMU_CTL_START, true, {1}, 152, 0},
	{"PMU_CTL_STOP", WPERF_PMU_CTL_STOP, true, {1}, 152, 0},
	{"PMU_CTL_RESET", WPERF_PMU_CTL_RESET, true, {1}, 152, 0},
	{"PMU_CTL_ASSIGN_EVENTS", WPERF_PMU_CTL_ASSIGN_EVENTS, true, {0}, 16, 0},
	{"PMU_CTL_READ_COUNTING", WPERF_PMU_CTL_READ_COUNTING, true, {1}, 152, 4112},
	{"DSU_CTL_READ_COUNTING", WPERF_DSU_CTL_READ_COUNTING, true, {1}, 152, 1040},
	{"DMC_CTL_READ_COUNTING", WPERF_DMC_CTL_READ_COUNTING, true, {0}, 152, 392},
	{"PMU_CTL_QUERY_HW_CFG", WPERF_PMU_CTL_QUERY_HW_CFG, true, {0}, 4, 336},
	{"PMU_CTL_QUERY_SUPP_EVENTS", WPERF_PMU_CTL_QUERY_SUPP_EVENTS, true, {0}, 4, 120},
	{"PMU_CTL_QUERY_VERSION", WPERF_PMU_CTL_QUERY_VERSION, true, {0}, 324, 324},
	{"DSU_CTL_INIT", WPERF_DSU_CTL_INIT, true, {2, 0, 2, 0}, 4, 2},
	{"DMC_CTL_INIT", WPERF_DMC_CTL_INIT, true, {3}, 8 + 3 * 16, 4},
	{"PMU_CTL_SAMPLE_SET_SRC",
	 WPERF_PMU_CTL_SAMPLE_SET_SRC,
	 true,
	 {0, 0, 0, 0, 0x70, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0x80},
	 16,
	 0},
	{"PMU_CTL_SAMPLE_START", WPERF_PMU_CTL_SAMPLE_START, true, {1}, 152, 0},
	{"PMU_CTL_SAMPLE_STOP", WPERF_PMU_CTL_SAMPLE_STOP, true, {1}, 152, 16},
	{"PMU_CTL_SAMPLE_GET", WPERF_PMU_CTL_SAMPLE_GET, true, {0}, 4, 4104},
	{"RING_CTL_QUERY", WPERF_RING_CTL_QUERY, true, {0}, 4, 32},
	{"RING_CTL_START", WPERF_RING_CTL_START, true, {1}, 160, 0},
	{"RING_CTL_STOP", WPERF_RING_CTL_STOP, true, {1}, 152, 16},
	{"RING_CTL_READ", WPERF_RING_CTL_READ, true, {0}, 4, 8},
	{"RING_CTL_WAIT", WPERF_RING_CTL_WAIT, true, {1}, 4, 16},
	{"LOSSES_CTL_QUERY", WPERF_LOSSES_CTL_QUERY, true, {0}, 4, 24},
	{"PMU_CTL_LOCK_ACQUIRE", WPERF_PMU_CTL_LOCK_ACQUIRE, false, {WPERF_LOCK_GET}, 4, 4},
	{"PMU_CTL_LOCK_RELEASE", WPERF_PMU_CTL_LOCK_RELEASE, false, {WPERF_LOCK_RELEASE}, 4, 4},
};

enum { NUM_GOOD_CALLS = sizeof(good_calls) / sizeof(good_calls[0]), MAX_IN = 512 };

struct machine {
	struct sim *sim;
	uint8_t in[MAX_IN];
};

static int setup(void **state)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	struct sim_config config = full_machine();
	machine->sim = create_sim(&config);
	take_lock(machine->sim, ALICE);
	*state = machine;
	return 0;
}

static int teardown(void **state)
{
	struct machine *machine = *state;
	free(machine->sim);
	free(machine);
	return 0;
}

static void fill_input(uint8_t *in, const struct good_call *call)
{
	memset(in, 0, MAX_IN);
	memcpy(in, call->in, sizeof(call->in));
	if (call->code <= WPERF_PMU_CTL_RESET)
		in[offsetof(struct wperf_control, flags)] = WPERF_CONTROL_CORE;
}

static struct answer call_with(struct machine *machine, driver_client client,
			       const struct good_call *call, size_t in_size, size_t out_size)
{
	fill_input(machine->in, call);
	return ask_sized(machine->sim, client, call->code, machine->in, in_size, out_size);
}

static void expect(const struct answer *answer, const struct good_call *call,
		   enum driver_status status)
{
	if (answer->status != status)
		print_error("%s: %s\n", call->name, driver_status_name(answer->status));
	assert_int_equal(answer->status, status);
	if (status != DRIVER_OK) {
		assert_int_equal(answer->size, 0);
		assert_false(answer->out_touched);
	}
}

static void test_good_calls(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		struct answer answer =
			call_with(*state, ALICE, call, call->in_size, call->out_size);
		expect(&answer, call, DRIVER_OK);
		assert_int_equal(answer.size, call->out_size);
	}
}

static void test_larger_output_is_fine(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		struct answer answer =
			call_with(*state, ALICE, call, call->in_size, WPERF_MAX_OUTPUT);
		expect(&answer, call, DRIVER_OK);
		assert_int_equal(answer.size, call->out_size);
	}
}

static void test_no_lock(void **state)
{
	struct machine *machine = *state;
	sim_close(machine->sim, ALICE);
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		if (!call->needs_owner)
			continue;
		struct answer answer =
			call_with(machine, ALICE, call, call->in_size, call->out_size);
		expect(&answer, call, DRIVER_INVALID_DEVICE_STATE);
	}
}

// Whatever else is wrong: the robbed learns that it was robbed.
static void test_foreign_lock(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		if (!call->needs_owner)
			continue;
		const size_t sizes[] = {1, call->in_size, call->in_size + 1};
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			struct answer answer =
				call_with(*state, BOB, call, sizes[s], call->out_size);
			expect(&answer, call, DRIVER_INVALID_DEVICE_STATE);
			answer = call_with(*state, BOB, call, sizes[s], 0);
			expect(&answer, call, DRIVER_INVALID_DEVICE_STATE);
		}
	}
}

static void test_no_input(void **state)
{
	struct machine *machine = *state;
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		struct answer answer = call_with(machine, ALICE, call, 0, call->out_size);
		expect(&answer, call, DRIVER_INVALID_BLOCK_LENGTH);
		uint8_t out[WPERF_MAX_CORES * 8];
		size_t size = 1;
		assert_int_equal(sim_request(machine->sim, ALICE, call->code, NULL, call->in_size,
					     out, sizeof(out), &size),
				 DRIVER_INVALID_BLOCK_LENGTH);
		assert_int_equal(size, 0);
	}
}

// The zeros behind an assignment are a header of class 0 with no events.
static bool is_empty_class(const struct good_call *call, size_t in_size)
{
	return call->code == WPERF_PMU_CTL_ASSIGN_EVENTS &&
	       in_size == call->in_size + sizeof(struct wperf_event_header);
}

// Too short and too long, byte by byte.
static void test_wrong_input_size(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		for (size_t in_size = 1; in_size < MAX_IN; in_size++) {
			if (in_size == call->in_size || is_empty_class(call, in_size))
				continue;
			struct answer answer =
				call_with(*state, ALICE, call, in_size, call->out_size);
			expect(&answer, call, DRIVER_INVALID_PARAMETER);
		}
	}
}

static void test_small_output(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		for (size_t out_size = 0; out_size < call->out_size; out_size++) {
			struct answer answer =
				call_with(*state, ALICE, call, call->in_size, out_size);
			expect(&answer, call, DRIVER_INSUFFICIENT_RESOURCES);
		}
	}
}

// Sampling starts once.
static void undo(struct machine *machine, const struct good_call *call)
{
	struct wperf_control control = control_of_core(0, 0);
	if (call->code == WPERF_PMU_CTL_SAMPLE_START || call->code == WPERF_RING_CTL_START)
		ask_sized(machine->sim, ALICE, WPERF_PMU_CTL_SAMPLE_STOP, &control, sizeof(control),
			  sizeof(struct wperf_sample_summary));
}

// A size without a buffer.
static void test_null_output(void **state)
{
	struct machine *machine = *state;
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		uint8_t in[MAX_IN];
		fill_input(in, call);
		size_t size = 1;
		assert_int_equal(sim_request(machine->sim, ALICE, call->code, in, call->in_size,
					     NULL, 5000, &size),
				 call->out_size ? DRIVER_INSUFFICIENT_RESOURCES : DRIVER_OK);
		assert_int_equal(size, 0);
		undo(machine, call);
	}
}

static void test_huge_output(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		struct answer answer =
			call_with(*state, ALICE, call, call->in_size, WPERF_MAX_OUTPUT + 1);
		expect(&answer, call, DRIVER_BUFFER_OVERFLOW);
	}
}

// METHOD_BUFFERED: one buffer that holds the input and takes the output.
static void test_same_buffer(void **state)
{
	struct machine *machine = *state;
	for (size_t i = 0; i < NUM_GOOD_CALLS - 1; i++) { // all but the release
		const struct good_call *call = &good_calls[i];
		struct answer apart =
			call_with(machine, ALICE, call, call->in_size, call->out_size);
		undo(machine, call);
		size_t larger = call->in_size > call->out_size ? call->in_size : call->out_size;
		uint8_t *buffer = calloc(1, larger);
		memcpy(buffer, machine->in, call->in_size);
		size_t size = 0;
		assert_int_equal(sim_request(machine->sim, ALICE, call->code, buffer, call->in_size,
					     buffer, call->out_size, &size),
				 DRIVER_OK);
		assert_int_equal(size, apart.size);
		assert_memory_equal(buffer, apart.bytes, size);
		free(buffer);
	}
}

static void test_unknown_codes(void **state)
{
	struct machine *machine = *state;
	static const uint32_t codes[] = {
		0,
		UINT32_MAX,
		WPERF_REQUEST(0x8FF),
		WPERF_REQUEST(0x917),
		WPERF_REQUEST(0x9FF),
		WPERF_REQUEST(0xA05),
		WPERF_PMU_CTL_QUERY_HW_CFG + 1,      // METHOD_IN_DIRECT
		WPERF_PMU_CTL_QUERY_HW_CFG ^ 0x4000, // other access rights
	};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct answer answer = ask(machine->sim, ALICE, codes[i], "abcd", 4);
		assert_int_equal(answer.status, DRIVER_INVALID_PARAMETER);
		assert_false(answer.out_touched);
		assert_null(driver_request_name(codes[i]));
	}
}

static void test_nobody_asks(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++) {
		const struct good_call *call = &good_calls[i];
		struct answer answer =
			call_with(*state, DRIVER_CLIENT_NONE, call, call->in_size, call->out_size);
		expect(&answer, call, DRIVER_INVALID_PARAMETER);
	}
}

static void test_names(void **state)
{
	for (size_t i = 0; i < NUM_GOOD_CALLS; i++)
		assert_string_equal(driver_request_name(good_calls[i].code), good_calls[i].name);
}

#define REQUEST_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int driver_request_tests(void)
{
	const struct CMUnitTest tests[] = {
		REQUEST_TEST(test_good_calls),    REQUEST_TEST(test_larger_output_is_fine),
		REQUEST_TEST(test_no_lock),       REQUEST_TEST(test_foreign_lock),
		REQUEST_TEST(test_no_input),      REQUEST_TEST(test_wrong_input_size),
		REQUEST_TEST(test_small_output),  REQUEST_TEST(test_null_output),
		REQUEST_TEST(test_huge_output),   REQUEST_TEST(test_same_buffer),
		REQUEST_TEST(test_unknown_codes), REQUEST_TEST(test_nobody_asks),
		cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests_name("driver_request", tests, NULL, NULL);
}
