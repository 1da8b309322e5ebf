/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_PAGE_PAGE_HOSTS_H
#define WPERF_SERVER_PAGE_PAGE_HOSTS_H

/** The hosts of a service, and the heat map with a row for each. */

#include "server/page/page_view.h"

enum { PAGE_HOSTS_MAX = 4096 }; /* more rows than anybody reads; a page of about a megabyte */

/** How many send windows for the query, as far as that can be told without reading them. A host
 *  that the query chooses is the only one. At least 1. */
size_t page_hosts_count(const struct store_listing *listing, const struct store_query *wanted);

/** Hosts without samples in the range have rows, too. @all: the map of all of them in this range.
 *  @ret: NULL: there is nothing. */
struct error *page_hosts_fill(struct page_view *view, const struct store_query *wanted,
			      const struct fleet_page_heat *all, struct page_map_range map,
			      const struct fleet_page_hosts **ret);

#endif
