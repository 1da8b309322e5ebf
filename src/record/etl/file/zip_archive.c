// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/zip_archive.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/reader.h"
#include "base/text/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

// PKWARE's APPNOTE.TXT 6.3.10. A zip is read from its end (4.3.16): the end record has the place of
// the central directory, which has a row for each member. Where a number is too large for it, the
// field is all ones and the number stands in a 64-bit end record (4.3.14) or extra field (4.5.3).
// The local header before the bytes of a member (4.3.7) is only read for its length and the name,
// which has to be the one of the directory: programs disagree about archives that say two things.
//
// Members share no bytes, so that a small archive cannot have many large ones; each is at most as
// large as deflate can make it, and all together at most 64 times as large as the archive, or a few
// hundred megabytes.

enum {
	ZIP_END_SIZE = 22,
	ZIP_END64_SIZE = 56,
	ZIP_LOCATOR_SIZE = 20,
	ZIP_ENTRY_SIZE = 46,
	ZIP_LOCAL_SIZE = 30,
	ZIP_MAX_COMMENT = 0xffff,
	ZIP_FLAG_ENCRYPTED = 1,
	ZIP_STORED = 0,
	ZIP_DEFLATED = 8,
	ZIP_EXTRA_64 = 1,
	ZIP_DEFLATE_RATIO = 1032,
	ZIP_RATIO = 64,
	ZIP_SMALL = 256 << 20, // that much is never too much
	ZIP_PIECE = 1 << 16,
};

#define ZIP_END     0x06054b50u
#define ZIP_END64   0x06064b50u
#define ZIP_LOCATOR 0x07064b50u
#define ZIP_ENTRY   0x02014b50u
#define ZIP_LOCAL   0x04034b50u

struct zip_directory {
	uint64_t offset, size, num_entries;
};

struct zip_entry {
	uint32_t flags, method, checksum;
	uint64_t packed_size, size, offset;
	const uint8_t *name;
	size_t name_length;
};

bool zip_archive_is(const uint8_t *head, size_t size)
{
	return size >= 4 && byte_order_load32(head, false) == ZIP_LOCAL;
}

static struct error *zip_damaged(const struct zip_archive *archive, const char *what)
{
	return error_create(ERROR_FAILED, "zip '%s' is damaged: %s", archive->name, what);
}

/** @offset: beyond the end, it becomes a reader that has failed. */
static struct reader zip_reader_at(const struct zip_archive *archive, uint64_t offset)
{
	struct reader reader = reader_create(archive->bytes, archive->size);
	if (offset <= archive->size)
		reader_skip(&reader, (size_t)offset);
	else
		reader.failed = true;
	return reader;
}

/** The 64-bit end record, whose place is in front of the other one. */
static void zip_read_end64(const struct zip_archive *archive, size_t end, struct zip_directory *ret)
{
	if (end < ZIP_LOCATOR_SIZE)
		return;
	struct reader locator = zip_reader_at(archive, end - ZIP_LOCATOR_SIZE);
	uint32_t signature = reader_u32(&locator);
	reader_skip(&locator, 4);
	struct reader record = zip_reader_at(archive, reader_u64(&locator));
	if (signature != ZIP_LOCATOR || reader_u32(&record) != ZIP_END64)
		return;
	reader_skip(&record, 28);
	struct zip_directory directory;
	directory.num_entries = reader_u64(&record);
	directory.size = reader_u64(&record);
	directory.offset = reader_u64(&record);
	if (!record.failed)
		*ret = directory;
}

static bool zip_find_directory(const struct zip_archive *archive, struct zip_directory *ret)
{
	size_t size = archive->size;
	for (size_t back = ZIP_END_SIZE; back <= size && back <= ZIP_END_SIZE + ZIP_MAX_COMMENT;
	     back++) {
		struct reader reader = zip_reader_at(archive, size - back);
		if (reader_u32(&reader) != ZIP_END)
			continue;
		reader_skip(&reader, 6);
		ret->num_entries = reader_u16(&reader);
		ret->size = reader_u32(&reader);
		ret->offset = reader_u32(&reader);
		if (reader_u16(&reader) > back - ZIP_END_SIZE)
			continue; // the signature is a part of a comment
		zip_read_end64(archive, size - back, ret);
		return ret->offset <= size && ret->size <= size - ret->offset;
	}
	return false;
}

