// SPDX-License-Identifier: Apache-2.0

#include "view/values/number_tables.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/capture.h"

#include <string.h>

/** Programs calculate with what JSON says: no digit is rounded, however long the number is. */
static void json_has_all_digits_of_sums(void **state)
{
	static const struct {
		uint64_t number, times;
		bool is_unsigned;
		const char *expected;
	} rows[] = {
		{12345679, 1, true, "\"sum\":12345679,"},
		{UINT64_MAX, 4, true, "\"sum\":73786976294838206460,"},
		{(uint64_t)INT64_MIN, 3, false, "\"sum\":-27670116110564327424,"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct number_sum sum = {0};
		number_sum_add(&sum, rows[i].number, rows[i].is_unsigned, rows[i].times);
		struct json_writer json = json_writer_create(capture_begin());
		json_begin_object(&json);
		number_tables_write_json(&sum, &json);
		json_end_object(&json);
		assert_no_error(json_finish(&json, "test"));
		_cleanup_free_ char *written = capture_end(json.stream);
		assert_non_null(strstr(written, rows[i].expected));
	}
}

int number_tables_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_has_all_digits_of_sums),
	};
	return cmocka_run_group_tests_name("number_tables", tests, NULL, NULL);
}
