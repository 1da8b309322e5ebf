// SPDX-License-Identifier: Apache-2.0

#include "base/text/nearest_name.h"
#include "base/text/string_builder.h"
#include "catalog/linux/system_events.h"
#include "catalog/metric.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/options.h"
#include "report/notes/diagnostics.h"
#include "report/output.h"
#include "session/session.h"
#include "view/text/manual.h"

#include <string.h>

/** What a name turned out to be: one of the last four is set. */
struct entry {
	const struct cpu *cpu; /* whose table it is from, or NULL */
	const char *origin;    /* its name, or what else it belongs to */
	const struct cpu_metric *metric;
	const struct event *event;
	const struct cpu_group *group;
	const struct builtin_metric *builtin;
};

/** Everything that printing needs to reach. */
struct man {
	struct catalog catalog;
	const char *cpu_name; /* of --cpu, or NULL */
	bool compat;
	bool shows_core; /* something of the core at hand */
	size_t num_explained, num_printed;
	struct output output; /* nothing is written before it is open */
};

static void man_deinit(struct man *man)
{
	output_deinit(&man->output);
	catalog_deinit(&man->catalog);
}

static void put_field(struct man *man, const char *heading, const char *text)
{
	if (man->output.text)
		manual_print_field(heading, text, man->output.text);
	if (man->output.json)
		manual_write_json_field(heading, text, man->output.json);
}

static struct error *put_name(struct man *man, const char *prefix, const char *name,
			      const char *title)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_(string_builder_deinit) struct string_builder builder = STRING_BUILDER_INIT;
	string_builder_appendf(&builder, "%s%s - %s", prefix, name, title);
	struct error *err = string_builder_finish(&builder, &text);
	if (!err)
		put_field(man, "NAME", text);
	return err;
}

/** "a,b,c" and "{a,b,c}" as "a, b, c". */
static struct error *put_names(struct man *man, const char *heading, const char *names)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_(string_builder_deinit) struct string_builder builder = STRING_BUILDER_INIT;
	for (const char *c = names; *c; c++) {
		if (*c == '{' || *c == '}')
			continue;
		string_builder_append_char(&builder, *c);
		if (*c == ',')
			string_builder_append_char(&builder, ' ');
	}
	struct error *err = string_builder_finish(&builder, &text);
	if (!err)
		put_field(man, heading, text);
	return err;
}

static struct error *cmd_man_put_metric(struct man *man, const struct cpu_metric *metric)
{
	const struct metric_info *info = metric->info;
	const char *events;
	struct error *err = metric_telemetry_events(metric, &man->catalog.arena, &events);
	if (!err)
		err = put_name(man, "", info->name, info->title);
	if (!err)
		err = put_names(man, "EVENTS", events);
	if (err)
		return err;
	put_field(man, "DESCRIPTION", info->description);
	put_field(man, "FORMULA", metric->formula);
	put_field(man, "UNIT", info->unit);
	return NULL;
}

static struct error *put_group(struct man *man, const struct cpu_group *group)
{
	struct error *err = put_name(man, "", group->info->name, group->info->title);
	if (err)
		return err;
	put_field(man, "DESCRIPTION", group->info->description);
	return put_names(man, "METRICS", group->metrics);
}

static struct error *put_event(struct man *man, const struct event *event)
{
	const char *prefix = event_class_prefix(event->event_class);
	struct error *err = put_name(man, prefix, event->name, event->title);
	if (!err)
		put_field(man, "DESCRIPTION", event->description);
	return err;
}

static struct error *put_builtin(struct man *man, const struct builtin_metric *metric)
{
	struct error *err = put_name(man, "", metric->name, metric->title);
	if (!err)
		err = put_names(man, "EVENTS", metric->events);
	if (!err)
		put_field(man, "DESCRIPTION", metric->description);
	return err;
}

