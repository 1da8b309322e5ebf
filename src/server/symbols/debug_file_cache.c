// SPDX-License-Identifier: Apache-2.0
// Objects read their tables at the first question, so that one thread at a time may ask: each file
// has a lock. The lock of the cache is held for moments only, never while a file is read. A thread
// holds at most one file, and takes its lock without that of the cache: nobody waits in a circle.
//
// The file is opened by its path each time, which costs microseconds, and compared with the one
// that is known: another inode is another file. The old one is closed when nobody uses it.

#include "server/symbols/debug_file_cache.h"

#include "base/container/array.h"
#include "base/file/foreign_file.h"
#include "base/thread/mutex.h"
#include "server/symbols/debug_folder.h"

#include <stdlib.h>
#include <string.h>

struct cached_debug_file {
	char *path;
	struct file_map
		map; // by which it is known; of what is not trusted, the object is read of it
	struct mutex *lock;
	bool was_opened;
	bool is_replaced; // on the disk
	struct object *object;
	size_t num_users; // who wait for the lock, too
	uint64_t last_use;
};

struct debug_file_cache {
	struct debug_file_cache_limits limits;
	struct mutex *lock;
	struct cached_debug_file **files;
	size_t num_files, cap_files;
	uint64_t num_uses;
};

static void cached_debug_file_destroy(struct cached_debug_file *file)
{
	if (!file)
		return;
	object_destroy(file->object); // before the bytes
	file_map_close(&file->map);
	mutex_destroy(file->lock);
	free(file->path);
	free(file);
}

static void cached_debug_file_destroyp(struct cached_debug_file **file)
{
	cached_debug_file_destroy(*file);
}

struct error *debug_file_cache_create(const struct debug_file_cache_limits *limits,
				      struct debug_file_cache **ret)
{
	struct debug_file_cache *cache = calloc(1, sizeof(*cache));
	if (!cache)
		return &error_no_memory;
	cache->limits = *limits;
	struct error *err = mutex_create(&cache->lock);
	if (err) {
		free(cache);
		return err;
	}
	*ret = cache;
	return NULL;
}

void debug_file_cache_destroy(struct debug_file_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->num_files; i++)
		cached_debug_file_destroy(cache->files[i]);
	free(cache->files);
	mutex_destroy(cache->lock);
	free(cache);
}

static bool cached_debug_file_is(const struct cached_debug_file *file, const struct file_map *map)
{
	return file->map.inode == map->inode && file->map.generation == map->generation &&
	       file->map.size == map->size;
}

/** The file of the cache, or NULL. Those by the same path with other bytes are done with. */
static struct cached_debug_file *debug_file_cache_find(struct debug_file_cache *cache,
						       const char *path, const struct file_map *map)
{
	struct cached_debug_file *found = NULL;
	for (size_t i = 0; i < cache->num_files; i++) {
		struct cached_debug_file *file = cache->files[i];
		if (file->is_replaced || strcmp(file->path, path) != 0)
			continue;
		if (cached_debug_file_is(file, map))
			found = file;
		else
			file->is_replaced = true;
	}
	return found;
}

/** @map: the file's on success. */
static struct error *debug_file_cache_add(struct debug_file_cache *cache, const char *path,
					  struct file_map *map, struct cached_debug_file **ret)
{
	_cleanup_(cached_debug_file_destroyp) struct cached_debug_file *file =
		calloc(1, sizeof(*file));
	if (!file)
		return &error_no_memory;
	struct error *err = mutex_create(&file->lock);
	file->path = strdup(path);
	if (!err && !file->path)
		err = &error_no_memory;
	if (!err)
		err = array_reserve(&cache->files, &cache->cap_files, cache->num_files + 1);
	if (err)
		return err;
	file->map = *map;
	*map = (struct file_map)FILE_MAP_INIT;
	*ret = cache->files[cache->num_files++] = take_ptr(file);
	return NULL;
}

