/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_CFI_BYTES_H
#define WPERF_TESTS_CFI_BYTES_H

/** Writes sections of call frame information, entry by entry. */

#include "object/cfi/cfi_table.h"

#include <assert.h>
#include <string.h>

struct cfi_bytes {
	uint8_t bytes[8192];
	size_t size;
	size_t entry; /* where the open entry begins */
	bool is_debug_frame;
};

static inline void put_bytes(struct cfi_bytes *out, const void *bytes, size_t size)
{
	assert(out->size + size <= sizeof(out->bytes));
	memcpy(out->bytes + out->size, bytes, size);
	out->size += size;
}

static inline void put_u8(struct cfi_bytes *out, uint8_t value)
{
	put_bytes(out, &value, sizeof(value));
}

static inline void put_u32(struct cfi_bytes *out, uint32_t value)
{
	put_bytes(out, &value, sizeof(value));
}

static inline void put_u64(struct cfi_bytes *out, uint64_t value)
{
	put_bytes(out, &value, sizeof(value));
}

static inline void begin_entry(struct cfi_bytes *out, uint32_t id)
{
	out->entry = out->size;
	put_u32(out, 0);
	put_u32(out, id);
}

static inline void end_entry(struct cfi_bytes *out)
{
	uint32_t length = (uint32_t)(out->size - out->entry - 4);
	memcpy(out->bytes + out->entry, &length, sizeof(length));
}

/** Up to its instructions. @letters: with 'z', the data of the others is @data. */
static inline void begin_common(struct cfi_bytes *out, const char *letters, const void *data,
				size_t size, uint8_t data_factor, uint8_t return_register)
{
	begin_entry(out, out->is_debug_frame ? UINT32_MAX : 0);
	put_u8(out, 1);
	put_bytes(out, letters, strlen(letters) + 1);
	put_u8(out, 1);
	put_u8(out, data_factor);
	put_u8(out, return_register);
	if (letters[0] == 'z') {
		put_u8(out, (uint8_t)size);
		put_bytes(out, data, size);
	}
}

/** What every x86-64 compiler writes: absolute addresses, sp + 8, return address at cfa - 8. */
static inline size_t put_common_x86_64(struct cfi_bytes *out, const char *letters)
{
	static const uint8_t instructions[] = {0x0c, 7, 8, 0x80 + 16, 1};
	size_t offset = out->size;
	begin_common(out, letters, "", 1, 0x78, 16);
	put_bytes(out, instructions, sizeof(instructions));
	end_entry(out);
	return offset;
}

static inline size_t put_common_aarch64(struct cfi_bytes *out, const char *letters)
{
	static const uint8_t instructions[] = {0x0c, 31, 0};
	size_t offset = out->size;
	begin_common(out, letters, "", 1, 0x78, 30);
	put_bytes(out, instructions, sizeof(instructions));
	end_entry(out);
	return offset;
}

/** Of a CIE with "zR" and absolute addresses. */
static inline void put_function(struct cfi_bytes *out, size_t common, uint64_t start, uint64_t size,
				const void *instructions, size_t length)
{
	uint32_t back = (uint32_t)(out->size + 4 - common);
	begin_entry(out, out->is_debug_frame ? (uint32_t)common : back);
	put_u64(out, start);
	put_u64(out, size);
	if (!out->is_debug_frame)
		put_u8(out, 0);
	put_bytes(out, instructions, length);
	end_entry(out);
}

static inline struct cfi_section cfi_bytes_section(const struct cfi_bytes *out)
{
	return (struct cfi_section){
		.data = out->bytes, .size = out->size, .is_debug_frame = out->is_debug_frame};
}

#endif
