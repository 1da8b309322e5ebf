// SPDX-License-Identifier: Apache-2.0

#include "symbols/module_search.h"

#include "base/string_builder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The device is not compared: file systems in layers show another one to stat() than to perf.
// Inodes get used again for other files; where the file system numbers these, it is told.
bool module_search_is_mapped(const struct module_search *search, const struct object *object)
{
	const struct module *module = search->module;
	const struct object_file_id id = object_file_id(object);
	// Without any number, the name of a deleted file says nothing.
	if (!module->inode)
		return !search->was_deleted;
	bool has_both = module->inode_generation && id.generation;
	return id.inode == module->inode &&
	       (!has_both || id.generation == (uint32_t)module->inode_generation);
}

static bool is_same_place(const char *left, const char *right)
{
	struct stat a, b;
	return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/** In the folders as the process sees them. */
static struct error *search_process_root(struct module_search *search)
{
	char root[sizeof("/proc/4294967295/root")];
	snprintf(root, sizeof(root), "/proc/%u/root", search->module->pid);
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s%s", root, search->path);
	if (path.failed)
		return &error_no_memory;
	// If it sees what we see, the plain path is better: it stays when the process ends.
	if (is_same_place(path.text, search->path))
		return NULL;
	return module_search_try(search, &(struct module_candidate){path.text, root, false});
}

static bool links_to_module(const struct module_search *search, const char *link)
{
	char target[PATH_MAX];
	ssize_t size = readlink(link, target, sizeof(target) - 1);
	if (size < 0)
		return false;
	target[size] = '\0';
	size_t length = strlen(search->path);
	return !strncmp(target, search->path, length) &&
	       (!target[length] || !strcmp(target + length, MODULE_SEARCH_DELETED));
}

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

/** What the process still has mapped, though the name is gone or another file's. */
static struct error *search_mapped_files(struct module_search *search)
{
	char path[sizeof("/proc/4294967295/map_files/") + NAME_MAX];
	snprintf(path, sizeof(path), "/proc/%u/exe", search->module->pid);
	if (links_to_module(search, path))
		return module_search_try(search, &(struct module_candidate){path, "", false});
	snprintf(path, sizeof(path), "/proc/%u/map_files", search->module->pid);
	_cleanup_(close_folder) DIR *folder = opendir(path);
	struct error *err = NULL;
	for (struct dirent *entry;
	     folder && !err && !search->object && (entry = readdir(folder));) {
		snprintf(path, sizeof(path), "/proc/%u/map_files/%.*s", search->module->pid,
			 NAME_MAX, entry->d_name);
		if (links_to_module(search, path))
			err = module_search_try(search,
						&(struct module_candidate){path, "", false});
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
static struct error *search_plain_path(struct module_search *search)
{
	char debug_root[PATH_MAX];
	if (search->is_windows) // here it would be a name in the current folder
		return NULL;
	find_debug_root(search->path, debug_root);
	return module_search_try(search,
				 &(struct module_candidate){search->path, debug_root, false});
}

const struct module_search_place module_search_places[] = {
	{search_process_root, true},
	{search_plain_path, false},
	{search_mapped_files, true},
	{NULL, false},
};
