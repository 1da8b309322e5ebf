// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/jitdump.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/reader.h"

#include <stdlib.h>
#include <string.h>

// Follows tools/perf/Documentation/jitdump-specification.txt: a header, then records with id, size
// and time. JIT_CODE_LOAD names a range; JIT_CODE_MOVE gives the same code another address, by its
// number; JIT_CODE_DEBUG_INFO has the lines of the next load. The magic number tells the byte
// order. The file may end within a record, as the process may be writing it: what is complete is
// used.
//
//	magic version size machine pad pid time flags    (40 bytes)
//	id total_size time, then of JIT_CODE_DEBUG_INFO:  address, count, count * (address, line,
//	                                                  discriminator, name)
//	                    of JIT_CODE_LOAD:  pid, tid, vma, address, size, number, name, code
//	                    of JIT_CODE_MOVE:  pid, tid, vma, old address, new address, size, number

// The layout is that of the kernel's tools/perf/Documentation/jitdump-specification.txt.
// "JiTD"; struct jitheader; the id, total_size and timestamp that begin each record.
enum { MAGIC = 0x4a695444, MAGIC_SWAPPED = 0x4454694a, HEADER_SIZE = 40, PREFIX_SIZE = 16 };
enum { MIN_LINE_SIZE = 17 }; // code_addr, line, discrim, and the NUL of an empty name

// JIT_CODE_LOAD, JIT_CODE_MOVE and JIT_CODE_DEBUG_INFO.
enum record_id { CODE_LOAD = 0, CODE_MOVE = 1, CODE_DEBUG_INFO = 2 };

/** A piece of code by the number that its compiler gave it. */
struct numbered_code {
	uint64_t number;
	uint32_t range; /* where it is now */
};

/** The lines of the code that is loaded next. */
struct pending_lines {
	uint64_t address;
	uint32_t first, count;
};

struct jitdump_parser {
	struct code_map *map;
	struct numbered_code *codes;
	size_t num_codes, cap_codes;
	struct hash_table by_number;
	struct pending_lines pending;
};

static void jitdump_parser_deinit(struct jitdump_parser *parser)
{
	free(parser->codes);
	hash_table_deinit(&parser->by_number);
}

static bool has_number(const void *owner, uint32_t index, const void *key)
{
	const struct jitdump_parser *parser = owner;
	return parser->codes[index].number == *(const uint64_t *)key;
}

static struct numbered_code *find_code(struct jitdump_parser *parser, uint64_t number)
{
	uint32_t index = hash_table_find(&parser->by_number, hash_bytes(&number, sizeof(number)),
					 has_number, parser, &number);
	return index == HASH_TABLE_NONE ? NULL : &parser->codes[index];
}

/** The last range of the map is the code of this number from now on. */
/** The range is the code of this number from now on. */
static struct error *jitdump_add_range(struct jitdump_parser *parser,
				       const struct code_range *range, uint64_t number)
{
	uint32_t added = (uint32_t)parser->map->num_ranges;
	struct error *err = code_map_add(parser->map, range);
	if (err || parser->map->num_ranges == added)
		return err;
	struct numbered_code *code = find_code(parser, number);
	if (code) {
		code->range = added;
		return NULL;
	}
	err = array_reserve(&parser->codes, &parser->cap_codes, parser->num_codes + 1);
	if (!err)
		err = hash_table_insert(&parser->by_number, hash_bytes(&number, sizeof(number)),
					(uint32_t)parser->num_codes);
	if (!err)
		parser->codes[parser->num_codes++] = (struct numbered_code){number, added};
	return err;
}

