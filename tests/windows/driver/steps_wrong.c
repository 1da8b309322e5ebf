// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/steps.h"

#include "driver/include/wperf_driver.h"
#include "tests/windows/driver/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	FIRST_FUNCTION = 0x8ff,
	LAST_FUNCTION = 0x917,
	FIRST_OF_RING = 0xa00,
	LAST_OF_RING = 0xa05,
	MAX_LENGTH = 340, // over all structs of fixed size
	NUM_RANDOM = 5000,
	MAX_RANDOM_INPUT = 700,
};

static struct answer answer; // too large for a stack

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1;
	uint64_t mixed = *state ^ *state >> 29;
	return mixed * UINT64_C(0xbf58476d1ce4e5b9) >> 16;
}

// Whose inputs are that long; of others one size of output is enough.
static bool is_known(size_t length)
{
	static const size_t known[] = {4, 8, 16, 28, 152, 176, 324};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i] == length)
			return true;
	}
	return false;
}

static void try_lengths_of(struct door *door, const char *whose, unsigned function, bool all)
{
	static const uint8_t input[MAX_LENGTH] = {1};
	static const size_t out_sizes[] = {0, 1, 4113, WPERF_MAX_OUTPUT, WPERF_MAX_OUTPUT + 1};
	uint64_t sum = 0;
	unsigned num = 0, num_good = 0;
	for (size_t length = 0; length <= MAX_LENGTH; length++) {
		for (size_t i = 0; i < 5; i++) {
			if (!is_known(length) && (!all || i != length % 5))
				continue;
			answer_ask(door, WPERF_REQUEST(function), input, length, out_sizes[i],
				   &answer);
			answer_mix(&answer, &sum);
			num++;
			num_good += answer.error == 0;
		}
	}
	printf("%s, %u lengths of %x: %u good, %016" PRIx64 "\n", whose, num, function, num_good,
	       sum);
}

static void try_lengths(struct door *door, const char *whose, bool all)
{
	for (unsigned function = FIRST_FUNCTION; function <= LAST_FUNCTION; function++)
		try_lengths_of(door, whose, function, all);
	for (unsigned function = FIRST_OF_RING; function <= LAST_OF_RING; function++)
		try_lengths_of(door, whose, function, all);
}

// A lock that nobody has leads nowhere.
static uint32_t random_code(uint64_t *state)
{
	unsigned num = LAST_FUNCTION + 1 - FIRST_FUNCTION;
	unsigned function = FIRST_FUNCTION + (unsigned)(next_random(state) % num);
	bool is_release = function == 0x911;
	return WPERF_REQUEST(is_release && next_random(state) % 64 ? 0x900 : function);
}

static void try_random(struct door *const *doors)
{
	static const size_t sizes[] = {4, 152, 324, 176, 16, 28, 72, 8};
	static uint8_t input[MAX_RANDOM_INPUT];
	uint64_t state = 1, sum = 0;
	unsigned num_good = 0;
	for (unsigned i = 0; i < NUM_RANDOM; i++) {
		uint32_t code = random_code(&state);
		uint64_t kind = next_random(&state);
		size_t size = kind % 4 ? sizes[kind / 4 % 8] : next_random(&state) % sizeof(input);
		for (size_t k = 0; k < size; k++) // zero is more often right
			input[k] = next_random(&state) % 8 ? 0 : (uint8_t)next_random(&state) % 4;
		input[0] |= next_random(&state) % 2; // one core
		size_t out_size = next_random(&state) % 8192;
		answer_ask(doors[next_random(&state) % 2], code, input, size, out_size, &answer);
		answer_mix(&answer, &sum);
		num_good += answer.error == 0;
		if (i % 64 == 0)
			door_pass_time(doors[0], 1000000);
	}
	printf("%d random requests: %u good, %016" PRIx64 "\n", NUM_RANDOM, num_good, sum);
}

static void try_cores_that_are_none(struct door *door)
{
	uint64_t sum = 0;
	for (unsigned function = FIRST_FUNCTION; function <= LAST_FUNCTION; function++) {
		for (unsigned core = 4; core < 256; core += 21) {
			struct wperf_control control = {.cores_count = 1, .cores_no = {core}};
			answer_ask(door, WPERF_REQUEST(function), &control, sizeof(control), 8192,
				   &answer);
			answer_mix(&answer, &sum);
		}
	}
	printf("cores that are none: %016" PRIx64 "\n", sum);
}

/** The first one has the lock. */
static bool open_two(struct door *doors[2])
{
	struct wperf_lock_request force = {WPERF_LOCK_GET_FORCE};
	doors[0] = door_open();
	if (!doors[0])
		return false;
	doors[1] = door_open();
	door_pass_time(doors[0], 0);
	answer_ask(doors[0], WPERF_PMU_CTL_LOCK_ACQUIRE, &force, sizeof(force), 4, &answer);
	return true;
}

static void close_two(struct door *doors[2])
{
	door_close(doors[0]);
	door_close(doors[1]);
}

bool steps_wrong(void)
{
	struct door *doors[2];
	if (!open_two(doors))
		return false;
	try_lengths(doors[1], "without the lock", false);
	try_lengths(doors[0], "with the lock", true);
	try_cores_that_are_none(doors[0]);
	close_two(doors);
	return true;
}

bool steps_noise(void)
{
	struct door *doors[2];
	if (!open_two(doors))
		return false;
	try_random(doors);
	close_two(doors);
	return true;
}
