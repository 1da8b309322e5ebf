// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/guest_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/program_bytes.h"

static char folder[] = "/tmp/test_guest_program.XXXXXX";

static const char *const folders[] = {"system", "system/lib", "system/usr", "system/usr/bin",
				      "path"};
static const char *const files[] = {
	"system/lib/ld.so", "system/usr/bin/dynamic", "system/usr/bin/script",
	"path/static",      "path/foreign",           "path/loop",
	"path/plain",
};

static int fill_folder(void **state)
{
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (mkdir(folders[i], 0755))
			return -1;
	write_program("system/lib/ld.so", EM_AARCH64, "");
	write_program("system/usr/bin/dynamic", EM_AARCH64, "/lib/ld.so");
	write_script("system/usr/bin/script", "#!/usr/bin/dynamic -x");
	write_program("path/static", EM_AARCH64, "");
	write_program("path/foreign", EM_X86_64, "");
	write_script("path/loop", "#!path/loop\n");
	write_file("path/plain", "text", 4, 0644);
	return setenv("PATH", "/no/such/folder:path", 1);
}

static int empty_folder(void **state)
{
	for (size_t i = sizeof(files) / sizeof(files[0]); i--;)
		unlink(files[i]);
	for (size_t i = sizeof(folders) / sizeof(folders[0]); i--;)
		rmdir(folders[i]);
	return chdir("/") || rmdir(folder);
}

static struct error *find(const char *const *command, const char *sysroot,
			  struct guest_program *ret)
{
	return guest_program_find((char *const *)command, sysroot, ret);
}

static void static_programs_need_no_system(void **state)
{
	_cleanup_(guest_program_deinit) struct guest_program program = GUEST_PROGRAM_INIT;
	const char *const command[] = {"static", "a", NULL};
	assert_no_error(find(command, NULL, &program));
	assert_string_equal(program.path, "path/static");
	assert_string_equal(program.sysroot, "");
	assert_string_equal(program.arguments[0], "static");
	assert_string_equal(program.arguments[1], "a");
	assert_null(program.arguments[2]);
}

static void the_system_is_found_above_the_program(void **state)
{
	_cleanup_(guest_program_deinit) struct guest_program program = GUEST_PROGRAM_INIT;
	const char *const command[] = {"system/usr/bin/dynamic", NULL};
	assert_no_error(find(command, NULL, &program));
	assert_string_equal(program.path, "system/usr/bin/dynamic");
	assert_non_null(strstr(program.sysroot, "/system"));
}

static void names_are_those_of_the_system(void **state)
{
	const char *const commands[][2] = {{"dynamic", NULL}, {"/usr/bin/dynamic", NULL}};
	for (size_t i = 0; i < 2; i++) {
		_cleanup_(guest_program_deinit) struct guest_program program = GUEST_PROGRAM_INIT;
		assert_no_error(find(commands[i], "system", &program));
		assert_string_equal(program.path, "system/usr/bin/dynamic");
		assert_int_equal(program.sysroot[0], '/');
	}
}

static void scripts_are_followed(void **state)
{
	_cleanup_(guest_program_deinit) struct guest_program program = GUEST_PROGRAM_INIT;
	const char *const command[] = {"script", "word", NULL};
	assert_no_error(find(command, "system", &program));
	assert_string_equal(program.path, "system/usr/bin/dynamic");
	static const char *const words[] = {"/usr/bin/dynamic", "-x", "system/usr/bin/script",
					    "word"};
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(program.arguments[i], words[i]);
	assert_null(program.arguments[4]);
}

static void what_cannot_be_run_is_explained(void **state)
{
	static const struct {
		const char *name, *sysroot, *message, *hint;
	} cases[] = {
		{"foreign", NULL, "cannot run 'foreign' in the emulator", "--sysroot"},
		{"path/foreign", NULL, "cannot run 'path/foreign' in the emulator",
		 "it is not an AArch64 program"},
		{"path/none", NULL, "cannot run 'path/none' in the emulator", "no such file"},
		{"path/plain", NULL, "cannot run 'path/plain' in the emulator", "chmod"},
		{"path/loop", NULL, "cannot run 'path/loop' in the emulator",
		 "not an AArch64 program"},
		{"./system/usr/bin/dynamic", "path",
		 "the loader of './system/usr/bin/dynamic' is missing: /lib/ld.so", "--sysroot"},
		{"path/static", "/no/such",
		 "cannot use the folder '/no/such': No such file or directory", NULL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_(guest_program_deinit) struct guest_program program = GUEST_PROGRAM_INIT;
		const char *const command[] = {cases[i].name, NULL};
		_cleanup_(error_destroyp) struct error *err =
			find(command, cases[i].sysroot, &program);
		assert_non_null(err);
		assert_string_equal(err->message, cases[i].message);
		if (cases[i].hint)
			assert_non_null(strstr(err->hint, cases[i].hint));
		assert_null(program.arguments);
	}
}

int guest_program_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(static_programs_need_no_system),
		cmocka_unit_test(the_system_is_found_above_the_program),
		cmocka_unit_test(names_are_those_of_the_system),
		cmocka_unit_test(scripts_are_followed),
		cmocka_unit_test(what_cannot_be_run_is_explained),
	};
	return cmocka_run_group_tests_name("guest_program", tests, fill_folder, empty_folder);
}
