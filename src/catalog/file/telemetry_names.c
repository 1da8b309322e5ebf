// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/telemetry_names.h"

#include "base/text/string_builder.h"

#include <stdlib.h>
#include <string.h>

static int compare_to_metric(const void *name, const void *metric)
{
	return strcmp(name, ((const struct cpu_metric *)metric)->info->name);
}

static int compare_to_group(const void *name, const void *group)
{
	return strcmp(name, ((const struct cpu_group *)group)->info->name);
}

static bool is_known(const struct cpu *cpu, const char *name, bool or_groups)
{
	if (cpu->num_metrics &&
	    bsearch(name, cpu->metrics, cpu->num_metrics, sizeof(*cpu->metrics), compare_to_metric))
		return true;
	return or_groups && cpu->num_groups &&
	       bsearch(name, cpu->groups, cpu->num_groups, sizeof(*cpu->groups), compare_to_group);
}

struct error *telemetry_names_join(const struct json_node *node, const char *key,
				   const struct cpu *cpu, bool or_groups, struct arena *arena,
				   const char **ret)
{
	const struct json_value *array = json_value_member(node->object, key);
	if (!json_value_is(array, JSON_VALUE_ARRAY))
		return json_node_error(node, key, "must be an array of metrics");
	// A longer list would name a metric twice, and the text could grow without a limit.
	if (array->num_items > cpu->num_metrics + (or_groups ? cpu->num_groups : 0))
		return json_node_error(node, key, "has more metrics than the file");
	_cleanup_(string_builder_deinit) struct string_builder joined = STRING_BUILDER_INIT;
	for (size_t i = 0; i < array->num_items; i++) {
		const struct json_value *item = &array->items[i];
		const char *name = item->type == JSON_VALUE_STRING ? item->string : NULL;
		char printable[JSON_NODE_PRINTABLE_MAX];
		if (!name || !is_known(cpu, name, or_groups))
			return json_node_error(node, key, "'%s' is not a metric of this file",
					       json_node_printable(name ? name : "", printable));
		string_builder_append(&joined, i ? "," : "");
		string_builder_append(&joined, name);
	}
	_cleanup_free_ char *text = NULL;
	struct error *err = string_builder_finish(&joined, &text);
	if (err)
		return err;
	*ret = arena_strdup(arena, text);
	return *ret ? NULL : &error_no_memory;
}
