// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/telemetry_json.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_map.h"
#include "base/file/folder.h"
#include "base/text/ascii.h"
#include "base/text/string_builder.h"
#include "catalog/cpu_wording.h"
#include "catalog/file/json_node.h"
#include "catalog/file/telemetry_names.h"
#include "catalog/file/telemetry_topdown.h"
#include "catalog/formula.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// The schema is that of Arm's telemetry-solution (data/pmu/cpu, cpu-v1.0). The order follows the
// references: events, then metrics, whose formulas name events, then groups, which name metrics,
// and the tree, which names both.
// Each reference is checked when it is read, so that errors name the file and the member. All texts
// are copied into the catalogue's arena, and the JSON is freed. Numbers of members are limited, as
// the folder is the user's.

// The largest real file has 1.2 MB, 253 events, 67 metrics and 18 groups.
enum {
	MAX_FILES = 1024,
	MAX_EVENTS = 8192,
	MAX_METRICS = 4096,
	MAX_GROUPS = 1024,
};

static const char json_suffix[] = ".json";

/** A CPU while it is read. */
struct reading {
	struct arena *arena;
	struct json_node root;
	struct cpu *cpu;
	const struct event **events_by_name;
};

static char *lower_case(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text);
	for (char *c = copy; c && *c; c++)
		*c = ascii_lower(*c);
	return copy;
}

static struct error *check_members(const struct json_node *node, size_t max)
{
	if (node->object->num_items > max)
		return json_node_error(node, NULL, "has more than %zu members", max);
	for (size_t i = 0; i < node->object->num_items; i++) {
		const char *name = node->object->members[i].name;
		if (!json_node_is_name(name))
			return json_node_error(node, name,
					       "may contain only letters, digits and _");
	}
	return NULL;
}

static struct error *read_product(const struct reading *reading)
{
	struct json_node product;
	struct error *err = json_node_object(&reading->root, "product_configuration", &product);
	if (err)
		return err;
	// Slots are operations that the core can start in a cycle: metrics of slots divide by them.
	struct cpu *cpu = reading->cpu;
	const struct {
		const char *key;
		const char **text;
	} lines[] = {
		{"product_name", &cpu->title},
		{"architecture", &cpu->arch},
		{"pmu_architecture", &cpu->pmu_arch},
	};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		err = json_node_line(&product, lines[i].key, reading->arena, lines[i].text);
		if (err)
			return err;
	}
	uint16_t num_slots;
	err = json_node_u16(&product, "num_slots", &num_slots);
	if (err)
		return err;
	uint16_t num_bus_slots;
	err = json_node_u16(&product, "num_bus_slots", &num_bus_slots);
	if (err)
		return err;
	cpu->num_slots = num_slots;
	cpu->num_bus_slots = num_bus_slots;
	return NULL;
}

static struct error *telemetry_json_read_event(const struct json_node *node, const char *name,
					       struct arena *arena, struct event *event)
{
	uint16_t code;
	struct error *err = json_node_u16(node, "code", &code);
	if (err)
		return err;
	event->code = code;
	event->event_class = EVENT_CORE;
	event->name = lower_case(arena, name);
	if (!event->name)
		return &error_no_memory;
	// Some events have a code and no words: the name is their title then.
	if (json_node_lacks(node, "title") && json_node_lacks(node, "description")) {
		event->title = event->name;
		event->description = "";
		return NULL;
	}
	err = json_node_line(node, "title", arena, &event->title);
	if (err)
		return err;
	return json_node_text(node, "description", arena, &event->description);
}

static int compare_event_names(const void *a, const void *b)
{
	return strcmp((*(const struct event *const *)a)->name,
		      (*(const struct event *const *)b)->name);
}

static int compare_event_codes(const void *a, const void *b)
{
	const struct event *left = *(const struct event *const *)a;
	const struct event *right = *(const struct event *const *)b;
	if (left->code != right->code)
		return left->code < right->code ? -1 : 1;
	return strcmp(left->name, right->name);
}

