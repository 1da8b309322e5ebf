/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_TRIGGER_LOG_LINE_H
#define WPERF_SESSION_TRIGGER_LOG_LINE_H

/** Waits for a text in what another program writes: into a FIFO, or a pipe that we were given.
 *  Linux only. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { LOG_LINE_TEXT_MAX = 1024 };

struct log_line {
	int fd;
	bool is_opened_here;
	const char *text;
	size_t length;
	/* private */
	size_t num_kept; /* bytes that may be the begin of the text */
	char bytes[LOG_LINE_TEXT_MAX + 4096];
};

/** @path: of a FIFO; NULL: @fd. @text: must live on. */
struct error *log_line_open(const char *path, int fd, const char *text, struct log_line *ret);
void log_line_close(struct log_line *line);

/** Read what is there, without a wait. Was the text in it? */
bool log_line_poll(struct log_line *line);

#endif
