/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_SYSTEM_CALL_H
#define WPERF_SOURCE_TIMER_SYSTEM_CALL_H

/** Is a thread in a system call of Windows? Its program counter is then just after the instruction
 *  that enters the kernel. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SYSTEM_CALL_BYTES = 8 };

/** @bytes: the code before the program counter, for x64. */
static inline bool system_call_ends_x64(const uint8_t bytes[static SYSTEM_CALL_BYTES])
{
	static const uint8_t syscall[] = {0x0f, 0x05}, interrupt[] = {0xcd, 0x2e};
	// In Wine a system call is a call through a pointer at a fixed address.
	static const uint8_t wine[] = {0xff, 0x14, 0x25, 0x00, 0x10, 0xfe, 0x7f};
	const uint8_t *end = bytes + SYSTEM_CALL_BYTES;
	return !memcmp(end - sizeof(syscall), syscall, sizeof(syscall)) ||
	       !memcmp(end - sizeof(interrupt), interrupt, sizeof(interrupt)) ||
	       !memcmp(end - sizeof(wine), wine, sizeof(wine));
}

/** The same for Arm64: svc with any number. */
static inline bool system_call_ends_arm64(const uint8_t bytes[static SYSTEM_CALL_BYTES])
{
	uint32_t word;
	memcpy(&word, bytes + SYSTEM_CALL_BYTES - sizeof(word), sizeof(word));
	return (word & 0xffe0001f) == 0xd4000001;
}

#endif
