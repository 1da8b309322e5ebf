/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_SYSREG_H
#define WPERF_TESTS_BAREMETAL_SYSREG_H

/** System registers by their names. */

#include <stdint.h>

#define SYSREG_READ(name)                                                         \
	({                                                                        \
		uint64_t sysreg_read;                                             \
		__asm__ volatile("mrs %0, " #name : "=r"(sysreg_read)::"memory"); \
		sysreg_read;                                                      \
	})

/** In effect for the instruction behind it. */
#define SYSREG_WRITE(name, value)                                                              \
	do {                                                                                   \
		uint64_t sysreg_written = (value);                                             \
		__asm__ volatile("msr " #name ", %0\n\tisb" ::"r"(sysreg_written) : "memory"); \
	} while (0)

#endif
