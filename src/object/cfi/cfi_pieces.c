// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_pieces.h"

#include "object/cfi/cfi_entry.h"

// Finds the FDEs around some addresses by one pass over the section, without the table of rows
// (cfi_table.c): that would run the instructions of every function. Entries have no order, so each
// one is read and its range is compared with the sorted addresses by binary search. The CIE must
// be known to read the range (it has the encoding of pointers); neighbours share one, so the last
// one is kept. Unreadable entries are skipped.

struct search {
	struct reader bytes;
	const struct cfi_section *section;
	struct cfi_common common; /* of the entry before: neighbours share it */
	bool has_common;
};

static bool read_common(struct search *search, uint64_t offset)
{
	if (search->has_common && search->common.offset == offset)
		return true;
	struct reader reader = search->bytes;
	struct cfi_entry entry;
	search->has_common = false;
	if (offset >= search->section->size)
		return false;
	reader_seek(&reader, (size_t)offset);
	search->has_common = cfi_entry_next(&reader, search->section->is_debug_frame, &entry) &&
			     entry.is_common &&
			     cfi_common_read(search->bytes, &entry, &search->common);
	return search->has_common;
}

static bool holds_any(const struct cfi_piece *piece, const uint64_t *addresses, size_t num)
{
	// The first address that is not below the piece is in it, or none is.
	size_t first = 0, end = num;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (addresses[middle] < piece->start)
			first = middle + 1;
		else
			end = middle;
	}
	return first < num && addresses[first] < piece->end;
}

size_t cfi_pieces_find(const struct cfi_section *section, const uint64_t *addresses, size_t num,
		       struct cfi_piece *ret, size_t max)
{
	struct search search = {
		.bytes = reader_create(section->data, section->size),
		.section = section,
	};
	const struct cfi_pointer_bases bases = {
		.section = section->address,
		.text = section->text_address,
		.data = section->data_address,
	};
	struct reader reader = search.bytes;
	struct cfi_entry entry;
	size_t num_found = 0;
	while (num_found < max && cfi_entry_next(&reader, section->is_debug_frame, &entry)) {
		struct cfi_function function;
		if (entry.is_terminator || entry.is_common ||
		    !read_common(&search, entry.common_offset) ||
		    !cfi_function_read(search.bytes, &entry, &search.common, bases, &function))
			continue;
		const struct cfi_piece piece = {function.start, function.end};
		if (holds_any(&piece, addresses, num))
			ret[num_found++] = piece;
	}
	return num_found;
}
