// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_file_set.h"

#include "base/container/array.h"

#include <stdlib.h>

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

struct error *etl_file_set_add_path(struct etl_file_set *set, const char *path)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, path);
	if (!err)
		err = check_owner(set, &map, path);
	struct etl_file *file = NULL;
	if (!err)
		err = etl_file_of_map(path, &map, &file);
	return err ? err : etl_file_set_add(set, file);
}

enum { NS_PER_DATE_TICK = 100 };

uint64_t etl_file_start_ns(const struct etl_file *file)
{
	return etl_clock_ns(&file->clock, file->header.start_ticks);
}

// Do the performance counters of two files show the same at the same time of day? Somebody may
// have set the clock between the starts, but not by a minute.
static bool is_same_counter(const struct etl_file *a, const struct etl_file *b)
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
		if (counter && header->clock == ETL_CLOCK_COUNTER && is_same_counter(counter, file))
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
	*set = (struct etl_file_set)ETL_FILE_SET_INIT;
}
