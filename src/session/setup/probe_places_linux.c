// SPDX-License-Identifier: Apache-2.0

#include "session/setup/probe_places.h"

#include "base/text/nearest_name.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_event.h"
#include "object/object.h"
#include "object/probe_notes.h"
#include "process/pid_list.h"
#include "process/thread/running.h"
#include "session/program/program_path.h"
#include "source/perf/perf_probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// perf_event_open() has PMUs of its own for probes, `kprobe` and `uprobe` below sysfs, whose
// attributes are a name or path (config1 points to it), an offset (config2), and in `config` the
// bit that makes it one of returns and, in the upper half, where the counter of a static probe is
// in the file ("perf_uprobe" in kernel/events/core.c). Offsets are those of files: the kernel knows
// no symbols of theirs.
//
// A static probe without a file is looked for in the files of its target: what its process has
// mapped, or the program that will run.

enum { RETURN_BIT = 1, COUNTER_SHIFT = 32, MAX_PLACES = 1000, MAX_COUNTER_OFFSET = UINT32_MAX };

/** While the events of one list are completed. */
struct probe_places {
	struct catalog *catalog;
	const struct probe_target *target;
	struct event_list found;
};

/** A place in a file. */
struct file_place {
	uint64_t offset;
	uint64_t counter; /* offset of a static probe's counter; or 0 */
};

/** @number: 0: it is the only one. @config1: a text of the catalog's. */
static struct error *probe_places_add(struct probe_places *places,
				      const struct event_request *request, uint32_t type,
				      const char *text, const struct file_place *place,
				      size_t number)
{
	struct arena *arena = &places->catalog->arena;
	struct system_event *event = arena_alloc(arena, sizeof(*event));
	if (!event)
		return &error_no_memory;
	*event = *system_event_of(request->event);
	event->type = type;
	event->event.code = event->probe->is_return ? RETURN_BIT : 0;
	event->event.code |= place->counter << COUNTER_SHIFT;
	event->config1 = (uint64_t)(uintptr_t)text;
	event->config2 = place->offset;
	if (number)
		event->event.name = arena_printf(arena, "%s#%zu", event->event.name, number);
	if (!event->event.name)
		return &error_no_memory;
	struct event_request found = *request;
	found.event = &event->event;
	return event_list_add(&places->found, &found);
}

static struct error *open_probed_file(const char *path, struct object **ret)
{
	// The user named it, or what is to be profiled.
	const struct object_places places = {.debug_root = "", .is_named_by_user = true};
	return object_open_with(path, &places, ret);
}

static struct error *no_function(struct object *object, const struct probe_point *point)
{
	const struct object_symbol *symbols;
	size_t num;
	struct error *err = object_symbols(object, &symbols, &num);
	if (err)
		return err;
	err = error_create(ERROR_FAILED, "'%s' has no function '%s'", point->file, point->name);
	if (!num)
		return error_with_hint(err, "it is stripped: install its debug symbols, or write "
					    "the offset in the file: u:FILE:+0x1234");
	_cleanup_free_ const char **names = calloc(num, sizeof(*names));
	for (size_t i = 0; names && i < num; i++)
		names[i] = symbols[i].name;
	const char *nearest = names ? nearest_name(point->name, names, num) : NULL;
	if (nearest)
		return error_with_hint(err, "did you mean '%s'?", nearest);
	return error_with_hint(err,
			       "'wperf list probes %s' shows what it has; names of C++ and "
			       "Rust are as the linker has them",
			       point->file);
}

/** The beginning of the function; without a name, of the file. */
static struct error *find_function_start(struct object *object, const struct probe_point *point,
					 uint64_t *ret_address)
{
	if (!*point->name) {
		if (object_offset_to_address(object, point->offset, ret_address))
			return NULL;
		return error_create(ERROR_FAILED, "'%s' has no code at offset 0x%" PRIx64,
				    point->file, point->offset);
	}
	struct object_function function;
	bool is_found;
	struct error *err = object_find_named_function(object, point->name, &function, &is_found);
	if (!err && !is_found)
		err = no_function(object, point);
	if (!err && function.is_chooser)
		err = error_with_hint(
			error_create(ERROR_FAILED,
				     "'%s' of '%s' has a variant for each CPU, and is not called "
				     "itself",
				     point->name, point->file),
			"probe a variant: 'wperf list probes %s' shows their names", point->file);
	if (!err && point->offset && function.size && point->offset >= function.size)
		err = error_create(ERROR_FAILED, "'%s' of '%s' has only %" PRIu64 " bytes",
				   point->name, point->file, function.size);
	if (!err)
		*ret_address = function.address + point->offset;
	return err;
}

