// SPDX-License-Identifier: Apache-2.0

#include "base/file/remote_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

static void test_what_may_be_on_another_machine(void **state)
{
	static const char *const paths[] = {
		"\\\\host\\share\\a.pdb",
		"//host/share/a.pdb",
		"/\\host\\share\\a.pdb",
		"\\/host/share/a.pdb",
		"\\\\?\\UNC\\host\\share\\a.pdb",
		"//?/UNC/host/share/a.pdb",
		"\\/?\\unc/host/share/a.pdb",
		"\\??\\UNC\\host\\share\\a.pdb",
		"/\?\?/UNC/host/share/a.pdb", // escaped: else a trigraph
		"\\??\\GLOBALROOT\\Device\\Mup\\host\\share\\a.pdb",
		"\\\\?\\GLOBALROOT\\Device\\Mup\\host\\share\\a.pdb",
		"\\\\.\\UNC\\host\\share\\a.pdb",
		"\\\\.\\pipe\\a",
		"\\\\host@80\\folder\\a.pdb",
		"\\\\?\\C:a.pdb",
		"\\\\",
		"\\\\?\\",
	};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (!path_is_remote(paths[i]))
			fail_msg("%s", paths[i]);
}

static void test_what_is_on_this_machine(void **state)
{
	static const char *const paths[] = {
		"",
		"a.pdb",
		"\\",
		"/",
		"/usr/lib/a.so",
		"\\tools\\a.pdb",
		"C:\\a.pdb",
		"C:/a.pdb",
		"C:a.pdb",
		"folder\\\\host\\a.pdb",
		"\\\\?\\C:\\a.pdb",
		"//?/c:/a.pdb",
		"\\??\\D:\\a.pdb",
		"\\?\\a.pdb",
	};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (path_is_remote(paths[i]))
			fail_msg("%s", paths[i]);
}

int remote_path_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_may_be_on_another_machine),
		cmocka_unit_test(test_what_is_on_this_machine),
	};
	return cmocka_run_group_tests_name("remote_path", tests, NULL, NULL);
}
