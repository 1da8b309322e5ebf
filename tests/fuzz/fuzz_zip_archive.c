// SPDX-License-Identifier: Apache-2.0
// Input: a zip. Only small members are unpacked: each is a file on the disk.

#include "record/etl/file/zip_archive.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_UNPACKED = 1 << 16, MAX_MEMBERS = 4 };

static void check_member(const struct zip_archive *archive, const struct zip_member *member)
{
	struct file_map backing = FILE_MAP_INIT;
	const uint8_t *bytes = NULL;
	size_t size = 0;
	struct error *err = zip_archive_unpack(archive, member, &backing, &bytes, &size);
	if (!err && size != member->size)
		abort();
	file_map_close(&backing);
	error_destroy(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct zip_archive archive = ZIP_ARCHIVE_INIT;
	struct error *err = zip_archive_open(&archive, "fuzz.zip", data, size);
	for (size_t i = 0; i < archive.num_members && i < MAX_MEMBERS; i++)
		if (archive.members[i].size < MAX_UNPACKED)
			check_member(&archive, &archive.members[i]);
	zip_archive_close(&archive);
	error_destroy(err);
	return 0;
}
