/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNWIND_OWN_REGISTERS_H
#define WPERF_TESTS_UNWIND_OWN_REGISTERS_H

/** The registers of the function that uses the macro, at that place. */

#include "stack/native_unwind.h"

#ifdef __aarch64__
#define OWN_MACHINE CFI_AARCH64
#define OWN_REGISTERS(regs)                                                         \
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30"    \
			 : "=&r"((regs)->ip), "=&r"((regs)->sp), "=&r"((regs)->fp), \
			   "=&r"((regs)->lr))
#else
#define OWN_MACHINE CFI_X86_64
#define OWN_REGISTERS(regs)                                                                 \
	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\txor %3, %3" \
			 : "=&r"((regs)->ip), "=&r"((regs)->sp), "=&r"((regs)->fp),         \
			   "=&r"((regs)->lr))
#endif

#endif
