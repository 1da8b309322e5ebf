// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

// As CPython 3.13.0, 3.14.10 and 3.15.2 have them on x86-64, from the version on.
static const uint64_t words_3_13[] = {
	0x30d00f0, 0,  283320, 608,  632, 194968, 7272, 7264, 7344, 7400, 7656, 7640, 7648, 16,
	7752,      0,  7768,   7760, 304, 0,      8,    16,   72,   152,  160,  232,  32,   80,
	8,         0,  56,     72,   70,  208,    112,  120,  128,  136,  68,   52,   96,   104,
	200,       16, 8,      416,  24,  88,     168,  32,   24,   16,   40,   24,   16,   48,
	32,        40, 24,     16,   32,  16,     24,   40,   16,   32,   64,   32,   16,   40};
static const uint64_t words_3_14[] = {
	0x30e0af0, 0,   316616, 784, 808,  225864, 7280, 7272, 7344, 7360, 7408, 7688, 7672,
	7680,      16,  7784,   0,   7800, 7792,   7992, 0,    832,  0,    8,    16,   72,
	152,       160, 232,    32,  88,   8,      0,    56,   80,   74,   64,   0,    216,
	112,       120, 128,    136, 68,   52,     96,   104,  208,  0,    16,   8,    416,
	24,        88,  168,    40,  32,   16,     40,   24,   16,   200,  24,   40,   32,
	48,        32,  40,     24,  16,   32,     16,   24,   40,   16,   32,   64,   32,
	16,        40,  264,    192, 160,  24,     72,   67,   0,    8};
static const uint64_t words_3_15[] = {
	0x30f02f0, 0,   346568, 912, 936,  226240, 7272, 7264, 7336, 7352, 7400, 7592, 7576,
	7584,      16,  7736,   0,   7752, 7744,   7944, 0,    888,  0,    8,    16,   72,
	80,        88,  96,     176, 184,  256,    32,   36,   40,   136,  288,  0,    88,
	8,         0,   56,     80,  74,   64,     0,    216,  112,  120,  128,  136,  68,
	52,        96,  104,    208, 0,    16,     8,    424,  24,   88,   168,  32,   288,
	944,       888, 40,     32,  16,   40,     24,   16,   200,  24,   40,   32,   48,
	32,        40,  24,     16,  32,   16,     24,   40,   16,   32,   64,   32,   16,
	40,        56,  176,    112, 120,  1120,   104,  160,  24,   72,   67,   0,    8};
// Without the GIL: 3.13.15 and 3.14.4.
static const uint64_t words_3_13t[] = {
	0x30d0ff0, 1,  328384, 608,  632, 215616, 7272, 7264, 7344, 7400, 7664, 7648, 7656, 16,
	7760,      0,  7784,   7776, 312, 0,      8,    16,   72,   152,  160,  232,  32,   80,
	8,         0,  56,     72,   70,  224,    128,  136,  144,  152,  84,   68,   112,  120,
	216,       32, 24,     432,  40,  104,    184,  48,   40,   32,   56,   40,   32,   64,
	48,        56, 40,     32,   48,  32,     40,   56,   32,   48,   80,   48,   32,   56};
static const uint64_t words_3_14t[] = {
	0x30e04f0, 1,   362368, 784, 808,  246720, 7280, 7272,  7344, 7360, 7408, 7712, 7696,
	7704,      16,  7808,   0,   7832, 7824,   8024, 17628, 832,  0,    8,    16,   72,
	152,       160, 232,    32,  88,   8,      0,    56,    80,   78,   64,   72,   240,
	128,       136, 144,    152, 84,   68,     112,  120,   232,  224,  32,   24,   432,
	40,        104, 184,    56,  48,   32,     56,   40,    32,   216,  40,   56,   48,
	64,        48,  56,     40,  32,   48,     32,   40,    56,   32,   48,   80,   48,
	32,        56,  288,    192, 176,  40,     88,   83,    0,    8,    24,   304,  8108};

// For Windows on x64, as compilers for it make them of the headers of 3.14.10 and 3.15.2.
static const uint64_t words_3_14_windows[] = {
	0x30e0af0, 0,    315600, 784,  808,  225672, 7280, 7272, 7336, 7352, 7400, 7680, 7664, 7672,
	16,        7768, 0,      7784, 7776, 7824,   0,    824,  0,    8,    16,   72,   152,  156,
	224,       32,   88,     8,    0,    56,     80,   74,   64,   0,    216,  112,  120,  128,
	136,       68,   52,     96,   104,  208,    0,    16,   8,    416,  24,   88,   168,  40,
	32,        16,   40,     24,   16,   200,    24,   40,   32,   48,   32,   40,   24,   16,
	32,        16,   24,     40,   16,   32,     64,   32,   16,   40,   264,  192,  160,  24,
	72,        67,   0,      8,    24,   296,    7904, 0,    4,    512};
