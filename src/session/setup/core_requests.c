// SPDX-License-Identifier: Apache-2.0
// Cores with the same words are one request: a placement on counters is made once and used for all
// of them. Each request takes the first core that has no request yet, and all later cores with its
// words, so that cores are in order within a request and requests are in the order of their first
// core. Two loops over the cores are fast enough: a machine has hundreds at most.
//
// core_0/r11/,core_1/r11/,core_2/r8/ makes two requests: r11 on cores 0 and 1, r8 on core 2. If all
// cores have the same words, no request is needed: they become -e with -c, which all sources can
// do. Different events by core are refused for sources that count processes, whose threads move
// between cores.

#include "session/setup/core_requests.h"

#include "session/session.h"

#include <stdlib.h>
#include <string.h>

static const char *core_requests_words_of(const struct core_events *cores, size_t item)
{
	return string_builder_peek(&cores->items[item].words);
}

/** Is it the first core with these words? */
static bool core_requests_is_first(const struct core_events *cores, size_t item)
{
	for (size_t i = 0; i < item; i++)
		if (strcmp(core_requests_words_of(cores, i), core_requests_words_of(cores, item)) ==
		    0)
			return false;
	return true;
}

/** The cores that have the words of @item. */
static struct error *collect_cores(const struct core_events *cores, size_t item,
				   struct core_list *ret)
{
	unsigned *found = calloc(cores->num_items, sizeof(*found));
	if (!found)
		return &error_no_memory;
	*ret = (struct core_list){.cores = found};
	for (size_t i = item; i < cores->num_items; i++)
		if (strcmp(core_requests_words_of(cores, i), core_requests_words_of(cores, item)) ==
		    0)
			found[ret->num_cores++] = cores->items[i].core;
	return NULL;
}

static struct error *parse_words(struct session *session, const char *words,
				 struct event_list *list)
{
	size_t first = list->num_items;
	struct error *err =
		event_spec_parse(&session->catalog, words, EVENT_SPEC_COUNT, NULL, list);
	if (!err)
		event_list_keep_order(list, first);
	return err;
}

static struct error *add_core_request(struct session *session, const struct core_events *cores,
				      size_t item, struct run_request *request)
{
	struct core_request *own = &request->core_requests[request->num_core_requests++];
	struct error *err = collect_cores(cores, item, &own->cores);
	if (!err)
		err = parse_words(session, core_requests_words_of(cores, item), &own->events);
	if (!err && event_list_count(&own->events, EVENT_CORE) != own->events.num_items)
		err = error_create(ERROR_USAGE, "core_%u/.../ takes events of the core only",
				   cores->items[item].core);
	if (!err)
		err = placement_create(&own->events, EVENT_CORE,
				       session->catalog.counters.free[EVENT_CORE],
				       session->info.max_events[EVENT_CORE], &own->placement);
	for (size_t i = 0; !err && i < own->cores.num_cores; i++)
		request->cores.cores[request->cores.num_cores++] = own->cores.cores[i];
	return err;
}

static struct error *add_different(struct session *session, const struct core_events *cores,
				   struct run_request *request)
{
	if (session->info.counts_processes)
		return error_with_hint(error_create(ERROR_USAGE, "this source counts the same "
								 "events on all cores"),
				       "give each core_N/.../ the same, or run one wperf for each "
				       "kind of core");
	if (request->events.num_items)
		return error_with_hint(error_create(ERROR_USAGE, "events for all cores beside "
								 "events that differ by core"),
				       "write all of them as core_N/.../");
	request->core_requests = calloc(cores->num_items, sizeof(*request->core_requests));
	request->cores.cores = calloc(cores->num_items, sizeof(*request->cores.cores));
	if (!request->core_requests || !request->cores.cores)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < cores->num_items; i++)
		if (core_requests_is_first(cores, i))
			err = add_core_request(session, cores, i, request);
	return err;
}

struct error *core_requests_add(const struct run_words *words, struct session *session,
				const struct core_events *cores, struct run_request *request)
{
	if (words->cores)
		return error_create(ERROR_USAGE, "both -c and core_%u/.../ choose cores",
				    cores->items[0].core);
	bool are_all_alike = true;
	for (size_t i = 1; i < cores->num_items; i++)
		are_all_alike = are_all_alike && !core_requests_is_first(cores, i);
	if (!are_all_alike)
		return add_different(session, cores, request);
	struct error *err = collect_cores(cores, 0, &request->cores);
	return err ? err : parse_words(session, core_requests_words_of(cores, 0), &request->events);
}

void core_requests_deinit(struct run_request *request)
{
	for (size_t i = 0; i < request->num_core_requests; i++) {
		struct core_request *own = &request->core_requests[i];
		core_list_deinit(&own->cores);
		event_list_deinit(&own->events);
		placement_deinit(&own->placement);
	}
	free(request->core_requests);
	request->core_requests = NULL;
	request->num_core_requests = 0;
}
