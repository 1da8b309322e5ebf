// SPDX-License-Identifier: Apache-2.0

#include "server/query/query_arguments.h"

#include "base/container/array.h"
#include "base/text/number.h"
#include "base/text/wall_time.h"

#include <string.h>

// A name of an argument that is not known is an error: what is misspelt would choose everything.

enum { QUERY_MAX_SHOWN = 60 }; // of a value, in an error

struct query_argument_reader {
	const char *value;
	uint64_t now_ns;
	struct query_arguments *arguments;
};

static struct error *query_arguments_refuse(const char *key, const char *value, const char *hint)
{
	return error_with_hint(error_create(ERROR_USAGE, "argument '%s': not understood: '%.*s'",
					    key, QUERY_MAX_SHOWN, value),
			       "%s", hint);
}

static struct error *query_arguments_time(const struct query_argument_reader *reader,
					  const char *key, uint64_t *ret)
{
	const char *value = reader->value;
	uint64_t time;
	bool is_known = number_parse_decimal(value, strlen(value), &time) == NUMBER_OK ||
			wall_time_parse(value, reader->now_ns, &time);
	if (!is_known || time >= STORE_MAX_NS)
		return query_arguments_refuse(key, value,
					      "give nanoseconds since 1970, 2h (ago), 2026-03-01, "
					      "2026-03-01T12:30 (UTC) or @SECONDS");
	*ret = time;
	return NULL;
}

static struct error *query_arguments_service(const struct query_argument_reader *reader)
{
	reader->arguments->query.service = reader->value;
	return NULL;
}

static struct error *query_arguments_event(const struct query_argument_reader *reader)
{
	reader->arguments->query.event = reader->value;
	return NULL;
}

static struct error *query_arguments_label(const struct query_argument_reader *reader)
{
	struct query_arguments *arguments = reader->arguments;
	const char *equals = strchr(reader->value, '=');
	size_t num = arguments->query.num_labels;
	if (!equals || equals == reader->value)
		return query_arguments_refuse("label", reader->value,
					      "write KEY=VALUE: label=host.name=web-1");
	if (num == QUERY_MAX_LABELS)
		return error_create(ERROR_USAGE, "more than %d arguments 'label'",
				    QUERY_MAX_LABELS);
	struct fleet_label *label = &arguments->labels[num];
	label->key =
		arena_strndup(&arguments->arena, reader->value, (size_t)(equals - reader->value));
	label->value = arena_strdup(&arguments->arena, equals + 1);
	if (!label->key || !label->value)
		return &error_no_memory;
	arguments->query.labels = arguments->labels;
	arguments->query.num_labels = num + 1;
	return NULL;
}

static struct error *query_arguments_since(const struct query_argument_reader *reader)
{
	return query_arguments_time(reader, "since", &reader->arguments->query.from_ns);
}

static struct error *query_arguments_until(const struct query_argument_reader *reader)
{
	return query_arguments_time(reader, "until", &reader->arguments->query.until_ns);
}

static struct error *query_arguments_step(const struct query_argument_reader *reader)
{
	const char *value = reader->value;
	uint64_t step;
	if (number_parse_decimal(value, strlen(value), &step) != NUMBER_OK || !step ||
	    step >= STORE_MAX_NS)
		return query_arguments_refuse("step", value,
					      "give nanoseconds: 60000000000 is a minute");
	reader->arguments->query.step_ns = step;
	return NULL;
}

static const struct query_argument {
	const char *key;
	struct error *(*read)(const struct query_argument_reader *reader);
	bool may_repeat;
} query_argument_rows[] = {
	{"service", query_arguments_service, false}, {"event", query_arguments_event, false},
	{"label", query_arguments_label, true},      {"since", query_arguments_since, false},
	{"until", query_arguments_until, false},     {"step", query_arguments_step, false},
};

struct error *query_arguments_read(const struct server_argument *arguments, size_t num_arguments,
				   uint64_t now_ns, struct query_arguments *ret)
{
	bool is_there[ARRAY_SIZE(query_argument_rows)] = {false};
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < num_arguments; i++) {
		const struct query_argument_reader reader = {arguments[i].value, now_ns, ret};
		const char *key = arguments[i].key;
		size_t row = 0;
		while (row < ARRAY_SIZE(query_argument_rows) &&
		       strcmp(query_argument_rows[row].key, key) != 0)
			row++;
		if (row == ARRAY_SIZE(query_argument_rows))
			return error_with_hint(
				error_create(ERROR_USAGE, "unknown argument '%.*s'",
					     QUERY_MAX_SHOWN, key),
				"there are service, event, label, since, until and step");
		if (is_there[row] && !query_argument_rows[row].may_repeat)
			return error_create(ERROR_USAGE, "the argument '%s' is there twice", key);
		is_there[row] = true;
		struct error *err = query_argument_rows[row].read(&reader);
		if (err)
			return err;
	}
	return NULL;
}

void query_arguments_deinit(struct query_arguments *arguments)
{
	arena_deinit(&arguments->arena);
}
