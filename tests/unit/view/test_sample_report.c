// SPDX-License-Identifier: Apache-2.0
#include "view/sample_report.h"

#include "base/container/array.h"
#include "view/json/json_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/capture.h"

#include <jansson.h>
#include <string.h>

/** As wperf 3.8.0, to the last blank. */
static char *print(const struct sample_report *report)
{
	struct sample_report padded = *report;
	padded.layout.is_padded = true;
	FILE *stream = capture_begin();
	assert_no_error(sample_report_print(&padded, stream));
	return capture_end(stream);
}

static char *print_image(const struct sample_report *report)
{
	FILE *stream = capture_begin();
	sample_report_print_image(report, stream);
	return capture_end(stream);
}

static json_t *write_json(const struct sample_report *report)
{
	FILE *stream = capture_begin();
	struct json_writer json = json_writer_create(stream);
	assert_no_error(sample_report_write_json(report, &json));
	assert_no_error(json_finish(&json, "test"));
	_cleanup_free_ char *text = capture_end(stream);
	json_error_t error;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%s in %s", error.text, text);
	return root;
}

static const struct sample_row rows[] = {
	{75.78, 97, "x_mul:python312_d.dll"},
	{0.78125, 1, "x_add:python312_d.dll"},
};

static struct sample_event_report event_of_rows(void)
{
	return (struct sample_event_report){
		.type = "ld_spec",
		.interval = 100000,
		.rows = rows,
		.num_rows = ARRAY_SIZE(rows),
		.num_top = 12,
		.top_count = 128,
		.top_overhead = 100,
	};
}

// As in the peer's documentation of --symbol "^x_": the total is that of all.
static void hot_functions(void **state)
{
	struct sample_event_report event = event_of_rows();
	struct sample_report report = {
		.max_rows = 50,
		.events = &event,
		.num_events = 1,
		.has_elapsed = true,
		.elapsed_ns = 1117000000,
		.has_base = true,
		.image_name = "cpython\\PCbuild\\arm64\\python_d.exe",
		.base_address = 0x7ff62aab1288,
		.runtime_delta = 0x7ff4eaab0000,
	};
	_cleanup_free_ char *image = print_image(&report);
	assert_string_equal(image, "base address of 'cpython\\PCbuild\\arm64\\python_d.exe': "
				   "0x7ff62aab1288, runtime delta: 0x7ff4eaab0000\n");
	_cleanup_free_ char *text = print(&report);
	assert_string_equal(text,
			    "======================== sample source: ld_spec, top 50 hot functions "
			    "========================\n"
			    "        overhead  count  symbol               \n"
			    "        ========  =====  ======               \n"
			    "           75.78     97  x_mul:python312_d.dll\n"
			    "            0.78      1  x_add:python312_d.dll\n"
			    "          100.00%   128  top 12 in total\n"
			    "\n"
			    "               1.117 seconds time elapsed\n");
}

// Issue 53 of the peer: the total came before the table. It has one row more in its JSON then.
static void total_is_below_a_table_that_was_cut(void **state)
{
	struct sample_event_report event = event_of_rows();
	event.num_top = 2;
	event.top_count = 98;
	event.top_overhead = 76.5625;
	struct sample_report report = {.max_rows = 2, .events = &event, .num_events = 1};
	_cleanup_free_ char *text = print(&report);
	assert_non_null(strstr(text, "x_add:python312_d.dll\n           76.56%    98  top 2 in "
				     "total\n"));
	json_t *root = write_json(&report);
	json_t *events = json_object_get(json_object_get(root, "sampling"), "events");
	json_t *printed = json_object_get(json_array_get(events, 0), "printed_sample_num");
	assert_int_equal(json_integer_value(printed), 2);
	json_decref(root);
}

static const struct sample_instruction instructions[] = {
	{0x13a28, "ldp     q16, q17, [x8, #-0x10]"},
	{0x13a2c, "sub     w10, w10, #0x1"},
};
static const struct sample_line lines[] = {
	{15732480, 49, "C:\\src\\lib.c", 0x13a2c, instructions, ARRAY_SIZE(instructions)},
	{52, 8, "C:\\src\\lib.c", 0x13a28, instructions, 1},
};
static const struct sample_function functions[] = {{"simd_hot", lines, ARRAY_SIZE(lines)}};

