// SPDX-License-Identifier: Apache-2.0
// The trace of a core comes in pieces, as the kernel copied it (spe_pieces.h); a piece is decoded
// and printed chunk by chunk, and the pages of the file are given back behind it: traces have
// gigabytes. Lines are those of `perf report -D` (spe_packet_line.h), so that the two can be
// compared.

#include "report/recorded/packet_listing.h"

#include "base/cleanup.h"
#include "record/perf_data/perf_data_header.h"
#include "record/spe/spe_packet_line.h"
#include "record/spe/spe_pieces.h"
#include "report/result_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

// A line is several times as long as its packet: chunks keep the text small.
enum { CHUNK_SIZE = 1 << 20 };

static struct error *print_pieces(struct spe_pieces *pieces, FILE *stream, const char *name)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	struct error *err = NULL;
	bool more = true;
	while (!err && more) {
		struct spe_piece piece;
		err = spe_pieces_next(pieces, &piece, &more);
		if (!err && more)
			string_builder_appendf(&text, ". ... ARM SPE data: size %#zx bytes\n",
					       piece.size);
		for (size_t at = 0; !err && more && at < piece.size;) {
			at = spe_packet_line_append_some(&text, piece.bytes, piece.size,
							 piece.position, piece.midr, at,
							 CHUNK_SIZE);
			if (text.failed)
				return &error_no_memory;
			if (fwrite(string_builder_peek(&text), 1, text.length, stream) !=
			    text.length)
				err = error_create_errno(errno, "cannot write %s", name);
			string_builder_clear(&text);
		}
		// Pages that were printed are not needed again.
		file_map_drop(&pieces->map);
	}
	return err;
}

/** @path: NULL: standard output. */
static struct error *print_to(struct spe_pieces *pieces, const char *path)
{
	if (!path) {
		struct error *err = print_pieces(pieces, stdout, "standard output");
		return err || !fflush(stdout)
			       ? err
			       : error_create_errno(errno, "cannot write standard output");
	}
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	struct error *err = result_file_open(path, &file);
	if (!err)
		err = print_pieces(pieces, file.stream, path);
	return err ? err : result_file_close(&file);
}

struct error *packet_listing_print(const char *path, bool is_forced, const char *output)
{
	_cleanup_(spe_pieces_close) struct spe_pieces pieces = SPE_PIECES_INIT;
	struct error *err = spe_pieces_open(&pieces, path);
	if (!err && !is_forced)
		err = perf_data_check_owner(&pieces.map, path);
	if (!err)
		err = print_to(&pieces, output);
	if (pieces.input.truncated_bytes)
		fprintf(stderr,
			"note: '%s' is truncated: its last %" PRIu64
			" bytes are an incomplete record\n",
			path, pieces.input.truncated_bytes);
	return err;
}
