// SPDX-License-Identifier: Apache-2.0

#include "object/decompress.h"

static struct error *cannot_unpack(const char *format)
{
	return error_with_hint(error_create(ERROR_FAILED, "wperf.exe does not unpack %s", format),
			       "wperf on Linux does, also of a recording made here");
}

struct error *decompress(enum decompress_method method, struct object_bytes packed, uint64_t size,
			 uint8_t **ret)
{
	return cannot_unpack(method == DECOMPRESS_ZSTD ? "zstd" : "zlib");
}

struct error *decompress_xz(struct object_bytes packed, uint8_t **ret, size_t *ret_size)
{
	return cannot_unpack("xz");
}
