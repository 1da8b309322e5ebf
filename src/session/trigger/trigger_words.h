/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_TRIGGER_TRIGGER_WORDS_H
#define WPERF_SESSION_TRIGGER_TRIGGER_WORDS_H

/**
 * The conditions of `record --trigger`:
 *
 *	EVENT>NUMBER/s      so many of an event a second, over the last second
 *	cpu>PERCENT%        CPU time of the target over the last second, 100% being one CPU; of a
 *	                    machine, the part of all its CPUs that is busy
 *	latency>TIME@u:FILE:FUNCTION
 *	                    a call of a function takes longer; for processes
 *	line:TEXT@FIFO      a line with TEXT comes from a FIFO
 *	line:TEXT@FD        ... from a file descriptor that wperf was started with
 */

#include "base/error.h"

#include <stdint.h>

enum trigger_kind {
	TRIGGER_EVENT,
	TRIGGER_CPU,
	TRIGGER_LINE,
	TRIGGER_LATENCY,
};

struct trigger_words {
	enum trigger_kind kind;
	char *name;       /* the event, the text of a line, or the probe at a function */
	uint64_t limit;   /* a second; percent; or nanoseconds */
	const char *from; /* FIFO, or NULL: fd */
	int fd;
};

/** @text: must live on. @ret: set only on success; ended by trigger_words_deinit(). */
struct error *trigger_words_parse(const char *text, struct trigger_words *ret);
void trigger_words_deinit(struct trigger_words *words);

#endif
