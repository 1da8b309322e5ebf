// SPDX-License-Identifier: Apache-2.0

#include "symbols/known_module.h"

#include "base/file/file_name.h"
#include "record/build_id.h"

#include <stdlib.h>
#include <string.h>

// A module of the recording and what is known of its names: the object that was opened for it, the
// reason why there is none, ranges that the session named. It enters the profile when its first
// place is looked up, so that modules without samples are not in any list. Its path in the profile
// is what the recording says, wherever its file was found.

const char *known_module_path(const struct known_module *known)
{
	static const char *const without_file[] = {
		[MODULE_KERNEL] = "[kernel]",
		[MODULE_VDSO] = "[vdso]",
		[MODULE_MEMORY] = "[memory]",
		[MODULE_UNMAPPED] = "[unmapped]",
	};
	enum module_kind kind = known->module.kind;
	const char *path = known->module.path;
	if (module_is_file(&known->module))
		return path;
	// "[heap]" says more than "[memory]"; "//anon" does not.
	return kind == MODULE_MEMORY && path[0] && path[0] != '/' ? path : without_file[kind];
}

static struct error *set_build_id(struct named_profile *profile, const struct record_build_id *id,
				  struct named_module *named)
{
	char digits[BUILD_ID_DIGITS + 1];
	build_id_format(id, digits);
	return named_profile_string(profile, digits, &named->build_id);
}

static struct error *name_module(struct known_module *known, struct named_profile *profile)
{
	struct named_module named = {.pid = known->module.pid};
	const char *path = known_module_path(known);
	const char *name = file_name_of(path);
	struct error *err = named_profile_string(profile, path, &named.path);
	if (!err)
		err = named_profile_string(profile, *name ? name : path, &named.name);
	if (!err)
		err = set_build_id(profile, &known->module.build_id, &named);
	return err ? err : named_profile_module(profile, &named, &known->named);
}

struct error *known_module_tell_build(struct known_module *known, struct named_profile *profile)
{
	if (known->has_told_build || !known->object || known->named == NAMED_NONE)
		return NULL;
	known->has_told_build = true;
	struct named_module *named = &profile->modules[known->named];
	// The file has been identified by its inode, or by its path alone if there was no better.
	struct record_build_id id = {0};
	if (!named->build_id)
		id.size = (uint8_t)object_build_id(known->object, id.bytes);
	return id.size ? set_build_id(profile, &id, named) : NULL;
}

struct error *known_module_init(struct known_module *known, const struct module *module,
				struct named_profile *profile)
{
	struct known_module made = {
		.module = *module,
		.named = NAMED_NONE,
		.unknown = NAMED_NONE,
	};
	_cleanup_free_ char *path = strdup(module->path);
	if (!path)
		return &error_no_memory;
	made.module.path = path;
	// Addresses where nothing was mapped are in no module of the profile.
	if (module->kind != MODULE_UNMAPPED) {
		struct error *err = name_module(&made, profile);
		if (err)
			return err;
	}
	*known = made;
	path = NULL;
	return NULL;
}

void known_module_deinit(struct known_module *known)
{
	free((char *)known->module.path);
	free(known->ranges);
	free(known->range_name);
	object_destroy(known->object);
	error_destroy(known->refusal);
}

struct error *known_module_set_ranges(struct known_module *known, const char *name,
				      const struct symbolizer_range *ranges, size_t num_ranges)
{
	_cleanup_free_ char *range_name = strdup(name);
	_cleanup_free_ struct symbolizer_range *copy = calloc(num_ranges + 1, sizeof(*copy));
	if (!range_name || !copy)
		return &error_no_memory;
	for (size_t i = 0; i < num_ranges; i++)
		copy[i] = ranges[i];
	known->ranges = take_ptr(copy);
	known->num_ranges = num_ranges;
	known->range_name = take_ptr(range_name);
	known->has_ranges = true;
	return NULL;
}

const struct symbolizer_range *known_module_find_range(const struct known_module *known,
						       uint64_t address)
{
	for (size_t i = 0; i < known->num_ranges; i++)
		if (address >= known->ranges[i].start && address < known->ranges[i].end)
			return &known->ranges[i];
	return NULL;
}
