// SPDX-License-Identifier: Apache-2.0
// The client against drivers that answer well, badly, and with malice.

#include "source/driver/driver_client.h"

#include "base/container/array.h"
#include "driver/include/wperf_driver.h"
#include "source/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { BAD_COMMAND = 22, INVALID_PARAMETER = 87 };

/** A driver that answers every request with these bytes. */
struct scripted {
	uint32_t win32_error;
	const void *answer;
	size_t size;
	uint32_t fail_code; /* only this request fails */
};

static uint32_t answer(void *context, uint32_t code, const void *in, size_t in_size, void *out,
		       size_t out_size, size_t *ret_size)
{
	const struct scripted *script = context;
	assert_non_null(in);
	assert_true(in_size > 0); // the peer's driver refuses an empty input
	if (script->win32_error && (!script->fail_code || script->fail_code == code))
		return script->win32_error;
	size_t size = script->size < out_size ? script->size : out_size;
	memcpy(out, script->answer, size);
	*ret_size = size;
	return 0;
}

static struct error *lock_with(uint32_t win32_error, uint32_t status)
{
	struct wperf_lock_reply reply = {.status = status};
	struct scripted script = {win32_error, &reply, sizeof(reply), 0};
	struct driver_transport transport = {.request = answer, .context = &script};
	return driver_client_lock(&transport, false);
}

static void lock_answers_become_words(void **state)
{
	assert_no_error(lock_with(0, WPERF_LOCK_ACQUIRED));
	assert_error(lock_with(0, WPERF_LOCK_BUSY), ERROR_FAILED,
		     "warning: other WindowsPerf process acquired the wperf-driver.\n"
		     "note: use --force-lock to force driver to give lock to current `wperf` "
		     "process.\n"
		     "Operation cancelled!");
	assert_error(lock_with(0, WPERF_LOCK_INSUFFICIENT_RESOURCES), ERROR_FAILED,
		     "warning: not enough resources available to execute the request.\n"
		     "Operation cancelled!");
	assert_error(lock_with(0, WPERF_LOCK_UNKNOWN_ERROR), ERROR_FAILED,
		     "warning: unknown lock error.\nOperation cancelled!");
	assert_error(lock_with(0, 4711), ERROR_FAILED,
		     "warning: unknown lock error.\nOperation cancelled!");
	assert_error(lock_with(INVALID_PARAMETER, 0), ERROR_FAILED,
		     "warning: unknown lock error.\nOperation cancelled!");
	assert_error(lock_with(BAD_COMMAND, 0), ERROR_FAILED,
		     "warning: other WindowsPerf process hijacked the wperf-driver, see "
		     "--force-lock.\n"
		     "Operation terminated, your data was lost!");
}

static struct error *describe_with(const struct scripted *script)
{
	struct driver_transport transport = {.request = answer, .context = (void *)script};
	struct driver_topology topology = {0};
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	return driver_client_describe(&transport, &topology, &info);
}

static void a_lost_lock_is_told(void **state)
{
	struct scripted script = {.win32_error = BAD_COMMAND};
	assert_error(describe_with(&script), ERROR_FAILED,
		     "warning: other WindowsPerf process hijacked (forced lock) the wperf-driver, "
		     "see --force-lock.\n"
		     "Operation terminated, your data was lost!");
}

static void failures_name_the_request(void **state)
{
	struct scripted script = {.win32_error = INVALID_PARAMETER};
	assert_error(describe_with(&script), ERROR_FAILED,
		     "error: DeviceIoControl failed: GetLastError=0x0057\n"
		     "PMU_CTL_QUERY_HW_CFG failed");
}

static void short_answers_are_refused(void **state)
{
	struct wperf_hw_cfg cfg = {.core_num = 1};
	struct scripted script = {.answer = &cfg, .size = sizeof(cfg) - 1};
	assert_error(describe_with(&script), ERROR_FAILED,
		     "PMU_CTL_QUERY_HW_CFG returned 335 bytes instead of 336");
}

/** Like a driver, but the answer about events is a buffer of the test. */
struct with_events {
	const void *events;
	size_t size;
};

