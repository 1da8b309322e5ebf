// SPDX-License-Identifier: Apache-2.0

#include "process/system/cgroup_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define TMPFS "31 25 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
#define V2    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
#define CPU   "32 31 0:29 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
#define V1    "33 31 0:30 / /sys/fs/cgroup/perf rw shared:9 - cgroup cgroup rw,net_cls,perf_event\n"

static void expect(const char *mounts, const char *path)
{
	_cleanup_free_ char *found = NULL;
	assert_no_error(cgroup_mount_find(mounts, &found));
	assert_string_equal(found, path);
}

static void version_2(void **state)
{
	expect(TMPFS CPU V2, "/sys/fs/cgroup/unified");
	expect("41 31 0:38 / /a\\040b\\134c rw - cgroup2 none rw", "/a b\\c");
	expect("41 31 0:38 / /a\\0401b\\ rw - cgroup2 none rw", "/a 1b\\");
}

// perf_event is in one hierarchy only.
static void version_1_with_perf_event_comes_first(void **state)
{
	expect(V2 V1, "/sys/fs/cgroup/perf");
	expect(V1 V2, "/sys/fs/cgroup/perf");
}

static void no_mount(void **state)
{
	char *found = NULL;
	static const char *const mounts[] = {
		"",
		TMPFS CPU,
		"\n\n",
		"x - cgroup2 y z\n",
		"1 2 3 / /x rw - cgroup",
		"1 2 3 / /x rw - cgroup perf_event rw,perf_events,xperf_event\n",
		"1 2 3 - cgroup2 / /x rw\n",
	};
	for (size_t i = 0; i < sizeof(mounts) / sizeof(*mounts); i++)
		assert_error(cgroup_mount_find(mounts[i], &found), ERROR_FAILED,
			     "no control groups are mounted here");
}

int cgroup_folder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_2),
		cmocka_unit_test(version_1_with_perf_event_comes_first),
		cmocka_unit_test(no_mount),
	};
	return cmocka_run_group_tests_name("cgroup_folder", tests, NULL, NULL);
}