/** Numbers that the entry itself has no room for, in the order of the document. */
static void zip_read_extra(struct reader extra, struct zip_entry *entry)
{
	while (reader_left(&extra)) {
		uint16_t id = reader_u16(&extra);
		struct reader field = reader_sub(&extra, reader_u16(&extra));
		if (id != ZIP_EXTRA_64)
			continue;
		uint64_t *numbers[] = {&entry->size, &entry->packed_size, &entry->offset};
		for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
			if (*numbers[i] == UINT32_MAX && reader_left(&field))
				*numbers[i] = reader_u64(&field);
	}
}

static bool zip_read_entry(struct reader *reader, struct zip_entry *ret)
{
	uint32_t signature = reader_u32(reader);
	reader_skip(reader, 4);
	ret->flags = reader_u16(reader);
	ret->method = reader_u16(reader);
	reader_skip(reader, 4);
	ret->checksum = reader_u32(reader);
	ret->packed_size = reader_u32(reader);
	ret->size = reader_u32(reader);
	ret->name_length = reader_u16(reader);
	size_t extra_length = reader_u16(reader), comment_length = reader_u16(reader);
	reader_skip(reader, 8);
	ret->offset = reader_u32(reader);
	ret->name = reader_bytes(reader, ret->name_length);
	zip_read_extra(reader_sub(reader, extra_length), ret);
	reader_skip(reader, comment_length);
	return !reader->failed && signature == ZIP_ENTRY;
}

/** Nothing is written under these names, but they are printed, and somebody may get the idea. */
static bool zip_name_is_good(const char *name)
{
	bool is_absolute = name[0] == '/' || (name[0] && name[1] == ':');
	for (const char *part = name; part; part = strchr(part, '/')) {
		part += *part == '/';
		size_t length = strcspn(part, "/");
		if (length == 2 && !memcmp(part, "..", 2))
			return false;
	}
	return name[0] && !is_absolute;
}

/** @ret: NULL: it is no name of a file. What cannot be printed becomes '?': in old archives names
 *  are in the code page of some computer. */
static struct error *zip_take_name(const struct zip_entry *entry, char **ret)
{
	_cleanup_free_ char *name = malloc(entry->name_length + 1);
	if (!name)
		return &error_no_memory;
	size_t length = 0;
	while (length < entry->name_length) {
		const char *from = (const char *)entry->name + length;
		uint32_t code_point = 0;
		size_t bytes = utf8_sequence(from, entry->name_length - length, &code_point);
		bool is_control = code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0);
		if (bytes && !is_control) {
			memcpy(name + length, from, bytes);
		} else {
			bytes = bytes ? bytes : 1;
			memset(name + length, '?', bytes);
		}
		length += bytes;
	}
	name[length] = '\0';
	// Some programs of Windows write these against the document.
	for (char *at = name; (at = strchr(at, '\\'));)
		*at = '/';
	*ret = zip_name_is_good(name) ? take_ptr(name) : NULL;
	return NULL;
}

/** Where the bytes of a member are; its local header stands before them. */
static struct error *zip_find_bytes(const struct zip_archive *archive,
				    const struct zip_entry *entry, uint64_t *ret)
{
	struct reader reader = zip_reader_at(archive, entry->offset);
	uint32_t signature = reader_u32(&reader);
	reader_skip(&reader, 22);
	size_t name_length = reader_u16(&reader), extra_length = reader_u16(&reader);
	const uint8_t *name = reader_bytes(&reader, name_length);
	reader_skip(&reader, extra_length);
	if (reader.failed || signature != ZIP_LOCAL || name_length != entry->name_length ||
	    memcmp(name, entry->name, name_length) != 0)
		return zip_damaged(archive, "a file is not where the directory says");
	*ret = reader.offset;
	if (entry->packed_size > reader_left(&reader))
		return zip_damaged(archive, "a file ends behind the archive");
	bool can_be = entry->method == ZIP_STORED
			      ? entry->size == entry->packed_size
			      : entry->size / ZIP_DEFLATE_RATIO <= entry->packed_size;
	return can_be ? NULL : zip_damaged(archive, "a file cannot be as large as it says");
}