/** With the file's lock. */
static struct error *cached_debug_file_open(struct cached_debug_file *file,
					    const struct record_build_id *id, bool is_trusted)
{
	if (file->was_opened)
		return NULL;
	const struct object_places places = {.debug_root = ""};
	struct object *object = NULL;
	// Of bytes without a path nothing beside them is looked for.
	struct error *err = is_trusted ? object_open_with(file->path, &places, &object)
				       : object_open_memory(file->map.data, file->map.size,
							    file->path, &object);
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	file->was_opened = true;
	if (err) {
		error_destroy(err);
		return NULL;
	}
	uint8_t found[RECORD_BUILD_ID_MAX];
	size_t size = object_build_id(object, found);
	if (size == id->size && memcmp(found, id->bytes, size) == 0)
		file->object = object;
	else
		object_destroy(object);
	return NULL;
}

/** The file that nobody has used for longest; SIZE_MAX: all are in use. */
static size_t debug_file_cache_oldest(const struct debug_file_cache *cache)
{
	size_t oldest = SIZE_MAX;
	for (size_t i = 0; i < cache->num_files; i++) {
		const struct cached_debug_file *file = cache->files[i];
		if (!file->num_users &&
		    (oldest == SIZE_MAX || file->last_use < cache->files[oldest]->last_use))
			oldest = i;
	}
	return oldest;
}

static uint64_t debug_file_cache_bytes(const struct debug_file_cache *cache)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < cache->num_files; i++)
		bytes += cache->files[i]->map.size;
	return bytes;
}

static void debug_file_cache_remove(struct debug_file_cache *cache, size_t index)
{
	cached_debug_file_destroy(cache->files[index]);
	cache->files[index] = cache->files[--cache->num_files];
}

static void debug_file_cache_trim(struct debug_file_cache *cache)
{
	for (size_t i = cache->num_files; i > 0; i--)
		if (cache->files[i - 1]->is_replaced && !cache->files[i - 1]->num_users)
			debug_file_cache_remove(cache, i - 1);
	while (cache->num_files > cache->limits.max_files ||
	       debug_file_cache_bytes(cache) > cache->limits.max_bytes) {
		size_t oldest = debug_file_cache_oldest(cache);
		if (oldest == SIZE_MAX)
			return;
		debug_file_cache_remove(cache, oldest);
	}
}

struct error *debug_file_cache_use(struct debug_file_cache *cache, const char *path,
				   const struct record_build_id *id, bool is_trusted,
				   struct debug_file_use *ret)
{
	const struct foreign_file_rules rules = {.max_size = DEBUG_FOLDER_MAX_FILE};
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	*ret = (struct debug_file_use){0};
	struct error *err = foreign_file_open(&map, path, &rules);
	if (err && err->code != ERROR_NO_MEMORY) {
		error_destroy(err);
		return NULL;
	}
	if (err || !map.size)
		return err;
	mutex_lock(cache->lock);
	struct cached_debug_file *file = debug_file_cache_find(cache, path, &map);
	if (!file)
		err = debug_file_cache_add(cache, path, &map, &file);
	if (!err) {
		file->num_users++;
		file->last_use = ++cache->num_uses;
	}
	mutex_unlock(cache->lock);
	if (err)
		return err;
	mutex_lock(file->lock);
	ret->file = file;
	err = cached_debug_file_open(file, id, is_trusted);
	ret->object = file->object;
	if (err)
		debug_file_cache_release(cache, ret);
	return err;
}

void debug_file_cache_release(struct debug_file_cache *cache, struct debug_file_use *use)
{
	if (use->file) {
		mutex_unlock(use->file->lock);
		mutex_lock(cache->lock);
		use->file->num_users--;
		debug_file_cache_trim(cache);
		mutex_unlock(cache->lock);
	}
	*use = (struct debug_file_use){0};
}

size_t debug_file_cache_num_files(struct debug_file_cache *cache)
{
	mutex_lock(cache->lock);
	size_t num_files = cache->num_files;
	mutex_unlock(cache->lock);
	return num_files;
}
