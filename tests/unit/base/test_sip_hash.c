// SPDX-License-Identifier: Apache-2.0

#include "base/container/sip_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** Vectors of the reference implementation: key 00 01 .. 0f, bytes 00 01 02 ... */
static void test_the_vectors_of_the_paper(void **state)
{
	const struct sip_key key = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};
	unsigned char bytes[15];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)i;
	assert_true(sip_hash(key, bytes, 0) == UINT64_C(0x726fdb47dd0e0e31));
	assert_true(sip_hash(key, bytes, 1) == UINT64_C(0x74f839c593dc67fd));
	assert_true(sip_hash(key, bytes, 8) == UINT64_C(0x93f5f5799a932462));
	assert_true(sip_hash(key, bytes, 15) == UINT64_C(0xa129ca6149be45e5));
}

int sip_hash_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_vectors_of_the_paper),
	};
	return cmocka_run_group_tests_name("sip_hash", tests, NULL, NULL);
}
