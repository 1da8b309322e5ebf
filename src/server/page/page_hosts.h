/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_PAGE_PAGE_HOSTS_H
#define WPERF_SERVER_PAGE_PAGE_HOSTS_H

/** The heat map with a row for each host of a service. */

#include "server/page/page_view.h"

enum { PAGE_HOSTS_MAX = 4096 }; /* each is a query of its own, of a millisecond or so */

/** Hosts without samples in the range have rows, too. A host that the query chooses is the only
 * one.
 *  @ret: NULL: there is nothing. */
struct error *page_hosts_fill(struct page_view *view, const struct store_query *wanted,
			      struct page_map_range map, const struct fleet_page_hosts **ret);

#endif
