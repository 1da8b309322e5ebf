// SPDX-License-Identifier: Apache-2.0

#include "report/code/annotate_items.h"

#include "base/cleanup.h"
#include "base/file/file_name.h"
#include "base/text/name_pattern.h"
#include "profile/hot/hot_list.h"

#include <stdbool.h>
#include <stdlib.h>

void annotate_items_deinit(struct annotate_items *items)
{
	free(items->items);
	*items = (struct annotate_items)ANNOTATE_ITEMS_INIT;
}

struct error *annotate_items_of_symbol(const struct named_profile *profile,
				       const struct profile_filter *filter, const char *symbol,
				       uint32_t max, struct annotate_items *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err = hot_list_create(profile, HOT_FUNCTION, HOT_BY_SELF, filter, &list);
	if (err)
		return err;
	ret->items = calloc(list.num_entries + 1, sizeof(*ret->items));
	if (!ret->items)
		return &error_no_memory;
	for (size_t i = 0; i < list.num_entries && (!max || ret->num_items < max); i++) {
		uint32_t function = list.entries[i].item;
		if (function == NAMED_NONE || (!symbol && !list.entries[i].self.count))
			continue;
		const char *name = named_profile_text(profile, profile->functions[function].name);
		if (!symbol || name_pattern_match_symbol(symbol, name))
			ret->items[ret->num_items++] = function;
	}
	return NULL;
}

struct error *annotate_items_of_function(uint32_t function, struct annotate_items *ret)
{
	ret->items = malloc(sizeof(*ret->items));
	if (!ret->items)
		return &error_no_memory;
	ret->items[ret->num_items++] = function;
	return NULL;
}

struct error *annotate_items_of_file(const struct named_profile *profile,
				     const struct profile_filter *filter, const char *file,
				     struct annotate_items *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	_cleanup_free_ bool *is_taken = calloc(profile->strings.num_entries + 1, sizeof(*is_taken));
	struct error *err = hot_list_create(profile, HOT_LINE, HOT_BY_SELF, filter, &list);
	if (err)
		return err;
	ret->items = calloc(list.num_entries + 1, sizeof(*ret->items));
	if (!is_taken || !ret->items)
		return &error_no_memory;
	for (size_t i = 0; i < list.num_entries; i++) {
		if (list.entries[i].item == NAMED_NONE || !list.entries[i].self.count)
			continue;
		uint32_t path = profile->frames[list.entries[i].item].file;
		// Lines are sorted by their samples, so files come in the order of their hottest
		// lines.
		if (is_taken[path] || !file_name_is_wanted(named_profile_text(profile, path), file))
			continue;
		is_taken[path] = true;
		ret->items[ret->num_items++] = path;
	}
	return NULL;
}
