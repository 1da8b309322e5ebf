// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_processes.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "base/os/clock.h"
#include "base/text/string_builder.h"
#include "interpreter/python/layout/python_runtime.h"
#include "interpreter/python/python_loops.h"
#include "interpreter/python/python_process.h"
#include "interpreter/python/python_reading.h"
#include "interpreter/python/python_trial.h"
#include "interpreter/python/stack/python_code.h"
#include "object/line_image/line_image.h"
#include "profile/interpreted/interpreted_function.h"

#include <stdlib.h>
#include <string.h>

// python_places_note() follows the processes. A mapped file with the name of an interpreter is
// opened, and the interpreter in it becomes a python_process (look_into()); a fork copies the
// parent's; exec and exit end it. python_places_try() checks the layout in memory until it has
// passed (python_trial.c), and frames are not trusted before.
//
// python_places_find() turns a frame into the number of a place: function, file and line. Known
// frames of the process come first, by code object, instruction and version. Otherwise the code
// object is read now (python_code.c), because it can be freed at any time. A child that has ended
// is looked up in its parents: code that existed before the fork is at the same address there.
// Therefore a parent is kept as long as a child needs it, at most MAX_DEPTH generations. Places are
// the same in all processes; each is also a line of the image that the recording contains
// (object/line_image/line_image.h).
//
// A target chooses the names and number of its files. may_open() bounds the files that are opened
// in vain, and one budget the line tables of all processes.

/** A line of a function; the same in all processes. */
struct place {
	uint32_t function, file; /* of the strings */
	uint32_t first_line, line;
	uint32_t is_compiled; /* the line may be another one of the function */
};

/** What a process's frame was found to be. */
struct known_frame {
	struct interpreted_frame frame;
	uint64_t place;
};

/** A process with an interpreter. It stays as long as a child of it is there. */
struct python_process {
	uint32_t pid;
	struct python_process *parent; /* NULL: it is not known, or no longer of use */
	uint32_t num_children;
	uint32_t depth; /* number of parents that are kept */
	bool is_over;
	struct python_runtime runtime;
	struct python_trial
		trial;  /* one that has failed is only remembered so as not to ask again */
	uint32_t loops; /* number of its module there: the C functions that run bytecode */
	struct python_code_table codes;
	struct python_reading *reading; /* NULL: nobody asked yet */
	struct known_frame *known;
	size_t num_known, cap_known;
	struct hash_table known_index;
};

enum { MAX_VAIN = 256 }; // a program chooses the names of its files, and how many there are

struct python_places {
	struct string_table strings;
	struct place *items;
	size_t num_items, cap_items;
	uint64_t *addresses; /* by number of the place */
	size_t cap_addresses;
	struct hash_table index;
	struct line_image image;
	struct python_loops *loops;
	struct python_process **processes; /* where they are, a code table is told of its runtime */
	size_t num_processes, cap_processes;
	struct python_code_budget code_budget; /* of all processes */
	struct string_builder complaints;
	uint64_t num_unnamed;
	uint32_t vain[MAX_VAIN]; /* modules that were opened and have no interpreter to read */
	size_t num_vain;
};

enum {
	UNNAMED = 0, // the place of frames that nothing could be found out about
	MAX_DEPTH = 4,
};
static const char unnamed[] = "[unknown Python]";

static void destroy_process(struct python_process *process)
{
	python_code_table_deinit(&process->codes);
	python_reading_destroy(process->reading);
	hash_table_deinit(&process->known_index);
	free(process->known);
	free(process);
}

/** Destroys those that nobody needs any more, it and its parents. */
static void release_process(struct python_process *process)
{
	while (process && process->is_over && !process->num_children) {
		struct python_process *parent = process->parent;
		destroy_process(process);
		if (parent)
			parent->num_children--;
		process = parent;
	}
}

static void let_go_of_parent(struct python_process *process)
{
	struct python_process *parent = process->parent;
	process->parent = NULL;
	process->depth = 0;
	if (!parent)
		return;
	parent->num_children--;
	release_process(parent);
}

