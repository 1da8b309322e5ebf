// SPDX-License-Identifier: Apache-2.0
// Events come from five places: the table of the CPU, codes that the driver knows outside of the
// cores, events of the kernel, those of -E, and SPE with its filters. What the source cannot count
// is left out.

#include "session/session_listing.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "catalog/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum event_truth session_listing_truth(const struct session *session,
					      const struct event *event)
{
	return session->source ? source_event_truth(session->source, event) : EVENT_MEASURED;
}

static struct error *session_listing_add(struct session_listing *listing,
					 struct listed_event listed)
{
	struct error *err =
		array_reserve(&listing->events, &listing->cap_events, listing->num_events + 1);
	if (!err)
		listing->events[listing->num_events++] = listed;
	return err;
}

static struct error *session_listing_add_pmu(const struct session *session,
					     struct session_listing *listing, enum listed_kind kind,
					     const struct event *event)
{
	enum event_truth truth = session_listing_truth(session, event);
	// An Arm PMU counts 0 for a code that it lacks (docs/decisions/counting.md): listed, it
	// would look like an event that never happens.
	if (truth == EVENT_ABSENT)
		return NULL;
	const char *prefix = event_class_prefix(event->event_class);
	const char *name =
		*prefix ? arena_printf(&listing->names, "%s%s", prefix, event->name) : event->name;
	return name ? session_listing_add(listing, (struct listed_event){kind, name, event->title,
									 event, truth})
		    : &error_no_memory;
}

/** The events outside of the cores by the codes that the driver says it has. */
static struct error *session_listing_add_uncore(const struct session *session,
						struct session_listing *listing)
{
	struct error *err = NULL;
	for (enum event_class event_class = EVENT_DSU; event_class < NUM_PMU_CLASSES;
	     event_class++) {
		for (size_t i = 0; !err && i < session->info.num_codes[event_class]; i++) {
			const struct event *event =
				catalog_find_code(&session->catalog, event_class,
						  session->info.codes[event_class][i]);
			if (event)
				err = session_listing_add_pmu(session, listing, LISTED_PMU, event);
		}
	}
	return err;
}

static struct error *session_listing_add_spe(const struct session *session,
					     struct session_listing *listing)
{
	if (!session->info.has_spe)
		return NULL;
	struct error *err = session_listing_add(
		listing, (struct listed_event){.kind = LISTED_SPE,
					       .name = "arm_spe_0//",
					       .title = source_info_spe_version(&session->info)});
	const struct spe_filter_table *table = &session->info.spe_filters;
	for (size_t i = 0; !err && i < table->num_filters; i++)
		err = session_listing_add(
			listing, (struct listed_event){.kind = LISTED_SPE_FILTER,
						       .name = table->filters[i].format.name,
						       .title = table->filters[i].title});
	return err;
}

static struct error *session_listing_add_events(const struct session *session,
						struct session_listing *listing)
{
	const struct catalog *catalog = &session->catalog;
	struct error *err = NULL;
	for (size_t i = 0; !err && catalog->cpu && i < catalog->cpu->num_events; i++)
		err = session_listing_add_pmu(session, listing, LISTED_PMU,
					      catalog->cpu->events[i]);
	if (!err)
		err = session_listing_add_uncore(session, listing);
	for (size_t i = 0; !err && i < catalog->num_system_events; i++) {
		const struct event *event = catalog->system_events[i];
		err = session_listing_add(listing, (struct listed_event){LISTED_SYSTEM, event->name,
									 event->title, event,
									 EVENT_MEASURED});
	}
	for (size_t i = 0; !err && i < catalog->num_extra_events; i++)
		err = session_listing_add_pmu(session, listing, LISTED_EXTRA,
					      catalog->extra_events[i]);
	return err ? err : session_listing_add_spe(session, listing);
}

/** Can all of its events be counted here? @events: names with braces and commas between. */
static bool session_listing_is_countable(const struct session *session, const char *events)
{
	static const char between[] = "{},";
	for (events += strspn(events, between); *events; events += strspn(events, between)) {
		char name[128];
		size_t length = strcspn(events, between);
		snprintf(name, sizeof(name), "%.*s", (int)length, events);
		const struct event *event = catalog_find_event(&session->catalog, EVENT_CORE, name);
		// Such a metric could be asked for, and would never have a value.
		if (event && session_listing_truth(session, event) == EVENT_ABSENT)
			return false;
		events += length;
	}
	return true;
}

static struct error *session_listing_add_metrics(const struct session *session,
						 struct session_listing *listing)
{
	const struct metric_list *all = &session->metrics;
	listing->metrics = calloc(all->num_items + 1, sizeof(*listing->metrics));
	if (!listing->metrics)
		return &error_no_memory;
	for (size_t i = 0; i < all->num_items; i++)
		if (session_listing_is_countable(session, all->items[i].events))
			listing->metrics[listing->num_metrics++] = &all->items[i];
	return NULL;
}

struct error *session_listing_create(const struct session *session, struct session_listing *ret)
{
	_cleanup_(session_listing_deinit) struct session_listing listing = SESSION_LISTING_INIT;
	struct error *err = session_listing_add_events(session, &listing);
	if (!err)
		err = session_listing_add_metrics(session, &listing);
	if (err)
		return err;
	*ret = listing;
	listing = (struct session_listing)SESSION_LISTING_INIT;
	return NULL;
}

void session_listing_deinit(struct session_listing *listing)
{
	free(listing->events);
	free(listing->metrics);
	arena_deinit(&listing->names);
	*listing = (struct session_listing)SESSION_LISTING_INIT;
}
