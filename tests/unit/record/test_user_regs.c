// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/user_regs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void registers_are_found_among_others(void **state)
{
	const struct user_regs_layout *layout = user_regs_layout_find("x86_64");
	assert_int_equal(user_regs_mask(layout), 1 << 6 | 1 << 7 | 1 << 8);
	const uint64_t regs[] = {100, 106, 107, 108};
	struct record_sample sample = {
		.regs_abi = 2, .regs_mask = 1 | 1 << 6 | 1 << 7 | 1 << 8, .regs = regs};
	struct user_regs found;
	assert_true(user_regs_of(layout, &sample, &found));
	assert_int_equal(found.ip, 108);
	assert_int_equal(found.sp, 107);
	assert_int_equal(found.frame, 106);
	assert_int_equal(found.link, 0);
}

static void arm_has_a_link_register(void **state)
{
	const struct user_regs_layout *layout = user_regs_layout_find("aarch64");
	uint64_t regs[33];
	for (uint64_t i = 0; i < 33; i++)
		regs[i] = i;
	struct record_sample sample = {
		.regs_abi = 2, .regs_mask = (UINT64_C(1) << 33) - 1, .regs = regs};
	struct user_regs found;
	assert_true(user_regs_of(layout, &sample, &found));
	assert_int_equal(found.ip, 32);
	assert_int_equal(found.sp, 31);
	assert_int_equal(found.link, 30);
	assert_int_equal(found.frame, 29);
}

static void samples_without_them_are_refused(void **state)
{
	const struct user_regs_layout *layout = user_regs_layout_find("x86_64");
	const uint64_t regs[] = {1, 2};
	struct user_regs found;
	assert_false(user_regs_of(
		layout,
		&(struct record_sample){.regs_abi = 2, .regs_mask = 1 << 6 | 1 << 7, .regs = regs},
		&found));
	assert_false(user_regs_of(
		layout, &(struct record_sample){.regs_abi = 0, .regs_mask = ~0ULL}, &found));
	assert_null(user_regs_layout_find("riscv64"));
}

static void what_is_put_is_found(void **state)
{
	static const char *const machines[] = {"x86_64", "aarch64"};
	for (size_t i = 0; i < 2; i++) {
		const struct user_regs_layout *layout = user_regs_layout_find(machines[i]);
		const struct user_regs regs = {1, 2, 3, i ? 4 : 0};
		uint64_t words[USER_REGS_MAX];
		user_regs_put(layout, &regs, words);
		const struct record_sample sample = {.regs_abi = USER_REGS_ABI_64,
						     .regs_mask = user_regs_mask(layout),
						     .regs = words};
		struct user_regs found;
		assert_true(user_regs_of(layout, &sample, &found));
		assert_memory_equal(&found, &regs, sizeof(regs));
	}
}

int user_regs_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_found_among_others),
		cmocka_unit_test(arm_has_a_link_register),
		cmocka_unit_test(samples_without_them_are_refused),
		cmocka_unit_test(what_is_put_is_found),
	};
	return cmocka_run_group_tests_name("user_regs", tests, NULL, NULL);
}
