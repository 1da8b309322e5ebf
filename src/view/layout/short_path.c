// SPDX-License-Identifier: Apache-2.0

#include "view/layout/short_path.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// A path of interpreted code is shown as people import it: what is behind the folder of packages or
// of the standard library (profile/interpreted/language.h), else the file's name. If another file
// of the profile ends alike, folders are added in front until the path is the only one of its kind.
//
//	/usr/lib/python3.11/json/encoder.py               json/encoder.py
//	/srv/app/site-packages/requests/api.py            requests/api.py
//	/srv/shop/models.py and /srv/blog/models.py       shop/models.py, blog/models.py
//	/srv/shop/__init__.py                             shop/__init__.py

static struct error *short_path_collect(const struct named_profile *profile,
					struct short_paths *paths)
{
	_cleanup_free_ bool *is_known = calloc(profile->strings.num_entries + 1, sizeof(*is_known));
	if (!is_known)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_frames; i++) {
		uint32_t file = profile->frames[i].file;
		bool is_interpreted =
			profile->functions[profile->frames[i].function].kind == FRAME_INTERPRETED;
		if (!is_interpreted || is_known[file])
			continue;
		is_known[file] = true;
		struct error *err =
			array_reserve(&paths->files, &paths->cap_files, paths->num_files + 1);
		if (err)
			return err;
		paths->files[paths->num_files++] = file;
	}
	return NULL;
}

struct error *short_paths_create(const struct named_profile *profile, struct short_paths *ret)
{
	struct short_paths paths = {.profile = profile};
	struct error *err = short_path_collect(profile, &paths);
	if (err)
		short_paths_deinit(&paths);
	else
		*ret = paths;
	return err;
}

void short_paths_deinit(struct short_paths *paths)
{
	free(paths->files);
	*paths = (struct short_paths){0};
}

/** What stands behind the last such folder; NULL if there is none. */
static const char *short_path_behind(const char *path, const char *folder)
{
	const char *found = NULL;
	for (const char *at = strstr(path, folder); at; at = strstr(at + 1, folder))
		found = at + strlen(folder);
	return found;
}

static const char *as_imported(const struct language *language, const char *path)
{
	for (const char *const *folder = language->package_folders; *folder; folder++) {
		const char *found = short_path_behind(path, *folder);
		if (found)
			return found;
	}
	// "/usr/lib/python3.11/json/encoder.py" -> "json/encoder.py"
	if (!language->library_folder)
		return NULL;
	const char *at = short_path_behind(path, language->library_folder);
	while (at && (isdigit((unsigned char)*at) || *at == '.' || *at == 't'))
		at++;
	return at && *at == '/' ? at + 1 : NULL;
}

/** With one more folder in front. */
static const char *short_path_longer(const char *path, const char *suffix)
{
	const char *at = suffix - 1;
	while (at > path && at[-1] != '/')
		at--;
	return at;
}

static bool is_ambiguous(const struct short_paths *paths, uint32_t file, const char *suffix)
{
	for (size_t i = 0; i < paths->num_files; i++)
		if (paths->files[i] != file &&
		    file_name_is_wanted(named_profile_text(paths->profile, paths->files[i]),
					suffix))
			return true;
	return false;
}

const char *short_path(const struct short_paths *paths, uint32_t file)
{
	const char *path = named_profile_text(paths->profile, file);
	// "<string>", "<frozen importlib._bootstrap>": no path.
	if (*path == '<')
		return path;
	const struct language *language = paths->profile->language;
	const char *suffix = as_imported(language, path);
	if (!suffix) {
		suffix = file_name_of(path);
		// Of __init__.py and __main__.py, the package's name matters.
		const char *prefix = language->nameless_prefix;
		if (prefix && strncmp(suffix, prefix, strlen(prefix)) == 0 && suffix > path)
			suffix = short_path_longer(path, suffix);
	}
	while (suffix > path && is_ambiguous(paths, file, suffix))
		suffix = short_path_longer(path, suffix);
	return suffix;
}
