/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DISASSEMBLY_JUMP_TARGET_H
#define WPERF_OBJECT_DISASSEMBLY_JUMP_TARGET_H

/** Where an instruction goes on, by its text as a disassembler writes it. */

#include <stdbool.h>
#include <stdint.h>

/**
 * @text: of an instruction of x86-64 or AArch64. False if it is no jump or branch, or one through
 * a register; a call is none.
 */
bool jump_target_parse(const char *text, uint64_t *ret);

#endif
