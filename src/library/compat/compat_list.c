// SPDX-License-Identifier: Apache-2.0
// The lists are those of events of the cores: what has a number of 16 bits, with which it can be
// counted through this interface.

#include "catalog/event_spec.h"
#include "library/compat/compat_library.h"

static struct error *add_event(struct compat_items *items, const struct event *event)
{
	EVENT_INFO info = {.type = CORE_TYPE, .id = (uint16_t)event->code};
	struct error *err = compat_items_text(items, event->name, &info.name);
	if (!err)
		err = compat_items_text(items, event->title ? event->title : "", &info.desc);
	return err ? err : compat_items_add(items, &info);
}

static struct error *list_events(const struct session *session, struct compat_items **ret)
{
	_cleanup_(compat_items_destroyp) struct compat_items *items = NULL;
	const struct cpu *cpu = session->catalog.cpu;
	struct error *err = compat_items_create(sizeof(EVENT_INFO), &items);
	for (size_t i = 0; !err && cpu && i < cpu->num_events; i++) {
		const struct event *event = cpu->events[i];
		if (event->event_class == EVENT_CORE &&
		    source_event_truth(session->source, event) != EVENT_ABSENT)
			err = add_event(items, event);
	}
	if (!err)
		*ret = take_ptr(items);
	return err;
}

/** Does it consist of events of the cores, and of nothing else? */
static bool is_of_cores(const struct event_list *list)
{
	for (size_t i = 0; i < list->num_items; i++)
		if (list->items[i].event->event_class != EVENT_CORE)
			return false;
	return list->num_items > 0;
}

static struct error *add_metric(struct session *session, const struct metric *metric,
				struct compat_items *items, int *num_metrics)
{
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	METRIC_INFO info;
	struct error *err = event_spec_parse(&session->catalog, metric->events, EVENT_SPEC_COUNT,
					     metric->name, &list);
	// One of its events is none of this machine.
	if (err && err != &error_no_memory) {
		error_destroy(err);
		return NULL;
	}
	if (err || !is_of_cores(&list))
		return err;
	++*num_metrics;
	err = compat_items_text(items, metric->name, &info.metric_name);
	for (size_t i = 0; !err && i < list.num_items; i++) {
		info.event_idx = (uint16_t)list.items[i].event->code;
		err = compat_items_add(items, &info);
	}
	return err;
}

static struct error *list_metrics(struct session *session, struct compat_items **ret,
				  int *ret_num_metrics)
{
	_cleanup_(compat_items_destroyp) struct compat_items *items = NULL;
	struct error *err = compat_items_create(sizeof(METRIC_INFO), &items);
	*ret_num_metrics = 0;
	for (size_t i = 0; !err && i < session->metrics.num_items; i++)
		err = add_metric(session, &session->metrics.items[i], items, ret_num_metrics);
	if (!err)
		*ret = take_ptr(items);
	return err;
}

/** Those of the peer have items only if their configuration asks for events of cores. */
static bool wants_cores(const LIST_CONF *conf)
{
	return !conf || conf->list_event_types & CORE_EVT;
}

bool wperf_list_events(PLIST_CONF list_conf, PEVENT_INFO event_info)
{
	if (event_info)
		return wants_cores(list_conf) &&
		       compat_library_give(COMPAT_EVENTS, list_conf, event_info);
	struct session *session;
	_cleanup_(compat_items_destroyp) struct compat_items *items = NULL;
	struct error *err = compat_library_enter(&session);
	if (!err && !list_conf)
		err = compat_library_null(__func__);
	if (!err)
		err = list_events(session, &items);
	if (!err)
		err = compat_items_publish(COMPAT_EVENTS, &items);
	return compat_library_leave(err);
}

bool wperf_list_metrics(PLIST_CONF list_conf, PMETRIC_INFO metric_info)
{
	if (metric_info)
		return wants_cores(list_conf) &&
		       compat_library_give(COMPAT_METRICS, list_conf, metric_info);
	struct session *session;
	int num_metrics;
	_cleanup_(compat_items_destroyp) struct compat_items *items = NULL;
	struct error *err = compat_library_enter(&session);
	if (!err && !list_conf)
		err = compat_library_null(__func__);
	if (!err)
		err = list_metrics(session, &items, &num_metrics);
	if (!err)
		err = compat_items_publish(COMPAT_METRICS, &items);
	return compat_library_leave(err);
}

// The numbers do not depend on the configuration: programs of the peer's makers fill none in.

bool wperf_list_num_events(PLIST_CONF list_conf, int *num_events)
{
	struct session *session;
	_cleanup_(compat_items_destroyp) struct compat_items *items = NULL;
	struct error *err = compat_library_enter(&session);
	if (!err)
		err = list_conf && num_events ? list_events(session, &items)
					      : compat_library_null(__func__);
	if (!err && num_events)
		*num_events = (int)compat_items_num(items);
	return compat_library_leave(err);
}

static bool count_metrics(const LIST_CONF *conf, const char *function, bool counts_pairs, int *ret)
{
	struct session *session;
	int num_metrics = 0;
	_cleanup_(compat_items_destroyp) struct compat_items *items = NULL;
	struct error *err = compat_library_enter(&session);
	if (!err)
		err = conf && ret ? list_metrics(session, &items, &num_metrics)
				  : compat_library_null(function);
	if (!err && ret)
		*ret = counts_pairs ? (int)compat_items_num(items) : num_metrics;
	return compat_library_leave(err);
}

bool wperf_list_num_metrics(PLIST_CONF list_conf, int *num_metrics)
{
	return count_metrics(list_conf, __func__, false, num_metrics);
}

bool wperf_list_num_metrics_events(PLIST_CONF list_conf, int *num_metrics_events)
{
	return count_metrics(list_conf, __func__, true, num_metrics_events);
}