static void end_process(struct python_process *process)
{
	process->is_over = true;
	release_process(process);
}

/** A child that forks a child and ends, over and over, would keep all of them. */
static void set_parent(struct python_process *process, struct python_process *parent)
{
	if (parent->depth == MAX_DEPTH)
		let_go_of_parent(parent);
	process->parent = parent;
	process->depth = parent->depth + 1;
	parent->num_children++;
}

void python_places_destroy(struct python_places *places)
{
	if (!places)
		return;
	for (size_t i = 0; i < places->num_processes; i++)
		end_process(places->processes[i]);
	free(places->processes);
	free(places->items);
	free(places->addresses);
	hash_table_deinit(&places->index);
	line_image_deinit(&places->image);
	string_table_deinit(&places->strings);
	string_builder_deinit(&places->complaints);
	free(places);
}

static bool place_is(const void *owner, uint32_t index, const void *key)
{
	return memcmp(&((const struct place *)owner)[index], key, sizeof(struct place)) == 0;
}

/** @line: the same once more, for the image. */
static struct error *python_places_add_place(struct python_places *places,
					     const struct place *place,
					     const struct line_image_line *line, uint64_t hash)
{
	uint32_t index = (uint32_t)places->num_items;
	struct error *err =
		array_reserve(&places->items, &places->cap_items, places->num_items + 1);
	if (!err)
		err = array_reserve(&places->addresses, &places->cap_addresses,
				    places->num_items + 1);
	if (!err)
		err = line_image_add(&places->image, line, &places->addresses[index]);
	if (!err)
		err = hash_table_insert(&places->index, hash, index);
	if (err)
		return err;
	places->items[places->num_items++] = *place;
	return NULL;
}

static struct error *intern_line(struct python_places *places, const struct line_image_line *line,
				 uint64_t *ret)
{
	struct place place = {
		.first_line = line->first_line,
		.line = line->line,
		.is_compiled = line->is_compiled,
	};
	struct error *err = string_table_intern(&places->strings, line->function, &place.function);
	if (!err)
		err = string_table_intern(&places->strings, line->file, &place.file);
	if (err)
		return err;
	uint64_t hash = hash_bytes(&place, sizeof(place));
	uint32_t index = hash_table_find(&places->index, hash, place_is, places->items, &place);
	*ret = index == HASH_TABLE_NONE ? places->num_items : index;
	return index == HASH_TABLE_NONE ? python_places_add_place(places, &place, line, hash)
					: NULL;
}

struct error *python_places_create(struct python_loops *loops, struct python_places **ret)
{
	struct python_places *places = calloc(1, sizeof(*places));
	if (!places)
		return &error_no_memory;
	places->loops = loops;
	const struct line_image_line line = {.function = unnamed, .file = ""};
	uint64_t none;
	struct error *err = intern_line(places, &line, &none); // UNNAMED
	if (err) {
		python_places_destroy(places);
		return err;
	}
	*ret = places;
	return NULL;
}

/**
 * The one that was asked for last stands first, and the others stay in this order: a sample asks
 * for each of its frames, and those of a few processes take turns.
 */
static struct python_process *python_places_find_process(struct python_places *places, uint32_t pid)
{
	struct python_process **processes = places->processes;
	for (size_t i = 0; i < places->num_processes; i++) {
		struct python_process *process = processes[i];
		if (process->pid != pid)
			continue;
		memmove(processes + 1, processes, i * sizeof(struct python_process *));
		processes[0] = process;
		return process;
	}
	return NULL;
}

static void python_places_forget(struct python_places *places, uint32_t pid)
{
	struct python_process *process = python_places_find_process(places, pid);
	if (!process)
		return;
	places->processes[0] = places->processes[--places->num_processes];
	end_process(process);
}

