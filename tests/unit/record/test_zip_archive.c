// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/zip_archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/cleanup.h"
#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// Archives of the tests, made by hand so that each number in them can be wrong.

enum { HELLO_SIZE = 5000 };

struct entry {
	const char *name;
	const uint8_t *packed;
	size_t packed_size, size;
	uint32_t checksum;
	uint16_t method, flags;
	bool is_64;
	size_t offset; // of its local header, once it is written
};

struct made {
	uint8_t bytes[1 << 16];
	size_t size;
	size_t directory, end;
};

static uint8_t hello[HELLO_SIZE], deflated[HELLO_SIZE];

static void put(struct made *made, uint64_t value, size_t size)
{
	memcpy(made->bytes + made->size, &value, size);
	made->size += size;
}

static void put_bytes(struct made *made, const void *bytes, size_t size)
{
	memcpy(made->bytes + made->size, bytes, size);
	made->size += size;
}

/** What local header and directory have in common, from the flags to the lengths. */
static void put_middle(struct made *made, const struct entry *entry, size_t extra_length)
{
	put(made, entry->flags, 2);
	put(made, entry->method, 2);
	put(made, 0, 4);
	put(made, entry->checksum, 4);
	put(made, entry->is_64 ? UINT32_MAX : entry->packed_size, 4);
	put(made, entry->is_64 ? UINT32_MAX : entry->size, 4);
	put(made, strlen(entry->name), 2);
	put(made, extra_length, 2);
}

static void put_extra(struct made *made, const struct entry *entry)
{
	if (!entry->is_64)
		return;
	put(made, 0x7777, 2); // of somebody else
	put(made, 1, 2);
	put(made, 0, 1);
	put(made, 1, 2);
	put(made, 24, 2);
	put(made, entry->size, 8);
	put(made, entry->packed_size, 8);
	put(made, entry->offset, 8);
}

static void put_member(struct made *made, struct entry *entry)
{
	entry->offset = made->size;
	put(made, 0x04034b50, 4);
	put(made, 20, 2);
	put_middle(made, entry, 3);
	put_bytes(made, entry->name, strlen(entry->name));
	put(made, 0, 3);
	put_bytes(made, entry->packed, entry->packed_size);
}

static void put_directory_row(struct made *made, const struct entry *entry)
{
	put(made, 0x02014b50, 4);
	put(made, 20 << 16 | 20, 4);
	put_middle(made, entry, entry->is_64 ? 33 : 0);
	put(made, 2, 2); // of a comment
	put(made, 0, 8);
	put(made, entry->is_64 ? UINT32_MAX : entry->offset, 4);
	put_bytes(made, entry->name, strlen(entry->name));
	put_extra(made, entry);
	put(made, 0x2020, 2);
}

static void put_end(struct made *made, size_t num, bool is_64)
{
	size_t size = made->size - made->directory, end64 = made->size;
	if (is_64) {
		put(made, 0x06064b50, 4);
		put(made, 44, 8);
		put(made, 0, 8);
		put(made, 0, 4);
		put(made, num, 8);
		put(made, num, 8);
		put(made, size, 8);
		put(made, made->directory, 8);
		put(made, 0x07064b50, 4);
		put(made, 0, 4);
		put(made, end64, 8);
		put(made, 1, 4);
	}
	made->end = made->size;
	put(made, 0x06054b50, 4);
	put(made, 0, 4);
	put(made, is_64 ? UINT16_MAX : num, 2);
	put(made, is_64 ? UINT16_MAX : num, 2);
	put(made, is_64 ? UINT32_MAX : size, 4);
	put(made, is_64 ? UINT32_MAX : made->directory, 4);
	put(made, 0, 2);
}

static struct entry stored_entry(const char *name)
{
	return (struct entry){.name = name,
			      .packed = hello,
			      .packed_size = HELLO_SIZE,
			      .size = HELLO_SIZE,
			      .checksum = (uint32_t)crc32(0, hello, HELLO_SIZE)};
}

static struct entry deflated_entry(const char *name)
{
	struct entry entry = stored_entry(name);
	z_stream stream = {.next_in = hello,
			   .avail_in = HELLO_SIZE,
			   .next_out = deflated,
			   .avail_out = HELLO_SIZE};
	deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	entry.packed = deflated;
	entry.packed_size = stream.total_out;
	entry.method = 8;
	deflateEnd(&stream);
	return entry;
}

