// SPDX-License-Identifier: Apache-2.0

#include "view/text/interpreted_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/interpreted_view_fixture.h"

#include <jansson.h>
#include <string.h>

static void create(struct shown *shown, bool has_text, struct interpreted_source *ret)
{
	uint32_t file = fixture_string(&shown->profile, "/src/app.py");
	assert_no_error(interpreted_source_create(&shown->profile, file, python_events,
						  shown->filters, &shown->lines, &shown->functions,
						  &shown->compiled, ret));
	ret->text = has_text ? &shown->text : NULL;
	ret->refusal = has_text ? NULL : "it is gone";
}

static void assert_text(size_t num_events, bool has_text, bool is_unfolded, const char *expected)
{
	_cleanup_(shown_deinit) struct shown shown;
	_cleanup_(interpreted_source_deinit) struct interpreted_source source =
		INTERPRETED_SOURCE_INIT;
	shown_init(&shown, num_events);
	create(&shown, has_text, &source);
	FILE *stream = capture_begin();
	interpreted_source_print(&source, is_unfolded, (struct style){.color = false}, stream);
	_cleanup_free_ char *got = capture_end(stream);
	assert_string_equal(got, expected);
}

static void test_lines_functions_and_callees(void **state)
{
	assert_text(1, true, false,
		    "/src/app.py\n"
		    "   self %  total %  samples   line\n"
		    "                                 1  import zlib\n"
		    "    15.00    95.00       15         main\n"
		    "                                 2  def main():\n"
		    "    15.00    15.00       15      3      for i in range(9):\n"
		    "             80.00               4          pack(i)\n"
		    "                                 5\n"
		    "                                 6\n"
		    "                               ...\n"
		    "                                 8\n"
		    "    80.00    80.00       80         pack\n"
		    "                                 9  def pack(i):\n"
		    "    80.00    80.00       80     10      return zlib.compress(bytes(i))\n"
		    "    60.00                60             > deflate  [libz.so]\n"
		    "    20.00                20             > (bytecode)\n");
}

static void test_several_events(void **state)
{
	assert_text(
		2, true, true,
		"/src/app.py\n"
		"                     cycles                page-faults\n"
		"   self %  total %  samples   self %  total %  samples   line\n"
		"                                                            1  import zlib\n"
		"    15.00    95.00       15            100.00                  main\n"
		"                                                            2  def main():\n"
		"    15.00    15.00       15                                 3      for i in "
		"range(9):\n"
		"             80.00                     100.00               4          pack(i)\n"
		"                                                            5\n"
		"                                                            6\n"
		"                                                            7\n"
		"                                                            8\n"
		"    80.00    80.00       80    50.00    50.00        4         pack\n"
		"                                                            9  def pack(i):\n"
		"    80.00    80.00       80    50.00    50.00        4     10      return "
		"zlib.compress(bytes(i))\n"
		"    60.00                60    50.00                 4             > deflate  "
		"[libz.so]\n"
		"    20.00                20                                        > "
		"(bytecode)\n");
}

static void test_lines_without_their_text(void **state)
{
	assert_text(1, false, false,
		    "/src/app.py  (source not shown: it is gone)\n"
		    "   self %  total %  samples   line\n"
		    "    15.00    95.00       15         main\n"
		    "    15.00    15.00       15      3\n"
		    "             80.00               4\n"
		    "    80.00    80.00       80         pack\n"
		    "    80.00    80.00       80     10\n"
		    "    60.00                60             > deflate  [libz.so]\n"
		    "    20.00                20             > (bytecode)\n");
}

static void test_json(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	_cleanup_(interpreted_source_deinit) struct interpreted_source source =
		INTERPRETED_SOURCE_INIT;
	shown_init(&shown, 2);
	create(&shown, true, &source);
	FILE *stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	assert_no_error(interpreted_source_write_json(&source, &json));
	assert_no_error(json_finish(&json, "test"));
	_cleanup_free_ char *got = capture_end(stream);
	json_t *root = json_loads(got, 0, NULL);
	assert_non_null(root);
	json_t *lines = json_object_get(root, "lines");
	assert_int_equal(json_array_size(lines), 3);
	json_t *line = json_array_get(lines, 2);
	assert_int_equal(json_integer_value(json_object_get(line, "line")), 10);
	json_t *callees = json_object_get(line, "in");
	assert_int_equal(json_array_size(callees), 2);
	json_t *deflate = json_array_get(callees, 0);
	assert_string_equal(json_string_value(json_object_get(deflate, "function")), "deflate");
	assert_string_equal(json_string_value(json_object_get(deflate, "module")), "libz.so");
	assert_true(json_is_null(json_object_get(json_array_get(callees, 1), "function")));
	json_decref(root);
}

static void test_lines_that_a_jit_made_are_marked(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	_cleanup_(interpreted_source_deinit) struct interpreted_source source =
		INTERPRETED_SOURCE_INIT;
	shown_init(&shown, 1);
	for (size_t i = 0; i < shown.profile.num_frames; i++)
		shown.profile.frames[i].is_compiled = shown.profile.frames[i].line == 10;
	compiled_lines_deinit(&shown.compiled);
	assert_no_error(compiled_lines_create(&shown.profile, shown.filters, 1, &shown.compiled));
	create(&shown, true, &source);
	FILE *stream = capture_begin();
	interpreted_source_print(&source, false, (struct style){.color = false}, stream);
	_cleanup_free_ char *got = capture_end(stream);
	assert_non_null(strstr(got, "/src/app.py\ncycles: 80 samples (80.0 %) in JIT-compiled"));
	assert_non_null(strstr(got, "     10?     return zlib.compress(bytes(i))\n"));
	assert_non_null(strstr(got, "      3      for i in range(9):\n"));
	stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	assert_no_error(interpreted_source_write_json(&source, &json));
	assert_no_error(json_finish(&json, "test"));
	_cleanup_free_ char *document = capture_end(stream);
	assert_non_null(strstr(document, "\"compiled_samples\":80"));
}

int interpreted_source_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_functions_and_callees),
		cmocka_unit_test(test_several_events),
		cmocka_unit_test(test_lines_without_their_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_lines_that_a_jit_made_are_marked),
	};
	return cmocka_run_group_tests_name("interpreted_source", tests, NULL, NULL);
}