static struct error *python_places_add_process(struct python_places *places, uint32_t pid,
					       const struct python_runtime *runtime, uint32_t loops,
					       struct python_process **ret)
{
	struct error *err = array_reserve(&places->processes, &places->cap_processes,
					  places->num_processes + 1);
	if (err)
		return err;
	struct python_process *process = calloc(1, sizeof(*process));
	if (!process)
		return &error_no_memory;
	process->pid = pid;
	process->runtime = *runtime;
	process->loops = loops;
	process->runtime.memory = process_memory_of(pid);
	python_code_table_init(&process->codes, &process->runtime, &places->code_budget);
	places->processes[places->num_processes++] = process;
	*ret = process;
	return NULL;
}

/** Once, however many processes there are of the kind. */
static void note_once(struct python_places *places, const char *note)
{
	if (!strstr(string_builder_peek(&places->complaints), note))
		string_builder_append(&places->complaints, note);
}

/** A module without an interpreter is none of our business; one that we cannot read is. */
static struct error *python_places_complain(struct python_places *places, struct error *err)
{
	if (err->code != ERROR_FAILED)
		return err;
	_cleanup_(string_builder_deinit) struct string_builder note = STRING_BUILDER_INIT;
	string_builder_appendf(&note, "note: no Python lines: %s\n", err->message);
	if (err->hint)
		string_builder_appendf(&note, "hint: %s\n", err->hint);
	note_once(places, string_builder_peek(&note));
	error_destroy(err);
	return NULL;
}

/** It has passed its trial, but what we do not look at may be new all the same. */
static void note_guess(struct python_places *places, const struct python_runtime *runtime)
{
	_cleanup_(string_builder_deinit) struct string_builder note = STRING_BUILDER_INIT;
	string_builder_appendf(&note,
			       "note: Python 3.%u is newer than this wperf; it is read as 3.%d, "
			       "which has the same layout\n",
			       runtime->layout.minor, PYTHON_NEWEST_MINOR);
	note_once(places, string_builder_peek(&note));
}

static bool is_vain(const struct python_places *places, uint32_t module)
{
	for (size_t i = 0; i < places->num_vain; i++)
		if (places->vain[i] == module)
			return true;
	return false;
}

/** May one more file be opened? One that was in vain may: another process may be further. */
static bool may_open(struct python_places *places, uint32_t module)
{
	if (places->num_vain < MAX_VAIN || is_vain(places, module))
		return true;
	note_once(places, "note: no Python lines of some processes: more than 256 files have an "
			  "interpreter's name, but no interpreter that wperf can read\n");
	return false;
}

static void note_vain(struct python_places *places, uint32_t module)
{
	if (!is_vain(places, module))
		places->vain[places->num_vain++] = module;
}

static struct error *look_into(struct python_places *places, const struct process *process,
			       const struct mapping *mapping, const struct module *module,
			       struct python_process **ret)
{
	struct python_runtime runtime;
	uint32_t loops;
	struct error *err =
		python_process_find_in(process, mapping, module, &places->loops->search, &runtime);
	if (!err)
		err = python_loops_add(places->loops, module, &loops);
	if (!err)
		return python_places_add_process(places, process->pid, &runtime, loops, ret);
	note_vain(places, mapping->module);
	if (err->code != ERROR_ABSENT)
		return python_places_complain(places, err);
	error_destroy(err);
	return NULL;
}

static struct error *note_map(struct python_places *places, struct process_table *processes,
			      const struct record *record, struct python_process **ret)
{
	if (!record->map.is_executable || !python_loops_may_be_in(record->map.path) ||
	    python_places_find_process(places, record->pid))
		return NULL;
	struct process *process;
	struct error *err = process_table_process(processes, record->pid, &process);
	const struct mapping *mapping =
		err ? NULL : process_find_mapping(process, record->map.start);
	if (!mapping || !may_open(places, mapping->module))
		return err;
	return look_into(places, process, mapping, &processes->modules.items[mapping->module], ret);
}

