/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_JITDUMP_BYTES_H
#define WPERF_TESTS_UNIT_JITDUMP_BYTES_H

/** Writes a jit-PID.dump, in our byte order or in the other one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct jitdump_bytes {
	uint8_t data[8192];
	size_t size;
	size_t record; /* where the last one begins */
	bool is_swapped;
};

static inline void jitdump_put32(struct jitdump_bytes *bytes, uint32_t value)
{
	value = bytes->is_swapped ? __builtin_bswap32(value) : value;
	memcpy(bytes->data + bytes->size, &value, sizeof(value));
	bytes->size += sizeof(value);
}

static inline void jitdump_put64(struct jitdump_bytes *bytes, uint64_t value)
{
	value = bytes->is_swapped ? __builtin_bswap64(value) : value;
	memcpy(bytes->data + bytes->size, &value, sizeof(value));
	bytes->size += sizeof(value);
}

static inline void jitdump_put_text(struct jitdump_bytes *bytes, const char *text)
{
	memcpy(bytes->data + bytes->size, text, strlen(text) + 1);
	bytes->size += strlen(text) + 1;
}

static inline void jitdump_put_header(struct jitdump_bytes *bytes)
{
	static const uint32_t words[] = {0x4a695444, 1, 40, 62, 0, 1234};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		jitdump_put32(bytes, words[i]);
	jitdump_put64(bytes, 0);
	jitdump_put64(bytes, 0);
}

static inline void jitdump_begin(struct jitdump_bytes *bytes, uint32_t id)
{
	bytes->record = bytes->size;
	jitdump_put32(bytes, id);
	jitdump_put32(bytes, 0);
	jitdump_put64(bytes, 77);
}

/** The record says how large it is. */
static inline void jitdump_end(struct jitdump_bytes *bytes)
{
	size_t end = bytes->size;
	bytes->size = bytes->record + 4;
	jitdump_put32(bytes, (uint32_t)(end - bytes->record));
	bytes->size = end;
}

static inline void jitdump_put_load(struct jitdump_bytes *bytes, uint64_t address, uint64_t size,
				    uint64_t number, const char *name)
{
	uint64_t words[] = {0, address, address, size, number};
	jitdump_begin(bytes, 0);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		jitdump_put64(bytes, words[i]);
	jitdump_put_text(bytes, name);
	jitdump_put_text(bytes, "code");
	jitdump_end(bytes);
}

static inline void jitdump_put_move(struct jitdump_bytes *bytes, uint64_t from, uint64_t to,
				    uint64_t size, uint64_t number)
{
	uint64_t words[] = {0, to, from, to, size, number};
	jitdump_begin(bytes, 1);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		jitdump_put64(bytes, words[i]);
	jitdump_end(bytes);
}

/** Two lines, 10 at the start and 11 in the middle. */
static inline void jitdump_put_lines(struct jitdump_bytes *bytes, uint64_t address, uint64_t size,
				     const char *file)
{
	jitdump_begin(bytes, 2);
	jitdump_put64(bytes, address);
	jitdump_put64(bytes, 2);
	for (uint32_t i = 0; i < 2; i++) {
		jitdump_put64(bytes, address + i * size / 2);
		jitdump_put32(bytes, 10 + i);
		jitdump_put32(bytes, 0);
		jitdump_put_text(bytes, i ? "\xff" : file);
	}
	jitdump_end(bytes);
}

#endif
