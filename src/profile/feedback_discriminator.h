/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_FEEDBACK_DISCRIMINATOR_H
#define WPERF_PROFILE_FEEDBACK_DISCRIMINATOR_H

/**
 * What LLVM packs into a discriminator of DWARF (DILocation in its DebugInfoMetadata.h): first
 * which piece of code of the line it is, then how many copies of that piece unrolling and
 * vectorizing made. Each part has 1 bit if it is 0, else 7 or 14, the lowest first:
 *
 *	1                   0
 *	0 vvvvv 0           a value below 32
 *	0 vvvvv 1 vvvvvvv   the lower 5 bits of a larger value, then the others
 */

#include <stdint.h>

static inline uint32_t feedback_discriminator_part(uint32_t discriminator)
{
	if (discriminator & 1)
		return 0;
	uint32_t bits = discriminator >> 1;
	return bits & 0x20 ? (bits >> 1 & 0xfe0) | (bits & 0x1f) : bits & 0x1f;
}

/** What the compiler looks lines up by. */
static inline uint32_t feedback_discriminator_piece(uint32_t discriminator)
{
	return feedback_discriminator_part(discriminator);
}

/** At least 1: itself. */
static inline uint32_t feedback_discriminator_copies(uint32_t discriminator)
{
	uint32_t size = discriminator & 1 ? 1 : discriminator & 0x40 ? 14 : 7;
	uint32_t copies = feedback_discriminator_part(discriminator >> size);
	return copies ? copies : 1;
}

#endif
