// SPDX-License-Identifier: Apache-2.0

#include "object/debuginfod.h"

#include "base/cleanup.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// By the manual page of libdebuginfod.
struct debuginfod_client;
typedef struct debuginfod_client *(*begin_fn)(void);
typedef int (*find_fn)(struct debuginfod_client *client, const unsigned char *build_id,
		       int build_id_size, char **path);
typedef void (*end_fn)(struct debuginfod_client *client);

struct debuginfod_library {
	void *handle;
	begin_fn begin;
	find_fn find_debuginfo;
	end_fn end;
};

/** ISO C has no conversion from data to functions; POSIX promises that this works. */
static bool find_function(void *handle, const char *name, void *member, size_t size)
{
	void *function = dlsym(handle, name);
	memcpy(member, &function, size);
	return function;
}

#define FIND(library, name, member) \
	find_function((library)->handle, name, &(library)->member, sizeof((library)->member))

/** It stays: the libraries that it brings along for TLS keep memory that they only find again when
 *  they are still there. */
static bool library_open(struct debuginfod_library *library)
{
	library->handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
	return library->handle && FIND(library, "debuginfod_begin", begin) &&
	       FIND(library, "debuginfod_find_debuginfo", find_debuginfo) &&
	       FIND(library, "debuginfod_end", end);
}

struct error *debuginfod_fetch(const uint8_t *build_id, size_t size, char **ret)
{
	*ret = NULL;
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct debuginfod_library library = {0};
	if (!urls || !*urls || !library_open(&library))
		return NULL;
	struct debuginfod_client *client = library.begin();
	if (!client)
		return &error_no_memory;
	char *path = NULL;
	int fd = library.find_debuginfo(client, build_id, (int)size, &path);
	library.end(client);
	if (fd < 0)
		return NULL;
	close(fd);
	*ret = path;
	return NULL;
}
