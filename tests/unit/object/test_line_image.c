// SPDX-License-Identifier: Apache-2.0

#include "object/line_image/line_image.h"

#include "base/container/array.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

static const struct line_image_language language = {0x14, "Python"}; // DW_LANG_Python
static const uint8_t build_id[LINE_IMAGE_BUILD_ID_SIZE] = {0xab, 0xcd, [19] = 0xef};

/** Places as an interpreter has them, and which name and line tools have to say. */
static const struct line_image_line lines[] = {
	{"[unknown Python]", "", 0, 0, 0, false},
	{"<module>", "/srv/app/job.py", 1, 30, 30, false},
	{"main", "/srv/app/job.py", 20, 28, 22, false},
	{"main", "/srv/app/job.py", 20, 28, 28, false},
	{"main.<locals>.<listcomp>", "/srv/app/job.py", 22, 22, 22, false},
	{"Käse.prüfe", "/srv/größe mit Leerzeichen.py", 5, 9, 7, false},
	{"<lambda>", "/srv/app/job.py", 3, 3, 3, false},
	{"<lambda>", "/srv/app/job.py", 4, 4, 4, false},
	{"exec_generated", "<string>", 10, 12, 500, false}, // behind its end
	{"exec_generated", "<string>", 10, 12, 2, false},   // before its beginning
	{"late", "/srv/app/late.py", 100000, 106000, 105999, false},
	{"endless", "/srv/app/late.py", 1, INT32_MAX, INT32_MAX, false},
	{"endless", "/srv/app/late.py", 1, INT32_MAX, 60000, false},
	{"no_table", "/srv/app/late.py", 7, 0, 7, false},
	{"no_line", "/srv/app/late.py", 7, 9, 0, false},
	{"main", "/srv/app/job.py", 20, 28, 22, true},
};

enum { NUM_LINES = ARRAY_SIZE(lines) };

static void add_lines(struct line_image *image, uint64_t addresses[static NUM_LINES])
{
	for (size_t i = 0; i < NUM_LINES; i++)
		assert_no_error(line_image_add(image, &lines[i], &addresses[i]));
}

static void write_image(void **state, const struct line_image *image, enum object_machine machine)
{
	_cleanup_free_ char *bytes = NULL;
	size_t size;
	assert_no_error(line_image_encode(image, &language, machine, build_id, &bytes, &size));
	FILE *file = fopen(path_in(state, "image.so"), "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static int make_image(void **state)
{
	if (object_fixture_create(state))
		return -1;
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	uint64_t addresses[NUM_LINES];
	add_lines(&image, addresses);
	write_image(state, &image, OBJECT_MACHINE_X86_64);
	return 0;
}

static void test_addresses_stay(void **state)
{
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	uint64_t first[NUM_LINES], again[NUM_LINES];
	add_lines(&image, first);
	uint32_t size = image.text_size;
	add_lines(&image, again);
	assert_int_equal(image.text_size, size);
	assert_memory_equal(first, again, sizeof(first));
	for (size_t i = 0; i < NUM_LINES; i++)
		for (size_t other = 0; other < i; other++)
			assert_true(first[i] > first[other] + 1 || first[other] > first[i] + 1);
	assert_int_equal(first[3] - first[2], 8 * (28 - 22));
}

/** An address and the one before it: callers are looked for there. */
static void check_names(struct object *object, size_t number, uint64_t address)
{
	const struct line_image_line *line = &lines[number];
	const struct object_symbol *symbol;
	const struct object_line *found;
	size_t num_found;
	assert_no_error(object_find_symbol(object, address, &symbol));
	assert_string_equal(symbol->name, line->function);
	assert_no_error(object_find_lines(object, address, &found, &num_found));
	assert_int_equal(num_found, *line->file ? 1 : 0);
	if (!num_found)
		return;
	assert_string_equal(found[0].file, line->file);
	assert_int_equal(found[0].line, line->line);
	assert_int_equal(found[0].definition_line, line->first_line);
	assert_int_equal(found[0].column, line->is_compiled ? LINE_IMAGE_COMPILED_COLUMN : 0);
}

static void test_reads_back(void **state)
{
	static const enum object_machine machines[] = {OBJECT_MACHINE_X86_64,
						       OBJECT_MACHINE_AARCH64};
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	uint64_t addresses[NUM_LINES];
	add_lines(&image, addresses);
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		_cleanup_free_ char *bytes = NULL;
		_cleanup_(object_destroyp) struct object *object = NULL;
		uint8_t id[20];
		size_t size;
		assert_no_error(
			line_image_encode(&image, &language, machines[i], build_id, &bytes, &size));
		assert_no_error(object_open_memory(bytes, size, "image", &object));
		assert_int_equal(object_machine(object), machines[i]);
		assert_true(line_image_is(object));
		assert_int_equal(object_build_id(object, id), sizeof(build_id));
		assert_memory_equal(id, build_id, sizeof(build_id));
		for (size_t line = 0; line < NUM_LINES; line++) {
			uint64_t relative;
			assert_true(object_offset_to_address(object, addresses[line], &relative));
			assert_int_equal(relative, addresses[line]);
			check_names(object, line, relative);
			check_names(object, line, relative - 1);
		}
	}
}

static void test_other_objects_are_none(void **state)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open("/proc/self/exe", "", &object));
	assert_false(line_image_is(object));
}

