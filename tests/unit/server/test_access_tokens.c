// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/access_tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void test_a_new_token_is_found_by_its_line(void **state)
{
	char *token, *line, *other, *other_line;
	char path[] = "/tmp/access_tokens_XXXXXX";
	struct access_tokens tokens = ACCESS_TOKENS_INIT;
	assert_no_error(access_tokens_make("shop:write", &token, &line));
	assert_no_error(access_tokens_make("shop:write", &other, &other_line));
	assert_string_not_equal(token, other);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "# comment\n\n%s\r\n", line) > 0);
	close(fd);
	assert_no_error(access_tokens_read(path, &tokens));
	unlink(path);
	const struct access_token *found = access_tokens_find(&tokens, token);
	assert_non_null(found);
	assert_string_equal(found->tenant, "shop");
	assert_true(found->may_write && !found->may_read);
	assert_null(access_tokens_find(&tokens, other));
	assert_null(access_tokens_find(&tokens, ""));
	// The file is of no use to who has stolen it.
	assert_null(access_tokens_find(&tokens, strchr(line, ':') + 1));
	access_tokens_deinit(&tokens);
	free(token);
	free(line);
	free(other);
	free(other_line);
}

int access_tokens_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_new_token_is_found_by_its_line),
	};
	return cmocka_run_group_tests_name("access_tokens", tests, NULL, NULL);
}
