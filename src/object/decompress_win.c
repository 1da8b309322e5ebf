// SPDX-License-Identifier: Apache-2.0

#include "object/decompress.h"

#include "base/inflater.h"

#include <stdlib.h>

static struct error *cannot_unpack(const char *format)
{
	return error_with_hint(error_create(ERROR_FAILED, "wperf.exe does not unpack %s", format),
			       "wperf on Linux does, also of a recording made here");
}

static struct error *unpack_zlib(struct object_bytes packed, uint64_t size, uint8_t **ret)
{
	enum { MAX_RATIO = 1032 }; // what the format can do: a size beyond it is a lie
	if (!size || size > SIZE_MAX || size / MAX_RATIO > packed.size)
		return error_create(ERROR_FAILED, "%zu packed bytes cannot be %llu", packed.size,
				    (unsigned long long)size);
	_cleanup_free_ uint8_t *bytes = malloc(size);
	if (!bytes)
		return &error_no_memory;
	if (!inflater_unpack(packed.data, packed.size, bytes, size))
		return error_create(ERROR_FAILED, "packed bytes are damaged");
	*ret = take_ptr(bytes);
	return NULL;
}

struct error *decompress(enum decompress_method method, struct object_bytes packed, uint64_t size,
			 uint8_t **ret)
{
	if (method == DECOMPRESS_ZLIB)
		return unpack_zlib(packed, size, ret);
	return cannot_unpack("zstd");
}

struct error *decompress_xz(struct object_bytes packed, uint8_t **ret, size_t *ret_size)
{
	return cannot_unpack("xz");
}
