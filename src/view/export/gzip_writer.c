// SPDX-License-Identifier: Apache-2.0

#define ZLIB_CONST /* it does not write into its input */

#include "view/export/gzip_writer.h"

#include "view/output_stream.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

// zlib does the work (deflate(), zlib.h). The output goes to the stream piece by piece through one
// buffer, so that memory does not grow with the file. Level 1: level 6 takes twice as long for 6 %
// (docs/decisions/code.md). Errors of the stream are looked for once, in the end (output_stream.c).

// deflateInit2() of zlib.h.
enum { LARGEST_WINDOW = 15, WITH_GZIP_HEADER = 16, DEFAULT_MEMORY = 8 };

enum { UNKNOWN_SYSTEM = 255 }; // RFC 1952

struct gzip_writer {
	FILE *stream;
	z_stream packer;
	gz_header header; /* the packer points to it */
	uint8_t packed[64 << 10];
};

// Without a name, a time and a system: the same bytes make the same file on each.
static struct error *gzip_writer_start(struct gzip_writer *writer)
{
	int result =
		deflateInit2(&writer->packer, Z_BEST_SPEED, Z_DEFLATED,
			     LARGEST_WINDOW + WITH_GZIP_HEADER, DEFAULT_MEMORY, Z_DEFAULT_STRATEGY);
	if (result == Z_MEM_ERROR)
		return &error_no_memory;
	writer->header.os = UNKNOWN_SYSTEM;
	if (result == Z_OK)
		result = deflateSetHeader(&writer->packer, &writer->header);
	if (result != Z_OK)
		return error_create(ERROR_FAILED, "zlib %s cannot compress: %s", zlibVersion(),
				    zError(result));
	return NULL;
}

struct error *gzip_writer_create(FILE *stream, struct gzip_writer **ret)
{
	_cleanup_(gzip_writer_destroyp) struct gzip_writer *writer = calloc(1, sizeof(*writer));
	if (!writer)
		return &error_no_memory;
	writer->stream = stream;
	struct error *err = gzip_writer_start(writer);
	if (err)
		return err;
	*ret = take_ptr(writer);
	return NULL;
}

void gzip_writer_destroy(struct gzip_writer *writer)
{
	if (!writer)
		return;
	deflateEnd(&writer->packer);
	free(writer);
}

/** Takes all of the packer's input. @flush: of deflate(). */
static void gzip_writer_pack(struct gzip_writer *writer, int flush)
{
	z_stream *packer = &writer->packer;
	// A full buffer means that there may be more; deflate() is called until it leaves room.
	do {
		packer->next_out = writer->packed;
		packer->avail_out = sizeof(writer->packed);
		deflate(packer, flush);
		fwrite(writer->packed, 1, sizeof(writer->packed) - packer->avail_out,
		       writer->stream);
	} while (!packer->avail_out);
}

void gzip_writer_add(struct gzip_writer *writer, const void *bytes, size_t size)
{
	const uint8_t *next = bytes;
	while (size) {
		uInt part = size < UINT_MAX ? (uInt)size : UINT_MAX;
		writer->packer.next_in = next;
		writer->packer.avail_in = part;
		gzip_writer_pack(writer, Z_NO_FLUSH);
		next += part;
		size -= part;
	}
}

struct error *gzip_writer_finish(struct gzip_writer *writer, const char *name)
{
	gzip_writer_pack(writer, Z_FINISH);
	return output_stream_flush(writer->stream, name);
}
