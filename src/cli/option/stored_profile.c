// SPDX-License-Identifier: Apache-2.0

#include "cli/option/stored_profile.h"

#include "base/container/array.h"
#include "base/file/folder.h"
#include "base/os/clock.h"
#include "base/text/string_builder.h"
#include "base/text/wall_time.h"
#include "cli/option/option_recording.h"
#include "server/symbols/debug_names.h"

#include <string.h>

enum {
	// Of the time line of a page; more cost memory and cannot be seen.
	STORED_PROFILE_MAX_STEPS = 240,
};

struct error *stored_profile_time(const char *option, const char *text, uint64_t *ret_ns)
{
	if (wall_time_parse(text, clock_ns(CLOCK_REALTIME), ret_ns))
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "%s: not a time: '%s'", option, text),
			       "give 2h (ago), 2026-03-01, 2026-03-01T12:30 (UTC) or @SECONDS");
}

struct error *stored_profile_labels(const struct options *options, struct arena *arena,
				    struct fleet_label **ret, size_t *ret_num)
{
	const struct text_list *words = &options->labels;
	struct fleet_label *labels =
		arena_alloc_array(arena, words->num_items + 1, sizeof(*labels));
	if (!labels)
		return &error_no_memory;
	size_t num = 0;
	for (size_t i = 0; i < words->num_items; i++) {
		const char *word = words->items[i], *equals = strchr(word, '=');
		if (!equals || equals == word)
			return error_with_hint(error_create(ERROR_USAGE,
							    "--label: not a label: '%s'", word),
					       "write KEY=VALUE: --label host.name=web-1");
		labels[num].key = arena_strndup(arena, word, (size_t)(equals - word));
		labels[num].value = arena_strdup(arena, equals + 1);
		if (!labels[num].key || !labels[num].value)
			return &error_no_memory;
		num++;
	}
	if (options->host) {
		labels[num].key = arena_strdup(arena, "host.name");
		labels[num].value = arena_strdup(arena, options->host);
		if (!labels[num].key || !labels[num].value)
			return &error_no_memory;
		num++;
	}
	*ret = labels;
	*ret_num = num;
	return NULL;
}

struct error *stored_profile_check(const struct options *options)
{
	const char *beside = options->service            ? "--service"
			     : options->host             ? "--host"
			     : options->since            ? "--since"
			     : options->until            ? "--until"
			     : options->debug_dir        ? "--debug-dir"
			     : options->labels.num_items ? "--label"
							 : NULL;
	if (!options->from)
		return beside ? error_with_hint(error_create(ERROR_USAGE, "%s is about stores",
							     beside),
						"name one with --from sqlite:FILE")
			      : NULL;
	if (options->input || options->arguments.num_items)
		return error_create(ERROR_USAGE, "a recording and --from cannot be combined");
	if (options->time_range)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--time and --from cannot be combined"),
				       "choose a range of a store with --since and --until");
	return NULL;
}

/** Names of --debug-dir, which has files by build id as they are, or below .build-id as sysroots. */
static struct error *stored_profile_name(const char *folder, struct named_profile *profile)
{
	const struct debug_names_config config = {.system_folder = DEBUG_NAMES_SYSTEM_FOLDER};
	_cleanup_(debug_names_closep) struct debug_names *names = NULL;
	_cleanup_(folder_closep) struct folder *opened = NULL;
	_cleanup_(string_builder_deinit) struct string_builder below = STRING_BUILDER_INIT;
	struct error *err = folder_open(folder, &opened);
	string_builder_appendf(&below, "%s/.build-id", folder);
	if (!err && below.failed)
		err = &error_no_memory;
	if (!err)
		err = debug_names_open(&config, &names);
	if (!err)
		err = debug_names_apply(names, folder, profile);
	return err ? err : debug_names_apply(names, below.text, profile);
}

/** @range: as of stored_profile_read(). */
static struct error *stored_profile_range(const struct options *options, const char *range,
					  struct store_query *query)
{
	if (!range) {
		struct error *err = NULL;
		if (options->since)
			err = stored_profile_time("--since", options->since, &query->from_ns);
		if (!err && options->until)
			err = stored_profile_time("--until", options->until, &query->until_ns);
		return err;
	}
	_cleanup_free_ char *since = strdup(range);
	if (!since)
		return &error_no_memory;
	char *comma = strchr(since, ',');
	if (comma)
		*comma = '\0';
	struct error *err = stored_profile_time("--diff", since, &query->from_ns);
	if (!err && comma)
		err = stored_profile_time("--diff", comma + 1, &query->until_ns);
	return err;
}

/** Steps of whole minutes, as windows are, that divide what there is of the range. */
static struct error *stored_profile_choose_step(struct store *store, struct store_query *query)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	const uint64_t minute = 60 * (uint64_t)STORE_SECOND_NS;
	struct error *err = store->ops->list(store, &listing);
	uint64_t first = UINT64_MAX, end = 0;
	for (size_t i = 0; !err && i < listing.num_events; i++) {
		const struct store_listed_event *event = &listing.events[i];
		if (query->service && strcmp(event->service, query->service) != 0)
			continue;
		first = event->first_ns < first ? event->first_ns : first;
		end = event->end_ns > end ? event->end_ns : end;
	}
	first = query->from_ns > first ? query->from_ns : first;
	end = query->until_ns && query->until_ns < end ? query->until_ns : end;
	uint64_t length = end > first ? end - first : 0;
	query->step_ns = (length / STORED_PROFILE_MAX_STEPS / minute + 1) * minute;
	return err;
}

static struct error *stored_profile_refuse(const struct options *options,
					   const struct store_query *query)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	if (query->service)
		string_builder_appendf(&text, " of service '%s'", query->service);
	if (query->event)
		string_builder_appendf(&text, " of event '%s'", query->event);
	if (query->num_labels)
		string_builder_append(&text, " with these labels");
	if (query->from_ns)
		string_builder_appendf(&text, " since %s", wall_time_format(query->from_ns).text);
	if (query->until_ns)
		string_builder_appendf(&text, " until %s", wall_time_format(query->until_ns).text);
	return error_with_hint(error_create(ERROR_FAILED, "the store has no samples%s",
					    string_builder_peek(&text)),
			       "what it has: wperf store list %s", options->from);
}

struct error *stored_profile_read(const struct options *options, const char *range,
				  bool keeps_times, struct named_profile *ret)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	_cleanup_(store_closep) struct store *store = NULL;
	struct fleet_label *labels = NULL;
	struct store_query query = {.service = options->service, .event = options->event};
	struct error *err = stored_profile_check(options);
	if (!err)
		err = stored_profile_range(options, range, &query);
	if (!err)
		err = stored_profile_labels(options, &arena, &labels, &query.num_labels);
	query.labels = labels;
	if (!err)
		err = store_open(options->from, STORE_READ, &store);
	if (!err && keeps_times)
		err = stored_profile_choose_step(store, &query);
	struct named_profile profile = {0};
	if (!err)
		err = store->ops->query(store, &query, &profile);
	if (!err && !profile.num_samples)
		err = stored_profile_refuse(options, &query);
	if (!err && options->debug_dir)
		err = stored_profile_name(options->debug_dir, &profile);
	if (err) {
		named_profile_deinit(&profile);
		return err;
	}
	*ret = profile;
	return NULL;
}
