// SPDX-License-Identifier: Apache-2.0

#include "process/module_table.h"

#include "base/container/array.h"
#include "base/file/file_name.h"

#include <stdlib.h>
#include <string.h>

// The kind of a module comes from the path in its mapping record: kernels and perf use names in
// brackets and a few prefixes for memory without a file (`special_paths`, compared in order).
// Windows itself (ETW) records images as a whole, from their headers at offset 0 on; our own
// readers of Windows processes record their sections with code, which never begin there.
//
// Modules are interned: the same file has the same number in all processes. Memory of processes is
// a module per process, because equal addresses mean different code. Identity includes device,
// inode and build id, so that a file that was replaced during the recording is a second module.

/** What the path of a mapping says of it; the first row that fits. */
static const struct {
	const char *path;
	bool is_prefix;
	enum module_kind kind;
} special_paths[] = {
	{"[kernel.kallsyms]", true, MODULE_KERNEL},
	{"[guest.kernel.kallsyms", true, MODULE_KERNEL},
	{"[vdso]", false, MODULE_VDSO},
	{"[vdso32]", false, MODULE_VDSO},
	{"//anon", false, MODULE_MEMORY},
	{"/dev/zero", true, MODULE_MEMORY},
	{"/anon_hugepage", true, MODULE_MEMORY},
	{"/memfd:", true, MODULE_MEMORY},
	{"/SYSV", true, MODULE_MEMORY},
	{"[", true, MODULE_MEMORY}, // [heap], [stack], [anon:...], [uprobes]
};

static enum module_kind kind_of_path(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(special_paths); i++) {
		const char *special = special_paths[i].path;
		bool fits = special_paths[i].is_prefix ? !strncmp(path, special, strlen(special))
						       : !strcmp(path, special);
		if (fits)
			return special_paths[i].kind;
	}
	// The kernel's modules are named in brackets by perf, files by their path.
	return *path ? MODULE_FILE : MODULE_MEMORY;
}

bool module_is_of_process(const struct module *module)
{
	return module->kind == MODULE_MEMORY || module->kind == MODULE_UNMAPPED;
}

bool module_is_file(const struct module *module)
{
	return module->kind == MODULE_FILE || module->kind == MODULE_KERNEL_IMAGE;
}

bool module_has_offsets(const struct module *module)
{
	return module_is_file(module) || module->kind == MODULE_VDSO;
}

bool module_is_of_kernel(const struct module *module)
{
	return module->kind == MODULE_KERNEL || module->kind == MODULE_KERNEL_IMAGE;
}

bool module_is_same(const struct module *a, const struct module *b)
{
	return a->kind == b->kind && a->is_image == b->is_image &&
	       (!module_is_of_process(a) || a->pid == b->pid) && a->inode == b->inode &&
	       a->major == b->major && a->minor == b->minor &&
	       a->inode_generation == b->inode_generation && a->build_id.size == b->build_id.size &&
	       !memcmp(a->build_id.bytes, b->build_id.bytes, a->build_id.size) &&
	       !strcmp(a->path, b->path);
}

static bool module_table_is_module(const void *owner, uint32_t index, const void *key)
{
	return module_is_same(&((const struct module_table *)owner)->items[index], key);
}

struct error *module_table_intern(struct module_table *table, const struct module *module,
				  uint32_t *ret)
{
	const uint64_t words[] = {
		(uint64_t)module->kind << 1 | module->is_image,
		module_is_of_process(module) ? module->pid : 0,
		module->inode,
		hash_bytes(module->path, strlen(module->path)),
	};
	uint64_t hash = hash_bytes(words, sizeof(words));
	uint32_t index =
		hash_table_find(&table->index, hash, module_table_is_module, table, module);
	if (index != HASH_TABLE_NONE) {
		*ret = index;
		return NULL;
	}
	struct error *err = array_reserve(&table->items, &table->cap_items, table->num_items + 1);
	if (err)
		return err;
	index = (uint32_t)table->num_items;
	const char *path = arena_strdup(&table->arena, module->path);
	if (!path)
		return &error_no_memory;
	err = hash_table_insert(&table->index, hash, index);
	if (err)
		return err;
	table->items[index] = *module;
	table->items[index].path = path;
	table->num_items++;
	*ret = index;
	return NULL;
}

static bool module_table_is_image(const struct record_map *map)
{
	bool is_of_windows = file_name_has_drive(map->path) || map->path[0] == '\\';
	return is_of_windows && map->file_offset == 0;
}

struct error *module_table_intern_map(struct module_table *table, const struct record *record,
				      uint32_t *ret)
{
	const struct record_map *map = &record->map;
	enum module_kind kind;
	// Linux' kernel has symbols, of its modules as well; that of Windows is made of images.
	if (record->mode == RECORD_MODE_KERNEL)
		kind = file_name_has_backslashes(map->path) ? MODULE_KERNEL_IMAGE : MODULE_KERNEL;
	else
		kind = kind_of_path(map->path);
	// Only what makes a difference is filled, as the rest is compared, too: all of Linux'
	// kernel is one module without a path.
	struct module module = {.kind = kind, .path = "", .pid = record->pid};
	if (module_has_offsets(&module))
		module.build_id = map->build_id;
	if (module_is_file(&module)) {
		module.is_image = module_table_is_image(map);
		module.path = map->path;
		module.major = map->major;
		module.minor = map->minor;
		module.inode = map->inode;
		module.inode_generation = map->inode_generation;
	} else if (kind != MODULE_KERNEL) {
		module.path = map->path;
	}
	return module_table_intern(table, &module, ret);
}

void module_table_deinit(struct module_table *table)
{
	free(table->items);
	hash_table_deinit(&table->index);
	arena_deinit(&table->arena);
	*table = (struct module_table)MODULE_TABLE_INIT;
}
