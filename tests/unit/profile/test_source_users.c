// SPDX-License-Identifier: Apache-2.0

#include "profile/source_users.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"

enum { NOBODY = 1 }; /* the bit */

static uint32_t frame_in(struct named_profile *profile, const char *file)
{
	struct named_function function = {.module = NAMED_NONE};
	struct named_frame frame = {.line = 1};
	assert_null(named_profile_string(profile, file, &function.file));
	assert_null(named_profile_string(profile, file, &function.name));
	assert_null(named_profile_function(profile, &function, &frame.function));
	frame.file = function.file;
	uint32_t number;
	assert_null(named_profile_frame(profile, &frame, &number));
	return number;
}

/** A process of @user calls from @outer into @inner. */
static void add_sample(struct named_profile *profile, uint32_t pid, uint32_t user,
		       const char *outer, const char *inner)
{
	struct named_thread thread = {.pid = pid, .tid = pid};
	struct named_sample sample = {.count = 1, .weight = 1};
	const uint32_t frames[] = {frame_in(profile, inner), frame_in(profile, outer)};
	assert_null(named_profile_thread(profile, &thread, &sample.thread));
	profile->threads[sample.thread].rights =
		(struct file_rights){.is_known = user != 0, .user = user, .group = user};
	assert_null(stack_table_intern(&profile->stacks, frames, 2, &sample.stack));
	assert_null(named_profile_add(profile, &sample));
}

/** @user: 0: not known. */
static bool may_read(const struct source_users *users, const char *path, uint32_t user)
{
	uint32_t mask = source_users_find(users, path);
	for (uint32_t i = 0; i < users->num_users; i++)
		if (mask >> i & 1 && users->users[i].is_known == (user != 0) &&
		    users->users[i].user == user)
			return true;
	return false;
}

static void test_one_user_for_all(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(source_users_deinit) struct source_users users = SOURCE_USERS_INIT;
	assert_int_equal(source_users_find(&users, "x.py"), NOBODY);
	assert_null(named_profile_init(&profile));
	add_sample(&profile, 1, 1000, "main.py", "lib.py");
	add_sample(&profile, 2, 1000, "main.py", "lib.py");
	assert_null(source_users_init(&users, &profile));
	assert_true(may_read(&users, "lib.py", 1000));
	assert_true(may_read(&users, "of another line.h", 1000));
	assert_false(may_read(&users, "lib.py", 0));
}

static void test_each_file_by_who_ran_it(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(source_users_deinit) struct source_users users = SOURCE_USERS_INIT;
	assert_null(named_profile_init(&profile));
	add_sample(&profile, 1, 1000, "anna.py", "lib.py");
	add_sample(&profile, 2, 1001, "berta.py", "lib.py");
	add_sample(&profile, 3, 0, "ended.py", "lib.py");
	assert_null(source_users_init(&users, &profile));
	assert_true(may_read(&users, "anna.py", 1000) && !may_read(&users, "anna.py", 1001));
	assert_true(may_read(&users, "berta.py", 1001) && !may_read(&users, "berta.py", 1000));
	assert_true(may_read(&users, "lib.py", 1000) && may_read(&users, "lib.py", 1001));
	assert_int_equal(source_users_find(&users, "ended.py"), NOBODY);
	assert_int_equal(source_users_find(&users, "not in the profile.h"), NOBODY);
}

static void test_more_users_than_there_are_bits(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(source_users_deinit) struct source_users users = SOURCE_USERS_INIT;
	assert_null(named_profile_init(&profile));
	for (uint32_t i = 1; i <= 40; i++)
		add_sample(&profile, i, 1000 + i, i == 40 ? "last.py" : "main.py", "lib.py");
	assert_null(source_users_init(&users, &profile));
	assert_int_equal(source_users_find(&users, "last.py"), NOBODY);
	assert_true(may_read(&users, "main.py", 1001));
}

/** Where programs are in more root folders than can be told apart, no text is better than ours. */
static void test_more_root_folders_than_there_are_bits(void **state)
{
	static const struct file_root roots[40];
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(source_users_deinit) struct source_users users = SOURCE_USERS_INIT;
	assert_null(named_profile_init(&profile));
	for (uint32_t i = 1; i <= 40; i++) {
		add_sample(&profile, i, 1000, i == 40 ? "last.py" : "main.py", "lib.py");
		profile.threads[i - 1].rights.root = i < 39 ? &roots[i] : NULL;
	}
	profile.threads[39].rights.root = &roots[39];
	assert_null(source_users_init(&users, &profile));
	uint32_t mask = source_users_find(&users, "last.py");
	assert_int_equal(mask, UINT32_C(1) << (SOURCE_USERS_MAX - 1));
	assert_true(users.users[SOURCE_USERS_MAX - 1].root->folder < 0);
	assert_ptr_equal(users.users[1].root, &roots[1]);
}

int source_users_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_user_for_all),
		cmocka_unit_test(test_each_file_by_who_ran_it),
		cmocka_unit_test(test_more_users_than_there_are_bits),
		cmocka_unit_test(test_more_root_folders_than_there_are_bits),
	};
	return cmocka_run_group_tests_name("source_users", tests, NULL, NULL);
}
