// SPDX-License-Identifier: Apache-2.0

#include "bench/synthetic_fleet.h"

#include "bench/random_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_FUNCTIONS = 5000, DEPTH = 24, PERIOD_NS = 52631578 /* 19 Hz */ };

void bench_check(struct error *err)
{
	if (!err)
		return;
	fprintf(stderr, "%s\n", err->message);
	exit(1);
}

static uint32_t synthetic_text(struct named_profile *profile, const char *format, uint32_t number)
{
	char buffer[64];
	uint32_t string = 0;
	snprintf(buffer, sizeof(buffer), format, number);
	bench_check(named_profile_string(profile, buffer, &string));
	return string;
}

void synthetic_service_make(struct fleet_batch *batch, uint32_t service, uint32_t *stacks)
{
	struct named_profile *profile = &batch->profile;
	uint64_t state = service + 1;
	uint32_t frames[NUM_FUNCTIONS], event, thread;
	bench_check(fleet_batch_init(batch));
	for (uint32_t i = 0; i < NUM_FUNCTIONS; i++) {
		struct named_module module = {.name = synthetic_text(profile, "lib%u.so", i % 40),
					      .path = synthetic_text(profile, "/usr/lib/lib%u.so",
								     i % 40),
					      .build_id = synthetic_text(profile, "%040x", i % 40)};
		struct named_function function = {.name = synthetic_text(profile, "function_%u", i),
						  .file = synthetic_text(profile, "file_%u.c",
									 i / 20),
						  .line = i};
		struct named_frame frame = {
			.file = function.file, .line = i + 3, .address = 64 * i};
		bench_check(named_profile_module(profile, &module, &function.module));
		bench_check(named_profile_function(profile, &function, &frame.function));
		bench_check(named_profile_frame(profile, &frame, &frames[i]));
	}
	for (uint32_t i = 0; i < SYNTHETIC_STACKS; i++) {
		uint32_t path[DEPTH];
		// The outer half is of few functions, as in servers.
		for (uint32_t j = 0; j < DEPTH; j++)
			path[j] =
				frames[random_next(&state) % (j < DEPTH / 2 ? NUM_FUNCTIONS : 40)];
		bench_check(stack_table_intern(&profile->stacks, path, DEPTH, &stacks[i]));
	}
	const struct named_event cpu_clock = {.name = synthetic_text(profile, "cpu-clock", 0),
					      .unit = synthetic_text(profile, "nanoseconds", 0),
					      .frequency = 19};
	const struct named_thread worker = {
		.name = synthetic_text(profile, "worker", 0), .pid = 1, .tid = 1};
	bench_check(named_profile_event(profile, &cpu_clock, &event));
	bench_check(named_profile_thread(profile, &worker, &thread));
}

void synthetic_window_fill(struct fleet_batch *batch, const uint32_t *stacks, uint32_t num_samples,
			   uint64_t *state)
{
	batch->profile.num_samples = 0;
	for (uint32_t i = 0; i < num_samples; i++) {
		double uniform = (double)(random_next(state) % 1000003) / 1000003;
		uint32_t stack = stacks[(size_t)(uniform * uniform * uniform * SYNTHETIC_STACKS)];
		const struct named_sample sample = {
			.count = 1, .weight = PERIOD_NS, .stack = stack, .cpu = NAMED_NONE};
		bench_check(named_profile_add(&batch->profile, &sample));
	}
}

size_t synthetic_window_stacks(const struct fleet_batch *batch)
{
	static unsigned char seen[1 << 22];
	size_t num = 0;
	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < batch->profile.num_samples; i++) {
		num += !seen[batch->profile.samples[i].stack];
		seen[batch->profile.samples[i].stack] = 1;
	}
	return num;
}
