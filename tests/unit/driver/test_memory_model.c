// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/memory_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE = 4096 };

static struct memory_model *create(const struct memory_model_config *config)
{
	size_t size = memory_model_size(config);
	assert_int_equal(size % 64, 0);
	void *memory = aligned_alloc(64, size);
	assert_non_null(memory);
	memset(memory, 0xa5, size);
	return memory_model_init(memory, config);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

// The reference: every line has the time of its last use, and everything is looked for.

struct naive_line {
	uint64_t start;
	uint64_t used; // 0: there is none
	bool is_dirty;
};

struct naive_level {
	struct cache_shape shape;
	struct naive_line *lines;
};

struct naive_model {
	struct naive_level levels[NUM_MODEL_LEVELS];
	uint64_t counts[NUM_MODEL_EVENTS];
	uint64_t now;
};

static struct naive_model *naive_create(const struct memory_model_config *config)
{
	struct naive_model *model = calloc(1, sizeof(*model));
	assert_non_null(model);
	for (unsigned i = 0; i < NUM_MODEL_LEVELS; i++) {
		struct naive_level *level = &model->levels[i];
		level->shape = config->levels[i];
		level->lines = calloc(level->shape.size / level->shape.line, sizeof(*level->lines));
		assert_non_null(level->lines);
	}
	return model;
}

static void naive_destroy(struct naive_model *model)
{
	for (unsigned i = 0; i < NUM_MODEL_LEVELS; i++)
		free(model->levels[i].lines);
	free(model);
}

// False: a miss, and @ret_old is what was in its place.
static bool naive_use(struct naive_model *model, enum model_level number, uint64_t start,
		      bool is_write, struct naive_line *ret_old)
{
	struct naive_level *level = &model->levels[number];
	uint64_t num_sets = level->shape.size / level->shape.line / level->shape.ways;
	struct naive_line *set =
		&level->lines[start / level->shape.line % num_sets * level->shape.ways];
	struct naive_line *oldest = set;
	model->now++;
	for (struct naive_line *line = set; line < set + level->shape.ways; line++) {
		if (line->used && line->start == start) {
			line->used = model->now;
			line->is_dirty |= is_write;
			return true;
		}
		if (line->used < oldest->used)
			oldest = line;
	}
	*ret_old = *oldest;
	*oldest = (struct naive_line){start, model->now, is_write};
	return false;
}

static void naive_walk_cache(struct naive_model *model, enum model_level number, uint64_t address,
			     uint64_t size, bool is_write);

// What one access counts, by level: all, reads, writes, and the same of misses; then write-backs.
enum { ALL, READS, WRITES, MISSES, READ_MISSES, WRITE_MISSES, WRITE_BACKS, NUM_KINDS };

static const enum model_event cache_events[][NUM_KINDS] = {
	[MODEL_L1D] = {MODEL_L1D_CACHE, MODEL_L1D_CACHE_RD, MODEL_L1D_CACHE_WR,
		       MODEL_L1D_CACHE_REFILL, MODEL_L1D_CACHE_REFILL_RD, MODEL_L1D_CACHE_REFILL_WR,
		       MODEL_L1D_CACHE_WB},
	[MODEL_L1I] = {MODEL_L1I_CACHE, NUM_MODEL_EVENTS, NUM_MODEL_EVENTS, MODEL_L1I_CACHE_REFILL,
		       NUM_MODEL_EVENTS, NUM_MODEL_EVENTS, NUM_MODEL_EVENTS},
	[MODEL_L2] = {MODEL_L2D_CACHE, MODEL_L2D_CACHE_RD, MODEL_L2D_CACHE_WR,
		      MODEL_L2D_CACHE_REFILL, NUM_MODEL_EVENTS, NUM_MODEL_EVENTS,
		      MODEL_L2D_CACHE_WB},
	[MODEL_LL] = {NUM_MODEL_EVENTS, MODEL_LL_CACHE_RD, NUM_MODEL_EVENTS, NUM_MODEL_EVENTS,
		      MODEL_LL_CACHE_MISS_RD, NUM_MODEL_EVENTS, NUM_MODEL_EVENTS},
};

static void naive_count(struct naive_model *model, enum model_event event)
{
	if (event != NUM_MODEL_EVENTS)
		model->counts[event]++;
}

static void naive_use_cache(struct naive_model *model, enum model_level number, uint64_t start,
			    bool is_write)
{
	const enum model_event *events = cache_events[number];
	naive_count(model, events[ALL]);
	naive_count(model, events[is_write ? WRITES : READS]);
	struct naive_line old;
	if (naive_use(model, number, start, is_write, &old))
		return;
	naive_count(model, events[MISSES]);
	naive_count(model, events[is_write ? WRITE_MISSES : READ_MISSES]);
	if (number == MODEL_LL)
		return;
	enum model_level next = number == MODEL_L2 ? MODEL_LL : MODEL_L2;
	uint64_t line = model->levels[number].shape.line;
	if (old.used && old.is_dirty) {
		naive_count(model, events[WRITE_BACKS]);
		naive_walk_cache(model, next, old.start, line, true);
	}
	naive_walk_cache(model, next, start, line, false);
}

// Goes byte by byte.
static void naive_walk_cache(struct naive_model *model, enum model_level number, uint64_t address,
			     uint64_t size, bool is_write)
{
	uint64_t line = model->levels[number].shape.line;
	for (uint64_t i = 0; i < size; i++)
		if (i == 0 || (address + i) % line == 0)
			naive_use_cache(model, number, (address + i) / line * line, is_write);
}

static void naive_use_tlb(struct naive_model *model, enum model_level number, uint64_t page)
{
	bool is_data = number == MODEL_L1D_TLB;
	struct naive_line old;
	naive_count(model, is_data ? MODEL_L1D_TLB_EVENT : MODEL_L1I_TLB_EVENT);
	if (naive_use(model, number, page, false, &old))
		return;
	naive_count(model, is_data ? MODEL_L1D_TLB_REFILL : MODEL_L1I_TLB_REFILL);
	naive_count(model, MODEL_L2D_TLB);
	if (naive_use(model, MODEL_L2_TLB, page, false, &old))
		return;
	naive_count(model, MODEL_L2D_TLB_REFILL);
	naive_count(model, is_data ? MODEL_DTLB_WALK : MODEL_ITLB_WALK);
}

static void naive_access(struct naive_model *model, bool is_data, uint64_t address, uint32_t size,
			 bool is_write)
{
	enum model_level cache = is_data ? MODEL_L1D : MODEL_L1I;
	enum model_level tlb = is_data ? MODEL_L1D_TLB : MODEL_L1I_TLB;
	uint64_t line = model->levels[cache].shape.line;
	for (uint64_t i = 0; i < size; i++)
		if (i == 0 || (address + i) % line == 0)
			naive_use_tlb(model, tlb, (address + i) / PAGE * PAGE);
	naive_walk_cache(model, cache, address, size, is_write);
}

#define TLB(entries, ways)                     \
	{                                      \
		(entries) * PAGE, (ways), PAGE \
	}

static const struct memory_model_config shapes[] = {
	// Small ones, so that everything happens often.
	{{{1024, 2, 64},
	  {512, 2, 64},
	  {4096, 4, 64},
	  {16384, 8, 64},
	  TLB(4, 4),
	  TLB(2, 2),
	  TLB(16, 4)}},
	// One line, one way, ways that are no power of two.
	{{{16, 1, 16}, {64, 1, 64}, {192, 3, 64}, {320, 5, 64}, TLB(1, 1), TLB(3, 3), TLB(6, 3)}},
	// Lines that grow, and lines that shrink.
	{{{512, 1, 16},
	  {1024, 2, 32},
	  {4096, 2, 128},
	  {65536, 4, 4096},
	  TLB(8, 2),
	  TLB(4, 1),
	  TLB(8, 8)}},
	{{{16384, 2, 4096},
	  {1024, 4, 256},
	  {16384, 4, 64},
	  {16384, 16, 16},
	  TLB(7, 7),
	  TLB(5, 5),
	  TLB(24, 3)}},
	// Smaller below than above.
	{{{8192, 4, 64},
	  {8192, 4, 64},
	  {1024, 2, 64},
	  {256, 1, 64},
	  TLB(32, 32),
	  TLB(16, 4),
	  TLB(4, 2)}},
};

// Walks, jumps near by and anywhere, and the end of the address space.
static uint64_t random_address(uint64_t last, uint64_t *seed)
{
	switch (next_random(seed) % 8) {
	case 0:
		return UINT64_C(0x7fff00000000) + next_random(seed) % (64 * PAGE);
	case 1:
		return UINT64_C(0) - next_random(seed) % 256;
	case 2:
		return next_random(seed) % (4 * PAGE);
	case 3:
		return next_random(seed) << 33 ^ next_random(seed);
	case 4:
		return last - next_random(seed) % 128;
	default:
		return last + next_random(seed) % 32;
	}
}

static uint32_t random_size(uint64_t *seed)
{
	static const uint32_t sizes[] = {0, 1, 2, 4, 4, 8, 8, 8, 16, 16, 32, 64, 256, 5000};
	return sizes[next_random(seed) % (sizeof(sizes) / sizeof(sizes[0]))];
}

static void assert_consistent(const uint64_t *counts)
{
	assert_int_equal(counts[MODEL_L1D_CACHE],
			 counts[MODEL_L1D_CACHE_RD] + counts[MODEL_L1D_CACHE_WR]);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL],
			 counts[MODEL_L1D_CACHE_REFILL_RD] + counts[MODEL_L1D_CACHE_REFILL_WR]);
	assert_true(counts[MODEL_L1D_CACHE_REFILL_RD] <= counts[MODEL_L1D_CACHE_RD]);
	assert_true(counts[MODEL_L1D_CACHE_REFILL_WR] <= counts[MODEL_L1D_CACHE_WR]);
	assert_true(counts[MODEL_L1D_CACHE_WB] <= counts[MODEL_L1D_CACHE_REFILL]);
	assert_true(counts[MODEL_L1I_CACHE_REFILL] <= counts[MODEL_L1I_CACHE]);
	assert_int_equal(counts[MODEL_L2D_CACHE],
			 counts[MODEL_L2D_CACHE_RD] + counts[MODEL_L2D_CACHE_WR]);
	assert_true(counts[MODEL_L2D_CACHE_REFILL] <= counts[MODEL_L2D_CACHE]);
	assert_true(counts[MODEL_L2D_CACHE_WB] <= counts[MODEL_L2D_CACHE_REFILL]);
	assert_true(counts[MODEL_LL_CACHE_MISS_RD] <= counts[MODEL_LL_CACHE_RD]);
	assert_int_equal(counts[MODEL_L1D_TLB_EVENT], counts[MODEL_L1D_CACHE]);
	assert_int_equal(counts[MODEL_L1I_TLB_EVENT], counts[MODEL_L1I_CACHE]);
	assert_true(counts[MODEL_L1D_TLB_REFILL] <= counts[MODEL_L1D_TLB_EVENT]);
	assert_true(counts[MODEL_L1I_TLB_REFILL] <= counts[MODEL_L1I_TLB_EVENT]);
	assert_int_equal(counts[MODEL_L2D_TLB],
			 counts[MODEL_L1D_TLB_REFILL] + counts[MODEL_L1I_TLB_REFILL]);
	assert_int_equal(counts[MODEL_L2D_TLB_REFILL],
			 counts[MODEL_DTLB_WALK] + counts[MODEL_ITLB_WALK]);
	assert_true(counts[MODEL_L2D_TLB_REFILL] <= counts[MODEL_L2D_TLB]);
}

