/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_DEBUG_FETCHER_H
#define WPERF_SERVER_SYMBOLS_DEBUG_FETCHER_H

/**
 * Debug files from the servers of DEBUGINFOD_URLS, fetched by one thread: who wants one never waits
 * for the network. A build that no server has is asked for again after an hour.
 */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_fetcher;

enum {
	DEBUG_FETCHER_MAX_WAITING = 1024, /* further ones are wanted again by the next query */
	DEBUG_FETCHER_MAX_KNOWN = 65536,
};

struct debug_fetcher_config {
	uint64_t retry_ns; /* how long a build is not asked for again; 0: an hour */
	/** As debuginfod_fetch_while(), which it is if this is NULL; another one in tests. */
	struct error *(*fetch)(const uint8_t *build_id, size_t size, bool (*goes_on)(void *data),
			       void *data, char **ret);
};

struct error *debug_fetcher_create(const struct debug_fetcher_config *config,
				   struct debug_fetcher **ret);

/** Ends a fetch that is going on. Accepts NULL. */
void debug_fetcher_destroy(struct debug_fetcher *fetcher);

/** Have it fetched, unless it was asked for within the hour. Returns at once. */
struct error *debug_fetcher_want(struct debug_fetcher *fetcher, const struct record_build_id *id);

/** Where the file is; NULL: it has not come. @ret: to be freed. */
struct error *debug_fetcher_find(struct debug_fetcher *fetcher, const struct record_build_id *id,
				 char **ret);

#endif
