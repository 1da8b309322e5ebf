// SPDX-License-Identifier: Apache-2.0

#include "symbols/recorded/recorded_names.h"

#include "base/reader.h"
#include "profile/named_profile.h"

#include <stdlib.h>
#include <string.h>

// The format is described in the header. Counts are checked against what is left of the bytes
// before anything is allocated, as each item has a known smallest size: a damaged file cannot make
// wperf allocate more than a multiple of its own size. References go only to items that were read
// before. Modules are sorted for bisection; two with the same key name nothing, because it is not
// known which one is meant.

struct recorded_module {
	enum module_kind kind;
	uint32_t pid; /* 0 where it does not matter */
	const char *path;
	size_t first_place, num_places;
};

struct recorded_names {
	const char **strings;
	struct recorded_function *functions;
	struct recorded_module *modules; /* by path, kind and pid */
	struct recorded_place *places;   /* of each module by address */
	struct recorded_frame *frames;
	size_t num_strings, num_functions, num_modules, num_places, num_frames;
};

void recorded_names_destroy(struct recorded_names *names)
{
	if (!names)
		return;
	free(names->strings);
	free(names->functions);
	free(names->modules);
	free(names->places);
	free(names->frames);
	free(names);
}

/** How many of something follow, if each of them has @least bytes. */
static size_t read_count(struct reader *reader, size_t least)
{
	uint64_t count = reader_uleb128(reader);
	if (count > reader_left(reader) / least)
		reader->failed = true;
	return reader->failed ? 0 : (size_t)count;
}

static uint32_t read_u32(struct reader *reader)
{
	uint64_t value = reader_uleb128(reader);
	if (value > UINT32_MAX)
		reader->failed = true;
	return reader->failed ? 0 : (uint32_t)value;
}

static const char *recorded_names_read_text(const struct recorded_names *names,
					    struct reader *reader)
{
	uint32_t index = read_u32(reader);
	if (index >= names->num_strings)
		reader->failed = true;
	return reader->failed ? "" : names->strings[index];
}

static struct error *read_strings(struct recorded_names *names, struct reader *reader)
{
	names->num_strings = read_count(reader, 1);
	names->strings = calloc(names->num_strings + 1, sizeof(*names->strings));
	if (!names->strings)
		return &error_no_memory;
	for (size_t i = 0; i < names->num_strings && !reader->failed; i++)
		names->strings[i] = reader_string(reader);
	return NULL;
}

enum { FUNCTION_BYTES = 5, MODULE_BYTES = 4, PLACE_BYTES = 7, FRAME_BYTES = 4 }; // at least

static struct error *recorded_names_read_functions(struct recorded_names *names,
						   struct reader *reader)
{
	names->num_functions = read_count(reader, FUNCTION_BYTES);
	names->functions = calloc(names->num_functions + 1, sizeof(*names->functions));
	if (!names->functions)
		return &error_no_memory;
	for (size_t i = 0; i < names->num_functions && !reader->failed; i++) {
		struct recorded_function *function = &names->functions[i];
		function->name = recorded_names_read_text(names, reader);
		function->module = recorded_names_read_text(names, reader);
		function->file = recorded_names_read_text(names, reader);
		function->line = read_u32(reader);
		function->kind = read_u32(reader);
		if (function->kind > FRAME_MARKER)
			reader->failed = true;
	}
	return NULL;
}

static void read_place(struct recorded_names *names, struct reader *reader, uint64_t *address)
{
	struct recorded_place *place = &names->places[names->num_places++];
	uint64_t distance = reader_uleb128(reader);
	// Addresses only go upwards, which the bisection relies on.
	if (distance > UINT64_MAX - *address)
		reader->failed = true;
	*address += distance;
	place->address = *address;
	place->symbol_address = reader_uleb128(reader);
	place->num_frames = (uint32_t)read_count(reader, FRAME_BYTES);
	place->frames = &names->frames[names->num_frames];
	if (!place->num_frames)
		reader->failed = true;
	for (uint32_t i = 0; i < place->num_frames && !reader->failed; i++) {
		struct recorded_frame *frame = &names->frames[names->num_frames++];
		frame->function = read_u32(reader);
		frame->file = recorded_names_read_text(names, reader);
		frame->line = read_u32(reader);
		frame->flags = read_u32(reader);
		frame->discriminator =
			frame->flags / RECORDED_FRAME_DISCRIMINATOR & FRAME_DISCRIMINATOR_MASK;
		if (frame->function >= names->num_functions)
			reader->failed = true;
	}
}

