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

/** A good call that answers nothing. */
static inline void tell(struct sim *sim, uint32_t code, const void *in, size_t in_size)
{
	struct answer answer = ask_sized(sim, ALICE, code, in, in_size, 0);
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, 0);
}

/** All cores of the machine and all channels. */
static inline struct wperf_control control_of_all(const struct sim *sim, uint32_t flags)
{
	struct wperf_control control = {
		.cores_count = sim->config.num_cores,
		.period = WPERF_DEFAULT_PERIOD_MS,
		.dmc_idx = WPERF_ALL_DMCS,
		.flags = flags,
	};
	for (unsigned core = 0; core < sim->config.num_cores; core++)
		control.cores_no[core] = (uint8_t)core;
	return control;
}

static inline struct wperf_control control_of_core(unsigned core, uint32_t flags)
{
	return (struct wperf_control){
		.cores_count = 1,
		.cores_no = {(uint8_t)core},
		.period = WPERF_DEFAULT_PERIOD_MS,
		.dmc_idx = WPERF_ALL_DMCS,
		.flags = flags,
	};
}

/** The bytes of WPERF_PMU_CTL_ASSIGN_EVENTS. */
struct assign_request {
	uint8_t bytes[2048];
	size_t size;
};

static inline struct assign_request assign_begin(uint32_t core_idx, uint8_t dmc_idx,
						 uint64_t filter_bits)
{
	struct wperf_event_assign head = {core_idx, dmc_idx, {0}, filter_bits};
	struct assign_request request = {.size = sizeof(head)};
	memcpy(request.bytes, &head, sizeof(head));
	return request;
}

static inline void assign_add(struct assign_request *request, uint32_t event_class,
			      const uint16_t *events, uint16_t num)
{
	struct wperf_event_header header = {event_class, num, {0}};
	assert_true(request->size + sizeof(header) + num * sizeof(*events) <=
		    sizeof(request->bytes));
	memcpy(request->bytes + request->size, &header, sizeof(header));
	request->size += sizeof(header);
	if (num)
		memcpy(request->bytes + request->size, events, num * sizeof(*events));
	request->size += num * sizeof(*events);
}

/** One class of all cores and channels. */
static inline void assign_all(struct sim *sim, uint32_t event_class, const uint16_t *events,
			      uint16_t num, uint64_t filter_bits)
{
	struct assign_request request = assign_begin(WPERF_ALL_CORES, WPERF_ALL_DMCS, filter_bits);
	assign_add(&request, event_class, events, num);
	tell(sim, WPERF_PMU_CTL_ASSIGN_EVENTS, request.bytes, request.size);
}

static inline void tell_all(struct sim *sim, uint32_t code, uint32_t flags)
{
	struct wperf_control control = control_of_all(sim, flags);
	tell(sim, code, &control, sizeof(control));
}

static inline void read_counts(struct sim *sim, uint32_t code, const struct wperf_control *control,
			       void *ret, size_t size)
{
	struct answer answer = ask_sized(sim, ALICE, code, control, sizeof(*control), size);
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, size);
	memcpy(ret, answer.bytes, size);
}

static inline struct wperf_core_counts read_core(struct sim *sim, unsigned core)
{
	struct wperf_control control = control_of_core(core, WPERF_CONTROL_CORE);
	struct wperf_core_counts counts;
	read_counts(sim, WPERF_PMU_CTL_READ_COUNTING, &control, &counts, sizeof(counts));
	return counts;
}

static inline struct wperf_dsu_counts read_dsu(struct sim *sim, unsigned core)
{
	struct wperf_control control = control_of_core(core, WPERF_CONTROL_DSU);
	struct wperf_dsu_counts counts;
	read_counts(sim, WPERF_DSU_CTL_READ_COUNTING, &control, &counts, sizeof(counts));
	return counts;
}

static inline struct wperf_dmc_counts read_dmc(struct sim *sim, uint8_t channel)
{
	struct wperf_control control = {.dmc_idx = channel, .flags = WPERF_CONTROL_DMC};
	struct wperf_dmc_counts counts;
	read_counts(sim, WPERF_DMC_CTL_READ_COUNTING, &control, &counts, sizeof(counts));
	return counts;
}

#define MS(n) ((uint64_t)(n)*1000000)

#endif
