/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_PROBE_PLACES_H
#define WPERF_SESSION_SETUP_PROBE_PLACES_H

/**
 * Finds the places that probes name (catalog/linux/probe_point.h): functions in the symbol tables
 * of files, static probes in their notes. An event gets the attributes that mean them to the
 * kernel. On Windows the catalog has no probes.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"
#include "session/setup/run_request.h"

#include <stdbool.h>

/** Whose static probes are meant where a probe names no file. */
struct probe_target {
	char *const *command; /* or NULL */
	const char *pids;     /* "12,34"; or NULL */
	/** Without both: all processes of this name; or NULL. */
	const char *process_name;
	bool samples; /* else events are counted */
};

/**
 * Complete the probes among the events of @request. A static probe that is in several places
 * becomes an event for each, "usdt:python:line#2".
 */
struct error *probe_places_find(struct run_request *request, struct catalog *catalog,
				const struct probe_target *target);

#endif