static void test_beside_symbolizers(void **state)
{
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	uint64_t addresses[NUM_LINES];
	add_lines(&image, addresses);
	for (size_t i = 1; i < NUM_LINES; i++) {
		char expected[200];
		_cleanup_free_ char *theirs = run_in(state,
						     "llvm-symbolizer --no-demangle "
						     "--output-style=GNU -e image.so 0x%" PRIx64,
						     addresses[i]);
		snprintf(expected, sizeof(expected), "%s\n%s:%u\n", lines[i].function,
			 lines[i].file, lines[i].line);
		assert_string_equal(theirs, expected);
		// Without a line it is "?".
		_cleanup_free_ char *binutils =
			run_in(state, "addr2line -f -e image.so 0x%" PRIx64, addresses[i] - 1);
		if (lines[i].line)
			assert_string_equal(binutils, expected);
	}
}

static void test_is_sound(void **state)
{
	free(run_in(state, "llvm-dwarfdump --verify image.so > report || { cat report; exit 1; }"));
	_cleanup_free_ char *complaints =
		run_in(state, "readelf -Wa image.so 2>&1 | grep -iE 'warning|error' || true");
	assert_string_equal(complaints, "");
	_cleanup_free_ char *id = run_in(state, "readelf -n image.so | grep 'Build ID'");
	assert_non_null(strstr(id, "abcd0000000000000000000000000000000000ef"));
	_cleanup_free_ char *code = run_in(state, "objdump -d image.so | grep -c nopl");
	assert_true(atoi(code) > 70000);
	_cleanup_free_ char *bad =
		run_in(state, "objdump -d image.so | grep -cE '[(]bad[)]' || true");
	assert_int_equal(atoi(bad), 0);
}

static void test_code_of_aarch64(void **state)
{
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	uint64_t address;
	assert_no_error(line_image_add(&image, &lines[2], &address));
	write_image(state, &image, OBJECT_MACHINE_AARCH64);
	_cleanup_free_ char *code = run_in(state, "llvm-objdump -d image.so | grep -c nop");
	assert_int_equal(atoi(code), 2 * (28 - 20 + 1));
}

/** What finds no room is at the first line of all, and nothing is beyond the end. */
static void test_full(void **state)
{
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	uint64_t first, last = 0;
	assert_no_error(line_image_add(&image, &lines[0], &first));
	for (uint32_t i = 0; i < 1000; i++) {
		char name[20];
		snprintf(name, sizeof(name), "f%u", i);
		const struct line_image_line line = {name, "big.py", 1, 1000000, 65000, false};
		uint64_t address;
		assert_no_error(line_image_add(&image, &line, &address));
		assert_true(address < LINE_IMAGE_MAX_SIZE);
		last = address;
	}
	assert_int_equal(last, first);
}

static void test_empty(void **state)
{
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	_cleanup_(object_destroyp) struct object *object = NULL;
	_cleanup_free_ char *bytes = NULL;
	size_t size;
	assert_no_error(line_image_encode(&image, &language, OBJECT_MACHINE_X86_64, build_id,
					  &bytes, &size));
	assert_no_error(object_open_memory(bytes, size, "image", &object));
	assert_true(line_image_is(object));
}

int line_image_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses_stay),
		cmocka_unit_test(test_reads_back),
		cmocka_unit_test(test_other_objects_are_none),
		cmocka_unit_test(test_beside_symbolizers),
		cmocka_unit_test(test_is_sound),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_code_of_aarch64),
	};
	return cmocka_run_group_tests_name("line_image", tests, make_image, object_fixture_destroy);
}
