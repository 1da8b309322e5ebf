// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/tracepoint.h"

#include "base/container/array.h"
#include "base/file/folder.h"
#include "base/text/number.h"
#include "catalog/linux/system_event.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A tracepoint is a folder in tracefs with a file `id`, its perf_event_attr.config
// (Documentation/trace/events.rst). There are thousands; tracepoint_find() reads one file by the
// name, and only `list` reads all folders.

/** Names of files: letters, digits and _, with one colon between system and event. */
static bool is_tracepoint_name(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t system = strspn(name, letters);
	if (!system || name[system] != ':')
		return false;
	const char *event = name + system + 1;
	return *event && !event[strspn(event, letters)];
}

static struct error *add_tracepoint(struct catalog *catalog, const char *name, uint64_t id,
				    const struct event **ret)
{
	struct system_event *event = arena_alloc(&catalog->arena, sizeof(*event));
	const char *own_name = arena_strdup(&catalog->arena, name);
	if (!event || !own_name)
		return &error_no_memory;
	*event = (struct system_event){
		.event = {.name = own_name,
			  .title = "Tracepoint",
			  .description = "Counts how often the kernel reaches this tracepoint.",
			  .event_class = EVENT_PERF,
			  .code = id},
		.type = PERF_TYPE_TRACEPOINT,
		.kind = "Tracepoint event",
		.scale = 1,
	};
	struct error *err = system_event_append(catalog, event);
	if (!err)
		*ret = &event->event;
	return err;
}

/** The number in the tracepoint's file `id`; 0 if there is no such file. */
static struct error *tracepoint_read_id(const char *folder, const char *name, uint64_t *ret)
{
	char path[PATH_MAX], line[32] = "";
	int system = (int)strcspn(name, ":");
	*ret = 0;
	// The name has only letters that can be in one (is_tracepoint_name()): no dots, no slashes.
	if (snprintf(path, sizeof(path), "%s/%.*s/%s/id", folder, system, name,
		     name + system + 1) >= (int)sizeof(path))
		return NULL;
	FILE *file = fopen(path, "re");
	// By default only root may look into tracefs. Any other error means that there is none.
	if (!file && errno == EACCES)
		return error_with_hint(
			error_create(ERROR_FAILED, "cannot open tracepoint '%s': permission denied",
				     name),
			"as root: chmod -R o+rX %s", folder);
	if (!file)
		return NULL;
	if (fgets(line, sizeof(line), file))
		number_parse_decimal(line, strcspn(line, "\n"), ret);
	fclose(file);
	return NULL;
}

struct error *tracepoint_find(struct catalog *catalog, const char *name, const struct event **ret)
{
	*ret = NULL;
	if (!catalog->tracing_folder || !is_tracepoint_name(name))
		return NULL;
	uint64_t id;
	struct error *err = tracepoint_read_id(catalog->tracing_folder, name, &id);
	return err || !id ? err : add_tracepoint(catalog, name, id, ret);
}

/** Names while they are gathered; the texts are in the catalog's arena. */
struct name_list {
	const char **items;
	size_t num_items, cap_items;
};

static struct folder *tracepoint_open_folder(const char *path)
{
	struct folder *folder = NULL;
	struct error *err = folder_open(path, &folder);
	error_destroy(err);
	return err ? NULL : folder;
}

/** The names of one folder in tracefs, all tracepoints of a part of the kernel. */
static struct error *add_system(struct catalog *catalog, const char *system,
				struct name_list *names)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof(path), "%s/%s", catalog->tracing_folder, system) >=
	    (int)sizeof(path))
		return NULL;
	_cleanup_(folder_closep) struct folder *folder = tracepoint_open_folder(path);
	for (const char *event; folder && (event = folder_next(folder));) {
		const char *name = arena_printf(&catalog->arena, "%s:%s", system, event);
		struct error *err =
			name ? array_reserve(&names->items, &names->cap_items, names->num_items + 1)
			     : &error_no_memory;
		if (err)
			return err;
		if (is_tracepoint_name(name))
			names->items[names->num_items++] = name;
	}
	return NULL;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

struct error *tracepoint_add_all(struct catalog *catalog)
{
	struct name_list names = {0};
	_cleanup_(folder_closep) struct folder *folder =
		catalog->tracing_folder ? tracepoint_open_folder(catalog->tracing_folder) : NULL;
	struct error *err = NULL;
	for (const char *system; !err && folder && (system = folder_next(folder));)
		if (system[0] != '.')
			err = add_system(catalog, system, &names);
	// Folders list their files in no order.
	if (!err && names.num_items)
		qsort(names.items, names.num_items, sizeof(*names.items), by_name);
	for (size_t i = 0; !err && i < names.num_items; i++) {
		const struct event *event;
		uint64_t id = 0;
		struct error *unreadable =
			tracepoint_read_id(catalog->tracing_folder, names.items[i], &id);
		error_destroy(unreadable);
		if (id)
			err = add_tracepoint(catalog, names.items[i], id, &event);
	}
	free(names.items);
	return err;
}
