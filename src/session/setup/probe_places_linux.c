// SPDX-License-Identifier: Apache-2.0

#include "session/setup/probe_places.h"

#include "base/container/array.h"
#include "base/text/nearest_name.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_event.h"
#include "interpreter/interpreter_ops.h"
#include "object/object.h"
#include "object/probe_notes.h"
#include "process/pid_list.h"
#include "process/system/process_search.h"
#include "process/thread/running.h"
#include "session/program/program_path.h"
#include "session/setup/probe_instruction.h"
#include "session/setup/value_places.h"
#include "source/perf/perf_probe.h"
#include "source/probes/probe_reading.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// perf_event_open() has PMUs of its own for probes, `kprobe` and `uprobe` below sysfs, whose
// attributes are a name or path (config1 points to it), an offset (config2), and in `config` the
// bit that makes it one of returns and, in the upper half, where the counter of a static probe is
// in the file ("perf_uprobe" in kernel/events/core.c). Offsets are those of files: the kernel knows
// no symbols of theirs.
//
// A static probe without a file is looked for in the files of its target: what its processes have
// mapped, or the program that will run. Of each process the first file counts that has it; a file
// that several have mapped is probed once, as a probe there is one of all of them.

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
	uint64_t counter;      /* offset of a static probe's counter; or 0 */
	const char *arguments; /* of a static probe: where they are; NULL: it is a function */
	enum object_machine machine;
	bool is_inside; /* not at a function's beginning */
};

/** A place of a static probe. */
struct static_place {
	const char *path; /* of the catalog */
	struct file_place place;
	dev_t device; /* of the file */
	ino_t inode;
};

struct static_places {
	struct static_place *items;
	size_t num_items, cap_items;
};

/** What a BPF program has to know of the place. */
static struct error *add_reading(struct probe_places *places, const struct value_search *search,
				 const char *text, const struct file_place *place,
				 struct system_event *event)
{
	struct probe_reading *reading = arena_alloc(&places->catalog->arena, sizeof(*reading));
	if (!reading)
		return &error_no_memory;
	*reading = (struct probe_reading){
		.is_kernel = search->point->kind == PROBE_POINT_KERNEL,
		.is_return = search->point->is_return,
		.path = text,
		.offset = place->offset,
		.counter = place->counter,
	};
	event->reading = reading;
	if (places->target->samples) {
		event->type = SYSTEM_EVENT_SOFTWARE;
		event->event.code = SYSTEM_EVENT_BPF_OUTPUT;
		event->config1 = event->config2 = 0;
	}
	return value_places_find(search, &reading->values);
}

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
	if (event->probe->values) {
		const struct value_search search = {
			.event = event->event.name,
			.point = event->probe,
			.arguments = place->arguments,
			.machine = place->machine,
			.is_inside = place->is_inside,
		};
		struct error *err = add_reading(places, &search, text, place, event);
		if (err)
			return err;
	}
	if (number)
		event->event.name = arena_printf(arena, "%s#%zu", event->event.name, number);
	if (!event->event.name)
		return &error_no_memory;
	struct event_request found = *request;
	found.event = &event->event;
	return event_list_add(&places->found, &found);
}

/** @is_named_by_user: else a process has mapped it. */
static struct error *open_probed_file(const char *path, bool is_named_by_user, struct object **ret)
{
	const struct object_places places = {.debug_root = "",
					     .is_named_by_user = is_named_by_user};
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
	const struct probe_point *point = system_event_probe(request->event);
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct file_place place = {0};
	uint64_t address = 0;
	uint32_t type = 0;
	struct error *err = perf_probe_type(false, &type);
	if (!err)
		err = open_probed_file(point->file, true, &object);
	if (!err)
		err = find_function_start(object, point, &address);
	if (!err && !object_code_offset(object, address, &place.offset))
		err = error_with_hint(error_create(ERROR_FAILED, "there is no code at '%s'",
						   request->event->name),
				      "probes are set on instructions that programs have mapped");
	if (!err && point->offset)
		err = probe_instruction_check(object, request->event->name, address);
	place.machine = object ? object_machine(object) : OBJECT_MACHINE_OTHER;
	place.is_inside = point->offset > 0;
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
	place.machine = object_machine(object);
	*ret = place;
	return NULL;
}

static struct error *static_places_add(struct probe_places *places, struct static_places *found,
				       struct object *object, const struct probe_note *note,
				       const char *path)
{
	struct static_place added = {.path = path};
	struct stat file;
	struct error *err = array_reserve(&found->items, &found->cap_items, found->num_items + 1);
	if (!err)
		err = place_of_note(object, note, path, &added.place);
	if (err)
		return err;
	// The note's texts are the object's.
	added.place.arguments = arena_strdup(&places->catalog->arena, note->arguments);
	if (!added.place.arguments)
		return &error_no_memory;
	if (!stat(path, &file)) {
		added.device = file.st_dev;
		added.inode = file.st_ino;
	}
	found->items[found->num_items++] = added;
	return NULL;
}

