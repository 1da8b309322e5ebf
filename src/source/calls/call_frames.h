/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_CALLS_CALL_FRAMES_H
#define WPERF_SOURCE_CALLS_CALL_FRAMES_H

/**
 * The innermost frames of samples of system calls: "read (pipe)", and inside of that, for a lock
 * whose holder is known, "[lock 0x55d0 held by thread 12]", or for one that ends another
 * thread's wait, "[wakes thread 12 in futex]". They are at addresses where no code can
 * be, for which the source has these names.
 */

#include "base/error.h"
#include "source/bpf/call_maps.h"
#include "source/sample_plan.h"

#include <stddef.h>

enum { CALL_NUM_FILES = CALL_FILE_OTHER + 1, CALL_MAX_OTHERS = 4096 };

enum call_other_kind {
	CALL_OTHER_HOLDS,     /* the lock at the address */
	CALL_OTHER_HOLDS_GIL, /* the address is 0 */
	CALL_OTHER_WOKEN,     /* it waited in the call whose number is the address */
};

/** Another thread of a sample. */
struct call_other {
	enum call_other_kind kind;
	uint32_t pid, tid;
	uint64_t address;
};

struct call_frames {
	bool is_seen[CALL_NUM_FILES][CALL_NUMBERS];
	bool takes_file[CALL_NUMBERS]; /* the first argument is a file that can be waited for */
	struct call_other others[CALL_MAX_OTHERS]; /* the last stands for all that had no room */
	size_t num_others;
	/* private: of call_frames_symbols() */
	struct sample_symbol *symbols;
	char (*texts)[64];
};

void call_frames_init(struct call_frames *frames);
void call_frames_deinit(struct call_frames *frames);

/** The address of the call's frame. */
uint64_t call_frames_add(struct call_frames *frames, const struct call_output *output);

/** The address of the frame of another thread. */
uint64_t call_frames_add_other(struct call_frames *frames, const struct call_other *other);

/** Names of all, sorted by address; valid until the next call. NULL: no memory, or none. */
const struct sample_symbol *call_frames_symbols(struct call_frames *frames, size_t *ret_num);

#endif
