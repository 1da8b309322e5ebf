// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/cache_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void shapes_are_read_and_written(void **state)
{
	static const struct {
		const char *text;
		enum model_level level;
		struct cache_shape shape;
		const char *written;
	} cases[] = {
		{"64K:4:64", MODEL_L1D, {65536, 4, 64}, "64K:4:64"},
		{"65536:04:064", MODEL_L1I, {65536, 4, 64}, "64K:4:64"},
		{"1024K:8:64", MODEL_L2, {1 << 20, 8, 64}, "1M:8:64"},
		{"1536K:12:64", MODEL_L2, {1536 << 10, 12, 64}, "1536K:12:64"},
		{"16:1:16", MODEL_L1D, {16, 1, 16}, "16:1:16"},
		{"48:3:16", MODEL_L1D, {48, 3, 16}, "48:3:16"},
		{"4M:1024:4096", MODEL_L1D, {4 << 20, 1024, 4096}, "4M:1024:4096"},
		{"256M:4096:4096", MODEL_LL, {256 << 20, 4096, 4096}, "256M:4096:4096"},
		{"48", MODEL_L1D_TLB, {48 * 4096, 48, 4096}, "48:48"},
		{"48:3", MODEL_L1I_TLB, {48 * 4096, 3, 4096}, "48:3"},
		{"1280:5", MODEL_L2_TLB, {1280 * 4096, 5, 4096}, "1280:5"},
		{"1", MODEL_L2_TLB, {4096, 1, 4096}, "1:1"},
		{"65536:1", MODEL_L2_TLB, {65536 * 4096, 1, 4096}, "65536:1"},
		{"4096", MODEL_L1D_TLB, {4096 * 4096, 4096, 4096}, "4096:4096"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cache_shape shape = {0};
		assert_true(cache_shape_parse(cases[i].text, cases[i].level, &shape));
		assert_memory_equal(&shape, &cases[i].shape, sizeof(shape));
		char text[CACHE_SHAPE_TEXT_MAX];
		cache_shape_format(&shape, cases[i].level, text, sizeof(text));
		assert_string_equal(text, cases[i].written);
	}
}

static void assert_refused(const char *text, enum model_level level)
{
	struct cache_shape untouched = {1, 2, 3};
	if (cache_shape_parse(text, level, &untouched))
		fail_msg("'%s' was taken", text);
	assert_true(untouched.size == 1 && untouched.ways == 2 && untouched.line == 3);
}

static void what_is_no_cache_is_refused(void **state)
{
	static const char *const texts[] = {
		// Other words.
		"",
		":",
		"::",
		"K",
		"64K",
		"64K:4",
		"64K:4:",
		"64K::64",
		":4:64",
		"64K:4:64:",
		"64K:4:64:1",
		"64K:4:64 ",
		" 64K:4:64",
		"64K: 4:64",
		"+64K:4:64",
		"-64K:4:64",
		"64k:4:64",
		"64KB:4:64",
		"64KK:4:64",
		"1G:4:64",
		"64K:4K:64",
		"64K:4:1K",
		"0x40K:4:64",
		"64K,4,64",
		"64.0K:4:64",
		"M:4:64",
		// Numbers that do not fit; the last ones come out right modulo 2^32 and 2^64.
		"4294967296:4:64",
		"4096M:16:4096",
		"4194304K:4:64",
		"4294967295M:4:64",
		"64K:4294967300:64",
		"64K:4:4294967360",
		"4194303K:4:64",
		"18446744073709617152:4:64",
		// No such cache.
		"0:4:64",
		"64K:0:64",
		"64K:4:0",
		"0:0:0",
		"64K:4:8",
		"64K:4:8192",
		"64K:4:48",
		"96K:4:64",
		"64K:3:64",
		"64K:2048:64",
		"100:1:64",
		"128:4:64",
		"4M:4097:16",
		"8M:4:64",
		"2M:65536:32",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(texts[i], MODEL_L1D);
}

static void what_is_no_tlb_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		":",
		"48:",
		":4",
		"48:4:4096",
		"48 ",
		" 48",
		"1K",
		"48K:4",
		"-1",
		"0x30",
		"x",
		"0",
		"48:0",
		"0:0",
		"48:5",
		"48:4",
		"48:96",
		"100:1",
		"4097",
		"131072:1",
		"65537:1",
		"4294967296",
		"1048577:1",
		"4294967295",
		"18446744073709551664",
		"48:4294967344",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(texts[i], MODEL_L2_TLB);
}

static void bounds_are_those_of_the_level(void **state)
{
	struct cache_shape shape;
	assert_true(cache_shape_parse("4M:4:64", MODEL_L1D, &shape));
	assert_false(cache_shape_parse("8M:4:64", MODEL_L1I, &shape));
	assert_true(cache_shape_parse("16M:4:64", MODEL_L2, &shape));
	assert_false(cache_shape_parse("32M:4:64", MODEL_L2, &shape));
	assert_true(cache_shape_parse("64M:4:64", MODEL_LL, &shape));
	assert_false(cache_shape_parse("128M:4:64", MODEL_LL, &shape));
	assert_false(cache_shape_is_possible(&shape, NUM_MODEL_LEVELS));
	assert_false(cache_shape_is_possible(&shape, (enum model_level) - 1));
	// A TLB has pages of one size.
	assert_true(cache_shape_is_possible(&(struct cache_shape){4096, 1, 4096}, MODEL_L2_TLB));
	assert_false(cache_shape_is_possible(&(struct cache_shape){2048, 1, 2048}, MODEL_L2_TLB));
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

// Whatever is taken can be, and is read back from what is written of it.
static void random_words_come_back(void **state)
{
	static const char letters[] = "0124468KM::";
	uint64_t seed = 1;
	unsigned num_taken = 0;
	for (unsigned i = 0; i < 2000000; i++) {
		char text[12] = "";
		size_t length = next_random(&seed) % sizeof(text);
		for (size_t k = 0; k < length; k++)
			text[k] = letters[next_random(&seed) % (sizeof(letters) - 1)];
		enum model_level level = next_random(&seed) % NUM_MODEL_LEVELS;
		struct cache_shape shape;
		if (!cache_shape_parse(text, level, &shape))
			continue;
		num_taken++;
		assert_true(cache_shape_is_possible(&shape, level));
		char written[CACHE_SHAPE_TEXT_MAX];
		cache_shape_format(&shape, level, written, sizeof(written));
		struct cache_shape again;
		assert_true(cache_shape_parse(written, level, &again));
		assert_memory_equal(&again, &shape, sizeof(shape));
	}
	assert_true(num_taken > 1000);
}

static void a_text_that_is_too_long_is_cut(void **state)
{
	char text[8] = "#######";
	cache_shape_format(&(struct cache_shape){1 << 20, 8, 64}, MODEL_L2, text, 5);
	assert_string_equal(text, "1M:8");
	assert_string_equal(text + 5, "##");
}

int cache_shape_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_are_read_and_written),
		cmocka_unit_test(what_is_no_cache_is_refused),
		cmocka_unit_test(what_is_no_tlb_is_refused),
		cmocka_unit_test(bounds_are_those_of_the_level),
		cmocka_unit_test(random_words_come_back),
		cmocka_unit_test(a_text_that_is_too_long_is_cut),
	};
	return cmocka_run_group_tests_name("cache_shape", tests, NULL, NULL);
}
