// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/metric_file.h"

#include "base/container/array.h"
#include "base/file/file_map.h"
#include "catalog/event_list.h"
#include "catalog/event_spec.h"
#include "catalog/file/config_lines.h"
#include "catalog/metric.h"

#include <string.h>

// A line is split into name and events; then the events are parsed into a list that is thrown away,
// to see whether this machine can count them. If not, the metric is left out with a warning, as in
// WindowsPerf, because one file serves several machines. A line that is no metric at all is an
// error.

/** Can the metric be counted here? @ret: why not, or NULL. */
static struct error *metric_file_add(struct catalog *catalog, const char *name, const char *events)
{
	struct error *err = array_reserve(&catalog->custom_metrics, &catalog->cap_custom_metrics,
					  catalog->num_custom_metrics + 1);
	if (err)
		return err;
	const char *own_name = arena_strdup(&catalog->arena, name);
	const char *own_events = arena_strdup(&catalog->arena, events);
	if (!own_name || !own_events)
		return &error_no_memory;
	catalog->custom_metrics[catalog->num_custom_metrics++] = (struct metric){
		.kind = METRIC_CUSTOM,
		.name = own_name,
		.events = own_events,
	};
	return NULL;
}

/** Cut @line, `name:events`, in two. */
static struct error *split_line(char *line, const char **ret_name, const char **ret_events)
{
	char *colon = strchr(line, ':');
	if (!colon)
		return error_create(ERROR_USAGE, "missing ':' between metric and events in '%s'",
				    line);
	char *second_colon = strchr(colon + 1, ':');
	if (second_colon)
		return error_create(ERROR_USAGE, "unrecognized config component '%.*s'",
				    (int)strcspn(second_colon + 1, ":"), second_colon + 1);
	*colon = '\0';
	const char *name = config_lines_trim(line);
	// -m could never ask for a name with a comma, nor for none.
	if (!*name || strchr(name, ','))
		return error_create(ERROR_USAGE, "invalid metric name '%s'", name);
	*ret_name = name;
	*ret_events = config_lines_trim(colon + 1);
	return NULL;
}

static struct error *metric_file_parse_line(struct catalog *catalog, char *line,
					    struct string_builder *warnings)
{
	const char *name = NULL;
	const char *events = NULL;
	struct error *err = split_line(line, &name, &events);
	if (err)
		return err;
	// Can the metric be counted here? Only a lack of memory is no answer.
	_cleanup_(event_list_deinit) struct event_list scratch = EVENT_LIST_INIT;
	_cleanup_(error_destroyp) struct error *why =
		event_spec_parse(catalog, events, EVENT_SPEC_COUNT, NULL, &scratch);
	if (why && why->code == ERROR_NO_MEMORY)
		return take_ptr(why);
	if (!why)
		return metric_file_add(catalog, name, events);
	string_builder_appendf(warnings,
			       "%s\nwarning: Metric %s is unable to be used due to lack of "
			       "hardware resources.\n",
			       why->message, name);
	return NULL;
}

struct error *metric_file_parse(struct catalog *catalog, const char *path, const char *text,
				size_t size, struct string_builder *warnings)
{
	_cleanup_(config_lines_deinit) struct config_lines lines = CONFIG_LINES_INIT;
	struct error *err = config_lines_init(&lines, path, text, size);
	if (err)
		return err;
	for (char *line; (line = config_lines_next(&lines));) {
		err = metric_file_parse_line(catalog, line, warnings);
		if (err)
			return config_lines_error(&lines, err);
	}
	return NULL;
}

struct error *metric_file_load(struct catalog *catalog, const char *path,
			       struct string_builder *warnings)
{
	_cleanup_(file_map_close) struct file_map file = FILE_MAP_INIT;
	_cleanup_(error_destroyp) struct error *err = file_map_open(&file, path);
	if (err)
		return error_with_hint(error_create(ERROR_FAILED, "open config file '%s' failed",
						    path),
				       "%s", err->message);
	return metric_file_parse(catalog, path, file.data, file.size, warnings);
}
