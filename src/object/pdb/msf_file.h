/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_MSF_FILE_H
#define WPERF_OBJECT_PDB_MSF_FILE_H

/**
 * The container that a PDB is: numbered streams in blocks of one size, which lie anywhere in the
 * file. A stream whose blocks follow each other is given in place, others are copied together when
 * they are first asked for. A block may be of one stream only, so that nothing that a file says
 * takes more memory than the file is large.
 */

#include "base/error.h"
#include "object/object_parts.h"

#include <stdbool.h>

struct msf_stream; /* private */

struct msf_file {
	const uint8_t *data; /* not owned */
	size_t size;
	uint32_t block_size, num_blocks;
	uint8_t *directory;
	size_t directory_size;
	struct msf_stream *streams;
	uint32_t num_streams;
};

#define MSF_FILE_INIT \
	{             \
	}

bool msf_file_is(const void *data, size_t size);

/** @name: of the file, for messages. @data must outlive it. */
struct error *msf_file_init(struct msf_file *file, const void *data, size_t size, const char *name);
void msf_file_deinit(struct msf_file *file);

/** The whole stream; empty if there is none of this number. It stays as long as the file. */
struct error *msf_file_stream(struct msf_file *file, uint32_t index, struct object_bytes *ret);

#endif