static struct sample_event_report annotated_event(void)
{
	struct sample_event_report event = event_of_rows();
	event.type = "vfp_spec";
	event.functions = functions;
	event.num_functions = ARRAY_SIZE(functions);
	event.num_rows = 1;
	return event;
}

static void annotated(void **state)
{
	struct sample_event_report event = annotated_event();
	struct sample_report report = {.max_rows = 50, .events = &event, .num_events = 1};
	_cleanup_free_ char *text = print(&report);
	assert_string_equal(
		text, "======================== sample source: vfp_spec, top 50 hot functions "
		      "========================\n"
		      "simd_hot\n"
		      "        line_number  hits  filename    \n"
		      "        ===========  ====  ========    \n"
		      "        15,732,480   49    C:\\src\\lib.c\n"
		      "        52           8     C:\\src\\lib.c\n"
		      "\n"
		      "        overhead  count  symbol               \n"
		      "        ========  =====  ======               \n"
		      "           75.78     97  x_mul:python312_d.dll\n"
		      "          100.00%   128  top 12 in total\n");
}

static void disassembled(void **state)
{
	struct sample_event_report event = annotated_event();
	struct sample_report report = {
		.max_rows = 50, .events = &event, .num_events = 1, .has_disassembly = true};
	_cleanup_free_ char *text = print(&report);
	static const char *const expected[] = {
		"        line_number  hits  filename      instruction_address  disassembled_line",
		"        15,732,480   49    C:\\src\\lib.c  13a2c                  address  "
		"instruction",
		"                                                                13a28    ldp     "
		"q16,",
		"        52           8     C:\\src\\lib.c  13a28                  address  "
		"instruction",
	};
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		if (!strstr(text, expected[i]))
			fail_msg("no '%s' in\n%s", expected[i], text);
	}
}

static const struct sample_module modules[] = {
	{"ADVAPI32.dll", "C:\\Windows\\System32\\ADVAPI32.dll", 0x7fff934e0000},
	{"python312_d.dll", "C:\\x\\python312_d.dll", 0x7fff55cb0000},
};
static const struct sample_pc pcs[] = {{0x7fff56054b8c, 82, "x_mul:python312_d.dll"}};

static void verbose(void **state)
{
	struct sample_event_report event = event_of_rows();
	event.pcs = pcs;
	event.num_pcs = 1;
	struct sample_report report = {
		.verbose = true,
		.max_rows = 50,
		.events = &event,
		.num_events = 1,
		.pe_file = "python_d.exe",
		.command_line = "python_d.exe -c 1",
		.sampling_type = "software sampling",
		.has_pid = true,
		.pid = 1234,
		.modules = modules,
		.num_modules = ARRAY_SIZE(modules),
		.generated = 1290,
		.dropped = 10,
	};
	_cleanup_free_ char *image = print_image(&report);
	assert_string_equal(
		image, "pe_file 'python_d.exe', args 'python_d.exe -c 1'\n"
		       "\n"
		       "sampling type: software sampling\n"
		       "python_d.exe pid is 1234\n"
		       "================================\n"
		       "                    ADVAPI32.dll          0x000000007fff934e0000          "
		       "C:\\Windows\\System32\\ADVAPI32.dll\n"
		       "                 python312_d.dll          0x000000007fff55cb0000          "
		       "C:\\x\\python312_d.dll\n"
		       "================================\n");
	_cleanup_free_ char *text = print(&report);
	assert_non_null(strstr(text, "=================\n"
				     "sample generated: 1290\n"
				     "sample dropped  : 10\n"
				     "sample drop rate: 0.78%\n"
				     "======================== sample source"));
	assert_non_null(strstr(text, "\npc:\t0x000000007fff56054b8c\t      82\n"));
}

static void nothing_sampled(void **state)
{
	struct sample_report report = {.max_rows = 50, .verbose = true};
	_cleanup_free_ char *text = print(&report);
	assert_string_equal(text, "=================\n"
				  "sample generated: 0\n"
				  "sample dropped  : 0\n"
				  "sample drop rate: 0.00%\n"
				  "        overhead  count  symbol\n"
				  "        ========  =====  ======\n");
	json_t *root = write_json(&report);
	json_t *events = json_object_get(json_object_get(root, "sampling"), "events");
	assert_int_equal(json_array_size(events), 1);
	assert_string_equal(json_string_value(json_object_get(json_array_get(events, 0), "type")),
			    "unknown event");
	json_decref(root);
}