// Where all lines are of one size, a level sees exactly what the one above misses.
static void assert_levels_join(const uint64_t *counts)
{
	assert_int_equal(counts[MODEL_L2D_CACHE_RD],
			 counts[MODEL_L1D_CACHE_REFILL] + counts[MODEL_L1I_CACHE_REFILL]);
	assert_int_equal(counts[MODEL_L2D_CACHE_WR], counts[MODEL_L1D_CACHE_WB]);
	assert_int_equal(counts[MODEL_LL_CACHE_RD], counts[MODEL_L2D_CACHE_REFILL]);
}

static void compare_with_naive(const struct memory_model_config *config, uint64_t seed,
			       unsigned num_accesses)
{
	struct memory_model *model = create(config);
	struct naive_model *naive = naive_create(config);
	const uint64_t *counts = memory_model_counts(model);
	uint64_t data = 0, code = 0;
	for (unsigned i = 0; i < num_accesses; i++) {
		uint32_t size = random_size(&seed);
		bool is_write = next_random(&seed) % 3 == 0;
		bool is_data = next_random(&seed) % 4 != 0;
		uint64_t *address = is_data ? &data : &code;
		*address = random_address(*address, &seed);
		if (is_data)
			memory_model_data(model, *address, size, is_write);
		else
			memory_model_fetch(model, *address, size);
		naive_access(naive, is_data, *address, size, is_data && is_write);
		assert_memory_equal(counts, naive->counts, sizeof(naive->counts));
	}
	assert_consistent(counts);
	for (unsigned i = 0; i < NUM_MODEL_EVENTS; i++)
		assert_true(counts[i] > 0);
	naive_destroy(naive);
	free(model);
}

