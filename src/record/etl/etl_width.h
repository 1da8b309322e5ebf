/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_WIDTH_H
#define WPERF_RECORD_ETL_ETL_WIDTH_H

/** Addresses of recorded machines as 64-bit ones, whose upper half is the kernel's. */

#include <stdbool.h>
#include <stdint.h>

struct etl_width {
	bool is_arm64;  /* return addresses may have pointer authentication bits */
	bool is_32_bit; /* the kernel, not only a program */
};

static inline uint64_t etl_address(struct etl_width width, uint64_t address)
{
	// On Arm64 bit 55 says which half an address is of, whatever is above the 48 bits that
	// Windows uses. The kernel of a 32-bit system is above 2 GB.
	enum { HALF_BIT = 55, ADDRESS_BITS = 48, KERNEL_BIT_32 = 31 };
	const uint64_t above = ~UINT64_C(0) << ADDRESS_BITS;
	if (width.is_arm64)
		return address >> HALF_BIT & 1 ? address | above : address & ~above;
	if (width.is_32_bit && address >> KERNEL_BIT_32)
		return address | ~(uint64_t)UINT32_MAX;
	return address;
}

#endif
