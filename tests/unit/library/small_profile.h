/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_LIBRARY_SMALL_PROFILE_H
#define WPERF_TESTS_UNIT_LIBRARY_SMALL_PROFILE_H

/** A profile as the library gives it, made by hand. Include behind cmocka.h. */

#include "library/library_error.h"
#include "library/library_profile.h"

#include "tests/unit/profile_fixture.h"

#define assert_library_error(expression, expected_kind, expected_message)           \
	do {                                                                        \
		struct wperf_error *error_ = (expression);                          \
		assert_non_null(error_);                                            \
		assert_string_equal(wperf_error_message(error_), expected_message); \
		assert_int_equal(wperf_error_kind_of(error_), expected_kind);       \
		wperf_error_free(error_);                                           \
	} while (0)

#define assert_no_library_error(expression) assert_no_error((struct error *)(expression))

/** main() in line 3 of app calls twice() in lines 7 (2 samples) and 8 (1 sample). */
static inline struct wperf_profile *small_profile(void)
{
	struct wperf_profile *profile = NULL;
	assert_no_error(library_profile_create(&profile));
	struct named_profile *inner = &profile->profile;
	assert_no_error(named_profile_init(inner));
	fixture_event(inner, "cycles");
	fixture_event(inner, "misses");
	fixture_thread(inner, 7, 8, "worker", "app");
	uint32_t module = fixture_module(inner, "/bin/app");
	uint32_t main_frame =
		fixture_frame(inner, fixture_function(inner, "main", module), 3, 0x10);
	uint32_t twice = fixture_function(inner, "twice", module);
	const uint32_t line_7[] = {fixture_frame(inner, twice, 7, 0x20), main_frame};
	const uint32_t line_8[] = {fixture_frame(inner, twice, 8, 0x28), main_frame};
	fixture_sample(inner, line_7, 2, 1000);
	fixture_sample(inner, line_7, 2, 1000);
	fixture_sample(inner, line_8, 2, 2000);
	fputs("note: one\n", profile->notes.stream);
	assert_no_error(library_profile_finish(profile));
	return profile;
}

#endif
