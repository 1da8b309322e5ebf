// SPDX-License-Identifier: Apache-2.0
// The client of sampling against drivers that answer well, and with malice.

#include "source/driver/sampling_client.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { BUSY = 170 };

static const struct event ld_spec = {"ld_spec", "", "", EVENT_CORE, 0x70};
static const struct event cpu_cycles = {"cpu_cycles", "", "", EVENT_CORE, 0x11};
static const struct event dsu_cycles = {"cycles", "", "", EVENT_DSU, 0x11};

/** A driver that has some samples, and notes what it was told. */
struct scripted {
	struct wperf_hw_cfg cfg;
	struct wperf_samples samples; /* given once */
	struct wperf_sample_summary summary;
	uint32_t fail_code, fail_core;
	struct wperf_sample_event set[32];
	size_t num_set;
	unsigned num_started, num_stopped;
};

static size_t copy(void *out, size_t out_size, const void *answer, size_t size)
{
	assert_true(size <= out_size);
	memcpy(out, answer, size);
	return size;
}

static uint32_t answer(void *context, uint32_t code, const void *in, size_t in_size, void *out,
		       size_t out_size, size_t *ret_size)
{
	struct scripted *script = context;
	const struct wperf_control *control = in;
	*ret_size = 0;
	if (code == script->fail_code && control->cores_no[0] == script->fail_core)
		return BUSY;
	switch (code) {
	case WPERF_PMU_CTL_QUERY_HW_CFG:
		*ret_size = copy(out, out_size, &script->cfg, sizeof(script->cfg));
		break;
	case WPERF_PMU_CTL_SAMPLE_SET_SRC:
		script->num_set = (in_size - 4) / sizeof(script->set[0]);
		memcpy(script->set, (const uint8_t *)in + 4, in_size - 4);
		break;
	case WPERF_PMU_CTL_SAMPLE_START:
		script->num_started++;
		break;
	case WPERF_PMU_CTL_SAMPLE_STOP:
		script->num_stopped++;
		*ret_size = copy(out, out_size, &script->summary, sizeof(script->summary));
		break;
	case WPERF_PMU_CTL_SAMPLE_GET:
		*ret_size = copy(out, out_size, &script->samples, sizeof(script->samples));
		script->samples.size = 0;
		break;
	default:
		fail();
	}
	return 0;
}

struct scene {
	struct scripted script;
	struct driver_transport transport;
	struct sampling_client client;
	struct event_request requests[40];
	struct event_list events;
	struct sample_plan plan;
};

static int setup(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	scene->script.cfg = (struct wperf_hw_cfg){
		.gpc_num = 3, .total_gpc_num = 6, .counter_idx_map = {1, 3, 5, [31] = 31}};
	scene->transport = (struct driver_transport){.request = answer, .context = &scene->script};
	scene->events.items = scene->requests;
	scene->plan = (struct sample_plan){.events = &scene->events, .chain = SAMPLE_CHAIN_FP};
	*state = scene;
	return 0;
}

static int teardown(void **state)
{
	struct scene *scene = *state;
	sampling_client_close(&scene->client);
	free(scene);
	return 0;
}

static void ask(struct scene *scene, const struct event *event, uint64_t interval,
		unsigned modifiers)
{
	scene->requests[scene->events.num_items++] = (struct event_request){
		.event = event, .interval = interval, .modifiers = modifiers};
}

static struct error *open_client(struct scene *scene)
{
	return sampling_client_open(&scene->client, &scene->transport, 2, 77, &scene->plan);
}

static void events_are_put_on_counters(void **state)
{
	struct scene *scene = *state;
	ask(scene, &ld_spec, 100000, 0);
	ask(scene, &cpu_cycles, 0, EVENT_USER | EVENT_KERNEL);
	ask(scene, &cpu_cycles, 25000, EVENT_KERNEL);
	assert_no_error(open_client(scene));
	static const struct wperf_sample_event expected[] = {
		{0x70, 100000, WPERF_FILTER_EXCLUDE_EL1},
		{WPERF_CYCLE_EVENT, 0x4000000, 0},
		{0x11, 25000, WPERF_FILTER_EXCLUDE_EL0},
	};
	assert_int_equal(scene->script.num_set, 3);
	assert_memory_equal(scene->script.set, expected, sizeof(expected));
}

