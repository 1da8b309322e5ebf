// SPDX-License-Identifier: Apache-2.0

#include "object/unpack/decompress.h"

#include "base/container/array.h"
#include "base/os/shared_library.h"

#include <lzma.h>

// xz does not say the size in front, so the buffer grows by factors of four and decompression
// starts over until it fits (LZMA_BUF_ERROR); .gnu_debugdata has some hundred kilobytes. liblzma
// is loaded at run time, because few objects need it and each linked library makes every start
// slower.

enum { XZ_MAX_BYTES = 1 << 28 };

static void close_library(void **library)
{
	shared_library_close(*library);
}

struct error *decompress_xz(struct object_bytes packed, uint64_t max_size, uint8_t **ret,
			    size_t *ret_size)
{
	_cleanup_(close_library) void *library = shared_library_open("liblzma.so.5");
	__typeof__(&lzma_stream_buffer_decode) unpack;
	if (!library || !shared_library_find(library, "lzma_stream_buffer_decode", &unpack))
		return error_create(ERROR_FAILED, "cannot load liblzma.so.5, which decompresses "
						  "debug information");
	_cleanup_free_ uint8_t *bytes = NULL;
	size_t capacity = 0, room = 0, size = 0;
	size_t max_room = max_size < XZ_MAX_BYTES ? (size_t)max_size : XZ_MAX_BYTES;
	lzma_ret result = LZMA_BUF_ERROR;
	while (result == LZMA_BUF_ERROR && room < max_room) {
		size_t wanted = 4 * (room + packed.size);
		room = wanted < max_room ? wanted : max_room;
		struct error *err = array_reserve(&bytes, &capacity, room);
		if (err)
			return err;
		// The dictionary of the stream, whose size the stream says, is limited, too.
		uint64_t memory_limit = XZ_MAX_BYTES;
		size_t read = 0;
		size = 0;
		result = unpack(&memory_limit, 0, NULL, packed.data, &read, packed.size, bytes,
				&size, room);
	}
	*ret = NULL;
	if (result == LZMA_BUF_ERROR)
		return NULL;
	if (result != LZMA_OK)
		return error_create(ERROR_FAILED, "compressed symbols are damaged");
	*ret = take_ptr(bytes);
	*ret_size = size;
	return NULL;
}
