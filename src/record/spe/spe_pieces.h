/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_PIECES_H
#define WPERF_RECORD_SPE_SPE_PIECES_H

/**
 * The bytes that SPE wrote, as they stand in a file: in the pieces of a perf.data, in the order of
 * the file, or as a whole if the file is a buffer and nothing else.
 */

#include "record/perf_data/record_input.h"
#include "record/spe/spe_machine.h"

#include "base/file/file_map.h"

struct spe_piece {
	const uint8_t *bytes; /* as long as the pieces are open */
	size_t size;
	uint64_t position; /* in the buffer: alignment packets go by it */
	uint32_t midr;     /* of the core, or 0 */
};

struct spe_pieces {
	const char *path; /* not owned */
	struct file_map map;
	struct record_input input; /* of a perf.data */
	struct spe_machine machine;
	char *cpu_id; /* as the file has it, or NULL */
	bool is_raw;  /* and not given yet */
	bool is_perf_data;
	bool is_spe;       /* the file says that its traces are */
	size_t num_pieces; /* so far */
};

#define SPE_PIECES_INIT \
	{               \
	}

/** @path: "-" for standard input; must stay. @pieces: is ended with spe_pieces_close() also after a
 * failure.
 */
struct error *spe_pieces_open(struct spe_pieces *pieces, const char *path);

/** @ret_more: false behind the last. A file without any is an error then. */
struct error *spe_pieces_next(struct spe_pieces *pieces, struct spe_piece *ret, bool *ret_more);

void spe_pieces_close(struct spe_pieces *pieces);

#endif
