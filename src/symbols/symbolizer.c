// SPDX-License-Identifier: Apache-2.0

#include "symbols/symbolizer.h"

#include "base/container/array.h"
#include "symbols/function_filler.h"
#include "symbols/known_module.h"
#include "symbols/place_namer.h"
#include "symbols/recorded/recorded_names_writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Three tables, each filled on demand: modules, places (module and address), and the frames of the
// places in one array, which place_namer.c appends to. symbolizer_resolve() is a look-up in them.
// symbolizer_encode_names() writes the places that have names for reading on another machine,
// sorted by module and address, so that addresses become short differences (recorded_names.h).
//
// A module without names gets a complaint with the most specific reason that is known: the error of
// opening it, what the object lacks, or its kind.
//
//	modules  0: /usr/bin/app,  1: [kernel]
//	places   (0, 0x1139) -> frames 0 to 1,  (1, 0xffffffff81000000) -> frame 2
//	frames   0: add (inlined into main),  1: main,  2: _text

/** An address of a module. */
struct place_key {
	uint64_t address;
	uint64_t module; /* index; as wide as the address, so that no bytes are between */
};

/** What was found at a place, as a part of the namer's frames. */
struct place {
	struct place_key key;
	size_t first_frame, num_frames;
};

struct symbolizer {
	struct named_profile *profile; /* NULL before the first question */
	struct place_namer namer;
	struct known_module *modules;
	size_t num_modules, cap_modules;
	struct hash_table module_index;
	struct place *places;
	size_t num_places, cap_places;
	struct hash_table place_index;
	struct symbolizer_complaint *complaints;
};

struct error *symbolizer_create(const struct symbolizer_config *config, struct symbolizer **ret)
{
	_cleanup_(symbolizer_destroyp) struct symbolizer *symbolizer =
		calloc(1, sizeof(*symbolizer));
	if (!symbolizer)
		return &error_no_memory;
	struct error *err = place_namer_init(&symbolizer->namer, config);
	if (err)
		return err;
	*ret = take_ptr(symbolizer);
	return NULL;
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	for (size_t i = 0; i < symbolizer->num_modules; i++)
		known_module_deinit(&symbolizer->modules[i]);
	place_namer_deinit(&symbolizer->namer);
	hash_table_deinit(&symbolizer->module_index);
	hash_table_deinit(&symbolizer->place_index);
	free(symbolizer->modules);
	free(symbolizer->places);
	free(symbolizer->complaints);
	free(symbolizer);
}

struct error *symbolizer_note_module(struct symbolizer *symbolizer, const struct module *module)
{
	return name_sources_note_module(&symbolizer->namer.sources, module);
}

struct error *symbolizer_place_methods(struct symbolizer *symbolizer,
				       const struct process_table *processes)
{
	return method_list_place(&symbolizer->namer.sources.methods, processes);
}

static bool symbolizer_is_module(const void *owner, uint32_t index, const void *key)
{
	const struct symbolizer *symbolizer = owner;
	return module_is_same(&symbolizer->modules[index].module, key);
}

static struct error *symbolizer_find_module(struct symbolizer *symbolizer,
					    const struct module *module, uint32_t *ret)
{
	uint64_t hash = hash_bytes(module->path, strlen(module->path)) + module->kind;
	// Memory has few paths and many processes; files have one process of many.
	if (module->kind == MODULE_MEMORY || module->kind == MODULE_UNMAPPED)
		hash ^= hash_bytes(&module->pid, sizeof(module->pid));
	*ret = hash_table_find(&symbolizer->module_index, hash, symbolizer_is_module, symbolizer,
			       module);
	if (*ret != HASH_TABLE_NONE)
		return NULL;
	uint32_t index = (uint32_t)symbolizer->num_modules;
	struct error *err =
		array_reserve(&symbolizer->modules, &symbolizer->cap_modules, index + 1);
	if (!err)
		err = known_module_init(&symbolizer->modules[index], module, symbolizer->profile);
	if (err)
		return err;
	err = hash_table_insert(&symbolizer->module_index, hash, index);
	if (err) {
		known_module_deinit(&symbolizer->modules[index]);
		return err;
	}
	symbolizer->num_modules++;
	*ret = index;
	return NULL;
}

