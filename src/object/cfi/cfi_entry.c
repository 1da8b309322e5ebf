// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_entry.h"

#include <string.h>

// .eh_frame and .debug_frame are lists of entries: CIEs with what many functions share, and FDEs,
// one for each range of code (DWARF 5, 6.4.1; for .eh_frame the Linux Standard Base Core, 10.6.1).
// The two sections differ in details that cfi_entry_read_id() hides: in .eh_frame the id of a CIE
// is 0 and an FDE counts backwards to its CIE, in .debug_frame the id is all ones and an FDE has an
// offset.
//
// Fields of a CIE depend on its augmentation string: "z" says that data with a length follows, the
// other letters what is in it (LSB 10.6.1.1.1; "B" and "G" are of AArch64). As the length is
// known, unknown letters only end the reading of augmentation data. Without "z" they make the
// entry unreadable, except for "eh" of gcc 2.
//
// An entry that ends outside of the section ends the list: nothing behind it can be found. Other
// damage costs only its entry, since cfi_entry_next() goes from length to length and never looks
// inside.

enum {
	LENGTH_64BIT = 0xffffffff,
	ADDRESS_SIZE = 8,
};

/** The number that tells a CIE or, in an FDE, where its CIE is. */
static uint64_t cfi_entry_read_id(struct reader *section, bool is_wide, struct cfi_entry *entry,
				  bool is_debug_frame)
{
	uint64_t place = section->offset;
	if (!is_debug_frame) {
		// Four bytes even behind a 64-bit length; counted backwards from its own place.
		uint32_t back = reader_u32(section);
		entry->is_common = back == 0;
		return place - back;
	}
	uint64_t id = is_wide ? reader_u64(section) : reader_u32(section);
	entry->is_common = id == (is_wide ? UINT64_MAX : UINT32_MAX);
	return id;
}

bool cfi_entry_next(struct reader *section, bool is_debug_frame, struct cfi_entry *ret)
{
	if (!reader_left(section))
		return false;
	struct cfi_entry entry = {.offset = section->offset};
	uint64_t length = reader_u32(section);
	bool is_wide = length == LENGTH_64BIT;
	if (is_wide)
		length = reader_u64(section);
	if (section->failed || length > reader_left(section)) {
		section->failed = true;
		return false;
	}
	entry.end = section->offset + (size_t)length;
	entry.is_terminator = length == 0;
	if (length) {
		entry.common_offset = cfi_entry_read_id(section, is_wide, &entry, is_debug_frame);
		entry.body = section->offset;
	}
	// An id that reaches into the next entry is one more damage.
	if (section->failed || section->offset > entry.end) {
		section->failed = true;
		return false;
	}
	reader_seek(section, entry.end);
	*ret = entry;
	return true;
}

/** A reader over the section that ends where the entry does; places are still the section's. */
static struct reader cfi_entry_body_of(struct reader section, const struct cfi_entry *entry)
{
	section.size = entry->end;
	section.offset = entry->body;
	section.failed = false;
	return section;
}

static void read_augmentation(struct reader *body, const char *letters, struct cfi_common *common)
{
	uint64_t length = reader_uleb128(body);
	if (length > reader_left(body))
		body->failed = true;
	size_t end = body->offset + (size_t)length;
	for (; *letters && !body->failed; letters++) {
		switch (*letters) {
		case 'R':
			common->pointer_encoding = reader_u8(body);
			break;
		case 'P':
			cfi_pointer_skip(body, reader_u8(body));
			break;
		case 'L':
			reader_u8(body);
			break;
		case 'S':
			common->is_signal_frame = true;
			break;
		case 'B': // the key with which return addresses are signed: they are never checked
		case 'G': // memory tagging of the stack
			break;
		default:
			// Letters that we do not know may have data: the rest cannot be read, and
			// need not be, since the length is said.
			reader_seek(body, end);
			return;
		}
	}
	if (body->offset > end)
		body->failed = true;
	reader_seek(body, end);
}

bool cfi_common_read(struct reader section, const struct cfi_entry *entry, struct cfi_common *ret)
{
	struct reader body = cfi_entry_body_of(section, entry);
	struct cfi_common common = {.offset = entry->offset, .end = entry->end};
	uint8_t version = reader_u8(&body);
	if (version != 1 && version != 3 && version != 4)
		return false;
	const char *letters = reader_string(&body);
	if (!letters)
		return false;
	bool is_old_gnu = strcmp(letters, "eh") == 0;
	common.has_augmentation = letters[0] == 'z';
	if (*letters && !common.has_augmentation && !is_old_gnu)
		return false;
	if (is_old_gnu)
		reader_skip(&body, ADDRESS_SIZE);
	if (version == 4) {
		// Only whole and flat addresses occur here.
		uint8_t address_size = reader_u8(&body);
		uint8_t segment_size = reader_u8(&body);
		body.failed |= address_size != ADDRESS_SIZE || segment_size != 0;
	}
	common.code_factor = reader_uleb128(&body);
	common.data_factor = reader_sleb128(&body);
	common.return_register = version == 1 ? reader_u8(&body) : reader_uleb128(&body);
	if (common.has_augmentation)
		read_augmentation(&body, letters + 1, &common);
	common.instructions = body.offset;
	if (body.failed)
		return false;
	*ret = common;
	return true;
}

bool cfi_function_read(struct reader section, const struct cfi_entry *entry,
		       const struct cfi_common *common, struct cfi_pointer_bases bases,
		       struct cfi_function *ret)
{
	struct reader body = cfi_entry_body_of(section, entry);
	uint8_t encoding = common->pointer_encoding;
	uint64_t start = cfi_pointer_read(&body, encoding, &bases);
	uint64_t size = cfi_pointer_read(&body, encoding & CFI_POINTER_FORMAT_MASK, &bases);
	if (common->has_augmentation)
		reader_skip(&body, (size_t)reader_uleb128(&body));
	uint64_t end;
	if (body.failed || __builtin_add_overflow(start, size, &end))
		return false;
	*ret = (struct cfi_function){
		.start = start,
		.end = end,
		.instructions = body.offset,
		.instructions_end = entry->end,
	};
	return true;
}
