// SPDX-License-Identifier: Apache-2.0

#include "session/setup/allocator_search.h"

#include "base/container/array.h"
#include "object/object.h"
#include "process/thread/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Each file that the process has mapped with code is opened by the kernel's link to it, and asked
// for a malloc() that calls can be bound to; its debug file is not looked for. Who may not follow
// these links opens it by its path, as the process sees it. The dynamic linker takes the program's
// own before that of any library, and of libraries the first in its order, where those of
// allocators stand before the C library. The order of the maps is another one, so that a library is
// preferred to the C library wherever it is.

enum { MAX_FILES = 4096 };

/** A file, with its code's addresses in the process. */
struct mapped_file {
	struct allocator_file file;
	const char *name; /* behind the last slash */
	uint32_t major, minor;
	uint64_t inode;
	struct allocation_range range; /* from its first to its last code */
};

struct mapped_files {
	struct arena *arena;
	uint32_t pid;
	struct mapped_file *items;
	size_t num_items, cap_items;
};

static void mapped_files_deinit(struct mapped_files *files)
{
	free(files->items);
}

static bool is_mapping_of(const struct mapped_file *file, const struct record_map *map)
{
	return file->inode == map->inode && file->major == map->major && file->minor == map->minor;
}

static bool has_link(uint32_t pid, struct allocator_file file)
{
	char path[ALLOCATOR_MAX_PATH];
	struct stat target;
	file.has_link = true;
	allocator_file_path(&file, pid, path);
	return stat(path, &target) == 0;
}

static struct error *add_mapped(struct mapped_files *files, const struct record_map *map)
{
	uint64_t end = map->start + map->length;
	for (size_t i = 0; i < files->num_items; i++) {
		struct mapped_file *file = &files->items[i];
		if (!is_mapping_of(file, map))
			continue;
		file->range.start = map->start < file->range.start ? map->start : file->range.start;
		file->range.end = end > file->range.end ? end : file->range.end;
		return NULL;
	}
	if (files->num_items == MAX_FILES)
		return NULL;
	struct error *err = array_reserve(&files->items, &files->cap_items, files->num_items + 1);
	const char *path = err ? NULL : arena_strdup(files->arena, map->path);
	if (!path)
		return err ? err : &error_no_memory;
	struct mapped_file *file = &files->items[files->num_items++];
	*file = (struct mapped_file){
		.file = {.path = path, .start = map->start, .end = end},
		.name = strrchr(path, '/') + 1,
		.major = map->major,
		.minor = map->minor,
		.inode = map->inode,
		.range = {map->start, end},
	};
	file->file.has_link = has_link(files->pid, file->file);
	return NULL;
}

static struct error *list_mapped(struct mapped_files *files)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&files->pid, 1, &running);
	for (bool more = true; !err && more;) {
		struct record record;
		err = running_next(running, &record, &more);
		if (!err && more && record.kind == RECORD_MAP && record.map.is_executable &&
		    record.mode != RECORD_MODE_KERNEL && record.map.path[0] == '/' &&
		    record.map.path[1] != '/')
			err = add_mapped(files, &record.map);
	}
	return err;
}

