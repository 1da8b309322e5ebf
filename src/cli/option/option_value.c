// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_value.h"

#include "base/container/array.h"
#include "base/text/duration.h"
#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

// By the kind of the option, its value is parsed and stored in the member of struct options whose
// offset the row has: the tables need no function for each option. Texts are not copied: words of
// the command line live as long as the process.

static void *member_of(struct options *options, const struct option *option)
{
	return (char *)options + option->offset;
}

struct error *text_list_add(struct text_list *list, const char *text)
{
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (!err)
		list->items[list->num_items++] = text;
	return err;
}

static struct error *option_value_add_counted(struct options *options, bool is_metric,
					      const char *spec)
{
	struct error *err =
		array_reserve(&options->counted, &options->cap_counted, options->num_counted + 1);
	if (!err)
		options->counted[options->num_counted++] = (struct counted_word){is_metric, spec};
	return err;
}

// The words of WindowsPerf.
static struct error *invalid_value(const char *spelling, const char *value)
{
	return error_create(ERROR_USAGE, "input: \"%s\" to argument '%s' is invalid", value,
			    spelling);
}

static struct error *set_number(const struct option *option, const char *spelling,
				const char *value, uint32_t *ret)
{
	uint64_t number;
	if (number_parse_decimal(value, strlen(value), &number) == NUMBER_OK &&
	    number >= option->min && number <= option->max) {
		*ret = (uint32_t)number;
		return NULL;
	}
	return error_with_hint(invalid_value(spelling, value), "a whole number of %u to %u",
			       option->min, option->max);
}

static struct error *set_duration(const struct options *options, const struct option *option,
				  const char *spelling, const char *value, uint64_t *ret)
{
	uint64_t duration_ns;
	if (!duration_parse(value, &duration_ns))
		return error_with_hint(
			invalid_value(spelling, value),
			"a number with at most two decimals, and ms, s, m, h or d: 1.5, 250ms");
	// The peer takes no time at all for all the time there is.
	if (duration_ns < option->min && !options->compat)
		return error_with_hint(
			invalid_value(spelling, value),
			"leave it out to run until Ctrl-C or until the program ends");
	*ret = duration_ns;
	return NULL;
}

/** "100" is milliseconds, as for perf; with a unit it is what the unit says. */
static struct error *set_period(const struct option *option, const char *spelling,
				const char *value, uint64_t *ret)
{
	// -1 of perf's -D.
	if (option->may_be_value && option->may_be_value(value)) {
		*ret = DELAY_ENDLESS;
		return NULL;
	}
	char text[32];
	bool is_number = value[strspn(value, "0123456789")] == '\0';
	snprintf(text, sizeof(text), "%s%s", value, is_number ? "ms" : "");
	uint64_t period_ns;
	// A number that was cut off could be another one.
	if (strlen(value) >= sizeof(text) - sizeof("ms") || !duration_parse(text, &period_ns) ||
	    period_ns < option->min)
		return error_with_hint(invalid_value(spelling, value),
				       "milliseconds, or a number with ms, s, m, h or d: 100, 1s");
	*ret = period_ns;
	return NULL;
}

struct error *option_value_set(struct options *options, const struct option *option,
			       const char *spelling, const char *value)
{
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)member_of(options, option) = true;
		return NULL;
	case OPTION_TEXT:
		*(const char **)member_of(options, option) = value;
		return NULL;
	case OPTION_TEXTS:
		return text_list_add(member_of(options, option), value);
	case OPTION_EVENTS:
		return option_value_add_counted(options, false, value);
	case OPTION_METRICS:
		return option_value_add_counted(options, true, value);
	case OPTION_DURATION:
		return set_duration(options, option, spelling, value, member_of(options, option));
	case OPTION_PERIOD:
		return set_period(option, spelling, value, member_of(options, option));
	case OPTION_RATE:
		if (strcmp(value, "max") != 0)
			return set_number(option, spelling, value, member_of(options, option));
		// As much as the machine allows, which only the source knows.
		*(uint32_t *)member_of(options, option) = NUMBER_MAX;
		return NULL;
	case OPTION_NUMBER:
		return set_number(option, spelling, value, member_of(options, option));
	case OPTION_COMMAND:
		return NULL;
	}
	return NULL;
}

/** "mixed, only or native" of "mixed|only|native". */
static void append_choices(const char *choices, struct string_builder *text)
{
	for (const char *item = choices; *item;) {
		size_t length = strcspn(item, "|");
		const char *rest = item + length;
		bool is_first = item == choices;
		string_builder_appendf(text, "%s%.*s",
				       is_first ? ""
				       : *rest  ? ", "
						: " or ",
				       (int)length, item);
		item = *rest ? rest + 1 : rest;
	}
}

struct error *option_value_missing(const struct option *option, const char *spelling)
{
	_cleanup_(string_builder_deinit) struct string_builder choices = STRING_BUILDER_INIT;
	// Choices are in small letters; "FILE|EVENTS" are not words to type.
	bool has_choices = strchr(option->value, '|') && *option->value >= 'a';
	if (!has_choices)
		return error_with_hint(error_create(ERROR_USAGE, "%s needs a value", spelling),
				       "write %s %s", spelling, option->value);
	append_choices(option->value, &choices);
	return error_create(ERROR_USAGE, "%s needs a value: %s", spelling,
			    string_builder_peek(&choices));
}