static void make(struct made *made, struct entry *entries, size_t num, bool is_64)
{
	memset(made, 0, sizeof(*made));
	for (size_t i = 0; i < num; i++)
		put_member(made, &entries[i]);
	made->directory = made->size;
	for (size_t i = 0; i < num; i++)
		put_directory_row(made, &entries[i]);
	put_end(made, num, is_64);
}

static int setup(void **state)
{
	static struct made made;
	for (size_t i = 0; i < HELLO_SIZE; i++)
		hello[i] = (uint8_t)(i * i >> 5);
	*state = &made;
	return 0;
}

static struct error *open_made(const struct made *made, struct zip_archive *ret)
{
	return zip_archive_open(ret, "made.zip", made->bytes, made->size);
}

static struct error *unpack(const struct zip_archive *archive, size_t index)
{
	_cleanup_(file_map_close) struct file_map backing = FILE_MAP_INIT;
	const uint8_t *bytes = NULL;
	size_t size = 0;
	struct error *err =
		zip_archive_unpack(archive, &archive->members[index], &backing, &bytes, &size);
	if (err)
		return err;
	assert_int_equal(size, archive->members[index].size);
	assert_memory_equal(bytes, hello, size);
	return NULL;
}

static void test_stored_and_deflated(void **state)
{
	struct made *made = *state;
	for (int is_64 = 0; is_64 < 2; is_64++) {
		struct entry entries[] = {stored_entry("a.etl"), deflated_entry("folder/b.etl")};
		entries[1].is_64 = is_64;
		make(made, entries, 2, is_64);
		assert_true(zip_archive_is(made->bytes, made->size));
		_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
		assert_no_error(open_made(made, &archive));
		assert_int_equal(archive.num_members, 2);
		assert_string_equal(archive.members[0].name, "a.etl");
		assert_string_equal(archive.members[1].name, "folder/b.etl");
		assert_no_error(unpack(&archive, 0));
		assert_no_error(unpack(&archive, 1));
	}
}

static void test_left_out(void **state)
{
	struct made *made = *state;
	struct entry entries[] = {
		stored_entry("folder/"),
		stored_entry("/etc/passwd"),
		stored_entry("a/../../b"),
		stored_entry("C:\\b"),
		stored_entry("encrypted"),
		stored_entry("lzma"),
		stored_entry("back\\slash\x81\n.etl"),
	};
	entries[4].flags = 1;
	entries[5].method = 14;
	make(made, entries, ARRAY_SIZE(entries), false);
	_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
	assert_no_error(open_made(made, &archive));
	assert_int_equal(archive.num_members, 1);
	assert_int_equal(archive.num_left_out, 5);
	assert_string_equal(archive.members[0].name, "back/slash??.etl");
	assert_no_error(unpack(&archive, 0));
}

static void assert_refused(const struct made *made, const char *message)
{
	_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
	assert_error(open_made(made, &archive), ERROR_FAILED, message);
}

static void test_lies_about_places(void **state)
{
	struct made *made = *state;
	struct entry entries[] = {stored_entry("a.etl"), stored_entry("b.etl")};
	make(made, entries, 2, false);
	size_t size = made->size;
	made->size = made->end;
	assert_refused(made, "zip 'made.zip' is damaged: it has no directory; was it cut off?");
	made->size = size;
	made->bytes[entries[1].offset + 30] = 'c'; // its own name
	assert_refused(made, "zip 'made.zip' is damaged: a file is not where the directory says");
	make(made, entries, 2, false);
	made->bytes[made->end + 10] = 3;
	assert_refused(made, "zip 'made.zip' is damaged: its directory cannot be read");
}

// A member in another one: what makes a zip of a few kilobytes petabytes.
static void test_overlapping_members(void **state)
{
	struct made *made = *state;
	struct entry inner[] = {stored_entry("inner")};
	make(made, inner, 1, false);
	struct entry outer = stored_entry("outer");
	static uint8_t copy[1 << 16];
	memcpy(copy, made->bytes, made->directory);
	outer.packed = copy;
	outer.packed_size = outer.size = made->directory;
	memset(made, 0, sizeof(*made));
	put_member(made, &outer);
	inner[0].offset = made->size - outer.size;
	made->directory = made->size;
	put_directory_row(made, &outer);
	put_directory_row(made, inner);
	put_end(made, 2, false);
	assert_refused(made, "zip 'made.zip' is damaged: two files overlap");
}