// Names come from files: they must neither steer a terminal nor break JSON.
static void hostile_names(void **state)
{
	static const struct sample_row hostile[] = {{100, 1, "operator\"\"_x\x1b[2J"}};
	struct sample_event_report event = event_of_rows();
	event.rows = hostile;
	event.num_rows = 1;
	event.type = "a\nb";
	struct sample_report report = {
		.max_rows = 50, .events = &event, .num_events = 1, .pe_file = "C:\\a\"b"};
	_cleanup_free_ char *text = print(&report);
	assert_null(strchr(text, '\x1b'));
	assert_null(strstr(text, "a\nb"));
	json_t *root = write_json(&report);
	json_t *sampling = json_object_get(root, "sampling");
	assert_string_equal(json_string_value(json_object_get(sampling, "pe_file")), "C:\\a\"b");
	json_decref(root);
}

static void assert_keys(json_t *object, const char *const *keys, size_t num)
{
	assert_true(json_is_object(object));
	assert_int_equal(json_object_size(object), num);
	void *next = json_object_iter(object);
	for (size_t i = 0; i < num; i++, next = json_object_iter_next(object, next))
		assert_string_equal(json_object_iter_key(next), keys[i]);
}

#define ASSERT_KEYS(object, ...)                                     \
	do {                                                         \
		static const char *const expected[] = {__VA_ARGS__}; \
		assert_keys(object, expected, ARRAY_SIZE(expected)); \
	} while (0)

static void json_has_the_peers_shape(void **state)
{
	struct sample_event_report events[2] = {annotated_event(), event_of_rows()};
	events[0].pcs = pcs;
	events[0].num_pcs = 1;
	struct sample_report report = {
		.verbose = true,
		.has_disassembly = true,
		.max_rows = 50,
		.events = events,
		.num_events = 2,
		.pe_file = "a.exe",
		.pdb_file = "a.pdb",
		.base_address = 140696055321224,
		.runtime_delta = -4096,
		.modules = modules,
		.num_modules = ARRAY_SIZE(modules),
	};
	json_t *root = write_json(&report);
	ASSERT_KEYS(root, "sampling");
	json_t *sampling = json_object_get(root, "sampling");
	ASSERT_KEYS(sampling, "pe_file", "pdb_file", "sample_display_row", "samples_generated",
		    "samples_dropped", "base_address", "runtime_delta", "modules", "modules_info",
		    "events");
	assert_int_equal(json_integer_value(json_object_get(sampling, "runtime_delta")), -4096);
	assert_true(json_is_array(json_object_get(sampling, "modules_info")));

	json_t *list = json_object_get(sampling, "events"); // by name
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "type")),
			    "ld_spec");
	json_t *event = json_array_get(list, 1);
	ASSERT_KEYS(event, "type", "samples", "interval", "printed_sample_num", "pcs", "annotate");
	ASSERT_KEYS(json_array_get(json_object_get(event, "samples"), 0), "overhead", "count",
		    "symbol");
	ASSERT_KEYS(json_array_get(json_object_get(event, "pcs"), 0), "address", "count",
		    "in_symbol");
	json_t *function = json_array_get(json_object_get(event, "annotate"), 0);
	ASSERT_KEYS(function, "function_name", "source_code");
	json_t *line = json_array_get(json_object_get(function, "source_code"), 0);
	ASSERT_KEYS(line, "line_number", "hits", "filename", "instruction_address",
		    "disassembled_line");
	assert_int_equal(json_integer_value(json_object_get(line, "line_number")), 15732480);
	assert_string_equal(json_string_value(json_object_get(line, "instruction_address")),
			    "13a2c");
	json_t *code = json_object_get(json_object_get(line, "disassembled_line"), "disassemble");
	assert_int_equal(json_array_size(code), 2);
	ASSERT_KEYS(json_array_get(code, 0), "address", "instruction");
	json_decref(root);
}

int sample_report_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hot_functions),
		cmocka_unit_test(total_is_below_a_table_that_was_cut),
		cmocka_unit_test(annotated),
		cmocka_unit_test(disassembled),
		cmocka_unit_test(verbose),
		cmocka_unit_test(nothing_sampled),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(json_has_the_peers_shape),
	};
	return cmocka_run_group_tests_name("sample_report", tests, NULL, NULL);
}
