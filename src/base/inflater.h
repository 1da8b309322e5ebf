/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_INFLATER_H
#define WPERF_BASE_INFLATER_H

/** Decompression of zlib data (RFC 1950 and 1951), a little faster than zlib. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @ret: a buffer of @size bytes. False, with anything in the buffer, unless the data decompresses
 * to exactly @size bytes with the right checksum. Bytes after the compressed data are ignored.
 */
bool inflater_unpack(const void *packed, size_t packed_size, uint8_t *ret, size_t size);

#endif
