// SPDX-License-Identifier: Apache-2.0

#include "report/sample/record_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void assert_text(const char *text, const char *expected)
{
	if (expected)
		assert_string_equal(text, expected);
	else
		assert_null(text);
}

static void names_say_what_is_written(void **state)
{
	static const struct {
		struct record_files_request request;
		const char *recording, *output, *html, *export_path;
		bool is_default;
	} cases[] = {
		{.request = {0}},
		{{.keeps_recording = true}, .recording = "wperf.data", .is_default = true},
		{{.output = "absent.data"}, .recording = "absent.data"},
		{{.save = "absent.data", .output = "x.json"},
		 .recording = "absent.data",
		 .output = "x.json"},
		{{.exports_perf_data = true, .is_output_json = true, .output = "x.html"},
		 .recording = "perf.data",
		 .output = "x.html"},
		{{.keeps_recording = true, .output = "x.html"},
		 .recording = "wperf.data",
		 .html = "x.html",
		 .is_default = true},
		{{.keeps_recording = true, .is_quiet = true, .output = "x.html"}, .html = "x.html"},
		{{.keeps_recording = true, .is_quiet = true},
		 .recording = "wperf.data",
		 .is_default = true},
		{{.output = "x.pb.gz", .html = "y.html"},
		 .export_path = "x.pb.gz",
		 .html = "y.html"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record_files files;
		assert_no_error(record_files_choose(&cases[i].request, &files));
		assert_text(files.recording, cases[i].recording);
		assert_text(files.output, cases[i].output);
		assert_text(files.html, cases[i].html);
		assert_text(files.export_path, cases[i].export_path);
		assert_int_equal(files.export_format != NULL, cases[i].export_path != NULL);
		assert_int_equal(files.is_default, cases[i].is_default);
	}
}

static void two_names_of_one_file_are_refused(void **state)
{
	static const struct record_files_request requests[] = {
		{.save = "a", .output = "b"},
		{.html = "a.html", .output = "b.html"},
		{.command = "record", .output = "b.csv"},
		{.save = "-"},
	};
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		struct record_files files;
		_cleanup_(error_destroyp) struct error *err =
			record_files_choose(&requests[i], &files);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
	}
}

int record_files_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_say_what_is_written),
		cmocka_unit_test(two_names_of_one_file_are_refused),
	};
	return cmocka_run_group_tests_name("record_files", tests, NULL, NULL);
}
