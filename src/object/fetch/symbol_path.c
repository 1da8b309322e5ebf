// SPDX-License-Identifier: Apache-2.0

#include "object/fetch/symbol_path.h"

#include "base/container/array.h"
#include "base/os/environment.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The syntax of _NT_SYMBOL_PATH of Microsoft's debuggers ("Symbol path for Windows debuggers"):
// words between semicolons, each with parts between stars. It is parsed in place in a copy, from
// left to right, as "cache*" changes what comes behind it. Parts that are not supported become
// notes for the user, not errors: the variable may have been set for another tool.

enum {
	DEFAULT_SECONDS = 600,
	MAX_SECONDS = 86400,
	SILENCE_SECONDS = 30,
};

// PDBs of the largest programs have 2 to 3 GB.
static const uint64_t max_pdb_bytes = UINT64_C(4) << 30;

static struct error *symbol_path_add_place(struct symbol_path *path, struct symbol_place place)
{
	struct error *err = array_reserve(&path->places, &path->cap_places, path->num_places + 1);
	if (err)
		return err;
	path->places[path->num_places++] = place;
	return NULL;
}

static struct error *symbol_path_add_folder(struct symbol_path *path, const char *folder)
{
	return symbol_path_add_place(path, (struct symbol_place){.folder = folder});
}

/** The folder of a server that has none, which is searched as well. @ret: "" if there is none. */
static struct error *add_cache(struct symbol_path *path, const char **ret)
{
	*ret = path->cache;
	if (!*ret) {
		_cleanup_free_ char *folder = NULL;
		struct error *err = environment_cache_folder(&folder);
		if (err)
			return err;
		*ret = folder ? arena_printf(&path->arena, "%s/wperf/symbols", folder) : "";
		if (!*ret)
			return &error_no_memory;
	}
	return **ret ? symbol_path_add_folder(path, *ret) : NULL;
}

static bool is_url(const char *text)
{
	return strstr(text, "://");
}

static void symbol_path_refuse(struct symbol_path *path, const char *element, const char *reason)
{
	string_builder_appendf(&path->notes, "note: '%s' in the symbol path is ignored: %s\n",
			       element, reason);
}

static struct error *add_server(struct symbol_path *path, char *url, const char *folder)
{
	// What can be asked for is of ASCII without blanks.
	bool is_address = !strncasecmp(url, "http://", 7) || !strncasecmp(url, "https://", 8);
	for (const char *at = url; *at; at++)
		is_address &= *at > ' ' && *at <= '~';
	if (!is_address) {
		symbol_path_refuse(path, url, "a server address begins with http:// or https://");
		return NULL;
	}
	// Addresses are joined with '/'.
	for (size_t length = strlen(url); length && url[length - 1] == '/'; length--)
		url[length - 1] = '\0';
	struct error *err = folder ? NULL : add_cache(path, &folder);
	if (err)
		return err;
	// It is asked once, where it stands first.
	for (size_t i = 0; i < path->num_places; i++)
		if (path->places[i].server && !strcmp(path->places[i].server->url, url))
			return NULL;
	if (!*folder) {
		symbol_path_refuse(path, url, "no folder to store downloads; write srv*FOLDER*URL");
		return NULL;
	}
	struct symbol_server *server = arena_alloc(&path->arena, sizeof(*server));
	if (!server)
		return &error_no_memory;
	symbol_server_init(server, url, folder, &path->limits);
	return symbol_path_add_place(path, (struct symbol_place){.server = server});
}

/** What stands behind "srv*". */
static struct error *add_store(struct symbol_path *path, char *parts)
{
	// "srv*A*B*URL" searches the folders A and B, and what comes from the URL is stored in A.
	const char *first = NULL;
	struct error *err = NULL;
	for (char *part; !err && (part = strsep(&parts, "*")) != NULL;) {
		const char *folder = part;
		if (is_url(part)) {
			err = add_server(path, part, first);
			continue;
		}
		// Nothing between two stars is the folder of servers that have none.
		err = *part ? symbol_path_add_folder(path, part) : add_cache(path, &folder);
		if (!first && *folder)
			first = folder;
	}
	return err;
}

