// SPDX-License-Identifier: Apache-2.0

#include "process/program_search.h"

#include "base/text/string_builder.h"

#include <string.h>
#include <strings.h>

// The rules of cmd.exe: the current folder first (unless NoDefaultCurrentDirectoryInExePath is
// set), then the folders of PATH; in each, the name as it is if it has an extension, then with each
// extension of PATHEXT. CreateProcess() itself knows only .exe and searches more folders. Functions
// of the system are passed in, so that tests run everywhere.

static const char usual_extensions[] = ".COM;.EXE;.BAT;.CMD";

/** The next piece of a list, without its quotes; between these ';' is a character. */
static bool next_piece(const char **list, struct string_builder *ret)
{
	string_builder_clear(ret);
	if (!*list || !**list)
		return false;
	bool is_quoted = false;
	const char *at = *list;
	for (; *at && (is_quoted || *at != ';'); at++) {
		if (*at == '"')
			is_quoted = !is_quoted;
		else
			string_builder_append_char(ret, *at);
	}
	*list = *at ? at + 1 : at;
	return true;
}

static const char *extension_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot && !strpbrk(dot, "\\/:") ? dot : NULL;
}

/** Takes what was tried and found; false: it is not there. */
static bool try_file(const struct program_search *search, struct string_builder *file)
{
	return !file->failed && search->is_file(search->context, string_builder_peek(file));
}

static bool try_extensions(const struct program_search *search, struct string_builder *file)
{
	_cleanup_(string_builder_deinit) struct string_builder piece = STRING_BUILDER_INIT;
	const char *list = search->extensions ? search->extensions : usual_extensions;
	size_t length = file->length;
	while (next_piece(&list, &piece)) {
		if (!piece.length)
			continue;
		string_builder_append(file, string_builder_peek(&piece));
		if (try_file(search, file))
			return true;
		if (file->failed)
			return false;
		file->text[length] = '\0';
		file->length = length;
	}
	return false;
}

/** @folder: "" for none. */
static bool try_folder(const struct program_search *search, const char *folder, const char *name,
		       struct string_builder *file)
{
	string_builder_clear(file);
	string_builder_append(file, folder);
	if (*folder && !strchr("\\/:", folder[strlen(folder) - 1]))
		string_builder_append_char(file, '\\');
	string_builder_append(file, name);
	// Without an extension it is nothing that could be run.
	return (extension_of(name) && try_file(search, file)) || try_extensions(search, file);
}

struct error *program_search_find(const struct program_search *search, const char *name, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder file = STRING_BUILDER_INIT;
	bool has_folder = strpbrk(name, "\\/:") != NULL;
	bool is_found =
		(has_folder || !search->skips_here) && *name && try_folder(search, "", name, &file);
	_cleanup_(string_builder_deinit) struct string_builder folder = STRING_BUILDER_INIT;
	const char *path = has_folder || !*name ? NULL : search->path;
	while (!is_found && next_piece(&path, &folder))
		is_found = folder.length &&
			   try_folder(search, string_builder_peek(&folder), name, &file);
	if (is_found || file.failed)
		return string_builder_finish(&file, ret);
	return error_create(ERROR_ABSENT, "no program '%s'", name);
}

bool program_search_is_batch(const char *path)
{
	const char *extension = extension_of(path);
	return extension && (!strcasecmp(extension, ".bat") || !strcasecmp(extension, ".cmd"));
}
