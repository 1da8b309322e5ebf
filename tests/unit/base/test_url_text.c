// SPDX-License-Identifier: Apache-2.0

#include "base/text/url_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_only_unreserved_characters_stay(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder url = STRING_BUILDER_INIT;
	url_text_append(&url, "aZ09-._~");
	assert_string_equal(string_builder_peek(&url), "aZ09-._~");
	url_text_append(&url, " %/?&=#'\"\xff\n");
	assert_string_equal(string_builder_peek(&url), "aZ09-._~%20%25%2F%3F%26%3D%23%27%22%FF%0A");
}

int url_text_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_unreserved_characters_stay),
	};
	return cmocka_run_group_tests_name("url_text", tests, NULL, NULL);
}
