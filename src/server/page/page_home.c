// SPDX-License-Identifier: Apache-2.0
// `GET /`: all services, or with arguments the report of one (page_profile.c).

#include "server/server_routes.h"

#include "base/container/array.h"
#include "server/page/page_profile.h"
#include "server/page/page_view.h"

enum {
	// Each is a query of its own.
	PAGE_HOME_MAX_HEATS = 100,
};

/** A day that ends with the newest data. */
static struct error *page_home_fill_heats(struct page_view *view)
{
	uint64_t end_ns = 0;
	for (size_t i = 0; i < view->listing.num_events; i++)
		if (view->listing.events[i].end_ns > end_ns)
			end_ns = view->listing.events[i].end_ns;
	uint64_t until_ns = (end_ns + STORE_HOUR_NS - 1) / STORE_HOUR_NS * STORE_HOUR_NS;
	const struct page_map_range day = {
		.range = {until_ns > STORE_DAY_NS ? until_ns - STORE_DAY_NS : 0, until_ns},
		.step_ns = STORE_HOUR_NS,
	};
	view->page.heat_until_ns = until_ns;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < view->page.num_services && i < PAGE_HOME_MAX_HEATS; i++) {
		const struct store_query query = {.service = view->services[i].name};
		err = page_view_heat(view, &query, day, &view->services[i].heat);
	}
	return err;
}

static struct error *page_home_answer(const struct server_call *call, struct server_answer *ret)
{
	_cleanup_(page_view_deinit) struct page_view view = PAGE_VIEW_INIT;
	struct error *err = page_view_open(call, 0, &view);
	if (!err)
		err = page_home_fill_heats(&view);
	return err ? err : page_view_answer(&view, NULL, NULL, ret);
}

struct error *page_home(const struct server_call *call, struct server_answer *ret)
{
	return call->num_arguments ? page_profile(call, ret) : page_home_answer(call, ret);
}
