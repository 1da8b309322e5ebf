/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_TRAP_FRAME_ARM64_H
#define WPERF_DRIVER_WINDOWS_TRAP_FRAME_ARM64_H

/** What the kernel on Arm64 tells an interrupt of what it interrupted (KTRAP_FRAME of the WDK). */

#include <stddef.h>
#include <stdint.h>

struct trap_frame {
	uint8_t unused[0x90];
	uint32_t spsr;
	uint32_t esr;
	uint64_t sp;
	uint64_t x[19];
	uint64_t lr;
	uint64_t fp;
	uint64_t pc;
};

_Static_assert(offsetof(struct trap_frame, sp) == 0x98, "offset of sp");
_Static_assert(offsetof(struct trap_frame, lr) == 0x138, "offset of lr");
_Static_assert(offsetof(struct trap_frame, pc) == 0x148, "offset of pc");
_Static_assert(sizeof(struct trap_frame) == 0x150, "size of struct trap_frame");

/** SPSR_EL1.M: of code at EL0, and of the kernel's, which uses SP_EL1 or SP_EL0. */
enum { TRAP_FRAME_EL_MASK = 0xc, TRAP_FRAME_EL0 = 0 };

#endif
