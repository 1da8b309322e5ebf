// SPDX-License-Identifier: Apache-2.0

#include "unwind/cfi_pointer.h"

enum {
	FORMAT_ULEB128 = 0x01,
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
	BASE_NONE = 0x00,
	BASE_PLACE = 0x10,
	BASE_TEXT = 0x20,
	BASE_DATA = 0x30,
	BASE_ALIGNED = 0x50,
	INDIRECT = 0x80,
};

enum { POINTER_SIZE = 8 };

static uint64_t read_format(struct reader *reader, uint8_t encoding)
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

static uint64_t read_aligned(struct reader *reader, uint64_t section_address)
{
	uint64_t place = section_address + reader->offset;
	reader_skip(reader, (size_t)(-place & (POINTER_SIZE - 1)));
	return reader_u64(reader);
}

uint64_t cfi_pointer_read(struct reader *reader, uint8_t encoding,
			  const struct cfi_pointer_bases *bases)
{
	uint64_t place = bases->section + reader->offset;
	if (encoding & INDIRECT)
		reader->failed = true;
	switch (encoding & BASE_MASK) {
	case BASE_NONE:
		return read_format(reader, encoding);
	case BASE_PLACE:
		return read_format(reader, encoding) + place;
	case BASE_TEXT:
		return read_format(reader, encoding) + bases->text;
	case BASE_DATA:
		return read_format(reader, encoding) + bases->data;
	case BASE_ALIGNED:
		return read_aligned(reader, bases->section);
	}
	reader->failed = true;
	return 0;
}

void cfi_pointer_skip(struct reader *reader, uint8_t encoding)
{
	static const struct cfi_pointer_bases nowhere = {0};
	if (encoding == CFI_POINTER_OMITTED)
		return;
	cfi_pointer_read(reader, encoding & (uint8_t)~INDIRECT, &nowhere);
}
