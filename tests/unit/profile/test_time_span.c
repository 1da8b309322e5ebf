// SPDX-License-Identifier: Apache-2.0

#include "profile/time_span.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

static struct time_span span_of(uint64_t first, uint64_t last, uint64_t start, uint64_t duration)
{
	struct named_sample samples[] = {{.time_ns = last}, {.time_ns = first}};
	const struct named_profile profile = {.samples = samples,
					      .num_samples = 2,
					      .start_time_ns = start,
					      .duration_ns = duration};
	return time_span_of(&profile);
}

static void assert_span(struct time_span span, uint64_t begin, uint64_t end)
{
	assert_int_equal(span.begin_ns, begin);
	assert_int_equal(span.end_ns, end);
}

static void test_the_recording_is_longer_than_its_samples(void **state)
{
	assert_span(span_of(100, 200, 50, 1000), 50, 1050);
	assert_span(span_of(100, 200, 150, 10), 100, 200);
}

static void test_what_has_no_times_begins_at_0(void **state)
{
	assert_span(span_of(0, 0, 5000, 100), 0, 0);
	assert_span(span_of(100, 200, 0, 5000), 100, 200);
	assert_span(time_span_of(&(struct named_profile){0}), 0, 0);
}

static void test_hostile_times(void **state)
{
	assert_span(span_of(1, UINT64_MAX, 2, UINT64_MAX), 1, UINT64_MAX);
	assert_span(span_of(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX,
		    UINT64_MAX);
}

int time_span_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_recording_is_longer_than_its_samples),
		cmocka_unit_test(test_what_has_no_times_begins_at_0),
		cmocka_unit_test(test_hostile_times),
	};
	return cmocka_run_group_tests_name("time_span", tests, NULL, NULL);
}
