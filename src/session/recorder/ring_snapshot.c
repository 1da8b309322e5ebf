// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/ring_snapshot.h"

#include "base/os/clock.h"
#include "session/recorder/file_state.h"
#include "session/recorder/used_modules.h"

#include <stdlib.h>

// Bytes go from the ring into the file as they are. They are decoded on the way only to know which
// modules the file needs build ids of. The recorder calls ring_snapshot_write() once per round, so
// that the kernel's buffers are read meanwhile, and ring_snapshot_write_one() where it needs the
// room of a record that was not written yet.

enum {
	RECORDS_IN_ROUND = 4096, /* of the file: see perf_data_writer_round() */
	RECORDS_IN_STEP = 64,    /* between two looks at the clock */
};

struct ring_snapshot {
	struct ring_snapshot_config config;
	struct recording_file *file;
	struct used_modules modules;
	uint64_t next, end; /* places of the ring */
	uint64_t num_written, num_samples;
	uint64_t first_time_ns, last_time_ns;
};

struct error *ring_snapshot_create(const struct ring_snapshot_config *config,
				   struct recording_file *file, struct ring_snapshot **ret)
{
	struct ring_snapshot *snapshot = calloc(1, sizeof(*snapshot));
	if (!snapshot) {
		recording_file_destroy(file);
		return &error_no_memory;
	}
	snapshot->config = *config;
	snapshot->file = file;
	snapshot->next = record_ring_begin(config->ring);
	snapshot->end = record_ring_end(config->ring);
	uint64_t time_ns = snapshot->next == snapshot->end
				   ? config->time_ns
				   : record_ring_at(config->ring, snapshot->next)->time_ns;
	struct error *err = file_state_write(file, config->before, time_ns, config->has_places,
					     &snapshot->modules);
	if (err) {
		ring_snapshot_destroy(snapshot);
		return err;
	}
	*ret = snapshot;
	return NULL;
}

void ring_snapshot_destroy(struct ring_snapshot *snapshot)
{
	if (!snapshot)
		return;
	recording_file_destroy(snapshot->file);
	used_modules_deinit(&snapshot->modules);
	free(snapshot);
}

/** The place behind the last record is beyond the end if a gap was left there since. */
static bool ring_snapshot_is_over(const struct ring_snapshot *snapshot)
{
	return snapshot->next >= snapshot->end;
}

bool ring_snapshot_needs(const struct ring_snapshot *snapshot, uint64_t place)
{
	return snapshot->next == place && !ring_snapshot_is_over(snapshot);
}

static void ring_snapshot_note_sample(struct ring_snapshot *snapshot, uint64_t time_ns)
{
	snapshot->num_samples++;
	if (!snapshot->first_time_ns || time_ns < snapshot->first_time_ns)
		snapshot->first_time_ns = time_ns;
	if (time_ns > snapshot->last_time_ns)
		snapshot->last_time_ns = time_ns;
}

static struct error *ring_snapshot_write_record(struct ring_snapshot *snapshot,
						const struct record_ring_entry *entry)
{
	struct record record = {.pid = entry->pid, .time_ns = entry->time_ns, .cpu = UINT32_MAX};
	if (!entry->size)
		return recording_file_map_places(snapshot->file, &record);
	const void *bytes = record_ring_bytes(entry);
	struct error *err = recording_file_add_bytes(snapshot->file, bytes, entry->size);
	if (!err)
		err = perf_format_decode(snapshot->config.formats, bytes, entry->size, &record);
	if (!err)
		err = used_modules_add(&snapshot->modules, &record);
	if (!err && entry->kind == RECORD_SAMPLE)
		ring_snapshot_note_sample(snapshot, entry->time_ns);
	return err;
}

struct error *ring_snapshot_write_one(struct ring_snapshot *snapshot)
{
	if (ring_snapshot_is_over(snapshot))
		return NULL;
	struct error *err = ring_snapshot_write_record(
		snapshot, record_ring_at(snapshot->config.ring, snapshot->next));
	snapshot->next = record_ring_next(snapshot->config.ring, snapshot->next);
	if (!err && ++snapshot->num_written % RECORDS_IN_ROUND == 0)
		err = recording_file_end_round(snapshot->file);
	return err;
}

struct error *ring_snapshot_write(struct ring_snapshot *snapshot, uint64_t duration_ns,
				  bool *ret_done)
{
	uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + duration_ns;
	struct error *err = NULL;
	do
		for (int i = 0; !err && i < RECORDS_IN_STEP; i++)
			err = ring_snapshot_write_one(snapshot);
	while (!err && !ring_snapshot_is_over(snapshot) && clock_ns(CLOCK_MONOTONIC) < end_ns);
	*ret_done = ring_snapshot_is_over(snapshot);
	return err;
}

struct error *ring_snapshot_finish(struct ring_snapshot *snapshot, struct profile_builder *builder,
				   char *const *arguments)
{
	struct error *err = NULL;
	while (!err && !ring_snapshot_is_over(snapshot))
		err = ring_snapshot_write_one(snapshot);
	if (err)
		return err;
	err = used_modules_complete(&snapshot->modules);
	const struct recording_part part = {
		.modules = &snapshot->modules.processes.modules,
		.used = snapshot->modules.used,
		.first_time_ns = snapshot->first_time_ns,
		.last_time_ns = snapshot->last_time_ns,
		.num_let_go = snapshot->config.num_let_go,
	};
	return err ? err : recording_file_finish_part(snapshot->file, builder, &part, arguments);
}

struct recording_file *ring_snapshot_file(const struct ring_snapshot *snapshot)
{
	return snapshot->file;
}

uint64_t ring_snapshot_num_samples(const struct ring_snapshot *snapshot)
{
	return snapshot->num_samples;
}

uint64_t ring_snapshot_covered_ns(const struct ring_snapshot *snapshot)
{
	return snapshot->last_time_ns - snapshot->first_time_ns;
}

uint64_t ring_snapshot_num_let_go(const struct ring_snapshot *snapshot)
{
	return snapshot->config.num_let_go;
}
