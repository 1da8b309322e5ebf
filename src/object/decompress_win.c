// SPDX-License-Identifier: Apache-2.0

#include "object/decompress.h"

static struct error *cannot_unpack(const char *format)
{
	return error_with_hint(error_create(ERROR_FAILED, "wperf.exe cannot decompress %s", format),
			       "wperf on Linux can, also for a recording made here");
}

struct error *decompress_zstd(struct object_bytes packed, uint8_t *bytes, size_t size,
			      bool *ret_is_whole)
{
	return cannot_unpack("zstd");
}

struct error *decompress_xz(struct object_bytes packed, uint8_t **ret, size_t *ret_size)
{
	return cannot_unpack("xz");
}
