// SPDX-License-Identifier: Apache-2.0

#include "view/interpreted_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/interpreted_view_fixture.h"

#include <jansson.h>
#include <string.h>

/** Only app.py can be read. */
static struct error *get_line(void *context, const char *path, uint32_t line, struct text_line *ret)
{
	const struct shown *shown = context;
	*ret = (struct text_line){0};
	if (strcmp(path, "/src/app.py") == 0)
		*ret = text_lines_get(&shown->text, line);
	return NULL;
}

static struct interpreted_report report_of(struct shown *shown)
{
	return (struct interpreted_report){
		.profile = &shown->profile,
		.events = python_events,
		.lines = shown->lines,
		.functions = shown->functions,
		.files = shown->files,
		.compiled = shown->compiled,
		.get_line = get_line,
		.context = shown,
	};
}

static void assert_text(size_t num_events, size_t max_rows, const char *expected)
{
	_cleanup_(shown_deinit) struct shown shown;
	shown_init(&shown, num_events);
	struct interpreted_report report = report_of(&shown);
	FILE *stream = capture_begin();
	assert_no_error(interpreted_report_print(&report, max_rows, stream));
	_cleanup_free_ char *got = capture_end(stream);
	assert_string_equal(got, expected);
}

static void test_one_event(void **state)
{
	assert_text(1, 20,
		    "cycles: 95 of 100 samples have lines of Python\n"
		    "\n"
		    "hot lines of Python:\n"
		    "\n"
		    "        self %  within (95 %)  total %  samples  line         function  "
		    "source\n"
		    "        ======  =============  =======  =======  ====         ========  "
		    "======\n"
		    "         80.00      71.1-86.7    80.00       80  app.py:10    pack      "
		    "return zlib.compress(bytes(i))\n"
		    "         15.00       9.3-23.3    15.00       15  app.py:3     main      for i "
		    "in range(9):\n"
		    "          5.00       2.2-11.2     5.00        5  [no Python]\n"
		    "          0.00        0.0-3.7    80.00        0  app.py:4     main      "
		    "pack(i)\n"
		    "\n"
		    "hot functions of Python:\n"
		    "\n"
		    "        self %  within (95 %)  total %  samples  function     defined in\n"
		    "        ======  =============  =======  =======  ========     ==========\n"
		    "         80.00      71.1-86.7    80.00       80  pack         app.py:9\n"
		    "         15.00       9.3-23.3    95.00       15  main         app.py:2\n"
		    "          5.00       2.2-11.2     5.00        5  [no Python]\n"
		    "\n"
		    "hot files of Python:\n"
		    "\n"
		    "        self %  within (95 %)  total %  samples  file\n"
		    "        ======  =============  =======  =======  ====\n"
		    "         95.00      88.8-97.8    95.00       95  app.py\n"
		    "          5.00       2.2-11.2     5.00        5  [no Python]\n");
}

static void test_several_events_stand_side_by_side(void **state)
{
	assert_text(
		2, 2,
		"cycles: 95 of 100 samples have lines of Python\n"
		"page-faults: 8 of 8 samples have lines of Python\n"
		"\n"
		"hot lines of Python:\n"
		"\n"
		"        cycles %  within (95 %)  page-faults %  within (95 %)  line               "
		" function  source\n"
		"        ========  =============  =============  =============  ====               "
		" ========  ======\n"
		"           80.00      71.1-86.7          50.00      21.5-78.5  app.py:10          "
		" pack      return zlib.compress(bytes(i))\n"
		"            0.00        0.0-3.7          50.00      21.5-78.5  json/__init__.py:2 "
		" dumps\n"
		"      ... and 3 more\n"
		"\n"
		"hot functions of Python:\n"
		"\n"
		"        cycles %  within (95 %)  page-faults %  within (95 %)  function  defined "
		"in\n"
		"        ========  =============  =============  =============  ========  "
		"==========\n"
		"           80.00      71.1-86.7          50.00      21.5-78.5  pack      "
		"app.py:9\n"
		"            0.00        0.0-3.7          50.00      21.5-78.5  dumps     "
		"json/__init__.py:1\n"
		"      ... and 2 more\n"
		"\n"
		"hot files of Python:\n"
		"\n"
		"        cycles %  within (95 %)  page-faults %  within (95 %)  file\n"
		"        ========  =============  =============  =============  ====\n"
		"           95.00      88.8-97.8          50.00      21.5-78.5  app.py\n"
		"            0.00        0.0-3.7          50.00      21.5-78.5  json/__init__.py\n"
		"      ... and 1 more\n");
}