static struct error *zip_add(struct zip_archive *archive, size_t *capacity,
			     const struct zip_entry *entry)
{
	bool is_folder = entry->name_length && (entry->name[entry->name_length - 1] == '/' ||
						entry->name[entry->name_length - 1] == '\\');
	if (is_folder)
		return NULL;
	bool can_read = !(entry->flags & ZIP_FLAG_ENCRYPTED) &&
			(entry->method == ZIP_STORED || entry->method == ZIP_DEFLATED);
	_cleanup_free_ char *name = NULL;
	struct error *err = can_read ? zip_take_name(entry, &name) : NULL;
	if (err)
		return err;
	if (!name) {
		archive->num_left_out++;
		return NULL;
	}
	struct zip_member member = {.size = entry->size,
				    .packed_size = entry->packed_size,
				    .checksum = entry->checksum,
				    .method = (uint16_t)entry->method};
	err = zip_find_bytes(archive, entry, &member.offset);
	if (!err)
		err = array_reserve(&archive->members, capacity, archive->num_members + 1);
	if (err)
		return err;
	member.name = take_ptr(name);
	archive->members[archive->num_members++] = member;
	return NULL;
}

static int zip_compare_offsets(const void *a, const void *b)
{
	const struct zip_member *const *first = a, *const *second = b;
	return ((*first)->offset > (*second)->offset) - ((*first)->offset < (*second)->offset);
}

static struct error *zip_check_members(const struct zip_archive *archive)
{
	uint64_t total = 0, most = (uint64_t)archive->size * ZIP_RATIO;
	_cleanup_free_ const struct zip_member **sorted =
		malloc((archive->num_members + 1) * sizeof(*sorted));
	if (!sorted)
		return &error_no_memory;
	for (size_t i = 0; i < archive->num_members; i++) {
		sorted[i] = &archive->members[i];
		total += archive->members[i].size; // each is at most 1032 times the archive
	}
	if (total > ZIP_ARCHIVE_MAX_UNPACKED || (total > ZIP_SMALL && total > most))
		return error_with_hint(error_create(ERROR_FAILED,
						    "zip '%s' is too large when unpacked",
						    archive->name),
				       "unpack it, and give wperf the .etl file");
	qsort(sorted, archive->num_members, sizeof(*sorted), zip_compare_offsets);
	for (size_t i = 1; i < archive->num_members; i++)
		if (sorted[i]->offset - sorted[i - 1]->offset < sorted[i - 1]->packed_size)
			return zip_damaged(archive, "two files overlap");
	return NULL;
}

struct error *zip_archive_open(struct zip_archive *archive, const char *name, const void *bytes,
			       size_t size)
{
	_cleanup_(zip_archive_close) struct zip_archive opened = {
		.bytes = bytes, .size = size, .name = name};
	struct zip_directory directory;
	if (!zip_find_directory(&opened, &directory))
		return zip_damaged(&opened, "it has no directory; was it cut off?");
	struct reader reader = zip_reader_at(&opened, directory.offset);
	struct reader entries = reader_sub(&reader, (size_t)directory.size);
	size_t capacity = 0;
	for (uint64_t i = 0; i < directory.num_entries; i++) {
		struct zip_entry entry;
		if (!zip_read_entry(&entries, &entry))
			return zip_damaged(&opened, "its directory cannot be read");
		struct error *err = zip_add(&opened, &capacity, &entry);
		if (err)
			return err;
	}
	struct error *err = zip_check_members(&opened);
	if (err)
		return err;
	*archive = opened;
	opened = (struct zip_archive)ZIP_ARCHIVE_INIT;
	return NULL;
}

struct zip_inflation {
	z_stream stream;
	uint64_t size;
	uLong checksum;
	uint8_t piece[ZIP_PIECE];
};

