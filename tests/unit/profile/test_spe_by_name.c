// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_by_name.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/hot/hot_list.h"
#include "tests/unit/profile_total.h"
#include "tests/unit/spe_fixture.h"

enum { NUM = 500 };

static void test_what_happened_are_the_events(void **state)
{
	static struct spe_sample samples[NUM];
	_cleanup_(named_profile_deinit) struct named_profile profile;
	spe_fixture_profile(&profile, samples, NUM);
	_cleanup_(spe_by_name_deinit) struct named_profile view = {0};
	assert_no_error(spe_by_name_create(&profile, &view));
	struct named_total all = {0};
	bool has_load = false;
	// The event of the samples is gone, and the other one has none.
	assert_string_equal(named_profile_text(&view, view.events[0].name), "ld_spec");
	for (uint32_t i = 0; i < view.num_events; i++) {
		const char *name = named_profile_text(&view, view.events[i].name);
		named_total_add(&all, profile_total(&view, i));
		has_load |= strcmp(name, "LOAD_STORE_ATOMIC-LOAD-GP/"
					 "retired+level1-data-cache-access") == 0;
		for (uint32_t k = 0; k < i; k++)
			assert_string_not_equal(named_profile_text(&view, view.events[k].name),
						name);
	}
	assert_true(has_load);
	assert_int_equal(all.count, NUM);
	assert_int_equal(profile_total(&view, 0).count, 0);
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&view, HOT_FUNCTION, HOT_BY_SELF, NULL, &list));
	assert_int_equal(list.whole.count, NUM);
}

static void test_other_events_stay_and_latency_does_not(void **state)
{
	static struct spe_sample samples[NUM];
	_cleanup_(named_profile_deinit) struct named_profile profile;
	spe_fixture_profile(&profile, samples, NUM);
	profile.spe->latency_event = fixture_event(&profile, "spe-latency");
	for (uint32_t event = 0; event < profile.num_events; event++) {
		struct named_sample sample = {.weight = 5, .count = 2, .event = event};
		assert_no_error(named_profile_add(&profile, &sample));
	}
	_cleanup_(spe_by_name_deinit) struct named_profile view = {0};
	assert_no_error(spe_by_name_create(&profile, &view));
	assert_string_equal(named_profile_text(&view, view.events[0].name), "ld_spec");
	assert_int_equal(profile_total(&view, 0).count, 2);
	assert_int_equal(profile_total(&view, NAMED_NONE).count, NUM + 2);
	for (size_t i = 0; i < view.num_events; i++)
		assert_string_not_equal(named_profile_text(&view, view.events[i].name),
					"spe-latency");
}

int spe_by_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_happened_are_the_events),
		cmocka_unit_test(test_other_events_stay_and_latency_does_not),
	};
	return cmocka_run_group_tests_name("spe_by_name", tests, NULL, NULL);
}