static bool symbolizer_is_place(const void *owner, uint32_t index, const void *key)
{
	const struct symbolizer *symbolizer = owner;
	return !memcmp(&symbolizer->places[index].key, key, sizeof(struct place_key));
}

static struct error *symbolizer_find_place(struct symbolizer *symbolizer,
					   const struct place_key *key, const struct place **ret)
{
	uint64_t hash = hash_bytes(key, sizeof(*key));
	uint32_t index = hash_table_find(&symbolizer->place_index, hash, symbolizer_is_place,
					 symbolizer, key);
	if (index != HASH_TABLE_NONE) {
		*ret = &symbolizer->places[index];
		return NULL;
	}
	struct place_namer *namer = &symbolizer->namer;
	// The namer appends to its frames; what it adds is this place's part.
	struct place place = {.key = *key, .first_frame = namer->num_frames};
	struct error *err = array_reserve(&symbolizer->places, &symbolizer->cap_places,
					  symbolizer->num_places + 1);
	if (!err)
		err = place_namer_add(namer, symbolizer->profile, &symbolizer->modules[key->module],
				      key->address);
	if (!err)
		err = hash_table_insert(&symbolizer->place_index, hash,
					(uint32_t)symbolizer->num_places);
	if (err)
		return err;
	place.num_frames = namer->num_frames - place.first_frame;
	*ret = &symbolizer->places[symbolizer->num_places];
	symbolizer->places[symbolizer->num_places++] = place;
	return NULL;
}

static struct error *find_module_of(struct symbolizer *symbolizer, struct named_profile *profile,
				    const struct module *module, uint32_t *ret)
{
	// Numbers in all tables are those of one profile.
	assert(!symbolizer->profile || symbolizer->profile == profile);
	symbolizer->profile = profile;
	return symbolizer_find_module(symbolizer, module, ret);
}

struct error *symbolizer_lacks_name(struct symbolizer *symbolizer, struct named_profile *profile,
				    const struct module *module, uint64_t address, bool *ret)
{
	uint32_t index;
	struct error *err = find_module_of(symbolizer, profile, module, &index);
	*ret = false;
	if (err || symbolizer->modules[index].has_ranges)
		return err;
	return place_namer_lacks_symbol(&symbolizer->namer, &symbolizer->modules[index], address,
					ret);
}

struct error *symbolizer_name_ranges(struct symbolizer *symbolizer, struct named_profile *profile,
				     const struct module *module, const char *name,
				     const struct symbolizer_range *ranges, size_t num_ranges)
{
	uint32_t index;
	struct error *err = find_module_of(symbolizer, profile, module, &index);
	assert(err || !symbolizer->modules[index].has_ranges);
	return err ? err
		   : known_module_set_ranges(&symbolizer->modules[index], name, ranges, num_ranges);
}

struct error *symbolizer_resolve(struct symbolizer *symbolizer, struct named_profile *profile,
				 const struct module *module, uint64_t address,
				 const uint32_t **ret, size_t *ret_num)
{
	uint32_t index;
	struct error *err = find_module_of(symbolizer, profile, module, &index);
	if (err)
		return err;
	const struct place *place;
	err = symbolizer_find_place(symbolizer, &(struct place_key){address, index}, &place);
	if (err)
		return err;
	*ret = symbolizer->namer.frames + place->first_frame;
	*ret_num = place->num_frames;
	return NULL;
}

