// SPDX-License-Identifier: Apache-2.0

#include "object/decompress.h"

#include "base/array.h"

#include <dlfcn.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { DECOMPRESS_MAX_BYTES = 1 << 30 };

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
	return error_create(ERROR_FAILED, "%s cannot be loaded, which unpacks debug information",
			    library);
}

static void unload(struct loaded_function *function)
{
	if (function->library)
		dlclose(function->library);
}

static struct error *unpack_zlib(struct object_bytes packed, uint8_t *bytes, size_t size,
				 size_t *ret_size)
{
	_cleanup_(unload) struct loaded_function function = {0};
	struct error *err = load("libz.so.1", "uncompress", &function);
	if (err)
		return err;
	__typeof__(&uncompress) unpack;
	memcpy(&unpack, &function.address, sizeof(unpack));
	uLongf unpacked = size;
	*ret_size = unpack(bytes, &unpacked, packed.data, packed.size) == Z_OK ? unpacked : 0;
	return NULL;
}

static struct error *unpack_zstd(struct object_bytes packed, uint8_t *bytes, size_t size,
				 size_t *ret_size)
{
	_cleanup_(unload) struct loaded_function function = {0};
	struct error *err = load("libzstd.so.1", "ZSTD_decompress", &function);
	if (err)
		return err;
	__typeof__(&ZSTD_decompress) unpack;
	memcpy(&unpack, &function.address, sizeof(unpack));
	*ret_size = unpack(bytes, size, packed.data, packed.size);
	return NULL;
}

static const struct {
	struct error *(*unpack)(struct object_bytes packed, uint8_t *bytes, size_t size,
				size_t *ret_size);
	uint32_t max_ratio; // what the format can do: a size beyond it is a lie
} methods[] = {
	[DECOMPRESS_ZLIB] = {unpack_zlib, 1032},
	[DECOMPRESS_ZSTD] = {unpack_zstd, 1 << 17},
};

struct error *decompress(enum decompress_method method, struct object_bytes packed, uint64_t size,
			 uint8_t **ret)
{
	if (!size || size > DECOMPRESS_MAX_BYTES || size / methods[method].max_ratio > packed.size)
		return error_create(ERROR_FAILED, "%zu packed bytes cannot be %llu", packed.size,
				    (unsigned long long)size);
	_cleanup_free_ uint8_t *bytes = malloc(size);
	if (!bytes)
		return &error_no_memory;
	size_t unpacked;
	struct error *err = methods[method].unpack(packed, bytes, size, &unpacked);
	if (err)
		return err;
	if (unpacked != size)
		return error_create(ERROR_FAILED, "packed bytes are damaged");
	*ret = take_ptr(bytes);
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
	while (result == LZMA_BUF_ERROR && capacity < DECOMPRESS_MAX_BYTES / 4) {
		err = array_reserve(&bytes, &capacity, 4 * (capacity + packed.size));
		if (err)
			return err;
		uint64_t memory_limit = DECOMPRESS_MAX_BYTES / 4;
		size_t read = 0;
		size = 0;
		result = unpack(&memory_limit, 0, NULL, packed.data, &read, packed.size, bytes,
				&size, capacity);
	}
	if (result != LZMA_OK)
		return error_create(ERROR_FAILED, "packed symbols are damaged");
	*ret = take_ptr(bytes);
	*ret_size = size;
	return NULL;
}
