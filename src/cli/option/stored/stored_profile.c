// SPDX-License-Identifier: Apache-2.0

#include "cli/option/stored/stored_profile.h"

#include "base/file/folder.h"
#include "base/text/string_builder.h"
#include "base/text/wall_time.h"
#include "cli/command.h"
#include "cli/option/stored/server_token.h"
#include "cli/option/stored/stored_choice.h"
#include "server/symbols/debug_names.h"

#include <string.h>

enum {
	// Of the time line of a page; more cost memory and cannot be seen.
	STORED_PROFILE_MAX_STEPS = 240,
};

const char *stored_profile_place(const struct options *options)
{
	const struct text_list *words = &options->arguments;
	if (options->command != COMMAND_STORE)
		return options->from;
	return words->num_items > 1 ? words->items[1] : NULL; // behind the verb
}

/** Names of --debug-dir, which has files by build id as they are, or below .build-id as sysroots.
 */
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

struct error *stored_profile_open(const struct options *options, const char *place,
				  enum store_access access, struct store **ret)
{
	_cleanup_(store_closep) struct store *store = NULL;
	_cleanup_free_ char *token = NULL;
	struct error *err = store_open(place, access, &store);
	if (err)
		return err;
	if (store->ops->authorize)
		err = server_token_read(options, &token);
	else if (options->token_file)
		err = error_with_hint(error_create(ERROR_USAGE, "'%s' takes no token", place),
				      "--token-file is for servers: http://HOST:PORT");
	if (!err && token && *token)
		err = store->ops->authorize(store, token);
	if (err)
		return err;
	*ret = take_ptr(store);
	return NULL;
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

struct error *stored_profile_read(const struct options *options, const char *diff, bool keeps_times,
				  struct named_profile *ret)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	_cleanup_(store_closep) struct store *store = NULL;
	struct store_query query = {0};
	struct error *err = stored_choice_check(options);
	if (!err)
		err = stored_choice_query(options, diff, &arena, &query);
	if (!err)
		err = stored_profile_open(options, options->from, STORE_READ, &store);
	if (!err && keeps_times)
		err = stored_profile_choose_step(store, &query);
	struct named_profile profile = {0};
	query.keeps_builds = options->debug_dir;
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
