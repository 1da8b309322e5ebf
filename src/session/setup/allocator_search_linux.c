// SPDX-License-Identifier: Apache-2.0

#include "session/setup/allocator_search.h"

#include "base/container/array.h"
#include "object/object.h"
#include "process/thread/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Each file that the process has mapped with code is opened, as the process sees it, and asked for
// malloc(). The dynamic linker takes the program's own before that of any library, and of libraries
// the first in its order, where those of allocators stand before the C library. The order of the
// maps is another one, so that a library is preferred to the C library wherever it is.

enum { MAX_FILES = 4096 };

/** A file, with its code's addresses in the process. */
struct mapped_file {
	const char *path; /* /proc/PID/root/... */
	const char *name; /* behind the last slash */
	struct allocation_range range;
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

static struct error *add_mapped(struct mapped_files *files, const struct record_map *map)
{
	const char *path = arena_printf(files->arena, "/proc/%u/root%s", files->pid, map->path);
	uint64_t end = map->start + map->length;
	if (!path)
		return &error_no_memory;
	for (size_t i = 0; i < files->num_items; i++) {
		struct mapped_file *file = &files->items[i];
		if (strcmp(file->path, path) != 0)
			continue;
		file->range.start = map->start < file->range.start ? map->start : file->range.start;
		file->range.end = end > file->range.end ? end : file->range.end;
		return NULL;
	}
	if (files->num_items == MAX_FILES)
		return NULL;
	struct error *err = array_reserve(&files->items, &files->cap_items, files->num_items + 1);
	if (!err)
		files->items[files->num_items++] = (struct mapped_file){
			.path = path,
			.name = strrchr(path, '/') + 1,
			.range = {map->start, end},
		};
	return err;
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
static struct object *open_mapped(const struct mapped_file *file)
{
	const struct object_places places = {.debug_root = "", .is_kernels_link = true};
	struct object *object = NULL;
	struct error *err = object_open_with(file->path, &places, &object);
	error_destroy(err);
	return err ? NULL : object;
}

/** False if the object has no such function with code. */
static bool find_offset(struct object *object, const char *function, uint64_t *ret)
{
	struct object_function found;
	bool is_found = false;
	struct error *err = object_find_named_function(object, function, &found, &is_found);
	error_destroy(err);
	return !err && is_found && !found.is_chooser &&
	       object_code_offset(object, found.address, ret);
}

struct allocator_function {
	const char *name;
	enum allocation_kind kind, kind_of_libc;
};

static const struct allocator_function allocator_functions[] = {
	{"malloc", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"calloc", ALLOCATION_PRODUCT, ALLOCATION_PRODUCT},
	{"realloc", ALLOCATION_SIZE_SECOND, ALLOCATION_LIBC_REALLOC},
	{"memalign", ALLOCATION_SIZE_SECOND, ALLOCATION_LIBC_MEMALIGN},
	{"aligned_alloc", ALLOCATION_SIZE_SECOND, ALLOCATION_LIBC_MEMALIGN},
	{"posix_memalign", ALLOCATION_SIZE_THIRD, ALLOCATION_LIBC_POSIX_MEMALIGN},
	{"valloc", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"pvalloc", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
};

enum { MAX_ALLOCATOR_PLACES = ARRAY_SIZE(allocator_functions) + 1 };

static void add_place(struct allocator_places *places, const struct mapped_file *file,
		      uint64_t offset, enum allocation_kind kind)
{
	// Two names of one function (memalign and aligned_alloc of glibc).
	for (size_t i = 0; i < places->num_items; i++)
		if (places->items[i].path == file->path && places->items[i].offset == offset)
			return;
	places->items[places->num_items++] =
		(struct allocator_place){.path = file->path, .offset = offset, .kind = kind};
}

static void add_functions(struct allocator_places *places, const struct mapped_file *file,
			  struct object *object, bool is_libc)
{
	for (size_t i = 0; i < ARRAY_SIZE(allocator_functions); i++) {
		const struct allocator_function *function = &allocator_functions[i];
		uint64_t offset;
		if (find_offset(object, function->name, &offset))
			add_place(places, file, offset,
				  is_libc ? function->kind_of_libc : function->kind);
	}
}

/** Does the process run this file? */
static bool is_program(uint32_t pid, const struct mapped_file *file)
{
	char link[64];
	struct stat program, mapped;
	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	return !stat(link, &program) && !stat(file->path, &mapped) &&
	       program.st_dev == mapped.st_dev && program.st_ino == mapped.st_ino;
}

/** The file whose malloc() counts, or NULL. */
static const struct mapped_file *choose_allocator(const struct mapped_files *files)
{
	const struct mapped_file *chosen = NULL;
	for (size_t i = 0; i < files->num_items; i++) {
		const struct mapped_file *file = &files->items[i];
		uint64_t offset;
		if (is_linker(file))
			continue;
		_cleanup_(object_destroyp) struct object *object = open_mapped(file);
		if (!object || !find_offset(object, "malloc", &offset))
			continue;
		if (is_program(files->pid, file))
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
	_cleanup_(object_destroyp) struct object *object = open_mapped(allocator);
	_cleanup_(object_destroyp) struct object *libc_object = libc ? open_mapped(libc) : NULL;
	uint64_t offset;
	if (object)
		add_functions(ret, allocator, object, allocator == libc);
	if (libc_object && find_offset(libc_object, "mmap", &offset))
		add_place(ret, libc, offset, ALLOCATION_MMAP);
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
