/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ZIP_ARCHIVE_H
#define WPERF_RECORD_ETL_FILE_ZIP_ARCHIVE_H

/**
 * The files in a .zip or .diagsession (a zip, too) in memory: stored or deflated, with 64-bit sizes
 * if need be. Everything in it is checked: names, places, sizes and checksums; files that share
 * bytes, and more bytes than there can be, are errors.
 */

#include "base/error.h"
#include "base/file/file_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The files of an archive need room on the disk while they are read. */
#define ZIP_ARCHIVE_MAX_UNPACKED (UINT64_C(64) << 30)

struct zip_member {
	char *name; /* with folders, '/' between them; printable UTF-8, no ".." and not absolute */
	uint64_t size; /* unpacked */
	/* private */
	uint64_t offset, packed_size;
	uint32_t checksum;
	uint16_t method;
};

struct zip_archive {
	const uint8_t *bytes; /* the caller's: they stay until the archive is closed */
	size_t size;
	const char *name; /* the same */
	/** In the order of the archive, without folders. Members that no reader here could unpack
	 *  (encrypted, of another method) and those with bad names are left out. */
	struct zip_member *members;
	size_t num_members;
	size_t num_left_out;
};

#define ZIP_ARCHIVE_INIT \
	{                \
	}

/** Do these first bytes of a file begin a zip that has files? */
bool zip_archive_is(const uint8_t *head, size_t size);

/** @name: for errors. */
struct error *zip_archive_open(struct zip_archive *archive, const char *name, const void *bytes,
			       size_t size);

/**
 * The bytes of a member: where they are if they are only stored, otherwise unpacked into a file
 * without a name.
 * @backing: to be closed, after which the bytes are gone; empty if nothing was unpacked.
 */
struct error *zip_archive_unpack(const struct zip_archive *archive, const struct zip_member *member,
				 struct file_map *backing, const uint8_t **ret, size_t *ret_size);

/** Accepts ZIP_ARCHIVE_INIT. */
void zip_archive_close(struct zip_archive *archive);

#endif