static struct error *read_load(struct jitdump_parser *parser, struct reader *record)
{
	reader_skip(record, 4 + 4 + 8); // pid, tid, vma
	struct code_range range = {.start = reader_u64(record), .size = reader_u64(record)};
	uint64_t number = reader_u64(record);
	range.name = reader_string(record);
	if (record->failed)
		return NULL;
	// Debug information stands before the load that it belongs to, and names its address.
	if (parser->pending.address == range.start) {
		range.first_line = parser->pending.first;
		range.num_lines = parser->pending.count;
	}
	// One load only: the next code at this address has lines of its own.
	parser->pending = (struct pending_lines){0};
	return jitdump_add_range(parser, &range, number);
}

static struct error *read_move(struct jitdump_parser *parser, struct reader *record)
{
	reader_skip(record, 4 + 4 + 8 + 8); // pid, tid, vma, old address
	uint64_t address = reader_u64(record);
	uint64_t size = reader_u64(record);
	uint64_t number = reader_u64(record);
	const struct numbered_code *code = record->failed ? NULL : find_code(parser, number);
	if (!code)
		return NULL;
	// The code keeps its name and lines, whose offsets are relative to its start. The old range
	// stays for samples from before; a later range at its address covers it.
	struct code_range range = parser->map->ranges[code->range];
	range.start = address;
	range.size = size;
	return jitdump_add_range(parser, &range, number);
}

static struct error *jitdump_read_debug_info(struct jitdump_parser *parser, struct reader *record)
{
	uint64_t start = reader_u64(record);
	uint64_t count = reader_u64(record);
	if (record->failed || count > reader_left(record) / MIN_LINE_SIZE)
		return NULL;
	struct code_map *map = parser->map;
	size_t first = map->num_lines;
	const char *file = "";
	for (uint64_t i = 0; i < count && !record->failed; i++) {
		uint64_t address = reader_u64(record);
		uint32_t line = reader_u32(record);
		reader_skip(record, 4); // discriminator
		const char *name = reader_string(record);
		if (record->failed || address < start || map->num_lines >= CODE_MAP_MAX_LINES)
			continue;
		if (strcmp(name, "\xff") != 0) // which means: the file of the line before
			file = name;
		struct error *err = array_reserve(&map->lines, &map->cap_lines, map->num_lines + 1);
		if (err)
			return err;
		map->lines[map->num_lines++] = (struct code_line){address - start, file, line};
	}
	parser->pending = (struct pending_lines){
		.address = start,
		.first = (uint32_t)first,
		.count = (uint32_t)(map->num_lines - first),
	};
	return NULL;
}

static struct error *jitdump_read_records(struct jitdump_parser *parser, struct reader *reader)
{
	while (reader_left(reader) >= PREFIX_SIZE) {
		uint32_t id = reader_u32(reader);
		uint32_t size = reader_u32(reader);
		reader_skip(reader, 8); // time
		if (size < PREFIX_SIZE || size - PREFIX_SIZE > reader_left(reader))
			break; // the writer has not got any further
		struct reader record = reader_sub(reader, size - PREFIX_SIZE);
		struct error *err = NULL;
		if (id == CODE_LOAD)
			err = read_load(parser, &record);
		else if (id == CODE_MOVE)
			err = read_move(parser, &record);
		else if (id == CODE_DEBUG_INFO)
			err = jitdump_read_debug_info(parser, &record);
		if (err)
			return err;
	}
	return NULL;
}

struct error *jitdump_parse(struct code_map *map, const void *bytes, size_t size)
{
	struct reader reader = reader_create(bytes, size);
	uint32_t magic = reader_u32(&reader);
	reader.big_endian = magic == MAGIC_SWAPPED;
	reader_skip(&reader, 4); // version
	uint32_t header_size = reader_u32(&reader);
	if (reader.failed || (magic != MAGIC && magic != MAGIC_SWAPPED) ||
	    header_size < HEADER_SIZE)
		return error_create(ERROR_FAILED, "it is not a jitdump file");
	reader_seek(&reader, header_size);
	_cleanup_(jitdump_parser_deinit) struct jitdump_parser parser = {.map = map};
	struct error *err = jitdump_read_records(&parser, &reader);
	return err ? err : code_map_build(map);
}
