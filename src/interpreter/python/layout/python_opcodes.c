// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_opcodes.h"

#include "base/byte_order.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The eval loop jumps by a static table of 256 addresses, opcode_targets of
// Python/opcode_targets.h. In stripped files nothing names it, so it is searched by its form: 256
// words in a row that all point into .text, many different ones, and one of them repeated very
// often, which is the target of all unused opcodes. is_table() has the numbers.
//
// python_opcodes_add_word() gets all words of the data sections in order, and starts again at each
// word that is no code address. In position-independent files the words on disk may be 0, and their
// values are the addends of the relative relocations (.rela.dyn), in the same order as the words.

enum { WORD = 8 };

/** Words one behind the other that all are addresses of code. */
struct search {
	struct object_bytes code;
	uint64_t base; /* what words have more than addresses */
	uint64_t next; /* where the next one would be */
	uint64_t words[PYTHON_NUM_OPCODES];
	size_t num;
	bool is_over;
};

static int python_opcodes_compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return a < b ? -1 : a > b;
}

// 3.6 has 118 instructions, 3.15 some 230. Two of them may do the same.
static bool is_table(const uint64_t *sorted)
{
	enum { LEAST_DISTINCT = 100, LEAST_UNUSED = 8, MOST_ALIKE = 2 };
	size_t num_distinct = 0, num_repeated = 0, most = 0;
	for (size_t i = 0, end; i < PYTHON_NUM_OPCODES; i = end) {
		for (end = i; end < PYTHON_NUM_OPCODES && sorted[end] == sorted[i];)
			end++;
		num_distinct++;
		num_repeated += end - i > MOST_ALIKE;
		most = end - i > most ? end - i : most;
	}
	return num_distinct >= LEAST_DISTINCT && num_repeated == 1 && most >= LEAST_UNUSED;
}

static void python_opcodes_add_word(struct search *search, uint64_t address, uint64_t word)
{
	if (address != search->next)
		search->num = 0;
	search->next = address + WORD;
	word -= search->base;
	if (word - search->code.address >= search->code.size) {
		search->num = 0;
		return;
	}
	search->words[search->num++] = word;
	if (search->num < PYTHON_NUM_OPCODES)
		return;
	// Another one may follow it: the instructions of what is traced stand in one before.
	search->num = 0;
	qsort(search->words, PYTHON_NUM_OPCODES, WORD, python_opcodes_compare);
	search->is_over = is_table(search->words);
}

static void search_words(struct search *search, struct object_bytes section)
{
	size_t start = (size_t)(-section.address & (WORD - 1));
	for (size_t at = start; !search->is_over && at + WORD <= section.size; at += WORD)
		python_opcodes_add_word(search, section.address + at,
					byte_order_load64(section.data + at, false));
}

/** Where files can be loaded anywhere, their words come from here. */
static void search_relocations(struct search *search, struct object_bytes section,
			       uint32_t relative)
{
	enum { SIZE = 24, TYPE = 8, ADDEND = 16 }; // Elf64_Rela
	for (size_t at = 0; !search->is_over && at + SIZE <= section.size; at += SIZE)
		if (byte_order_load32(section.data + at + TYPE, false) == relative)
			python_opcodes_add_word(search, byte_order_load64(section.data + at, false),
						byte_order_load64(section.data + at + ADDEND,
								  false));
}

static void python_opcodes_search_all(struct search *search, struct object *object)
{
	// R_X86_64_RELATIVE and R_AARCH64_RELATIVE of the ELF psABIs
	enum { X86_64_RELATIVE = 8, AARCH64_RELATIVE = 1027 };
	static const char *const sections[] = {".data.rel.ro", ".rodata", ".rdata", ".data"};
	uint32_t relative = object_machine(object) == OBJECT_MACHINE_AARCH64 ? AARCH64_RELATIVE
									     : X86_64_RELATIVE;
	search_relocations(search, object_section(object, ".rela.dyn"), relative);
	for (size_t i = 0; !search->is_over && i < sizeof(sections) / sizeof(*sections); i++)
		search_words(search, object_section(object, sections[i]));
}

bool python_opcodes_find(struct object *object, uint64_t ret[static PYTHON_NUM_OPCODES])
{
	struct search search = {.code = object_section(object, ".text"),
				.base = object_base(object)};
	python_opcodes_search_all(&search, object);
	if (search.is_over)
		memcpy(ret, search.words, sizeof(search.words));
	return search.is_over;
}
