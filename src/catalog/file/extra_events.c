// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/extra_events.h"

#include "base/container/array.h"
#include "base/text/ascii.h"
#include "base/text/number.h"
#include "catalog/comma_list.h"
#include "catalog/file/config_lines.h"

#include <stdbool.h>
#include <string.h>

// The grammar and the messages are WindowsPerf's, with their spelling. check_token() looks at the
// shape of a token only; the code is read next, and then the name with its prefix. Of two names for
// one code of a class the first one stays. Codes are limited by catalog->max_raw_code: 16 bits on
// an Arm PMU, more on other ones.

static const char extra_event_text[] = "<extra event>";

struct error *extra_events_add(struct catalog *catalog, enum event_class event_class,
			       const char *name, uint64_t code, const struct event **ret)
{
	struct error *err = array_reserve(&catalog->extra_events, &catalog->cap_extra_events,
					  catalog->num_extra_events + 1);
	if (err)
		return err;
	struct event *event = arena_alloc(&catalog->arena, sizeof(*event));
	char *lower = arena_strdup(&catalog->arena, name);
	if (!event || !lower)
		return &error_no_memory;
	for (char *c = lower; *c; c++)
		*c = ascii_lower(*c);
	*event = (struct event){
		.name = lower,
		.title = extra_event_text,
		.description = extra_event_text,
		.event_class = event_class,
		.code = code,
	};
	catalog->extra_events[catalog->num_extra_events++] = event;
	*ret = event;
	return NULL;
}

static struct error *check_token(const char *token, const char *list)
{
	if (!*token)
		return error_create(ERROR_USAGE, "empty token in '%s'", list);
	const char *colon = strchr(token, ':');
	if (colon && strchr(colon + 1, ':'))
		return error_create(ERROR_USAGE, "too many delimeters in %s", token);
	if (!colon)
		return error_create(ERROR_USAGE, "missing extra event delimeter ':' in %s", token);
	if (!colon[1])
		return error_create(ERROR_USAGE, "missing extra event value after ':' in %s",
				    token);
	return NULL;
}

/** @token: `name:hex`; its colon is overwritten. */
static struct error *parse_token(struct catalog *catalog, char *token, const char *list)
{
	struct error *err = check_token(token, list);
	if (err)
		return err;
	char *colon = strchr(token, ':');
	const char *digits = colon + 1;
	uint64_t code = 0;
	enum number_result result = number_parse_hex(digits, strlen(digits), true, &code);
	if (result == NUMBER_INVALID)
		return error_create(ERROR_USAGE, "invalid extra event value in %s", digits);
	if (result == NUMBER_RANGE || code > catalog->max_raw_code)
		return error_create(ERROR_USAGE, "extra event value out of range in %s", digits);
	enum event_class event_class;
	const char *name = token + event_class_split(token, &event_class);
	// -e could never ask for a name with a brace, nor for none.
	if (name == colon || strpbrk(name, "{}"))
		return error_create(ERROR_USAGE, "invalid extra event name in %s", token);
	for (size_t i = 0; i < catalog->num_extra_events; i++)
		if (catalog->extra_events[i]->event_class == event_class &&
		    catalog->extra_events[i]->code == code)
			return NULL;
	*colon = '\0';
	const struct event *ignored;
	return extra_events_add(catalog, event_class, name, code, &ignored);
}

struct error *extra_events_parse(struct catalog *catalog, const char *list)
{
	for (const char *c = list; *c; c++)
		if ((unsigned char)*c <= ' ')
			return error_create(ERROR_USAGE,
					    "whitespace not allowed in extra event string in '%s'",
					    list);
	if (!*list)
		return error_create(ERROR_USAGE, "nothing to parse!");
	_cleanup_free_ char *copy = strdup(list);
	if (!copy)
		return &error_no_memory;
	for (char *rest = copy, *token; (token = comma_list_next(&rest));) {
		struct error *err = parse_token(catalog, token, list);
		if (err)
			return err;
	}
	return NULL;
}

struct error *extra_events_parse_file(struct catalog *catalog, const char *path, const char *text,
				      size_t size)
{
	_cleanup_(config_lines_deinit) struct config_lines lines = CONFIG_LINES_INIT;
	struct error *err = config_lines_init(&lines, path, text, size);
	if (err)
		return err;
	for (const char *line; (line = config_lines_next(&lines));) {
		err = extra_events_parse(catalog, line);
		if (err)
			return config_lines_error(&lines, err);
	}
	return NULL;
}
