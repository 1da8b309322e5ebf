// SPDX-License-Identifier: Apache-2.0
// Places are sorted, and equal ones become one group. A CPU on which an event had no counter adds
// nothing to the scaled sum, as in the sum of all CPUs (-a) and in perf.

#include "report/stat/stat_core_groups.h"

#include <stdlib.h>

struct placed_core {
	struct core_place place;
	size_t unit;
};

static int compare_placed_cores(const void *a, const void *b)
{
	const struct placed_core *left = a, *right = b;
	int order = core_place_compare(&left->place, &right->place);
	return order ? order : (left->unit > right->unit) - (left->unit < right->unit);
}

struct error *stat_core_groups_place(struct stat_core_groups *groups, const uint32_t *cpus,
				     size_t num, struct arena *arena)
{
	groups->placed = arena_alloc_array(arena, num, sizeof(*groups->placed));
	if (!groups->placed)
		return &error_no_memory;
	groups->num_placed = 0;
	_cleanup_(error_destroyp) struct error *first_err = NULL;
	for (size_t i = 0; i < num; i++) {
		struct stat_placed_cpu *placed = &groups->placed[groups->num_placed];
		placed->cpu = cpus ? cpus[i] : (uint32_t)i;
		struct error *err =
			core_topology_find(groups->root, &groups->by, placed->cpu, &placed->place);
		groups->num_placed += !err;
		if (first_err)
			error_destroy(err);
		else
			first_err = err;
	}
	return groups->num_placed ? NULL : take_ptr(first_err);
}

static struct error *find_place(const struct stat_core_groups *groups, uint32_t cpu,
				struct core_place *ret)
{
	for (size_t i = 0; i < groups->num_placed; i++)
		if (groups->placed[i].cpu == cpu) {
			*ret = groups->placed[i].place;
			return NULL;
		}
	return core_topology_find(groups->root, &groups->by, cpu, ret);
}

static struct error *find_places(const struct stat_core_groups *groups, const struct count_set *set,
				 struct placed_core *cores)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < set->num_units; i++) {
		cores[i].unit = i;
		err = find_place(groups, set->units[i], &cores[i].place);
	}
	if (!err)
		qsort(cores, set->num_units, sizeof(*cores), compare_placed_cores);
	return err;
}

static struct error *stat_core_groups_number(struct stat_core_groups *groups,
					     const struct placed_core *cores, struct arena *arena)
{
	groups->num_groups = 0;
	for (size_t i = 0; i < groups->num_cores; i++) {
		if (!i || core_place_compare(&cores[i - 1].place, &cores[i].place)) {
			const struct core_place_label label =
				core_place_label(&groups->by, &cores[i].place);
			groups->labels[groups->num_groups] = arena_strdup(arena, label.text);
			groups->sizes[groups->num_groups] = 0;
			if (!groups->labels[groups->num_groups++])
				return &error_no_memory;
		}
		groups->group_of[cores[i].unit] = groups->num_groups - 1;
		groups->sizes[groups->num_groups - 1]++;
	}
	return NULL;
}

struct error *stat_core_groups_find(struct stat_core_groups *groups, const struct count_set *set,
				    struct arena *arena)
{
	if (groups->group_of && groups->num_cores == set->num_units)
		return NULL;
	size_t num = set->num_units;
	struct placed_core *cores = arena_alloc_array(arena, num, sizeof(*cores));
	groups->group_of = arena_alloc_array(arena, num, sizeof(*groups->group_of));
	groups->labels = arena_alloc_array(arena, num, sizeof(*groups->labels));
	groups->sizes = arena_alloc_array(arena, num, sizeof(*groups->sizes));
	if (!cores || !groups->group_of || !groups->labels || !groups->sizes)
		return &error_no_memory;
	groups->num_cores = num;
	struct error *err = find_places(groups, set, cores);
	return err ? err : stat_core_groups_number(groups, cores, arena);
}

/** @scaled: of all its CPUs. What was counted of it gives the time on a counter. */
static void set_running(struct count *sum, uint64_t scaled)
{
	if (!sum->value || scaled <= sum->value)
		return;
	unsigned __int128 running = (unsigned __int128)sum->value * sum->total;
	sum->scheduled = (uint64_t)((running + scaled / 2) / scaled);
	// Never 0, which would be: not counted.
	sum->scheduled += !sum->scheduled;
}

static struct count sum_of_group(const struct stat_core_groups *groups, const struct count_set *set,
				 size_t group, size_t column)
{
	struct count sum = {0};
	uint64_t scaled = 0;
	for (size_t i = 0; i < set->num_units; i++) {
		if (groups->group_of[i] != group)
			continue;
		const struct count *count = count_set_at(set, i, column);
		sum.value += count->value;
		sum.scheduled += count->scheduled;
		sum.total += count->total;
		if (__builtin_add_overflow(scaled, count_scaled(count), &scaled))
			scaled = UINT64_MAX;
	}
	if (!count_is_whole(&sum))
		set_running(&sum, scaled);
	return sum;
}

struct error *stat_core_groups_sum(const struct stat_core_groups *groups,
				   const struct count_set *set, struct arena *arena,
				   const struct count_set **ret)
{
	struct count_set *sums = arena_alloc(arena, sizeof(*sums));
	if (!sums)
		return &error_no_memory;
	*sums = (struct count_set){
		.unit_kind = COUNT_UNIT_CORE_GROUP,
		.num_units = groups->num_groups,
		.num_columns = set->num_columns,
		.units = arena_alloc_array(arena, groups->num_groups, sizeof(*sums->units)),
		.counts = arena_alloc_array(arena, groups->num_groups * set->num_columns,
					    sizeof(*sums->counts)),
	};
	if (!sums->units || !sums->counts)
		return &error_no_memory;
	for (size_t group = 0; group < groups->num_groups; group++) {
		sums->units[group] = (uint32_t)group;
		for (size_t column = 0; column < set->num_columns; column++)
			*count_set_at(sums, group, column) =
				sum_of_group(groups, set, group, column);
	}
	*ret = sums;
	return NULL;
}
