/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_CODE_JUMPS_H
#define WPERF_SESSION_SETUP_CODE_JUMPS_H

/** Where code jumps to: a function that ends with the call of another one jumps there. */

#include "object/object_parts.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Is there an unconditional, direct jump from @code to @target, which is outside of it? On x86-64
 * each byte is taken for the first one of a jump: what is none would have to lead exactly there.
 */
bool code_jumps_to(const struct object_bytes *code, enum object_machine machine, uint64_t target);

#endif
