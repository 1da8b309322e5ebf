// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_section.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"
#include "tests/unit/pe_bytes.h"

static void names_of_windows_are_cut(void **state)
{
	static const char *const cut[] = {"PyRuntim", "AsyncioD"};
	static const char *const names[] = {"PyRuntime", "AsyncioDebug"};
	for (size_t i = 0; i < 2; i++) {
		struct file file = make(0x8664);
		put_section(&file, 1, cut[i], DATA, DATA_OFFSET, SIZE - DATA_OFFSET, 0);
		_cleanup_(object_destroyp) struct object *object = NULL;
		assert_no_error(object_open_memory(&file, sizeof(file), "python.dll", &object));
		assert_int_equal(python_section_find(object, names[i]).address, DATA);
		assert_int_equal(python_section_find(object, names[1 - i]).address, 0);
	}
}

static void those_of_linux_are_whole(void **state)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	write_in(state, "module.c",
		 "__attribute__((section(\".AsyncioDebug\"))) int words[13] = {1};");
	free(run_in(state, "gcc -shared -fPIC module.c -o module.so"));
	assert_no_error(object_open(path_in(state, "module.so"), "", &object));
	struct object_bytes found = python_section_find(object, "AsyncioDebug");
	assert_int_not_equal(found.address, 0);
	assert_int_equal(found.size, 13 * sizeof(int));
	assert_int_equal(python_section_find(object, "PyRuntime").address, 0);
}

int python_section_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_windows_are_cut),
		cmocka_unit_test(those_of_linux_are_whole),
	};
	return cmocka_run_group_tests_name("python_section", tests, object_fixture_create,
					   object_fixture_destroy);
}
