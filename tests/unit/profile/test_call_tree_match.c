// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/call_tree_match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

#include <string.h>

enum { MAX_DEPTH = 16 };

/** Functions of a sample's stack, outermost first. */
static size_t functions_of(const struct named_profile *profile, uint32_t stack, uint32_t *ret)
{
	size_t length = stack == STACK_NONE ? 0 : profile->stacks.nodes[stack].depth;
	for (size_t i = length; i > 0; i--) {
		ret[i - 1] = profile->frames[profile->stacks.nodes[stack].frame].function;
		stack = profile->stacks.nodes[stack].parent;
	}
	return length;
}

/** The slow way: of all samples of an event whose outer functions are these. */
static struct named_total total_of(const struct named_profile *profile, uint32_t event,
				   const uint32_t *way, size_t depth)
{
	struct named_total total = {0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		uint32_t functions[MAX_DEPTH];
		size_t length = functions_of(profile, sample->stack, functions);
		if (sample->event == event && length >= depth &&
		    memcmp(functions, way, depth * sizeof(*way)) == 0)
			named_total_add(&total,
					(struct named_total){sample->count, sample->weight});
	}
	return total;
}

/** The slow way: samples of the second event with a caller that no sample of the first has. */
static struct named_total gone_of(const struct named_profile *profile)
{
	struct named_total gone = {0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		uint32_t way[MAX_DEPTH];
		size_t depth = functions_of(profile, sample->stack, way);
		if (sample->event == 1 && !total_of(profile, 0, way, depth).count)
			named_total_add(&gone, (struct named_total){sample->count, sample->weight});
	}
	return gone;
}

static struct profile_filter *filter_event(const struct named_profile *profile, uint32_t event)
{
	struct profile_filter *filter;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	assert_no_error(profile_filter_create(profile, &criteria, &filter));
	return filter;
}

static void check_profile(const struct named_profile *profile, double min_percent)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *mine = filter_event(profile, 0);
	_cleanup_(profile_filter_destroyp) struct profile_filter *others = filter_event(profile, 1);
	_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
	_cleanup_(call_tree_match_deinit) struct call_tree_match match = CALL_TREE_MATCH_INIT;
	const struct call_tree_request request = {
		.shape = CALL_TREE_TOP_DOWN,
		.min_percent = min_percent,
		.filter = mine,
	};
	assert_no_error(call_tree_create(profile, &request, &tree));
	assert_no_error(call_tree_match_create(profile, &tree, mine, others, &match));
	uint32_t way[MAX_DEPTH];
	for (size_t i = 0; i < tree.num_nodes; i++) {
		uint32_t depth = tree.nodes[i].depth;
		if (depth)
			way[depth - 1] = tree.nodes[i].function;
		struct named_total wanted = total_of(profile, 1, way, depth);
		assert_int_equal(match.totals[i].count, wanted.count);
		assert_int_equal(match.totals[i].weight, wanted.weight);
	}
	struct named_total gone = gone_of(profile);
	assert_int_equal(match.gone.count, gone.count);
	assert_int_equal(match.gone.weight, gone.weight);
	assert_int_equal(match.whole.weight, match.totals[0].weight);
}

static void test_random_profiles_have_the_sums_of_the_slow_way(void **state)
{
	for (uint32_t seed = 1; seed <= 5; seed++) {
		_cleanup_(named_profile_deinit) struct named_profile profile;
		fixture_random_profile(&profile, seed, 150);
		check_profile(&profile, 0);
		check_profile(&profile, 3);
	}
}

static void test_without_samples_everything_is_gone(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 1, 1, "app", "app");
	fixture_event(&profile, "cycles");
	fixture_event(&profile, "misses");
	uint32_t frame = fixture_place(&profile, "f", "app.c", 1);
	fixture_sample(&profile, &frame, 1, 7);
	profile.samples[0].event = 1;
	check_profile(&profile, 0);
}

int call_tree_match_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_profiles_have_the_sums_of_the_slow_way),
		cmocka_unit_test(test_without_samples_everything_is_gone),
	};
	return cmocka_run_group_tests_name("call_tree_match", tests, NULL, NULL);
}
