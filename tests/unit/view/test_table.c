// SPDX-License-Identifier: Apache-2.0
#include "view/layout/table.h"

#include "base/container/arena.h"
#include "base/container/array.h"
#include "view/json/json_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool memory_is_gone;

char *__real_arena_strdup(struct arena *arena, const char *text);
char *__wrap_arena_strdup(struct arena *arena, const char *text);

char *__wrap_arena_strdup(struct arena *arena, const char *text)
{
	return memory_is_gone ? NULL : __real_arena_strdup(arena, text);
}

static const struct table_column counter_columns[] = {
	{"counter value", TABLE_RIGHT},
	{"event name", TABLE_LEFT},
	{"event idx", TABLE_LEFT},
	{"event note", TABLE_LEFT},
};

static const struct table_column code_columns[] = {{"address", TABLE_LEFT},
						   {"instruction", TABLE_LEFT}};

static const struct table_column line_columns[] = {
	{"line_number", TABLE_LEFT},
	{"hits", TABLE_LEFT},
	{"disassembled_line", TABLE_LEFT},
};

static struct table *create(const struct table_column *columns, size_t num_columns)
{
	struct table *table = NULL;
	assert_null(table_create(columns, num_columns, &table));
	return table;
}

static void add_counter(struct table *table, uint64_t value, const char *name, const char *index,
			const char *note)
{
	table_add_u64(table, value);
	table_add_string(table, name);
	table_add_string(table, index);
	table_add_string(table, note);
}

static void assert_printed(const struct table *table, const char *expected)
{
	FILE *stream = capture_begin();
	table_print(table, (struct table_layout){.is_padded = true}, stream);
	_cleanup_free_ char *printed = capture_end(stream);
	assert_string_equal(printed, expected);
}

static void assert_json(const struct table *table, const char *expected)
{
	struct json_writer json = json_writer_create(capture_begin());
	table_write_json(table, &json);
	assert_null(json_finish(&json, "test"));
	_cleanup_free_ char *written = capture_end(json.stream);
	assert_string_equal(written, expected);
}

static void test_counters(void **state)
{
	_cleanup_(table_destroyp) struct table *table =
		create(counter_columns, ARRAY_SIZE(counter_columns));
	add_counter(table, 32300675, "cycle", "fixed", "e");
	add_counter(table, 7139186, "inst_spec", "0x1b", "g0,imix");
	add_counter(table, 0, "l1d_cache_refill", "0x03", "g0,a_long_metric");
	assert_int_equal(table_num_rows(table), 3);
	assert_null(table_check(table));
	// clang-format off
	assert_printed(table,
		"        counter value  event name        event idx  event note      \n"
		"        =============  ==========        =========  ==========      \n"
		"           32,300,675  cycle             fixed      e               \n"
		"            7,139,186  inst_spec         0x1b       g0,imix         \n"
		"                    0  l1d_cache_refill  0x03       g0,a_long_metric\n");
	// clang-format on
	assert_json(table, "[{\"counter_value\":32300675,\"event_name\":\"cycle\","
			   "\"event_idx\":\"fixed\",\"event_note\":\"e\"},"
			   "{\"counter_value\":7139186,\"event_name\":\"inst_spec\","
			   "\"event_idx\":\"0x1b\",\"event_note\":\"g0,imix\"},"
			   "{\"counter_value\":0,\"event_name\":\"l1d_cache_refill\","
			   "\"event_idx\":\"0x03\",\"event_note\":\"g0,a_long_metric\"}]\n");
}

static void test_right_aligned_cells_wider_than_the_header(void **state)
{
	static const struct table_column columns[] = {
		{"value", TABLE_RIGHT}, {"scaled value", TABLE_RIGHT}, {"unit", TABLE_LEFT}};
	_cleanup_(table_destroyp) struct table *table = create(columns, ARRAY_SIZE(columns));
	table_add_u64(table, 14202155598);
	table_add_u64(table, UINT64_MAX);
	table_add_string(table, "percent of operations");
	// clang-format off
	assert_printed(table,
		"                 value                scaled value  unit                 \n"
		"                 =====                ============  ====                 \n"
		"        14,202,155,598  18,446,744,073,709,551,615  percent of operations\n");
	// clang-format on
}