static struct error *put_entry(struct man *man, const struct entry *entry)
{
	if (man->output.text && man->num_printed++)
		fputc('\n', man->output.text);
	put_field(man, "CPU", entry->origin);
	if (entry->metric)
		return cmd_man_put_metric(man, entry->metric);
	if (entry->group)
		return put_group(man, entry->group);
	if (entry->builtin)
		return put_builtin(man, entry->builtin);
	return put_event(man, entry->event);
}

/** Metric, event, group: the peer's order. */
static bool find_in_cpu(const struct cpu *cpu, const char *name, struct entry *ret)
{
	*ret = (struct entry){
		.cpu = cpu,
		.origin = cpu->name,
		.metric = cpu_find_metric(cpu, name),
		.event = cpu_find_event(cpu, name),
		.group = cpu_find_group(cpu, name),
	};
	return ret->metric || ret->event || ret->group;
}

/** No CPU was named and this machine has none of Arm: the first table that knows the name. */
static bool find_anywhere(const struct catalog *catalog, const char *name, struct entry *ret)
{
	const struct system_event *event = system_events_find_generic(name);
	if (event) {
		*ret = (struct entry){.origin = event->kind, .event = &event->event};
		return true;
	}
	for (size_t i = 0; i < catalog->num_loaded_cpus; i++)
		if (find_in_cpu(catalog->loaded_cpus[i], name, ret))
			return true;
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++)
		if (find_in_cpu(*cpu, name, ret))
			return true;
	return false;
}

/** The nearest name of this CPU; NULL if none is near. */
static const char *nearest_in_cpu(const struct cpu *cpu, const char *name)
{
	size_t num_names = cpu->num_metrics + cpu->num_events + cpu->num_groups;
	_cleanup_free_ const char **names = calloc(num_names, sizeof(*names));
	if (!names)
		return NULL; // it would only have been a hint
	const char **next = names;
	for (size_t i = 0; i < cpu->num_metrics; i++)
		*next++ = cpu->metrics[i].info->name;
	for (size_t i = 0; i < cpu->num_events; i++)
		*next++ = cpu->events[i]->name;
	for (size_t i = 0; i < cpu->num_groups; i++)
		*next++ = cpu->groups[i].info->name;
	return nearest_name(name, names, num_names);
}

static const char *nearest_anywhere(const char *name)
{
	const char *nearest = NULL;
	for (const struct cpu *const *cpu = all_cpus; !nearest && *cpu; cpu++)
		nearest = nearest_in_cpu(*cpu, name);
	return nearest;
}

static struct error *cmd_man_not_found(const struct catalog *catalog, const char *name,
				       const struct cpu *cpu)
{
	struct error *err = error_create(ERROR_FAILED,
					 "warning: \"%s\" not found! Ensure it is compatible with "
					 "the specified CPU",
					 name);
	struct entry elsewhere;
	if (find_anywhere(catalog, name, &elsewhere) && elsewhere.cpu && cpu)
		return error_with_hint(err, "%s does not have it, %s does: wperf man %s/%s",
				       cpu->name, elsewhere.cpu->name, elsewhere.cpu->name, name);
	const char *nearest = cpu ? nearest_in_cpu(cpu, name) : nearest_anywhere(name);
	if (nearest)
		return error_with_hint(err, "did you mean '%s'?", nearest);
	return error_with_hint(err, "'wperf list PATTERN' finds names by a part of them");
}

/** What is the same on every CPU: metrics without a formula. */
static bool find_builtin(const struct cpu *cpu, const char *name, struct entry *ret)
{
	const struct builtin_metric *metric = builtin_metric_find(name);
	if (!metric)
		return false;
	*ret = (struct entry){.origin = cpu ? cpu->name : "every Arm CPU", .builtin = metric};
	if (metric->event_class != EVENT_CORE)
		ret->origin = event_class_name(metric->event_class);
	return true;
}

/** "/dsu/l3d_cache" and its like. */
static bool cmd_man_find_uncore(const struct catalog *catalog, const char *word, struct entry *ret)
{
	enum event_class event_class;
	size_t length = event_class_split(word, &event_class);
	*ret = (struct entry){.origin = event_class_name(event_class)};
	if (length)
		ret->event = catalog_find_event(catalog, event_class, word + length);
	return ret->event;
}

