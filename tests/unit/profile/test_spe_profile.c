// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_profile.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/tree/stack_table.h"
#include "record/spe/spe_core.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/spe_samples.h"

static void test_branches_have_their_targets(void **state)
{
	_cleanup_(spe_profile_destroyp) struct spe_profile *profile = NULL;
	assert_no_error(spe_profile_create(&profile));
	for (uint32_t i = 0; i < 10; i++) {
		struct spe_sample sample = {
			.record = spe_test_branch(1, i % 5 ? 0 : SPE_TEST_EVENT(MISPREDICTED),
						  0x1000),
			.place = {.stack = 3},
			.target_stack = i < 6 ? 4 : 5,
		};
		assert_true(spe_sample_has_target(&sample));
		assert_false(spe_sample_has_data(&sample));
		assert_no_error(spe_profile_add(profile, &sample));
	}
	assert_int_equal(profile->targets.num_items, 2);
	assert_int_equal(profile->targets.items[0].to, 4);
	assert_int_equal(profile->targets.items[0].count, 6);
	assert_int_equal(profile->targets.items[0].num_mispredicted, 2);
	assert_int_equal(profile->targets.items[1].count, 4);
	assert_int_equal(profile->targets.items[1].num_mispredicted, 0);
	assert_int_equal(profile->lines.num_samples, 0);
}

static void add_access(struct spe_profile *profile, uint32_t pid, uint32_t thread, bool is_store,
		       uint64_t address)
{
	struct spe_sample sample = {
		.record = spe_test_access(is_store, address, 40),
		.place = {.stack = 7, .midr = SPE_CORE_NEOVERSE_N1},
		.pid = pid,
		.line_thread = thread,
	};
	if (!is_store)
		spe_test_set(&sample.record, SPE_VALUE_DATA_SOURCE, 0x9);
	assert_no_error(spe_profile_add(profile, &sample));
}

static const struct cache_line *line_of(const struct spe_profile *profile, uint32_t pid)
{
	for (size_t i = 0; i < CACHE_LINES_MAX; i++) {
		const struct cache_line *line = &profile->lines.lines[i];
		if (line->count && line->pid == pid)
			return line;
	}
	return NULL;
}

static void test_lines_are_of_a_process_or_of_the_kernel(void **state)
{
	_cleanup_(spe_profile_destroyp) struct spe_profile *profile = NULL;
	assert_no_error(spe_profile_create(&profile));
	add_access(profile, 10, 0, true, 0x1000);
	add_access(profile, 11, 1, false, 0x1008);
	add_access(profile, 10, 0, false, UINT64_C(0xffff800000001000));
	add_access(profile, 11, 1, false, UINT64_C(0xffff800000001000));
	assert_int_equal(line_of(profile, 10)->count, 1);
	assert_int_equal(line_of(profile, 11)->count, 1);
	assert_int_equal(line_of(profile, 0)->count, 2);
	const struct cache_access *store = &profile->lines.accesses[line_of(profile, 10)->first];
	assert_true(store->is_write);
	assert_int_equal(store->latency, 40);
	assert_int_equal(store->num_shared, 0);
	const struct cache_access *load = &profile->lines.accesses[line_of(profile, 11)->first];
	assert_false(load->is_write);
	assert_int_equal(load->offset, 8);
	assert_int_equal(load->num_shared, 1);
}

static void test_stacks_get_their_new_numbers(void **state)
{
	_cleanup_(spe_profile_destroyp) struct spe_profile *profile = NULL;
	assert_no_error(spe_profile_create(&profile));
	add_access(profile, 10, 0, true, 0x1000);
	struct spe_sample branch = {
		.record = spe_test_branch(1, 0, 0x2000),
		.place = {.stack = STACK_NONE},
		.target_stack = 1,
	};
	assert_no_error(spe_profile_add(profile, &branch));
	const uint32_t stacks[8] = {[1] = 12, [7] = 17};
	spe_profile_renumber_stacks(profile, stacks);
	assert_int_equal(profile->sums.groups[0].stack, 17);
	assert_int_equal(profile->sums.groups[1].stack, STACK_NONE);
	assert_int_equal(profile->targets.items[0].from, STACK_NONE);
	assert_int_equal(profile->targets.items[0].to, 12);
	assert_int_equal(profile->lines.accesses[0].stack, 17);
}

int spe_profile_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branches_have_their_targets),
		cmocka_unit_test(test_lines_are_of_a_process_or_of_the_kernel),
		cmocka_unit_test(test_stacks_get_their_new_numbers),
	};
	return cmocka_run_group_tests_name("spe_profile", tests, NULL, NULL);
}