static const uint64_t words_3_14t_windows[] = {
	0x30e0af0, 1,    364568, 784,  808, 249744, 7280, 7272, 7336,  7352, 7400, 7704,
	7688,      7696, 16,     7792, 0,   7808,   7800, 7848, 17108, 824,  0,    8,
	16,        72,   152,    156,  224, 32,     88,   8,    0,     56,   80,   78,
	64,        72,   240,    128,  136, 144,    152,  84,   68,    112,  120,  232,
	224,       32,   24,     432,  40,  104,    184,  56,   48,    32,   56,   40,
	32,        216,  40,     56,   48,  64,     48,   56,   40,    32,   48,   32,
	40,        56,   32,     48,   80,  48,     32,   56,   288,   192,  176,  40,
	88,        83,   0,      8,    24,  296,    7928, 0,    4,     512};
static const uint64_t words_3_15_windows[] = {
	0x30f02f0, 0,    345536, 912,  936,  226040, 7272, 7264, 7328, 7344, 7392, 7584, 7568, 7576,
	16,        7720, 0,      7736, 7728, 7776,   0,    880,  0,    8,    16,   72,   80,   88,
	96,        176,  180,    248,  32,   36,     40,   136,  280,  0,    88,   8,    0,    56,
	80,        74,   64,     0,    216,  112,    120,  128,  136,  68,   52,   96,   104,  208,
	0,         16,   8,      424,  24,   88,     168,  32,   288,  944,  888,  40,   32,   16,
	40,        24,   16,     200,  24,   40,     32,   48,   32,   40,   24,   16,   32,   16,
	24,        40,   16,     32,   64,   32,     16,   40,   56,   176,  112,  120,  1120, 104,
	160,       24,   72,     67,   0,    8,      24,   336,  7856, 0,    4,    512};

enum { MAX_WORDS = 128, FREE_THREADED = 1 };

struct published {
	uint64_t words[MAX_WORDS];
	size_t size;
};

static struct published publish(const uint64_t *words, size_t num)
{
	struct published published = {.size = 8 * (num + 1)};
	memcpy(published.words, "xdebugpy", 8);
	memcpy(published.words + 1, words, 8 * num);
	return published;
}
#define PUBLISH(words) publish(words, sizeof(words) / sizeof(*(words)))

static struct error *parse(const struct published *published, struct python_layout *ret)
{
	uint32_t version;
	return python_published_parse(published->words, published->size, false, ret, &version);
}

static struct python_layout layout_of_windows(const struct published *published)
{
	struct python_layout layout;
	uint32_t version;
	assert_no_error(
		python_published_parse(published->words, published->size, true, &layout, &version));
	assert_true(layout.is_windows);
	return layout;
}

static void it_reads_3_13(void **state)
{
	struct published published = PUBLISH(words_3_13);
	struct python_layout layout;
	uint32_t version;
	assert_no_error(
		python_published_parse(published.words, published.size, false, &layout, &version));
	assert_int_equal(version, 0x30d00f0);
	assert_int_equal(layout.minor, 13);
	assert_false(layout.is_free_threaded);
	assert_false(layout.is_windows);
	assert_int_equal(layout.runtime_interpreters, 632);
	assert_int_equal(layout.interpreter_threads, 7344);
	assert_int_equal(layout.interpreter_modules, 7656);
	assert_int_equal(layout.interpreter_gil, 16);
	assert_int_equal(layout.type_cached_keys, 880);
	assert_int_equal(layout.gil_holder, 8);
	assert_int_equal(layout.gil_locked, 16);
	assert_int_equal(layout.thread_id, 152);
	assert_int_equal(layout.thread_chunk, 232);
	assert_int_equal(layout.frame_mark, 70);
	assert_int_equal(layout.frame_tlbc, 0);
	assert_int_equal(layout.code_version, 92);
	assert_int_equal(layout.code_num_locals, 72);
	assert_int_equal(layout.code_bytecode, 200);
	assert_int_equal(layout.thread_compiled, 0);
	assert_int_equal(layout.generator_frame, 0);
	assert_int_equal(layout.tuple_items, 24);
	assert_int_equal(layout.string_compact, 56);
	assert_int_equal(layout.string_kind_shift, 2);
	assert_true(python_layout_walk(&layout).code_mask == UINT64_MAX);
}

