// SPDX-License-Identifier: Apache-2.0

#include "server/symbols/debug_names.h"

#include "object/fetch/debuginfod.h"
#include "record/build_id.h"
#include "server/symbols/debug_fetcher.h"
#include "server/symbols/debug_file_cache.h"
#include "server/symbols/debug_folder.h"
#include "server/symbols/named_places.h"

#include <stdlib.h>

// For each module with places, the first of three files that is there names all of them; its lock
// is held for as long. The folder is first, so that what somebody uploads counts at once.

struct debug_names {
	struct debug_names_config config;
	struct debug_file_cache *cache;
	struct debug_fetcher *fetcher; // NULL: nothing is fetched
};

struct error *debug_names_open(const struct debug_names_config *config, struct debug_names **ret)
{
	const struct debug_file_cache_limits limits = {
		.max_bytes = config->max_bytes ? config->max_bytes : DEBUG_NAMES_MAX_BYTES,
		.max_files = DEBUG_NAMES_MAX_FILES,
	};
	_cleanup_(debug_names_closep) struct debug_names *names = calloc(1, sizeof(*names));
	if (!names)
		return &error_no_memory;
	names->config = *config;
	struct error *err = debug_file_cache_create(&limits, &names->cache);
	if (!err && config->fetches && debuginfod_is_wanted())
		err = debug_fetcher_create(&(struct debug_fetcher_config){0}, &names->fetcher);
	if (!err)
		*ret = take_ptr(names);
	return err;
}

void debug_names_close(struct debug_names *names)
{
	if (!names)
		return;
	debug_fetcher_destroy(names->fetcher);
	debug_file_cache_destroy(names->cache);
	free(names);
}

/** Places of one module. */
struct debug_names_module {
	struct named_places *places;
	size_t first, num;
	struct record_build_id id;
	bool is_named;
};

static struct error *debug_names_by_path(struct debug_names *names, const char *path,
					 bool is_trusted, struct debug_names_module *module)
{
	struct debug_file_use use;
	struct error *err = debug_file_cache_use(names->cache, path, &module->id, is_trusted, &use);
	if (err)
		return err;
	module->is_named = use.object;
	if (use.object)
		err = named_places_name(module->places, module->first, module->num, use.object);
	debug_file_cache_release(names->cache, &use);
	return err;
}

/** @folder: NULL: none. */
static struct error *debug_names_by_folder(struct debug_names *names, const char *folder,
					   bool is_trusted, struct debug_names_module *module)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	if (!folder || module->is_named)
		return NULL;
	debug_folder_path(folder, &module->id, &path);
	return path.failed ? &error_no_memory
			   : debug_names_by_path(names, path.text, is_trusted, module);
}

static struct error *debug_names_by_fetching(struct debug_names *names,
					     struct debug_names_module *module)
{
	_cleanup_free_ char *path = NULL;
	if (!names->fetcher || module->is_named)
		return NULL;
	struct error *err = debug_fetcher_find(names->fetcher, &module->id, &path);
	if (!err && path)
		err = debug_names_by_path(names, path, true, module);
	return err || module->is_named ? err : debug_fetcher_want(names->fetcher, &module->id);
}

static struct error *debug_names_of_module(struct debug_names *names, const char *folder,
					   struct debug_names_module *module)
{
	struct error *err = debug_names_by_folder(names, folder, false, module);
	if (!err)
		err = debug_names_by_folder(names, names->config.system_folder, true, module);
	return err ? err : debug_names_by_fetching(names, module);
}

struct error *debug_names_apply(struct debug_names *names, const char *folder,
				struct named_profile *profile)
{
	_cleanup_(named_places_deinit) struct named_places places = NAMED_PLACES_INIT;
	struct error *err = named_places_find(&places, profile);
	for (size_t first = 0, num; !err && first < places.num_places; first += num) {
		const struct named_module *named = &profile->modules[places.places[first].module];
		num = named_places_count(&places, first);
		struct debug_names_module module = {
			.places = &places,
			.first = first,
			.num = num,
			.id = build_id_parse(named_profile_text(profile, named->build_id)),
		};
		if (module.id.size >= DEBUG_FACTS_MIN_BUILD_ID)
			err = debug_names_of_module(names, folder, &module);
	}
	return err ? err : named_places_finish(&places);
}
