/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_INFLATER_H
#define WPERF_BASE_INFLATER_H

/** Bytes that zlib packed (RFC 1950 and 1951), a little faster than zlib unpacks them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @ret: room for @size bytes: exactly these must come out, with the right checksum, else it is
 * false and they are anything. What is behind the packed bytes does not matter.
 */
bool inflater_unpack(const void *packed, size_t packed_size, uint8_t *ret, size_t size);

#endif