/** Adds its places in this file. @ret_is_found: the file has it. */
static struct error *find_static_in(struct probe_places *places,
				    const struct event_request *request, const char *path,
				    bool is_named_by_user, struct static_places *found,
				    bool *ret_is_found)
{
	const struct probe_point *point = system_event_probe(request->event);
	_cleanup_(object_destroyp) struct object *object = NULL;
	*ret_is_found = false;
	struct error *err = open_probed_file(path, is_named_by_user, &object);
	if (err)
		return err;
	size_t num = count_notes(object, point);
	*ret_is_found = num > 0;
	const char *text = num ? arena_strdup(&places->catalog->arena, path) : NULL;
	if (num && !text)
		return &error_no_memory;
	if (num > MAX_PLACES)
		return error_create(ERROR_FAILED, "probe '%s' is in more than %d places of '%s'",
				    request->event->name, MAX_PLACES, path);
	struct probe_notes notes = probe_notes_of(object);
	for (struct probe_note note; !err && probe_notes_next(&notes, &note);)
		if (is_note_of(&note, point))
			err = static_places_add(places, found, object, &note, text);
	return err;
}

static bool static_places_has_file(const struct static_places *found, const char *path)
{
	struct stat file;
	if (!found->num_items || stat(path, &file))
		return false;
	for (size_t i = 0; i < found->num_items; i++)
		if (found->items[i].device == file.st_dev && found->items[i].inode == file.st_ino)
			return true;
	return false;
}

/** What is no object, but a script, a device or a picture, has no probes either. */
static struct error *find_static_if_object(struct probe_places *places,
					   const struct event_request *request, const char *path,
					   bool is_named_by_user, struct static_places *found,
					   bool *ret_is_found)
{
	struct error *err =
		find_static_in(places, request, path, is_named_by_user, found, ret_is_found);
	if (*ret_is_found)
		return err;
	error_destroy(err);
	return NULL;
}

/** In the first file that has it. */
static struct error *find_static_in_process(struct probe_places *places,
					    const struct event_request *request, uint32_t pid,
					    struct static_places *found)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	bool is_found = false;
	for (bool more = true; !err && more && !is_found;) {
		struct record record;
		char path[4096];
		err = running_next(running, &record, &more);
		if (err || !more || record.kind != RECORD_MAP || record.map.path[0] != '/' ||
		    record.mode == RECORD_MODE_KERNEL)
			continue;
		// As the process sees it, which may be in a container.
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid, record.map.path);
		is_found = static_places_has_file(found, path);
		if (!is_found)
			err = find_static_if_object(places, request, path, false, found, &is_found);
	}
	return err;
}

static struct error *find_pids(const struct probe_target *target, uint32_t **ret, size_t *ret_num)
{
	if (target->pids)
		return pid_list_parse(target->pids, ret, ret_num);
	if (!target->command && target->process_name)
		return process_search(target->process_name, ret, ret_num);
	return NULL;
}

static struct error *find_static_in_target(struct probe_places *places,
					   const struct event_request *request,
					   struct static_places *found)
{
	const struct probe_target *target = places->target;
	_cleanup_free_ uint32_t *pids = NULL;
	_cleanup_free_ char *path = NULL;
	size_t num_pids = 0;
	bool is_found;
	struct error *err = find_pids(target, &pids, &num_pids);
	if (!err && !num_pids && target->command)
		err = program_path_find(target->command[0], &path);
	for (size_t i = 0; !err && i < num_pids; i++)
		err = find_static_in_process(places, request, pids[i], found);
	return err || !path ? err
			    : find_static_if_object(places, request, path, true, found, &is_found);
}

static struct error *no_static_probe(const struct event_request *request)
{
	const struct probe_point *point = system_event_probe(request->event);
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
	const struct probe_point *point = system_event_probe(request->event);
	struct static_places found = {0};
	bool is_found;
	uint32_t type = 0;
	struct error *err = perf_probe_type(false, &type);
	if (!err)
		err = point->file ? find_static_in(places, request, point->file, true, &found,
						   &is_found)
				  : find_static_in_target(places, request, &found);
	if (!err && !found.num_items)
		err = no_static_probe(request);
	for (size_t i = 0; !err && i < found.num_items; i++)
		err = probe_places_add(places, request, type, found.items[i].path,
				       &found.items[i].place, found.num_items > 1 ? i + 1 : 0);
	free(found.items);
	return err;
}

static struct error *probe_places_add_kernel(struct probe_places *places,
					     const struct event_request *request)
{
	const struct probe_point *point = system_event_probe(request->event);
	const struct file_place place = {
		.offset = point->offset,
		.machine = value_places_machine(),
		.is_inside = point->offset > 0,
	};
	uint32_t type;
	struct error *err = perf_probe_type(true, &type);
	return err ? err : probe_places_add(places, request, type, point->name, &place, 0);
}

