// SPDX-License-Identifier: Apache-2.0

#include "base/text/duration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#define MS UINT64_C(1000000)

static const struct {
	const char *text;
	uint64_t ns;
} good_times[] = {
	{"0", 0},
	{"0.0", 0},
	{"0s", 0},
	{"0.00d", 0},
	{"2", 2000 * MS},
	{"10", 10000 * MS},
	{"1.5", 1500 * MS},
	{"1.05", 1050 * MS},
	{"1.50s", 1500 * MS},
	{"0.01", 10 * MS},
	{"250ms", 250 * MS},
	{"0.01ms", 10000},
	{"0.29ms", 290000},
	{"3m", 180000 * MS},
	{"0.25h", 900000 * MS},
	{"1d", 86400000 * MS},
	{"18446744073.70", UINT64_C(18446744073700000000)},
	{"18446744073709.55ms", UINT64_C(18446744073709550000)},
	{"213503.98d", UINT64_C(18446743872000000000)},
};

static void test_times_are_exact(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(good_times); i++) {
		uint64_t ns = 1;
		if (!duration_parse(good_times[i].text, &ns))
			fail_msg("'%s' is refused", good_times[i].text);
		assert_int_equal(ns, good_times[i].ns);
	}
}

static const char *const bad_times[] = {
	"",
	"1.",
	"1.s",
	".5",
	"01",
	"00",
	"-1",
	"+1",
	"1.234",
	"1.000",
	"1 s",
	" 1",
	"1 ",
	"1S",
	"1M",
	"s",
	"1ss",
	"1sm",
	"1min",
	"1us",
	"1ns",
	"1,5",
	"1..5",
	"1.5.",
	"1e3",
	"0x1",
	"1.-5",
	"1.5 ",
	"inf",
	"1msms",
	"1\n",
	"1.5mss",
	// More than 64 bits of nanoseconds, hundredths, or anything.
	"18446744073.71",
	"18446744073709.56ms",
	"213503.99d",
	"18446744073709551615",
	"18446744073709551616",
	"184467440737095516.15",
	"99999999999999999999999999999999d",
};

static void test_all_else_is_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad_times); i++) {
		uint64_t ns = 42;
		if (duration_parse(bad_times[i], &ns))
			fail_msg("'%s' is taken", bad_times[i]);
		assert_int_equal(ns, 42);
	}
}

int duration_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times_are_exact),
		cmocka_unit_test(test_all_else_is_refused),
	};
	return cmocka_run_group_tests_name("duration", tests, NULL, NULL);
}