static void random_accesses_count_as_in_the_reference(void **state)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		for (uint64_t seed = 1; seed <= 4; seed++)
			compare_with_naive(&shapes[i], seed, 10000);
	compare_with_naive(&memory_model_default, 5, 50000);
}

static void equal_lines_join_the_levels(void **state)
{
	struct memory_model *model = create(&shapes[0]);
	uint64_t seed = 3;
	for (unsigned i = 0; i < 100000; i++) {
		memory_model_data(model, next_random(&seed) % (1 << 16), 8, next_random(&seed) & 1);
		memory_model_fetch(model, next_random(&seed) % (1 << 14), 32);
	}
	assert_consistent(memory_model_counts(model));
	assert_levels_join(memory_model_counts(model));
	free(model);
}

static void walk(struct memory_model *model, uint64_t bytes, uint32_t stride, bool is_write)
{
	for (uint64_t at = 0; at < bytes; at += stride)
		memory_model_data(model, at, 8, is_write);
}

static void what_fits_misses_only_once(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	for (unsigned i = 0; i < 10; i++)
		walk(model, 64 << 10, 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE], 10 * 8192);
	assert_int_equal(counts[MODEL_L1D_CACHE_RD], 10 * 8192);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL], 1024);
	assert_int_equal(counts[MODEL_L2D_CACHE_REFILL], 1024);
	assert_int_equal(counts[MODEL_LL_CACHE_MISS_RD], 1024);
	assert_int_equal(counts[MODEL_L1D_TLB_REFILL], 16);
	assert_int_equal(counts[MODEL_DTLB_WALK], 16);
	assert_int_equal(counts[MODEL_L1D_CACHE_WB], 0);
	free(model);
}

