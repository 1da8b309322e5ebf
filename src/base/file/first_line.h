/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FIRST_LINE_H
#define WPERF_BASE_FILE_FIRST_LINE_H

/** The first line of a small file, without its end; empty if it cannot be read. */
void first_line_read(const char *path, char *line, int size);

#endif