static void overflows_become_records(void **state)
{
	struct scene *scene = *state;
	ask(scene, &cpu_cycles, 1000, 0);
	ask(scene, &ld_spec, 100, 0);
	ask(scene, &ld_spec, 200, 0);
	assert_no_error(open_client(scene));
	scene->script.samples = (struct wperf_samples){
		.size = 3,
		.samples = {{.lr = 0x20, .pc = 0x10, .ov_flags = 1u << 3 | 1u << 31},
			    {.pc = 0x30, .ov_flags = 1 << 0}, // nobody's
			    {.pc = 0xffffff8000000000, .ov_flags = 1 << 1}},
	};
	unsigned most;
	assert_no_error(sampling_client_poll(&scene->client, 99, &most));
	assert_int_equal(most, 3);
	static const struct {
		uint32_t event;
		uint64_t ip, period;
		enum record_mode mode;
	} expected[] = {{0, 0x10, 1000, RECORD_MODE_USER},
			{2, 0x10, 200, RECORD_MODE_USER},
			{1, 0xffffff8000000000, 100, RECORD_MODE_KERNEL}};
	struct record record;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_true(sampling_client_next(&scene->client, &record));
		assert_int_equal(record.kind, RECORD_SAMPLE);
		assert_int_equal(record.event, expected[i].event);
		assert_int_equal(record.sample.ip, expected[i].ip);
		assert_int_equal(record.sample.period, expected[i].period);
		assert_int_equal(record.mode, expected[i].mode);
		assert_int_equal(record.pid, 77);
		assert_int_equal(record.time_ns, 99);
		assert_int_equal(record.cpu, 0);
		assert_int_equal(record.sample.chain_length, 2);
		assert_int_equal(record.sample.chain[0], expected[i].ip);
		if (i < 2)
			assert_int_equal(record.sample.chain[1], 0x20);
	}
	assert_false(sampling_client_next(&scene->client, &record));
	assert_int_equal(scene->client.totals.num_generated, 3);
}

static void words_for_what_is_wrong(void **state)
{
	static const struct {
		const struct event *event;
		uint64_t interval;
		unsigned modifiers;
		const char *message;
	} cases[] = {
		{&dsu_cycles, 1000, 0, "cannot sample 'cycles': it is not an event of a core"},
		{&ld_spec, UINT64_C(1) << 32, 0, "event interval: 4294967296 is out of range!"},
		{&ld_spec, 999, EVENT_KERNEL,
		 "cannot sample 'ld_spec' in the kernel every 999 events"},
	};
	struct scene *scene = *state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		scene->events.num_items = 0;
		ask(scene, cases[i].event, cases[i].interval, cases[i].modifiers);
		assert_error(open_client(scene), ERROR_USAGE, cases[i].message);
	}
	scene->events.num_items = 0;
	for (unsigned i = 0; i < 4; i++)
		ask(scene, &ld_spec, 1000, 0);
	assert_error(open_client(scene), ERROR_USAGE,
		     "number of events requested exceeds the number of free hardware PMU "
		     "counters(3) out of a total of (6)");
	scene->script.cfg.gpc_num = 255; // more than the map can have
	for (unsigned i = 0; i < 36; i++)
		ask(scene, &ld_spec, 1000, 0);
	error_destroy(open_client(scene));
	assert_int_equal(scene->script.num_set, 0);
}

static void more_samples_than_fit_are_nonsense(void **state)
{
	struct scene *scene = *state;
	ask(scene, &ld_spec, 1000, 0);
	assert_no_error(open_client(scene));
	scene->script.samples.size = WPERF_MAX_SAMPLES + 1;
	unsigned most;
	assert_error(sampling_client_poll(&scene->client, 0, &most), ERROR_FAILED,
		     "PMU_CTL_SAMPLE_GET returned invalid data: 129 samples");
}

static void cores_that_started_are_stopped(void **state)
{
	struct scene *scene = *state;
	ask(scene, &ld_spec, 1000, 0);
	assert_no_error(open_client(scene));
	scene->script.fail_code = WPERF_PMU_CTL_SAMPLE_START;
	scene->script.fail_core = 1;
	assert_error(sampling_client_start(&scene->client), ERROR_FAILED,
		     "error: DeviceIoControl failed: GetLastError=0x00aa\n"
		     "PMU_CTL_SAMPLE_START failed");
	sampling_client_close(&scene->client);
	assert_int_equal(scene->script.num_started, 1);
	assert_int_equal(scene->script.num_stopped, 1);
}

static void totals_are_the_drivers(void **state)
{
	struct scene *scene = *state;
	ask(scene, &ld_spec, 1000, 0);
	assert_no_error(open_client(scene));
	assert_no_error(sampling_client_start(&scene->client));
	scene->script.summary = (struct wperf_sample_summary){500, 40};
	assert_no_error(sampling_client_stop(&scene->client, 1));
	assert_int_equal(scene->client.totals.num_generated, 1000); // of two cores
	assert_int_equal(scene->client.totals.num_lost, 80);
}

#define CLIENT_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int sampling_client_tests(void)
{
	const struct CMUnitTest tests[] = {
		CLIENT_TEST(events_are_put_on_counters),
		CLIENT_TEST(overflows_become_records),
		CLIENT_TEST(words_for_what_is_wrong),
		CLIENT_TEST(more_samples_than_fit_are_nonsense),
		CLIENT_TEST(cores_that_started_are_stopped),
		CLIENT_TEST(totals_are_the_drivers),
	};
	return cmocka_run_group_tests_name("sampling_client", tests, NULL, NULL);
}