static void a_walk_over_twice_the_cache_always_misses(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	for (unsigned i = 0; i < 10; i++)
		walk(model, 128 << 10, 64, false);
	assert_int_equal(counts[MODEL_L1D_CACHE], 10 * 2048);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL], 10 * 2048);
	assert_int_equal(counts[MODEL_L2D_CACHE_RD], 10 * 2048);
	assert_int_equal(counts[MODEL_L2D_CACHE_REFILL], 2048);
	free(model);
}

static void one_set_holds_as_many_lines_as_ways(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	const uint64_t same_set = 16 << 10; // 64K in 4 ways
	for (unsigned i = 0; i < 100; i++)
		memory_model_data(model, i % 4 * same_set, 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL], 4);
	// The fifth takes the place of the first, which was used longest ago.
	memory_model_data(model, 4 * same_set, 8, false);
	for (unsigned i = 1; i < 4; i++)
		memory_model_data(model, i * same_set, 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL], 5);
	memory_model_data(model, 0, 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL], 6);
	free(model);
}

static void dirty_lines_are_written_back(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	walk(model, 64 << 10, 64, true);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL_WR], 1024);
	assert_int_equal(counts[MODEL_L1D_CACHE_WB], 0);
	for (uint64_t at = 64 << 10; at < 128 << 10; at += 64)
		memory_model_data(model, at, 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_WB], 1024);
	assert_int_equal(counts[MODEL_L2D_CACHE_WR], 1024);
	// They are clean now, and so are those that threw them out.
	walk(model, 128 << 10, 64, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_WB], 1024);
	assert_int_equal(counts[MODEL_L2D_CACHE_WB], 0);
	free(model);
}

static void a_line_that_was_read_first_gets_dirty(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	memory_model_data(model, 0, 8, false);
	memory_model_data(model, 8, 8, true);
	memory_model_data(model, 16, 8, false);
	for (uint64_t i = 1; i <= 4; i++)
		memory_model_data(model, i * (16 << 10), 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_WB], 1);
	free(model);
}

static void an_access_over_the_end_of_a_line_is_two(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	memory_model_data(model, 0x1000 - 4, 8, true);
	assert_int_equal(counts[MODEL_L1D_CACHE_WR], 2);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL_WR], 2);
	assert_int_equal(counts[MODEL_L1D_TLB_EVENT], 2);
	assert_int_equal(counts[MODEL_DTLB_WALK], 2);
	memory_model_data(model, 0x1000 - 8, 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_RD], 1);
	memory_model_data(model, 0x1001, 192, false);
	assert_int_equal(counts[MODEL_L1D_CACHE_RD], 5);
	memory_model_fetch(model, 0x403c, 8);
	assert_int_equal(counts[MODEL_L1I_CACHE], 2);
	assert_int_equal(counts[MODEL_L1I_CACHE_REFILL], 2);
	assert_int_equal(counts[MODEL_ITLB_WALK], 1);
	free(model);
}

static void no_bytes_are_no_access(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	static const uint64_t nothing[NUM_MODEL_EVENTS];
	memory_model_data(model, 0, 0, true);
	memory_model_fetch(model, 0, 0);
	memory_model_data(model, 100, 0, false);
	assert_memory_equal(memory_model_counts(model), nothing, sizeof(nothing));
	memory_model_data(model, 100, 1, false);
	memory_model_data(model, 100, 0, false);
	assert_int_equal(memory_model_counts(model)[MODEL_L1D_CACHE], 1);
	free(model);
}

