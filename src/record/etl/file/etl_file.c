// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_file.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "record/etl/file/etl_buffer.h"
#include "record/etl/file/etl_event_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A file is a row of buffers. Opening it walks over their headers only, and puts a place for each
// into the row of its CPU, sorted by sequence number: in the file the CPUs are mixed, and the
// buffers of a circular file begin anywhere. etl_file_advance() loads one buffer of a row after the
// other: those of mapped files are read in place, packed ones are unpacked into the row's scratch.
//
// A file that is still written is read with calls instead of being mapped: Windows' logger writes
// past the cache of files, and what is mapped would not show it. An all-zero header there is space
// that the file system gave but nobody filled yet.
//
// Sizes are hostile: see scratch_limit. Files that were cut off keep what is whole in them. Behind
// a header that makes no sense the next buffer is looked for where it should be: all but the first
// of an unpacked file have one size.

enum {
	DROP_INTERVAL = 16 << 20, // so many bytes are looked at before their memory is given back
	MIN_SCRATCH = 16 << 20,
	MAX_SCRATCH = 1 << 30,
	SCRATCH_PER_BYTE = 256, // of the file: more than events can be packed
};

static bool etl_file_is_read_at(const struct etl_file *file, uint64_t offset, void *ret,
				size_t size)
{
	return fseeko(file->stream, (off_t)offset, SEEK_SET) == 0 &&
	       fread(ret, 1, size, file->stream) == size;
}

/** @ret: 72 bytes. False: the file ends before. */
static bool read_header_bytes(const struct etl_file *file, uint64_t offset, uint8_t *ret)
{
	if (offset > file->size || file->size - offset < ETL_BUFFER_HEADER_SIZE)
		return false;
	if (!file->bytes)
		return etl_file_is_read_at(file, offset, ret, ETL_BUFFER_HEADER_SIZE);
	memcpy(ret, file->bytes + offset, ETL_BUFFER_HEADER_SIZE);
	return true;
}

static struct error *find_row(struct etl_file *file, uint32_t cpu, struct etl_row **ret)
{
	if (cpu >= file->num_cpus) {
		size_t wanted = cpu + 1, old = file->num_cpus;
		uint32_t *grown = realloc(file->row_of_cpu, wanted * sizeof(*grown));
		if (!grown)
			return &error_no_memory;
		memset(grown + old, 0, (wanted - old) * sizeof(*grown));
		file->row_of_cpu = grown;
		file->num_cpus = wanted;
	}
	if (!file->row_of_cpu[cpu]) {
		struct error *err = array_reserve(&file->rows, &file->cap_rows, file->num_rows + 1);
		if (err)
			return err;
		file->rows[file->num_rows++] = (struct etl_row){.cpu = cpu, .is_sorted = true};
		file->row_of_cpu[cpu] = (uint32_t)file->num_rows;
	}
	*ret = &file->rows[file->row_of_cpu[cpu] - 1];
	return NULL;
}

static struct error *add_place(struct etl_file *file, const struct etl_buffer *buffer)
{
	struct etl_row *row = NULL;
	struct error *err = find_row(file, buffer->cpu, &row);
	if (!err)
		err = array_reserve(&row->places, &row->cap_places, row->num_places + 1);
	if (err)
		return err;
	if (row->num_places > row->next &&
	    row->places[row->num_places - 1].sequence > buffer->sequence)
		row->is_sorted = false;
	row->places[row->num_places++] = (struct etl_place){
		.offset = buffer->offset,
		.sequence = buffer->sequence,
		.size = buffer->size,
	};
	file->bytes_whole += buffer->size;
	return NULL;
}

