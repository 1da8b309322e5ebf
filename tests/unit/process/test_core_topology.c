// SPDX-License-Identifier: Apache-2.0

#include "process/system/core_topology.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static char root[] = "/tmp/core_topology_XXXXXX";

/** A file below the root, with its folders. */
static void put(const char *name, const char *text)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + strlen(root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/** CPUs of three kinds of machines. */
static int make_machine(void **state)
{
	assert_non_null(mkdtemp(root));
	put("cpu/cpu0/topology/physical_package_id", "0\n");
	put("cpu/cpu0/topology/die_id", "0\n");
	put("cpu/cpu0/topology/core_id", "0\n");
	put("cpu/cpu0/cache/index0/level", "1\n");
	put("cpu/cpu0/cache/index0/type", "Data\n");
	put("cpu/cpu0/cache/index0/id", "0\n");
	put("cpu/cpu0/cache/index1/level", "1\n");
	put("cpu/cpu0/cache/index1/type", "Instruction\n");
	put("cpu/cpu0/cache/index1/id", "77\n");
	put("cpu/cpu0/cache/index2/level", "3\n");
	put("cpu/cpu0/cache/index2/type", "Unified\n");
	put("cpu/cpu0/cache/index2/id", "2\n");
	put("cpu/cpu0/node1/numastat", "");
	// An Arm machine: no die, large numbers, no number of the cache.
	put("cpu/cpu9/topology/physical_package_id", "8228\n");
	put("cpu/cpu9/topology/core_id", "3\n");
	put("cpu/cpu9/cache/index0/level", "2\n");
	put("cpu/cpu9/cache/index0/type", "Unified\n");
	put("cpu/cpu9/cache/index0/shared_cpu_list", "8-9\n");
	// One that nothing is known of.
	put("cpu/cpu2/topology/physical_package_id", "-1\n");
	put("cpu/cpu2/topology/core_id", "99999999999\n");
	return 0;
}

static int remove_machine(void **state)
{
	char command[PATH_MAX];
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static void expect(unsigned cpu, enum core_grouping_kind kind, uint32_t level, const char *label)
{
	const struct core_grouping by = {.kind = kind, .cache_level = level};
	struct core_place place;
	assert_no_error(core_topology_find(root, &by, cpu, &place));
	assert_string_equal(core_place_label(&by, &place).text, label);
}

static void groups_have_the_names_of_perf(void **state)
{
	expect(0, CORE_GROUPING_CORE, 0, "S0-D0-C0");
	expect(0, CORE_GROUPING_DIE, 0, "S0-D0");
	expect(0, CORE_GROUPING_SOCKET, 0, "S0");
	expect(0, CORE_GROUPING_NODE, 0, "N1");
	expect(0, CORE_GROUPING_CACHE, 0, "S0-D0-L3-ID2");
	expect(0, CORE_GROUPING_CACHE, 1, "S0-D0-L1-ID0");
}

static void a_machine_without_dies(void **state)
{
	expect(9, CORE_GROUPING_CORE, 0, "S8228-D0-C3");
	expect(9, CORE_GROUPING_CACHE, 2, "S8228-D0-L2-ID8");
}

static void refuse(unsigned cpu, enum core_grouping_kind kind, uint32_t level, const char *what)
{
	const struct core_grouping by = {.kind = kind, .cache_level = level};
	struct core_place place;
	char message[128];
	snprintf(message, sizeof(message), "cannot find the %s of CPU %u", what, cpu);
	assert_error(core_topology_find(root, &by, cpu, &place), ERROR_FAILED, message);
}

static void what_the_kernel_does_not_tell(void **state)
{
	refuse(0, CORE_GROUPING_CACHE, 2, "L2 cache");
	refuse(9, CORE_GROUPING_NODE, 0, "NUMA node");
	refuse(2, CORE_GROUPING_SOCKET, 0, "socket");
	refuse(2, CORE_GROUPING_CACHE, 0, "socket");
	refuse(5, CORE_GROUPING_CORE, 0, "socket"); // offline
	put("cpu/cpu2/topology/physical_package_id", "0\n");
	refuse(2, CORE_GROUPING_CORE, 0, "core");
	refuse(2, CORE_GROUPING_CACHE, 0, "last cache");
}

static void groups_are_in_order(void **state)
{
	const struct core_place first = {.socket = 0, .die = 1, .id = 9};
	const struct core_place second = {.socket = 1, .die = 0, .id = 2};
	const struct core_place third = {.socket = 1, .die = 0, .id = 10};
	assert_true(core_place_compare(&first, &second) < 0);
	assert_true(core_place_compare(&third, &second) > 0);
	assert_int_equal(core_place_compare(&third, &third), 0);
}

int core_topology_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_have_the_names_of_perf),
		cmocka_unit_test(a_machine_without_dies),
		cmocka_unit_test(what_the_kernel_does_not_tell),
		cmocka_unit_test(groups_are_in_order),
	};
	return cmocka_run_group_tests_name("core_topology", tests, make_machine, remove_machine);
}