static int symbolizer_compare_keys(const void *left, const void *right)
{
	const struct place_key *a = left, *b = right;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/** Where a function begins, and one of its places. */
struct filled_function {
	struct place_key start;
	uint64_t place;
};

struct error *symbolizer_fill_functions(struct symbolizer *symbolizer,
					struct named_profile *profile)
{
	_cleanup_free_ struct filled_function *functions =
		calloc(symbolizer->num_places + 1, sizeof(*functions));
	if (!functions)
		return &error_no_memory;
	size_t num = 0;
	for (size_t i = 0; i < symbolizer->num_places; i++) {
		const struct place_key *key = &symbolizer->places[i].key;
		struct filled_function function = {{0, key->module}, key->address};
		if (function_filler_find(&symbolizer->modules[key->module], key->address,
					 &function.start.address))
			functions[num++] = function;
	}
	// The start comes first in the struct.
	if (num)
		qsort(functions, num, sizeof(*functions), symbolizer_compare_keys);
	struct error *err = NULL;
	uint64_t done = 0;
	for (size_t i = 0; !err && i < num; i++) {
		const struct filled_function *function = &functions[i];
		if (!i || functions[i - 1].start.module != function->start.module)
			done = 0;
		err = function_filler_add(&symbolizer->namer, profile,
					  &symbolizer->modules[function->start.module],
					  function->place, &done);
	}
	return err;
}

static int symbolizer_compare_places(const void *left, const void *right)
{
	return symbolizer_compare_keys(&(*(const struct place *const *)left)->key,
				       &(*(const struct place *const *)right)->key);
}

/** Those of interpreted code are in the recording's own image. */
/** The places with names, by module and address. */
static struct error *sort_places(const struct symbolizer *symbolizer, const struct place ***ret,
				 size_t *ret_num)
{
	const struct place **places = calloc(symbolizer->num_places + 1, sizeof(*places));
	if (!places)
		return &error_no_memory;
	size_t num_places = 0;
	for (size_t i = 0; i < symbolizer->num_places; i++) {
		const struct place *place = &symbolizer->places[i];
		const struct known_module *known = &symbolizer->modules[place->key.module];
		uint32_t frame = symbolizer->namer.frames[place->first_frame];
		// Names of interpreted code are in the recording's own image.
		if (!known->is_line_image &&
		    symbolizer->profile->frames[frame].function != known->unknown)
			places[num_places++] = place;
	}
	qsort(places, num_places, sizeof(*places), symbolizer_compare_places);
	*ret = places;
	*ret_num = num_places;
	return NULL;
}

/** Writes those at the beginning that are of one module. Returns how many there are. */
struct error *symbolizer_encode_names(const struct symbolizer *symbolizer, bool is_anonymous,
				      struct string_builder *ret)
{
	_cleanup_free_ const struct place **places = NULL;
	_cleanup_(recorded_names_writer_deinit) struct recorded_names_writer writer = {0};
	size_t num_places = 0;
	struct error *err = sort_places(symbolizer, &places, &num_places);
	if (err || !num_places)
		return err;
	err = recorded_names_writer_init(&writer, symbolizer->profile);
	if (err)
		return err;
	writer.is_anonymous = is_anonymous;
	for (size_t first = 0, end; first < num_places; first = end) {
		uint64_t module = places[first]->key.module, address = 0;
		const struct known_module *known = &symbolizer->modules[module];
		end = first + 1;
		while (end < num_places && places[end]->key.module == module)
			end++;
		recorded_names_writer_module(&writer, &known->module, known->named, end - first);
		for (size_t i = first; i < end; i++) {
			const struct place *place = places[i];
			recorded_names_writer_place(&writer, place->key.address - address,
						    symbolizer->namer.frames + place->first_frame,
						    place->num_frames);
			address = place->key.address;
		}
	}
	return recorded_names_writer_finish(&writer, ret);
}

/** Why an object that could be read does not name its places. */
static void explain_object(struct object *object, struct symbolizer_complaint *complaint)
{
	static const char package[] = "install the package with its debug symbols";
	static const char linked_without[] =
		"build it with symbols: link with /debug, or without -s";
	static const struct {
		bool is_windows;
		const char *origin, *reason, *hint;
	} rows[] = {
		{false, "none", "no symbols", package},
		{false, "dynsym", "only exported functions", package},
		{true, "none", "no symbols", linked_without},
		{true, "exports", "only exported functions", linked_without},
	};
	const char *origin = object_symbol_origin(object);
	complaint->reason = "no function there";
	if (strstr(origin, ", because ")) // of a Windows image without its PDB
		complaint->reason = origin;
	if (strstr(origin, " is of a different build") || strstr(origin, " was not found"))
		complaint->hint = "give the folder of the right one with --symbol-path";
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].is_windows != object_is_windows(object) ||
		    strcmp(origin, rows[i].origin) != 0)
			continue;
		complaint->reason = rows[i].reason;
		complaint->hint = rows[i].hint;
	}
}

