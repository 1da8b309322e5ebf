/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_PAGE_PAGE_VIEW_H
#define WPERF_SERVER_PAGE_PAGE_VIEW_H

/**
 * What the pages of a store have in common: the listing of the store, one or two choices of the
 * address, their heat maps, and a problem in the place of a report. A page's handler opens a view,
 * queries each side unless there is a problem, and answers.
 */

#include "base/container/arena.h"
#include "server/page/page_choice.h"
#include "view/page/fleet_page.h"
#include "view/page/report_page.h"

/** One choice, and what there is of it. */
struct page_side {
	struct page_choice choice;
	struct page_range data; /* of what was chosen, all labels together */
	size_t num_hosts;
};

struct page_view {
	const struct server_call *call;
	struct arena arena; /* has all that the page refers to */
	struct store_listing listing;
	struct page_side sides[2];
	struct fleet_page_bar bars[2];
	struct fleet_page_service *services;
	struct fleet_page page;
	struct error *problem; /* why there is no report; NULL: none so far */
	int status;            /* of the answer */
};

#define PAGE_VIEW_INIT \
	{              \
	}

/**
 * @num_sides: 0: of all services; 1: a report; 2: a comparison. What the client has wrong becomes
 * view->problem.
 */
struct error *page_view_open(const struct server_call *call, size_t num_sides,
			     struct page_view *view);
void page_view_deinit(struct page_view *view);

/** Sets view->problem if there are no samples. @ret: set only on success, also then. */
struct error *page_view_query(struct page_view *view, size_t side, struct named_profile *ret);

/** The weights of a service and its labels in a range, without gaps. Without an event: of one that
 *  is of most use. @ret: NULL: there is nothing. */
struct error *page_view_heat(struct page_view *view, const struct store_query *wanted,
			     struct page_map_range map, const struct fleet_page_heat **ret);

/** What is asked of the store for the map: @wanted's service and labels, in the map's range. */
struct store_query page_view_map_query(const struct store_query *wanted, const char *event,
				       struct page_map_range map);

/** What the steps of the map weigh, without gaps. NULL: no memory. */
const uint64_t *page_view_weights(struct page_view *view, struct page_map_range map,
				  const struct store_heat *heat);

/** @profile: NULL, or there is a problem: without a report. */
struct error *page_view_answer(struct page_view *view, const struct report_page_options *options,
			       const struct named_profile *profile, struct server_answer *ret);

#endif
