// SPDX-License-Identifier: Apache-2.0

#include "record/etl/unpack/etl_unpack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"
#include "etl_packing.h"

#include <stdio.h>

// In blocks of their own, so that a tool finds what is read or written outside.
static bool unpacks_to(enum etl_packing packing, const uint8_t *packed, size_t packed_size,
		       const uint8_t *bytes, size_t size)
{
	_cleanup_free_ uint8_t *from = malloc(packed_size + !packed_size);
	_cleanup_free_ uint8_t *to = malloc(size + !size);
	memcpy(from, packed, packed_size);
	return etl_unpack(packing, from, packed_size, to, size) && !memcmp(to, bytes, size);
}

/** Whole, and neither with a byte less nor one more on either side. */
static void assert_unpacks(enum etl_packing packing, const uint8_t *packed, size_t packed_size,
			   const void *bytes, size_t size)
{
	_cleanup_free_ uint8_t *longer = calloc(1, size + 1);
	memcpy(longer, bytes, size);
	assert_true(unpacks_to(packing, packed, packed_size, bytes, size));
	assert_false(unpacks_to(packing, packed, packed_size, longer, size + 1));
	assert_false(unpacks_to(packing, packed, packed_size - 1, bytes, size));
	if (size)
		assert_false(unpacks_to(packing, packed, packed_size, bytes, size - 1));
}

static const uint8_t alphabet[26] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i',
				     'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r',
				     's', 't', 'u', 'v', 'w', 'x', 'y', 'z'};

// [MS-XCA] 3.1.
static void test_xpress_examples_of_the_document(void **state)
{
	uint8_t packed[30] = {0x3f};
	memcpy(packed + 4, alphabet, 26);
	assert_unpacks(ETL_PACKING_XPRESS, packed, 30, alphabet, 26);
	static const uint8_t packed_abc[] = {0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63,
					     0x17, 0x00, 0x0f, 0xff, 0x26, 0x01};
	uint8_t abc[300];
	for (size_t i = 0; i < sizeof(abc); i++)
		abc[i] = alphabet[i % 3];
	assert_unpacks(ETL_PACKING_XPRESS, packed_abc, sizeof(packed_abc), abc, sizeof(abc));
}

// [MS-XCA] 3.3: notes of a melody, and a NUL.
static void test_lznt1_example_of_the_document(void **state)
{
	static const char notes[] =
		"F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D D E E F# D E "
		"F# G F# D E F# G F# E D E A F# F# G A A G F# E D D E F# E D D";
	static const uint8_t packed[] = {0x38, 0xb0, 0x88, 0x46, 0x23, 0x20, 0x00, 0x20, 0x47, 0x20,
					 0x41, 0x00, 0x10, 0xa2, 0x47, 0x01, 0xa0, 0x45, 0x20, 0x44,
					 0x00, 0x08, 0x45, 0x01, 0x50, 0x79, 0x00, 0xc0, 0x45, 0x20,
					 0x05, 0x24, 0x13, 0x88, 0x05, 0xb4, 0x02, 0x4a, 0x44, 0xef,
					 0x03, 0x58, 0x02, 0x8c, 0x09, 0x16, 0x01, 0x48, 0x45, 0x00,
					 0xbe, 0x00, 0x9e, 0x00, 0x04, 0x01, 0x18, 0x90, 0x00};
	assert_unpacks(ETL_PACKING_LZNT1, packed, sizeof(packed), notes, sizeof(notes));
}

// Where another chunk follows, a short one goes on with zeros.
static void test_lznt1_short_chunk(void **state)
{
	static const uint8_t packed[] = {0x01, 0x30, 'a', 'b', 0x00, 0x30, 'c'};
	static const uint8_t bytes[4097] = {'a', 'b', [4096] = 'c'};
	assert_unpacks(ETL_PACKING_LZNT1, packed, sizeof(packed), bytes, sizeof(bytes));
}

// [MS-XCA] 3.2, whose table has the 26 letters and the end.
static void test_xpress_huffman_example_of_the_document(void **state)
{
	static const uint8_t bits[] = {0xd8, 0x52, 0x3e, 0xd7, 0x94, 0x11, 0x5b, 0xe9, 0x19, 0x5f,
				       0xf9, 0xd6, 0x7c, 0xdf, 0x8d, 0x04, 0x00, 0x00, 0x00, 0x00};
	uint8_t packed[256 + sizeof(bits)] = {0};
	packed[48] = 0x50;
	memset(packed + 49, 0x55, 10);
	packed[59] = 0x45;
	packed[60] = 0x44;
	packed[61] = 0x04;
	packed[128] = 0x04;
	memcpy(packed + 256, bits, sizeof(bits));
	assert_unpacks(ETL_PACKING_XPRESS_HUFF, packed, sizeof(packed), alphabet, 26);
}

