// SPDX-License-Identifier: Apache-2.0

#include "catalog/core_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { NUM_CORES = 12 };

static void test_words_of_cores(void **state)
{
	_cleanup_(core_events_deinit) struct core_events events = CORE_EVENTS_INIT;
	_cleanup_free_ char *rest = NULL, *more = NULL;
	assert_no_error(core_events_take(
		&events, "core_11/{r11,r8},{r11}/,ld_spec,core_0/r1b/,{a,b}", NUM_CORES, &rest));
	assert_string_equal(rest, "ld_spec,{a,b}");
	assert_no_error(core_events_take(&events, "core_11/r3/", NUM_CORES, &more));
	assert_string_equal(more, "");
	assert_int_equal(events.num_items, 2);
	assert_int_equal(events.items[0].core, 0);
	assert_string_equal(string_builder_peek(&events.items[0].words), "r1b");
	assert_int_equal(events.items[1].core, 11);
	assert_string_equal(string_builder_peek(&events.items[1].words), "{r11,r8},{r11},r3");
}

/** What is wrong in them is said by the grammar of events. */
static void test_other_words_stay_as_they_are(void **state)
{
	static const char *const words[] = {"",
					    ",",
					    "a,,b",
					    "core_",
					    "core_/r11/",
					    "core_x/r11/",
					    "cpu/event=1,umask=2/",
					    "core_1",
					    "core_1r11/"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		_cleanup_(core_events_deinit) struct core_events events = CORE_EVENTS_INIT;
		_cleanup_free_ char *rest = NULL;
		assert_no_error(core_events_take(&events, words[i], NUM_CORES, &rest));
		assert_string_equal(rest, words[i]);
		assert_int_equal(events.num_items, 0);
	}
}

static void test_cores_that_cannot_be(void **state)
{
	static const char *const words[] = {
		"core_12/r11/", "core_99999999999999999999/r11/", "core_1/r11", "core_1//",
		"core_1/r11/x",
	};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		_cleanup_(core_events_deinit) struct core_events events = CORE_EVENTS_INIT;
		_cleanup_free_ char *rest = NULL;
		_cleanup_(error_destroyp) struct error *err =
			core_events_take(&events, words[i], NUM_CORES, &rest);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		assert_non_null(err->hint);
	}
}

int core_events_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_of_cores),
		cmocka_unit_test(test_other_words_stay_as_they_are),
		cmocka_unit_test(test_cores_that_cannot_be),
	};
	return cmocka_run_group_tests_name("core_events", tests, NULL, NULL);
}
