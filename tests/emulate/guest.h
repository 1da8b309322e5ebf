/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GUEST_H
#define GUEST_H

/** What a program without a C library needs of Linux on AArch64. */

#include <stddef.h>
#include <stdint.h>

enum {
	SYS_CLOSE = 57,
	SYS_WRITE = 64,
	SYS_EXIT = 93,
	SYS_EXIT_GROUP = 94,
	SYS_FUTEX = 98,
	SYS_NANOSLEEP = 101,
	SYS_SETITIMER = 103,
	SYS_KILL = 129,
	SYS_SIGACTION = 134,
	SYS_SETSID = 157,
	SYS_PRCTL = 167,
	SYS_GETPID = 172,
	SYS_GETTID = 178,
	SYS_CLONE = 220,
	SYS_EXECVE = 221,
	SYS_MMAP = 222,
	SYS_WAIT4 = 260,
	SYS_CLOSE_RANGE = 436,
};

static inline long guest_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

#define SYSCALL_1(number, a)       guest_syscall(number, (long)(a), 0, 0, 0, 0, 0)
#define SYSCALL_2(number, a, b)    guest_syscall(number, (long)(a), (long)(b), 0, 0, 0, 0)
#define SYSCALL_3(number, a, b, c) guest_syscall(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYSCALL_4(number, a, b, c, d) \
	guest_syscall(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

#endif