static struct error *add_element(struct symbol_path *path, char *element)
{
	char *rest = element;
	const char *word = strsep(&rest, "*");
	if (!rest) {
		if (is_url(element))
			symbol_path_refuse(path, element, "write a server as srv*FOLDER*URL");
		return is_url(element) || !*element ? NULL : symbol_path_add_folder(path, element);
	}
	if (!strcasecmp(word, "cache")) {
		const char *folder = strsep(&rest, "*");
		path->cache = *folder ? folder : NULL;
		return add_cache(path, &path->cache);
	}
	if (!strcasecmp(word, "symsrv"))
		strsep(&rest, "*"); // the library that asks
	else if (strcasecmp(word, "srv") != 0)
		symbol_path_refuse(path, word, "only srv, symsrv and cache can stand before '*'");
	return rest ? add_store(path, rest) : NULL;
}

static struct error *symbol_path_add_list(struct symbol_path *path, const char *words)
{
	char *rest = arena_strdup(&path->arena, words);
	if (!rest)
		return &error_no_memory;
	struct error *err = NULL;
	for (char *element; !err && (element = strsep(&rest, ";")) != NULL;)
		err = add_element(path, element);
	// "cache*" holds for what stands behind it in the same list.
	path->cache = NULL;
	return err;
}

static struct error *read_limits(struct http_limits *ret)
{
	_cleanup_free_ char *text = NULL;
	struct error *err = environment_copy("WPERF_SYMBOL_TIMEOUT", &text);
	if (err)
		return err;
	uint64_t seconds = DEFAULT_SECONDS;
	if (text && (number_parse_decimal(text, strlen(text), &seconds) != NUMBER_OK || !seconds ||
		     seconds > MAX_SECONDS))
		return error_create(
			ERROR_USAGE,
			"WPERF_SYMBOL_TIMEOUT: '%s' is not a number of seconds from 1 to %d", text,
			MAX_SECONDS);
	uint64_t silence = seconds < SILENCE_SECONDS ? seconds : SILENCE_SECONDS;
	*ret = (struct http_limits){
		.max_bytes = max_pdb_bytes,
		.total_ms = (uint32_t)seconds * 1000,
		.silence_ms = (uint32_t)silence * 1000,
	};
	return NULL;
}

struct error *symbol_path_create(const char *words, struct symbol_path **ret)
{
	_cleanup_(symbol_path_destroyp) struct symbol_path *path = calloc(1, sizeof(*path));
	if (!path)
		return &error_no_memory;
	_cleanup_free_ char *variable = NULL;
	struct error *err = environment_copy("_NT_SYMBOL_PATH", &variable);
	if (!err)
		err = read_limits(&path->limits);
	if (!err && words)
		err = symbol_path_add_list(path, words);
	if (!err && variable)
		err = symbol_path_add_list(path, variable);
	if (!err)
		*ret = take_ptr(path);
	return err;
}

void symbol_path_destroy(struct symbol_path *path)
{
	if (!path)
		return;
	for (size_t i = 0; i < path->num_places; i++)
		if (path->places[i].server)
			symbol_server_deinit(path->places[i].server);
	string_builder_deinit(&path->notes);
	arena_deinit(&path->arena);
	free(path->places);
	free(path);
}

bool symbol_path_has_servers(const struct symbol_path *path)
{
	for (size_t i = 0; path && i < path->num_places; i++)
		if (path->places[i].server)
			return true;
	return false;
}

struct error *symbol_path_take_notes(struct symbol_path *path, char **ret)
{
	for (size_t i = 0; i < path->num_places; i++) {
		struct symbol_server *server = path->places[i].server;
		if (!server)
			continue;
		if (server->num_files)
			string_builder_appendf(
				&path->notes,
				"note: downloaded %llu PDB%s (%.1f MB) from %s to %s\n",
				(unsigned long long)server->num_files,
				server->num_files == 1 ? "" : "s", (double)server->num_bytes / 1e6,
				server->url, server->folder);
		string_builder_append(&path->notes, string_builder_peek(&server->notes));
		string_builder_clear(&server->notes);
		server->num_files = 0;
		server->num_bytes = 0;
	}
	return string_builder_finish(&path->notes, ret);
}
