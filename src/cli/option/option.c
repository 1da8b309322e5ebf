// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option.h"

#include "base/container/array.h"
#include "base/text/nearest_name.h"
#include "base/text/string_builder.h"
#include "cli/option/option_table.h"

#include <string.h>

// All look-ups go through the tables from their start: there are about a hundred rows, a command
// line has few words, and a table that is also a manual cannot be sorted. An option may have
// several rows with one spelling, for different commands: the commands that were named choose
// (@takers).

const struct option_group *const option_groups[] = {
	&option_group_target,
	&option_group_event,
	&option_group_repeat,
	&option_group_input,
	&option_group_stack,
	&option_group_python,
	&option_group_recorder,
	&option_group_view,
	&option_group_filter,
	&option_group_store,
	&option_group_agent,
	&option_group_serve,
	&option_group_upload,
	&option_group_symbol,
	&option_group_output,
	&option_group_general,
	NULL,
};

/** More spellings, aliases and commands than there are. */
enum { MAX_NAMES = 512 };

const struct option *option_next(const struct option *previous)
{
	const struct option_group *const *groups = option_groups;
	if (!previous)
		return groups[0]->options;
	for (; *groups; groups++) {
		// Groups are separate arrays: behind the last row of one comes the first of the
		// next.
		const struct option *last = &(*groups)->options[(*groups)->num_options - 1];
		if (previous == last)
			return groups[1] ? groups[1]->options : NULL;
		if (previous >= (*groups)->options && previous < last)
			break;
	}
	return previous + 1;
}

static bool spelt_so(const char *spelling, const char *word, size_t length)
{
	return spelling && strlen(spelling) == length && !strncmp(spelling, word, length);
}

static bool is_spelt(const struct option *option, const char *word, size_t length)
{
	for (size_t i = 0; i < OPTION_MAX_SPELLINGS; i++)
		if (spelt_so(option->spellings[i], word, length))
			return true;
	return spelt_so(option->alias, word, length);
}

const struct option *option_find(const char *word, size_t length, unsigned takers)
{
	const struct option *found = NULL;
	for (const struct option *option = NULL; (option = option_next(option));) {
		if (!is_spelt(option, word, length))
			continue;
		if (option->commands & takers)
			return option;
		// Of no command that was named: the first one, so that the error can say who takes
		// it.
		found = found ? found : option;
	}
	return found;
}

unsigned option_takers(const char *spelling)
{
	unsigned takers = 0;
	for (const struct option *option = NULL; (option = option_next(option));)
		if (is_spelt(option, spelling, strlen(spelling)))
			takers |= option->commands;
	return takers;
}

static bool option_begins_with(const char *spelling, const char *word, size_t length)
{
	return spelling && !strncmp(spelling, "--", 2) && !strncmp(spelling, word, length);
}

struct error *option_find_abbreviation(const char *word, size_t length, unsigned takers,
				       const struct option **ret)
{
	const struct option *found = NULL;
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	size_t num_found = 0;
	// "--" and letters are no abbreviations.
	if (length <= 2) {
		*ret = NULL;
		return NULL;
	}
	for (const struct option *option = NULL; (option = option_next(option));) {
		if (takers && !(option->commands & takers))
			continue;
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++) {
			if (!option_begins_with(option->spellings[k], word, length))
				continue;
			string_builder_appendf(&names, "%s%s", num_found ? ", " : "",
					       option->spellings[k]);
			// Two spellings of one option are not ambiguous.
			num_found += found != option;
			found = option;
		}
	}
	if (num_found > 1)
		return error_with_hint(error_create(ERROR_USAGE, "option '%.*s' is ambiguous",
						    (int)length, word),
				       "it matches %s", string_builder_peek(&names));
	*ret = found;
	return NULL;
}

bool option_abbreviation_has_value(const char *word)
{
	size_t length = strlen(word);
	bool is_one = false;
	if (length <= 2)
		return false;
	for (const struct option *option = NULL; (option = option_next(option));)
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++) {
			if (!option_begins_with(option->spellings[k], word, length))
				continue;
			if (!option->value || option->value_if_left_out)
				return false;
			is_one = true;
		}
	return is_one;
}

const char *option_nearest(const char *word)
{
	const char *names[MAX_NAMES];
	size_t num_names = 0;
	for (const struct option *option = NULL; (option = option_next(option));) {
		if (num_names + OPTION_MAX_SPELLINGS + 1 + NUM_COMMANDS > MAX_NAMES)
			break;
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++)
			if (option->spellings[k])
				names[num_names++] = option->spellings[k];
		if (option->alias)
			names[num_names++] = option->alias;
	}
	// Commands, too: "wperf recrod" is a word without a dash.
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		names[num_names++] = commands[i].name;
	return nearest_name(word, names, num_names);
}
