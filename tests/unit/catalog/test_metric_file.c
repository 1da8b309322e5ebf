// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/metric_file.h"

#include "base/container/array.h"
#include "catalog/event_list.h"
#include "catalog/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/fake_cpu.h"

static void lines_become_metrics(void **state)
{
	static const struct {
		const char *name;
		const char *events;
	} expected[] = {
		{"mine", "ld_spec,{st_spec,dp_spec}"},
		{"raw", "r1b"},
		{"of_dsu", "/dsu/l3d_cache"},
	};
	static const char text[] = "# comment\n\n"
				   " mine : ld_spec,{st_spec,dp_spec}\t\r\n"
				   "raw:r1b # trailing\n"
				   "of_dsu:/dsu/l3d_cache";
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(string_builder_deinit) struct string_builder warnings = STRING_BUILDER_INIT;
	assert_no_error(metric_file_parse(&catalog, "m", text, strlen(text), &warnings));
	assert_string_equal(string_builder_peek(&warnings), "");
	assert_int_equal(catalog.num_custom_metrics, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(catalog.custom_metrics[i].kind, METRIC_CUSTOM);
		assert_string_equal(catalog.custom_metrics[i].name, expected[i].name);
		assert_string_equal(catalog.custom_metrics[i].events, expected[i].events);
	}
}

static void metrics_that_cannot_be_counted_are_warned_about(void **state)
{
	static const char text[] = "large:{r1,r2,r3,r4,r5,r6,r7}\n"
				   "good:ld_spec\n"
				   "unknown:foo\n"
				   "empty:\n";
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(string_builder_deinit) struct string_builder warnings = STRING_BUILDER_INIT;
	assert_no_error(metric_file_parse(&catalog, "m", text, strlen(text), &warnings));
	assert_string_equal(string_builder_peek(&warnings),
			    "event group size(7) exceeds number of hardware PMU counters(6)\n"
			    "warning: Metric large is unable to be used due to lack of hardware "
			    "resources.\n"
			    "unknown event name: foo\n"
			    "warning: Metric unknown is unable to be used due to lack of hardware "
			    "resources.\n"
			    "empty event name in ''\n"
			    "warning: Metric empty is unable to be used due to lack of hardware "
			    "resources.\n");
	assert_int_equal(catalog.num_custom_metrics, 1);
	assert_string_equal(catalog.custom_metrics[0].name, "good");
}

static void wrong_lines_say_what_is_wrong(void **state)
{
	static const struct {
		const char *text;
		const char *message;
		const char *hint;
	} cases[] = {
		{"a:ld_spec\na:ld_spec:other", "unrecognized config component 'other'",
		 "see line 2 of 'm.cfg'"},
		{"a:ld_spec:b:c", "unrecognized config component 'b'", "see line 1 of 'm.cfg'"},
		{"a:ld_spec:", "unrecognized config component ''", "see line 1 of 'm.cfg'"},
		{"\n\nld_spec", "missing ':' between metric and events in 'ld_spec'",
		 "see line 3 of 'm.cfg'"},
		{" :ld_spec", "invalid metric name ''", "see line 1 of 'm.cfg'"},
		{"a,b:ld_spec", "invalid metric name 'a,b'", "see line 1 of 'm.cfg'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(catalog_deinit) struct catalog catalog;
		catalog_init(&catalog, &fake_cpu, &fake_counters);
		_cleanup_(string_builder_deinit) struct string_builder warnings =
			STRING_BUILDER_INIT;
		_cleanup_(error_destroyp) struct error *err = metric_file_parse(
			&catalog, "m.cfg", cases[i].text, strlen(cases[i].text), &warnings);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		assert_string_equal(err->message, cases[i].message);
		assert_string_equal(err->hint, cases[i].hint);
	}
}

/** A name of one's own is found, even where the program has a word of that name. */
static void own_metrics_go_before_words_of_ours(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(string_builder_deinit) struct string_builder warnings = STRING_BUILDER_INIT;
	static const char text[] = "topdown:ld_spec\n";
	assert_no_error(metric_file_parse(&catalog, "f", text, strlen(text), &warnings));
	_cleanup_(metric_list_deinit) struct metric_list metrics = METRIC_LIST_INIT;
	assert_no_error(metric_list_create(&catalog, &metrics));
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(metric_spec_parse(&catalog, &metrics, "topdown", &list));
	assert_int_equal(list.num_items, 1);
}

static void files_are_read(void **state)
{
	static const char text[] = "mine:ld_spec\n";
	char path[] = "/tmp/wperf-metrics-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(string_builder_deinit) struct string_builder warnings = STRING_BUILDER_INIT;
	assert_no_error(metric_file_load(&catalog, path, &warnings));
	unlink(path);
	assert_int_equal(catalog.num_custom_metrics, 1);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(string_builder_deinit) struct string_builder warnings = STRING_BUILDER_INIT;
	assert_error(metric_file_load(&catalog, "no-such-file.cfg", &warnings), ERROR_FAILED,
		     "open config file 'no-such-file.cfg' failed");
}

int metric_file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_metrics),
		cmocka_unit_test(metrics_that_cannot_be_counted_are_warned_about),
		cmocka_unit_test(wrong_lines_say_what_is_wrong),
		cmocka_unit_test(own_metrics_go_before_words_of_ours),
		cmocka_unit_test(files_are_read),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
	};
	return cmocka_run_group_tests_name("metric_file", tests, NULL, NULL);
}