static int compare_places(const void *left, const void *right)
{
	const struct etl_place *a = left, *b = right;
	if (a->sequence != b->sequence)
		return a->sequence < b->sequence ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void sort_rows(struct etl_file *file)
{
	for (size_t i = 0; i < file->num_rows; i++) {
		struct etl_row *row = &file->rows[i];
		if (!row->is_sorted)
			qsort(row->places + row->next, row->num_places - row->next,
			      sizeof(*row->places), compare_places);
		row->is_sorted = true;
	}
}

static bool is_all_zero(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

// Also of headers alone: the system maps what is around a page that is looked at.
static void count_look(struct etl_file *file, uint64_t size)
{
	file->num_looked_at += size;
	if (file->num_looked_at < DROP_INTERVAL)
		return;
	file->num_looked_at = 0;
	file_map_drop(&file->map);
}

enum place_result { PLACE_FOUND, PLACE_BAD, PLACE_NONE };

/** The buffer at file->next. @ret_step: where the next one is. */
static enum place_result find_place(struct etl_file *file, struct etl_buffer *ret,
				    uint64_t *ret_step)
{
	uint8_t bytes[ETL_BUFFER_HEADER_SIZE];
	if (!read_header_bytes(file, file->next, bytes))
		return PLACE_NONE;
	uint64_t left = file->size - file->next;
	bool is_good = etl_buffer_read(bytes, ret);
	ret->offset = file->next;
	*ret_step = ret->size;
	// Of an unpacked buffer at the end of a file only its unused rest may be missing.
	uint32_t needed = ret->is_packed || !file->bytes ? ret->size : ret->used;
	if (is_good)
		return needed <= left ? PLACE_FOUND : PLACE_NONE;
	if (is_all_zero(bytes, sizeof(bytes)))
		return PLACE_NONE;
	*ret_step = file->header.buffer_size;
	bool is_of_one_size = file->packing == ETL_PACKING_NONE &&
			      *ret_step >= ETL_BUFFER_HEADER_SIZE && *ret_step <= left;
	return is_of_one_size ? PLACE_BAD : PLACE_NONE;
}

static struct error *find_buffers(struct etl_file *file)
{
	for (;;) {
		struct etl_buffer buffer;
		uint64_t step;
		enum place_result result = find_place(file, &buffer, &step);
		if (result == PLACE_NONE)
			break;
		if (result == PLACE_FOUND) {
			struct error *err = add_place(file, &buffer);
			if (err)
				return err;
		} else {
			file->bad_headers++;
		}
		file->next += step;
		count_look(file, step);
	}
	file->truncated_bytes = file->next < file->size ? file->size - file->next : 0;
	sort_rows(file);
	return NULL;
}

// The first buffer is read twice: here, for what it says of the file, and as any other one.
static struct error *read_first_buffer(struct etl_file *file, uint8_t *bytes, uint32_t size)
{
	struct etl_buffer buffer;
	struct etl_event event;
	uint64_t ticks;
	uint32_t event_size;
	if (!etl_buffer_begins_file(bytes, size) || !etl_buffer_read(bytes, &buffer))
		return error_create(ERROR_FAILED, "'%s' is not an ETW file", file->name);
	if (buffer.used > size ||
	    etl_event_read(bytes + ETL_BUFFER_HEADER_SIZE, buffer.used - ETL_BUFFER_HEADER_SIZE,
			   &event, &ticks, &event_size) != ETL_EVENT_FOUND ||
	    !etl_log_header_read(&event, ticks, &file->header))
		return error_create(ERROR_FAILED, "the first buffer of '%s' is damaged or cut off",
				    file->name);
	// The state of unpacked files may be 3 as well: "flush".
	enum { MODE_PACKED = 0x04000000 };
	bool is_packed = file->header.mode & MODE_PACKED;
	file->packing = is_packed ? (enum etl_packing)buffer.packing : ETL_PACKING_NONE;
	return NULL;
}

// The clock's own zero is 0, which is right for performance counters.
static struct error *read_clock(struct etl_file *file)
{
	enum { WALL_HZ = 10000000 };
	const struct etl_log_header *header = &file->header;
	uint64_t hz = header->frequency_hz;
	if (header->clock == ETL_CLOCK_WALL)
		hz = WALL_HZ;
	if (header->clock == ETL_CLOCK_CYCLES)
		hz = header->mhz * UINT64_C(1000000);
	if (!hz)
		return error_create(ERROR_FAILED, "'%s' does not say how fast its clock is",
				    file->name);
	file->clock = (struct etl_clock){.frequency_hz = hz};
	return NULL;
}

static struct error *read_header(struct etl_file *file)
{
	uint8_t bytes[8192]; // Windows writes about 600
	size_t size = file->size < sizeof(bytes) ? (size_t)file->size : sizeof(bytes);
	if (file->bytes)
		memcpy(bytes, file->bytes, size);
	else if (!etl_file_is_read_at(file, 0, bytes, size))
		return error_create(ERROR_FAILED, "cannot read '%s'", file->name);
	struct error *err = read_first_buffer(file, bytes, (uint32_t)size);
	return err ? err : read_clock(file);
}

static struct error *etl_file_create(const char *name, struct etl_file **ret)
{
	_cleanup_(etl_file_destroyp) struct etl_file *file = calloc(1, sizeof(*file));
	if (!file)
		return &error_no_memory;
	file->name = strdup(name);
	if (!file->name)
		return &error_no_memory;
	*ret = take_ptr(file);
	return NULL;
}

static void set_scratch_limit(struct etl_file *file)
{
	uint64_t limit = file->size < MAX_SCRATCH ? file->size * SCRATCH_PER_BYTE : MAX_SCRATCH;
	limit = limit < MIN_SCRATCH ? MIN_SCRATCH : limit;
	file->scratch_limit = limit < MAX_SCRATCH ? limit : MAX_SCRATCH;
}

static struct error *etl_file_begin(struct etl_file *file)
{
	struct error *err = read_header(file);
	set_scratch_limit(file);
	return err ? err : find_buffers(file);
}

struct error *etl_file_of_memory(const char *name, const void *bytes, size_t size,
				 struct etl_file **ret)
{
	_cleanup_(etl_file_destroyp) struct etl_file *file = NULL;
	struct error *err = etl_file_create(name, &file);
	if (err)
		return err;
	file->bytes = size ? bytes : (const void *)"";
	file->size = size;
	err = etl_file_begin(file);
	if (err)
		return err;
	*ret = take_ptr(file);
	return NULL;
}

struct error *etl_file_of_map(const char *name, struct file_map *map, struct etl_file **ret)
{
	_cleanup_(etl_file_destroyp) struct etl_file *file = NULL;
	struct error *err = etl_file_create(name, &file);
	if (err) {
		file_map_close(map);
		return err;
	}
	// Before buffers are looked for, which gives memory back.
	file->map = *map;
	*map = (struct file_map)FILE_MAP_INIT;
	file->bytes = file->map.size ? file->map.data : (const void *)"";
	file->size = file->map.size;
	err = etl_file_begin(file);
	if (err)
		return err;
	*ret = take_ptr(file);
	return NULL;
}

static bool find_size(struct etl_file *file)
{
	if (fseeko(file->stream, 0, SEEK_END))
		return false;
	off_t size = ftello(file->stream);
	if (size < 0)
		return false;
	file->size = (uint64_t)size;
	return true;
}

struct error *etl_file_of_growing(const char *path, struct etl_file **ret)
{
	_cleanup_(etl_file_destroyp) struct etl_file *file = NULL;
	struct error *err = etl_file_create(path, &file);
	if (err)
		return err;
	file->stream = file_path_open_regular(path);
	if (!file->stream)
		return error_create_errno(errno, "cannot open '%s'", path);
	setvbuf(file->stream, NULL, _IONBF, 0); // what it has read may change
	if (!find_size(file))
		return error_create_errno(errno, "cannot read '%s'", path);
	uint8_t bytes[ETL_BUFFER_HEADER_SIZE];
	if (!read_header_bytes(file, 0, bytes) || is_all_zero(bytes, sizeof(bytes)))
		return error_create(ERROR_ABSENT, "nothing was written to '%s' yet", path);
	err = etl_file_begin(file);
	if (err)
		return err;
	*ret = take_ptr(file);
	return NULL;
}

struct error *etl_file_grow(struct etl_file *file)
{
	if (!file->stream)
		return NULL;
	if (!find_size(file))
		return error_create_errno(errno, "cannot read '%s'", file->name);
	struct etl_clock clock = file->clock; // its zero stays
	struct error *err = read_header(file);
	file->clock = clock;
	set_scratch_limit(file);
	return err ? err : find_buffers(file);
}

static void free_scratch(struct etl_file *file, struct etl_row *row)
{
	file->scratch_held -= row->scratch_size;
	free(row->scratch);
	row->scratch = NULL;
	row->scratch_size = 0;
}

void etl_file_destroy(struct etl_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->num_rows; i++) {
		free(file->rows[i].scratch);
		free(file->rows[i].places);
	}
	free(file->rows);
	free(file->row_of_cpu);
	free(file->packed);
	if (file->stream)
		fclose(file->stream);
	file_map_close(&file->map);
	free(file->name);
	free(file);
}

void etl_file_rewind(struct etl_file *file)
{
	for (size_t i = 0; i < file->num_rows; i++) {
		struct etl_row *row = &file->rows[i];
		row->next = row->offset = row->used = 0;
		row->has_event = false;
	}
	file->bad_buffers = file->bad_events = file->bytes_done = 0;
}

// Sizes up to 64 KiB are all the same to malloc(): rows do not change theirs often.
static struct error *reserve_scratch(struct etl_file *file, struct etl_row *row, uint32_t size,
				     bool *ret_good)
{
	if (row->scratch_size >= size) {
		*ret_good = true;
		return NULL;
	}
	free_scratch(file, row);
	if (file->scratch_held + size > file->scratch_limit) {
		*ret_good = false;
		return NULL;
	}
	row->scratch = malloc(size);
	if (!row->scratch)
		return &error_no_memory;
	row->scratch_size = size;
	file->scratch_held += size;
	*ret_good = true;
	return NULL;
}

/** All bytes of a buffer, wherever they are. NULL: they cannot be read. */
static const uint8_t *place_bytes(struct etl_file *file, const struct etl_place *place)
{
	if (file->bytes)
		return file->bytes + place->offset;
	if (file->cap_packed < place->size) {
		uint8_t *grown = realloc(file->packed, place->size);
		if (!grown)
			return NULL;
		file->packed = grown;
		file->cap_packed = place->size;
	}
	return etl_file_is_read_at(file, place->offset, file->packed, place->size) ? file->packed
										   : NULL;
}

// As to what is in a mapped file, the header may have changed since it was indexed: it is read
// once more, and that copy is checked.
static struct error *load_buffer(struct etl_file *file, struct etl_row *row,
				 const struct etl_place *place, bool *ret_good)
{
	*ret_good = false;
	const uint8_t *bytes = place_bytes(file, place);
	struct etl_buffer buffer;
	if (!bytes || !etl_buffer_read(bytes, &buffer) || buffer.size != place->size)
		return NULL;
	if (!buffer.is_packed && file->bytes) {
		// The padding of the last one may be cut off.
		if (buffer.used > file->size - place->offset)
			return NULL;
		row->bytes = bytes;
		row->used = buffer.used;
		*ret_good = true;
		return NULL;
	}
	bool is_good;
	struct error *err = reserve_scratch(file, row, buffer.used, &is_good);
	if (err || !is_good)
		return err;
	const uint32_t head = ETL_BUFFER_HEADER_SIZE;
	if (!buffer.is_packed)
		memcpy(row->scratch, bytes, buffer.used);
	else if (!etl_unpack(file->packing, bytes + head, buffer.size - head, row->scratch + head,
			     buffer.used - head))
		return NULL;
	row->bytes = row->scratch;
	row->used = buffer.used;
	*ret_good = true;
	return NULL;
}

static struct error *load_next_buffer(struct etl_file *file, struct etl_row *row)
{
	const struct etl_place *place = &row->places[row->next++];
	bool is_good;
	row->offset = row->used = 0;
	struct error *err = load_buffer(file, row, place, &is_good);
	if (err)
		return err;
	file->bytes_done += place->size;
	count_look(file, place->size);
	if (is_good)
		row->offset = ETL_BUFFER_HEADER_SIZE;
	else
		file->bad_buffers++;
	return NULL;
}

/** The next event in the loaded buffer; false: there are no more. */
static bool find_event(struct etl_file *file, struct etl_row *row)
{
	while (row->offset < row->used) {
		uint64_t ticks;
		uint32_t size;
		enum etl_event_result result =
			etl_event_read(row->bytes + row->offset, row->used - row->offset,
				       &row->event, &ticks, &size);
		if (result == ETL_EVENT_BAD) {
			file->bad_events++;
			row->offset = row->used;
			return false;
		}
		row->offset = size < row->used - row->offset ? row->offset + size : row->used;
		if (result == ETL_EVENT_FOUND) {
			row->event.cpu = row->cpu;
			row->event.clock = &file->clock;
			row->event.time_ns = etl_clock_ns(&file->clock, ticks);
			return true;
		}
	}
	return false;
}

struct error *etl_file_advance(struct etl_file *file, struct etl_row *row)
{
	while (!find_event(file, row)) {
		if (row->next == row->num_places) {
			free_scratch(file, row);
			row->offset = row->used = 0;
			row->has_event = false;
			return NULL;
		}
		struct error *err = load_next_buffer(file, row);
		if (err)
			return err;
	}
	row->has_event = true;
	return NULL;
}