/** By code for the catalogue, as a CPU's own tables are; by name for the formulas of this file. */
static struct error *sort_events(struct reading *reading, const struct json_node *events,
				 const struct event **by_code)
{
	struct cpu *cpu = reading->cpu;
	size_t size = cpu->num_events * sizeof(*by_code);
	const struct event **by_name = arena_alloc(reading->arena, size);
	if (!by_name)
		return &error_no_memory;
	qsort(by_code, cpu->num_events, sizeof(*by_code), compare_event_codes);
	memcpy(by_name, by_code, size);
	qsort(by_name, cpu->num_events, sizeof(*by_name), compare_event_names);
	for (size_t i = 1; i < cpu->num_events; i++)
		if (!strcmp(by_name[i - 1]->name, by_name[i]->name))
			return json_node_error(events, by_name[i]->name,
					       "occurs twice (upper and lower case are the same)");
	cpu->events = by_code;
	reading->events_by_name = by_name;
	return NULL;
}

static struct error *telemetry_json_read_events(struct reading *reading)
{
	struct json_node events;
	struct error *err = json_node_object(&reading->root, "events", &events);
	if (!err)
		err = check_members(&events, MAX_EVENTS);
	if (err)
		return err;
	// Room for all members; those that cannot be counted leave some of it unused.
	size_t count = events.object->num_items;
	struct event *storage = arena_alloc_array(reading->arena, count, sizeof(*storage));
	const struct event **by_code = arena_alloc_array(reading->arena, count, sizeof(*by_code));
	if (!storage || !by_code)
		return &error_no_memory;
	for (size_t i = 0; i < count; i++) {
		const char *name = events.object->members[i].name;
		struct json_node node;
		err = json_node_object(&events, name, &node);
		if (err)
			return err;
		// The schema knows events without a code: those of the system around the CPU, and
		// those that are not public and thus have no title either.
		const struct json_value *of_system = json_value_member(node.object, "system");
		if (json_node_lacks(&node, "code") &&
		    (json_node_lacks(&node, "title") || json_value_is(of_system, JSON_VALUE_TRUE)))
			continue;
		struct event *event = &storage[reading->cpu->num_events];
		err = telemetry_json_read_event(&node, name, reading->arena, event);
		if (err)
			return err;
		by_code[reading->cpu->num_events++] = event;
	}
	return sort_events(reading, &events, by_code);
}

/** Each name in it must be an event of this file, or the metric could never be counted. */
static struct error *check_formula(const struct reading *reading, const struct json_node *node,
				   const char *text)
{
	_cleanup_(formula_destroyp) struct formula *formula = NULL;
	_cleanup_(error_destroyp) struct error *err = formula_compile(text, &formula);
	if (err == &error_no_memory)
		return take_ptr(err);
	if (err)
		return json_node_error(node, "formula", "%s", err->message);
	size_t num_names = formula_num_names(formula);
	if (!num_names)
		return json_node_error(node, "formula", "contains no event");
	for (size_t i = 0; i < num_names; i++) {
		const char *name = formula_name(formula, i);
		char printable[JSON_NODE_PRINTABLE_MAX];
		// bsearch() compares items of the array, which are pointers to events.
		const struct event event = {.name = name}, *key = &event;
		if (!bsearch(&key, reading->events_by_name, reading->cpu->num_events, sizeof(key),
			     compare_event_names))
			return json_node_error(node, "formula",
					       "'%s' is not a countable event of this file",
					       json_node_printable(name, printable));
	}
	return NULL;
}

static struct error *read_metric(const struct reading *reading, const struct json_node *node,
				 const char *name, struct cpu_metric *metric)
{
	struct arena *arena = reading->arena;
	struct metric_info *info = arena_alloc(arena, sizeof(*info));
	if (!info)
		return &error_no_memory;
	info->name = arena_strdup(arena, name);
	if (!info->name)
		return &error_no_memory;
	struct error *err = json_node_line(node, "title", arena, &info->title);
	if (!err)
		err = json_node_line(node, "units", arena, &info->unit);
	if (!err)
		err = json_node_text(node, "description", arena, &info->description);
	const char *formula;
	if (!err)
		err = json_node_line(node, "formula", arena, &formula);
	if (err)
		return err;
	metric->info = info;
	metric->formula = lower_case(arena, formula);
	if (!metric->formula)
		return &error_no_memory;
	return check_formula(reading, node, metric->formula);
}

static int telemetry_json_compare_metrics(const void *a, const void *b)
{
	return strcmp(((const struct cpu_metric *)a)->info->name,
		      ((const struct cpu_metric *)b)->info->name);
}

