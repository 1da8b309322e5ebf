/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_MEMORY_STREAM_H
#define WPERF_BASE_MEMORY_STREAM_H

/** A stream whose text is wanted in memory. */

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

struct memory_stream {
	FILE *stream; /* to be written to */
	char *text;   /* private until it is closed */
	size_t size;
};

#define MEMORY_STREAM_INIT \
	{                  \
	}

struct error *memory_stream_open(struct memory_stream *stream);

/** From now on the text is all there, and nothing can be written any more. */
struct error *memory_stream_close(struct memory_stream *stream);

/** Safe on MEMORY_STREAM_INIT. */
void memory_stream_deinit(struct memory_stream *stream);

#endif
