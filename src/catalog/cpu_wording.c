// SPDX-License-Identifier: Apache-2.0

#include "catalog/cpu_wording.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

// Tables of the catalogue are constant, so the table with other words is a new one in the arena. It
// points to the old rows where nothing changes, and to copies of those that get other words. Only
// titles and descriptions are taken. An event must agree in name and code: with another code, the
// other table means something else by the name, and its words would be wrong here.

bool cpu_is_revision_of(const struct cpu *cpu, const char *name)
{
	size_t length = strlen(name);
	if (strncasecmp(cpu->name, name, length) != 0)
		return false;
	const char *revision = cpu->name + length;
	return revision[0] == '-' && revision[1] == 'r' && isdigit((unsigned char)revision[2]);
}

static struct error *word_events(struct cpu *cpu, const struct cpu *words, struct arena *arena)
{
	struct event *storage = arena_alloc_array(arena, cpu->num_events, sizeof(*storage));
	const struct event **events = arena_alloc_array(arena, cpu->num_events, sizeof(*events));
	if (!storage || !events)
		return &error_no_memory;
	for (size_t i = 0; i < cpu->num_events; i++) {
		events[i] = cpu->events[i];
		const struct event *other = cpu_find_event(words, events[i]->name);
		if (!other || other->code != events[i]->code || !*other->description)
			continue;
		storage[i] = *events[i];
		storage[i].title = other->title;
		storage[i].description = other->description;
		events[i] = &storage[i];
	}
	cpu->events = events;
	return NULL;
}

static struct error *word_metrics(struct cpu *cpu, const struct cpu *words, struct arena *arena)
{
	struct metric_info *storage = arena_alloc_array(arena, cpu->num_metrics, sizeof(*storage));
	struct cpu_metric *metrics = arena_alloc_array(arena, cpu->num_metrics, sizeof(*metrics));
	if (!storage || !metrics)
		return &error_no_memory;
	for (size_t i = 0; i < cpu->num_metrics; i++) {
		metrics[i] = cpu->metrics[i];
		const struct cpu_metric *other = cpu_find_metric(words, metrics[i].info->name);
		if (!other)
			continue;
		storage[i] = *metrics[i].info;
		storage[i].title = other->info->title;
		storage[i].description = other->info->description;
		metrics[i].info = &storage[i];
	}
	cpu->metrics = metrics;
	return NULL;
}

static struct error *word_groups(struct cpu *cpu, const struct cpu *words, struct arena *arena)
{
	struct cpu_group *groups = arena_alloc_array(arena, cpu->num_groups, sizeof(*groups));
	if (!groups)
		return &error_no_memory;
	for (size_t i = 0; i < cpu->num_groups; i++) {
		groups[i] = cpu->groups[i];
		const struct cpu_group *other = cpu_find_group(words, groups[i].info->name);
		if (other)
			groups[i].info = other->info;
	}
	cpu->groups = groups;
	return NULL;
}

struct error *cpu_wording_take(const struct cpu *cpu, const struct cpu *words, struct arena *arena,
			       const struct cpu **ret)
{
	struct cpu *copy = arena_alloc(arena, sizeof(*copy));
	if (!copy)
		return &error_no_memory;
	*copy = *cpu;
	struct error *err = word_events(copy, words, arena);
	if (!err)
		err = word_metrics(copy, words, arena);
	if (!err)
		err = word_groups(copy, words, arena);
	if (!err)
		*ret = copy;
	return err;
}
