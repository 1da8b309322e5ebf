// SPDX-License-Identifier: Apache-2.0

/** Names of users and computers leave texts, and nothing else does. */

#include "base/text/anonymous_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"

static void names_are_replaced(void **state)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{"/home/ann/src/main.c", "/home/user/src/main.c"},
		{"/home/ann", "/home/user"},
		{"./prog --dir=/home/ann/x /home/bob y", "./prog --dir=/home/user/x /home/user y"},
		{"f (/home/ann/x.js:1)", "f (/home/user/x.js:1)"},
		{"f file:///home/ann/x.mjs", "f file:///home/user/x.mjs"},
		{"a\n/home/ann\nb", "a\n/home/user\nb"},
		{"/var/home/ann/x.c", "/var/home/user/x.c"},
		{"/export/home/ann/x.c", "/export/home/user/x.c"},
		{"/media/ann/disk/x.c", "/media/user/disk/x.c"},
		{"/run/media/ann/disk/x.c", "/run/media/user/disk/x.c"},
		{"C:\\Users\\Ann Lee\\app.exe", "C:\\Users\\user\\app.exe"},
		{"c:\\users\\ann", "c:\\users\\user"},
		{"C:/Users/ann/x.c", "C:/Users/user/x.c"},
		{"/Users/ann/x.c", "/Users/user/x.c"},
		{"\\Device\\HarddiskVolume3\\Users\\ann\\a",
		 "\\Device\\HarddiskVolume3\\Users\\user\\a"},
		{"\\\\?\\C:\\Users\\ann\\a", "\\\\?\\C:\\Users\\user\\a"},
		{"D:\\Documents and Settings\\ann\\a", "D:\\Documents and Settings\\user\\a"},
		{"\\\\BUILD7\\share\\a.exe", "\\\\host\\share\\a.exe"},
		{"\\\\?\\UNC\\BUILD7\\share\\a", "\\\\?\\UNC\\host\\share\\a"},
		{"\\Device\\Mup\\BUILD7\\share\\a", "\\Device\\Mup\\host\\share\\a"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(string_builder_deinit) struct string_builder made = STRING_BUILDER_INIT;
		assert_true(anonymous_text_append(rows[i].text, &made));
		assert_string_equal(string_builder_peek(&made), rows[i].expected);
	}
}

static void others_stay(void **state)
{
	static const char *const texts[] = {
		"",
		"/home/",
		"/build/home/ann/x.c",
		"/src//home/ann/x.c",
		"/srv/media/ann/x.c",
		"D:\\src\\users\\x.c",
		"/usr/src/Users/x.c",
		"C:\\Users\\Public\\app.exe",
		"C:\\Users\\Default\\app.exe",
		"C:\\Windows\\System32\\ntdll.dll",
		"a::b\\\\c",
		"\\\\.\\pipe",
		"\\\\?\\C:\\Windows",
		"//anon",
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(string_builder_deinit) struct string_builder made = STRING_BUILDER_INIT;
		assert_false(anonymous_text_append(texts[i], &made));
		assert_int_equal(made.length, 0);
	}
}

static void own_home_may_be_anywhere(void **state)
{
	static const struct {
		const char *home, *text, *expected; // NULL: nothing changes
	} rows[] = {
		{"/nfs/ann", "/nfs/ann/x.py", "/home/user/x.py"},
		{"/nfs/ann/", "/nfs/ann", "/home/user"},
		{"/nfs/ann", "py::f:/nfs/ann/x.py /nfs/ann/y",
		 "py::f:/home/user/x.py /home/user/y"},
		{"/nfs/ann", "/nfs/anna/x.py", NULL},
		{"/nfs/ann", "/old/nfs/ann/x.py", NULL},
		{"/", "/usr/bin/x", NULL},
		{"", "/usr/bin/x", NULL},
	};
	const char *before = getenv("HOME");
	_cleanup_free_ char *kept = before ? strdup(before) : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(string_builder_deinit) struct string_builder made = STRING_BUILDER_INIT;
		setenv("HOME", rows[i].home, true);
		bool is_changed = anonymous_text_append(rows[i].text, &made);
		assert_int_equal(is_changed, rows[i].expected != NULL);
		if (is_changed)
			assert_string_equal(string_builder_peek(&made), rows[i].expected);
	}
	if (kept)
		setenv("HOME", kept, true);
	else
		unsetenv("HOME");
}

int anonymous_text_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_replaced),
		cmocka_unit_test(others_stay),
		cmocka_unit_test(own_home_may_be_anywhere),
	};
	return cmocka_run_group_tests_name("anonymous_text", tests, NULL, NULL);
}
