// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/probe_point.h"

#include "base/container/array.h"
#include "base/text/number.h"
#include "catalog/linux/system_event.h"

#include <string.h>

// A word is cut at its colons, up to the values in parentheses. Its prefix says how many fields
// there are; event_spec.c cuts off what is behind them and asks again.

enum { MAX_FIELDS = 4, MAX_PROBE_FILE = 4095 };

/** What the first field means. */
static const struct probe_prefix {
	const char *text;
	enum probe_point_kind kind;
	bool is_return;
	size_t num_fields; // with the prefix; a static probe may have a file as well
	const char *form;
} probe_prefixes[] = {
	{"u", PROBE_POINT_FILE, false, 3, "u:/path/to/file:function"},
	{"ur", PROBE_POINT_FILE, true, 3, "ur:/path/to/file:function"},
	{"k", PROBE_POINT_KERNEL, false, 2, "k:function"},
	{"kr", PROBE_POINT_KERNEL, true, 2, "kr:function"},
	{"usdt", PROBE_POINT_STATIC, false, 3,
	 "usdt:provider:name, usdt:/path/to/file:provider:name"},
};

struct field {
	const char *text;
	size_t length;
};

/** @length: of the part that is split. */
static size_t split_fields(const char *word, size_t length, struct field fields[MAX_FIELDS + 1])
{
	size_t num = 0;
	const char *end = word + length;
	for (const char *text = word;; text++) {
		const char *colon = memchr(text, ':', (size_t)(end - text));
		fields[num].text = text;
		fields[num++].length = (size_t)((colon ? colon : end) - text);
		if (!colon || num == MAX_FIELDS + 1)
			return num;
		text = colon;
	}
}

static const struct probe_prefix *find_probe_prefix(const struct field *field)
{
	for (size_t i = 0; i < ARRAY_SIZE(probe_prefixes); i++)
		if (strlen(probe_prefixes[i].text) == field->length &&
		    strncmp(probe_prefixes[i].text, field->text, field->length) == 0)
			return &probe_prefixes[i];
	return NULL;
}

static struct error *bad_probe(const struct probe_prefix *prefix, const char *word,
			       const char *what)
{
	return error_with_hint(error_create(ERROR_USAGE, "not a probe: '%s': %s", word, what),
			       "write %s", prefix->form);
}

/** FUNCTION, FUNCTION+bytes or +bytes. */
static const char *probe_point_set_place(struct probe_point *point, struct arena *arena,
					 const struct field *field)
{
	const char *plus = memchr(field->text, '+', field->length);
	size_t name_length = plus ? (size_t)(plus - field->text) : field->length;
	if (plus &&
	    number_parse(plus + 1, field->length - name_length - 1, &point->offset) != NUMBER_OK)
		return "behind '+' there must be a number of bytes";
	if (!name_length && point->kind != PROBE_POINT_FILE)
		return "the function has no name";
	if (point->is_return && plus)
		return "a function returns as a whole: leave out '+' and what is behind it";
	point->name = arena_strndup(arena, field->text, name_length);
	return NULL;
}

static struct error *probe_point_fill(struct probe_point *point, struct catalog *catalog,
				      const char *word, const struct probe_prefix *prefix,
				      const struct field *fields, size_t num_fields)
{
	const struct field *last = &fields[num_fields - 1];
	struct arena *arena = &catalog->arena;
	for (size_t i = 1; i < num_fields; i++)
		if (!fields[i].length)
			return bad_probe(prefix, word, "a part is empty");
	bool has_file = prefix->kind == PROBE_POINT_FILE ||
			(prefix->kind == PROBE_POINT_STATIC && num_fields > prefix->num_fields);
	if (has_file &&
	    (!memchr(fields[1].text, '/', fields[1].length) || fields[1].length > MAX_PROBE_FILE))
		return bad_probe(prefix, word, "the file needs a path with a slash");
	if (has_file)
		point->file = arena_strndup(arena, fields[1].text, fields[1].length);
	if (prefix->kind == PROBE_POINT_STATIC) {
		point->provider = arena_strndup(arena, last[-1].text, last[-1].length);
		point->name = arena_strndup(arena, last->text, last->length);
	} else {
		const char *problem = probe_point_set_place(point, arena, last);
		if (problem)
			return bad_probe(prefix, word, problem);
	}
	bool is_whole = point->name && (!has_file || point->file) &&
			(prefix->kind != PROBE_POINT_STATIC || point->provider);
	return is_whole ? NULL : &error_no_memory;
}

