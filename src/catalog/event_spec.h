/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_EVENT_SPEC_H
#define WPERF_CATALOG_EVENT_SPEC_H

/**
 * The grammar of -e, and of the events of metrics.
 *
 *	list     = item { "," item }
 *	item     = event | "{" event { "," event } "}" | prefix "{" event { "," event } "}"
 *	event    = [ prefix ] ( name | raw ) { ":" modifiers | ":" interval }
 *	prefix   = "/dsu/" | "/dmc_clk/" | "/dmc_clkdiv2/"          any case
 *	raw      = "r" hex | number in C's base 0                   at most catalog->max_raw_code
 *	modifiers= letters of "ukhGHIp"; u and k only where it is not the Linux kernel that counts;
 *	           right behind "/" the colon may be left out
 *	terms    = pmu "/" term { "," term } "/"                     a name: see sysfs_terms.h
 *	probe    = "u:" ... | "k:" ... | "usdt:" ...                 likewise: see probe_point.h
 *
 * Members of a group have the same class: a prefix before the brace applies to all of them, and may
 * be repeated before each. `{a}` is an ungrouped event. Names may contain any character except
 *"{},:" and blanks, so `cpu/cache-misses/` is a name. A name with a colon is first looked up as a
 *whole
 * (`sched:sched_switch`).
 */

#include "base/error.h"
#include "catalog/catalog.h"
#include "catalog/event_list.h"

enum event_spec_mode {
	EVENT_SPEC_COUNT,  /* intervals are an error */
	EVENT_SPEC_SAMPLE, /* groups and prefixes are an error */
};

/** The default interval for sources that cannot sample by frequency. */
enum { EVENT_DEFAULT_INTERVAL = 0x4000000 };

/**
 * Append the events of @spec to @list; after an error, the list may have some of them.
 * @metric: the metric with this @spec, or NULL; must outlive the list.
 */
struct error *event_spec_parse(struct catalog *catalog, const char *spec, enum event_spec_mode mode,
			       const char *metric, struct event_list *list);

/** After all -e of a sampling command: are there enough counters for these events at once? */
struct error *event_spec_check_sampling(const struct catalog *catalog,
					const struct event_list *list);

#endif
