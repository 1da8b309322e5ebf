// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/msf_file.h"

#include "base/byte_order.h"
#include "base/reader.h"

#include <stdlib.h>
#include <string.h>

// LLVM's "The MSF File Format" describes the container. The superblock at the start gives the
// block size and the place of the block map; the block map lists the blocks of the directory; the
// directory lists, for each stream, its size and its blocks. msf_file_init() follows these three
// steps, and msf_file_stream() gives a stream by number.
//
// Linkers write large streams mostly into consecutive blocks, so such a stream is used in place in
// the mapped file (is_in_place()) and costs nothing. Others are copied once.
//
// Every number is from the file. The blocks of all streams together may not be more than the file
// has (read_streams()), so that a small file cannot describe streams of gigabytes. A stream with a
// block outside of the file is empty.

static const char magic[] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
			    "DS\0\0";

/** Other containers of the same maker, which are not read. */
static const struct {
	const char *magic;
	const char *why;
} foreign[] = {
	{"Microsoft C/C++ program database 2.00",
	 "it is a PDB of Visual C++ 6 or older, which is not supported"},
	{"Microsoft MSFZ Container", "it is a compressed PDB (MSFZ), which is not supported"},
};

enum {
	MAGIC_SIZE = 32,
	MIN_BLOCK = 512,
	MAX_BLOCK = 1 << 16,
	NO_STREAM = UINT32_MAX, // as a size: there is none of this number
};

struct msf_stream {
	uint32_t size;
	const uint8_t *blocks; // numbers of its blocks, in the directory
	uint8_t *copy;         // NULL: not asked for, or in place
};

static struct error *not_a_pdb(const char *name, const char *why)
{
	return error_create(ERROR_FAILED, "cannot read '%s': %s", name, why);
}

static bool msf_file_begins_with(const void *data, size_t size, const char *text)
{
	size_t length = strlen(text);
	return size >= length && !memcmp(data, text, length);
}

bool msf_file_is(const void *data, size_t size)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		if (msf_file_begins_with(data, size, foreign[i].magic))
			return true;
	return size >= MAGIC_SIZE && !memcmp(data, magic, sizeof(magic));
}

static uint64_t blocks_of(const struct msf_file *file, uint32_t size)
{
	return file->block_size ? ((uint64_t)size + file->block_size - 1) / file->block_size : 0;
}

static uint32_t block_number(const uint8_t *blocks, uint64_t index)
{
	return byte_order_load32(blocks + index * sizeof(uint32_t), false);
}

/** The blocks' bytes behind each other; false if one of them is not in the file. */
static bool copy_blocks(const struct msf_file *file, const uint8_t *blocks, uint32_t size,
			uint8_t *ret)
{
	for (uint64_t i = 0; i < blocks_of(file, size); i++) {
		uint32_t number = block_number(blocks, i);
		if (number >= file->num_blocks)
			return false;
		uint64_t done = i * file->block_size;
		uint64_t left = size - done;
		memcpy(ret + done, file->data + (uint64_t)number * file->block_size,
		       left < file->block_size ? left : file->block_size);
	}
	return true;
}

static struct error *msf_file_read_header(struct msf_file *file, const char *name)
{
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++)
		if (msf_file_begins_with(file->data, file->size, foreign[i].magic))
			return not_a_pdb(name, foreign[i].why);
	if (!msf_file_is(file->data, file->size))
		return not_a_pdb(name, "not a PDB");
	struct reader reader = reader_create(file->data, file->size);
	reader_skip(&reader, MAGIC_SIZE);
	file->block_size = reader_u32(&reader);
	reader_skip(&reader, 4); // the map of free blocks
	file->num_blocks = reader_u32(&reader);
	uint32_t directory_size = reader_u32(&reader);
	reader_skip(&reader, 4); // not known
	uint32_t map_block = reader_u32(&reader);
	bool is_power = !(file->block_size & (file->block_size - 1));
	if (reader.failed || file->block_size < MIN_BLOCK || file->block_size > MAX_BLOCK ||
	    !is_power)
		return not_a_pdb(name, "its header is damaged");
	if (file->num_blocks > file->size / file->block_size) // the rest was not copied with it
		file->num_blocks = (uint32_t)(file->size / file->block_size);
	// The directory is a stream, too; which blocks it has stands in blocks behind each other.
	uint64_t num_blocks = blocks_of(file, directory_size);
	uint64_t map_size = num_blocks * sizeof(uint32_t);
	uint64_t map_offset = (uint64_t)map_block * file->block_size;
	if (map_offset > file->size || map_size > file->size - map_offset ||
	    num_blocks > file->num_blocks)
		return not_a_pdb(name, "its directory is incomplete");
	file->directory = malloc(directory_size ? directory_size : 1);
	if (!file->directory)
		return &error_no_memory;
	file->directory_size = directory_size;
	if (!copy_blocks(file, file->data + map_offset, directory_size, file->directory))
		return not_a_pdb(name, "its directory is incomplete");
	return NULL;
}

