// SPDX-License-Identifier: Apache-2.0

#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/shared_data.h"

static void the_core_at_hand_decides_the_table(void **state)
{
	for (unsigned core = 0; core < 4; core++) {
		_cleanup_(session_close) struct session session = SESSION_INIT;
		struct session_config config = {
			.source = "sim,cpu=neoverse-n1+neoverse-v2,cores=4",
			.with_catalog = true,
			.core = core,
		};
		assert_no_error(session_open(&session, &config));
		assert_string_equal(session.catalog.cpu->name,
				    core < 2 ? "neoverse-n1" : "neoverse-v2");
	}
}

static void tables_alone_need_no_source(void **state)
{
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct session_config config = {
		.source = "sim,lock=busy", // would fail
		.cpu = "neoverse-n2-r0p1",
		.with_catalog = true,
	};
	assert_no_error(session_open(&session, &config));
	assert_null(session.source);
	assert_string_equal(session.catalog.cpu->name, "neoverse-n2");
	assert_non_null(metric_list_find(&session.metrics, "backend_bound"));
}

static void loaded_tables_replace_ours(void **state)
{
	static const char folder[] = WPERF_SHARED_DIR "/data/pmu/telemetry-solution";
	skip_without(folder);
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct session_config config = {
		.source = "sim,cpu=neoverse-n1",
		.events_dir = folder,
		.with_catalog = true,
	};
	assert_no_error(session_open(&session, &config));
	assert_ptr_not_equal(session.catalog.cpu, cpu_find("neoverse-n1"));
	const struct event *event = cpu_find_event(session.catalog.cpu, "ld_spec");
	assert_non_null(strstr(event->description, "speculatively executed load"));
}

static void a_failed_session_can_be_closed(void **state)
{
	_cleanup_(session_close) struct session session = SESSION_INIT;
	struct session_config config = {.source = "sim,lock=busy"};
	_cleanup_(error_destroyp) struct error *err = session_open(&session, &config);
	assert_non_null(err);
	assert_null(session.source);
}

int session_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_core_at_hand_decides_the_table),
		cmocka_unit_test(tables_alone_need_no_source),
		cmocka_unit_test(loaded_tables_replace_ours),
		cmocka_unit_test(a_failed_session_can_be_closed),
	};
	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
