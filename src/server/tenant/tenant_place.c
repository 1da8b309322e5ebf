// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/tenant_place.h"

#include "base/os/environment.h"
#include "server/tenant/tenant.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char tenant_place_sqlite[] = "sqlite:";

/** The path of a file of SQLite; NULL: the store is of another engine. */
static const char *tenant_place_file(const char *place)
{
	if (strncmp(place, tenant_place_sqlite, strlen(tenant_place_sqlite)) == 0)
		return place + strlen(tenant_place_sqlite);
	return strchr(place, ':') ? NULL : place;
}

static int tenant_place_folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (int)(slash + 1 - path) : 0;
}

static struct error *tenant_place_beside(const char *path, const char *tenant, char **ret)
{
	char *place;
	int length = asprintf(&place, "%s%.*s%s.db", tenant_place_sqlite,
			      tenant_place_folder_length(path), path, tenant);
	if (length < 0)
		return &error_no_memory;
	if (strcmp(place + strlen(tenant_place_sqlite), path) == 0) {
		free(place);
		return error_with_hint(error_create(ERROR_USAGE,
						    "the store of tenant '%s' would be that of "
						    "the tenant '" TENANT_DEFAULT "': '%s'",
						    tenant, path),
				       "rename the tenant, or the store with --store");
	}
	*ret = place;
	return NULL;
}

struct error *tenant_place_store(const char *place, const char *tenant, char **ret)
{
	const char *path = tenant_place_file(place);
	bool is_default = strcmp(tenant, TENANT_DEFAULT) == 0;
	if (path && !is_default)
		return tenant_place_beside(path, tenant, ret);
	char *text;
	// What follows a '?' is about the database: "?cluster=NAME".
	const char *slash = strrchr(place, '/'), *end = slash ? strchr(slash, '?') : NULL;
	size_t name = end ? (size_t)(end - place) : strlen(place);
	int length = is_default
			     ? asprintf(&text, "%s", place)
			     : asprintf(&text, "%.*s_%s%s", (int)name, place, tenant, place + name);
	if (length < 0)
		return &error_no_memory;
	*ret = text;
	return NULL;
}

struct error *tenant_place_state_folder(char **ret)
{
	char *folder;
	struct error *err = environment_state_folder(&folder);
	if (err)
		return err;
	if (!folder)
		return error_with_hint(error_create(ERROR_USAGE, "no place for a store: HOME is "
								 "not set"),
				       "name one with --store sqlite:FILE");
	*ret = folder;
	return NULL;
}

struct error *tenant_place_symbols(const char *place, const char *tenant, char **ret)
{
	_cleanup_free_ char *folder = NULL;
	const char *path = tenant_place_file(place);
	struct error *err = path ? NULL : tenant_place_state_folder(&folder);
	if (err)
		return err;
	char *text;
	int length = path ? asprintf(&text, "%.*sdebug/%s", tenant_place_folder_length(path), path,
				     tenant)
			  : asprintf(&text, "%s/debug/%s", folder, tenant);
	if (length < 0)
		return &error_no_memory;
	*ret = text;
	return NULL;
}

char *tenant_place_shown(const char *place)
{
	const char *host = strstr(place, "//"), *at = host ? strrchr(host, '@') : NULL;
	const char *colon = at ? memchr(host, ':', (size_t)(at - host)) : NULL;
	char *shown;
	if (!colon)
		return strdup(place);
	int length = asprintf(&shown, "%.*s:...%s", (int)(colon - place), place, at);
	return length < 0 ? NULL : shown;
}

bool tenant_place_size(const char *place, uint64_t *ret)
{
	static const char *const ends[] = {"", "-wal", "-shm"};
	const char *path = tenant_place_file(place);
	uint64_t size = 0;
	for (size_t i = 0; path && i < sizeof(ends) / sizeof(ends[0]); i++) {
		_cleanup_free_ char *name = NULL;
		struct stat status;
		if (asprintf(&name, "%s%s", path, ends[i]) < 0) {
			name = NULL;
			return false;
		}
		if (stat(name, &status) == 0)
			size += (uint64_t)status.st_size;
	}
	*ret = size;
	return path;
}
