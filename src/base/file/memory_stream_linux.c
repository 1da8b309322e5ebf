// SPDX-License-Identifier: Apache-2.0

#include "base/file/memory_stream.h"

#include <errno.h>

// open_memstream(3) sets @text and @size when the stream is flushed or closed.
struct error *memory_stream_open(struct memory_stream *stream)
{
	stream->stream = open_memstream(&stream->text, &stream->size);
	return stream->stream ? NULL : error_create_errno(errno, "cannot write to memory");
}

struct error *memory_stream_close(struct memory_stream *stream)
{
	int failed = fclose(stream->stream);
	stream->stream = NULL;
	return failed ? &error_no_memory : NULL;
}

void memory_stream_deinit(struct memory_stream *stream)
{
	if (stream->stream)
		fclose(stream->stream);
	free(stream->text);
	*stream = (struct memory_stream)MEMORY_STREAM_INIT;
}
