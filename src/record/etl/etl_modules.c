// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_modules.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "base/text/ascii.h"

#include <stdlib.h>
#include <string.h>

// Only merged files have the letters of volumes. In others the volume with ntdll.dll is C:, where
// nearly every Windows is; paths on other volumes stay as the kernel wrote them.

enum { NO_ID = UINT32_MAX, MAX_VOLUMES = 1024 };

static const struct etl_module_volume usual_volumes[] = {
	{"\\SystemRoot\\", "C:\\Windows\\"},
	{"\\??\\", ""},
	{"\\Windows\\", "C:\\Windows\\"},
};

struct error *etl_modules_text(struct etl_modules *modules, struct etl_text text, const char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder builder = STRING_BUILDER_INIT;
	etl_text_append(&builder, text);
	uint32_t id;
	if (builder.failed)
		return &error_no_memory;
	struct error *err =
		string_table_intern(&modules->strings, string_builder_peek(&builder), &id);
	if (!err)
		*ret = string_table_get(&modules->strings, id);
	return err;
}

struct error *etl_modules_add_volume(struct etl_modules *modules, const struct etl_volume *volume)
{
	if (volume->from.size == 0 || modules->num_volumes >= MAX_VOLUMES)
		return NULL;
	struct etl_module_volume added = {NULL, NULL};
	struct error *err = etl_modules_text(modules, volume->from, &added.from);
	if (!err)
		err = etl_modules_text(modules, volume->to, &added.to);
	if (!err)
		err = array_reserve(&modules->volumes, &modules->cap_volumes,
				    modules->num_volumes + 1);
	if (!err)
		modules->volumes[modules->num_volumes++] = added;
	return err;
}

struct module_place {
	uint32_t pid;
	uint64_t base;
};

static uint64_t module_place_hash(struct module_place place)
{
	const uint64_t words[] = {place.pid, place.base};
	return hash_bytes(words, sizeof(words));
}

static bool is_id_of(const void *owner, uint32_t index, const void *key)
{
	const struct etl_module_id *id = &((const struct etl_modules *)owner)->ids[index];
	const struct module_place *place = key;
	return id->pid == place->pid && id->base == place->base;
}

static uint32_t etl_modules_first_id(const struct etl_modules *modules, struct module_place place)
{
	return hash_table_find(&modules->id_index, module_place_hash(place), is_id_of, modules,
			       &place);
}

/** In the order of its digits: the first three numbers are stored with their last byte first. */
static void etl_modules_set_guid(struct record_build_id *build_id, const uint8_t *guid)
{
	static const uint8_t order[ETL_GUID_SIZE] = {3, 2, 1,  0,  5,  4,  7,  6,
						     8, 9, 10, 11, 12, 13, 14, 15};
	build_id->size = ETL_GUID_SIZE;
	for (size_t i = 0; i < ETL_GUID_SIZE; i++)
		build_id->bytes[i] = guid[order[i]];
}

struct error *etl_modules_add_id(struct etl_modules *modules, uint64_t time_ns,
				 const struct etl_image_id *id)
{
	const struct module_place place = {id->pid, id->base};
	struct etl_module_id added = {
		.pid = id->pid,
		.age = id->age,
		.next = NO_ID,
		.base = id->base,
		.time_ns = time_ns,
	};
	etl_modules_set_guid(&added.build_id, id->guid);
	struct error *err = etl_modules_text(modules, id->pdb, &added.pdb);
	if (!err)
		err = array_reserve(&modules->ids, &modules->cap_ids, modules->num_ids + 1);
	uint32_t first = etl_modules_first_id(modules, place);
	// Behind the first, which the index knows.
	if (!err && first == HASH_TABLE_NONE)
		err = hash_table_insert(&modules->id_index, module_place_hash(place),
					(uint32_t)modules->num_ids);
	if (err)
		return err;
	added.pdb = file_name_of(added.pdb);
	if (first != HASH_TABLE_NONE) {
		added.next = modules->ids[first].next;
		modules->ids[first].next = (uint32_t)modules->num_ids;
	}
	modules->ids[modules->num_ids++] = added;
	return NULL;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

const struct etl_module_id *etl_modules_find_id(const struct etl_modules *modules, uint32_t pid,
						uint64_t base, uint64_t time_ns)
{
	// A bound, as a file may name the same place a million times.
	enum { MOST = 256, KERNEL_PIDS = 4 };
	uint32_t index = etl_modules_first_id(modules, (struct module_place){pid, base});
	// Images of the kernel are of process 0 or 4, as the kernel likes.
	if (index == HASH_TABLE_NONE && record_is_kernel_address(base))
		index = etl_modules_first_id(modules,
					     (struct module_place){pid ? 0 : KERNEL_PIDS, base});
	const struct etl_module_id *best = NULL;
	for (size_t i = 0; index != NO_ID && i < MOST; i++) {
		const struct etl_module_id *id = &modules->ids[index];
		if (!best || distance(id->time_ns, time_ns) < distance(best->time_ns, time_ns))
			best = id;
		index = id->next;
	}
	return best;
}

static bool has_prefix(const char *path, const char *prefix)
{
	while (*prefix && ascii_lower(*path) == ascii_lower(*prefix))
		path++, prefix++;
	return !*prefix;
}

/** The volume that this path begins with; the longest of them. */
static const struct etl_module_volume *etl_modules_volume(const struct etl_modules *modules,
							  const char *path)
{
	const struct etl_module_volume *best = NULL;
	for (size_t i = 0; i < modules->num_volumes; i++) {
		const struct etl_module_volume *volume = &modules->volumes[i];
		if (has_prefix(path, volume->from) &&
		    (!best || strlen(volume->from) > strlen(best->from)))
			best = volume;
	}
	for (size_t i = 0; !best && i < ARRAY_SIZE(usual_volumes); i++) {
		if (has_prefix(path, usual_volumes[i].from))
			best = &usual_volumes[i];
	}
	return best;
}

struct error *etl_modules_learn(struct etl_modules *modules, const char *path)
{
	static const char device[] = "\\Device\\", ntdll[] = "\\Windows\\System32\\ntdll.dll";
	size_t length = strlen(path), end = sizeof(ntdll) - 1;
	if (!has_prefix(path, device) || length <= end || !has_prefix(path + length - end, ntdll) ||
	    etl_modules_volume(modules, path))
		return NULL;
	return etl_modules_add_volume(
		modules, &(struct etl_volume){
				 .from = {(const uint8_t *)path, length - end + 1, false},
				 .to = {(const uint8_t *)"C:\\", 3, false},
			 });
}

struct error *etl_modules_path(struct etl_modules *modules, const char *raw, const char **ret)
{
	struct error *err = etl_modules_learn(modules, raw);
	if (err)
		return err;
	_cleanup_(string_builder_deinit) struct string_builder whole = STRING_BUILDER_INIT;
	const struct etl_module_volume *volume = etl_modules_volume(modules, raw);
	string_builder_append(&whole, volume ? volume->to : "");
	string_builder_append(&whole, raw + (volume ? strlen(volume->from) : 0));
	if (whole.failed)
		return &error_no_memory;
	const char *text = string_builder_peek(&whole);
	uint32_t id;
	err = string_table_intern(&modules->strings, text, &id);
	if (!err)
		*ret = string_table_get(&modules->strings, id);
	return err;
}

void etl_modules_deinit(struct etl_modules *modules)
{
	string_table_deinit(&modules->strings);
	free(modules->volumes);
	free(modules->ids);
	hash_table_deinit(&modules->id_index);
	*modules = (struct etl_modules)ETL_MODULES_INIT;
}
