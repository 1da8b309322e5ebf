/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_MARK_H
#define WPERF_SOURCE_ETW_ETW_MARK_H

/**
 * "wperf-PID-BIRTH-": how names of sessions, profile sources and journals of ours begin. It says
 * which process made them, so that what a killed one left is told from what a live one uses.
 */

#include "source/etw/etw_calls.h"

struct etw_mark {
	uint32_t pid;
	uint64_t birth;
};

enum { ETW_MARK_SIZE = 40 }; /* of its text, with NUL */

void etw_mark_write(struct etw_mark mark, char ret[ETW_MARK_SIZE]);

/** What follows the mark; NULL: @name does not begin with one. @ret: may be NULL. */
const char *etw_mark_read(const char *name, struct etw_mark *ret);

/** Does its process run? */
bool etw_mark_is_alive(const struct etw_calls *calls, struct etw_mark mark);

#endif
