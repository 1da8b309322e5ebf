// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_counts.h"

#include "base/container/array.h"

#include <stdlib.h>

static struct error *etw_counts_find(struct etw_counts *counts, uint32_t id, struct etw_count **ret)
{
	size_t i = 0;
	while (i < counts->num_items && counts->items[i].id != id)
		i++;
	if (i == counts->num_items) {
		struct error *err = array_reserve(&counts->items, &counts->cap_items, i + 1);
		if (err)
			return err;
		counts->items[counts->num_items++] = (struct etw_count){.id = id};
	}
	*ret = &counts->items[i];
	return NULL;
}

struct error *etw_counts_add(struct etw_counts *counts, uint32_t id)
{
	struct etw_count *count;
	return etw_counts_find(counts, id, &count);
}

struct error *etw_counts_take(struct etw_counts *counts, struct etw_targets *targets,
			      const struct record *record)
{
	bool is_wanted;
	struct error *err = etw_targets_take(targets, record, &is_wanted);
	if (err || !is_wanted || record->kind != RECORD_SAMPLE ||
	    record->event >= counts->num_events)
		return err;
	uint32_t id = counts->unit_kind == COUNT_UNIT_CORE ? record->cpu : record->tid;
	if (counts->unit_kind == COUNT_UNIT_PROCESS && !etw_targets_root(targets, record->pid, &id))
		return NULL;
	struct etw_count *count;
	err = etw_counts_find(counts, id, &count);
	if (!err)
		count->values[record->event] += record->sample.period;
	return err;
}

struct error *etw_counts_read(const struct etw_counts *counts, uint64_t counted_ns,
			      struct count_set *ret)
{
	struct error *err =
		count_set_renew(counts->unit_kind, counts->num_items, counts->num_events, ret);
	for (size_t i = 0; !err && i < counts->num_items; i++) {
		ret->units[i] = counts->items[i].id;
		for (size_t k = 0; k < counts->num_events; k++)
			*count_set_at(ret, i, k) = (struct count){
				.value = counts->items[i].values[k],
				.scheduled = counted_ns,
				.total = counted_ns,
			};
	}
	return err;
}

void etw_counts_clear(struct etw_counts *counts)
{
	counts->num_items = 0;
}

void etw_counts_deinit(struct etw_counts *counts)
{
	free(counts->items);
	*counts = (struct etw_counts)ETW_COUNTS_INIT;
}