/** A child has its parent's interpreter, at the same place. Walks know that by themselves. */
static struct error *note_fork(struct python_places *places, const struct record *record)
{
	struct python_process *parent = python_places_find_process(places, record->task.parent_pid),
			      *child;
	if (!parent || record->pid == record->task.parent_pid ||
	    python_places_find_process(places, record->pid))
		return NULL;
	struct error *err = python_places_add_process(places, record->pid, &parent->runtime,
						      parent->loops, &child);
	if (err)
		return err;
	child->trial = parent->trial;
	set_parent(child, parent);
	return NULL;
}

struct error *python_places_note(struct python_places *places, struct process_table *processes,
				 const struct record *record, const struct python_walk **ret,
				 bool *ret_changed)
{
	struct python_process *found = NULL;
	struct error *err = NULL;
	*ret = NULL;
	*ret_changed = false;
	switch (record->kind) {
	case RECORD_MAP:
		err = note_map(places, processes, record, &found);
		break;
	case RECORD_FORK:
		return note_fork(places, record);
	case RECORD_COMM:
		*ret_changed =
			record->comm.is_exec && python_places_find_process(places, record->pid);
		if (*ret_changed)
			python_places_forget(places, record->pid);
		return NULL;
	case RECORD_EXIT:
		if (record->pid == record->tid)
			python_places_forget(places, record->pid);
		return NULL;
	default:
		return NULL;
	}
	// One that is guessed is not walked before it has passed its trial.
	*ret_changed = found && !found->runtime.is_guess;
	if (*ret_changed)
		*ret = &found->runtime.walk;
	return err;
}

static void end_trial(struct python_places *places, struct python_process *process,
		      const struct python_walk **ret, bool *ret_changed)
{
	bool has_passed = process->trial.end == PYTHON_TRIAL_PASSED;
	*ret_changed = !has_passed || process->runtime.is_guess;
	*ret = has_passed ? &process->runtime.walk : NULL;
	if (has_passed && process->runtime.is_guess)
		note_guess(places, &process->runtime);
}

struct error *python_places_try(struct python_places *places, uint32_t pid,
				const struct python_walk **ret, bool *ret_changed)
{
	struct python_process *process = python_places_find_process(places, pid);
	*ret_changed = false;
	if (!process || process->trial.end != PYTHON_TRIAL_GOES_ON)
		return NULL;
	// What is over has nothing that could be held against it.
	_cleanup_(error_destroyp) struct error *gone = process_memory_check(pid);
	if (gone)
		return NULL;
	struct error *reason = NULL;
	struct error *err = python_trial_go_on(&process->trial, &process->runtime,
					       clock_ns(CLOCK_MONOTONIC), &reason);
	if (!err && process->trial.end != PYTHON_TRIAL_GOES_ON)
		end_trial(places, process, ret, ret_changed);
	return reason ? python_places_complain(places, reason) : err;
}

bool python_places_trusts(struct python_places *places, uint32_t pid)
{
	const struct python_process *process = python_places_find_process(places, pid);
	return process && python_trial_is_trusted(&process->trial, process->runtime.is_guess);
}

static bool is_compiled(const struct interpreted_frame *frame)
{
	return frame->flags & INTERPRETED_FRAME_IS_COMPILED;
}

static bool known_is(const void *owner, uint32_t index, const void *key)
{
	const struct interpreted_frame *a = &((const struct known_frame *)owner)[index].frame,
				       *b = key;
	return a->code == b->code && a->instruction == b->instruction && a->version == b->version &&
	       a->tlbc == b->tlbc && is_compiled(a) == is_compiled(b);
}

static uint64_t python_places_hash_frame(const struct interpreted_frame *frame)
{
	const uint64_t words[] = {frame->code, frame->instruction,
				  (uint64_t)frame->version << 16 | frame->tlbc, is_compiled(frame)};
	return hash_bytes(words, sizeof(words));
}