/** False: the file has no interpreter, or no place that can be found. */
static bool find_raise_in(const char *path, struct file_place *ret)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	bool is_found = false;
	for (size_t i = 0; !is_found && all_interpreters[i]; i++) {
		const struct interpreter_ops *ops = all_interpreters[i];
		uint64_t address;
		if (!ops->find_raise || !ops->may_be_in(path))
			continue;
		if (!object)
			error_destroy(open_probed_file(path, true, &object));
		is_found = object && ops->find_raise(object, &address) &&
			   object_code_offset(object, address, &ret->offset);
	}
	return is_found;
}

/** In a program, or in the library beside it that has its name: bin/python3.13 may be only a call
 *  into lib/libpython3.13.so. */
static bool find_raise_of_program(const char *program, char path[static PATH_MAX],
				  struct file_place *ret)
{
	static const char *const libraries[] = {"%.*s/../lib/lib%s.so.1.0", "%.*s/../lib/lib%s.so"};
	char real[PATH_MAX];
	if (!realpath(program, real))
		return false;
	memcpy(path, real, strlen(real) + 1);
	if (find_raise_in(path, ret))
		return true;
	const char *name = strrchr(real, '/') + 1;
	int folder = (int)(name - 1 - real);
	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++)
		if (snprintf(path, PATH_MAX, libraries[i], folder, real, name) < PATH_MAX &&
		    find_raise_in(path, ret))
			return true;
	return false;
}

static struct error *find_raise_of_process(uint32_t pid, char path[static PATH_MAX],
					   struct file_place *place, bool *ret_is_found)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	*ret_is_found = false;
	for (bool more = true; !err && more && !*ret_is_found;) {
		struct record record;
		err = running_next(running, &record, &more);
		if (err || !more || record.kind != RECORD_MAP || record.map.path[0] != '/' ||
		    record.mode == RECORD_MODE_KERNEL)
			continue;
		int length = snprintf(path, PATH_MAX, "/proc/%u/root%s", pid, record.map.path);
		*ret_is_found = length < PATH_MAX && find_raise_in(path, place);
	}
	return err;
}

/** @target: a command or processes. */
static struct error *no_raise(const struct probe_target *target)
{
	if (target->command)
		return error_with_hint(
			error_create(ERROR_FAILED, "'%s' has no place known to raise exceptions",
				     target->command[0]),
			"this needs CPython 3.8 or newer with the symbol _PyErr_SetObject: name "
			"python itself, and no script around it, or attach with -p PID");
	return error_with_hint(error_create(ERROR_FAILED,
					    "%s %s has no place known to raise "
					    "exceptions",
					    target->pids ? "process" : "program",
					    target->pids ? target->pids : target->process_name),
			       "this needs CPython 3.8 or newer with the symbol _PyErr_SetObject, "
			       "as program or library of the process");
}

static struct error *needs_target(void)
{
	return error_with_hint(error_create(ERROR_USAGE, "event 'exceptions' needs a program or "
							 "processes"),
			       "give a command ('-- python3 FILE.py') or -p PID; whole cores do "
			       "not work (-a, -c)");
}

/** Of several processes with the same interpreter one probe counts all. */
static struct error *probe_places_add_raise(struct probe_places *places,
					    const struct event_request *request)
{
	const struct probe_target *target = places->target;
	_cleanup_free_ uint32_t *pids = NULL;
	_cleanup_free_ char *program = NULL;
	size_t num_pids = 0;
	char path[PATH_MAX];
	struct file_place place = {0};
	bool is_found = false;
	uint32_t type = 0;
	if (!target->command && !target->pids && !target->process_name)
		return needs_target();
	struct error *err = perf_probe_type(false, &type);
	if (!err)
		err = find_pids(target, &pids, &num_pids);
	if (!err && !num_pids && target->command)
		err = program_path_find(target->command[0], &program);
	if (!err && program)
		is_found = find_raise_of_program(program, path, &place);
	for (size_t i = 0; !err && !is_found && i < num_pids; i++)
		err = find_raise_of_process(pids[i], path, &place, &is_found);
	if (err)
		return err;
	if (!is_found)
		return no_raise(target);
	const char *text = arena_strdup(&places->catalog->arena, path);
	return text ? probe_places_add(places, request, type, text, &place, 0) : &error_no_memory;
}

static struct error *probe_places_complete(struct probe_places *places,
					   const struct event_request *request)
{
	const struct probe_point *point = system_event_probe(request->event);
	if (!point)
		return event_list_add(&places->found, request);
	switch (point->kind) {
	case PROBE_POINT_KERNEL:
		return probe_places_add_kernel(places, request);
	case PROBE_POINT_STATIC:
		return probe_places_add_static(places, request);
	case PROBE_POINT_RAISE:
		return probe_places_add_raise(places, request);
	case PROBE_POINT_FILE:
		break;
	}
	return probe_places_add_function(places, request);
}

static bool probe_places_has_any(const struct event_list *events)
{
	for (size_t i = 0; i < events->num_items; i++)
		if (system_event_probe(events->items[i].event))
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
