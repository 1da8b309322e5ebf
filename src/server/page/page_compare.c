// SPDX-License-Identifier: Apache-2.0
// `GET /compare?...`: two choices in one report. What is shown is its second recording, as that is
// the later one of reports; what it is compared with stands where reports have what was before.

#include "server/server_routes.h"

#include "base/text/wall_time.h"
#include "profile/profile_join.h"
#include "server/page/page_view.h"

#include <string.h>

enum { PAGE_SHOWN, PAGE_OTHER };

static void page_compare_append(struct string_builder *name, const char *text)
{
	if (name->length)
		string_builder_append(name, ", ");
	string_builder_append(name, text);
}

static bool page_compare_has_label(const struct store_query *query, const struct fleet_label *label)
{
	for (size_t i = 0; i < query->num_labels; i++)
		if (strcmp(query->labels[i].key, label->key) == 0)
			return strcmp(query->labels[i].value, label->value) == 0;
	return false;
}

/** What a choice has and the other has not. */
static void page_compare_name(const struct page_choice *choice, const struct page_choice *other,
			      struct string_builder *name)
{
	const struct store_query *query = &choice->words.query;
	if (strcmp(query->service, other->words.query.service) != 0)
		page_compare_append(name, query->service);
	for (size_t i = 0; i < query->num_labels; i++)
		if (!page_compare_has_label(&other->words.query, &query->labels[i]))
			page_compare_append(name, query->labels[i].value);
	if (choice->range.from_ns != other->range.from_ns ||
	    choice->range.until_ns != other->range.until_ns)
		page_compare_append(name, wall_time_format(choice->range.from_ns).text);
}

static struct error *page_compare_write(struct page_view *view, struct named_profile *other,
					const struct named_profile *shown,
					struct server_answer *ret)
{
	static const char *const plain[] = {[PAGE_SHOWN] = "shown", [PAGE_OTHER] = "compared with"};
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder other_name = STRING_BUILDER_INIT;
	struct string_builder *const names[] = {[PAGE_SHOWN] = &name, [PAGE_OTHER] = &other_name};
	struct profile_join join;
	struct error *err = profile_join_add(other, shown, &join);
	if (err)
		return err;
	for (size_t i = 0; i < 2; i++) {
		page_compare_name(&view->sides[i].choice, &view->sides[!i].choice, names[i]);
		if (!names[i]->length)
			string_builder_append(names[i], plain[i]);
	}
	const struct report_page_options options = {
		.title = view->sides[PAGE_SHOWN].choice.words.query.service,
		.join = &join,
		.recording_names = {string_builder_peek(&other_name), string_builder_peek(&name)},
		.step_ns = page_report_step(view->sides[PAGE_SHOWN].choice.range,
					    view->sides[PAGE_SHOWN].num_hosts),
		.fleet = &view->page,
	};
	return page_view_answer(view, &options, other, ret);
}

struct error *page_compare(const struct server_call *call, struct server_answer *ret)
{
	_cleanup_(page_view_deinit) struct page_view view = PAGE_VIEW_INIT;
	_cleanup_(named_profile_deinit) struct named_profile shown = {0};
	_cleanup_(named_profile_deinit) struct named_profile other = {0};
	struct error *err = page_view_open(call, 2, &view);
	if (!err && !view.problem)
		err = page_view_query(&view, PAGE_SHOWN, &shown);
	if (!err && !view.problem)
		err = page_view_query(&view, PAGE_OTHER, &other);
	if (err)
		return err;
	return view.problem ? page_view_answer(&view, NULL, NULL, ret)
			    : page_compare_write(&view, &other, &shown, ret);
}
