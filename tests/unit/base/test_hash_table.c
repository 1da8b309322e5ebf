// SPDX-License-Identifier: Apache-2.0

#include "base/container/hash_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

struct numbers {
	uint64_t *items;
	uint32_t num_items;
};

static bool number_equals(const void *owner, uint32_t index, const void *key)
{
	const struct numbers *numbers = owner;
	assert_in_range(index, 0, numbers->num_items - 1);
	return numbers->items[index] == *(const uint64_t *)key;
}

// A generator of our own: the same numbers everywhere.
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

// The naive array knows for each possible key where it is.
static void check_against_array(uint64_t (*hash)(uint64_t key), uint32_t num_inserts,
				uint32_t num_keys)
{
	_cleanup_(hash_table_deinit) struct hash_table table = HASH_TABLE_INIT;
	_cleanup_free_ uint64_t *items = calloc(num_inserts, sizeof(*items));
	_cleanup_free_ uint32_t *place = malloc(num_keys * sizeof(*place));
	memset(place, 0xff, num_keys * sizeof(*place));
	struct numbers numbers = {.items = items};
	uint64_t seed = 12345;
	for (uint32_t i = 0; i < num_inserts; i++) {
		uint64_t key = next_random(&seed) % num_keys;
		uint32_t index = hash_table_find(&table, hash(key), number_equals, &numbers, &key);
		assert_int_equal(index, place[key]);
		hash_table_prefetch(&table, hash(key));
		// It may be another number with the same kept part of its hash.
		uint32_t guess = hash_table_guess(&table, hash(key));
		assert_true(guess != HASH_TABLE_NONE || index == HASH_TABLE_NONE);
		assert_true(guess == HASH_TABLE_NONE || guess < numbers.num_items);
		if (index != HASH_TABLE_NONE)
			continue;
		place[key] = numbers.num_items;
		items[numbers.num_items] = key;
		assert_null(hash_table_insert(&table, hash(key), numbers.num_items++));
	}
	for (uint64_t key = 0; key < num_keys; key++)
		assert_int_equal(hash_table_find(&table, hash(key), number_equals, &numbers, &key),
				 place[key]);
	assert_int_equal(table.num_items, numbers.num_items);
	assert_true(table.num_items <= table.num_slots / 4 * 3);
}

static uint64_t hash_number(uint64_t key)
{
	return hash_bytes(&key, sizeof(key));
}

static uint64_t hash_identity(uint64_t key)
{
	return key;
}

static uint64_t hash_badly(uint64_t key)
{
	return key % 7;
}

static void test_finds_what_an_array_finds(void **state)
{
	check_against_array(hash_number, 100000, 70000);
	check_against_array(hash_number, 100000, 10000000);
}

static void test_poor_hashes_are_slow_not_wrong(void **state)
{
	check_against_array(hash_identity, 100000, 70000);
	check_against_array(hash_badly, 3000, 2000);
}

static bool never_equal(const void *owner, uint32_t index, const void *key)
{
	return false;
}

static void test_an_empty_table_has_nothing(void **state)
{
	struct hash_table table = HASH_TABLE_INIT;
	assert_int_equal(hash_table_find(&table, 0, never_equal, NULL, NULL), HASH_TABLE_NONE);
	hash_table_deinit(&table);
	hash_table_deinit(&table);
}

static void test_the_index_that_means_none_is_refused(void **state)
{
	_cleanup_(hash_table_deinit) struct hash_table table = HASH_TABLE_INIT;
	_cleanup_(error_destroyp) struct error *err = hash_table_insert(&table, 1, HASH_TABLE_NONE);
	assert_non_null(err);
	assert_int_equal(table.num_items, 0);
}

static void test_hash_is_the_same_on_every_machine(void **state)
{
	assert_int_equal(hash_bytes("", 0), hash_bytes(NULL, 0));
	assert_int_equal(hash_bytes("cycles", 6), UINT64_C(0x4081bd085963ba06));
	assert_int_equal(hash_bytes("instructions retired", 20), UINT64_C(0xa691b96fb7ee1014));
}

static void test_hash_does_not_care_where_the_bytes_lie(void **state)
{
	char buffer[64];
	uint64_t hash = hash_bytes("stalled-cycles-frontend", 23);
	for (size_t i = 0; i < 16; i++) {
		memset(buffer, (int)i, sizeof(buffer));
		memcpy(buffer + i, "stalled-cycles-frontend", 23);
		assert_int_equal(hash_bytes(buffer + i, 23), hash);
	}
}

static void test_hash_knows_the_length(void **state)
{
	static const char zeros[40];
	for (size_t i = 0; i < sizeof(zeros); i++) {
		for (size_t j = i + 1; j < sizeof(zeros); j++)
			assert_true(hash_bytes(zeros, i) != hash_bytes(zeros, j));
	}
}

// Every bit of the key changes about half of the bits of the hash.
static void test_hash_spreads_each_bit(void **state)
{
	enum { SIZE = 24, ROUNDS = 200 };
	uint64_t seed = 99;
	for (unsigned bit = 0; bit < 8 * SIZE; bit++) {
		unsigned num_changed = 0;
		for (unsigned round = 0; round < ROUNDS; round++) {
			uint64_t key[SIZE / 8];
			for (size_t i = 0; i < SIZE / 8; i++)
				key[i] = next_random(&seed);
			uint64_t before = hash_bytes(key, SIZE);
			((unsigned char *)key)[bit / 8] ^= (unsigned char)(1 << bit % 8);
			uint64_t change = before ^ hash_bytes(key, SIZE);
			num_changed += (unsigned)__builtin_popcountll(change);
		}
		assert_in_range(num_changed, 28 * ROUNDS, 36 * ROUNDS);
	}
}

int hash_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_what_an_array_finds),
		cmocka_unit_test(test_poor_hashes_are_slow_not_wrong),
		cmocka_unit_test(test_an_empty_table_has_nothing),
		cmocka_unit_test(test_the_index_that_means_none_is_refused),
		cmocka_unit_test(test_hash_is_the_same_on_every_machine),
		cmocka_unit_test(test_hash_does_not_care_where_the_bytes_lie),
		cmocka_unit_test(test_hash_knows_the_length),
		cmocka_unit_test(test_hash_spreads_each_bit),
	};
	return cmocka_run_group_tests_name("hash_table", tests, NULL, NULL);
}
