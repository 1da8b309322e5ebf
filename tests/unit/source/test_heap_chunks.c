// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/heap_chunks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { START = 0x10000, BYTES = 4096, USED = 1 };

/** A row of chunks of these sizes, all in use but those that are listed as free. */
static void fill(uint8_t *bytes, const uint64_t *sizes, size_t num, size_t free_one)
{
	uint64_t at = 0;
	memset(bytes, 0, BYTES);
	for (size_t i = 0; i < num; i++) {
		uint64_t word = sizes[i] | (i > 0 && i - 1 == free_one ? 0 : USED);
		memcpy(bytes + at + 8, &word, sizeof(word));
		at += sizes[i];
	}
}

static void an_address_belongs_to_its_block(void **state)
{
	static const uint64_t sizes[] = {32, 1024, 48, 64, 2928};
	uint8_t *bytes = malloc(BYTES);
	struct heap_chunks chunks;
	bool is_heap;
	fill(bytes, sizes, 5, 2);
	assert_no_error(heap_chunks_create(START, START + BYTES, bytes, &chunks, &is_heap));
	assert_true(is_heap);
	assert_int_equal(heap_chunks_find(&chunks, START - 1), 0);
	assert_int_equal(heap_chunks_find(&chunks, START + 15), 0);
	assert_int_equal(heap_chunks_find(&chunks, START + 16), START + 16);
	// Up to the first word of the next chunk; its second word is no block's.
	assert_int_equal(heap_chunks_find(&chunks, START + 39), START + 16);
	assert_int_equal(heap_chunks_find(&chunks, START + 40), 0);
	assert_int_equal(heap_chunks_find(&chunks, START + 48), START + 48);
	assert_int_equal(heap_chunks_find(&chunks, START + 1063), START + 48);
	assert_int_equal(heap_chunks_end(&chunks, START + 48), START + 1064);
	// One that is free, and the top.
	assert_int_equal(heap_chunks_find(&chunks, START + 1072), 0);
	assert_int_equal(heap_chunks_find(&chunks, START + 1120), START + 1120);
	assert_int_equal(heap_chunks_find(&chunks, START + BYTES - 1), 0);
	assert_int_equal(heap_chunks_find(&chunks, START + BYTES), 0);
	assert_int_equal(heap_chunks_find(&chunks, UINT64_MAX), 0);
	assert_false(heap_chunks_reach(&chunks, START + 48));
	assert_true(heap_chunks_reach(&chunks, START + 48));
	assert_true(heap_chunks_is_reached(&chunks, START + 48));
	assert_false(heap_chunks_is_reached(&chunks, START + 16));
	heap_chunks_destroy(&chunks);
	free(bytes);
}

static void what_is_not_a_row_of_chunks_is_no_heap(void **state)
{
	static const uint64_t rows[][3] = {
		{32, 0, 32},               // no end
		{32, 8, 4056},             // too small
		{32, 40, 4024},            // not a multiple
		{32, 4080, 32},            // longer than the rest
		{32, UINT64_MAX - 15, 32}, // ... and far longer
		{32, UINT64_C(1) << 63, 32},
	};
	uint8_t *bytes = malloc(BYTES);
	struct heap_chunks chunks;
	bool is_heap;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fill(bytes, rows[i], 2, SIZE_MAX);
		assert_no_error(heap_chunks_create(START, START + BYTES, bytes, &chunks, &is_heap));
		assert_false(is_heap);
	}
	assert_no_error(heap_chunks_create(START + 8, START + BYTES, bytes, &chunks, &is_heap));
	assert_false(is_heap);
	assert_no_error(heap_chunks_create(START, START, bytes, &chunks, &is_heap));
	assert_false(is_heap);
	free(bytes);
}

/** Whatever the bytes are, what is found is in them. */
static void random_bytes_do_no_harm(void **state)
{
	uint8_t *bytes = malloc(BYTES);
	uint64_t random = 1;
	unsigned num_heaps = 0;
	for (int round = 0; round < 2000; round++) {
		uint64_t sizes[BYTES / 16], left = BYTES;
		size_t num = 0;
		for (; left; left -= sizes[num++]) {
			random = random * 6364136223846793005 + 1442695040888963407;
			sizes[num] = 16 + (random >> 40) % 64 * 16;
			if (sizes[num] > left)
				sizes[num] = left;
		}
		fill(bytes, sizes, num, (random >> 20) % num);
		if (round % 2)
			bytes[(random >> 33) % BYTES] ^= (uint8_t)(random >> 50);
		struct heap_chunks chunks;
		bool is_heap;
		assert_no_error(heap_chunks_create(START, START + BYTES, bytes, &chunks, &is_heap));
		num_heaps += is_heap;
		for (uint64_t at = START; is_heap && at < START + BYTES; at += 8) {
			uint64_t block = heap_chunks_find(&chunks, at);
			assert_true(!block ||
				    (block <= at && at < heap_chunks_end(&chunks, block)));
			assert_true(!block || heap_chunks_end(&chunks, block) <= START + BYTES);
		}
		if (is_heap)
			heap_chunks_destroy(&chunks);
	}
	assert_true(num_heaps >= 1000);
	free(bytes);
}

int heap_chunks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_belongs_to_its_block),
		cmocka_unit_test(what_is_not_a_row_of_chunks_is_no_heap),
		cmocka_unit_test(random_bytes_do_no_harm),
	};
	return cmocka_run_group_tests_name("heap_chunks", tests, NULL, NULL);
}