typedef size_t pack_fn(const uint8_t *bytes, size_t size, uint8_t *ret);

static const struct {
	enum etl_packing packing;
	pack_fn *pack;
} packers[] = {
	{ETL_PACKING_LZNT1, etl_pack_lznt1},
	{ETL_PACKING_XPRESS, etl_pack_xpress},
	{ETL_PACKING_XPRESS_HUFF, etl_pack_xpress_huffman},
};

static void assert_round_trip(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		_cleanup_free_ uint8_t *packed = malloc(2 * size + 4096);
		size_t packed_size = packers[i].pack(bytes, size, packed);
		assert_unpacks(packers[i].packing, packed, packed_size, bytes, size);
	}
}

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*seed >> 33);
}

/** Pieces of random bytes, and repetitions of any distance and length. */
static void fill(uint8_t *bytes, size_t size, uint64_t *seed)
{
	uint32_t num_letters = 1 + next_random(seed) % 255;
	for (size_t at = 0; at < size;) {
		size_t length = 1 + next_random(seed) % (1u << next_random(seed) % 12);
		size_t distance = 1 + next_random(seed) % (1u << next_random(seed) % 15);
		for (; length && at < size; length--, at++)
			bytes[at] = distance < at ? bytes[at - distance]
						  : (uint8_t)(next_random(seed) % num_letters);
	}
}

static void test_random_bytes_come_back(void **state)
{
	uint64_t seed = 1;
	for (int round = 0; round < 400; round++) {
		size_t size = next_random(&seed) % (round % 20 ? 6000 : 300000);
		_cleanup_free_ uint8_t *bytes = malloc(size + 1);
		fill(bytes, size, &seed);
		assert_round_trip(bytes, size);
	}
}

// Each distance below the width of a copy, at each place before the end.
static void test_short_distances_and_lengths(void **state)
{
	uint8_t bytes[128];
	for (size_t distance = 1; distance < 20; distance++)
		for (size_t size = distance; size < sizeof(bytes); size++) {
			for (size_t i = 0; i < size; i++)
				bytes[i] = (uint8_t)(i % distance * 7);
			assert_round_trip(bytes, size);
		}
}

// Lengths of each number of bits: 65,538 and more need the longest.
static void test_long_lengths(void **state)
{
	static const size_t sizes[] = {9, 10, 11, 25, 26, 279, 280, 281, 65538, 65540, 70000};
	_cleanup_free_ uint8_t *zeros = calloc(1, 70001);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		assert_round_trip(zeros, sizes[i] + 1);
}

static void test_damage_is_no_crash(void **state)
{
	enum { SIZE = 3000 };
	static uint8_t bytes[SIZE], packed[2 * SIZE + 4096];
	uint64_t seed = 2;
	for (int round = 0; round < 20000; round++) {
		size_t which = (size_t)round % ARRAY_SIZE(packers);
		fill(bytes, SIZE, &seed);
		size_t packed_size = packers[which].pack(bytes, SIZE, packed);
		for (uint32_t num = 1 + next_random(&seed) % 4; num; num--)
			packed[next_random(&seed) % packed_size] = (uint8_t)next_random(&seed);
		unpacks_to(packers[which].packing, packed, packed_size, bytes, SIZE);
	}
}

static void test_what_is_no_packing(void **state)
{
	static const uint8_t bytes[100];
	uint8_t ret[100];
	for (unsigned packing = 0; packing < 70000; packing += packing < 16 ? 1 : 997)
		if (packing < ETL_PACKING_LZNT1 || packing > ETL_PACKING_XPRESS_HUFF)
			assert_false(etl_unpack((enum etl_packing)packing, bytes, 100, ret, 100));
}

int etl_unpack_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_xpress_examples_of_the_document),
		cmocka_unit_test(test_lznt1_example_of_the_document),
		cmocka_unit_test(test_lznt1_short_chunk),
		cmocka_unit_test(test_xpress_huffman_example_of_the_document),
		cmocka_unit_test(test_random_bytes_come_back),
		cmocka_unit_test(test_short_distances_and_lengths),
		cmocka_unit_test(test_long_lengths),
		cmocka_unit_test(test_damage_is_no_crash),
		cmocka_unit_test(test_what_is_no_packing),
	};
	return cmocka_run_group_tests_name("etl_unpack", tests, NULL, NULL);
}
