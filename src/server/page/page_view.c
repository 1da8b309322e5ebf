// SPDX-License-Identifier: Apache-2.0
// Nothing of the server's disk gets into a report: paths in a profile are what an agent sent, and
// whoever may send could have any file of the server shown. So pages have no source code and no
// instructions.

#include "server/page/page_view.h"

#include "base/container/array.h"
#include "base/file/memory_stream.h"
#include "base/os/clock.h"
#include "base/saturating_sum.h"
#include "base/text/wall_time.h"
#include "report/recorded/read_profile.h"
#include "server/page/page_hosts.h"
#include "server/server_answer.h"
#include "server/server_state.h"
#include "server/symbols/debug_names.h"

#include <string.h>

#define MINUTE_NS (60 * (uint64_t)STORE_SECOND_NS)

static const char page_view_name[] = "the page";

void page_view_deinit(struct page_view *view)
{
	for (size_t i = 0; i < ARRAY_SIZE(view->sides); i++)
		page_choice_deinit(&view->sides[i].choice);
	store_listing_deinit(&view->listing);
	arena_deinit(&view->arena);
	error_destroy(view->problem);
	*view = (struct page_view)PAGE_VIEW_INIT;
}

/** The first one counts. */
static void page_view_set_problem(struct page_view *view, int status, struct error *problem)
{
	if (view->problem) {
		error_destroy(problem);
		return;
	}
	view->problem = problem;
	view->status = status;
}

/** Services with batches, and those of which only sums of hours are left. */
static size_t page_view_join_services(const struct store_listing *listing,
				      struct fleet_page_service *services)
{
	size_t num = 0, batch = 0, event = 0;
	while (batch < listing->num_services || event < listing->num_events) {
		const struct store_listed_service *counted =
			batch < listing->num_services ? &listing->services[batch] : NULL;
		const char *next =
			event < listing->num_events ? listing->events[event].service : NULL;
		struct fleet_page_service *service = &services[num++];
		bool is_counted = counted && (!next || strcmp(counted->service, next) <= 0);
		*service =
			(struct fleet_page_service){.name = is_counted ? counted->service : next};
		if (is_counted) {
			service->num_batches = counted->num_batches;
			service->num_dropped = counted->num_dropped;
			service->num_lost = counted->num_lost;
			batch++;
		}
		for (; event < listing->num_events &&
		       strcmp(listing->events[event].service, service->name) == 0;
		     event++)
			service->num_events++;
	}
	return num;
}

static struct error *page_view_fill_services(struct page_view *view)
{
	const struct store_listing *listing = &view->listing;
	size_t most = listing->num_services + listing->num_events;
	struct fleet_page_event *events =
		arena_alloc_array(&view->arena, listing->num_events + 1, sizeof(*events));
	view->services = arena_alloc_array(&view->arena, most + 1, sizeof(*view->services));
	if (!events || !view->services)
		return &error_no_memory;
	for (size_t i = 0; i < listing->num_events; i++) {
		const struct store_listed_event *event = &listing->events[i];
		events[i] = (struct fleet_page_event){event->event, event->unit, event->first_ns,
						      event->end_ns};
	}
	view->page.services = view->services;
	view->page.num_services = page_view_join_services(listing, view->services);
	for (size_t i = 0; i < view->page.num_services; i++) {
		view->services[i].events = events;
		events += view->services[i].num_events;
	}
	return NULL;
}

static const struct fleet_page_service *page_view_find_service(const struct page_view *view,
							       const char *name)
{
	for (size_t i = 0; name && i < view->page.num_services; i++)
		if (strcmp(view->services[i].name, name) == 0)
			return &view->services[i];
	return NULL;
}

/** Of an event that was not chosen: the one that is of most use. */
static const struct fleet_page_event *page_view_find_event(const struct fleet_page_service *service,
							   const char *name)
{
	static const char *const useful[] = {"cycles", "cpu-clock", "task-clock"};
	for (size_t i = 0; i < service->num_events; i++)
		if (name && strcmp(service->events[i].name, name) == 0)
			return &service->events[i];
	for (size_t i = 0; !name && i < ARRAY_SIZE(useful); i++) {
		const struct fleet_page_event *event = page_view_find_event(service, useful[i]);
		if (event)
			return event;
	}
	return name || !service->num_events ? NULL : service->events;
}

