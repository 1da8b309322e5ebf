/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_UNPACK_DECOMPRESS_H
#define WPERF_OBJECT_UNPACK_DECOMPRESS_H

/**
 * Decompression of sections: zlib and zstd are part of the program on every system. liblzma is
 * loaded when the first .gnu_debugdata is read; Windows has none.
 */

#include "base/error.h"
#include "object/object.h"

enum decompress_method { DECOMPRESS_ZLIB, DECOMPRESS_ZSTD };

/**
 * Exactly @size bytes come out, or it is an error: also for a size that @packed cannot hold, before
 * any memory is taken for it.
 * @ret: to be freed.
 */
struct error *decompress(enum decompress_method method, struct object_bytes packed, uint64_t size,
			 uint8_t **ret);

/**
 * @packed: in the format of xz, which does not say its size in front.
 * @ret: to be freed; NULL: it has more than @max_size bytes, and no more of it was unpacked.
 */
struct error *decompress_xz(struct object_bytes packed, uint64_t max_size, uint8_t **ret,
			    size_t *ret_size);

#endif