static void pages_walk_when_no_tlb_has_them(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	for (unsigned i = 0; i < 10; i++)
		walk(model, 1280 * PAGE, PAGE, false);
	// More than the first level has, in turn: always missed there, once in the second.
	assert_int_equal(counts[MODEL_L1D_TLB_REFILL], 12800);
	assert_int_equal(counts[MODEL_L2D_TLB], 12800);
	assert_int_equal(counts[MODEL_DTLB_WALK], 1280);
	// The second level is of both kinds.
	memory_model_fetch(model, 1279 * PAGE, 4);
	assert_int_equal(counts[MODEL_L1I_TLB_REFILL], 1);
	assert_int_equal(counts[MODEL_ITLB_WALK], 0);
	memory_model_fetch(model, 2000 * PAGE, 4);
	assert_int_equal(counts[MODEL_ITLB_WALK], 1);
	free(model);
}

static void code_and_data_share_the_second_level(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	memory_model_fetch(model, 0x10000, 64);
	memory_model_data(model, 0x10000, 8, false);
	assert_int_equal(counts[MODEL_L1I_CACHE_REFILL], 1);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL], 1);
	assert_int_equal(counts[MODEL_L2D_CACHE_RD], 2);
	assert_int_equal(counts[MODEL_L2D_CACHE_REFILL], 1);
	free(model);
}

static void the_last_address_is_followed_by_the_first(void **state)
{
	struct memory_model *model = create(&memory_model_default);
	const uint64_t *counts = memory_model_counts(model);
	memory_model_data(model, 0, 8, false);
	memory_model_data(model, UINT64_MAX - 3, 8, false);
	assert_int_equal(counts[MODEL_L1D_CACHE], 3);
	assert_int_equal(counts[MODEL_L1D_CACHE_REFILL], 2);
	free(model);
}

static void the_default_is_possible(void **state)
{
	static const char *const texts[NUM_MODEL_LEVELS] = {
		"64K:4:64", "64K:4:64", "1M:8:64", "4M:16:64", "48:48", "48:48", "1280:5",
	};
	for (unsigned i = 0; i < NUM_MODEL_LEVELS; i++) {
		const struct cache_shape *shape = &memory_model_default.levels[i];
		char text[CACHE_SHAPE_TEXT_MAX];
		assert_true(cache_shape_is_possible(shape, i));
		cache_shape_format(shape, i, text, sizeof(text));
		assert_string_equal(text, texts[i]);
	}
}

static void the_largest_stays_within_16_mib(void **state)
{
	static const char *const texts[NUM_MODEL_LEVELS] = {
		"1M:4096:16", "1M:1:16", "4M:4:16", "16M:16:16", "65536:1", "65536:4096", "65536:2",
	};
	struct memory_model_config config;
	for (unsigned i = 0; i < NUM_MODEL_LEVELS; i++)
		assert_true(cache_shape_parse(texts[i], i, &config.levels[i]));
	for (unsigned i = 0; i < NUM_MODEL_LEVELS; i++) {
		struct cache_shape twice = config.levels[i];
		twice.size *= 2;
		assert_false(cache_shape_is_possible(&twice, i));
	}
	assert_true(memory_model_size(&config) <= 16 << 20);
	struct memory_model *model = create(&config);
	walk(model, 1 << 20, 16, true);
	assert_int_equal(memory_model_counts(model)[MODEL_L1D_CACHE_REFILL], 65536);
	free(model);
}

int memory_model_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_accesses_count_as_in_the_reference),
		cmocka_unit_test(equal_lines_join_the_levels),
		cmocka_unit_test(what_fits_misses_only_once),
		cmocka_unit_test(a_walk_over_twice_the_cache_always_misses),
		cmocka_unit_test(one_set_holds_as_many_lines_as_ways),
		cmocka_unit_test(dirty_lines_are_written_back),
		cmocka_unit_test(a_line_that_was_read_first_gets_dirty),
		cmocka_unit_test(an_access_over_the_end_of_a_line_is_two),
		cmocka_unit_test(no_bytes_are_no_access),
		cmocka_unit_test(pages_walk_when_no_tlb_has_them),
		cmocka_unit_test(code_and_data_share_the_second_level),
		cmocka_unit_test(the_last_address_is_followed_by_the_first),
		cmocka_unit_test(the_default_is_possible),
		cmocka_unit_test(the_largest_stays_within_16_mib),
	};
	return cmocka_run_group_tests_name("memory_model", tests, NULL, NULL);
}