static struct page_range page_view_data_of(const struct fleet_page_service *service,
					   const char *event)
{
	struct page_range data = {UINT64_MAX, 0};
	for (size_t i = 0; i < service->num_events; i++) {
		const struct fleet_page_event *each = &service->events[i];
		if (event && strcmp(each->name, event) != 0)
			continue;
		data.from_ns = each->first_ns < data.from_ns ? each->first_ns : data.from_ns;
		data.until_ns = each->end_ns > data.until_ns ? each->end_ns : data.until_ns;
	}
	return data;
}

/** What is missing in the address: the end of the data, and an hour before the end. */
static void page_view_complete_range(const struct page_view *view, struct page_side *side)
{
	struct page_range *range = &side->choice.range;
	const struct page_range data = side->data;
	bool has_since = side->choice.since;
	if (!range->until_ns && data.until_ns > range->from_ns)
		range->until_ns = (data.until_ns + MINUTE_NS - 1) / MINUTE_NS * MINUTE_NS;
	else if (!range->until_ns)
		range->until_ns = view->page.now_ns > range->from_ns ? view->page.now_ns
								     : range->from_ns + MINUTE_NS;
	if (!has_since && side->choice.until)
		range->from_ns = data.from_ns;
	else if (!has_since && range->until_ns > STORE_HOUR_NS)
		range->from_ns = range->until_ns - STORE_HOUR_NS;
	if (range->from_ns >= range->until_ns)
		range->from_ns = range->until_ns > MINUTE_NS ? range->until_ns - MINUTE_NS : 0;
}

static struct error *page_view_refuse_event(const struct fleet_page_service *service,
					    const char *event)
{
	struct error *err =
		error_create(ERROR_USAGE, "service '%s' has no event '%s'", service->name, event);
	return service->num_events
		       ? error_with_hint(err, "one that it has: '%s'", service->events[0].name)
		       : err;
}

/** The choice becomes a complete one, or the view gets a problem. */
static struct error *page_view_settle(struct page_view *view, struct page_side *side)
{
	struct page_choice *choice = &side->choice;
	const struct fleet_page_service *service =
		page_view_find_service(view, choice->words.query.service);
	side->data = (struct page_range){UINT64_MAX, 0};
	if (!choice->words.query.service)
		page_view_set_problem(view, HTTP_BAD_REQUEST,
				      error_create(ERROR_USAGE, "no service is chosen"));
	else if (!service)
		page_view_set_problem(view, HTTP_NOT_FOUND,
				      error_create(ERROR_USAGE, "the store has no service '%s'",
						   choice->words.query.service));
	else if (choice->words.query.event &&
		 !page_view_find_event(service, choice->words.query.event))
		page_view_set_problem(view, HTTP_NOT_FOUND,
				      page_view_refuse_event(service, choice->words.query.event));
	if (service)
		side->data = page_view_data_of(service, choice->words.query.event);
	side->num_hosts = page_hosts_count(&view->listing, &choice->words.query);
	page_view_complete_range(view, side);
	return NULL;
}

static struct error *page_view_choose(struct page_view *view, size_t number)
{
	struct page_side *side = &view->sides[number];
	// "1h" ago is a whole minute, as windows are: of part of one there are no samples.
	uint64_t now_ns = view->page.now_ns / MINUTE_NS * MINUTE_NS;
	struct error *wrong = NULL;
	struct error *err = page_choice_read(view->call, number ? &view->sides[0].choice : NULL,
					     now_ns, &view->arena, &side->choice, &wrong);
	if (err)
		return err;
	if (wrong) {
		page_view_set_problem(view, HTTP_BAD_REQUEST, wrong);
		side->choice.since = side->choice.until = NULL;
		side->choice.range = (struct page_range){0};
	}
	return page_view_settle(view, side);
}