static struct error *find_exceptions(struct catalog *catalog, const struct event **ret)
{
	static const struct probe_point point = {.kind = PROBE_POINT_RAISE, .name = ""};
	struct system_event *event = arena_alloc(&catalog->arena, sizeof(*event));
	if (!event)
		return &error_no_memory;
	*event = (struct system_event){
		.event = {.name = PROBE_POINT_EXCEPTIONS,
			  .title = "Exceptions",
			  .description = "Counts how often Python code raises an exception.",
			  .event_class = EVENT_PERF},
		.kind = "Probe event",
		.scale = 1,
		.probe = &point,
	};
	*ret = &event->event;
	return NULL;
}

/** What stands behind the place in parentheses. */
static struct error *probe_point_set_values(struct probe_point *point, struct arena *arena,
					    const char *word, const struct probe_prefix *prefix)
{
	size_t start = probe_values_start(word);
	if (!start)
		return NULL;
	const char *open = word + start;
	struct probe_values *values = arena_alloc(arena, sizeof(*values));
	if (!values)
		return &error_no_memory;
	size_t length = strcspn(open + 1, ")");
	const char *problem = open[1 + length] ? probe_values_parse(open + 1, length, values)
					       : "the ')' at the end is missing";
	if (problem)
		return error_with_hint(error_create(ERROR_USAGE, "not a probe: '%s': %s", word,
						    problem),
				       "write %s(%s)", prefix->form,
				       point->is_return ? "ret" : "arg1,str2 if arg1>4096");
	for (size_t i = 0; i < values->num_items + values->num_conditions; i++) {
		const struct probe_value *value =
			i < values->num_items ? &values->items[i]
					      : &values->conditions[i - values->num_items].value;
		if (point->is_return && value->argument)
			return bad_probe(prefix, word,
					 "where a function returns, its arguments are gone: only "
					 "ret and strret are there");
		if (!point->is_return && !value->argument)
			return error_with_hint(error_create(ERROR_USAGE,
							    "not a probe: '%s': what a function "
							    "returns is not known yet",
							    word),
					       "probe its return: %s:...(ret)",
					       point->kind == PROBE_POINT_KERNEL ? "kr" : "ur");
	}
	point->values = values;
	return NULL;
}

struct error *probe_point_find(struct catalog *catalog, const char *word, const struct event **ret)
{
	*ret = NULL;
	struct field fields[MAX_FIELDS + 1];
	size_t with_values = probe_values_word_length(word);
	// More is behind the values: modifiers and a period.
	if (with_values && word[with_values])
		return NULL;
	size_t start = probe_values_start(word);
	size_t num_fields = split_fields(word, start ? start : strlen(word), fields);
	const struct probe_prefix *prefix = find_probe_prefix(&fields[0]);
	// Only the Linux kernel has probes.
	if (!catalog->sysfs_folder)
		return NULL;
	if (strcmp(word, PROBE_POINT_EXCEPTIONS) == 0)
		return find_exceptions(catalog, ret);
	if (!prefix || num_fields < 2)
		return NULL;
	size_t wanted = prefix->num_fields;
	wanted +=
		prefix->kind == PROBE_POINT_STATIC && memchr(fields[1].text, '/', fields[1].length);
	if (num_fields < wanted)
		return bad_probe(prefix, word, "a part is missing");
	if (num_fields > wanted)
		return NULL;
	struct system_event *event = arena_alloc(&catalog->arena, sizeof(*event));
	struct probe_point *point = arena_alloc(&catalog->arena, sizeof(*point));
	const char *name = arena_strdup(&catalog->arena, word);
	if (!event || !point || !name)
		return &error_no_memory;
	*point = (struct probe_point){.kind = prefix->kind, .is_return = prefix->is_return};
	struct error *err = probe_point_fill(point, catalog, word, prefix, fields, num_fields);
	if (!err)
		err = probe_point_set_values(point, &catalog->arena, word, prefix);
	if (err)
		return err;
	*event = (struct system_event){
		.event = {.name = name,
			  .title = "Probe",
			  .description = "Counts how often this place in code is reached.",
			  .event_class = EVENT_PERF},
		.kind = "Probe event",
		.scale = 1,
		.probe = point,
	};
	*ret = &event->event;
	return NULL;
}
