// SPDX-License-Identifier: Apache-2.0

#include "base/file/memory_stream.h"

#include "base/file/file_map.h"

#include <errno.h>
#include <string.h>

// There are no streams over memory: a file that is gone when it is closed stands in for one.
struct error *memory_stream_open(struct memory_stream *stream)
{
	stream->stream = tmpfile();
	return stream->stream ? NULL : error_create_errno(errno, "cannot make a temporary file");
}

struct error *memory_stream_close(struct memory_stream *stream)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_of_stream(&map, stream->stream, "temporary file");
	if (err)
		return err;
	stream->text = malloc(map.size + 1);
	if (!stream->text)
		return &error_no_memory;
	if (map.size)
		memcpy(stream->text, map.data, map.size);
	// As open_memstream() does: the text is a string, too.
	stream->text[map.size] = '\0';
	stream->size = map.size;
	return NULL;
}

void memory_stream_deinit(struct memory_stream *stream)
{
	if (stream->stream)
		fclose(stream->stream);
	free(stream->text);
	*stream = (struct memory_stream)MEMORY_STREAM_INIT;
}
