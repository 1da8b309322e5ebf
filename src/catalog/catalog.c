// SPDX-License-Identifier: Apache-2.0

#include "catalog/catalog.h"

#include "base/container/array.h"
#include "base/file/file_map.h"
#include "base/text/nearest_name.h"
#include "base/text/string_builder.h"
#include "catalog/file/extra_events.h"
#include "catalog/linux/core_pmus.h"
#include "catalog/linux/kernel_metrics.h"
#include "catalog/linux/system_event.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A name is looked up where it is most specific: events that the user added, the table of the CPU,
// the tables of the architecture (the newer first), then those of the operating system. Tables are
// searched one by one: they are short, and a command looks up a few names.

enum { ARM_MAX_RAW_CODE = 0xffff };

/** The newer one first; it holds all that the older one has, too. */
static const char *const architecture_tables[] = {"armv9-a", "armv8-a"};

/** What an event is looked for by: its name, or its code if the name is NULL. */
struct event_key {
	enum event_class event_class;
	const char *name;
	uint64_t code;
};

void catalog_init(struct catalog *catalog, const struct cpu *cpu,
		  const struct pmu_counters *counters)
{
	*catalog = (struct catalog){
		.cpu = cpu,
		.counters = *counters,
		.max_raw_code = ARM_MAX_RAW_CODE,
		.arena = ARENA_INIT,
	};
}

void catalog_deinit(struct catalog *catalog)
{
	free(catalog->loaded_cpus);
	free(catalog->system_events);
	free(catalog->extra_events);
	free(catalog->custom_metrics);
	arena_deinit(&catalog->arena);
	*catalog = (struct catalog){0};
}

static const struct cpu *find_loaded_cpu(const struct catalog *catalog, const char *name)
{
	for (size_t i = 0; i < catalog->num_loaded_cpus; i++) {
		if (strcasecmp(catalog->loaded_cpus[i]->name, name) == 0)
			return catalog->loaded_cpus[i];
	}
	return NULL;
}

const struct cpu *catalog_find_cpu(const struct catalog *catalog, const char *name)
{
	const struct cpu *loaded = find_loaded_cpu(catalog, name);
	if (loaded)
		return loaded;
	const struct cpu *known = cpu_find(name);
	if (!known)
		return NULL;
	// An alias of ours may stand for a CPU that was loaded anew.
	loaded = find_loaded_cpu(catalog, known->name);
	return loaded ? loaded : known;
}

struct error *catalog_require_cpu(const struct catalog *catalog, const char *name, bool compat,
				  const struct cpu **ret)
{
	*ret = catalog_find_cpu(catalog, name);
	if (*ret)
		return NULL;
	if (!compat)
		return cpu_hint_at_names(error_create(ERROR_USAGE, "unknown CPU '%s'", name), name);
	// WindowsPerf's message, with all names; those of loaded CPUs that are new come first.
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (size_t i = 0; i < catalog->num_loaded_cpus; i++)
		if (!cpu_find(catalog->loaded_cpus[i]->name))
			string_builder_appendf(&names, "%s, ", catalog->loaded_cpus[i]->name);
	cpu_append_names(&names, ", ");
	return error_create(ERROR_USAGE, "warning: CPU name: \"%s\" not found, use %s.", name,
			    string_builder_peek(&names));
}

static bool catalog_matches(const struct event *event, const struct event_key *key)
{
	if (event->event_class != key->event_class)
		return false;
	return key->name ? strcasecmp(event->name, key->name) == 0 : event->code == key->code;
}

static const struct event *find_in(const struct event *const *events, size_t num_events,
				   const struct event_key *key)
{
	for (size_t i = 0; i < num_events; i++) {
		if (catalog_matches(events[i], key))
			return events[i];
	}
	return NULL;
}

static const struct event *find_architectural(const struct catalog *catalog,
					      const struct event_key *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(architecture_tables); i++) {
		const struct cpu *table = catalog_find_cpu(catalog, architecture_tables[i]);
		const struct event *event =
			table ? find_in(table->events, table->num_events, key) : NULL;
		if (event)
			return event;
	}
	return NULL;
}

static const struct event *catalog_find_uncore(const struct catalog *catalog,
					       const struct event_key *key)
{
	for (size_t i = 0; i < num_uncore_events; i++) {
		if (catalog_matches(&uncore_events[i], key))
			return &uncore_events[i];
	}
	if (key->event_class != EVENT_DSU || !catalog->cpu)
		return NULL;
	// The DSU counts events of the architecture as well, by the same names and codes.
	struct event_key core_key = *key;
	core_key.event_class = EVENT_CORE;
	return find_architectural(catalog, &core_key);
}

static const struct event *find_of_system(const struct catalog *catalog,
					  const struct event_key *key)
{
	for (size_t i = 0; i < catalog->num_system_events; i++) {
		const struct event *event = catalog->system_events[i];
		const char *alias = system_event_of(event)->alias;
		if (catalog_matches(event, key) ||
		    (key->name && alias && !strcasecmp(alias, key->name)))
			return event;
	}
	return NULL;
}

