/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_MEMORY_STREAM_H
#define WPERF_BASE_FILE_MEMORY_STREAM_H

/** A stream that writes into memory. */

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

struct memory_stream {
	FILE *stream; /* for the caller to write to */
	char *text;   /* valid after memory_stream_close() */
	size_t size;
};

#define MEMORY_STREAM_INIT \
	{                  \
	}

struct error *memory_stream_open(struct memory_stream *stream);

/** Complete the text; nothing can be written after that. */
struct error *memory_stream_close(struct memory_stream *stream);

/** Accepts MEMORY_STREAM_INIT. */
void memory_stream_deinit(struct memory_stream *stream);

#endif
