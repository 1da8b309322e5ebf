/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_CALLS_CALL_NAMES_H
#define WPERF_SOURCE_CALLS_CALL_NAMES_H

/** The system calls of this machine's 64-bit programs. */

#include <stdbool.h>
#include <stdint.h>

/** "read"; NULL: wperf knows no call of this number. */
const char *call_name(uint32_t number);

/** @ret: the number of a call. False: this machine has none of this name. */
bool call_number(const char *name, uint32_t *ret);

#endif