static const struct event *find_event(const struct catalog *catalog, const struct event_key *key)
{
	const struct event *extra = find_in(catalog->extra_events, catalog->num_extra_events, key);
	if (extra)
		return extra;
	if (key->event_class == EVENT_PERF)
		return find_of_system(catalog, key);
	if (key->event_class != EVENT_CORE)
		return catalog_find_uncore(catalog, key);
	if (!catalog->cpu)
		return NULL;
	const struct event *event = find_in(catalog->cpu->events, catalog->cpu->num_events, key);
	// Other kinds of cores may have events that those of this table lack.
	for (size_t i = 0; !event && i < catalog->num_core_pmus; i++) {
		const struct cpu *cpu = catalog->core_pmus[i].cpu;
		event = cpu ? find_in(cpu->events, cpu->num_events, key) : NULL;
	}
	return event ? event : find_architectural(catalog, key);
}

const struct event *catalog_find_event(const struct catalog *catalog, enum event_class event_class,
				       const char *name)
{
	struct event_key key = {.event_class = event_class, .name = name};
	const struct event *event = find_event(catalog, &key);
	// Names of the kernel's events have no prefix, either.
	if (event || event_class != EVENT_CORE)
		return event;
	key.event_class = EVENT_PERF;
	return find_of_system(catalog, &key);
}

struct name_list {
	const char **names;
	size_t num_names;
};

static void catalog_collect_names(const struct event *const *events, size_t num_events,
				  enum event_class event_class, struct name_list *list)
{
	for (size_t i = 0; i < num_events; i++) {
		if (events[i]->event_class == event_class)
			list->names[list->num_names++] = events[i]->name;
	}
}

const char *catalog_nearest_event(const struct catalog *catalog, enum event_class event_class,
				  const char *name)
{
	// All names that the word could have been meant for: of its class, and of the kernel for a
	// word without a prefix.
	size_t num_cpu_events = catalog->cpu ? catalog->cpu->num_events : 0;
	size_t max_names = catalog->num_extra_events + num_cpu_events + catalog->num_system_events +
			   num_uncore_events;
	_cleanup_free_ const char **names = calloc(max_names + 1, sizeof(*names));
	if (!names)
		return NULL; // it would only have been a hint
	struct name_list list = {.names = names};
	catalog_collect_names(catalog->extra_events, catalog->num_extra_events, event_class, &list);
	if (num_cpu_events)
		catalog_collect_names(catalog->cpu->events, num_cpu_events, event_class, &list);
	if (event_class == EVENT_CORE)
		catalog_collect_names(catalog->system_events, catalog->num_system_events,
				      EVENT_PERF, &list);
	for (size_t i = 0; i < num_uncore_events; i++) {
		if (uncore_events[i].event_class == event_class)
			list.names[list.num_names++] = uncore_events[i].name;
	}
	return nearest_name(name, list.names, list.num_names);
}

const struct event *catalog_find_code(const struct catalog *catalog, enum event_class event_class,
				      uint64_t code)
{
	return find_event(catalog, &(struct event_key){.event_class = event_class, .code = code});
}

struct error *catalog_raw_event(struct catalog *catalog, enum event_class event_class,
				uint64_t code, const struct event **ret)
{
	// A code that the user has named (-E) has this name; all others are called after the code,
	// as `r1b`, also if a table knows the event.
	const struct event_key key = {.event_class = event_class, .code = code};
	const struct event *extra = find_in(catalog->extra_events, catalog->num_extra_events, &key);
	if (extra) {
		*ret = extra;
		return NULL;
	}
	char name[sizeof("rffffffffffffffff")];
	snprintf(name, sizeof(name), "r%" PRIx64, code);
	return extra_events_add(catalog, event_class, name, code, ret);
}

struct error *catalog_add_extra_events(struct catalog *catalog, const char *argument)
{
	// What is the name of a file is read as one; a list of events is hardly ever one.
	_cleanup_(file_map_close) struct file_map file = FILE_MAP_INIT;
	_cleanup_(error_destroyp) struct error *no_file = file_map_open(&file, argument);
	if (!no_file)
		return extra_events_parse_file(catalog, argument, file.data, file.size);
	struct error *err = extra_events_parse(catalog, argument);
	if (err && err->code == ERROR_USAGE)
		return error_with_hint(
			err, "-E takes name:hex,name:hex,... or a file of such lines (%s)",
			no_file->message);
	return err;
}

const struct topdown_tree *catalog_topdown(const struct catalog *catalog)
{
	if (catalog->kernel_metrics)
		return catalog->kernel_metrics->topdown;
	return catalog->cpu ? catalog->cpu->topdown : NULL;
}

const char *catalog_product_name(const struct catalog *catalog)
{
	if (catalog->kernel_metrics)
		return catalog->kernel_metrics->product_name;
	return catalog->cpu ? catalog->cpu->name : "";
}
