// SPDX-License-Identifier: Apache-2.0

#include "object/symbol_table.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "base/reader.h"

#include <elf.h>
#include <string.h>

// Tables of several sources are put together as candidates, then symbol_table_build() makes the
// table: sort by address and quality, keep the best of each address (symbol_table_drop_aliases()),
// give sizes to symbols that have none (size_up_to_next()), and link each symbol to the one around
// it.
//
// The quality is one number, with one field of bits for each criterion of the header, the most
// important one highest: so the sort compares one number.
//
// A look-up is a binary search for the last start. If that symbol has ended, an earlier one may
// still go on behind it (a function in assembly with labels inside that have sizes).
// find_enclosing() prepares this chain for all symbols in one pass; MAX_ENCLOSING bounds its
// length in damaged files.

enum {
	NO_ENCLOSING = UINT32_MAX,
	// Functions in functions in functions: more is not made by a compiler.
	MAX_ENCLOSING = 16,
};

struct symbol_candidate {
	struct object_symbol symbol; // a size of 0: not said
	uint64_t limit;              // the end of its section
	uint32_t quality;            // the higher one of an address is kept
};

/** A symbol as the file has it. */
struct raw_symbol {
	uint32_t name;
	uint8_t type, binding;
	uint16_t section;
	uint64_t value, size;
};

static struct raw_symbol read_symbol(struct reader *reader)
{
	struct raw_symbol raw = {.name = reader_u32(reader)};
	uint8_t info = reader_u8(reader);
	raw.type = ELF64_ST_TYPE(info);
	raw.binding = ELF64_ST_BIND(info);
	reader_skip(reader, 1); // st_other
	raw.section = reader_u16(reader);
	raw.value = reader_u64(reader);
	raw.size = reader_u64(reader);
	return raw;
}

static bool is_function(const struct raw_symbol *raw)
{
	return raw->type == STT_FUNC || raw->type == STT_GNU_IFUNC;
}

static bool symbol_table_is_wanted(const struct raw_symbol *raw, const struct elf_section *section,
				   const char *name)
{
	if (raw->section == SHN_UNDEF || raw->section == SHN_ABS || !name[0])
		return false;
	if (is_function(raw))
		return true;
	// "$x", "$d.12": where code and data begin in sections of AArch64.
	bool is_mapping = name[0] == '$' && name[1] && strchr("xdat", name[1]) &&
			  (!name[2] || name[2] == '.');
	return raw->type == STT_NOTYPE && section && section->flags & SHF_EXECINSTR &&
	       raw->value - section->address < section->size && !is_mapping;
}

enum { QUALITY_FUNCTION = 1U << 30, QUALITY_SIZED = 1 << 29 };

static uint32_t quality_of(const struct raw_symbol *raw, const char *name, size_t length)
{
	// Of "_IO_puts" and "puts" the second is what programs call; of two with as few underscores
	// the longer one says more.
	size_t underscores = strspn(name, "_");
	uint32_t few_underscores = underscores < 255 ? 255 - (uint32_t)underscores : 0;
	uint32_t long_name = length < UINT16_MAX ? (uint32_t)length : UINT16_MAX;
	uint32_t binding = raw->binding == STB_LOCAL  ? 0
			   : raw->binding == STB_WEAK ? 1
						      : 2; // also STB_GNU_UNIQUE
	return (is_function(raw) ? QUALITY_FUNCTION : 0) | (raw->size ? QUALITY_SIZED : 0) |
	       binding << 24 | few_underscores << 16 | long_name;
}

static struct error *add_candidate(struct symbol_table *table, struct symbol_candidate candidate)
{
	struct error *err = array_reserve(&table->candidates, &table->cap_candidates,
					  table->num_candidates + 1);
	if (err)
		return err;
	// The end must not wrap, whatever the file says.
	struct object_symbol *symbol = &candidate.symbol;
	if (symbol->size > UINT64_MAX - symbol->address)
		symbol->size = UINT64_MAX - symbol->address;
	table->candidates[table->num_candidates++] = candidate;
	return NULL;
}

static struct error *symbol_table_add(struct symbol_table *table, const struct elf_image *image,
				      const struct raw_symbol *raw, const char *unsafe_name)
{
	// SHN_ABS and its like are beyond all sections.
	const struct elf_section *section =
		raw->section < image->num_sections ? &image->sections[raw->section] : NULL;
	if (!symbol_table_is_wanted(raw, section, unsafe_name))
		return NULL;
	// "@VERSION" is cut off. A name may begin with '@', a version never does.
	const char *at = unsafe_name[0] ? strchr(unsafe_name + 1, '@') : NULL;
	size_t length = at ? (size_t)(at - unsafe_name) : strlen(unsafe_name);
	const char *name = at ? arena_strndup(&table->names, unsafe_name, length) : unsafe_name;
	if (!name)
		return &error_no_memory;
	uint64_t limit = UINT64_MAX;
	if (section && section->size <= UINT64_MAX - section->address)
		limit = section->address + section->size;
	return add_candidate(table, (struct symbol_candidate){
					    .symbol = {raw->value, raw->size, name},
					    .limit = limit,
					    .quality = quality_of(raw, name, length),
				    });
}

