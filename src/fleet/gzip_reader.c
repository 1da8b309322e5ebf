// SPDX-License-Identifier: Apache-2.0

#include "fleet/gzip_reader.h"

#include "base/container/array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// zlib checks the sum of all bytes itself. What is unpacked so far says how much memory is taken,
// since a small file can claim any size.

enum { GZIP_ONLY = 16, GZIP_STEP = 1 << 16 }; // GZIP_ONLY: see inflateInit2() in zlib.h

bool gzip_reader_is_gzip(const void *bytes, size_t size)
{
	static const unsigned char magic[] = {0x1f, 0x8b}; // RFC 1952, 2.3.1
	return size >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
}

static struct error *gzip_reader_refuse(void)
{
	return error_create(ERROR_FAILED, "the gzip data is damaged");
}

// Unpack into the room behind what there is. @ret_status: zlib's.
static void gzip_reader_step(z_stream *stream, uint8_t *bytes, size_t *size, size_t room,
			     int *ret_status)
{
	stream->next_out = bytes + *size;
	stream->avail_out = (uInt)room;
	*ret_status = inflate(stream, Z_NO_FLUSH);
	*size += room - stream->avail_out;
}

static struct error *gzip_reader_run(z_stream *stream, size_t max_size, uint8_t **bytes,
				     size_t *size)
{
	size_t capacity = 0;
	int status = Z_OK;
	while (status == Z_OK && *size <= max_size) {
		struct error *err = array_reserve(bytes, &capacity, *size + GZIP_STEP);
		if (err)
			return err;
		gzip_reader_step(stream, *bytes, size, GZIP_STEP, &status);
	}
	if (status == Z_MEM_ERROR)
		return &error_no_memory;
	if (*size > max_size)
		return error_create(ERROR_FAILED, "the gzip data has more than %zu bytes unpacked",
				    max_size);
	if (status != Z_STREAM_END || stream->avail_in)
		return gzip_reader_refuse();
	return NULL;
}

struct error *gzip_reader_unpack(const void *bytes, size_t size, size_t max_size, uint8_t **ret,
				 size_t *ret_size)
{
	z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
	_cleanup_free_ uint8_t *unpacked = NULL;
	size_t unpacked_size = 0;
	if (size > UINT_MAX)
		return gzip_reader_refuse();
	if (inflateInit2(&stream, MAX_WBITS + GZIP_ONLY) != Z_OK)
		return &error_no_memory;
	struct error *err = gzip_reader_run(&stream, max_size, &unpacked, &unpacked_size);
	inflateEnd(&stream);
	if (err)
		return err;
	*ret = take_ptr(unpacked);
	*ret_size = unpacked_size;
	return NULL;
}
