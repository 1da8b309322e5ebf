// SPDX-License-Identifier: Apache-2.0

#include "symbols/kernel_symbols.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include "tests/unit/object_fixture.h"

static struct error *parse(struct kernel_symbols *symbols, const char *text)
{
	return kernel_symbols_parse(symbols, strdup(text), strlen(text));
}

/** "name", or "module:name", or "-". */
static const char *name_at(const struct kernel_symbols *symbols, uint64_t address)
{
	static char text[400];
	struct kernel_place place;
	if (!kernel_symbols_find(symbols, address, &place))
		return "-";
	snprintf(text, sizeof(text), "%s%s%.*s", place.module ? place.module : "",
		 place.module ? ":" : "", (int)place.name_length, place.name);
	return text;
}

static void test_names_by_address(void **state)
{
	_cleanup_(kernel_symbols_deinit) struct kernel_symbols symbols = KERNEL_SYMBOLS_INIT;
	assert_no_error(parse(&symbols, "ffffffff81000000 T _text\n"
					"ffffffff81000000 T startup_64\n"
					"ffffffff81000040 t helper\n"
					"ffffffff81000080 D some_data\n"
					"ffffffff81000090 r more_data\n"
					"ffffffff810000a0 W weak_one\n"
					"ffffffffc0001000 t init_ext4\t[ext4]\n"
					"ffffffffc0000000 t read_nfs\t[nfs]\n"
					"ffffffffc0001010 t write_ext4\t[ext4]"));
	static const struct {
		uint64_t address;
		const char *name;
	} cases[] = {
		{0xffffffff80ffffff, "-"},
		{0xffffffff81000000, "startup_64"},
		{0xffffffff8100003f, "startup_64"},
		{0xffffffff81000040, "helper"},
		{0xffffffff81000080, "-"},
		{0xffffffff81000090, "-"},
		{0xffffffff810000a4, "weak_one"},
		{0xffffffffa0000000, "-"},
		{0xffffffffc0000fff, "nfs:read_nfs"},
		{0xffffffffc0001000, "ext4:init_ext4"},
		{0xffffffffc0001020, "ext4:write_ext4"},
		{UINT64_MAX, "-"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(name_at(&symbols, cases[i].address), cases[i].name);
}

static void test_hidden_addresses_are_told(void **state)
{
	_cleanup_(kernel_symbols_deinit) struct kernel_symbols symbols = KERNEL_SYMBOLS_INIT;
	_cleanup_(error_destroyp) struct error *err =
		parse(&symbols, "0000000000000000 T _text\n0000000000000000 t f\t[ext4]\n");
	assert_non_null(err);
	assert_string_equal(err->message, "the kernel hides its addresses");
	assert_non_null(strstr(err->hint, "kernel.kptr_restrict=0"));
}

static void test_other_lines_are_left_out(void **state)
{
	_cleanup_(kernel_symbols_deinit) struct kernel_symbols symbols = KERNEL_SYMBOLS_INIT;
	assert_no_error(parse(&symbols, "\nx\n10\n10 T\n10 T \n10  T f\nT f\n20 t good\n"
					"30 t odd\t[\n40 t odder\t[]\n50 t f\t[x"));
	assert_string_equal(name_at(&symbols, 0x10), "-");
	assert_string_equal(name_at(&symbols, 0x20), "good");
	assert_string_equal(name_at(&symbols, 0x30), "odd");
	assert_string_equal(name_at(&symbols, 0x40), "odder");
}

static double ms_between(struct timespec start, struct timespec end)
{
	return 1e3 * (double)(end.tv_sec - start.tv_sec) +
	       1e-6 * (double)(end.tv_nsec - start.tv_nsec);
}

static void test_many_lines_are_fast(void **state)
{
	enum { NUM_LINES = 200000, LINE_SIZE = 64 };
	char *text = malloc((size_t)NUM_LINES * LINE_SIZE);
	assert_non_null(text);
	size_t size = 0;
	for (unsigned i = 0; i < NUM_LINES; i++)
		size += (size_t)sprintf(text + size, "%016llx t function_%u%s\n",
					0xffffffff81000000ULL + 64 * i, i,
					i > NUM_LINES / 2 ? "\t[some_module]" : "");
	struct timespec start, end;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	_cleanup_(kernel_symbols_deinit) struct kernel_symbols symbols = KERNEL_SYMBOLS_INIT;
	assert_no_error(kernel_symbols_parse(&symbols, text, size));
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	print_message("%d lines in %.1f ms\n", NUM_LINES, ms_between(start, end));
	assert_string_equal(name_at(&symbols, 0xffffffff81000000 + 64 * 150000ULL + 5),
			    "some_module:function_150000");
	// Ten times what is promised: sanitizers and slow machines are meant.
	assert_true(ms_between(start, end) < 600);
}

/** Each function's name must be one of those that the file has at its address. */
static void test_beside_the_running_kernel(void **state)
{
	_cleanup_(kernel_symbols_deinit) struct kernel_symbols symbols = KERNEL_SYMBOLS_INIT;
	struct timespec start, end;
	// A copy: code of BPF programs comes and goes while others record.
	free(run_in(state, "cat /proc/kallsyms >kallsyms"));
	clock_gettime(CLOCK_MONOTONIC, &start);
	struct error *err = kernel_symbols_load(&symbols, path_in(state, "kallsyms"));
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (err) { // not everybody may see it
		error_destroy(err);
		skip();
	}
	print_message("%zu functions of the kernel in %.1f ms\n", symbols.num_items,
		      ms_between(start, end));
	FILE *said = fopen(path_in(state, "said"), "w");
	assert_non_null(said);
	srand(5);
	for (int i = 0; i < 3000; i++) {
		uint64_t address = symbols.items[(size_t)rand() % symbols.num_items].address +
				   (uint64_t)(rand() % 64);
		fprintf(said, "%llx %s\n", (unsigned long long)address, name_at(&symbols, address));
	}
	assert_int_equal(fclose(said), 0);
	write_in(state, "check.py",
		 "import bisect, collections\n"
		 "names = collections.defaultdict(set)\n"
		 "for line in open('kallsyms'):\n"
		 "    address, kind, name, *module = line.split()\n"
		 "    known = names[int(address, 16)]\n"
		 "    if kind in 'tTwW':\n"
		 "        known.add(module[0][1:-1] + ':' + name if module else name)\n"
		 "starts = sorted(names)\n"
		 "for line in open('said'):\n"
		 "    address, name = line.split()\n"
		 "    start = starts[bisect.bisect_right(starts, int(address, 16)) - 1]\n"
		 "    assert name in (names[start] or {'-'}), (line, names[start])\n");
	free(run_in(state, "python3 check.py 2>&1"));
}

int kernel_symbols_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_by_address),
		cmocka_unit_test(test_hidden_addresses_are_told),
		cmocka_unit_test(test_other_lines_are_left_out),
		cmocka_unit_test(test_many_lines_are_fast),
		cmocka_unit_test(test_beside_the_running_kernel),
	};
	return cmocka_run_group_tests_name("kernel_symbols", tests, object_fixture_create,
					   object_fixture_destroy);
}
