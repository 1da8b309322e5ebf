// SPDX-License-Identifier: Apache-2.0

#include "object/unpack/decompress.h"

struct error *decompress_xz(struct object_bytes packed, uint64_t max_size, uint8_t **ret,
			    size_t *ret_size)
{
	return error_with_hint(error_create(ERROR_FAILED, "wperf.exe cannot decompress xz"),
			       "wperf on Linux can, also for a recording made here");
}
