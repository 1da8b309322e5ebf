// SPDX-License-Identifier: Apache-2.0
// The words are taken in the order of the user, as this is the order of the columns of results:
// a metric adds the events of its formula where it stands. An -e for counting may first turn into
// the words of a file (@FILE), and loses what it says of single cores (core_N/EVENTS/), which is
// kept aside: only when all words are known can it be seen whether all cores count the same.
// At last the events are placed on counters, for sources that do not schedule them by themselves.

#include "session/setup/run_request.h"

#include "base/cleanup.h"
#include "base/text/number.h"
#include "catalog/file/event_file.h"
#include "catalog/linux/access_events.h"
#include "catalog/metric.h"
#include "catalog/topdown.h"
#include "session/session.h"
#include "session/setup/core_requests.h"

#include <string.h>

static const char count_period_key[] = "count.period=";

static struct error *set_config(struct run_config *config, const char *argument)
{
	size_t key_length = strlen(count_period_key);
	const char *value = argument + key_length;
	uint64_t number;
	if (!strncmp(argument, count_period_key, key_length) &&
	    number_parse_decimal(value, strlen(value), &number) == NUMBER_OK &&
	    number >= COUNT_PERIOD_MIN_MS && number <= COUNT_PERIOD_MAX_MS) {
		config->count_period_ms = (uint32_t)number;
		return NULL;
	}
	return error_with_hint(error_create(ERROR_USAGE, "error: can't set '%s' config", argument),
			       "count.period takes %d to %d (ms); count.period_min and "
			       "count.period_max cannot be changed",
			       COUNT_PERIOD_MIN_MS, COUNT_PERIOD_MAX_MS);
}

/** The peer goes on when it cannot set a parameter. */
static struct error *set_configs(const struct run_words *words, struct run_request *request,
				 struct string_builder *warnings)
{
	request->config.count_period_ms = COUNT_PERIOD_MAX_MS;
	for (size_t i = 0; i < words->num_config; i++) {
		struct error *err = set_config(&request->config, words->config[i]);
		if (err && !words->only_warns_of_config)
			return err;
		if (err)
			string_builder_appendf(warnings, "%s\n", err->message);
		error_destroy(err);
	}
	return NULL;
}

/** Is it one of the names in this comma list? */
static bool names_topdown(const char *names)
{
	size_t length = strlen(topdown_name);
	for (; *names; names += *names == ',') {
		size_t name_length = strcspn(names, ",");
		if (name_length == length && strncmp(names, topdown_name, length) == 0)
			return true;
		names += name_length;
	}
	return false;
}

static struct error *run_request_add_spe(struct session *session, const char *spec,
					 struct run_request *request)
{
	if (request->has_spe)
		return error_create(ERROR_USAGE, "arm_spe_0 was given twice");
	request->has_spe = true;
	return spe_spec_parse(spec, session->info.has_spe ? &session->info.spe_filters : NULL,
			      &request->spe);
}

/** `mem`: what this machine samples accesses to memory with. */
static struct error *run_request_add_accesses(struct session *session, const char *word,
					      struct run_request *request)
{
	_cleanup_(string_builder_deinit) struct string_builder events = STRING_BUILDER_INIT;
	if (session->info.has_spe && strcmp(word, ACCESS_EVENTS_WORD) != 0)
		return error_with_hint(error_create(ERROR_USAGE, "SPE takes no period from '%s'",
						    word),
				       "use -e arm_spe_0/period=N/");
	if (session->info.has_spe)
		return run_request_add_spe(session, "arm_spe_0//", request);
	struct error *err = access_events_find(session->catalog.sysfs_folder, word, &events);
	return err ? err
		   : event_spec_parse(&session->catalog, string_builder_peek(&events),
				      EVENT_SPEC_SAMPLE, NULL, &request->events);
}

static struct error *run_request_add_word(struct session *session, const struct counted_word *word,
					  enum event_spec_mode mode, struct run_request *request)
{
	if (word->is_metric) {
		request->has_topdown = request->has_topdown || names_topdown(word->spec);
		return metric_spec_parse(&session->catalog, &session->metrics, word->spec,
					 &request->events);
	}
	if (mode == EVENT_SPEC_SAMPLE && spe_spec_is(word->spec))
		return run_request_add_spe(session, word->spec, request);
	if (mode == EVENT_SPEC_SAMPLE && access_events_are_meant(word->spec))
		return run_request_add_accesses(session, word->spec, request);
	return event_spec_parse(&session->catalog, word->spec, mode, NULL, &request->events);
}

/** @spec: may be the name of a file, and may name cores. */
static struct error *add_counted_events(struct session *session, const char *spec,
					struct core_events *cores, struct run_request *request)
{
	_cleanup_free_ char *words = NULL, *rest = NULL;
	struct error *err = event_file_expand(spec, &words);
	if (!err)
		err = core_events_take(cores, words, session->info.num_cores, &rest);
	if (err || (*words && !*rest))
		return err;
	return event_spec_parse(&session->catalog, rest, EVENT_SPEC_COUNT, NULL, &request->events);
}

static struct error *run_request_add_words(const struct run_words *words, struct session *session,
					   enum event_spec_mode mode, struct run_request *request,
					   struct string_builder *warnings)
{
	_cleanup_(core_events_deinit) struct core_events cores = CORE_EVENTS_INIT;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < words->num_counted; i++) {
		const struct counted_word *word = &words->counted[i];
		err = mode == EVENT_SPEC_COUNT && !word->is_metric
			      ? add_counted_events(session, word->spec, &cores, request)
			      : run_request_add_word(session, word, mode, request);
	}
	if (!err && cores.num_items)
		err = core_requests_add(words, session, &cores, request);
	// An event that is missing without a better reason may be one that is not offered here.
	if (err && !err->hint)
		string_builder_append(warnings, string_builder_peek(&session->notes));
	return err;
}

static struct error *place_events(const struct session *session, struct run_request *request)
{
	struct error *err = NULL;
	for (enum event_class event_class = 0; !err && event_class < NUM_PMU_CLASSES;
	     event_class++) {
		// A source that takes the list needs no placement, and reports what it cannot
		// count.
		if (session->info.counts_processes && !session->catalog.counters.free[event_class])
			continue;
		err = placement_create(&request->events, event_class,
				       session->catalog.counters.free[event_class],
				       session->info.max_events[event_class],
				       &request->placements[event_class]);
	}
	return err;
}

struct error *run_request_create(const struct run_words *words, struct session *session,
				 enum event_spec_mode mode, struct run_request *request,
				 struct string_builder *warnings)
{
	struct error *err = set_configs(words, request, warnings);
	if (!err && words->cores)
		err = core_list_parse(words->cores, session->info.num_cores, &request->cores);
	if (!err)
		err = run_request_add_words(words, session, mode, request, warnings);
	if (err)
		return err;
	if (mode == EVENT_SPEC_COUNT)
		return place_events(session, request);
	return event_spec_check_sampling(&session->catalog, &request->events);
}

void run_request_deinit(struct run_request *request)
{
	event_list_deinit(&request->events);
	for (size_t i = 0; i < NUM_PMU_CLASSES; i++)
		placement_deinit(&request->placements[i]);
	core_list_deinit(&request->cores);
	core_requests_deinit(request);
}
