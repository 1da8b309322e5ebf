/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_ARM64_PACKED_H
#define WPERF_STACK_PE_PE_ARM64_PACKED_H

/** A usual Arm64 function, whose beginning and only end are told by one word of its table. */

#include "stack/pe/pe_arm64_code.h"

struct pe_arm64_packed {
	uint32_t length;                      /* bytes */
	bool is_fragment;                     /* it has the frame, but neither beginning nor end */
	struct pe_arm64_codes beginning, end; /* the end is that of the function */
};

/** False if it is none that a compiler makes. */
bool pe_arm64_packed_read(uint32_t word, struct pe_arm64_packed *ret);

#endif