static uint32_t answer_events(void *context, uint32_t code, const void *in, size_t in_size,
			      void *out, size_t out_size, size_t *ret_size)
{
	const struct with_events *script = context;
	memset(out, 0, out_size);
	*ret_size = out_size;
	if (code != WPERF_PMU_CTL_QUERY_SUPP_EVENTS)
		return 0;
	memcpy(out, script->events, script->size);
	*ret_size = script->size;
	return 0;
}

static struct error *describe_events(const void *events, size_t size, struct source_info *ret)
{
	struct with_events script = {events, size};
	struct driver_transport transport = {.request = answer_events, .context = &script};
	struct driver_topology topology = {0};
	return driver_client_describe(&transport, &topology, ret);
}

static void event_lists_are_read(void **state)
{
	static const uint8_t events[] = {0, 0, 0, 0, 2, 0, 0, 0, 0x1b, 0,    0x70,
					 0, 1, 0, 0, 0, 1, 0, 0, 0,    0x2b, 0};
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	assert_no_error(describe_events(events, sizeof(events), &info));
	assert_int_equal(info.num_codes[EVENT_CORE], 2);
	assert_int_equal(info.codes[EVENT_CORE][1], 0x70);
	assert_int_equal(info.num_codes[EVENT_DSU], 1);
	assert_int_equal(info.codes[EVENT_DSU][0], 0x2b);
	assert_int_equal(info.num_codes[EVENT_DMC_CLK], 0);
}

static void nonsense_about_events_is_refused(void **state)
{
	static const struct {
		uint8_t bytes[20];
		size_t size;
	} cases[] = {
		{{0, 0, 0, 0, 2, 0, 0, 0, 0x1b, 0}, 10}, // fewer numbers than announced
		{{0, 0, 0, 0, 0xff, 0xff, 0, 0}, 8},     // far more
		{{4, 0, 0, 0, 0, 0, 0, 0}, 8},           // a class that does not exist
		{{0, 0, 0, 0, 1}, 5},                    // half a header
		{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 16}, // a class twice
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
		assert_error(describe_events(cases[i].bytes, cases[i].size, &info), ERROR_FAILED,
			     "PMU_CTL_QUERY_SUPP_EVENTS returned invalid data");
	}
}

static void the_simulated_driver_is_described(void **state)
{
	const struct source_ops *ops;
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	assert_no_error(source_select("sim,cpu=neoverse-v2,cores=4,counters=5,busy=2,dsu=2,dmc=3,"
				      "spe=1",
				      &ops, &settings));
	assert_no_error(ops->open(&settings, false, &source));
	assert_no_error(ops->describe(source, &info));

	assert_int_equal(info.num_cores, 4);
	assert_int_equal(info.counters.total[EVENT_CORE], 5);
	assert_int_equal(info.counters.free[EVENT_CORE], 3);
	assert_int_equal(info.registers.counter_index_map[0], 2);
	assert_int_equal(info.counters.free[EVENT_DMC_CLK], 2);
	assert_int_equal(info.counters.free[EVENT_DMC_CLKDIV2], 8);
	assert_int_equal(info.num_codes[EVENT_DSU], 9);
	assert_int_equal(info.num_codes[EVENT_DMC_CLKDIV2], 26);
	assert_int_equal(info.max_events[EVENT_CORE], 127);
	assert_true(info.has_spe);
	assert_string_equal(info.vendor_name, "Arm Limited");
	assert_string_equal(info.version.features, "+spe");
	assert_true(info.is_driver);
	assert_int_equal(info.version.minor, 8);
}

int driver_client_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lock_answers_become_words),
		cmocka_unit_test(a_lost_lock_is_told),
		cmocka_unit_test(failures_name_the_request),
		cmocka_unit_test(short_answers_are_refused),
		cmocka_unit_test(event_lists_are_read),
		cmocka_unit_test(nonsense_about_events_is_refused),
		cmocka_unit_test(the_simulated_driver_is_described),
	};
	return cmocka_run_group_tests_name("driver_client", tests, NULL, NULL);
}
