// SPDX-License-Identifier: Apache-2.0

#include "session/setup/allocator_search.h"

#include "base/container/array.h"
#include "object/object.h"
#include "process/thread/running.h"
#include "session/setup/code_jumps.h"

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
//
// Allocators bring C++'s operators, which do not call their malloc(), or only now and then. What
// one of these functions calls in another is not counted again, by the address it returns to. A
// function that ends by jumping to another has left no such address: it is not probed then.

enum { MAX_FILES = 4096 };

/** A file, with its code's addresses in the process. */
struct mapped_file {
	struct allocator_file file;
	const char *name; /* behind the last slash */
	uint32_t major, minor;
	uint64_t inode;
	struct allocation_range range; /* from its first to its last code */
	uint64_t offset;               /* in the file, of the first byte of file.start */
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
		.offset = map->file_offset,
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
static bool find_function(const struct object *object, const char *name, bool is_program,
			  struct object_function *ret)
{
	return object_find_global_function(object, name, is_program, ret) && !ret->is_chooser;
}

static bool find_offset(const struct object *object, const char *function, bool is_program,
			uint64_t *ret)
{
	struct object_function found;
	return find_function(object, function, is_program, &found) &&
	       object_code_offset(object, found.address, ret);
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
	// jemalloc(3)
	{"mallocx", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"rallocx", ALLOCATION_REALLOC, ALLOCATION_REALLOC},
	{"dallocx", ALLOCATION_FREE, ALLOCATION_FREE},
	{"sdallocx", ALLOCATION_FREE, ALLOCATION_FREE},
	{"free", ALLOCATION_FREE, ALLOCATION_FREE},
	{"cfree", ALLOCATION_FREE, ALLOCATION_FREE},
	{"free_sized", ALLOCATION_FREE, ALLOCATION_FREE},
	{"free_aligned_sized", ALLOCATION_FREE, ALLOCATION_FREE},
};

/** In files with a function `beside`, these end by jumping to memalign(), through a stub. */
static const struct {
	const char *name, *beside;
} jumping_functions[] = {{"valloc", "tc_memalign"}, {"pvalloc", "tc_memalign"}};

/** C++'s, by the size alone, with an alignment behind it, and what does not throw. Of the operators
 *  delete there are those that know the size as well. */
static const struct allocator_function operators[] = {
	{"_Znwm", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_Znam", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_ZnwmSt11align_val_t", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_ZnamSt11align_val_t", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_ZnwmRKSt9nothrow_t", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_ZnamRKSt9nothrow_t", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_ZnwmSt11align_val_tRKSt9nothrow_t", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_ZnamSt11align_val_tRKSt9nothrow_t", ALLOCATION_SIZE_FIRST, ALLOCATION_SIZE_FIRST},
	{"_ZdlPv", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdaPv", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdlPvm", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdaPvm", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdlPvSt11align_val_t", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdaPvSt11align_val_t", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdlPvmSt11align_val_t", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdaPvmSt11align_val_t", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdlPvRKSt9nothrow_t", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdaPvRKSt9nothrow_t", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdlPvSt11align_val_tRKSt9nothrow_t", ALLOCATION_FREE, ALLOCATION_FREE},
	{"_ZdaPvSt11align_val_tRKSt9nothrow_t", ALLOCATION_FREE, ALLOCATION_FREE},
};

/** Of the C library, whatever the allocator is. */
static const struct allocator_function mapping_functions[] = {
	{"mmap", ALLOCATION_MMAP, ALLOCATION_MMAP},
	{"munmap", ALLOCATION_FREE, ALLOCATION_FREE},
};

enum {
	MAX_ALLOCATOR_PLACES = ARRAY_SIZE(allocator_functions) + ARRAY_SIZE(operators) +
			       ARRAY_SIZE(mapping_functions),
	FUNCTION_BYTES = 64, // of one whose size is not said
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
	const struct mapped_file *mapped; /* the file */
	const struct allocator_file *file;
	bool is_libc, is_program; /* of it */
};

static bool jumps_to_memalign(const struct object *object, const char *name, bool is_program)
{
	struct object_function beside;
	for (size_t i = 0; i < ARRAY_SIZE(jumping_functions); i++)
		if (strcmp(jumping_functions[i].name, name) == 0 &&
		    find_function(object, jumping_functions[i].beside, is_program, &beside))
			return true;
	return false;
}

static uint64_t function_bytes(const struct object_function *function)
{
	return function->size ? function->size : FUNCTION_BYTES;
}

/** Does it end in a function that is probed? Then its calls are seen there. */
static bool ends_elsewhere(const struct allocator_places *places, struct object *object,
			   const struct object_function *function)
{
	uint64_t offset;
	const struct object_bytes code =
		object_code(object, function->address, function_bytes(function));
	if (!object_code_offset(object, function->address, &offset))
		return false;
	for (size_t i = 0; i < places->num_items; i++) {
		// Other code of the same segment is as far away in memory as in the file.
		uint64_t target = function->address + (places->items[i].offset - offset);
		if (places->items[i].kind != ALLOCATION_FREE &&
		    code_jumps_to(&code, object_machine(object), target))
			return true;
	}
	return false;
}

static bool is_probed(const struct allocator_places *places,
		      const struct allocator_interface *interface, struct object *object,
		      const struct allocator_function *function, struct object_function *ret)
{
	if (!find_function(object, function->name, interface->is_program, ret))
		return false;
	if (interface->is_libc || function->kind == ALLOCATION_FREE ||
	    function->kind == ALLOCATION_REALLOC)
		return true;
	return !jumps_to_memalign(object, function->name, interface->is_program) &&
	       !ends_elsewhere(places, object, ret);
}

/** What a program's own functions call in one another is not counted again. */
static void add_range(struct allocator_places *places, const struct mapped_file *mapped,
		      uint64_t offset, uint64_t size)
{
	uint64_t start = mapped->file.start + (offset - mapped->offset);
	for (size_t i = 1; i < ALLOCATION_NUM_RANGES; i++) {
		struct allocation_range *range = &places->process.ranges[i];
		if (range->end)
			continue;
		*range = (struct allocation_range){start, start + size};
		return;
	}
}

static void add_functions(struct allocator_places *places, struct object *object,
			  const struct allocator_interface *interface)
{
	for (size_t i = 0; i < interface->num_functions; i++) {
		const struct allocator_function *function = &interface->functions[i];
		struct object_function found;
		uint64_t offset;
		if (!is_probed(places, interface, object, function, &found) ||
		    !object_code_offset(object, found.address, &offset))
			continue;
		add_place(places, interface->file, offset,
			  interface->is_libc ? function->kind_of_libc : function->kind);
		if (interface->is_program && function->kind != ALLOCATION_FREE)
			add_range(places, interface->mapped, offset, function_bytes(&found));
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
	struct allocator_interface interface = {
		allocator_functions, ARRAY_SIZE(allocator_functions), allocator, allocator_file,
		allocator == libc,   is_program(pid, allocator),
	};
	if (object)
		add_functions(ret, object, &interface);
	// Those of the C++ library call the C library's malloc().
	interface.functions = operators;
	interface.num_functions = ARRAY_SIZE(operators);
	if (object && allocator != libc)
		add_functions(ret, object, &interface);
	const struct allocator_interface of_libc = {
		mapping_functions, ARRAY_SIZE(mapping_functions), libc, libc_file, true, false,
	};
	if (libc_object)
		add_functions(ret, libc_object, &of_libc);
	if (libc)
		ret->process.ranges[0] = libc->range;
	// A program with an allocator of its own calls it from the same file: see add_range().
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
