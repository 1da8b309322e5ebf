// SPDX-License-Identifier: Apache-2.0

#include "object/decompress.h"

#include "base/array.h"

#include <dlfcn.h>
#include <lzma.h>
#include <string.h>
#include <zstd.h>

enum { XZ_MAX_BYTES = 1 << 28 };

/** The function of a library; both NULL if one of them is not there. */
struct loaded_function {
	void *library;
	void *address;
};

static struct error *load(const char *library, const char *function, struct loaded_function *ret)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *address = handle ? dlsym(handle, function) : NULL;
	if (address) {
		*ret = (struct loaded_function){handle, address};
		return NULL;
	}
	if (handle)
		dlclose(handle);
	return error_create(ERROR_FAILED, "cannot load %s, which decompresses debug information",
			    library);
}

static void unload(struct loaded_function *function)
{
	if (function->library)
		dlclose(function->library);
}

struct error *decompress_zstd(struct object_bytes packed, uint8_t *bytes, size_t size,
			      bool *ret_is_whole)
{
	_cleanup_(unload) struct loaded_function function = {0};
	struct error *err = load("libzstd.so.1", "ZSTD_decompress", &function);
	if (err)
		return err;
	__typeof__(&ZSTD_decompress) unpack;
	memcpy(&unpack, &function.address, sizeof(unpack));
	*ret_is_whole = unpack(bytes, size, packed.data, packed.size) == size;
	return NULL;
}

struct error *decompress_xz(struct object_bytes packed, uint8_t **ret, size_t *ret_size)
{
	_cleanup_(unload) struct loaded_function function = {0};
	struct error *err = load("liblzma.so.5", "lzma_stream_buffer_decode", &function);
	if (err)
		return err;
	__typeof__(&lzma_stream_buffer_decode) unpack;
	memcpy(&unpack, &function.address, sizeof(unpack));

	_cleanup_free_ uint8_t *bytes = NULL;
	size_t capacity = 0;
	lzma_ret result = LZMA_BUF_ERROR;
	size_t size = 0;
	while (result == LZMA_BUF_ERROR && capacity < XZ_MAX_BYTES) {
		err = array_reserve(&bytes, &capacity, 4 * (capacity + packed.size));
		if (err)
			return err;
		uint64_t memory_limit = XZ_MAX_BYTES;
		size_t read = 0;
		size = 0;
		result = unpack(&memory_limit, 0, NULL, packed.data, &read, packed.size, bytes,
				&size, capacity);
	}
	if (result != LZMA_OK)
		return error_create(ERROR_FAILED, "compressed symbols are damaged");
	*ret = take_ptr(bytes);
	*ret_size = size;
	return NULL;
}
