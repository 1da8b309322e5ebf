// SPDX-License-Identifier: Apache-2.0

#include "object/elf/frame_header.h"

#include "base/byte_order.h"
#include "base/reader.h"

// .eh_frame_hdr has a table sorted by address, made by the linker so that exceptions find their
// FDE fast: a binary search gives the function that starts last, and the FDE it points to has the
// length. So functions of stripped files are found without reading .eh_frame. The header allows
// many encodings, but linkers write one; with another one there is no answer.

// "DWARF Extensions" of the Linux Standard Base, 10.6.2. All linkers write these encodings.
enum {
	VERSION = 1,
	POINTER_ANY = 0x1b,    // .eh_frame, from here; not needed
	COUNT_U32 = 0x03,      // udata4
	TABLE_DATAREL4 = 0x3b, // sdata4, from the section's address on
	HEADER_SIZE = 12,
	ROW_SIZE = 8,
	RANGE_OFFSET = 12, // in an entry: length, CIE, start, range
	ENTRY_SIZE = 16,
	LONG_LENGTH = -1,
};

struct table {
	const uint8_t *rows;
	size_t num_rows;
	uint64_t base;
};

static bool frame_header_read_table(const struct object_bytes *header, struct table *ret)
{
	struct reader reader = reader_create(header->data, header->size);
	uint8_t version = reader_u8(&reader), pointer = reader_u8(&reader);
	uint8_t count = reader_u8(&reader), rows = reader_u8(&reader);
	reader_skip(&reader, sizeof(uint32_t));
	size_t num_rows = reader_u32(&reader);
	bool is_known = version == VERSION && pointer == POINTER_ANY && count == COUNT_U32 &&
			rows == TABLE_DATAREL4;
	if (header->size < HEADER_SIZE || !is_known ||
	    num_rows > (header->size - HEADER_SIZE) / ROW_SIZE)
		return false;
	*ret = (struct table){(const uint8_t *)header->data + HEADER_SIZE, num_rows,
			      header->address};
	return true;
}

/** @field: 0: the function's address; 1: that of its entry. */
static uint64_t row_of(const struct table *table, size_t row, size_t field)
{
	const uint8_t *bytes = table->rows + row * ROW_SIZE + field * sizeof(uint32_t);
	return table->base + (uint64_t)(int64_t)(int32_t)byte_order_load32(bytes, false);
}

/** The number of rows that begin at @address or before. */
static size_t frame_header_count_up_to(const struct table *table, uint64_t address)
{
	size_t first = 0, end = table->num_rows;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (row_of(table, middle, 0) <= address)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/** The length of the code, which follows its start in the same size. */
static bool frame_header_read_range(const struct object_bytes *frames, uint64_t entry,
				    uint64_t *ret)
{
	// The range is behind the start and of its size: four bytes in what compilers write.
	uint64_t offset = entry - frames->address;
	if (offset > frames->size || frames->size - offset < ENTRY_SIZE)
		return false;
	const uint8_t *bytes = (const uint8_t *)frames->data + offset;
	if ((int32_t)byte_order_load32(bytes, false) == LONG_LENGTH)
		return false;
	*ret = byte_order_load32(bytes + RANGE_OFFSET, false);
	return true;
}

bool frame_header_find(const struct object_bytes *header, const struct object_bytes *frames,
		       uint64_t address, uint64_t *ret_start, uint64_t *ret_end)
{
	struct table table;
	uint64_t range;
	if (!header->data || !frame_header_read_table(header, &table))
		return false;
	size_t num = frame_header_count_up_to(&table, address);
	if (!num || !frame_header_read_range(frames, row_of(&table, num - 1, 1), &range))
		return false;
	uint64_t start = row_of(&table, num - 1, 0);
	if (address - start >= range)
		return false;
	*ret_start = start;
	*ret_end = start + range;
	return true;
}

bool frame_header_next(const struct object_bytes *header, const struct object_bytes *frames,
		       uint64_t address, uint64_t *ret_start, uint64_t *ret_end)
{
	struct table table;
	if (!header->data || !frame_header_read_table(header, &table))
		return false;
	for (size_t i = address ? frame_header_count_up_to(&table, address - 1) : 0;
	     i < table.num_rows; i++) {
		uint64_t start = row_of(&table, i, 0), range;
		if (start < address) // not sorted: who asks for the next ones would never end
			return false;
		if (!frame_header_read_range(frames, row_of(&table, i, 1), &range) || !range)
			continue;
		*ret_start = start;
		*ret_end = start + range;
		return true;
	}
	return false;
}