/** The second event of the fixture counts instructions, of which the hottest line has 40 samples.
 */
static void set_instructions(struct shown *shown)
{
	struct named_event *event = &shown->profile.events[python_events[1]];
	assert_no_error(named_profile_string(&shown->profile, "instructions", &event->name));
	struct hot_cell *cells = &shown->lines.cells[shown->lines.rows[0].cells -
						     (const struct hot_cell *)shown->lines.cells];
	cells[1].self = (struct named_total){40, 2 * cells[0].self.weight};
	shown->lines.wholes[1] = (struct named_total){80, 4 * cells[0].self.weight};
}

static void test_a_ratio_stands_behind_its_event(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	shown_init(&shown, 2);
	set_instructions(&shown);
	struct interpreted_report report = report_of(&shown);
	FILE *stream = capture_begin();
	assert_no_error(interpreted_report_print_lines(&report, 2, stream));
	_cleanup_free_ char *got = capture_end(stream);
	assert_string_equal(
		got,
		"hot lines of Python:\n"
		"\n"
		"        cycles %  within (95 %)   CPI  within (95 %)  instructions %  within (95 "
		"%)  line                function  source\n"
		"        ========  =============   ===  =============  ==============  "
		"=============  ====                ========  ======\n"
		"           80.00      71.1-86.7  0.50      0.34-0.73           50.00      "
		"39.3-60.7  app.py:10           pack      return zlib.compress(bytes(i))\n"
		"            0.00        0.0-3.7     -              -            1.25        "
		"0.2-6.7  json/__init__.py:2  dumps\n"
		"      ... and 3 more\n");
	stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	assert_no_error(interpreted_report_write_json(&report, &json));
	assert_no_error(json_finish(&json, "json"));
	_cleanup_free_ char *text = capture_end(stream);
	assert_non_null(strstr(text, "\"unit\":\"events\",\"instructions\":\"instructions\""));
	assert_non_null(strstr(text, "\"cpi\":{\"value\":0.5,\"low\":0."));
}

static void set_way(struct shown *shown, uint64_t num_samples)
{
	struct named_collection *python = &shown->profile.collection;
	assert_no_error(named_profile_string(&shown->profile, "after", &python->way));
	assert_no_error(named_profile_string(&shown->profile, "a moment after it", &python->words));
	python->num_samples = num_samples;
	python->num_without = 4;
	python->mean_skew_ns = 57400;
	python->max_skew_ns = 1234000;
}

static void test_how_frames_came(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	shown_init(&shown, 1);
	static const char *const expected[] = {
		"cycles: 95 of 100 samples have lines of Python\n"
		"Python stacks: a moment after it\n\n",
		"cycles: 95 of 100 samples have lines of Python\n"
		"Python stacks: a moment after it; 57 us later on average, 1,234 us at most; "
		"missing in 4 of 5,000 samples\n\n",
	};
	for (size_t i = 0; i < 2; i++) {
		set_way(&shown, i * 5000);
		struct interpreted_report report = report_of(&shown);
		FILE *stream = capture_begin();
		assert_no_error(interpreted_report_print(&report, 1, stream));
		_cleanup_free_ char *got = capture_end(stream);
		assert_int_equal(strncmp(got, expected[i], strlen(expected[i])), 0);
	}
	struct interpreted_report report = report_of(&shown);
	FILE *stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	assert_no_error(interpreted_report_write_json(&report, &json));
	assert_no_error(json_finish(&json, "test"));
	_cleanup_free_ char *got = capture_end(stream);
	json_t *root = json_loads(got, 0, NULL);
	json_t *frames = json_object_get(root, "frames");
	assert_string_equal(json_string_value(json_object_get(frames, "way")), "after");
	assert_int_equal(json_integer_value(json_object_get(frames, "samples")), 5000);
	assert_int_equal(json_integer_value(json_object_get(frames, "mean_skew_ns")), 57400);
	json_decref(root);
}

