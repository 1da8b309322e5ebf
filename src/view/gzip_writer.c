// SPDX-License-Identifier: Apache-2.0

#include "view/gzip_writer.h"

#include "base/crc32.h"
#include "view/deflater.h"
#include "view/output_stream.h"

#include <stdlib.h>

struct gzip_writer {
	FILE *stream;
	struct deflater *deflater;
	struct crc32 crc;
	uint32_t size; /* modulo 2^32, as gzip keeps it */
};

// RFC 1952: no name and no time, so that the same bytes make the same file; the fastest
// algorithm, an unknown system.
static const uint8_t header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255};

struct error *gzip_writer_create(FILE *stream, struct gzip_writer **ret)
{
	_cleanup_(gzip_writer_destroyp) struct gzip_writer *writer = calloc(1, sizeof(*writer));
	if (!writer)
		return &error_no_memory;
	struct error *err = deflater_create(stream, &writer->deflater);
	if (err)
		return err;
	writer->stream = stream;
	crc32_init(&writer->crc);
	fwrite(header, 1, sizeof(header), stream);
	*ret = take_ptr(writer);
	return NULL;
}

void gzip_writer_destroy(struct gzip_writer *writer)
{
	if (!writer)
		return;
	deflater_destroy(writer->deflater);
	free(writer);
}

void gzip_writer_add(struct gzip_writer *writer, const void *bytes, size_t size)
{
	crc32_add(&writer->crc, bytes, size);
	writer->size += (uint32_t)size;
	deflater_add(writer->deflater, bytes, size);
}

static void write_u32(FILE *stream, uint32_t value)
{
	for (int i = 0; i < 4; i++, value >>= 8)
		fputc((int)(value & 0xff), stream);
}

struct error *gzip_writer_finish(struct gzip_writer *writer, const char *name)
{
	deflater_finish(writer->deflater);
	write_u32(writer->stream, writer->crc.value);
	write_u32(writer->stream, writer->size);
	return output_stream_flush(writer->stream, name);
}
