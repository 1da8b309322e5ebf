// SPDX-License-Identifier: Apache-2.0

#include "symbols/module_file.h"

#include "base/string_builder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/close_fd.h"

static const char deleted_mark[] = " (deleted)";

/** A search that goes on; it is over when there is an object. */
struct finder {
	const struct module_file_search *search;
	const struct module *module;
	char *path; /* as mapped, without the mark of a deleted file */
	bool was_deleted;
	struct object *object;
	struct error *refusal; /* of the first file that was there but cannot be read */
	bool has_changed;
};

/** Where a file is tried. */
struct candidate {
	const char *path;
	const char *debug_root;
	bool is_copy; /* its inode says nothing */
};

static void finder_deinit(struct finder *finder)
{
	free(finder->path);
	object_destroy(finder->object);
	error_destroy(finder->refusal);
}

/** Inodes get used again for other files; where the file system numbers these, it is told. */
static bool has_other_generation(const struct module *module, const char *path)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	// The call is declared for a long, and most file systems write an int.
	long generation = 0;
	if (!module->inode_generation || fd < 0 || ioctl(fd, FS_IOC_GETVERSION, &generation) < 0)
		return false;
	return (uint32_t)generation != (uint32_t)module->inode_generation;
}

/** The device is not compared: file systems in layers show another one to stat() than to perf. */
static bool is_same_inode(const struct finder *finder, const struct candidate *candidate)
{
	const struct module *module = finder->module;
	struct stat status;
	if (candidate->is_copy)
		return true;
	// Without any number, the name of a deleted file says nothing.
	if (!module->inode)
		return !finder->was_deleted;
	return stat(candidate->path, &status) == 0 && status.st_ino == module->inode &&
	       !has_other_generation(module, candidate->path);
}

static bool is_same_file(const struct finder *finder, const struct candidate *candidate,
			 const struct object *object)
{
	const struct record_build_id *wanted = &finder->module->build_id;
	if (!wanted->size)
		return is_same_inode(finder, candidate);
	uint8_t build_id[RECORD_BUILD_ID_MAX];
	size_t size = object_build_id(object, build_id);
	return size == wanted->size && !memcmp(build_id, wanted->bytes, size);
}

static struct error *refuse(struct finder *finder, struct error *err)
{
	if (err->code == ERROR_NO_MEMORY)
		return err;
	if (finder->refusal)
		error_destroy(err);
	else
		finder->refusal = err;
	return NULL;
}

static struct error *try_candidate(struct finder *finder, const struct candidate *candidate)
{
	struct stat status;
	if (stat(candidate->path, &status) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return NULL;
		return refuse(finder, error_create_errno(errno, "cannot open"));
	}
	if (!S_ISREG(status.st_mode)) // opening a pipe would wait for its writer
		return refuse(finder, error_create(ERROR_FAILED, "it is no regular file"));
	_cleanup_(object_destroyp) struct object *object = NULL;
	const struct object_places places = {
		.debug_root = candidate->debug_root,
		.symbol_path = finder->search->symbol_path,
	};
	struct error *err = object_open_with(candidate->path, &places, &object);
	if (err)
		return refuse(finder, err);
	if (is_same_file(finder, candidate, object))
		finder->object = take_ptr(object);
	else
		finder->has_changed = true;
	return NULL;
}

static struct error *try_build_id(struct finder *finder, const char *root, const char *suffix)
{
	const struct record_build_id *id = &finder->module->build_id;
	if (id->size < 2)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s/.build-id/%02x/", root, id->bytes[0]);
	for (size_t i = 1; i < id->size; i++)
		string_builder_appendf(&path, "%02x", id->bytes[i]);
	string_builder_append(&path, suffix);
	if (path.failed)
		return &error_no_memory;
	return try_candidate(finder, &(struct candidate){path.text, root, .is_copy = true});
}

static struct error *try_sysroot(struct finder *finder, const char *root)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s/%s", root, finder->path);
	if (path.failed)
		return &error_no_memory;
	struct error *err =
		try_candidate(finder, &(struct candidate){path.text, root, .is_copy = true});
	if (!err && !finder->object)
		err = try_build_id(finder, root, "");
	if (!err && !finder->object) // the layout of perf's own cache
		err = try_build_id(finder, root, "/elf");
	return err;
}

static struct error *search_sysroots(struct finder *finder)
{
	const char *root = finder->search->sysroots;
	struct error *err = NULL;
	while (root && !err && !finder->object) {
		const char *colon = strchrnul(root, ':');
		_cleanup_free_ char *copy = strndup(root, (size_t)(colon - root));
		if (!copy)
			return &error_no_memory;
		if (*copy)
			err = try_sysroot(finder, copy);
		root = *colon ? colon + 1 : NULL;
	}
	return err;
}