struct error *symbol_table_add_section(struct symbol_table *table, const struct elf_image *image,
				       const struct elf_section *section, size_t *ret_added)
{
	*ret_added = 0;
	if (section->link >= image->num_sections || section->flags & SHF_COMPRESSED)
		return NULL;
	struct object_bytes names = elf_image_bytes(image, &image->sections[section->link]);
	struct object_bytes bytes = elf_image_bytes(image, section);
	// With its last byte NUL, every string of it ends within it.
	if (!names.size || names.data[names.size - 1] != '\0')
		return NULL;
	size_t before = table->num_candidates;
	struct reader reader = reader_create(bytes.data, bytes.size);
	while (reader_left(&reader) >= sizeof(Elf64_Sym)) {
		struct raw_symbol raw = read_symbol(&reader);
		if (raw.name >= names.size)
			continue;
		struct error *err =
			symbol_table_add(table, image, &raw, (const char *)names.data + raw.name);
		if (err)
			return err;
	}
	*ret_added = table->num_candidates - before;
	return NULL;
}

struct error *symbol_table_add_stub(struct symbol_table *table, uint64_t address, uint64_t size,
				    const char *name)
{
	return add_candidate(table, (struct symbol_candidate){
					    .symbol = {address, size, name},
					    .limit = UINT64_MAX,
					    .quality = QUALITY_SIZED,
				    });
}

struct error *symbol_table_add_function(struct symbol_table *table,
					const struct object_symbol *symbol, uint64_t limit)
{
	const struct raw_symbol raw = {
		.type = STT_FUNC,
		.binding = STB_GLOBAL,
		.size = symbol->size,
	};
	return add_candidate(
		table, (struct symbol_candidate){
			       .symbol = *symbol,
			       .limit = limit,
			       .quality = quality_of(&raw, symbol->name, strlen(symbol->name)),
		       });
}

static int compare_candidates(const void *left, const void *right)
{
	const struct symbol_candidate *a = left, *b = right;
	if (a->symbol.address != b->symbol.address)
		return a->symbol.address < b->symbol.address ? -1 : 1;
	if (a->quality != b->quality)
		return a->quality > b->quality ? -1 : 1;
	return strcmp(a->symbol.name, b->symbol.name);
}

/** Keep the best one of each address, and of labels those outside of functions. */
static void symbol_table_drop_aliases(struct symbol_table *table)
{
	size_t num_kept = 0;
	uint64_t end_of_functions = 0;
	for (size_t i = 0; i < table->num_candidates; i++) {
		struct symbol_candidate *candidate = &table->candidates[i];
		uint64_t address = candidate->symbol.address;
		bool is_label = !(candidate->quality & QUALITY_FUNCTION);
		if (num_kept && table->candidates[num_kept - 1].symbol.address == address)
			continue;
		if (is_label && address < end_of_functions)
			continue;
		if (!is_label && address + candidate->symbol.size > end_of_functions)
			end_of_functions = address + candidate->symbol.size;
		table->candidates[num_kept++] = *candidate;
	}
	table->num_candidates = num_kept;
}

static uint64_t size_up_to_next(const struct symbol_table *table, size_t index)
{
	const struct symbol_candidate *candidate = &table->candidates[index];
	uint64_t address = candidate->symbol.address;
	uint64_t end = candidate->limit;
	if (index + 1 < table->num_candidates && table->candidates[index + 1].symbol.address < end)
		end = table->candidates[index + 1].symbol.address;
	return end > address && end != UINT64_MAX ? end - address : 1;
}

static bool symbol_table_holds(const struct object_symbol *symbol, uint64_t address)
{
	return address >= symbol->address && address - symbol->address < symbol->size;
}

/** An earlier function that still goes on behind the ones between; most have none. */
static void find_enclosing(struct symbol_table *table)
{
	for (size_t i = 0; i < table->num_items; i++) {
		uint32_t earlier = i ? (uint32_t)i - 1 : NO_ENCLOSING;
		for (int depth = 0;
		     earlier != NO_ENCLOSING &&
		     !symbol_table_holds(&table->items[earlier], table->items[i].address);
		     depth++)
			earlier = depth < MAX_ENCLOSING ? table->enclosing[earlier] : NO_ENCLOSING;
		table->enclosing[i] = earlier;
	}
}

struct error *symbol_table_build(struct symbol_table *table)
{
	if (!table->num_candidates)
		return NULL;
	if (table->num_candidates >= NO_ENCLOSING)
		return error_create(ERROR_FAILED, "too many functions: %zu", table->num_candidates);
	qsort(table->candidates, table->num_candidates, sizeof(*table->candidates),
	      compare_candidates);
	symbol_table_drop_aliases(table);
	table->items = calloc(table->num_candidates, sizeof(*table->items));
	table->enclosing = calloc(table->num_candidates, sizeof(*table->enclosing));
	if (!table->items || !table->enclosing)
		return &error_no_memory;
	for (size_t i = 0; i < table->num_candidates; i++) {
		table->items[i] = table->candidates[i].symbol;
		if (!table->items[i].size)
			table->items[i].size = size_up_to_next(table, i);
	}
	table->num_items = table->num_candidates;
	find_enclosing(table);
	free(take_ptr(table->candidates));
	table->num_candidates = table->cap_candidates = 0;
	return NULL;
}

const struct object_symbol *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	size_t count = BISECT_U64(table->items, table->num_items, address, address);
	uint32_t index = count ? (uint32_t)count - 1 : NO_ENCLOSING;
	for (int depth = 0; index != NO_ENCLOSING && depth < MAX_ENCLOSING; depth++) {
		if (symbol_table_holds(&table->items[index], address))
			return &table->items[index];
		index = table->enclosing[index];
	}
	return NULL;
}

void symbol_table_deinit(struct symbol_table *table)
{
	free(table->items);
	free(table->enclosing);
	free(table->candidates);
	arena_deinit(&table->names);
	*table = (struct symbol_table)SYMBOL_TABLE_INIT;
}
