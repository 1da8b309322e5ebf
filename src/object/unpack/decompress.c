// SPDX-License-Identifier: Apache-2.0

#include "object/unpack/decompress.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

// All at once into a buffer of the size that the caller knows. The size is checked against the
// best ratio that the format can reach (1032:1 for deflate; 2^17 is generous for zstd blocks), so
// that a false size is found before memory is taken for it.

enum { DECOMPRESS_MAX_BYTES = 1 << 30 };

/** @bytes: room for @size. @ret_is_whole: did exactly these come out, with the right checksum? */
typedef struct error *unpack_function(struct object_bytes packed, uint8_t *bytes, size_t size,
				      bool *ret_is_whole);

static struct error *unpack_zlib(struct object_bytes packed, uint8_t *bytes, size_t size,
				 bool *ret_is_whole)
{
	// zlib's sizes have 32 bits on Windows, which is enough for the packed form of
	// DECOMPRESS_MAX_BYTES. What follows the data is ignored.
	uLong packed_size = packed.size < UINT32_MAX ? (uLong)packed.size : UINT32_MAX;
	uLong unpacked_size = (uLong)size;
	int result = uncompress(bytes, &unpacked_size, packed.data, packed_size);
	if (result == Z_MEM_ERROR)
		return &error_no_memory;
	*ret_is_whole = result == Z_OK && unpacked_size == size;
	return NULL;
}

static struct error *unpack_zstd(struct object_bytes packed, uint8_t *bytes, size_t size,
				 bool *ret_is_whole)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	if (!context)
		return &error_no_memory;
	// An error is a number beyond all sizes, so that one comparison is enough.
	*ret_is_whole = ZSTD_decompressDCtx(context, bytes, size, packed.data, packed.size) == size;
	ZSTD_freeDCtx(context);
	return NULL;
}

static const struct {
	unpack_function *unpack;
	uint32_t max_ratio; // what the format can do: a size beyond it is a lie
} methods[] = {
	[DECOMPRESS_ZLIB] = {unpack_zlib, 1032},
	[DECOMPRESS_ZSTD] = {unpack_zstd, 1 << 17},
};

struct error *decompress(enum decompress_method method, struct object_bytes packed, uint64_t size,
			 uint8_t **ret)
{
	if (!size || size > DECOMPRESS_MAX_BYTES || size / methods[method].max_ratio > packed.size)
		return error_create(ERROR_FAILED, "%zu compressed bytes cannot hold %llu",
				    packed.size, (unsigned long long)size);
	_cleanup_free_ uint8_t *bytes = malloc(size);
	if (!bytes)
		return &error_no_memory;
	bool is_whole;
	struct error *err = methods[method].unpack(packed, bytes, size, &is_whole);
	if (err)
		return err;
	if (!is_whole)
		return error_create(ERROR_FAILED, "compressed bytes are damaged");
	*ret = take_ptr(bytes);
	return NULL;
}