static void test_as_wide_as_the_terminal(void **state)
{
	static const struct table_column columns[] = {
		{"self %", TABLE_RIGHT}, {"symbol", TABLE_LEFT}, {"source", TABLE_SENTENCE}};
	_cleanup_(table_destroyp) struct table *table = create(columns, ARRAY_SIZE(columns));
	table_add_string(table, "12.00");
	table_add_string(table, "std::vector<int, std::allocator<int> >::push_back");
	table_add_string(table, "for number in range(100):");
	table_add_string(table, "100.00");
	table_add_string(table, "f");
	table_add_string(table, "");
	FILE *stream = capture_begin();
	table_print(table, (struct table_layout){.max_columns = 67}, stream);
	table_print(table, (struct table_layout){.max_columns = 1}, stream);
	_cleanup_free_ char *printed = capture_end(stream);
	// clang-format off
	assert_string_equal(printed,
		"        self %  symbol                     source\n"
		"        ======  ======                     ======\n"
		"         12.00  std::vector<…>::push_back  for number in range(100…\n"
		"        100.00  f\n"
		"        self %  symbol        source\n"
		"        ======  ======        ======\n"
		"         12.00  std…ush_back  for number …\n"
		"        100.00  f\n");
	// clang-format on
}

static void test_types_of_cells(void **state)
{
	static const struct table_column columns[] = {
		{"overhead", TABLE_RIGHT}, {"count", TABLE_RIGHT}, {"symbol", TABLE_LEFT}};
	_cleanup_(table_destroyp) struct table *table = create(columns, ARRAY_SIZE(columns));
	table_add_double(table, 68.90625, 2);
	table_add_u32(table, 4294967295u);
	table_add_string(table, "operator\"\"_x");
	table_add_double(table, NAN, 2);
	table_add_u32(table, 7);
	table_add_string(table, "");
	// clang-format off
	assert_printed(table,
		"        overhead       count  symbol      \n"
		"        ========       =====  ======      \n"
		"           68.91  4294967295  operator\"\"_x\n"
		"             nan           7              \n");
	// clang-format on
	assert_json(table, "[{\"overhead\":68.9062,\"count\":4294967295,"
			   "\"symbol\":\"operator\\\"\\\"_x\"},"
			   "{\"overhead\":null,\"count\":7,\"symbol\":\"\"}]\n");
}

static void test_number_that_people_would_misread(void **state)
{
	_cleanup_(table_destroyp) struct table *table =
		create(counter_columns, ARRAY_SIZE(counter_columns));
	table_add_u64_as(table, 0, "<not counted>");
	assert_printed(table, "        counter value  event name  event idx  event note\n"
			      "        =============  ==========  =========  ==========\n"
			      "        <not counted>                                   \n");
	assert_json(table, "[{\"counter_value\":0}]\n");
}

static void test_no_rows(void **state)
{
	_cleanup_(table_destroyp) struct table *table = create(code_columns, 2);
	assert_int_equal(table_num_rows(table), 0);
	assert_printed(table, "        address  instruction\n"
			      "        =======  ===========\n");
	assert_json(table, "[]\n");
}

static void test_no_columns_is_an_error(void **state)
{
	struct table *table = NULL;
	struct error *err = table_create(code_columns, 0, &table);
	assert_non_null(err);
	assert_null(table);
	error_destroy(err);
}

