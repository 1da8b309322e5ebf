// SPDX-License-Identifier: Apache-2.0
// The events and metrics of `wperf list`, which a session collects when it is opened.

#include "library/library_session.h"

#include "catalog/cpu.h"

static const char *library_listing_unit(const struct listed_event *listed)
{
	if (listed->event)
		return event_class_name(listed->event->event_class);
	return listed->kind == LISTED_SPE ? "spe" : "spe_filter";
}

size_t wperf_session_num_events(const struct wperf_session *session)
{
	return session->listing.num_events;
}

bool wperf_session_event_at(const struct wperf_session *session, size_t number,
			    struct wperf_event *ret)
{
	if (number >= session->listing.num_events)
		return false;
	const struct listed_event *listed = &session->listing.events[number];
	*ret = (struct wperf_event){
		.name = listed->name,
		.unit = library_listing_unit(listed),
		.title = listed->title,
		.description = listed->event ? listed->event->description : "",
		.code = listed->event ? listed->event->code : 0,
	};
	return true;
}

size_t wperf_session_num_metrics(const struct wperf_session *session)
{
	return session->listing.num_metrics;
}

bool wperf_session_metric_at(const struct wperf_session *session, size_t number,
			     struct wperf_metric *ret)
{
	if (number >= session->listing.num_metrics)
		return false;
	const struct metric *metric = session->listing.metrics[number];
	const struct cpu_metric *formula = metric->formula;
	*ret = (struct wperf_metric){
		.name = metric->name,
		.events = metric->events,
		.formula = formula ? formula->formula : NULL,
		.unit = formula ? formula->info->unit : NULL,
		.title = formula ? formula->info->title : NULL,
		.description = formula ? formula->info->description : NULL,
	};
	return true;
}
