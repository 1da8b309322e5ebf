/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_SIP_HASH_H
#define WPERF_BASE_CONTAINER_SIP_HASH_H

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a 64-bit hash with a secret key. Whoever does not
 * know the key cannot find two texts with one hash faster than by chance.
 */

#include <stddef.h>
#include <stdint.h>

struct sip_key {
	uint64_t words[2];
};

uint64_t sip_hash(struct sip_key key, const void *bytes, size_t size);

#endif