static void test_incomplete_last_row(void **state)
{
	_cleanup_(table_destroyp) struct table *table =
		create(counter_columns, ARRAY_SIZE(counter_columns));
	add_counter(table, 1, "cycle", "fixed", "e");
	table_add_u64(table, 22);
	table_add_string(table, "ld_spec");
	assert_int_equal(table_num_rows(table), 2);
	// clang-format off
	assert_printed(table,
		"        counter value  event name  event idx  event note\n"
		"        =============  ==========  =========  ==========\n"
		"                    1  cycle       fixed      e         \n"
		"                   22  ld_spec                          \n");
	// clang-format on
	assert_json(table,
		    "[{\"counter_value\":1,\"event_name\":\"cycle\",\"event_idx\":\"fixed\","
		    "\"event_note\":\"e\"},{\"counter_value\":22,\"event_name\":\"ld_spec\"}]\n");
}

static void test_text_from_outside(void **state)
{
	static const struct table_column columns[] = {{"symbol", TABLE_LEFT}, {"n", TABLE_RIGHT}};
	_cleanup_(table_destroyp) struct table *table = create(columns, ARRAY_SIZE(columns));
	static const char *const names[] = {"gr\xc3\xb6\xc3\x9f\x65", "\x1b]0;x\x07", "a\xff\n",
					    "\xf0\x9f\x98\x80"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		table_add_string(table, names[i]);
		table_add_u32(table, (uint32_t)i);
	}
	// clang-format off
	assert_printed(table,
		"        symbol        n\n"
		"        ======        =\n"
		"        gr\xc3\xb6\xc3\x9f\x65         0\n"
		"        \\x1b]0;x\\x07  1\n"
		"        a\xef\xbf\xbd\\x0a        2\n"
		"        \xf0\x9f\x98\x80            3\n");
	// clang-format on
	assert_json(table, "[{\"symbol\":\"gr\\u00f6\\u00dfe\",\"n\":0},"
			   "{\"symbol\":\"\\u001b]0;x\\u0007\",\"n\":1},"
			   "{\"symbol\":\"a\\ufffd\\n\",\"n\":2},"
			   "{\"symbol\":\"\\ud83d\\ude00\",\"n\":3}]\n");
}

static struct table *create_code(const char *const *instructions, size_t count)
{
	struct table *code = create(code_columns, ARRAY_SIZE(code_columns));
	for (size_t i = 0; i < count; i++) {
		char address[32];
		snprintf(address, sizeof(address), "%zx", 0x13a28 + 4 * i);
		table_add_string(code, address);
		table_add_string(code, instructions[i]);
	}
	return code;
}

static void test_nested_tables(void **state)
{
	static const char *const load[] = {"ldp   q16, q17, [x8]", "ret"};
	_cleanup_(table_destroyp) struct table *table =
		create(line_columns, ARRAY_SIZE(line_columns));
	table_add_u64(table, 3590);
	table_add_u64(table, 96);
	table_add_table(table, "disassemble", create_code(load, ARRAY_SIZE(load)));
	table_add_u64(table, 52);
	table_add_u64(table, 7);
	table_add_table(table, "disassemble", create_code(NULL, 0));
	assert_null(table_check(table));
	assert_int_equal(table_num_rows(table), 2);
	// clang-format off
	assert_printed(table,
		"        line_number  hits  disassembled_line              \n"
		"        ===========  ====  =================              \n"
		"        3,590        96      address  instruction         \n"
		"                             =======  ===========         \n"
		"                             13a28    ldp   q16, q17, [x8]\n"
		"                             13a2c    ret                 \n"
		"        52           7       address  instruction         \n"
		"                             =======  ===========         \n");
	// clang-format on
	assert_json(
		table,
		"[{\"line_number\":3590,\"hits\":96,\"disassembled_line\":"
		"{\"disassemble\":[{\"address\":\"13a28\","
		"\"instruction\":\"ldp   q16, q17, [x8]\"},"
		"{\"address\":\"13a2c\",\"instruction\":\"ret\"}]}},"
		"{\"line_number\":52,\"hits\":7,\"disassembled_line\":{\"disassemble\":[]}}]\n");
}