/** "[sim]/prog.exe": nobody compiled it, and only its recording can have names of it. */
static struct symbolizer_complaint symbolizer_complain(const struct known_module *known)
{
	static const struct {
		const char *reason, *hint;
	} rows[] = {
		[MODULE_KERNEL] = {"no function there", NULL},
		[MODULE_MEMORY] = {"code generated at run time",
				   "make its JIT compiler write perf-PID.map or jit-PID.dump"},
		[MODULE_UNMAPPED] = {"nothing was mapped there", NULL},
		[MODULE_KERNEL_IMAGE] = {"no function there", NULL},
	};
	struct symbolizer_complaint complaint = {
		.module = known_module_path(known),
		.num_places = known->num_unknown,
	};
	// "[sim]/prog.exe": nobody compiled it, and only its recording can have names of it.
	if (strncmp(known->module.path, "[sim]/", strlen("[sim]/")) == 0) {
		complaint.reason = "the recording has no names of simulated code";
		complaint.hint = "record again until the end, when wperf adds them";
	} else if (known->refusal) {
		complaint.reason = known->refusal->message;
		complaint.hint = known->refusal->hint;
		complaint.is_refusal = true;
	} else if (known->object) {
		explain_object(known->object, &complaint);
	} else {
		complaint.reason = rows[known->module.kind].reason;
		complaint.hint = rows[known->module.kind].hint;
	}
	return complaint;
}

/** Of memory there are as many modules as processes, and the same is to be said of each. */
static void add_complaint(struct symbolizer_complaint *complaints, size_t *num,
			  struct symbolizer_complaint more)
{
	for (size_t i = 0; i < *num; i++) {
		struct symbolizer_complaint *known = &complaints[i];
		bool is_same_hint = known->hint && more.hint ? !strcmp(known->hint, more.hint)
							     : known->hint == more.hint;
		if (!is_same_hint || strcmp(known->module, more.module) != 0 ||
		    strcmp(known->reason, more.reason) != 0)
			continue;
		known->num_places += more.num_places;
		return;
	}
	complaints[(*num)++] = more;
}

static int compare_complaints(const void *left, const void *right)
{
	const struct symbolizer_complaint *a = left, *b = right;
	if (a->num_places != b->num_places)
		return a->num_places > b->num_places ? -1 : 1;
	return strcmp(a->module, b->module);
}

struct error *symbolizer_complaints(struct symbolizer *symbolizer,
				    const struct symbolizer_complaint **ret, size_t *ret_num)
{
	size_t count = 0;
	for (size_t i = 0; i < symbolizer->num_modules; i++)
		// Only modules with samples in places without names: a library that nobody sampled
		// may be stripped.
		count += symbolizer->modules[i].num_unknown > 0;
	free(symbolizer->complaints);
	symbolizer->complaints = calloc(count + 1, sizeof(*symbolizer->complaints));
	if (!symbolizer->complaints)
		return &error_no_memory;
	count = 0;
	for (size_t i = 0; i < symbolizer->num_modules; i++)
		if (symbolizer->modules[i].num_unknown)
			add_complaint(symbolizer->complaints, &count,
				      symbolizer_complain(&symbolizer->modules[i]));
	qsort(symbolizer->complaints, count, sizeof(*symbolizer->complaints), compare_complaints);
	*ret = symbolizer->complaints;
	*ret_num = count;
	return NULL;
}

struct symbolizer_cuts symbolizer_cuts(const struct symbolizer *symbolizer)
{
	return (struct symbolizer_cuts){
		.num_names = symbolizer->namer.functions.num_too_large,
		.num_file_parts = symbolizer->namer.sources.budget.num_cuts,
	};
}
