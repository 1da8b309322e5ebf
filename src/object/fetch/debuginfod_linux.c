// SPDX-License-Identifier: Apache-2.0

#include "object/fetch/debuginfod.h"

#include "base/cleanup.h"
#include "base/os/shared_library.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The client library of elfutils does the search and caches files in the user's folder; it reads
// DEBUGINFOD_URLS itself. It is loaded at run time and only if that variable is set, as without it
// nothing may go over the network.

// By the manual page of libdebuginfod.
struct debuginfod_client;
typedef struct debuginfod_client *(*begin_fn)(void);
typedef int (*find_fn)(struct debuginfod_client *client, const unsigned char *build_id,
		       int build_id_size, char **path);
typedef const char *(*url_fn)(struct debuginfod_client *client);
typedef void (*end_fn)(struct debuginfod_client *client);
typedef int (*progress_fn)(struct debuginfod_client *client, long done, long all);
typedef void (*set_progress_fn)(struct debuginfod_client *client, progress_fn progress);
typedef void (*set_data_fn)(struct debuginfod_client *client, void *data);
typedef void *(*get_data_fn)(struct debuginfod_client *client);

struct debuginfod_library {
	void *handle;
	begin_fn begin;
	find_fn find_debuginfo;
	url_fn get_url;
	end_fn end;
	set_progress_fn set_progress;
	set_data_fn set_data;
	get_data_fn get_data;
};

/** Who is asked whether a fetch goes on. */
struct debuginfod_asking {
	bool (*goes_on)(void *data);
	void *data;
};

/** It stays: the libraries that it brings along for TLS keep memory that they only find again when
 *  they are still there. */
static bool library_open(struct debuginfod_library *library)
{
	void *handle = library->handle = shared_library_open("libdebuginfod.so.1");
	return handle && shared_library_find(handle, "debuginfod_begin", &library->begin) &&
	       shared_library_find(handle, "debuginfod_find_debuginfo", &library->find_debuginfo) &&
	       shared_library_find(handle, "debuginfod_get_url", &library->get_url) &&
	       shared_library_find(handle, "debuginfod_set_progressfn", &library->set_progress) &&
	       shared_library_find(handle, "debuginfod_set_user_data", &library->set_data) &&
	       shared_library_find(handle, "debuginfod_get_user_data", &library->get_data) &&
	       shared_library_find(handle, "debuginfod_end", &library->end);
}

static bool begins_with_http(const char *url)
{
	static const char http[] = "http://";
	return strncasecmp(url, http, strlen(http)) == 0;
}

/**
 * The library follows redirections from HTTPS to HTTP, where whoever is in between may change what
 * comes. It does not say which server redirected: if the list has any with HTTPS, HTTP is fine only
 * for the addresses in the list.
 *
 * @url: where the file came from in the end; NULL if it was in the cache.
 */
static bool is_downgrade(const char *urls, const char *url)
{
	static const char blanks[] = " \t\n";
	bool has_secure = false;
	if (!url || !begins_with_http(url))
		return false;
	for (urls += strspn(urls, blanks); *urls; urls += strspn(urls, blanks)) {
		size_t length = strcspn(urls, blanks);
		if (strncmp(url, urls, length) == 0)
			return false;
		has_secure |= !begins_with_http(urls);
		urls += length;
	}
	return has_secure;
}

bool debuginfod_is_wanted(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	return urls && *urls;
}

/** Anything but 0 ends the fetch. */
static int debuginfod_ask(struct debuginfod_client *client, long done, long all)
{
	// The client is all that one gets here; the library, which stays, is found again.
	struct debuginfod_library library = {0};
	const struct debuginfod_asking *asking =
		library_open(&library) ? library.get_data(client) : NULL;
	return asking && !asking->goes_on(asking->data);
}

/** @asking: NULL: it goes on to its end. */
static struct error *debuginfod_fetch_asking(const uint8_t *build_id, size_t size,
					     struct debuginfod_asking *asking, char **ret)
{
	*ret = NULL;
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct debuginfod_library library = {0};
	if (!debuginfod_is_wanted() || !library_open(&library))
		return NULL;
	// find_debuginfo() returns an open file, which is not needed, and its path in the cache.
	struct debuginfod_client *client = library.begin();
	if (!client)
		return &error_no_memory;
	if (asking) {
		library.set_data(client, asking);
		library.set_progress(client, debuginfod_ask);
	}
	char *path = NULL;
	int fd = library.find_debuginfo(client, build_id, (int)size, &path);
	bool is_refused = fd >= 0 && is_downgrade(urls, library.get_url(client));
	library.end(client);
	if (fd < 0)
		return NULL;
	close(fd);
	if (is_refused) {
		unlink(path); // the cache would give it to the next one
		free(path);
		return NULL;
	}
	*ret = path;
	return NULL;
}

struct error *debuginfod_fetch(const uint8_t *build_id, size_t size, char **ret)
{
	return debuginfod_fetch_asking(build_id, size, NULL, ret);
}

struct error *debuginfod_fetch_while(const uint8_t *build_id, size_t size,
				     bool (*goes_on)(void *data), void *data, char **ret)
{
	struct debuginfod_asking asking = {goes_on, data};
	return debuginfod_fetch_asking(build_id, size, &asking, ret);
}
