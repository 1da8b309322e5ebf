// SPDX-License-Identifier: Apache-2.0

#include "server/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *bytes, size_t size, const char *wanted)
{
	char text[SHA256_TEXT_SIZE];
	sha256_text(bytes, size, text);
	assert_string_equal(text, wanted);
}

// Of FIPS 180-2, appendix B.
static void test_examples_of_the_standard(void **state)
{
	static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check(two_blocks, strlen(two_blocks),
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	char *million = malloc(1000000);
	assert_non_null(million);
	memset(million, 'a', 1000000);
	check(million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(million);
}

int sha256_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples_of_the_standard),
	};
	return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