/** The labels of a choice, or those of its service, as the page has them. */
static struct fleet_page_label *page_view_copy_labels(struct page_view *view,
						      const struct fleet_label *labels, size_t num)
{
	struct fleet_page_label *copies = arena_alloc_array(&view->arena, num + 1, sizeof(*copies));
	for (size_t i = 0; copies && i < num; i++)
		copies[i] = (struct fleet_page_label){labels[i].key, labels[i].value};
	return copies;
}

static struct error *page_view_fill_known_labels(struct page_view *view, const char *service,
						 struct fleet_page_bar *bar)
{
	const struct store_listing *listing = &view->listing;
	struct fleet_page_label *labels =
		arena_alloc_array(&view->arena, listing->num_labels + 1, sizeof(*labels));
	if (!labels)
		return &error_no_memory;
	for (size_t i = 0; service && i < listing->num_labels; i++) {
		const struct store_listed_label *label = &listing->labels[i];
		if (strcmp(label->service, service) == 0)
			labels[bar->num_labels++] =
				(struct fleet_page_label){label->key, label->value};
	}
	bar->labels = labels;
	return NULL;
}

static struct error *page_view_fill_bar(struct page_view *view, size_t number)
{
	struct page_side *side = &view->sides[number];
	const struct page_choice *choice = &side->choice;
	struct fleet_page_bar *bar = &view->bars[number];
	struct fleet_page_label *chosen = page_view_copy_labels(view, choice->words.query.labels,
								choice->words.query.num_labels);
	if (!chosen)
		return &error_no_memory;
	bar->choice = (struct fleet_page_choice){
		.service = choice->words.query.service ? choice->words.query.service : "",
		.event = choice->words.query.event,
		.labels = chosen,
		.num_labels = choice->words.query.num_labels,
		.since = choice->since,
		.until = choice->until,
		.is_by_host = choice->is_by_host,
		.from_ns = choice->range.from_ns,
		.until_ns = choice->range.until_ns,
	};
	struct error *err = page_view_fill_known_labels(view, choice->words.query.service, bar);
	if (err || !page_view_find_service(view, choice->words.query.service))
		return err;
	struct page_map_range map = page_map_range(choice->range, side->data, side->num_hosts);
	err = page_view_heat(view, &choice->words.query, map, &bar->heat);
	if (err || !choice->is_by_host || !bar->heat)
		return err;
	return page_hosts_fill(view, &choice->words.query, bar->heat, page_host_range(map),
			       &bar->hosts);
}

struct error *page_view_open(const struct server_call *call, size_t num_sides,
			     struct page_view *view)
{
	view->call = call;
	view->status = HTTP_OK;
	view->page.now_ns = clock_ns(CLOCK_REALTIME);
	struct error *err = call->store->ops->list(call->store, &view->listing);
	if (!err)
		err = page_view_fill_services(view);
	for (size_t i = 0; !err && i < num_sides; i++)
		err = page_view_choose(view, i);
	for (size_t i = 0; !err && i < num_sides; i++)
		err = page_view_fill_bar(view, i);
	view->page.bars = view->bars;
	view->page.num_bars = num_sides;
	return err;
}

const uint64_t *page_view_weights(struct page_view *view, struct page_map_range map,
				  const struct store_heat *heat)
{
	size_t num_steps = page_map_num_steps(map);
	uint64_t *weights = arena_alloc_array(&view->arena, num_steps + 1, sizeof(*weights));
	if (!weights)
		return NULL;
	memset(weights, 0, (num_steps + 1) * sizeof(*weights));
	for (size_t i = 0; i < heat->num_sums; i++) {
		uint64_t start_ns = heat->start_ns + i * heat->step_ns;
		size_t step = (size_t)((start_ns - map.range.from_ns) / map.step_ns);
		if (start_ns >= map.range.from_ns && step < num_steps)
			weights[step] = saturating_sum(weights[step], heat->sums[i].weight);
	}
	return weights;
}

struct store_query page_view_map_query(const struct store_query *wanted, const char *event,
				       struct page_map_range map)
{
	return (struct store_query){
		.service = wanted->service,
		.event = event,
		.labels = wanted->labels,
		.num_labels = wanted->num_labels,
		.from_ns = map.range.from_ns,
		.until_ns = map.range.until_ns,
		.step_ns = map.step_ns,
	};
}

