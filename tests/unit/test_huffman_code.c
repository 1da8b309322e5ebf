// SPDX-License-Identifier: Apache-2.0

#include "view/huffman_code.h"

#include "base/array.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct huffman_code code;

/** No code begins with another one, and there is no room for one more. */
static void assert_complete(unsigned max_bits)
{
	static bool taken[1 << HUFFMAN_MAX_BITS];
	size_t num_taken = 0, size = (size_t)1 << max_bits;
	for (size_t i = 0; i < size; i++)
		taken[i] = false;
	for (size_t i = 0; i < code.num_symbols; i++) {
		unsigned length = code.lengths[i];
		if (!length)
			continue;
		assert_in_range(length, 1, max_bits);
		// The first bit that is written is the lowest one.
		for (size_t rest = 0; rest < size >> length; rest++) {
			size_t bits = rest << length | code.codes[i];
			assert_false(taken[bits]);
			taken[bits] = true;
			num_taken++;
		}
	}
	assert_int_equal(num_taken, size);
}

static void test_frequent_symbols_are_short(void **state)
{
	static const uint32_t counts[] = {5, 9, 12, 13, 16, 45};
	static const uint8_t lengths[] = {4, 4, 3, 3, 3, 1};
	huffman_code_init(&code, ARRAY_SIZE(counts));
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		code.counts[i] = counts[i];
	huffman_code_build(&code, HUFFMAN_MAX_BITS);
	assert_memory_equal(code.lengths, lengths, sizeof(lengths));
	assert_complete(HUFFMAN_MAX_BITS);
	assert_int_equal(huffman_code_cost(&code), 224);
}

static void test_two_symbols_at_least(void **state)
{
	huffman_code_init(&code, 30);
	huffman_code_build(&code, HUFFMAN_MAX_BITS);
	assert_complete(HUFFMAN_MAX_BITS);
	huffman_code_init(&code, 30);
	code.counts[17] = 1000;
	huffman_code_build(&code, HUFFMAN_MAX_BITS);
	assert_int_equal(code.lengths[17], 1);
	assert_complete(HUFFMAN_MAX_BITS);
}

// Fibonacci's numbers make the deepest tree.
static void test_depth_is_limited(void **state)
{
	static const unsigned limits[] = {5, 7, 15};
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		huffman_code_init(&code, 32);
		uint32_t before = 0, count = 1;
		for (size_t symbol = 0; symbol < 32; symbol++) {
			code.counts[symbol] = count;
			count += before;
			before = count - before;
		}
		huffman_code_build(&code, limits[i]);
		assert_complete(limits[i]);
		for (size_t symbol = 1; symbol < 32; symbol++)
			assert_true(code.lengths[symbol] <= code.lengths[symbol - 1]);
	}
}

static double entropy(void)
{
	double total = 0, bits = 0;
	for (size_t i = 0; i < code.num_symbols; i++)
		total += code.counts[i];
	for (size_t i = 0; i < code.num_symbols; i++)
		if (code.counts[i])
			bits += code.counts[i] * log2(total / code.counts[i]);
	return bits;
}

static void test_random_counts(void **state)
{
	uint32_t seed = 1;
	for (int round = 0; round < 300; round++) {
		huffman_code_init(&code, 2 + seed % (HUFFMAN_MAX_SYMBOLS - 1));
		uint32_t total = 0;
		for (size_t i = 0; i < code.num_symbols; i++) {
			seed = seed * 1664525 + 1013904223;
			code.counts[i] = (seed >> 16) >> (seed >> 8 & 15);
			total += code.counts[i];
		}
		huffman_code_build(&code, HUFFMAN_MAX_BITS);
		assert_complete(HUFFMAN_MAX_BITS);
		double cost = (double)huffman_code_cost(&code);
		// Codes of whole bits lose less than one bit for each symbol.
		assert_true(cost + 0.001 >= entropy() && cost <= entropy() + total + 2);
	}
}

int huffman_code_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frequent_symbols_are_short),
		cmocka_unit_test(test_two_symbols_at_least),
		cmocka_unit_test(test_depth_is_limited),
		cmocka_unit_test(test_random_counts),
	};
	return cmocka_run_group_tests_name("huffman_code", tests, NULL, NULL);
}