static int compare_modules(const void *left, const void *right)
{
	const struct recorded_module *a = left, *b = right;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return strcmp(a->path, b->path);
}

/** What is left of the bytes bounds how many places and frames there can be. */
static struct error *recorded_names_read_modules(struct recorded_names *names,
						 struct reader *reader)
{
	size_t num_modules = read_count(reader, MODULE_BYTES);
	size_t left = reader_left(reader);
	names->modules = calloc(num_modules + 1, sizeof(*names->modules));
	names->places = calloc(left / PLACE_BYTES + 1, sizeof(*names->places));
	names->frames = calloc(left / FRAME_BYTES + 1, sizeof(*names->frames));
	if (!names->modules || !names->places || !names->frames)
		return &error_no_memory;
	while (names->num_modules < num_modules && !reader->failed) {
		struct recorded_module *module = &names->modules[names->num_modules++];
		module->kind = (enum module_kind)read_u32(reader);
		module->pid = read_u32(reader);
		module->path = recorded_names_read_text(names, reader);
		module->first_place = names->num_places;
		module->num_places = read_count(reader, PLACE_BYTES);
		uint64_t address = 0;
		for (size_t i = 0; i < module->num_places && !reader->failed; i++)
			read_place(names, reader, &address);
	}
	qsort(names->modules, names->num_modules, sizeof(*names->modules), compare_modules);
	return NULL;
}

struct error *recorded_names_read(const uint8_t *bytes, size_t size, struct recorded_names **ret)
{
	_cleanup_(recorded_names_destroyp) struct recorded_names *names = calloc(1, sizeof(*names));
	if (!names)
		return &error_no_memory;
	struct reader reader = reader_create(bytes, size);
	struct error *err = read_strings(names, &reader);
	if (!err && !reader.failed)
		err = recorded_names_read_functions(names, &reader);
	if (!err && !reader.failed)
		err = recorded_names_read_modules(names, &reader);
	if (err)
		return err;
	if (reader.failed)
		return error_create(ERROR_FAILED, "the names in the recording are damaged");
	*ret = take_ptr(names);
	return NULL;
}

static const struct recorded_module *recorded_names_find_module(const struct recorded_names *names,
								const struct module *module)
{
	const struct recorded_module key = {
		.kind = module->kind,
		.pid = module_is_of_process(module) ? module->pid : 0,
		.path = module->path,
	};
	const struct recorded_module *found = bsearch(&key, names->modules, names->num_modules,
						      sizeof(*names->modules), compare_modules);
	if (!found)
		return NULL;
	const struct recorded_module *end = names->modules + names->num_modules;
	// Neighbours are enough, as equal modules stand together.
	bool has_twin = (found > names->modules && !compare_modules(found - 1, &key)) ||
			(found + 1 < end && !compare_modules(found + 1, &key));
	return has_twin ? NULL : found;
}

const struct recorded_place *recorded_names_find(const struct recorded_names *names,
						 const struct module *module, uint64_t address)
{
	const struct recorded_module *found = recorded_names_find_module(names, module);
	if (!found)
		return NULL;
	size_t low = found->first_place, end = low + found->num_places;
	for (size_t high = end; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (names->places[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && names->places[low].address == address ? &names->places[low] : NULL;
}

size_t recorded_names_num_functions(const struct recorded_names *names)
{
	return names->num_functions;
}

const struct recorded_function *recorded_names_function(const struct recorded_names *names,
							size_t index)
{
	return &names->functions[index];
}
