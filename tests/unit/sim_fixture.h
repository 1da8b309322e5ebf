/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_SIM_FIXTURE_H
#define WPERF_TESTS_UNIT_SIM_FIXTURE_H

/** A simulated machine with everything, two clients, and a way to ask that notices overruns. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/sim/sim.h"

#include <stdlib.h>
#include <string.h>

enum { ALICE = 1, BOB = 2 };

enum { UNTOUCHED = 0xA5 };

#define NEOVERSE_N1 UINT64_C(0x413fd0c1)

/** What a client got. */
struct answer {
	enum driver_status status;
	size_t size;
	uint8_t bytes[WPERF_MAX_OUTPUT];
	bool out_touched;
};

/** Two clusters of two Neoverse N1, which count events 0, 0x11, 0x20, 0x3f, 0x4000 and 0x403f. */
static inline struct sim_config full_machine(void)
{
	struct sim_config config = {
		.num_cores = 4,
		.midr = NEOVERSE_N1,
		.counters = 6,
		.dsu_clusters = 2,
		.dmc_channels = 3,
		.spe = true,
		.pmu_version = 4,
	};
	static const uint16_t events[] = {0, 0x11, 0x20, 0x3f, 0x4000, 0x403f};
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		sim_config_add_event(&config, events[i]);
	return config;
}

/** To be ended with free(); it must not move. */
static inline struct sim *create_sim(const struct sim_config *config)
{
	struct sim *sim = malloc(sizeof(*sim));
	const char *field = "none";
	assert_non_null(sim);
	assert_int_equal(sim_init(sim, config, &field), DRIVER_OK);
	return sim;
}

static inline bool is_untouched(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] != UNTOUCHED)
			return false;
	}
	return true;
}

/** Ask with heap buffers of exactly these sizes; an output of no bytes is NULL. */
static inline struct answer ask_sized(struct sim *sim, driver_client client, uint32_t code,
				      const void *in, size_t in_size, size_t out_size)
{
	static struct answer answer;
	void *exact_in = in_size ? malloc(in_size) : NULL;
	uint8_t *exact_out = out_size ? malloc(out_size) : NULL;
	if (in_size)
		memcpy(exact_in, in, in_size);
	if (out_size)
		memset(exact_out, UNTOUCHED, out_size);
	answer.size = 12345;
	answer.status = sim_request(sim, client, code, exact_in, in_size, exact_out, out_size,
				    &answer.size);
	assert_true(answer.size <= out_size);
	answer.out_touched = !is_untouched(exact_out, out_size);
	if (exact_out && answer.size)
		memcpy(answer.bytes, exact_out, answer.size);
	free(exact_in);
	free(exact_out);
	assert_int_equal(sim->num_faults, 0);
	return answer;
}

static inline struct answer ask(struct sim *sim, driver_client client, uint32_t code,
				const void *in, size_t in_size)
{
	return ask_sized(sim, client, code, in, in_size, 4096);
}

static inline enum wperf_lock_status ask_for_lock(struct sim *sim, driver_client client,
						  uint32_t code, uint32_t flag)
{
	struct wperf_lock_request request = {.flag = flag};
	struct wperf_lock_reply reply;
	struct answer answer = ask_sized(sim, client, code, &request, sizeof(request), 4);
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, sizeof(reply));
	memcpy(&reply, answer.bytes, sizeof(reply));
	return (enum wperf_lock_status)reply.status;
}

static inline void take_lock(struct sim *sim, driver_client client)
{
	assert_int_equal(ask_for_lock(sim, client, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET),
			 WPERF_LOCK_ACQUIRED);
}

#endif