/** @word: "name" or "cpu/name"; changed while it is taken apart. */
static struct error *cmd_man_explain(struct man *man, char *word)
{
	const struct catalog *catalog = &man->catalog;
	const struct cpu *cpu = catalog->cpu;
	struct entry entry;
	man->num_explained++;
	if (cmd_man_find_uncore(catalog, word, &entry))
		return put_entry(man, &entry);
	const char *name = word;
	char *slash = strchr(word, '/');
	if (slash) {
		*slash = '\0';
		name = slash + 1;
	}
	const char *cpu_name = slash ? word : man->cpu_name;
	if (cpu_name) {
		struct error *err = catalog_require_cpu(catalog, cpu_name, man->compat, &cpu);
		if (err)
			return err;
	} else {
		man->shows_core = true;
	}
	bool found = cpu ? find_in_cpu(cpu, name, &entry) : find_anywhere(catalog, name, &entry);
	if (!found)
		found = find_builtin(cpu, name, &entry);
	return found ? put_entry(man, &entry) : cmd_man_not_found(catalog, name, cpu);
}

/** One argument: names joined by commas, of which one too many does no harm. */
static struct error *explain_all(struct man *man, const char *argument)
{
	_cleanup_free_ char *words = strdup(argument);
	if (!words)
		return &error_no_memory;
	char *rest = words;
	struct error *err = NULL;
	for (char *word; !err && (word = strsep(&rest, ","));) {
		if (*word)
			err = cmd_man_explain(man, word);
	}
	return err;
}

static struct error *explain_arguments(struct man *man, const struct text_list *arguments)
{
	struct json_writer *json = man->output.json;
	if (json) {
		json_begin_object(json);
		json_key(json, "Manual_Results");
		json_begin_array(json);
	}
	struct error *err = NULL;
	for (size_t i = 0; !err && i < arguments->num_items; i++)
		err = explain_all(man, arguments->items[i]);
	if (json) {
		json_end_array(json);
		json_end_object(json);
	}
	return err;
}

static struct error *nothing_to_explain(void)
{
	return error_create(ERROR_USAGE,
			    "warning: no argument(s) specified, specify an event, metric, or group "
			    "of metrics to obtain relevant, manual style, information.");
}

/** Once without an output, so that nothing is written if one of the names is wrong. */
static struct error *cmd_man_check_arguments(struct man *man, const struct text_list *arguments)
{
	struct error *err = explain_arguments(man, arguments);
	return err || man->num_explained ? err : nothing_to_explain();
}

/** The core at hand, without opening anything for it. */
static struct error *identify_core(const struct options *options, uint64_t *ret_midr)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	const struct source_ops *ops;
	struct error *err = source_select(options->source, &ops, &settings);
	return err ? err : ops->identify(&settings, ret_midr);
}

static void note_missing_table(const struct catalog *catalog, uint64_t midr)
{
	_cleanup_(string_builder_deinit) struct string_builder note = STRING_BUILDER_INIT;
	session_note_missing_table(catalog, midr, &note);
	diagnostics_print_warnings(string_builder_peek(&note));
}

struct error *command_man(const struct options *options, int *ret_exit)
{
	if (!options->arguments.num_items)
		return nothing_to_explain();
	uint64_t midr;
	struct error *err = identify_core(options, &midr);
	if (err)
		return err;
	_cleanup_(man_deinit) struct man man = {.cpu_name = options->cores,
						.compat = options->compat};
	err = session_offline_catalog(options->events_dir, midr, &man.catalog);
	if (!err)
		err = cmd_man_check_arguments(&man, &options->arguments);
	if (!err)
		err = output_open(options_output_request(options), &man.output);
	if (!err)
		err = explain_arguments(&man, &options->arguments);
	if (!err && man.shows_core && !options->compat && !options->json && !options->quiet)
		note_missing_table(&man.catalog, midr);
	struct error *close_err = output_close(&man.output);
	if (!err)
		return close_err;
	error_destroy(close_err);
	return err;
}
