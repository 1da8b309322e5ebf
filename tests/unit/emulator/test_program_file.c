// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/program_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/program_bytes.h"

static char folder[] = "/tmp/test_program_file.XXXXXX";

static int enter_folder(void **state)
{
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static int remove_folder(void **state)
{
	unlink("file");
	return chdir("/") || rmdir(folder);
}

static enum program_kind kind_of_script(const char *text, struct program_script *ret)
{
	write_script("file", text);
	return program_file_kind("file", ret);
}

static void scripts_are_taken_apart_as_the_kernel_does(void **state)
{
	static const struct {
		const char *text, *interpreter, *argument;
	} cases[] = {
		{"#!/bin/sh\n", "/bin/sh", ""},
		{"#!/bin/sh", "/bin/sh", ""}, // no end of the line
		{"#!/bin/x", "/bin/x", ""},
		{"#! \t/usr/bin/env python3\n", "/usr/bin/env", "python3"},
		{"#!/usr/bin/env  -S a b \t\nrest", "/usr/bin/env", "-S a b"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct program_script script;
		assert_int_equal(kind_of_script(cases[i].text, &script), PROGRAM_SCRIPT);
		assert_string_equal(script.interpreter, cases[i].interpreter);
		assert_string_equal(script.argument, cases[i].argument);
	}
}

static void lines_of_scripts_have_an_end(void **state)
{
	char text[1000];
	memset(text, 'x', sizeof(text));
	memcpy(text, "#!/", 3);
	text[sizeof(text) - 1] = '\0';
	struct program_script script;
	assert_int_equal(kind_of_script(text, &script), PROGRAM_SCRIPT);
	assert_int_equal(strlen(script.interpreter), PROGRAM_LINE_SIZE - 1 - 2);
}

static void what_is_no_program(void **state)
{
	static const char *const texts[] = {"",      "#!",    "#!\n\n\n", "#! \t \n/bin/sh",
					    "hello", "\177EL"};
	struct program_script script;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(kind_of_script(texts[i], &script), PROGRAM_NONE);
	assert_int_equal(program_file_kind("no such file", &script), PROGRAM_NONE);
	write_script("file", "#!/bin/sh\n");
	assert_int_equal(chmod("file", 0644), 0); // may not be run
	assert_int_equal(program_file_kind("file", &script), PROGRAM_NONE);
}

static void machines_are_told_apart(void **state)
{
	struct program_script script;
	write_program("file", EM_AARCH64, "");
	assert_int_equal(program_file_kind("file", &script), PROGRAM_AARCH64);
	write_program("file", EM_X86_64, "");
	assert_int_equal(program_file_kind("file", &script), PROGRAM_FOREIGN);
	assert_int_equal(kind_of_script("\177ELF\2\1", &script), PROGRAM_FOREIGN);
}

static void the_loader_is_found(void **state)
{
	char loader[64] = "x";
	write_program("file", EM_AARCH64, "/lib/ld.so");
	assert_true(program_file_loader("file", loader, sizeof(loader)));
	assert_string_equal(loader, "/lib/ld.so");
	write_program("file", EM_AARCH64, "");
	assert_true(program_file_loader("file", loader, sizeof(loader)));
	assert_string_equal(loader, "");
	write_program("file", EM_AARCH64, "/lib/a-name-that-is-too-long.so");
	assert_false(program_file_loader("file", loader, 16));
	write_script("file", "short");
	assert_false(program_file_loader("file", loader, sizeof(loader)));
	assert_string_equal(loader, "");
}

static void the_system_of_the_program_goes_first(void **state)
{
	char path[64];
	write_script("file", "x");
	program_file_place(folder, "/file", path, sizeof(path));
	assert_memory_equal(path, folder, strlen(folder));
	program_file_place(folder, "/bin/sh", path, sizeof(path));
	assert_string_equal(path, "/bin/sh");
	program_file_place(folder, "file", path, sizeof(path)); // below the working folder
	assert_string_equal(path, "file");
	program_file_place("", "/file", path, sizeof(path));
	assert_string_equal(path, "/file");
}

static void commas_in_paths_are_no_options(void **state)
{
	char option[64];
	assert_true(program_file_plugin_option("a,b.so", "/r", "/p,q", option, sizeof(option)));
	assert_string_equal(option, "a,,b.so,region=/r,program=/p,,q");
	char same[sizeof("a,,b.so,region=/r,program=/p,,q") + 2];
	assert_true(program_file_plugin_option("a,b.so", "/r", "/p,q", same, sizeof(same)));
	for (size_t size = 8; size + 2 < sizeof(same); size++)
		assert_false(program_file_plugin_option("a,b.so", "/r", "/p,q", option, size));
	assert_false(program_file_plugin_option("a.so", "/r", "", option, sizeof(option)));
}

int program_file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scripts_are_taken_apart_as_the_kernel_does),
		cmocka_unit_test(lines_of_scripts_have_an_end),
		cmocka_unit_test(what_is_no_program),
		cmocka_unit_test(machines_are_told_apart),
		cmocka_unit_test(the_loader_is_found),
		cmocka_unit_test(the_system_of_the_program_goes_first),
		cmocka_unit_test(commas_in_paths_are_no_options),
	};
	return cmocka_run_group_tests_name("program_file", tests, enter_folder, remove_folder);
}
