// SPDX-License-Identifier: Apache-2.0

#include "base/text/wall_time.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#define NOW UINT64_C(1772368205500000000)

static void test_instants(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {
		{"2h", NOW - 7200 * UINT64_C(1000000000)},
		{"1.5d", NOW - 129600 * UINT64_C(1000000000)},
		{"@1772368205", UINT64_C(1772368205000000000)},
		{"1970-01-01", 0},
		{"2026-03-01T12:30:05Z", UINT64_C(1772368205000000000)},
		{"2026-03-01 12:30", UINT64_C(1772368200000000000)},
		{"2024-02-29", UINT64_C(1709164800000000000)},
		{"2000-02-29T23:59:59", UINT64_C(951868799000000000)},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t ns;
		assert_true(wall_time_parse(rows[i].text, NOW, &ns));
		assert_int_equal(ns, rows[i].ns);
	}
}

static void test_what_is_none(void **state)
{
	static const char *const texts[] = {
		"",
		"noon",
		"-2h",
		"@",
		"@-1",
		"@99999999999",
		"2026-02-29",
		"2026-13-01",
		"2026-00-01",
		"2026-03-00",
		"2026-3-1",
		"1969-12-31",
		"2262-01-01",
		"2026-03-01T24:00",
		"2026-03-01T12",
		"2026-03-01T12:30:05+01:00",
		"2100-02-29",
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		uint64_t ns;
		assert_false(wall_time_parse(texts[i], NOW, &ns));
	}
	uint64_t ns;
	assert_false(wall_time_parse("2h", 0, &ns)); // before 1970
}

/** As the C library writes them, and read back. */
static void test_texts_of_many_days(void **state)
{
	for (uint64_t second = 0; second < UINT64_C(9214646400); second += 86400 * 13 + 7919) {
		time_t time = (time_t)second;
		struct tm fields;
		char wanted[32];
		uint64_t ns;
		assert_non_null(gmtime_r(&time, &fields));
		strftime(wanted, sizeof(wanted), "%Y-%m-%dT%H:%M:%SZ", &fields);
		struct wall_time_text text = wall_time_format(second * 1000000000);
		assert_string_equal(text.text, wanted);
		assert_true(wall_time_parse(text.text, NOW, &ns));
		assert_int_equal(ns, second * 1000000000);
	}
}

int wall_time_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instants),
		cmocka_unit_test(test_what_is_none),
		cmocka_unit_test(test_texts_of_many_days),
	};
	return cmocka_run_group_tests_name("wall_time", tests, NULL, NULL);
}
