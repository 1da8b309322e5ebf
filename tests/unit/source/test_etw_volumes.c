// SPDX-License-Identifier: Apache-2.0

#include "source/etw/volumes/etw_volumes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void devices_become_drives(void **state)
{
	struct etw_volumes volumes = ETW_VOLUMES_INIT;
	struct string_builder text = STRING_BUILDER_INIT;
	assert_no_error(etw_volumes_add(&volumes, "\\Device\\HarddiskVolume1", "D:"));
	assert_no_error(etw_volumes_add(&volumes, "\\Device\\HarddiskVolume10", "C:"));
	assert_string_equal(etw_volumes_translate(
				    &volumes, "\\Device\\HarddiskVolume10\\Windows\\a.dll", &text),
			    "C:\\Windows\\a.dll");
	// Windows does not care about case, nor do its drivers.
	assert_string_equal(etw_volumes_translate(&volumes, "\\device\\harddiskvolume1\\b.exe",
						  &text),
			    "D:\\b.exe");
	static const char other[] = "\\Device\\Mup\\server\\share\\c.exe";
	assert_ptr_equal(etw_volumes_translate(&volumes, other, &text), other);
	static const char volume[] = "\\Device\\HarddiskVolume1";
	assert_ptr_equal(etw_volumes_translate(&volumes, volume, &text), volume);
	string_builder_deinit(&text);
	etw_volumes_deinit(&volumes);
}

int etw_volumes_tests(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(devices_become_drives)};
	return cmocka_run_group_tests_name("etw_volumes", tests, NULL, NULL);
}