static struct error *read_metrics(const struct reading *reading)
{
	struct json_node metrics;
	struct error *err = json_node_object(&reading->root, "metrics", &metrics);
	if (!err)
		err = check_members(&metrics, MAX_METRICS);
	if (err)
		return err;
	size_t count = metrics.object->num_items;
	struct cpu_metric *storage = arena_alloc_array(reading->arena, count, sizeof(*storage));
	if (!storage)
		return &error_no_memory;
	size_t num_metrics = 0;
	for (size_t i = 0; i < count; i++) {
		const char *name = metrics.object->members[i].name;
		struct json_node node;
		err = json_node_object(&metrics, name, &node);
		if (!err)
			err = read_metric(reading, &node, name, &storage[num_metrics++]);
		if (err)
			return err;
	}
	qsort(storage, num_metrics, sizeof(*storage), telemetry_json_compare_metrics);
	reading->cpu->metrics = storage;
	reading->cpu->num_metrics = num_metrics;
	return NULL;
}

static struct error *telemetry_json_read_group(const struct reading *reading,
					       const struct json_node *node, const char *name,
					       struct cpu_group *group)
{
	struct arena *arena = reading->arena;
	struct group_info *info = arena_alloc(arena, sizeof(*info));
	if (!info)
		return &error_no_memory;
	info->name = arena_strdup(arena, name);
	if (!info->name)
		return &error_no_memory;
	struct error *err = json_node_line(node, "title", arena, &info->title);
	if (!err)
		err = json_node_text(node, "description", arena, &info->description);
	if (err)
		return err;
	group->info = info;
	return telemetry_names_join(node, "metrics", reading->cpu, false, arena, &group->metrics);
}

static int compare_groups(const void *a, const void *b)
{
	return strcmp(((const struct cpu_group *)a)->info->name,
		      ((const struct cpu_group *)b)->info->name);
}

static struct error *telemetry_json_read_groups(const struct reading *reading)
{
	struct json_node groups;
	struct error *err = json_node_object(&reading->root, "groups", &groups);
	if (err || json_node_lacks(&groups, "metrics"))
		return err;
	struct json_node metric_groups;
	err = json_node_object(&groups, "metrics", &metric_groups);
	if (!err)
		err = check_members(&metric_groups, MAX_GROUPS);
	if (err)
		return err;
	size_t count = metric_groups.object->num_items;
	struct cpu_group *storage = arena_alloc_array(reading->arena, count, sizeof(*storage));
	if (!storage)
		return &error_no_memory;
	size_t num_groups = 0;
	for (size_t i = 0; i < count; i++) {
		const char *name = metric_groups.object->members[i].name;
		struct json_node node;
		err = json_node_object(&metric_groups, name, &node);
		if (err)
			return err;
		// A group of events only is nothing to ask for.
		if (json_node_lacks(&node, "metrics"))
			continue;
		err = telemetry_json_read_group(reading, &node, name, &storage[num_groups++]);
		if (err)
			return err;
	}
	qsort(storage, num_groups, sizeof(*storage), compare_groups);
	reading->cpu->groups = storage;
	reading->cpu->num_groups = num_groups;
	return NULL;
}

/** By the name of its file: the product's name inside is a title with blanks. */
static struct error *name_cpu(const struct reading *reading)
{
	static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	const char *file = reading->root.file;
	size_t length = strlen(file) - strlen(json_suffix);
	if (!length || strspn(file, characters) < length)
		return json_node_error(&reading->root, NULL,
				       "the file's name is not the name of a CPU");
	reading->cpu->name = arena_strndup(reading->arena, file, length);
	return reading->cpu->name ? NULL : &error_no_memory;
}

// Files of an interconnect have the same outline, but their product has no part number.
static bool describes_cpu(const struct json_value *document)
{
	const struct json_value *product = json_value_member(document, "product_configuration");
	if (json_value_is(product, JSON_VALUE_OBJECT))
		return json_value_member(product, "part_num") ||
		       json_value_member(product, "pmu_architecture");
	return product || json_value_member(document, "events");
}

struct error *telemetry_json_parse(const char *file_name, const void *data, size_t size,
				   struct arena *arena, const struct cpu **ret)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	struct error *err = json_document_parse(&document, file_name, data, size);
	if (err)
		return err;
	if (!describes_cpu(document.root)) {
		*ret = NULL;
		return NULL;
	}
	struct reading reading = {
		.arena = arena,
		.root = json_node_root(file_name, document.root),
		.cpu = arena_alloc(arena, sizeof(*reading.cpu)),
	};
	if (!reading.cpu)
		return &error_no_memory;
	// In the order of the references: formulas name events, groups name metrics.
	err = name_cpu(&reading);
	if (!err)
		err = read_product(&reading);
	if (!err)
		err = telemetry_json_read_events(&reading);
	if (!err)
		err = read_metrics(&reading);
	if (!err)
		err = telemetry_json_read_groups(&reading);
	if (!err)
		err = telemetry_topdown_read(&reading.root, reading.cpu, arena,
					     &reading.cpu->topdown);
	if (!err)
		*ret = reading.cpu;
	return err;
}