static void it_reads_3_14(void **state)
{
	struct published published = PUBLISH(words_3_14);
	struct python_layout layout;
	assert_no_error(parse(&published, &layout));
	assert_int_equal(layout.minor, 14);
	assert_int_equal(layout.runtime_interpreters, 808);
	assert_int_equal(layout.interpreter_modules, 7688);
	assert_int_equal(layout.type_cached_keys, 880);
	assert_int_equal(layout.thread_native_id, 160);
	assert_int_equal(layout.frame_mark, 74);
	assert_int_equal(layout.frame_locals, 80);
	assert_int_equal(layout.code_bytecode, 208);
	assert_int_equal(layout.tuple_items, 32);
	assert_int_equal(layout.gil_holder, 8);
	assert_int_equal(layout.frame_stack, 64);
	assert_int_equal(layout.generator_frame, 72);
	assert_int_equal(layout.generator_state, 67);
	assert_int_equal(layout.node_next, 0);
	assert_int_equal(layout.string_ascii, 40);
	assert_true(python_layout_walk(&layout).code_mask == ~UINT64_C(3));
	assert_int_equal(python_layout_walk(&layout).thread_compiled, 272);
}

static void it_reads_3_15(void **state)
{
	struct published published = PUBLISH(words_3_15);
	struct python_layout layout;
	assert_no_error(parse(&published, &layout));
	assert_int_equal(layout.minor, 15);
	assert_int_equal(layout.interpreter_threads, 7336);
	assert_int_equal(layout.interpreter_modules, 7592);
	assert_int_equal(layout.type_cached_keys, 888);
	assert_int_equal(layout.thread_id, 176);
	assert_int_equal(layout.thread_native_id, 184);
	assert_int_equal(layout.thread_chunk, 256);
	assert_int_equal(layout.thread_status, 32);
	assert_int_equal(layout.frame_mark, 74);
	assert_int_equal(layout.code_file, 112);
	assert_int_equal(layout.type_name, 24);
	assert_int_equal(layout.float_value, 16);
	assert_int_equal(layout.string_ascii, 40);
	assert_int_equal(layout.generator_frame, 72);
	assert_int_equal(layout.generator_state, 67);
}

static size_t index_of(const struct published *published, uint64_t word, size_t from)
{
	for (size_t i = from; i < MAX_WORDS; i++)
		if (published->words[i] == word)
			return i;
	fail_msg("no word %zu", (size_t)word);
	return 0;
}

static void what_the_jit_made_is_known_of_known_thread_states_only(void **state)
{
	struct published published = PUBLISH(words_3_15);
	struct python_layout layout;
	assert_no_error(parse(&published, &layout));
	assert_int_equal(layout.thread_compiled, 304);
	published.words[index_of(&published, 888, 0)] = 896;
	assert_no_error(parse(&published, &layout));
	assert_int_equal(layout.thread_compiled, 0);
}

static void it_reads_builds_without_the_gil(void **state)
{
	struct published published = PUBLISH(words_3_13t);
	struct python_layout layout;
	assert_no_error(parse(&published, &layout));
	assert_true(layout.is_free_threaded);
	assert_int_equal(layout.object_type, 24);
	assert_int_equal(layout.code_file, 128);
	assert_int_equal(layout.code_version, 108);
	assert_int_equal(layout.code_bytecode, 216);
	assert_int_equal(layout.frame_tlbc, 0);
	assert_int_equal(layout.frame_mark, 70);
	assert_int_equal(layout.string_length, 32);
	assert_int_equal(layout.string_ascii, 56);
	assert_int_equal(layout.string_kind_shift, 2);
	published = PUBLISH(words_3_14t);
	assert_no_error(parse(&published, &layout));
	assert_int_equal(layout.code_bytecode, 232);
	assert_int_equal(layout.code_tlbc, 224);
	assert_int_equal(layout.frame_tlbc, 72);
	assert_int_equal(layout.frame_mark, 78);
	assert_int_equal(layout.bytes_data, 48);
	assert_int_equal(layout.generator_frame, 88);
	assert_int_equal(layout.generator_state, 83);
	assert_int_equal(layout.string_kind_shift, 8);
	assert_true(python_layout_walk(&layout).code_mask == ~UINT64_C(3));
}

static void it_reads_those_of_windows(void **state)
{
	struct published published = PUBLISH(words_3_14_windows);
	struct python_layout layout = layout_of_windows(&published);
	assert_int_equal(layout.interpreter_threads, 7336);
	assert_int_equal(layout.thread_id, 152);
	assert_int_equal(layout.thread_native_id, 156);
	assert_int_equal(layout.thread_chunk, 224);
	assert_int_equal(layout.thread_compiled, 264);
	assert_int_equal(layout.string_state, 32);
	assert_int_equal(layout.string_kind_shift, 2);
	published = PUBLISH(words_3_15_windows);
	layout = layout_of_windows(&published);
	assert_int_equal(layout.thread_native_id, 180);
	assert_int_equal(layout.thread_compiled, 296);
}

