/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_USER_REGS_H
#define WPERF_RECORD_PERF_DATA_USER_REGS_H

/** The registers of a sample that a stack walk needs, and where the kernel puts them. */

#include "record/record.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	USER_REGS_MAX = 4,
	USER_REGS_ABI_64 = 2, /* record_sample.regs_abi of code with 64 bits */
};

/** Numbers of bits in record_sample.regs_mask; link is -1 where calls use the stack only. */
struct user_regs_layout {
	const char *machine; /* as uname has it */
	int ip, sp, frame, link;
};

/** NULL for a machine whose stacks we do not walk. */
const struct user_regs_layout *user_regs_layout_find(const char *machine);

uint64_t user_regs_mask(const struct user_regs_layout *layout);

struct user_regs {
	uint64_t ip, sp, frame, link; /* link: 0 where there is none */
};

/** False if the sample lacks one of them. */
bool user_regs_of(const struct user_regs_layout *layout, const struct record_sample *sample,
		  struct user_regs *ret);

/** As they are in a sample with the mask of the layout, in the order of their bits. */
void user_regs_put(const struct user_regs_layout *layout, const struct user_regs *regs,
		   uint64_t ret[static USER_REGS_MAX]);

#endif
