// SPDX-License-Identifier: Apache-2.0

#include "catalog/cpu.h"

#include "base/container/array.h"
#include "base/error.h"
#include "base/text/nearest_name.h"
#include "base/text/string_builder.h"

#include <string.h>
#include <strings.h>

#define CPU(table) extern const struct cpu cpu_##table;
#include "catalog/arm/cpus.inc"

// Each table is a C file of its own in arm/. cpus.inc has one line for each, and is included twice
// here with another meaning: as declarations, and as the list of all tables. So a table cannot be
// in one of them only. Searches are linear: a table has a few hundred rows, and a command looks up
// a few names.
#undef CPU

const struct cpu *const all_cpus[] = {
#define CPU(table) &cpu_##table,
#include "catalog/arm/cpus.inc"
	NULL,
};

const struct cpu_alias cpu_aliases[] = {
	{"cortex-a520ae", "cortex-a520"},    {"cortex-a720ae", "cortex-a720"},
	{"cortex-a76ae", "cortex-a76"},      {"cortex-a78ae", "cortex-a78"},
	{"cortex-a78c", "cortex-a78"},       {"cortex-x1c", "cortex-x1"},
	{"neoverse-n2-r0p0", "neoverse-n2"}, {"neoverse-n2-r0p1", "neoverse-n2"},
	{"neoverse-n2-r0p2", "neoverse-n2"}, {NULL, NULL},
};

const struct cpu *cpu_find(const char *name)
{
	for (const struct cpu_alias *alias = cpu_aliases; alias->alias; alias++)
		if (!strcasecmp(alias->alias, name))
			name = alias->name;
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++)
		if (!strcasecmp((*cpu)->name, name))
			return *cpu;
	return NULL;
}

const struct event *cpu_find_event(const struct cpu *cpu, const char *name)
{
	for (size_t i = 0; i < cpu->num_events; i++)
		if (!strcasecmp(cpu->events[i]->name, name))
			return cpu->events[i];
	return NULL;
}

const struct cpu_metric *cpu_find_metric(const struct cpu *cpu, const char *name)
{
	for (size_t i = 0; i < cpu->num_metrics; i++)
		if (!strcmp(cpu->metrics[i].info->name, name))
			return &cpu->metrics[i];
	return NULL;
}

const struct cpu_group *cpu_find_group(const struct cpu *cpu, const char *name)
{
	for (size_t i = 0; i < cpu->num_groups; i++)
		if (!strcmp(cpu->groups[i].info->name, name))
			return &cpu->groups[i];
	return NULL;
}

static int cpu_compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Both arrays have a last item of NULL, so that this is more than enough.
enum { MAX_NAMES = ARRAY_SIZE(all_cpus) + ARRAY_SIZE(cpu_aliases) };

/** Returns how many there are. */
static size_t cpu_collect_names(const char *names[static MAX_NAMES])
{
	size_t num_names = 0;
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++)
		names[num_names++] = (*cpu)->name;
	for (const struct cpu_alias *alias = cpu_aliases; alias->alias; alias++)
		names[num_names++] = alias->alias;
	qsort(names, num_names, sizeof(names[0]), cpu_compare_names);
	return num_names;
}

struct error *cpu_hint_at_names(struct error *err, const char *name)
{
	const char *names[MAX_NAMES];
	const char *nearest = nearest_name(name, names, cpu_collect_names(names));
	if (!nearest)
		return error_with_hint(err, "'wperf test' lists all names (pmu_device.product)");
	return error_with_hint(
		err, "did you mean '%s'? 'wperf test' lists all names (pmu_device.product)",
		nearest);
}

void cpu_append_names(struct string_builder *text, const char *separator)
{
	const char *names[MAX_NAMES];
	size_t num_names = cpu_collect_names(names);
	for (size_t i = 0; i < num_names; i++)
		string_builder_appendf(text, "%s%s", i ? separator : "", names[i]);
}
