// SPDX-License-Identifier: Apache-2.0

/**
 * Checks the reading of one ETW file, and prints what etl_recordings.py compares:
 *
 *	etl_file_check FILE SCRATCH_FILE
 *	buffers CPUs pointer_size samples stacks images PDBs events
 *
 *  - Cut at each border of two buffers, and a byte before and behind it, the file has all buffers
 *    that are whole; what is left over is counted, and nothing else. Some of these are read.
 *  - Appended to SCRATCH_FILE piece by piece and followed, it gives the same events.
 */

#include "base/byte_order.h"
#include "base/container/array.h"
#include "base/file/file_map.h"
#include "base/file/file_path.h"
#include "record/etl/etl_payload.h"
#include "record/etl/file/etl_file.h"
#include "record/etl/file/etl_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_READS = 60, MOST_PIECES = 500, MIN_PIECE = 4099, HEADER_SIZE = 72 };

#define CHECK(condition, ...)                                     \
	do {                                                      \
		if (condition)                                    \
			break;                                    \
		fprintf(stderr, "%s:%d: ", #condition, __LINE__); \
		fprintf(stderr, __VA_ARGS__);                     \
		fputc('\n', stderr);                              \
		exit(EXIT_FAILURE);                               \
	} while (0)

static void check_error(struct error *err, const char *what)
{
	CHECK(!err, "%s: %s", what, err->message);
}

struct image_keys {
	uint64_t *keys;
	size_t num_keys, cap_keys;
};

// The sum does not depend on the order: a file that grows gives what came late when it comes.
struct event_totals {
	uint64_t events, samples, stacks, sum;
	struct image_keys images,
		pdbs; /* one for each process, base, size and length of the path */
};

static void event_totals_deinit(struct event_totals *totals)
{
	free(totals->images.keys);
	free(totals->pdbs.keys);
}

static void add_key(struct image_keys *keys, uint32_t pid, uint64_t base)
{
	check_error(array_reserve(&keys->keys, &keys->cap_keys, keys->num_keys + 1), "keys");
	keys->keys[keys->num_keys++] = base ^ (uint64_t)pid << 32 ^ (uint64_t)pid << 48;
}

static int compare_keys(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

/** Images are there twice: at the start and at the end, or when they were loaded and unloaded. */
static size_t num_different(struct image_keys *keys)
{
	size_t count = 0;
	if (keys->num_keys)
		qsort(keys->keys, keys->num_keys, sizeof(*keys->keys), compare_keys);
	for (size_t i = 0; i < keys->num_keys; i++)
		count += !i || keys->keys[i] != keys->keys[i - 1];
	return count;
}

static uint64_t hash_of(const struct etl_event *event)
{
	uint64_t hash = event->time_ns ^ (uint64_t)event->cpu << 48 ^ (uint64_t)event->class << 32 ^
			(uint64_t)event->opcode << 24 ^ event->id;
	for (uint32_t i = 0; i < event->payload_size; i++)
		hash = (hash ^ event->payload[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static void count_image(struct event_totals *totals, const struct etl_event *event)
{
	bool is_load = event->opcode == ETL_IMAGE_LOAD;
	bool is_life = event->opcode >= ETL_END && event->opcode <= ETL_THERE_AT_END;
	struct etl_image image;
	struct etl_image_id id;
	if (((event->class == ETL_CLASS_PROCESS && is_load) ||
	     (event->class == ETL_CLASS_IMAGE && (is_load || is_life))) &&
	    etl_payload_image(event, &image))
		add_key(&totals->images, image.pid,
			image.base ^ image.size << 20 ^ (uint64_t)image.path.size << 50);
	if (event->class == ETL_CLASS_IMAGE_ID && event->opcode == ETL_IMAGE_ID_RSDS &&
	    etl_payload_image_id(event, &id))
		add_key(&totals->pdbs, id.pid, id.base);
}

static void count_event(struct event_totals *totals, const struct etl_event *event)
{
	totals->events++;
	totals->samples += event->class == ETL_CLASS_PERFINFO && event->opcode == ETL_SAMPLE;
	// The others are definitions of keys.
	totals->stacks += event->class == ETL_CLASS_STACK &&
			  (event->opcode == ETL_STACK || event->opcode == ETL_STACK_KERNEL_KEY ||
			   event->opcode == ETL_STACK_USER_KEY);
	totals->sum += hash_of(event);
	count_image(totals, event);
}

static void read_events(struct etl_stream *stream, struct event_totals *totals)
{
	for (bool more = true; more;) {
		struct etl_event event;
		check_error(etl_stream_next(stream, &event, &more), "next event");
		if (more)
			count_event(totals, &event);
	}
}

static void check_damage(const struct etl_stream *stream, uint64_t truncated)
{
	struct etl_stream_damage damage = etl_stream_damage(stream);
	CHECK(damage.truncated_bytes == truncated, "%" PRIu64 " instead of %" PRIu64,
	      damage.truncated_bytes, truncated);
	CHECK(!damage.bad_buffers && !damage.bad_events, "%" PRIu64 " buffers, %" PRIu64 " events",
	      damage.bad_buffers, damage.bad_events);
}

static struct event_totals read_memory(const uint8_t *bytes, size_t size, uint64_t truncated)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	struct event_totals totals = {};
	check_error(etl_stream_open_memory("cut", bytes, size, &stream), "open");
	read_events(stream, &totals);
	check_damage(stream, truncated);
	return totals;
}

struct check_buffer {
	size_t begin, needed /* without padding, if that may be missing */, end;
	uint64_t events_until_end; /* of the file up to this one */
};

struct check_file {
	const uint8_t *bytes;
	size_t size, num_buffers;
	struct check_buffer *buffers;
};

static void find_buffers(struct check_file *file)
{
	enum { AT_SAVED = 4, AT_OFFSET = 48, AT_FLAGS = 52, FLAG_PACKED = 0x40 };
	file->buffers = calloc(file->size / HEADER_SIZE + 1, sizeof(*file->buffers));
	CHECK(file->buffers, "no memory");
	for (size_t at = 0; at < file->size;) {
		const uint8_t *header = file->bytes + at;
		uint32_t size = byte_order_load32(header, false);
		uint32_t used = byte_order_load32(header + AT_SAVED, false);
		used = used ? used : byte_order_load32(header + AT_OFFSET, false);
		bool is_packed = byte_order_load16(header + AT_FLAGS, false) & FLAG_PACKED;
		CHECK(size >= HEADER_SIZE && size <= file->size - at, "buffer at %zu", at);
		file->buffers[file->num_buffers++] = (struct check_buffer){
			.begin = at,
			.needed = at + (is_packed ? size : used),
			.end = at + size,
		};
		at += size;
	}
}

/** How many bytes of a file of @size bytes are no whole buffer. @ret_num: of whole ones. */
static uint64_t expected_rest(const struct check_file *file, size_t size, size_t *ret_num)
{
	size_t num = 0;
	while (num < file->num_buffers && file->buffers[num].needed <= size)
		num++;
	*ret_num = num;
	return num && file->buffers[num - 1].end < size ? size - file->buffers[num - 1].end : 0;
}

static void check_index(const struct check_file *file, size_t size)
{
	_cleanup_(etl_file_destroyp) struct etl_file *cut = NULL;
	check_error(etl_file_of_memory("cut", file->bytes, size, &cut), "open");
	size_t wanted, found = 0;
	uint64_t rest = expected_rest(file, size, &wanted);
	for (size_t i = 0; i < cut->num_rows; i++)
		found += cut->rows[i].num_places;
	CHECK(found == wanted, "%zu instead of %zu, cut at %zu", found, wanted, size);
	CHECK(cut->truncated_bytes == rest && !cut->bad_headers, "cut at %zu", size);
}

/** Events never become fewer when a file has more bytes; each buffer brings some. */
static void check_reads(const struct check_file *file, size_t border, uint64_t *last)
{
	for (size_t size = border - 1; size <= border + 1 && size <= file->size; size++) {
		size_t num;
		uint64_t rest = expected_rest(file, size, &num);
		_cleanup_(event_totals_deinit) struct event_totals totals =
			read_memory(file->bytes, size, rest);
		CHECK(totals.events >= *last, "%" PRIu64 " events, cut at %zu", totals.events,
		      size);
		*last = totals.events;
	}
}

static void check_cuts(const struct check_file *file)
{
	size_t step = file->num_buffers * 3 / MOST_READS + 1;
	uint64_t events = 0;
	for (size_t i = 0; i < file->num_buffers; i++) {
		size_t border = file->buffers[i].end;
		for (size_t size = border - 1; size <= border + 1 && size <= file->size; size++)
			check_index(file, size);
		if (i % step == 0)
			check_reads(file, border, &events);
	}
}

static void append(const char *path, const char *mode, const uint8_t *bytes, size_t size)
{
	FILE *stream = file_path_open(path, mode);
	CHECK(stream && fwrite(bytes, 1, size, stream) == size && !fclose(stream), "%s", path);
}

static void check_growth(const struct check_file *file, const char *path,
			 const struct event_totals *whole)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	_cleanup_(event_totals_deinit) struct event_totals totals = {};
	size_t piece = file->size / MOST_PIECES | 1;
	piece = piece < MIN_PIECE ? MIN_PIECE : piece;
	append(path, "wb", file->bytes, 0);
	for (size_t at = 0; at < file->size; at += piece) {
		size_t left = file->size - at;
		append(path, "ab", file->bytes + at, left < piece ? left : piece);
		if (stream)
			check_error(etl_stream_grow(stream), "grow");
		else
			check_error(etl_stream_open_growing(path, &stream), "open growing");
		read_events(stream, &totals);
	}
	check_damage(stream, 0);
	remove(path);
	CHECK(totals.events == whole->events, "%" PRIu64 " instead of %" PRIu64, totals.events,
	      whole->events);
	CHECK(totals.sum == whole->sum, "other events");
}

static void print_facts(const struct check_file *file, struct event_totals *totals)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	check_error(etl_stream_open_memory("whole", file->bytes, file->size, &stream), "open");
	const struct etl_stream_facts *facts = etl_stream_facts(stream);
	printf("%zu %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %zu %zu %" PRIu64 "\n",
	       file->num_buffers, facts->num_cpus, facts->pointer_size, totals->samples,
	       totals->stacks, num_different(&totals->images), num_different(&totals->pdbs),
	       totals->events);
}

int main(int argc, char **argv)
{
	CHECK(argc == 3, "usage: etl_file_check FILE SCRATCH_FILE");
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	check_error(file_map_open(&map, argv[1]), argv[1]);
	struct check_file file = {.bytes = map.data, .size = map.size};
	find_buffers(&file);
	_cleanup_(event_totals_deinit) struct event_totals totals =
		read_memory(file.bytes, file.size, 0);
	check_cuts(&file);
	check_growth(&file, argv[2], &totals);
	print_facts(&file, &totals);
	free(file.buffers);
	return 0;
}
