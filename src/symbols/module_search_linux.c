// SPDX-License-Identifier: Apache-2.0

#include "symbols/module_search.h"

#include "base/text/string_builder.h"

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

/** In the folders as the process sees them. */
static struct error *search_process_root(struct module_search *search)
{
	if (!search->rights.root)
		return NULL;
	return module_search_try(search, &(struct module_candidate){.path = search->path,
								    .debug_root = "",
								    .rights = &search->rights});
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

static void module_search_close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

/** The kernel tells what it mapped: the process need not be able to read it, as of a program that
 *  it may only execute. */
static struct error *try_kernels_link(struct module_search *search, const char *path)
{
	return module_search_try(
		search, &(struct module_candidate){.path = path,
						   .debug_root = "",
						   .is_kernels_link = true,
						   .rights = module_search_rights(search)});
}

/** What the process still has mapped, though the name is gone or another file's. */
static struct error *search_mapped_files(struct module_search *search)
{
	char path[sizeof("/proc/4294967295/map_files/") + NAME_MAX];
	snprintf(path, sizeof(path), "/proc/%u/exe", search->module->pid);
	if (links_to_module(search, path))
		return try_kernels_link(search, path);
	snprintf(path, sizeof(path), "/proc/%u/map_files", search->module->pid);
	_cleanup_(module_search_close_folder) DIR *folder = opendir(path);
	struct error *err = NULL;
	for (struct dirent *entry;
	     folder && !err && !search->object && (entry = readdir(folder));) {
		snprintf(path, sizeof(path), "/proc/%u/map_files/%.*s", search->module->pid,
			 NAME_MAX, entry->d_name);
		if (links_to_module(search, path))
			err = try_kernels_link(search, path);
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

/** With what the process may read; if its paths begin elsewhere, with what everybody may. */
/** An emulated program's files are named by where they are here, in the folder of its system. What
 *  has another root folder may have mapped the same file as there is here. */
static struct error *search_plain_path(struct module_search *search)
{
	char debug_root[PATH_MAX];
	if (search->is_windows) // here it would be a name in the current folder
		return NULL;
	// With what the process may read; if its paths begin elsewhere, with what everybody may.
	const struct file_rights rights =
		search->rights.root ? (struct file_rights){0} : search->rights;
	find_debug_root(search->path, debug_root);
	return module_search_try(
		search, &(struct module_candidate){.path = search->path,
						   .debug_root = debug_root,
						   .rights = search->has_rights ? &rights : NULL});
}

const struct module_search_place module_search_places[] = {
	{search_process_root, false},
	{search_plain_path, false},
	{search_mapped_files, true},
	{NULL, false},
};
