/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DECOMPRESS_H
#define WPERF_OBJECT_DECOMPRESS_H

/**
 * Bytes of a file that are packed. The libraries are loaded when there is something to unpack, so
 * that nothing else pays for them.
 */

#include "base/error.h"
#include "object/object.h"

enum decompress_method { DECOMPRESS_ZLIB, DECOMPRESS_ZSTD };

/**
 * Exactly @size bytes come out, or it is an error.
 * @ret: to be freed.
 */
struct error *decompress(enum decompress_method method, struct object_bytes packed, uint64_t size,
			 uint8_t **ret);

/** The same of the format of xz, which does not say its size in front. */
struct error *decompress_xz(struct object_bytes packed, uint8_t **ret, size_t *ret_size);

#endif