static struct error *probe_places_add_function(struct probe_places *places,
					       const struct event_request *request)
{
	const struct probe_point *point = system_event_of(request->event)->probe;
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct file_place place = {0};
	uint64_t address = 0;
	uint32_t type = 0;
	struct error *err = perf_probe_type(false, &type);
	if (!err)
		err = open_probed_file(point->file, &object);
	if (!err)
		err = find_function_start(object, point, &address);
	if (!err && !object_code_offset(object, address, &place.offset))
		err = error_with_hint(error_create(ERROR_FAILED, "there is no code at '%s'",
						   request->event->name),
				      "probes are set on instructions that programs have mapped");
	return err ? err : probe_places_add(places, request, type, point->file, &place, 0);
}

static bool is_note_of(const struct probe_note *note, const struct probe_point *point)
{
	return strcmp(note->provider, point->provider) == 0 && strcmp(note->name, point->name) == 0;
}

static size_t count_notes(struct object *object, const struct probe_point *point)
{
	struct probe_notes notes = probe_notes_of(object);
	size_t num = 0;
	for (struct probe_note note; probe_notes_next(&notes, &note);)
		num += is_note_of(&note, point);
	return num;
}

static struct error *place_of_note(struct object *object, const struct probe_note *note,
				   const char *path, struct file_place *ret)
{
	struct file_place place = {0};
	bool is_code = object_code_offset(object, note->address, &place.offset);
	bool has_counter = !note->semaphore ||
			   object_address_to_offset(object, note->semaphore, &place.counter);
	if (!is_code || !has_counter || place.counter > MAX_COUNTER_OFFSET)
		return error_create(ERROR_FAILED,
				    "the note of probe '%s:%s' in '%s' is damaged: it names a "
				    "place that is not in the file",
				    note->provider, note->name, path);
	*ret = place;
	return NULL;
}

/** @ret_found: how many places it has in this file. */
static struct error *add_static_of(struct probe_places *places, const struct event_request *request,
				   const char *path, size_t *ret_found)
{
	const struct probe_point *point = system_event_of(request->event)->probe;
	_cleanup_(object_destroyp) struct object *object = NULL;
	uint32_t type = 0;
	*ret_found = 0;
	struct error *err = perf_probe_type(false, &type);
	if (!err)
		err = open_probed_file(path, &object);
	if (err)
		return err;
	size_t num = count_notes(object, point);
	const char *text = num ? arena_strdup(&places->catalog->arena, path) : NULL;
	if (num && !text)
		return &error_no_memory;
	if (num > MAX_PLACES)
		return error_create(ERROR_FAILED, "probe '%s' is in more than %d places of '%s'",
				    request->event->name, MAX_PLACES, path);
	struct probe_notes notes = probe_notes_of(object);
	for (struct probe_note note; !err && probe_notes_next(&notes, &note);) {
		struct file_place place = {0};
		if (!is_note_of(&note, point))
			continue;
		++*ret_found;
		err = place_of_note(object, &note, path, &place);
		if (!err)
			err = probe_places_add(places, request, type, text, &place,
					       num > 1 ? *ret_found : 0);
	}
	return err;
}

/** The first file that it is in. Files that are no objects cannot have it. */
static struct error *add_static_of_process(struct probe_places *places,
					   const struct event_request *request, uint32_t pid,
					   size_t *ret_found)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	*ret_found = 0;
	for (bool more = true; !err && more && !*ret_found;) {
		struct record record;
		char path[4096];
		err = running_next(running, &record, &more);
		if (err || !more || record.kind != RECORD_MAP || record.map.path[0] != '/' ||
		    record.mode == RECORD_MODE_KERNEL)
			continue;
		// As the process sees it, which may be in a container.
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid, record.map.path);
		struct error *no_object = add_static_of(places, request, path, ret_found);
		if (*ret_found)
			err = no_object;
		else
			error_destroy(no_object);
	}
	return err;
}

