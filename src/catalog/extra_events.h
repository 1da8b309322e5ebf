/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_EXTRA_EVENTS_H
#define WPERF_CATALOG_EXTRA_EVENTS_H

/** The words of -E: events that the user names, `name:hex(,name:hex)*`. */

#include "base/error.h"
#include "catalog/catalog.h"

#include <stddef.h>
#include <stdint.h>

/** One list. On failure the events before the wrong one have been added. */
struct error *extra_events_parse(struct catalog *catalog, const char *list);

/** A list per line; empty lines and those that start with '#' are skipped. @path: for errors. */
struct error *extra_events_parse_file(struct catalog *catalog, const char *path, const char *text,
				      size_t size);

/** Add an event, whatever there is already. @name: copied, in lower case. */
struct error *extra_events_add(struct catalog *catalog, enum event_class event_class,
			       const char *name, uint64_t code, const struct event **ret);

#endif
