/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CRC32_H
#define WPERF_BASE_CRC32_H

/** The checksum of gzip and of .gnu_debuglink: CRC-32 with the polynomial of Ethernet, lowest bit
 * first. */

#include <stddef.h>
#include <stdint.h>

enum { CRC32_STRIDE = 8 };

struct crc32 {
	uint32_t value; /* of the bytes added so far */
	/* tables[n][byte]: what a byte adds to the checksum if n bytes follow it */
	uint32_t tables[CRC32_STRIDE][256];
};

void crc32_init(struct crc32 *crc);
void crc32_add(struct crc32 *crc, const void *bytes, size_t size);

#endif
