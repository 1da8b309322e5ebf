// SPDX-License-Identifier: Apache-2.0
#include "server/page/page_profile.h"

#include "server/page/page_view.h"

struct error *page_profile(const struct server_call *call, struct server_answer *ret)
{
	_cleanup_(page_view_deinit) struct page_view view = PAGE_VIEW_INIT;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct error *err = page_view_open(call, 1, &view);
	if (!err && !view.problem)
		err = page_view_query(&view, 0, &profile);
	if (err)
		return err;
	const struct report_page_options options = {
		.title = view.sides[0].choice.words.query.service,
		.step_ns = page_report_step(view.sides[0].choice.range, view.sides[0].num_hosts),
		.fleet = &view.page,
	};
	return page_view_answer(&view, &options, &profile, ret);
}