static void test_sizes_that_cannot_be(void **state)
{
	struct made *made = *state;
	struct entry entry = deflated_entry("a.etl");
	entry.size = entry.packed_size * 1100;
	make(made, &entry, 1, false);
	assert_refused(made, "zip 'made.zip' is damaged: a file cannot be as large as it says");
	entry = stored_entry("a.etl");
	entry.size--;
	make(made, &entry, 1, false);
	assert_refused(made, "zip 'made.zip' is damaged: a file cannot be as large as it says");
	entry.size = entry.packed_size = 1 << 20;
	memset(made, 0, sizeof(*made));
	entry.packed_size = 10;
	put_member(made, &entry);
	made->directory = made->size;
	entry.packed_size = 1 << 20;
	put_directory_row(made, &entry);
	put_end(made, 1, false);
	assert_refused(made, "zip 'made.zip' is damaged: a file ends behind the archive");
}

static void test_bombs(void **state)
{
	struct made *made = *state;
	enum { NUM = 60 };
	static char names[NUM][3];
	struct entry entries[NUM];
	for (size_t i = 0; i < NUM; i++) {
		names[i][0] = (char)('0' + i);
		entries[i] = stored_entry(names[i]);
		entries[i].method = 8;
		entries[i].packed_size = 100;
		entries[i].is_64 = true;
	}
	// Each as large as 100 bytes can become: 6 MB, which is allowed.
	for (size_t i = 0; i < NUM; i++)
		entries[i].size = (size_t)1032 * 100;
	make(made, entries, NUM, false);
	_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
	assert_no_error(open_made(made, &archive));
	// A large archive of zeros: 3 MB that become 3 GB.
	size_t size = 3 << 20;
	struct made *head = calloc(1, sizeof(*head));
	_cleanup_free_ uint8_t *bytes = calloc(1, size + sizeof(*head));
	struct entry bomb = stored_entry("bomb");
	bomb.packed_size = 0;
	put_member(head, &bomb);
	memcpy(bytes, head->bytes, head->size);
	head->directory = head->size = 0;
	bomb.method = 8;
	bomb.packed_size = size - 100;
	bomb.size = (size_t)1000 * size;
	put_directory_row(head, &bomb);
	put_end(head, 1, false);
	memcpy(bytes + size, head->bytes, head->size);
	uint32_t directory = (uint32_t)size;
	memcpy(bytes + size + head->end + 16, &directory, 4);
	_cleanup_(zip_archive_close) struct zip_archive large = ZIP_ARCHIVE_INIT;
	assert_error(zip_archive_open(&large, "bomb.zip", bytes, size + head->size), ERROR_FAILED,
		     "zip 'bomb.zip' is too large when unpacked");
	free(head);
}

static void test_damaged_members(void **state)
{
	struct made *made = *state;
	for (unsigned method = 0; method < 2; method++) {
		struct entry entry = method ? deflated_entry("a.etl") : stored_entry("a.etl");
		make(made, &entry, 1, false);
		for (size_t at = 38; at < made->directory; at += 97) {
			made->bytes[at] ^= 0x10;
			_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
			assert_no_error(open_made(made, &archive));
			assert_error(unpack(&archive, 0), ERROR_FAILED,
				     "'a.etl' of zip 'made.zip' is damaged");
			made->bytes[at] ^= 0x10;
		}
	}
}

// Nothing but an error comes of it, whatever byte is wrong.
static void test_every_byte(void **state)
{
	struct made *made = *state;
	struct entry entries[] = {stored_entry("a.etl"), deflated_entry("b.etl")};
	entries[1].is_64 = true;
	for (size_t i = 0; i < 2; i++)
		make(made, entries, 2, true);
	uint8_t *bytes = malloc(made->size);
	for (size_t at = made->directory; at < made->size; at++)
		for (unsigned value = 0; value < 256; value += 51) {
			memcpy(bytes, made->bytes, made->size);
			bytes[at] = (uint8_t)value;
			_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
			error_destroy(zip_archive_open(&archive, "made.zip", bytes, made->size));
			for (size_t i = 0; i < archive.num_members; i++)
				error_destroy(unpack(&archive, i));
		}
	free(bytes);
}

int zip_archive_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stored_and_deflated),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_lies_about_places),
		cmocka_unit_test(test_overlapping_members),
		cmocka_unit_test(test_sizes_that_cannot_be),
		cmocka_unit_test(test_bombs),
		cmocka_unit_test(test_damaged_members),
		cmocka_unit_test(test_every_byte),
	};
	return cmocka_run_group_tests_name("zip_archive", tests, setup, NULL);
}