static bool is_same_place(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/** In the folders as the process sees them. */
static struct error *search_process_root(struct finder *finder)
{
	char root[sizeof("/proc/4294967295/root")];
	snprintf(root, sizeof(root), "/proc/%u/root", finder->module->pid);
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s%s", root, finder->path);
	if (path.failed)
		return &error_no_memory;
	// If it sees what we see, the plain path is better: it stays when the process ends.
	if (is_same_place(path.text, finder->path))
		return NULL;
	return try_candidate(finder, &(struct candidate){path.text, root, false});
}

static bool links_to_module(const struct finder *finder, const char *link)
{
	char target[PATH_MAX];
	ssize_t size = readlink(link, target, sizeof(target) - 1);
	if (size < 0)
		return false;
	target[size] = '\0';
	size_t length = strlen(finder->path);
	return !strncmp(target, finder->path, length) &&
	       (!target[length] || !strcmp(target + length, deleted_mark));
}

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

/** What the process still has mapped, though the name is gone or another file's. */
static struct error *search_mapped_files(struct finder *finder)
{
	char path[sizeof("/proc/4294967295/map_files/") + NAME_MAX];
	snprintf(path, sizeof(path), "/proc/%u/exe", finder->module->pid);
	if (links_to_module(finder, path))
		return try_candidate(finder, &(struct candidate){path, "", false});
	snprintf(path, sizeof(path), "/proc/%u/map_files", finder->module->pid);
	_cleanup_(close_folder) DIR *folder = opendir(path);
	struct error *err = NULL;
	for (struct dirent *entry;
	     folder && !err && !finder->object && (entry = readdir(folder));) {
		snprintf(path, sizeof(path), "/proc/%u/map_files/%.*s", finder->module->pid,
			 NAME_MAX, entry->d_name);
		if (links_to_module(finder, path))
			err = try_candidate(finder, &(struct candidate){path, "", false});
	}
	return err;
}

/** The nearest folder above @path that has debug files: "" for a file of this system. */
static void find_debug_root(const char *path, char ret[static PATH_MAX])
{
	char place[PATH_MAX + sizeof("/usr/lib/debug")];
	snprintf(ret, PATH_MAX, "%s", path);
	for (char *slash; (slash = strrchr(ret, '/')) && slash != ret;) {
		*slash = '\0';
		snprintf(place, sizeof(place), "%s/usr/lib/debug", ret);
		if (access(place, F_OK) == 0)
			return;
	}
	*ret = '\0';
}

/** An emulated program's files are named by where they are here, in the folder of its system. */
static struct error *search_plain_path(struct finder *finder)
{
	char debug_root[PATH_MAX];
	find_debug_root(finder->path, debug_root);
	return try_candidate(finder, &(struct candidate){finder->path, debug_root, false});
}

static struct error *search_everywhere(struct finder *finder)
{
	static const struct {
		struct error *(*search)(struct finder *finder);
		bool needs_process;
	} places[] = {
		{search_sysroots, false},
		{search_process_root, true},
		{search_plain_path, false},
		{search_mapped_files, true},
	};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (places[i].needs_process && !finder->search->are_processes_here)
			continue;
		struct error *err = places[i].search(finder);
		if (err || finder->object)
			return err;
	}
	return NULL;
}

static struct error *explain(struct finder *finder)
{
	if (finder->has_changed)
		return error_with_hint(
			error_create(ERROR_FAILED, "file has changed since"),
			"record again, or name a folder with the old file as sysroot");
	if (finder->refusal)
		return take_ptr(finder->refusal);
	return error_with_hint(error_create(ERROR_FAILED, "cannot open: %s", strerror(ENOENT)),
			       "name a folder that has it as sysroot");
}

struct error *module_file_open(const struct module_file_search *search, const struct module *module,
			       struct object **ret)
{
	// The kernel tells whole paths; others could lead anywhere.
	if (module->path[0] != '/')
		return error_create(ERROR_FAILED, "cannot open: it is no absolute path");
	_cleanup_(finder_deinit) struct finder finder = {.search = search, .module = module};
	finder.path = strdup(module->path);
	if (!finder.path)
		return &error_no_memory;
	size_t length = strlen(finder.path);
	size_t mark_length = strlen(deleted_mark);
	finder.was_deleted =
		length > mark_length && !strcmp(finder.path + length - mark_length, deleted_mark);
	if (finder.was_deleted)
		finder.path[length - mark_length] = '\0';
	struct error *err = search_everywhere(&finder);
	if (err)
		return err;
	if (!finder.object)
		return explain(&finder);
	*ret = take_ptr(finder.object);
	return NULL;
}
