// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_pieces.h"

#include "record/aux_trace.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/perf_data_header.h"
#include "record/spe/spe_packet.h"

#include <string.h>

// Gives the raw SPE buffers of a file for commands that show packets. Unlike spe_trace.c it
// neither sorts nor merges: pieces come in the order of the file, so that packets can be compared
// with `perf report -D`.
//
// A file that is not perf.data is taken as one raw buffer. As any bytes can be read as packets,
// looks_like_packets() first decodes some thousand bytes: in a real buffer good packets are at
// least as many as bad bytes.

enum { LOOKED_AT = 4096 }; // bytes, to tell what a file is

static struct error *map_stream(struct file_map *ret)
{
	_cleanup_(record_input_deinit) struct record_input input = RECORD_INPUT_INIT;
	struct error *err = record_input_of_stream(&input, stdin);
	if (err)
		return err;
	record_input_peek(&input, 1);
	return record_input_spill(&input, ret);
}

// What stands around the records is of no use but for where they are, and the CPU.
static struct error *spe_pieces_read_header(struct spe_pieces *pieces, struct perf_data_range *ret)
{
	struct event_table events = EVENT_TABLE_INIT;
	struct feature_reader features = FEATURE_READER_INIT;
	struct error *err =
		perf_data_header_read(pieces->map.data, pieces->map.size, &events, &features, ret);
	const char *cpu_id = features.info.cpu_id;
	if (!err && cpu_id && features.info.machine &&
	    strcmp(features.info.machine, "aarch64") == 0) {
		pieces->cpu_id = strdup(cpu_id);
		err = pieces->cpu_id ? NULL : &error_no_memory;
	}
	feature_reader_deinit(&features);
	event_table_deinit(&events);
	return err;
}

static struct error *open_perf_data(struct spe_pieces *pieces)
{
	enum perf_data_mode mode;
	struct perf_data_range range = {
		.offset = PERF_ABI_PIPE_HEADER_SIZE,
		.size = pieces->map.size - PERF_ABI_PIPE_HEADER_SIZE,
	};
	struct error *err = perf_data_header_mode(pieces->map.data, &mode);
	if (!err && mode == PERF_DATA_FILE)
		err = spe_pieces_read_header(pieces, &range);
	if (err)
		return err;
	pieces->is_perf_data = true;
	pieces->input = record_input_of_memory(pieces->map.data, range.offset + range.size);
	pieces->input.next = range.offset;
	return NULL;
}

static bool is_perf_data(const struct file_map *map)
{
	return map->size >= PERF_ABI_PIPE_HEADER_SIZE &&
	       (!memcmp(map->data, PERF_ABI_MAGIC, 8) || !memcmp(map->data, "2ELIFREP", 8));
}

static struct error *spe_pieces_name_error(const struct spe_pieces *pieces, struct error *err)
{
	if (!err || err == &error_no_memory)
		return err;
	_cleanup_(error_destroyp) struct error *cause = err;
	return error_create(cause->code, "cannot read '%s': %s", pieces->path, cause->message);
}

/** Of a buffer that is damaged in places most packets are good ones; of a text or a program they
 *  are not. */
static bool looks_like_packets(const struct file_map *map)
{
	const uint8_t *bytes = map->data;
	size_t size = map->size < LOOKED_AT ? map->size : LOOKED_AT;
	size_t num_good = 0, num_bad = 0;
	struct spe_packet packet;
	for (size_t at = 0; at < size; at += packet.size) {
		if (!spe_packet_decode(bytes + at, size - at, at, &packet))
			break;
		num_bad += packet.kind == SPE_PACKET_BAD;
		num_good += packet.kind != SPE_PACKET_BAD && packet.kind != SPE_PACKET_PADDING;
	}
	return num_good >= num_bad;
}

struct error *spe_pieces_open(struct spe_pieces *pieces, const char *path)
{
	pieces->path = path;
	struct error *err = strcmp(path, "-") == 0 ? map_stream(&pieces->map)
						   : file_map_open(&pieces->map, path);
	if (err)
		return err;
	pieces->is_raw = !is_perf_data(&pieces->map);
	if (!pieces->is_raw)
		return spe_pieces_name_error(pieces, open_perf_data(pieces));
	if (looks_like_packets(&pieces->map))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED,
					    "'%s' is neither a perf.data file nor an SPE buffer",
					    pieces->path),
			       "record some with -e arm_spe_0//");
}

static struct error *spe_pieces_find_next(struct spe_pieces *pieces, struct spe_piece *ret,
					  bool *ret_more)
{
	struct found_record record;
	while (record_input_next(&pieces->input, &record)) {
		struct aux_piece piece;
		struct aux_buffer buffer;
		if (record.type == PERF_ABI_AUXTRACE_INFO && !pieces->is_spe &&
		    spe_machine_is_told(record.bytes, record.size)) {
			pieces->is_spe = true;
			struct error *err = spe_machine_read(record.bytes, record.size,
							     pieces->cpu_id, &pieces->machine);
			if (err)
				return err;
		}
		// Without a description of SPE before it, a trace is that of other hardware.
		if (!pieces->is_spe || !aux_trace_piece(&record, &pieces->input, &piece, &buffer))
			continue;
		const struct spe_machine_core *core =
			spe_machine_core(&pieces->machine, buffer.cpu);
		*ret = (struct spe_piece){
			.bytes = piece.bytes,
			.size = piece.size,
			.position = piece.position,
			.midr = core ? core->midr : pieces->machine.common_midr,
		};
		*ret_more = true;
		return NULL;
	}
	*ret_more = false;
	return NULL;
}

struct error *spe_pieces_next(struct spe_pieces *pieces, struct spe_piece *ret, bool *ret_more)
{
	bool more = false;
	struct error *err = NULL;
	if (pieces->is_perf_data) {
		err = spe_pieces_name_error(pieces, spe_pieces_find_next(pieces, ret, &more));
	} else if (pieces->is_raw && pieces->map.size) {
		// The whole file is one piece.
		pieces->is_raw = false;
		*ret = (struct spe_piece){.bytes = pieces->map.data, .size = pieces->map.size};
		more = true;
	}
	if (err)
		return err;
	pieces->num_pieces += more;
	if (!pieces->num_pieces)
		return error_with_hint(error_create(ERROR_FAILED, "'%s' has no SPE data",
						    pieces->path),
				       "record some with -e arm_spe_0//");
	*ret_more = more;
	return NULL;
}

void spe_pieces_close(struct spe_pieces *pieces)
{
	spe_machine_deinit(&pieces->machine);
	free(pieces->cpu_id);
	file_map_close(&pieces->map);
	*pieces = (struct spe_pieces)SPE_PIECES_INIT;
}