static bool begins(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_linker(const struct mapped_file *file)
{
	return begins(file->name, "ld-linux") || begins(file->name, "ld-2.");
}

/** glibc, by its names since 2.34 and before, and musl. */
static bool is_c_library(const struct mapped_file *file)
{
	return begins(file->name, "libc.so.") || begins(file->name, "libc-2.") ||
	       begins(file->name, "ld-musl-");
}

/** NULL: it cannot be read, or is no object. */
static struct object *open_mapped(uint32_t pid, const struct mapped_file *file)
{
	const struct object_places places = {.debug_root = "",
					     .is_kernels_link = file->file.has_link};
	char path[ALLOCATOR_MAX_PATH];
	struct object *object = NULL;
	allocator_file_path(&file->file, pid, path);
	struct error *err = object_open_with(path, &places, &object);
	error_destroy(err);
	return err ? NULL : object;
}

/** False if the object has no such function with code that others call. */
static bool find_offset(const struct object *object, const char *function, bool is_program,
			uint64_t *ret)
{
	struct object_function found;
	return object_find_global_function(object, function, is_program, &found) &&
	       !found.is_chooser && object_code_offset(object, found.address, ret);
}

struct allocator_function {
	const char *name;
	enum allocation_kind kind, kind_of_libc;
};

static const struct allocator_function allocator_functions[] = {
	{"malloc", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"calloc", ALLOCATION_PRODUCT, ALLOCATION_PRODUCT},
	{"realloc", ALLOCATION_REALLOC, ALLOCATION_LIBC_REALLOC},
	{"memalign", ALLOCATION_SIZE_SECOND, ALLOCATION_LIBC_MEMALIGN},
	{"aligned_alloc", ALLOCATION_SIZE_SECOND, ALLOCATION_LIBC_MEMALIGN},
	{"posix_memalign", ALLOCATION_SIZE_THIRD, ALLOCATION_LIBC_POSIX_MEMALIGN},
	{"valloc", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"pvalloc", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"free", ALLOCATION_FREE, ALLOCATION_FREE},
	{"cfree", ALLOCATION_FREE, ALLOCATION_FREE},
	{"free_sized", ALLOCATION_FREE, ALLOCATION_FREE},
	{"free_aligned_sized", ALLOCATION_FREE, ALLOCATION_FREE},
};

/** Of the C library, whatever the allocator is. */
static const struct allocator_function mapping_functions[] = {
	{"mmap", ALLOCATION_MMAP, ALLOCATION_MMAP},
	{"munmap", ALLOCATION_FREE, ALLOCATION_FREE},
};

enum {
	MAX_ALLOCATOR_PLACES = ARRAY_SIZE(allocator_functions) + ARRAY_SIZE(mapping_functions),
};

static void add_place(struct allocator_places *places, const struct allocator_file *file,
		      uint64_t offset, enum allocation_kind kind)
{
	// Two names of one function (memalign and aligned_alloc of glibc).
	for (size_t i = 0; i < places->num_items; i++)
		if (places->items[i].file == file && places->items[i].offset == offset)
			return;
	places->items[places->num_items++] =
		(struct allocator_place){.file = file, .offset = offset, .kind = kind};
}

/** A list of functions that a file may have. */
struct allocator_interface {
	const struct allocator_function *functions;
	size_t num_functions;
	bool is_libc, is_program; /* of the file */
};

static void add_functions(struct allocator_places *places, const struct allocator_file *file,
			  const struct object *object, const struct allocator_interface *interface)
{
	for (size_t i = 0; i < interface->num_functions; i++) {
		const struct allocator_function *function = &interface->functions[i];
		uint64_t offset;
		if (find_offset(object, function->name, interface->is_program, &offset))
			add_place(places, file, offset,
				  interface->is_libc ? function->kind_of_libc : function->kind);
	}
}

/** Does the process run this file? */
static bool is_program(uint32_t pid, const struct mapped_file *file)
{
	char link[64], path[ALLOCATOR_MAX_PATH];
	struct stat program, mapped;
	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	allocator_file_path(&file->file, pid, path);
	return !stat(link, &program) && !stat(path, &mapped) && program.st_dev == mapped.st_dev &&
	       program.st_ino == mapped.st_ino;
}

/** The file whose malloc() counts, or NULL. */
static const struct mapped_file *choose_allocator(const struct mapped_files *files)
{
	const struct mapped_file *chosen = NULL;
	for (size_t i = 0; i < files->num_items; i++) {
		const struct mapped_file *file = &files->items[i];
		bool runs = is_program(files->pid, file);
		uint64_t offset;
		if (is_linker(file))
			continue;
		_cleanup_(object_destroyp) struct object *object = open_mapped(files->pid, file);
		if (!object || !find_offset(object, "malloc", runs, &offset))
			continue;
		if (runs)
			return file;
		if (!chosen || is_c_library(chosen))
			chosen = file;
	}
	return chosen;
}

static const struct mapped_file *find_c_library(const struct mapped_files *files)
{
	for (size_t i = 0; i < files->num_items; i++)
		if (is_c_library(&files->items[i]))
			return &files->items[i];
	return NULL;
}

static struct error *no_allocator(uint32_t pid, size_t num_files)
{
	struct error *err = error_create(ERROR_FAILED, "process %u has no malloc() to probe", pid);
	if (!num_files)
		return error_with_hint(err, "its maps cannot be read: run wperf as root");
	return error_with_hint(err, "static and stripped programs, and programs of Go, have none "
				    "that can be found");
}

static struct error *keep_file(struct arena *arena, const struct mapped_file *file,
			       const struct allocator_file **ret)
{
	struct allocator_file *kept = arena_alloc(arena, sizeof(*kept));
	if (!kept)
		return &error_no_memory;
	*kept = file->file;
	*ret = kept;
	return NULL;
}

static struct error *search_one(uint32_t pid, struct arena *arena, struct allocator_places *ret)
{
	_cleanup_(mapped_files_deinit) struct mapped_files files = {.arena = arena, .pid = pid};
	struct error *err = list_mapped(&files);
	if (err)
		return err;
	const struct mapped_file *allocator = choose_allocator(&files);
	if (!allocator)
		return no_allocator(pid, files.num_items);
	const struct mapped_file *libc = find_c_library(&files);
	*ret = (struct allocator_places){
		.pid = pid,
		.allocator = allocator->name,
		.items = arena_alloc_array(arena, MAX_ALLOCATOR_PLACES, sizeof(*ret->items)),
	};
	if (!ret->items)
		return &error_no_memory;
	const struct allocator_file *allocator_file, *libc_file = NULL;
	err = keep_file(arena, allocator, &allocator_file);
	if (!err && libc)
		err = keep_file(arena, libc, &libc_file);
	if (err)
		return err;
	_cleanup_(object_destroyp) struct object *object = open_mapped(pid, allocator);
	_cleanup_(object_destroyp) struct object *libc_object =
		libc ? open_mapped(pid, libc) : NULL;
	const struct allocator_interface of_allocator = {allocator_functions,
							 ARRAY_SIZE(allocator_functions),
							 allocator == libc,
							 is_program(pid, allocator)};
	const struct allocator_interface of_libc = {mapping_functions,
						    ARRAY_SIZE(mapping_functions), true, false};
	if (object)
		add_functions(ret, allocator_file, object, &of_allocator);
	if (libc_object)
		add_functions(ret, libc_file, libc_object, &of_libc);
	if (libc)
		ret->process.ranges[0] = libc->range;
	// A program with an allocator of its own calls it from the same file.
	bool is_library = allocator != libc && strstr(allocator->name, ".so");
	if (is_library)
		ret->process.ranges[1] = allocator->range;
	return NULL;
}

struct error *allocator_search(const uint32_t *pids, size_t num_pids, struct arena *arena,
			       const struct allocator_places **ret)
{
	struct allocator_places *places = arena_alloc_array(arena, num_pids, sizeof(*places));
	if (!places)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_pids; i++)
		err = search_one(pids[i], arena, &places[i]);
	if (!err)
		*ret = places;
	return err;
}