static struct error *look_up(struct python_places *places, struct python_process *process,
			     const struct interpreted_frame *frame, uint64_t *ret)
{
	uint32_t code;
	struct error *err = python_code_table_find(&process->codes, frame, &code);
	if (places->code_budget.num_cuts)
		note_once(places, "note: Python lines are incomplete: the line tables of its code "
				  "take more than 128 MB\n");
	if (err)
		return err;
	if (code == PYTHON_CODE_NONE)
		return NULL;
	const struct python_code *item = &process->codes.items[code];
	struct python_position position = python_code_position(&process->codes, code, frame);
	const struct string_table *strings = &process->codes.strings;
	const struct line_image_line line = {
		.function = string_table_get(strings, item->qualified_name),
		.file = string_table_get(strings, item->file),
		.first_line = item->lines.first_line,
		.last_line = item->last_line,
		.line = position.line,
		.is_compiled = is_compiled(frame),
	};
	return intern_line(places, &line, ret);
}

static struct error *python_places_learn(struct python_places *places,
					 struct python_process *process,
					 const struct interpreted_frame *frame, uint64_t hash,
					 uint64_t *ret)
{
	struct error *err = look_up(places, process, frame, ret);
	// What is gone today may be something else at the same place tomorrow.
	if (err || *ret == UNNAMED)
		return err;
	err = array_reserve(&process->known, &process->cap_known, process->num_known + 1);
	if (!err)
		err = hash_table_insert(&process->known_index, hash, (uint32_t)process->num_known);
	if (!err)
		process->known[process->num_known++] =
			(struct known_frame){.frame = *frame, .place = *ret};
	return err;
}

static struct error *python_places_look_up(struct python_places *places,
					   struct python_process *process,
					   const struct interpreted_frame *frame, uint64_t *ret)
{
	uint64_t hash = python_places_hash_frame(frame);
	uint32_t index =
		hash_table_find(&process->known_index, hash, known_is, process->known, frame);
	if (index == HASH_TABLE_NONE)
		return python_places_learn(places, process, frame, hash, ret);
	*ret = process->known[index].place;
	return NULL;
}

/** Code of a child that is over already may still be in its parent, at the same place. */
struct error *python_places_find(struct python_places *places, uint32_t pid,
				 const struct interpreted_frame *frame, uint64_t *ret)
{
	uint64_t place = UNNAMED;
	struct python_process *process = python_places_find_process(places, pid);
	for (; process && place == UNNAMED; process = process->parent) {
		struct error *err = python_places_look_up(places, process, frame, &place);
		if (err)
			return err;
	}
	places->num_unnamed += place == UNNAMED;
	*ret = place;
	return NULL;
}

bool python_places_is_loop(struct python_places *places, uint32_t pid, uint64_t address)
{
	const struct python_process *process = python_places_find_process(places, pid);
	return process &&
	       python_loops_hold(places->loops, process->loops, address - process->runtime.bias);
}

bool python_places_has(struct python_places *places, uint32_t pid)
{
	return python_places_find_process(places, pid) != NULL;
}

struct error *python_places_read(struct python_places *places, uint32_t pid, uint32_t tid,
				 bool is_away, struct record_sample *sample)
{
	struct python_process *process = python_places_find_process(places, pid);
	if (!process)
		return NULL;
	struct error *err = NULL;
	if (!process->reading)
		err = python_reading_create(pid, &process->runtime, &process->reading);
	return err ? err : python_reading_take(process->reading, tid, is_away, sample);
}

uint64_t python_places_address(const struct python_places *places, uint64_t number)
{
	return PYTHON_PLACES_BASE + places->addresses[number];
}

const struct line_image *python_places_image(const struct python_places *places)
{
	return &places->image;
}

struct error *python_places_name(const struct python_places *places, uint64_t number,
				 struct named_profile *profile, uint32_t *ret_frame)
{
	const struct place *place = &places->items[number];
	const struct interpreted_function function = {
		.name = string_table_get(&places->strings, place->function),
		.file = string_table_get(&places->strings, place->file),
		.first_line = place->first_line,
	};
	return interpreted_function_frame(profile, &function, place->line, place->is_compiled,
					  ret_frame);
}

const char *python_places_complaints(const struct python_places *places)
{
	return string_builder_peek(&places->complaints);
}

uint64_t python_places_num_unnamed(const struct python_places *places)
{
	return places->num_unnamed;
}
