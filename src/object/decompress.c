// SPDX-License-Identifier: Apache-2.0

#include "object/decompress.h"

#include "base/inflater.h"

#include <stdlib.h>

enum { DECOMPRESS_MAX_BYTES = 1 << 30 };

static struct error *unpack_zlib(struct object_bytes packed, uint8_t *bytes, size_t size,
				 bool *ret_is_whole)
{
	*ret_is_whole = inflater_unpack(packed.data, packed.size, bytes, size);
	return NULL;
}

static const struct {
	struct error *(*unpack)(struct object_bytes packed, uint8_t *bytes, size_t size,
				bool *ret_is_whole);
	uint32_t max_ratio; // what the format can do: a size beyond it is a lie
} methods[] = {
	[DECOMPRESS_ZLIB] = {unpack_zlib, 1032},
	[DECOMPRESS_ZSTD] = {decompress_zstd, 1 << 17},
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
