// SPDX-License-Identifier: Apache-2.0

#include "process/process_users.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"

#include <unistd.h>

static const struct file_rights root = {.is_known = true},
				anna = {.is_known = true, .user = 1000, .group = 100},
				berta = {.is_known = true, .user = 1001, .group = 100},
				nobody_knows = {0};

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

static void test_other_groups(void **state)
{
	_cleanup_(process_users_deinit) struct process_users users = PROCESS_USERS_INIT;
	struct file_rights first = {true, 1000, 100, {4, 24, 27}, 3, NULL};
	struct file_rights second = {true, 1000, 100, {27, 5, 4}, 3, NULL};
	assert_null(process_users_add(&users, 7, &first));
	assert_null(process_users_add(&users, 7, &second));
	struct file_rights found = process_users_find(&users, 7);
	assert_true(found.is_known);
	assert_int_equal(found.num_groups, 2);
	assert_int_equal(found.groups[0], 4);
	assert_int_equal(found.groups[1], 27);
	assert_null(process_users_add(&users, 7, &root)); // root's own groups are not its user's
	assert_int_equal(process_users_find(&users, 7).num_groups, 2);
}

static void test_the_last_root_folder_counts(void **state)
{
	_cleanup_(process_users_deinit) struct process_users users = PROCESS_USERS_INIT;
	static const struct file_root other = {.folder = -1, .mounts = -1};
	struct file_rights inside = anna;
	inside.root = &other;
	assert_null(process_users_add(&users, 7, &anna));
	assert_null(process_users_add(&users, 7, &inside));
	assert_ptr_equal(process_users_find(&users, 7).root, &other);
	assert_int_equal(process_users_find(&users, 7).user, anna.user);
}

/** Of code nothing is assumed to be private where a recording says nothing. */
static void test_code_of_silent_recordings(void **state)
{
	struct process_users users = {.is_silent = true};
	assert_true(process_users_find_code(&users, 1).is_known);
	assert_int_equal(process_users_find_code(&users, 1).user, 0);
	assert_false(process_users_find(&users, 1).is_known);
	users.is_silent = false;
	assert_false(process_users_find_code(&users, 1).is_known);
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

/** As of `su`: its child may have become anybody before it executed a program. */
static void test_an_unseen_program_is_not_roots(void **state)
{
	_cleanup_(process_users_deinit) struct process_users users = PROCESS_USERS_INIT;
	const uint32_t su = 0x7ffffff0, child = 0x7ffffff1, grandchild = 0x7ffffff2; // none runs
	assert_null(process_users_add(&users, su, &root));
	struct record fork = {.kind = RECORD_FORK, .pid = child, .task = {su, su}};
	assert_null(process_users_see(&users, &fork));
	assert_true(process_users_find(&users, child).is_known);
	struct record exec = {.kind = RECORD_COMM, .pid = child, .comm = {.is_exec = true}};
	assert_null(process_users_see(&users, &exec));
	assert_false(process_users_find(&users, child).is_known);
	assert_true(process_users_find_code(&users, child).is_known);
	fork = (struct record){.kind = RECORD_FORK, .pid = grandchild, .task = {child, child}};
	assert_null(process_users_see(&users, &fork));
	assert_false(process_users_find(&users, grandchild).is_known);
	assert_true(process_users_find(&users, su).is_known);
	assert_null(process_users_add_unseen(&users, 7, &anna)); // who had rights to lose?
	assert_int_equal(process_users_find(&users, 7).user, anna.user);
}

static void test_ourselves(void **state)
{
	struct file_rights rights = process_rights_read((uint32_t)getpid());
	assert_true(rights.is_known);
	assert_int_equal(rights.user, getuid());
	assert_int_equal(rights.group, getgid());
	gid_t groups[FILE_RIGHTS_MAX_GROUPS];
	int num = getgroups(FILE_RIGHTS_MAX_GROUPS, groups);
	assert_int_equal(rights.num_groups, num);
	for (int i = 0; i < num; i++)
		assert_int_equal(rights.groups[i], groups[i]);
	_cleanup_(file_roots_deinit) struct file_roots roots = {0};
	_cleanup_(process_users_deinit) struct process_users users = {.roots = &roots};
	assert_null(process_users_add_ourselves(&users));
	assert_true(process_users_find(&users, (uint32_t)getpid()).is_known);
	assert_null(process_users_find(&users, (uint32_t)getpid()).root);
	assert_int_equal(roots.num_items, 0);
}

static void test_the_forgotten_are_unknown(void **state)
{
	static const uint32_t gone[] = {3, 5, 99};
	_cleanup_(process_users_deinit) struct process_users users = PROCESS_USERS_INIT;
	for (uint32_t pid = 1; pid <= 6; pid++) {
		const struct file_rights rights = {.is_known = true, .user = pid, .group = 1};
		assert_null(process_users_add(&users, pid, &rights));
	}
	assert_null(process_users_forget(&users, gone, ARRAY_SIZE(gone)));
	assert_int_equal(users.num_items, 4);
	for (uint32_t pid = 1; pid <= 6; pid++) {
		bool is_known = process_users_find(&users, pid).is_known;
		assert_int_equal(is_known, pid != 3 && pid != 5);
		if (is_known)
			assert_int_equal(process_users_find(&users, pid).user, pid);
	}
	assert_null(process_users_forget(&users, NULL, 0));
	assert_int_equal(users.num_items, 4);
}

int process_users_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_process_of_two_users_has_the_rights_that_both_have),
		cmocka_unit_test(test_other_groups),
		cmocka_unit_test(test_the_last_root_folder_counts),
		cmocka_unit_test(test_code_of_silent_recordings),
		cmocka_unit_test(test_nothing_is_known_of_others),
		cmocka_unit_test(test_a_child_that_has_ended_is_its_parents),
		cmocka_unit_test(test_an_unseen_program_is_not_roots),
		cmocka_unit_test(test_ourselves),
		cmocka_unit_test(test_the_forgotten_are_unknown),
	};
	return cmocka_run_group_tests_name("process_users", tests, NULL, NULL);
}
