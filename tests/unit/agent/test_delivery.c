// SPDX-License-Identifier: Apache-2.0

#include "agent/delivery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_what_follows_from_a_status(void **state)
{
	static const struct {
		int status;
		enum delivery_outcome outcome;
	} rows[] = {
		{200, DELIVERY_ARRIVED},   {202, DELIVERY_ARRIVED},   {400, DELIVERY_REFUSED},
		{413, DELIVERY_REFUSED},   {415, DELIVERY_REFUSED},   {401, DELIVERY_FORBIDDEN},
		{403, DELIVERY_FORBIDDEN}, {404, DELIVERY_FORBIDDEN}, {429, DELIVERY_AGAIN},
		{500, DELIVERY_AGAIN},     {503, DELIVERY_AGAIN},     {301, DELIVERY_AGAIN},
		{0, DELIVERY_AGAIN},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(delivery_outcome(rows[i].status), rows[i].outcome);
}

static void test_pauses_double_up_to_a_limit(void **state)
{
	struct delivery_pause pause = {0};
	for (uint64_t expected = DELIVERY_FIRST_PAUSE_NS; expected < DELIVERY_MAX_PAUSE_NS;
	     expected *= 2) {
		delivery_pause_begin(&pause, 1000, 0, expected / 2);
		assert_int_equal(pause.length_ns, expected);
		assert_int_equal(pause.until_ns, 1000 + expected);
	}
	for (uint64_t random = 0; random < 100; random++) {
		uint64_t spread = random * UINT64_C(0x9e3779b97f4a7c15);
		delivery_pause_begin(&pause, 1000, 0, spread);
		assert_int_equal(pause.length_ns, DELIVERY_MAX_PAUSE_NS);
		assert_in_range(pause.until_ns, 1000 + DELIVERY_MAX_PAUSE_NS / 2,
				1000 + DELIVERY_MAX_PAUSE_NS);
	}
}

static void test_a_server_may_ask_for_more(void **state)
{
	struct delivery_pause pause = {0};
	delivery_pause_begin(&pause, 0, 7, 0);
	assert_int_equal(pause.until_ns, 7 * DELIVERY_FIRST_PAUSE_NS);
	delivery_pause_begin(&pause, 0, UINT32_MAX, 0);
	assert_int_equal(pause.until_ns, 3600 * DELIVERY_FIRST_PAUSE_NS);
	pause.length_ns = DELIVERY_MAX_PAUSE_NS;
	delivery_pause_begin(&pause, 0, 1, 0);
	assert_int_equal(pause.until_ns, DELIVERY_MAX_PAUSE_NS / 2);
}

int delivery_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_follows_from_a_status),
		cmocka_unit_test(test_pauses_double_up_to_a_limit),
		cmocka_unit_test(test_a_server_may_ask_for_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
