/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_PROBE_INSTRUCTION_H
#define WPERF_SESSION_SETUP_PROBE_INSTRUCTION_H

/**
 * Does an instruction begin where a probe is to be? The kernel writes its breakpoint over whatever
 * is there: in the middle of an instruction, the program would do something else, or crash.
 */

#include "base/error.h"
#include "object/object.h"

/**
 * @event: for the error. @address: as the object's symbols are.
 * Code of which no table says where its function begins is not checked on x86-64.
 */
struct error *probe_instruction_check(struct object *object, const char *event, uint64_t address);

#endif
