// SPDX-License-Identifier: Apache-2.0

#include "catalog/tracepoint.h"

#include "base/number.h"
#include "catalog/system_events.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

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
			  .description = "A place in the kernel that counts when it is passed.",
			  .event_class = EVENT_PERF,
			  .code = id},
		.type = PERF_TYPE_TRACEPOINT,
		.kind = "Tracepoint event",
		.scale = 1,
	};
	struct error *err = system_events_append(catalog, event);
	if (!err)
		*ret = &event->event;
	return err;
}

/** The number in the tracepoint's file `id`; 0 if there is no such file. */
static struct error *read_id(const char *folder, const char *name, uint64_t *ret)
{
	char path[PATH_MAX], line[32] = "";
	int system = (int)strcspn(name, ":");
	*ret = 0;
	if (snprintf(path, sizeof(path), "%s/%.*s/%s/id", folder, system, name,
		     name + system + 1) >= (int)sizeof(path))
		return NULL;
	FILE *file = fopen(path, "re");
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
	struct error *err = read_id(catalog->tracing_folder, name, &id);
	return err || !id ? err : add_tracepoint(catalog, name, id, ret);
}
