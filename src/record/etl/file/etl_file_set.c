// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_file_set.h"

#include "base/container/array.h"
#include "record/etl/file/zip_archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct error *etl_file_set_add(struct etl_file_set *set, struct etl_file *file)
{
	struct error *err = array_reserve(&set->files, &set->cap_files, set->num_files + 1);
	if (err) {
		etl_file_destroy(file);
		return err;
	}
	set->files[set->num_files++] = file;
	return NULL;
}

static struct error *check_owner(struct etl_file_set *set, const struct file_map *map,
				 const char *path)
{
	if (!file_map_is_of_stranger(map))
		return NULL;
	set->has_strangers = true;
	if (!set->is_own_only)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "'%s' is not owned by you or root", path),
			       "if you trust who made it: -f");
}

static bool is_etl_member(const struct zip_member *member)
{
	static const char suffix[] = ".etl";
	size_t length = strlen(member->name), end = sizeof(suffix) - 1;
	return length > end && strcasecmp(member->name + length - end, suffix) == 0;
}

static struct error *add_member(struct etl_file_set *set, const struct zip_archive *archive,
				const struct zip_member *member)
{
	_cleanup_(file_map_close) struct file_map backing = FILE_MAP_INIT;
	const uint8_t *bytes = NULL;
	size_t size = 0;
	struct error *err = zip_archive_unpack(archive, member, &backing, &bytes, &size);
	if (err)
		return err;
	char *name = NULL;
	if (asprintf(&name, "%s:%s", archive->name, member->name) < 0)
		return &error_no_memory;
	struct etl_file *file = NULL;
	err = etl_file_of_memory(name, bytes, size, &file);
	free(name);
	if (err)
		return err;
	file->map = backing;
	backing = (struct file_map)FILE_MAP_INIT;
	return etl_file_set_add(set, file);
}

static struct error *add_members(struct etl_file_set *set, const struct file_map *map,
				 const char *path)
{
	_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
	struct error *err = zip_archive_open(&archive, path, map->data, map->size);
	size_t before = set->num_files;
	for (size_t i = 0; i < archive.num_members && !err; i++)
		if (is_etl_member(&archive.members[i]))
			err = add_member(set, &archive, &archive.members[i]);
	if (err || set->num_files > before)
		return err;
	return error_create(ERROR_FAILED, "'%s' has no .etl file inside", path);
}

/** @map: becomes the set's. */
static struct error *add_zip(struct etl_file_set *set, struct file_map *map, const char *path)
{
	struct error *err = array_reserve(&set->zips, &set->cap_zips, set->num_zips + 1);
	if (err)
		return err;
	struct file_map *zip = &set->zips[set->num_zips++];
	*zip = *map;
	*map = (struct file_map)FILE_MAP_INIT;
	return add_members(set, zip, path);
}

struct error *etl_file_set_add_path(struct etl_file_set *set, const char *path)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, path);
	if (!err)
		err = check_owner(set, &map, path);
	if (err)
		return err;
	if (zip_archive_is(map.data, map.size))
		return add_zip(set, &map, path);
	struct etl_file *file = NULL;
	err = etl_file_of_map(path, &map, &file);
	return err ? err : etl_file_set_add(set, file);
}

enum { NS_PER_DATE_TICK = 100 };

uint64_t etl_file_start_ns(const struct etl_file *file)
{
	return etl_clock_ns(&file->clock, file->header.start_ticks);
}

// Somebody may have set the clock between the starts, but not by a minute.
bool etl_file_has_same_counter(const struct etl_file *a, const struct etl_file *b)
{
	const int64_t tolerance_ns = INT64_C(60) * ETL_NS_PER_S;
	if (a->clock.frequency_hz != b->clock.frequency_hz)
		return false;
	int64_t by_counter =
		(int64_t)(etl_clock_span_ns(a->clock.frequency_hz, a->header.start_ticks) -
			  etl_clock_span_ns(b->clock.frequency_hz, b->header.start_ticks));
	int64_t by_date = (int64_t)((a->header.start - b->header.start) * NS_PER_DATE_TICK);
	int64_t difference = (int64_t)((uint64_t)by_counter - (uint64_t)by_date);
	return difference >= -tolerance_ns && difference <= tolerance_ns;
}

/** The file whose clock is that of all; NULL: none counts in the performance counter. */
static struct etl_file *find_counter(const struct etl_file_set *set)
{
	for (size_t i = 0; i < set->num_files; i++)
		if (set->files[i]->header.clock == ETL_CLOCK_COUNTER)
			return set->files[i];
	return NULL;
}

// Performance counters of one machine are exact. Other clocks are tied by the time of day at the
// start of their files; without any counter, the recording's clock begins when the machine did, as
// the counter does.
void etl_file_set_tie_clocks(struct etl_file_set *set)
{
	if (!set->num_files)
		return;
	const struct etl_file *counter = find_counter(set);
	const struct etl_log_header *first = &set->files[0]->header;
	uint64_t date = counter ? counter->header.start
				: (first->boot <= first->start ? first->boot : first->start);
	uint64_t date_ns = counter ? etl_clock_span_ns(counter->clock.frequency_hz,
						       counter->header.start_ticks)
				   : 0;
	for (size_t i = 0; i < set->num_files; i++) {
		struct etl_file *file = set->files[i];
		const struct etl_log_header *header = &file->header;
		file->clock.zero_ticks = file->clock.zero_ns = 0;
		if (counter && header->clock == ETL_CLOCK_COUNTER &&
		    etl_file_has_same_counter(counter, file))
			continue;
		file->clock.zero_ticks = header->start_ticks;
		file->clock.zero_ns = date_ns + (header->start - date) * NS_PER_DATE_TICK;
	}
}

void etl_file_set_deinit(struct etl_file_set *set)
{
	for (size_t i = 0; i < set->num_files; i++)
		etl_file_destroy(set->files[i]);
	free(set->files);
	for (size_t i = 0; i < set->num_zips; i++)
		file_map_close(&set->zips[i]);
	free(set->zips);
	*set = (struct etl_file_set)ETL_FILE_SET_INIT;
}
