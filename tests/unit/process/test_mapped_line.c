// SPDX-License-Identifier: Apache-2.0

#include "process/memory/mapped_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_file_is_told_with_its_place(void **state)
{
	char line[] =
		"7f00a000-7f00c000 r-xp 00002000 fd:01 1234   /usr/lib/with space (deleted)\n";
	struct mapped_line parsed;
	assert_true(mapped_line_parse(line, &parsed));
	assert_int_equal(parsed.start, 0x7f00a000);
	assert_int_equal(parsed.end, 0x7f00c000);
	assert_true(parsed.is_readable && !parsed.is_writable && parsed.is_executable);
	assert_int_equal(parsed.offset, 0x2000);
	assert_int_equal(parsed.major, 0xfd);
	assert_int_equal(parsed.minor, 1);
	assert_int_equal(parsed.inode, 1234);
	assert_string_equal(parsed.path, "/usr/lib/with space (deleted)");
}

static void memory_without_a_file_has_no_name(void **state)
{
	char line[] = "1000-3000 rw-p 00000000 00:00 0 \n";
	struct mapped_line parsed;
	assert_true(mapped_line_parse(line, &parsed));
	assert_true(parsed.is_readable && parsed.is_writable && !parsed.is_executable);
	assert_int_equal(parsed.inode, 0);
	assert_string_equal(parsed.path, "");
}

static void what_is_no_line_is_refused(void **state)
{
	char backwards[] = "3000-1000 rw-p 00000000 00:00 0\n", short_one[] = "1000-3000 rw-p\n";
	char few_rights[] = "1000-3000 r 00000000 00:00 0\n", empty[] = "";
	struct mapped_line parsed;
	assert_false(mapped_line_parse(backwards, &parsed));
	assert_false(mapped_line_parse(short_one, &parsed));
	assert_false(mapped_line_parse(few_rights, &parsed));
	assert_false(mapped_line_parse(empty, &parsed));
}

int mapped_line_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_told_with_its_place),
		cmocka_unit_test(memory_without_a_file_has_no_name),
		cmocka_unit_test(what_is_no_line_is_refused),
	};
	return cmocka_run_group_tests_name("mapped_line", tests, NULL, NULL);
}
