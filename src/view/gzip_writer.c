// SPDX-License-Identifier: Apache-2.0

#include "view/gzip_writer.h"

#include "view/output_stream.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

// zlib's numbers: the greatest window, with the header of gzip; and its usual memory.
enum { GZIP_WINDOW_BITS = 15 + 16, GZIP_MEMORY_LEVEL = 8 };
enum { GZIP_INPUT_SIZE = 1 << 16, GZIP_OUTPUT_SIZE = 1 << 16 };

struct gzip_writer {
	FILE *stream;
	z_stream zlib;
	bool failed;
	size_t num_waiting; /* of input: zlib is slow with many small pieces */
	unsigned char input[GZIP_INPUT_SIZE];
	unsigned char output[GZIP_OUTPUT_SIZE];
};

struct error *gzip_writer_create(FILE *stream, struct gzip_writer **ret)
{
	struct gzip_writer *writer = calloc(1, sizeof(*writer));
	if (!writer)
		return &error_no_memory;
	writer->stream = stream;
	// The fastest level: the next ones take several times as long for a tenth of the size.
	if (deflateInit2(&writer->zlib, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW_BITS,
			 GZIP_MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(writer);
		return &error_no_memory;
	}
	*ret = writer;
	return NULL;
}

void gzip_writer_destroy(struct gzip_writer *writer)
{
	if (!writer)
		return;
	deflateEnd(&writer->zlib);
	free(writer);
}

// @flush: Z_NO_FLUSH until all of the input is taken, Z_FINISH until nothing more comes out.
static void compress_waiting(struct gzip_writer *writer, int flush)
{
	z_stream *zlib = &writer->zlib;
	zlib->next_in = writer->input;
	zlib->avail_in = (uInt)writer->num_waiting;
	do {
		zlib->next_out = writer->output;
		zlib->avail_out = GZIP_OUTPUT_SIZE;
		if (deflate(zlib, flush) == Z_STREAM_ERROR)
			writer->failed = true;
		fwrite(writer->output, 1, GZIP_OUTPUT_SIZE - zlib->avail_out, writer->stream);
	} while (zlib->avail_out == 0 && !writer->failed);
	writer->num_waiting = 0;
}

void gzip_writer_add(struct gzip_writer *writer, const void *bytes, size_t size)
{
	const unsigned char *rest = bytes;
	while (size > 0) {
		size_t room = GZIP_INPUT_SIZE - writer->num_waiting;
		size_t part = size < room ? size : room;
		memcpy(writer->input + writer->num_waiting, rest, part);
		writer->num_waiting += part;
		rest += part;
		size -= part;
		if (writer->num_waiting == GZIP_INPUT_SIZE)
			compress_waiting(writer, Z_NO_FLUSH);
	}
}

struct error *gzip_writer_finish(struct gzip_writer *writer, const char *name)
{
	compress_waiting(writer, Z_FINISH);
	if (writer->failed)
		return error_create(ERROR_FAILED, "cannot compress %s", name);
	return output_stream_flush(writer->stream, name);
}