static void bits_of_strings_are_in_the_next_word_on_windows_without_the_gil(void **state)
{
	struct published published = PUBLISH(words_3_14t_windows);
	struct python_layout layout = layout_of_windows(&published);
	assert_true(layout.is_free_threaded);
	assert_int_equal(layout.string_length, 32);
	assert_int_equal(layout.string_state, 52);
	assert_int_equal(layout.string_kind_shift, 0);
	assert_int_equal(layout.string_ascii, 56);
	published = PUBLISH(words_3_13t); // which has no byte there
	layout = layout_of_windows(&published);
	assert_int_equal(layout.string_state, 48);
	assert_int_equal(layout.string_kind_shift, 2);
}

static void free_threaded_builds_have_copies_of_bytecode(void **state)
{
	struct published published = PUBLISH(words_3_14);
	published.words[2] = FREE_THREADED;
	size_t copies = index_of(&published, 208, 4) + 1; // behind co_code_adaptive
	published.words[copies] = 200;
	size_t index = index_of(&published, 64, 28) + 1; // behind the stack pointer
	published.words[index] = 76;
	struct python_layout layout;
	assert_no_error(parse(&published, &layout));
	assert_true(layout.is_free_threaded);
	assert_int_equal(layout.code_tlbc, 200);
	assert_int_equal(layout.frame_tlbc, 76);
	assert_int_equal(layout.string_kind_shift, 8);
	published.words[index] = 86; // the frame is of 88 bytes
	assert_error(parse(&published, &layout), ERROR_FAILED,
		     "the published offsets of Python 3.14 are not valid");
}

static void flags_are_within_the_code_object(void **state)
{
	struct published published = PUBLISH(words_3_15);
	size_t first_line = index_of(&published, 136, index_of(&published, 128, 0)) + 1;
	assert_int_equal(published.words[first_line], 68);
	struct python_layout layout;
	for (published.words[first_line] = 0; published.words[first_line] < 20;
	     published.words[first_line]++)
		assert_error(parse(&published, &layout), ERROR_FAILED,
			     "the published offsets of Python 3.15 are not valid");
	assert_no_error(parse(&published, &layout));
	assert_int_equal(python_layout_code_flags(&layout), 0);
}

static void what_is_newer_is_read_as_the_newest(void **state)
{
	struct published published = PUBLISH(words_3_15);
	published.words[1] = 0x31200a0;
	struct python_layout layout;
	assert_no_error(parse(&published, &layout));
	assert_int_equal(layout.minor, 18);
	assert_int_equal(layout.thread_id, 176);
}

static void every_cut_and_every_wild_word_is_survived(void **state)
{
	const struct published whole = PUBLISH(words_3_15);
	struct python_layout layout;
	for (size_t size = 0; size < 8 * (index_of(&whole, 64, 60) + 3); size += 4) {
		struct published cut = whole;
		cut.size = size;
		_cleanup_(error_destroyp) struct error *err = parse(&cut, &layout);
		assert_non_null(err);
	}
	for (size_t i = 0; i < whole.size / 8; i++) {
		struct published wild = whole;
		wild.words[i] = UINT64_MAX;
		struct error *err = parse(&wild, &layout);
		if (!err)
			assert_in_range(python_layout_walk(&layout).frame_size, 1,
					PYTHON_WALK_FRAME_BYTES);
		error_destroy(err);
	}
}

static void it_refuses_what_is_none(void **state)
{
	struct published published = PUBLISH(words_3_13);
	struct python_layout layout;
	published.words[0]++;
	assert_error(parse(&published, &layout), ERROR_FAILED,
		     "an interpreter without published offsets");
	published.words[0]--;
	static const uint64_t versions[] = {0, 0x30c00f0, 0x40000f0, UINT64_MAX};
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		published.words[1] = versions[i];
		assert_error(parse(&published, &layout), ERROR_FAILED,
			     "an interpreter that publishes offsets without a version");
	}
}

int python_published_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_3_13),
		cmocka_unit_test(it_reads_3_14),
		cmocka_unit_test(it_reads_3_15),
		cmocka_unit_test(what_the_jit_made_is_known_of_known_thread_states_only),
		cmocka_unit_test(it_reads_builds_without_the_gil),
		cmocka_unit_test(it_reads_those_of_windows),
		cmocka_unit_test(bits_of_strings_are_in_the_next_word_on_windows_without_the_gil),
		cmocka_unit_test(free_threaded_builds_have_copies_of_bytecode),
		cmocka_unit_test(flags_are_within_the_code_object),
		cmocka_unit_test(what_is_newer_is_read_as_the_newest),
		cmocka_unit_test(every_cut_and_every_wild_word_is_survived),
		cmocka_unit_test(it_refuses_what_is_none),
	};
	return cmocka_run_group_tests_name("python_published", tests, NULL, NULL);
}
