// SPDX-License-Identifier: Apache-2.0

#include "catalog/core_events.h"

#include "base/container/array.h"
#include "base/text/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// core_events_take() goes over the items of -e from left to right. What begins with `core_N/` is
// taken up to its second slash and added to the words of that core. All other items are joined
// again as they were, for the grammar of event_spec.c, which knows nothing of single cores. What
// only resembles the syntax (`core_x/`) is left to that grammar, too: its message names the event.
//
// The cores are kept sorted while they are added. That is an insertion into an array each time,
// but a command names a few cores.

static const char prefix[] = "core_";

static bool names_core(const char *item)
{
	size_t length = strlen(prefix);
	size_t digits = strspn(item + (strncmp(item, prefix, length) ? 0 : length), "0123456789");
	return strncmp(item, prefix, length) == 0 && digits && item[length + digits] == '/';
}

/** The item of this core, made if there is none. */
static struct error *item_of(struct core_events *events, unsigned core, struct core_words **ret)
{
	size_t place = 0;
	while (place < events->num_items && events->items[place].core < core)
		place++;
	if (place < events->num_items && events->items[place].core == core) {
		*ret = &events->items[place];
		return NULL;
	}
	struct error *err =
		array_reserve(&events->items, &events->cap_items, events->num_items + 1);
	if (err)
		return err;
	*ret = &events->items[place];
	memmove(*ret + 1, *ret, (events->num_items - place) * sizeof(**ret));
	**ret = (struct core_words){.core = core, .words = STRING_BUILDER_INIT};
	events->num_items++;
	return NULL;
}

static void core_events_append(struct string_builder *text, const char *words, size_t length)
{
	const char *comma = *string_builder_peek(text) ? "," : "";
	string_builder_appendf(text, "%s%.*s", comma, (int)length, words);
}

/** @item: core_N/EVENTS/; moves behind it. */
static struct error *take_core(struct core_events *events, const char **item, unsigned num_cores)
{
	const char *digits = *item + strlen(prefix);
	size_t num_digits = strspn(digits, "0123456789");
	uint64_t number;
	if (number_parse_decimal(digits, num_digits, &number) != NUMBER_OK || number >= num_cores)
		return error_with_hint(error_create(ERROR_USAGE,
						    "this machine has no core %.*s: '%.*s'",
						    (int)num_digits, digits,
						    (int)(strcspn(*item, "/") + 1), *item),
				       "use core_0/.../ to core_%u/.../", num_cores - 1);
	unsigned core = (unsigned)number;
	const char *words = strchr(*item, '/') + 1;
	size_t length = strcspn(words, "/");
	if (words[length] != '/' || !length || (words[length + 1] && words[length + 1] != ','))
		return error_with_hint(
			error_create(ERROR_USAGE, "missing '/' after the events of core %u", core),
			"write core_%u/{r11,r8},r1b/", core);
	struct core_words *found;
	struct error *err = item_of(events, core, &found);
	if (err)
		return err;
	core_events_append(&found->words, words, length);
	*item = words + length + 1;
	return found->words.failed ? &error_no_memory : NULL;
}

/** Most words are about no core in particular; the grammar shall see them as they are. */
struct error *core_events_take(struct core_events *events, const char *spec, unsigned num_cores,
			       char **ret_rest)
{
	// Most words are about no core in particular; the grammar shall see them as they are.
	bool names_any = false;
	for (const char *item = spec; item && !names_any; item = strchr(item, ',')) {
		item += *item == ',';
		names_any = names_core(item);
	}
	if (!names_any) {
		*ret_rest = strdup(spec);
		return *ret_rest ? NULL : &error_no_memory;
	}
	_cleanup_(string_builder_deinit) struct string_builder rest = STRING_BUILDER_INIT;
	for (const char *item = spec; *item;) {
		struct error *err = NULL;
		if (names_core(item)) {
			err = take_core(events, &item, num_cores);
		} else {
			size_t length = strcspn(item, ",");
			core_events_append(&rest, item, length);
			item += length;
		}
		if (err)
			return err;
		item += *item == ',';
	}
	return string_builder_finish(&rest, ret_rest);
}

void core_events_deinit(struct core_events *events)
{
	for (size_t i = 0; i < events->num_items; i++)
		string_builder_deinit(&events->items[i].words);
	free(events->items);
	*events = (struct core_events)CORE_EVENTS_INIT;
}