/** Sizes of zlib have 32 bits, those of members 64. */
static void zip_refill(struct zip_inflation *inflation, uint64_t *left)
{
	if (inflation->stream.avail_in)
		return;
	inflation->stream.avail_in = *left < 1 << 30 ? (uInt)*left : 1 << 30;
	*left -= inflation->stream.avail_in;
}

/** @ret_is_whole: did just the bytes come out that the directory promises? */
static struct error *zip_inflate(const struct zip_archive *archive, const struct zip_member *member,
				 struct zip_inflation *inflation, FILE *file, bool *ret_is_whole)
{
	uint64_t left = member->packed_size;
	int result = Z_OK;
	inflation->stream.next_in = (Bytef *)(archive->bytes + member->offset);
	while (result == Z_OK && inflation->size <= member->size) {
		zip_refill(inflation, &left);
		inflation->stream.next_out = inflation->piece;
		inflation->stream.avail_out = ZIP_PIECE;
		result = inflate(&inflation->stream, Z_NO_FLUSH);
		size_t count = ZIP_PIECE - inflation->stream.avail_out;
		inflation->size += count;
		inflation->checksum = crc32(inflation->checksum, inflation->piece, (uInt)count);
		if (fwrite(inflation->piece, 1, count, file) != count)
			return error_create_errno(errno, "cannot unpack '%s' of '%s'", member->name,
						  archive->name);
	}
	*ret_is_whole = result == Z_STREAM_END && !left && !inflation->stream.avail_in &&
			inflation->size == member->size && inflation->checksum == member->checksum;
	return result == Z_MEM_ERROR ? &error_no_memory : NULL;
}

static void zip_close_stream(FILE **stream)
{
	if (*stream)
		fclose(*stream);
}

static struct error *zip_unpack_into(const struct zip_archive *archive,
				     const struct zip_member *member, FILE *file)
{
	_cleanup_free_ struct zip_inflation *inflation = calloc(1, sizeof(*inflation));
	if (!inflation || inflateInit2(&inflation->stream, -MAX_WBITS) != Z_OK)
		return &error_no_memory;
	bool is_whole = false;
	struct error *err = zip_inflate(archive, member, inflation, file, &is_whole);
	inflateEnd(&inflation->stream);
	if (err || is_whole)
		return err;
	return error_create(ERROR_FAILED, "'%s' of zip '%s' is damaged", member->name,
			    archive->name);
}

static struct error *zip_check_stored(const struct zip_archive *archive,
				      const struct zip_member *member)
{
	uLong checksum = 0;
	for (uint64_t at = 0; at < member->size; at += ZIP_PIECE) {
		uint64_t left = member->size - at;
		checksum = crc32(checksum, archive->bytes + member->offset + at,
				 left < ZIP_PIECE ? (uInt)left : ZIP_PIECE);
	}
	return checksum == member->checksum
		       ? NULL
		       : error_create(ERROR_FAILED, "'%s' of zip '%s' is damaged", member->name,
				      archive->name);
}

struct error *zip_archive_unpack(const struct zip_archive *archive, const struct zip_member *member,
				 struct file_map *backing, const uint8_t **ret, size_t *ret_size)
{
	if (member->method == ZIP_STORED) {
		struct error *err = zip_check_stored(archive, member);
		if (err)
			return err;
		*backing = (struct file_map)FILE_MAP_INIT;
		*ret = archive->bytes + member->offset;
		*ret_size = (size_t)member->size;
		return NULL;
	}
	_cleanup_(zip_close_stream) FILE *file = tmpfile();
	if (!file)
		return error_create_errno(errno, "cannot create a temporary file for '%s' of '%s'",
					  member->name, archive->name);
	struct error *err = zip_unpack_into(archive, member, file);
	if (!err)
		err = file_map_of_stream(backing, file, member->name);
	if (err)
		return err;
	*ret = backing->data;
	*ret_size = backing->size;
	return NULL;
}

void zip_archive_close(struct zip_archive *archive)
{
	for (size_t i = 0; i < archive->num_members; i++)
		free(archive->members[i].name);
	free(archive->members);
	*archive = (struct zip_archive)ZIP_ARCHIVE_INIT;
}