struct error *page_view_heat(struct page_view *view, const struct store_query *wanted,
			     struct page_map_range map, const struct fleet_page_heat **ret)
{
	const struct fleet_page_service *service = page_view_find_service(view, wanted->service);
	const struct fleet_page_event *event =
		service ? page_view_find_event(service, wanted->event) : NULL;
	*ret = NULL;
	if (!event)
		return NULL;
	struct fleet_page_heat *heat = arena_alloc_array(&view->arena, 1, sizeof(*heat));
	if (!heat)
		return &error_no_memory;
	const struct store_query query = page_view_map_query(wanted, event->name, map);
	_cleanup_(store_heat_deinit) struct store_heat sums = {0};
	struct error *err = view->call->store->ops->heat(view->call->store, &query, &sums);
	if (err)
		return err;
	*heat = (struct fleet_page_heat){
		.event = event->name,
		.unit = event->unit,
		.start_ns = map.range.from_ns,
		.step_ns = map.step_ns,
		.weights = page_view_weights(view, map, &sums),
		.num_steps = page_map_num_steps(map),
	};
	*ret = heat;
	return heat->weights ? NULL : &error_no_memory;
}

/** Nothing was found, although there is such a service and event. */
static struct error *page_view_refuse_range(const struct page_side *side)
{
	const struct page_choice *choice = &side->choice;
	_cleanup_(string_builder_deinit) struct string_builder labels = STRING_BUILDER_INIT;
	for (size_t i = 0; i < choice->words.query.num_labels; i++)
		string_builder_appendf(&labels, "%s%s=%s", i ? ", " : " with ",
				       choice->words.query.labels[i].key,
				       choice->words.query.labels[i].value);
	struct error *err = error_create(ERROR_FAILED, "no samples of '%s'%s between %s and %s",
					 choice->words.query.service, string_builder_peek(&labels),
					 wall_time_format(choice->range.from_ns).text,
					 wall_time_format(choice->range.until_ns).text);
	if (side->data.until_ns <= side->data.from_ns)
		return err;
	return error_with_hint(err, "the store has samples of '%s' from %s to %s",
			       choice->words.query.service,
			       wall_time_format(side->data.from_ns).text,
			       wall_time_format(side->data.until_ns).text);
}

struct error *page_view_query(struct page_view *view, size_t number, struct named_profile *ret)
{
	const struct page_side *side = &view->sides[number];
	const struct page_choice *choice = &side->choice;
	struct store_query query = choice->words.query;
	query.from_ns = choice->range.from_ns;
	query.until_ns = choice->range.until_ns;
	query.step_ns = page_report_step(choice->range, side->num_hosts);
	query.keeps_builds = view->call->state; // debug_names_apply() joins them
	const struct read_request request = {.leaves_out_idle = true,
					     .leaves_out_own_cost = !query.event};
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct error *err = view->call->store->ops->query(view->call->store, &query, &profile);
	if (!err && view->call->state)
		err = debug_names_apply(view->call->state->names, view->call->symbols_folder,
					&profile);
	if (!err)
		err = read_profile_adapt(&request, &profile);
	if (err)
		return err;
	if (!profile.num_samples)
		page_view_set_problem(view, HTTP_OK, page_view_refuse_range(side));
	*ret = profile;
	profile = (struct named_profile){0};
	return NULL;
}

struct error *page_view_answer(struct page_view *view, const struct report_page_options *options,
			       const struct named_profile *profile, struct server_answer *ret)
{
	_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&stream);
	if (err)
		return err;
	if (view->problem) {
		view->page.problem = view->problem->message;
		view->page.hint = view->problem->hint;
	}
	err = view->problem || !profile
		      ? fleet_page_write(stream.stream, page_view_name, &view->page)
		      : report_page_write(stream.stream, page_view_name, profile, options);
	if (!err)
		err = memory_stream_close(&stream);
	if (err)
		return err;
	ret->status = view->status;
	ret->type = "text/html; charset=utf-8";
	ret->may_compress = true;
	string_builder_append_n(&ret->body, stream.text, stream.size);
	return ret->body.failed ? &error_no_memory : NULL;
}
