// SPDX-License-Identifier: Apache-2.0

#include "process/process_users.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"

#include <unistd.h>

static const struct file_rights root = {true, 0, 0}, anna = {true, 1000, 100},
				berta = {true, 1001, 100}, nobody_knows = {0};

static void assert_merged(struct file_rights a, struct file_rights b, struct file_rights expected)
{
	_cleanup_(process_users_deinit) struct process_users users = PROCESS_USERS_INIT;
	assert_null(process_users_add(&users, 7, &a));
	assert_null(process_users_add(&users, 8, &root));
	assert_null(process_users_add(&users, 7, &b));
	struct file_rights found = process_users_find(&users, 7);
	assert_int_equal(found.is_known, expected.is_known);
	assert_int_equal(found.user, expected.user);
	assert_int_equal(found.group, expected.group);
}

static void test_a_process_of_two_users_has_the_rights_that_both_have(void **state)
{
	assert_merged(root, root, root);
	assert_merged(anna, anna, anna);
	assert_merged(root, anna, anna);
	assert_merged(anna, root, anna);
	assert_merged(anna, berta, nobody_knows);
	assert_merged(nobody_knows, anna, nobody_knows);
	assert_merged(root, nobody_knows, nobody_knows);
}

static void test_nothing_is_known_of_others(void **state)
{
	struct process_users users = PROCESS_USERS_INIT;
	assert_false(process_users_find(&users, 1).is_known);
}

static void test_a_child_that_has_ended_is_its_parents(void **state)
{
	_cleanup_(process_users_deinit) struct process_users users = PROCESS_USERS_INIT;
	const uint32_t parent = 0x7ffffff0, child = 0x7ffffff1, other = 0x7ffffff2; // none runs
	assert_null(process_users_add(&users, parent, &anna));
	struct record fork = {.kind = RECORD_FORK, .pid = child, .task = {parent, parent}};
	assert_null(process_users_see(&users, &fork));
	assert_int_equal(process_users_find(&users, child).user, anna.user);
	assert_null(
		process_users_see(&users, &(struct record){.kind = RECORD_SAMPLE, .pid = other}));
	assert_false(process_users_find(&users, other).is_known);
}

static void test_ourselves(void **state)
{
	struct file_rights rights = process_rights_read((uint32_t)getpid());
	assert_true(rights.is_known);
	assert_int_equal(rights.user, getuid());
	assert_int_equal(rights.group, getgid());
}

int process_users_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_process_of_two_users_has_the_rights_that_both_have),
		cmocka_unit_test(test_nothing_is_known_of_others),
		cmocka_unit_test(test_a_child_that_has_ended_is_its_parents),
		cmocka_unit_test(test_ourselves),
	};
	return cmocka_run_group_tests_name("process_users", tests, NULL, NULL);
}