struct file_names {
	char **items;
	size_t num_items, cap_items;
};

static void file_names_deinit(struct file_names *names)
{
	for (size_t i = 0; i < names->num_items; i++)
		free(names->items[i]);
	free(names->items);
}

static int telemetry_json_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/** Sorted, so that the same folder gives the same catalogue, and the same first error, anywhere. */
static struct error *list_json_files(const char *directory, struct file_names *names)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	struct error *err = folder_open(directory, &folder);
	if (err)
		return err;
	for (const char *name; (name = folder_next(folder));) {
		size_t length = strlen(name), suffix = strlen(json_suffix);
		if (length <= suffix || name[0] == '.' ||
		    strcmp(name + length - suffix, json_suffix) != 0)
			continue;
		if (names->num_items == MAX_FILES)
			return error_create(ERROR_FAILED, "'%s' has more than %d JSON files",
					    directory, MAX_FILES);
		err = array_reserve(&names->items, &names->cap_items, names->num_items + 1);
		if (err)
			return err;
		char *copy = strdup(name);
		if (!copy)
			return &error_no_memory;
		names->items[names->num_items++] = copy;
	}
	if (names->num_items)
		qsort(names->items, names->num_items, sizeof(*names->items),
		      telemetry_json_compare_names);
	return NULL;
}

static struct error *add_cpu(struct catalog *catalog, const struct cpu *cpu)
{
	struct error *err = array_reserve(&catalog->loaded_cpus, &catalog->cap_loaded_cpus,
					  catalog->num_loaded_cpus + 1);
	if (!err)
		catalog->loaded_cpus[catalog->num_loaded_cpus++] = cpu;
	return err;
}

static struct error *load_file(struct catalog *catalog, const char *directory,
			       const char *file_name)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s/%s", directory, file_name);
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, string_builder_peek(&path));
	if (err)
		return err;
	const struct cpu *cpu;
	err = telemetry_json_parse(file_name, map.data, map.size, &catalog->arena, &cpu);
	return err || !cpu ? err : add_cpu(catalog, cpu);
}

static bool is_loaded(const struct catalog *catalog, const char *name)
{
	for (size_t i = 0; i < catalog->num_loaded_cpus; i++)
		if (!strcasecmp(catalog->loaded_cpus[i]->name, name))
			return true;
	return false;
}

/** Those that only we have a table of. */
static struct error *add_revisions(struct catalog *catalog, const struct cpu *words)
{
	struct error *err = NULL;
	for (const struct cpu *const *cpu = all_cpus; !err && *cpu; cpu++) {
		const struct cpu *revision;
		if (!cpu_is_revision_of(*cpu, words->name) || is_loaded(catalog, (*cpu)->name))
			continue;
		err = cpu_wording_take(*cpu, words, &catalog->arena, &revision);
		if (!err)
			err = add_cpu(catalog, revision);
	}
	return err;
}

struct error *telemetry_json_load(struct catalog *catalog, const char *directory)
{
	_cleanup_(file_names_deinit) struct file_names names = {};
	struct error *err = list_json_files(directory, &names);
	if (err)
		return err;
	size_t before = catalog->num_loaded_cpus;
	for (size_t i = 0; !err && i < names.num_items; i++)
		err = load_file(catalog, directory, names.items[i]);
	size_t end = catalog->num_loaded_cpus; // add_revisions() adds behind it
	for (size_t i = before; !err && i < end; i++)
		err = add_revisions(catalog, catalog->loaded_cpus[i]);
	if (err) { // all files of the folder, or none
		catalog->num_loaded_cpus = before;
		return err;
	}
	if (catalog->num_loaded_cpus > before)
		return NULL;
	err = error_create(ERROR_FAILED, "no JSON file in '%s' describes a CPU", directory);
	return error_with_hint(err, "--events-dir needs a folder of Arm's telemetry-solution, for "
				    "example data/pmu/cpu/neoverse");
}
