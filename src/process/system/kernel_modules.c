// SPDX-License-Identifier: Apache-2.0

#include "process/system/kernel_modules.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "base/reader.h"
#include "base/text/ascii.h"
#include "base/text/string_builder.h"

#include <stdlib.h>
#include <string.h>

// Follows RTL_PROCESS_MODULES of SystemModuleInformation, which Microsoft does not document (phnt's
// ntldr.h does): a count, then entries of fixed size with base, size and path. The path may begin
// with \SystemRoot, with the prefix of NT paths (\??\), or with a drive; kernel_module_file() turns
// each into a path that can be opened.

/** As systems of 64 bits have it (RTL_PROCESS_MODULES). */
enum {
	SECTION_AND_MAPPED_BASE = 16, // in front of the base
	FLAGS_AND_ORDER = 12,         // behind the size
	FIRST_ENTRY = 8,
};

void kernel_modules_deinit(struct kernel_modules *modules)
{
	free(modules->items);
	*modules = (struct kernel_modules)KERNEL_MODULES_INIT;
}

/** False if there is nothing to be found by it. */
static bool kernel_modules_read_module(struct reader *reader, struct kernel_module *ret)
{
	reader_skip(reader, SECTION_AND_MAPPED_BASE);
	// In this order: initializers of a struct have none.
	*ret = (struct kernel_module){.base = reader_u64(reader)};
	ret->size = reader_u32(reader);
	reader_skip(reader, FLAGS_AND_ORDER);
	const char *path = reader_bytes(reader, KERNEL_MODULE_PATH_SIZE);
	if (!path || !*path || !memchr(path, '\0', KERNEL_MODULE_PATH_SIZE))
		return false;
	strcpy(ret->path, path);
	return ret->base && ret->size && ret->base <= UINT64_MAX - ret->size;
}

static bool kernel_modules_is_same(const struct kernel_module *a, const struct kernel_module *b)
{
	return a->base == b->base && a->size == b->size && !strcmp(a->path, b->path);
}

/** @index: where the list before had it, most often, as what is new comes last. */
static bool kernel_modules_was_there(const struct kernel_modules *modules, size_t index,
				     const struct kernel_module *module)
{
	if (index < modules->num_items && kernel_modules_is_same(&modules->items[index], module))
		return true;
	for (size_t i = 0; i < modules->num_items; i++)
		if (kernel_modules_is_same(&modules->items[i], module))
			return true;
	return false;
}

struct error *kernel_modules_look(struct kernel_modules *modules, const uint8_t *bytes, size_t size)
{
	_cleanup_free_ struct kernel_module *items = NULL;
	size_t num_items = 0, cap_items = 0;
	struct reader reader = reader_create(bytes, size);
	uint32_t num = reader_u32(&reader);
	reader_seek(&reader, FIRST_ENTRY);
	for (uint32_t i = 0; i < num && i < KERNEL_MODULES_MAX && !reader.failed; i++) {
		struct error *err = array_reserve(&items, &cap_items, num_items + 1);
		if (err)
			return err;
		if (!kernel_modules_read_module(&reader, &items[num_items]))
			continue;
		items[num_items].is_new =
			!kernel_modules_was_there(modules, num_items, &items[num_items]);
		num_items++;
	}
	kernel_modules_deinit(modules);
	*modules = (struct kernel_modules){take_ptr(items), num_items, cap_items};
	return NULL;
}

static bool kernel_modules_begins_with(const char *path, const char *prefix)
{
	while (*prefix && ascii_lower(*path) == ascii_lower(*prefix))
		path++, prefix++;
	return !*prefix;
}

struct error *kernel_module_file(const char *path, const char *windows, char **ret)
{
	static const char root[] = "\\SystemRoot", device[] = "\\??\\";
	_cleanup_(string_builder_deinit) struct string_builder file = STRING_BUILDER_INIT;
	*ret = NULL;
	if (file_name_has_drive(path))
		string_builder_append(&file, path);
	else if (kernel_modules_begins_with(path, device) &&
		 file_name_has_drive(path + strlen(device)))
		string_builder_append(&file, path + strlen(device));
	else if (kernel_modules_begins_with(path, root) && path[strlen(root)] == '\\')
		string_builder_appendf(&file, "%s%s", windows, path + strlen(root));
	else
		return NULL;
	return string_builder_finish(&file, ret);
}
