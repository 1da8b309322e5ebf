/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_MEMORY_MAPPED_LINE_H
#define WPERF_PROCESS_MEMORY_MAPPED_LINE_H

/** A line of /proc/PID/maps of Linux (proc(5)): what a process has mapped, and how. */

#include <stdbool.h>
#include <stdint.h>

struct mapped_line {
	uint64_t start, end;
	bool is_readable, is_writable, is_executable;
	uint64_t offset; /* in the file */
	uint32_t major, minor;
	uint64_t inode;   /* 0: it is of no file */
	const char *path; /* in the line; "": it has no name */
};

/** False: it is no such line. @line: loses its line feed. */
bool mapped_line_parse(char *line, struct mapped_line *ret);

#endif
