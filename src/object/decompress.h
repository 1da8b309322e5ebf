/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DECOMPRESS_H
#define WPERF_OBJECT_DECOMPRESS_H

/**
 * Bytes of a file that are packed. Libraries are loaded when there is something to unpack, so that
 * nothing else pays for them; zlib's format needs none. On Windows there are none.
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

/** Of that one format; @bytes: room for @size. @ret_is_whole: did exactly these come out? */
struct error *decompress_zstd(struct object_bytes packed, uint8_t *bytes, size_t size,
			      bool *ret_is_whole);

/** @packed: in the format of xz, which does not say its size in front. @ret: to be freed. */
struct error *decompress_xz(struct object_bytes packed, uint8_t **ret, size_t *ret_size);

#endif
