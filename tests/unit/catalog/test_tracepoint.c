// SPDX-License-Identifier: Apache-2.0

#include "catalog/catalog.h"
#include "catalog/linux/tracepoint.h"

#include "catalog/linux/system_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static char folder[] = "/tmp/wperf-tracepoint-XXXXXX";

static void write_id(const char *event, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/sched/%s", folder, event);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sched/%s/id", folder, event);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int make_folder(void **state)
{
	char path[256];
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/sched", folder);
	return mkdir(path, 0700);
}

static int remove_folder(void **state)
{
	char command[256];
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static void tracepoints_are_found_by_name(void **state)
{
	write_id("sched_switch", "314\n");
	write_id("broken", "x\n");
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, NULL, &(struct pmu_counters){0});
	const struct event *event;
	assert_no_error(tracepoint_find(&catalog, "sched:sched_switch", &event));
	assert_null(event); // the catalog has no folder for them
	catalog.tracing_folder = folder;
	assert_no_error(tracepoint_find(&catalog, "sched:sched_switch", &event));
	assert_non_null(event);
	assert_int_equal(event->code, 314);
	assert_int_equal(system_event_of(event)->type, 2);
	assert_ptr_equal(catalog_find_event(&catalog, EVENT_CORE, "sched:sched_switch"), event);

	static const char *const none[] = {
		"sched:nosuch", "sched:broken", "sched",   "sched:",       ":sched_switch",
		"sched:a:b",    "../x:id",      "a:../..", "sched:s/../x", "",
	};
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_no_error(tracepoint_find(&catalog, none[i], &event));
		assert_null(event);
	}
	// All of them; what is broken is none.
	size_t num_events = catalog.num_system_events;
	assert_no_error(tracepoint_add_all(&catalog));
	assert_int_equal(catalog.num_system_events, num_events + 1);
	assert_string_equal(catalog.system_events[num_events]->name, "sched:sched_switch");
}

int tracepoint_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tracepoints_are_found_by_name, make_folder,
						remove_folder),
	};
	return cmocka_run_group_tests_name("tracepoint", tests, NULL, NULL);
}
