// SPDX-License-Identifier: Apache-2.0

#include "agent/cgroup_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define ID  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define POD "12345678-9abc-def0-1234-56789abcdef0"

static void assert_names(const char *text, const char *unit, const char *container, const char *pod)
{
	struct cgroup_names names;
	cgroup_names_parse(text, strlen(text), &names);
	assert_string_equal(names.unit, unit);
	assert_string_equal(names.container, container);
	assert_string_equal(names.pod, pod);
}

static void test_units(void **state)
{
	assert_names("0::/system.slice/nginx.service\n", "nginx", "", "");
	assert_names("0::/system.slice/nginx.service", "nginx", "", "");
	assert_names("0::/system.slice/system-getty.slice/getty@tty1.service\n", "getty@tty1", "",
		     "");
	// The service of a user is inside that of the user.
	assert_names("0::/user.slice/user-1000.slice/user@1000.service/app.slice/mail.service\n",
		     "mail", "", "");
	assert_names("0::/user.slice/user-1000.slice/session-3.scope\n", "", "", "");
	assert_names("0::/\n", "", "", "");
	assert_names("0::/a/.service\n", "", "", "");
	assert_names("", "", "", "");
}

static void test_version_1(void **state)
{
	assert_names("12:cpu,cpuacct:/system.slice/nginx.service\n"
		     "1:name=systemd:/system.slice/nginx.service\n",
		     "nginx", "", "");
	assert_names("5:memory:/docker/" ID "\n1:name=systemd:/docker/" ID "\n", "", ID, "");
}

static void test_containers(void **state)
{
	assert_names("0::/system.slice/docker-" ID ".scope\n", "", ID, "");
	assert_names("0::/machine.slice/libpod-" ID ".scope/container\n", "", ID, "");
	assert_names("0::/system.slice/containerd.service/kubepods-burstable-pod" POD
		     ".slice:cri-containerd:" ID "\n",
		     "containerd", ID, "");
	assert_names("0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
		     "12345678_9abc_def0_1234_56789abcdef0.slice/cri-containerd-" ID ".scope\n",
		     "", ID, POD);
	assert_names("0::/kubepods/besteffort/pod" POD "/" ID "\n", "", ID, POD);
	// A monitor is not in the container.
	assert_names("0::/machine.slice/libpod-conmon-" ID ".scope\n", "", "", "");
	// One digit more, or none of them.
	assert_names("0::/docker/0" ID "\n", "", "", "");
	assert_names("0::/docker/g" ID "\n", "", "", "");
	assert_names("0::/podx2345678-9abc-def0-1234-56789abcdef0\n", "", "", "");
}

static void test_texts_are_not_trusted(void **state)
{
	static char text[3 * CGROUP_NAMES_MAX_TEXT];
	assert_names("0::/a\x1b[31m\xff\xc3\xa4.service\n", "a_[31m\xef\xbf\xbd\xc3\xa4", "", "");
	// Cut between code points.
	memset(text, 'x', 600);
	memcpy(text, "0::/", 4);
	for (size_t i = 0; i < 290; i++)
		memcpy(text + 4 + 2 * i, "\xc3\xa4", 2);
	strcpy(text + 584, ".service");
	struct cgroup_names names;
	cgroup_names_parse(text, strlen(text), &names);
	assert_int_equal(strlen(names.unit), CGROUP_NAMES_UNIT_SIZE - 2);
	// What is far behind is not read.
	memset(text, '/', sizeof(text));
	memcpy(text + 2 * CGROUP_NAMES_MAX_TEXT, "0::/a.service", 13);
	cgroup_names_parse(text, sizeof(text), &names);
	assert_string_equal(names.unit, "");
}

int cgroup_names_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_version_1),
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_texts_are_not_trusted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
