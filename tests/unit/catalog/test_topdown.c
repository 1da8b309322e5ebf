// SPDX-License-Identifier: Apache-2.0

#include "catalog/topdown.h"

#include "catalog/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void trees_are_made_of_the_cpus_metrics_and_groups(void **state)
{
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++) {
		if (!(*cpu)->topdown)
			continue;
		struct topdown_row rows[TOPDOWN_MAX_ROWS];
		size_t num_rows = topdown_flatten((*cpu)->topdown, rows);
		assert_true(num_rows >= 2);
		for (size_t i = 0; i < num_rows; i++) {
			assert_non_null(cpu_find_metric(*cpu, rows[i].node->metric));
			_cleanup_free_ char *groups = NULL;
			assert_no_error(topdown_look_at((*cpu)->topdown, rows[i].node, &groups));
			char *rest = *groups ? groups : NULL;
			for (char *name; (name = strsep(&rest, ","));)
				assert_non_null(cpu_find_group(*cpu, name + strspn(name, " ")));
		}
	}
}

static void parents_come_before_children(void **state)
{
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	size_t num_rows = topdown_flatten(cpu_find("neoverse-v3")->topdown, rows);
	assert_int_equal(num_rows, 20); // one node hangs on nothing
	assert_string_equal(rows[0].node->metric, "frontend_bound");
	assert_string_equal(rows[1].node->metric, "frontend_core_bound");
	assert_string_equal(rows[2].node->metric, "frontend_core_flush_bound");
	assert_int_equal(rows[2].depth, 2);
	for (size_t i = 1; i < num_rows; i++)
		assert_true(rows[i].depth <= rows[i - 1].depth + 1);
}

static void trees_that_come_back_are_cut(void **state)
{
	static const struct topdown_node nodes[] = {{"a", "b,a"}, {"b", "a,Group"}};
	static const struct topdown_tree tree = {"a,b,nothing", nodes, 2};
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	assert_true(topdown_flatten(&tree, rows) <= TOPDOWN_MAX_ROWS);
	_cleanup_free_ char *groups = NULL;
	assert_no_error(topdown_look_at(&tree, &nodes[1], &groups));
	assert_string_equal(groups, "Group");
}

int topdown_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_are_made_of_the_cpus_metrics_and_groups),
		cmocka_unit_test(parents_come_before_children),
		cmocka_unit_test(trees_that_come_back_are_cut),
	};
	return cmocka_run_group_tests_name("topdown", tests, NULL, NULL);
}
