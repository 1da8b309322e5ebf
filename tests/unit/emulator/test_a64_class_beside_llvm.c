// SPDX-License-Identifier: Apache-2.0

// Every encoding that LLVM knows is of the classes that its text says. All that selects an
// instruction is varied: bits 31 to 10 as a whole, with several values of the others.

#include "driver/emulator/a64_class.h"

#include "object/disassembly/disassembler.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/a64_text.h"
#include "tests/unit/assert_error.h"

enum {
	BATCH = 1 << 16,
	LOW_BITS = 10, // Rn and Rd, as a rule
	NUM_HIGH = 1 << (32 - LOW_BITS),
	NUM_RANDOM = 4 << 20,
	MAX_FAULTS = 20, // that are told
};

struct comparison {
	struct disassembler *disassembler;
	struct a64_text_names names;
	uint32_t words[BATCH];
	uint64_t num_compared, num_unknown, num_faults;
};

static int create(void **state)
{
	struct comparison *comparison = calloc(1, sizeof(*comparison));
	assert_non_null(comparison);
	assert_no_error(disassembler_open(OBJECT_MACHINE_AARCH64, &comparison->disassembler));
	a64_text_names_init(&comparison->names);
	*state = comparison;
	return 0;
}

static int destroy(void **state)
{
	struct comparison *comparison = *state;
	disassembler_destroy(comparison->disassembler);
	a64_text_names_deinit(&comparison->names);
	free(comparison);
	return 0;
}

/** objdump, which stands in for LLVM where there is none, is a program: too slow, other words. */
static bool is_llvm(const struct comparison *comparison)
{
	return !strncmp(disassembler_name(comparison->disassembler), "LLVM", 4);
}

// LLVM takes all of MSR's space for system registers, with op0 0 what is none as well.
static bool is_instruction(const char *text)
{
	return text[0] != '<' && !strstr(text, "S0_");
}

static void compare_one(struct comparison *comparison, uint32_t word, const char *text)
{
	if (!is_instruction(text)) {
		comparison->num_unknown++;
		return;
	}
	comparison->num_compared++;
	uint32_t expected;
	uint32_t classes = a64_classes(word);
	bool is_known = a64_text_classes(&comparison->names, text, &expected);
	if (is_known && classes == expected)
		return;
	if (comparison->num_faults++ >= MAX_FAULTS)
		return;
	if (is_known)
		print_error("%08" PRIx32 " %s: %#" PRIx32 ", by its text %#" PRIx32 "\n", word,
			    text, classes, expected);
	else
		print_error("%08" PRIx32 " %s: the test does not know this name\n", word, text);
}

static void compare_words(struct comparison *comparison, const uint32_t *words, size_t num_words)
{
	_cleanup_(instruction_list_deinit) struct instruction_list list = {0};
	struct object_bytes code = {(const uint8_t *)words, num_words * sizeof(*words), 0x100000};
	assert_no_error(disassembler_decode(comparison->disassembler, code, &list));
	assert_int_equal(list.num_items, num_words);
	for (size_t i = 0; i < num_words; i++)
		compare_one(comparison, words[i], list.items[i].text);
}

static uint32_t next_random(uint64_t *random)
{
	// xorshift64*, the same on every run
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return (uint32_t)((*random * 0x2545f4914f6cdd1d) >> 32);
}

/** Every value of the bits above @shift, below them what @low has. */
static void compare_high(struct comparison *comparison, uint32_t base, unsigned shift,
			 uint32_t num_high, uint32_t low)
{
	for (uint32_t high = 0; high < num_high; high += BATCH) {
		for (uint32_t i = 0; i < BATCH; i++)
			comparison->words[i] = base | (high + i) << shift | low;
		compare_words(comparison, comparison->words, BATCH);
	}
}

static void tell(struct comparison *comparison)
{
	print_message("%s: %" PRIu64 " instructions compared, %" PRIu64 " words are none to it\n",
		      disassembler_name(comparison->disassembler), comparison->num_compared,
		      comparison->num_unknown);
	uint64_t num_faults = comparison->num_faults;
	comparison->num_compared = comparison->num_unknown = comparison->num_faults = 0;
	assert_int_equal(num_faults, 0);
}

static void every_encoding(void **state)
{
	struct comparison *comparison = *state;
	if (!is_llvm(comparison))
		skip();
	static const uint32_t lows[] = {0, 0x01f, 0x3ff};
	for (size_t i = 0; i < ARRAY_SIZE(lows); i++)
		compare_high(comparison, 0, LOW_BITS, NUM_HIGH, lows[i]);
	tell(comparison);
}

/** Hints, barriers, system registers and their kin are told apart further down than others. */
static void every_system_instruction(void **state)
{
	struct comparison *comparison = *state;
	if (!is_llvm(comparison))
		skip();
	static const uint32_t registers[] = {0, 30, 31};
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		compare_high(comparison, 0xd5000000, 5, 1 << 19, registers[i]);
	tell(comparison);
}

static void random_words(void **state)
{
	struct comparison *comparison = *state;
	if (!is_llvm(comparison))
		skip();
	uint64_t random = 20240229;
	for (uint32_t done = 0; done < NUM_RANDOM; done += BATCH) {
		for (uint32_t i = 0; i < BATCH; i++)
			comparison->words[i] = next_random(&random);
		compare_words(comparison, comparison->words, BATCH);
	}
	tell(comparison);
}

static bool can_read(const char *path)
{
	FILE *file = fopen(path, "r");
	if (file)
		fclose(file);
	return file;
}

/** What compilers make: Debian's busybox for arm64, if the emulated machine's packages are here. */
static void a_program_of_debian(void **state)
{
	struct comparison *comparison = *state;
	const char *path = WPERF_ARM64_ROOT "/bin/busybox";
	if (!is_llvm(comparison) || !can_read(path))
		skip();
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(path, "", &object));
	struct object_bytes text = object_section(object, ".text");
	assert_true(text.size > 100000);
	size_t num_words = text.size / 4;
	_cleanup_free_ uint32_t *words = malloc(num_words * sizeof(*words));
	assert_non_null(words);
	memcpy(words, text.data, num_words * sizeof(*words));
	compare_words(comparison, words, num_words);
	tell(comparison);
}

/** LLVM 14 knows a seventh less than LLVM 19; far fewer would mean that it does not know its
 * features.
 */
static void most_names_were_met(void **state)
{
	struct comparison *comparison = *state;
	if (!is_llvm(comparison))
		skip();
	size_t num_met = 0;
	for (size_t i = 0; i < comparison->names.num_items; i++)
		num_met += comparison->names.items[i].was_met;
	print_message("%zu of %zu names were met\n", num_met, comparison->names.num_items);
	assert_true(num_met > comparison->names.num_items * 3 / 4);
}

int a64_class_beside_llvm_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_encoding),      cmocka_unit_test(every_system_instruction),
		cmocka_unit_test(random_words),        cmocka_unit_test(a_program_of_debian),
		cmocka_unit_test(most_names_were_met),
	};
	return cmocka_run_group_tests_name("a64_class_beside_llvm", tests, create, destroy);
}
