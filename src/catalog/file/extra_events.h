/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_EXTRA_EVENTS_H
#define WPERF_CATALOG_FILE_EXTRA_EVENTS_H

/** Parses -E: the user's events, `name:hex(,name:hex)*`. */

#include "base/error.h"
#include "catalog/catalog_tables.h"

#include <stddef.h>
#include <stdint.h>

/** Parse one list. After an error, the events before the wrong one were added. */
struct error *extra_events_parse(struct catalog *catalog, const char *list);

/** Parse a list per line; skips empty lines and those that start with '#'. @path: for errors. */
struct error *extra_events_parse_file(struct catalog *catalog, const char *path, const char *text,
				      size_t size);

/** Add an event without a check for duplicates. @name: copied, in lower case. */
struct error *extra_events_add(struct catalog *catalog, enum event_class event_class,
			       const char *name, uint64_t code, const struct event **ret);

#endif