static struct error *add_static_of_target(struct probe_places *places,
					  const struct event_request *request, size_t *ret_found)
{
	const struct probe_target *target = places->target;
	_cleanup_free_ uint32_t *pids = NULL;
	_cleanup_free_ char *path = NULL;
	size_t num_pids = 0;
	struct error *err = NULL;
	*ret_found = 0;
	if (target->pids)
		err = pid_list_parse(target->pids, &pids, &num_pids);
	else if (target->command)
		err = program_path_find(target->command[0], &path);
	if (!err && num_pids)
		return add_static_of_process(places, request, pids[0], ret_found);
	if (err || !path)
		return err;
	// What is no object, but a script, has no probes either.
	struct error *no_object = add_static_of(places, request, path, ret_found);
	if (*ret_found)
		return no_object;
	error_destroy(no_object);
	return NULL;
}

static struct error *no_static_probe(const struct event_request *request)
{
	const struct probe_point *point = system_event_of(request->event)->probe;
	struct error *err =
		error_create(ERROR_FAILED, "%s%s%s has no static probe '%s:%s'",
			     point->file ? "'" : "", point->file ? point->file : "the target",
			     point->file ? "'" : "", point->provider, point->name);
	if (point->file)
		return error_with_hint(err, "'wperf list probes %s' shows which it has",
				       point->file);
	return error_with_hint(err,
			       "name the program or library that has it: usdt:/path/to/file:%s:%s",
			       point->provider, point->name);
}

static struct error *probe_places_add_static(struct probe_places *places,
					     const struct event_request *request)
{
	const struct probe_point *point = system_event_of(request->event)->probe;
	size_t num_found = 0;
	struct error *err = point->file ? add_static_of(places, request, point->file, &num_found)
					: add_static_of_target(places, request, &num_found);
	return err || num_found ? err : no_static_probe(request);
}

static struct error *probe_places_add_kernel(struct probe_places *places,
					     const struct event_request *request)
{
	const struct probe_point *point = system_event_of(request->event)->probe;
	const struct file_place place = {.offset = point->offset};
	uint32_t type;
	struct error *err = perf_probe_type(true, &type);
	return err ? err : probe_places_add(places, request, type, point->name, &place, 0);
}

/** NULL: the event is no probe. */
static const struct probe_point *probe_places_point(const struct event *event)
{
	return event->event_class == EVENT_PERF ? system_event_of(event)->probe : NULL;
}

static struct error *probe_places_complete(struct probe_places *places,
					   const struct event_request *request)
{
	const struct probe_point *point = probe_places_point(request->event);
	if (!point)
		return event_list_add(&places->found, request);
	switch (point->kind) {
	case PROBE_POINT_KERNEL:
		return probe_places_add_kernel(places, request);
	case PROBE_POINT_STATIC:
		return probe_places_add_static(places, request);
	case PROBE_POINT_FILE:
		break;
	}
	return probe_places_add_function(places, request);
}

static bool probe_places_has_any(const struct event_list *events)
{
	for (size_t i = 0; i < events->num_items; i++)
		if (probe_places_point(events->items[i].event))
			return true;
	return false;
}

/** Without probes, the list stays where it is: placements point into it. Sources that place events
 *  on counters have no probes. */
static struct error *complete_list(struct event_list *events, struct catalog *catalog,
				   const struct probe_target *target)
{
	struct probe_places places = {
		.catalog = catalog, .target = target, .found = EVENT_LIST_INIT};
	if (!probe_places_has_any(events))
		return NULL;
	memcpy(places.found.num_groups, events->num_groups, sizeof(events->num_groups));
	struct error *err = NULL;
	for (size_t i = 0; !err && i < events->num_items; i++)
		err = probe_places_complete(&places, &events->items[i]);
	if (err) {
		event_list_deinit(&places.found);
		return err;
	}
	event_list_deinit(events);
	*events = places.found;
	return NULL;
}

struct error *probe_places_find(struct run_request *request, struct catalog *catalog,
				const struct probe_target *target)
{
	struct error *err = complete_list(&request->events, catalog, target);
	for (size_t i = 0; !err && i < request->num_core_requests; i++)
		err = complete_list(&request->core_requests[i].events, catalog, target);
	return err;
}