static void test_json(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	shown_init(&shown, 2);
	struct interpreted_report report = report_of(&shown);
	FILE *stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	assert_no_error(interpreted_report_write_json(&report, &json));
	assert_no_error(json_finish(&json, "test"));
	_cleanup_free_ char *got = capture_end(stream);
	json_t *root = json_loads(got, 0, NULL);
	assert_non_null(root);
	json_t *event = json_array_get(json_object_get(root, "events"), 0);
	assert_string_equal(json_string_value(json_object_get(event, "event")), "cycles");
	json_t *outside = json_object_get(event, "outside");
	assert_int_equal(json_integer_value(json_object_get(outside, "samples")), 5);
	json_t *line = json_array_get(json_object_get(root, "lines"), 0);
	assert_string_equal(json_string_value(json_object_get(line, "file")), "/src/app.py");
	assert_int_equal(json_integer_value(json_object_get(line, "line")), 10);
	assert_string_equal(json_string_value(json_object_get(line, "function")), "pack");
	assert_string_equal(json_string_value(json_object_get(line, "source")),
			    "    return zlib.compress(bytes(i))");
	json_t *cell = json_array_get(json_object_get(line, "events"), 1);
	json_t *self = json_object_get(cell, "self");
	assert_int_equal(json_integer_value(json_object_get(self, "samples")), 4);
	assert_float_equal(json_number_value(json_object_get(self, "percent")), 50, 1e-9);
	assert_float_equal(json_number_value(json_object_get(self, "low")), 21.5, 0.1);
	assert_int_equal(json_array_size(json_object_get(root, "lines")), 4);
	assert_int_equal(json_array_size(json_object_get(root, "functions")), 3);
	assert_int_equal(json_array_size(json_object_get(root, "files")), 2);
	json_decref(root);
}

/** What ran in line 10 was the JIT's, in the first event. */
static void shown_init_compiled(struct shown *shown)
{
	shown_init(shown, 2);
	for (size_t i = 0; i < shown->profile.num_frames; i++)
		shown->profile.frames[i].is_compiled = shown->profile.frames[i].line == 10;
	compiled_lines_deinit(&shown->compiled);
	assert_no_error(
		compiled_lines_create(&shown->profile, shown->filters, 2, &shown->compiled));
}

static void test_lines_that_a_jit_made_are_marked(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	shown_init_compiled(&shown);
	struct interpreted_report report = report_of(&shown);
	FILE *stream = capture_begin();
	assert_no_error(interpreted_report_print(&report, 20, stream));
	_cleanup_free_ char *got = capture_end(stream);
	assert_non_null(strstr(got, "cycles: 95 of 100 samples have lines of Python\n"
				    "    80 of them (80.0 %) in JIT-compiled Python code"));
	assert_non_null(strstr(got, "page-faults: 8 of 8 samples have lines of Python\n"
				    "    4 of them (50.0 %) in JIT-compiled"));
	assert_non_null(strstr(got, " app.py:10 ? "));
	assert_null(strstr(got, "app.py:3 ?"));
	assert_null(strstr(got, "app.py:9 ?"));
}

static void test_json_has_what_a_jit_made(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	shown_init_compiled(&shown);
	struct interpreted_report report = report_of(&shown);
	FILE *stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	assert_no_error(interpreted_report_write_json(&report, &json));
	assert_no_error(json_finish(&json, "test"));
	_cleanup_free_ char *got = capture_end(stream);
	json_t *root = json_loads(got, 0, NULL), *event, *line, *cell;
	int samples;
	assert_int_equal(json_unpack(root, "{s:[o,o]}", "events", &event, &cell), 0);
	assert_int_equal(json_unpack(event, "{s:{s:i}}", "compiled", "samples", &samples), 0);
	assert_int_equal(samples, 80);
	line = json_array_get(json_object_get(root, "lines"), 0);
	assert_int_equal(json_unpack(json_array_get(json_object_get(line, "events"), 1),
				     "{s:{s:i}}", "self_compiled", "samples", &samples),
			 0);
	assert_int_equal(samples, 4);
	line = json_array_get(json_object_get(root, "lines"), 1);
	cell = json_array_get(json_object_get(line, "events"), 0);
	assert_null(json_object_get(cell, "self_compiled"));
	json_decref(root);
}

int interpreted_report_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_event),
		cmocka_unit_test(test_several_events_stand_side_by_side),
		cmocka_unit_test(test_a_ratio_stands_behind_its_event),
		cmocka_unit_test(test_how_frames_came),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_lines_that_a_jit_made_are_marked),
		cmocka_unit_test(test_json_has_what_a_jit_made),
	};
	return cmocka_run_group_tests_name("interpreted_report", tests, NULL, NULL);
}
