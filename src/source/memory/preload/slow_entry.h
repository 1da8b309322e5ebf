/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_SLOW_ENTRY_H
#define WPERF_SOURCE_MEMORY_SLOW_ENTRY_H

/**
 * SLOW_ENTRY(name, target): a function with the first three arguments of @target, which gets the
 * registers of the caller as its arguments four to six: the stack pointer after the call, the
 * return address, and the frame pointer. A function that ends with a call of @name has left its own
 * frame by then (-foptimize-sibling-calls), so that these are the registers of the program.
 */

#if defined(__x86_64__)
#define SLOW_ENTRY_CODE        \
	"	lea 8(%rsp), %rcx\n" \
	"	mov (%rsp), %r8\n"   \
	"	mov %rbp, %r9\n"
#define SLOW_ENTRY_JUMP "jmp"
#define SLOW_ENTRY_TYPE "@function"
#elif defined(__aarch64__)
#define SLOW_ENTRY_CODE  \
	"	mov x3, sp\n"  \
	"	mov x4, x30\n" \
	"	mov x5, x29\n"
#define SLOW_ENTRY_JUMP "b"
#define SLOW_ENTRY_TYPE "%function"
#else
#error "the registers of this machine are not known"
#endif

#define SLOW_ENTRY(name, target)                                                                   \
	__asm__(".text\n"                                                                          \
		".hidden " #name "\n"                                                              \
		".globl " #name "\n"                                                               \
		".type " #name ", " SLOW_ENTRY_TYPE "\n" #name ":\n"                               \
		"	.cfi_startproc\n" SLOW_ENTRY_CODE "	" SLOW_ENTRY_JUMP " " #target "\n" \
		"	.cfi_endproc\n"                                                                  \
		".size " #name ", . - " #name "\n")

#endif