static struct error *read_streams(struct msf_file *file, const char *name)
{
	struct reader reader = reader_create(file->directory, file->directory_size);
	uint32_t count = reader_u32(&reader);
	struct reader sizes = reader_sub(&reader, (size_t)count * sizeof(uint32_t));
	if (sizes.failed || reader.failed)
		return not_a_pdb(name, "its directory is damaged");
	file->streams = calloc(count ? count : 1, sizeof(*file->streams));
	if (!file->streams)
		return &error_no_memory;
	file->num_streams = count;
	// First the sizes of all streams, then the numbers of all their blocks, one after the
	// other.
	uint64_t num_blocks = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct msf_stream *stream = &file->streams[i];
		uint32_t size = reader_u32(&sizes);
		stream->size = size == NO_STREAM ? 0 : size;
		uint64_t blocks = blocks_of(file, stream->size);
		stream->blocks = reader_bytes(&reader, blocks * sizeof(uint32_t));
		num_blocks += blocks;
	}
	if (reader.failed || num_blocks > file->num_blocks)
		return not_a_pdb(name, "its directory is damaged");
	return NULL;
}

struct error *msf_file_init(struct msf_file *file, const void *data, size_t size, const char *name)
{
	_cleanup_(msf_file_deinit) struct msf_file read = {.data = data, .size = size};
	struct error *err = msf_file_read_header(&read, name);
	if (!err)
		err = read_streams(&read, name);
	if (err)
		return err;
	*file = read;
	read = (struct msf_file)MSF_FILE_INIT;
	return NULL;
}

void msf_file_deinit(struct msf_file *file)
{
	for (uint32_t i = 0; i < file->num_streams; i++)
		free(file->streams[i].copy);
	free(file->streams);
	free(file->directory);
	*file = (struct msf_file)MSF_FILE_INIT;
}

static bool is_in_place(const struct msf_file *file, const struct msf_stream *stream)
{
	uint64_t count = blocks_of(file, stream->size);
	uint32_t first = block_number(stream->blocks, 0);
	for (uint64_t i = 1; i < count; i++)
		if (block_number(stream->blocks, i) != first + i)
			return false;
	return first < file->num_blocks && count <= file->num_blocks - first;
}

struct error *msf_file_stream(struct msf_file *file, uint32_t index, struct object_bytes *ret)
{
	*ret = (struct object_bytes){0};
	if (index >= file->num_streams || !file->streams[index].size)
		return NULL;
	struct msf_stream *stream = &file->streams[index];
	if (!stream->copy && is_in_place(file, stream)) {
		ret->data =
			file->data + (uint64_t)block_number(stream->blocks, 0) * file->block_size;
		ret->size = stream->size;
		return NULL;
	}
	if (!stream->copy) {
		_cleanup_free_ uint8_t *copy = malloc(stream->size);
		if (!copy)
			return &error_no_memory;
		if (!copy_blocks(file, stream->blocks, stream->size, copy))
			return NULL; // damaged: as if it was not there
		stream->copy = take_ptr(copy);
	}
	*ret = (struct object_bytes){.data = stream->copy, .size = stream->size};
	return NULL;
}