static void test_tables_side_by_side_and_inside_each_other(void **state)
{
	static const struct table_column one[] = {{"x", TABLE_LEFT}};
	static const struct table_column two[] = {{"in", TABLE_LEFT}, {"right", TABLE_RIGHT}};
	struct table *inner = create(one, 1);
	table_add_string(inner, "deep");
	struct table *middle = create(one, 1);
	table_add_string(middle, "before");
	table_add_table(middle, "inner", inner);
	table_add_string(middle, "after");
	struct table *small = create(one, 1);
	table_add_string(small, "s");

	_cleanup_(table_destroyp) struct table *table = create(two, 2);
	table_add_table(table, "middle", middle);
	table_add_table(table, "small", small);
	table_add_string(table, "end");
	// clang-format off
	assert_printed(table,
		"        in        right\n"
		"        ==        =====\n"
		"          x           x\n"
		"          =           =\n"
		"          before      s\n"
		"            x          \n"
		"            =          \n"
		"            deep       \n"
		"          after        \n"
		"        end            \n");
	// clang-format on
}

static void test_many_rows(void **state)
{
	enum { NUM_ROWS = 20000 };
	_cleanup_(table_destroyp) struct table *table =
		create(counter_columns, ARRAY_SIZE(counter_columns));
	for (uint64_t i = 0; i < NUM_ROWS; i++)
		add_counter(table, i, "inst_spec", "0x1b", "e");
	assert_null(table_check(table));
	assert_int_equal(table_num_rows(table), NUM_ROWS);
	FILE *stream = capture_begin();
	table_print(table, (struct table_layout){.is_padded = true}, stream);
	_cleanup_free_ char *printed = capture_end(stream);
	const char *line = "        counter value  event name  event idx  event note\n";
	assert_int_equal(strlen(printed), (NUM_ROWS + 2) * strlen(line));
}

static void test_lost_cells_do_not_shift_the_others(void **state)
{
	_cleanup_(table_destroyp) struct table *table = create(code_columns, 2);
	table_add_string(table, "13a28");
	table_add_string(table, "ret");
	table_add_string(table, "13a2c");
	memory_is_gone = true;
	table_add_string(table, "nop");
	memory_is_gone = false;
	table_add_string(table, "13a30");
	table_add_table(table, "disassemble", create_code(NULL, 0));
	assert_ptr_equal(table_check(table), &error_no_memory);
	assert_printed(table, "        address  instruction\n"
			      "        =======  ===========\n"
			      "        13a28    ret        \n"
			      "        13a2c               \n");
}

static void test_cells_lost_in_a_nested_table_are_missed(void **state)
{
	_cleanup_(table_destroyp) struct table *table =
		create(line_columns, ARRAY_SIZE(line_columns));
	struct table *code = create(code_columns, 2);
	memory_is_gone = true;
	table_add_u64(code, 1);
	memory_is_gone = false;
	table_add_u64(table, 1);
	table_add_u64(table, 2);
	assert_null(table_check(table));
	table_add_table(table, "disassemble", code);
	assert_ptr_equal(table_check(table), &error_no_memory);
}

static void test_no_memory_for_the_columns(void **state)
{
	struct table *table = NULL;
	memory_is_gone = true;
	struct error *err = table_create(code_columns, 2, &table);
	memory_is_gone = false;
	assert_ptr_equal(err, &error_no_memory);
	assert_null(table);
}

int table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_right_aligned_cells_wider_than_the_header),
		cmocka_unit_test(test_as_wide_as_the_terminal),
		cmocka_unit_test(test_types_of_cells),
		cmocka_unit_test(test_number_that_people_would_misread),
		cmocka_unit_test(test_no_rows),
		cmocka_unit_test(test_no_columns_is_an_error),
		cmocka_unit_test(test_incomplete_last_row),
		cmocka_unit_test(test_text_from_outside),
		cmocka_unit_test(test_nested_tables),
		cmocka_unit_test(test_tables_side_by_side_and_inside_each_other),
		cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_lost_cells_do_not_shift_the_others),
		cmocka_unit_test(test_cells_lost_in_a_nested_table_are_missed),
		cmocka_unit_test(test_no_memory_for_the_columns),
	};
	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
