// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_pointer.h"

// Encoded pointers of exception tables: DW_EH_PE_*, from the Linux Standard Base Core, 10.5.1. The
// low four bits are the format, the next three what to add, the highest one says that the result
// is the address of the pointer (indirect). "pcrel" counts from the place of the pointer itself:
// the reader's buffer must be the whole section, so that its offset plus the section's address is
// that place. "funcrel" (0x40) is not supported and fails.

enum {
	FORMAT_ULEB128 = 0x01, // DW_EH_PE_uleb128, and so on
	FORMAT_UDATA2 = 0x02,
	FORMAT_UDATA4 = 0x03,
	FORMAT_UDATA8 = 0x04,
	FORMAT_SIGNED = 0x08,
	FORMAT_SLEB128 = 0x09,
	FORMAT_SDATA2 = 0x0a,
	FORMAT_SDATA4 = 0x0b,
	FORMAT_SDATA8 = 0x0c,
};

enum {
	BASE_MASK = 0x70,
	BASE_NONE = 0x00,    // DW_EH_PE_absptr
	BASE_PLACE = 0x10,   // DW_EH_PE_pcrel
	BASE_TEXT = 0x20,    // DW_EH_PE_textrel
	BASE_DATA = 0x30,    // DW_EH_PE_datarel
	BASE_ALIGNED = 0x50, // DW_EH_PE_aligned
	INDIRECT = 0x80,     // DW_EH_PE_indirect
};

enum { POINTER_SIZE = 8 };

static uint64_t cfi_pointer_read_format(struct reader *reader, uint8_t encoding)
{
	switch (encoding & CFI_POINTER_FORMAT_MASK) {
	case CFI_POINTER_ABSOLUTE:
	case FORMAT_SIGNED:
	case FORMAT_UDATA8:
	case FORMAT_SDATA8:
		return reader_u64(reader);
	case FORMAT_ULEB128:
		return reader_uleb128(reader);
	case FORMAT_SLEB128:
		return (uint64_t)reader_sleb128(reader);
	case FORMAT_UDATA2:
		return reader_u16(reader);
	case FORMAT_SDATA2:
		return (uint64_t)(int16_t)reader_u16(reader);
	case FORMAT_UDATA4:
		return reader_u32(reader);
	case FORMAT_SDATA4:
		return (uint64_t)(int32_t)reader_u32(reader);
	}
	reader->failed = true;
	return 0;
}

uint64_t cfi_pointer_read(struct reader *reader, uint8_t encoding,
			  const struct cfi_pointer_bases *bases)
{
	uint64_t place = bases->section + reader->offset;
	if (encoding & INDIRECT)
		reader->failed = true;
	switch (encoding & BASE_MASK) {
	case BASE_NONE:
		return cfi_pointer_read_format(reader, encoding);
	case BASE_PLACE:
		return cfi_pointer_read_format(reader, encoding) + place;
	case BASE_TEXT:
		return cfi_pointer_read_format(reader, encoding) + bases->text;
	case BASE_DATA:
		return cfi_pointer_read_format(reader, encoding) + bases->data;
	case BASE_ALIGNED:
		reader_skip(reader, (size_t)(-place & (POINTER_SIZE - 1)));
		return reader_u64(reader);
	}
	reader->failed = true;
	return 0;
}

void cfi_pointer_skip(struct reader *reader, uint8_t encoding)
{
	static const struct cfi_pointer_bases nowhere = {0};
	if (encoding == CFI_POINTER_OMITTED)
		return;
	// An indirect pointer has as many bytes as a direct one; where it leads does not matter
	// here.
	cfi_pointer_read(reader, encoding & (uint8_t)~INDIRECT, &nowhere);
}
