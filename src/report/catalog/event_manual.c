// SPDX-License-Identifier: Apache-2.0
// Each name is looked up twice: first without an output, so that nothing is written if one of them
// is wrong, then again to be printed. Events of other PMUs than the core's come first, as their
// words have prefixes of their own ("/dsu/..."). Any other name belongs to the CPU that stands
// before it, or that is asked for, or to the core at hand. Where that is no core of Arm, the
// generic events of the kernel come next, and then the first table that has the name.

#include "report/catalog/event_manual.h"

#include "base/text/nearest_name.h"
#include "base/text/string_builder.h"
#include "catalog/linux/system_events.h"
#include "catalog/metric.h"
#include "report/notes/diagnostics.h"
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
	struct catalog *catalog;
	const struct event_manual_request *request;
	bool shows_core; /* something of the core at hand */
	size_t num_explained, num_printed;
	struct output output; /* nothing is written before it is open */
};

static void man_deinit(struct man *man)
{
	output_deinit(&man->output);
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

static struct error *event_manual_put_metric(struct man *man, const struct cpu_metric *metric)
{
	const struct metric_info *info = metric->info;
	const char *events;
	struct error *err = metric_telemetry_events(metric, &man->catalog->arena, &events);
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
		return event_manual_put_metric(man, entry->metric);
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
	// Tables of --events-dir come before those that are built in: the user gave them.
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

/** INST_RETIRED.ANY and tma_frontend_bound: Intel's events have dots in their names, and perf's
 *  metrics of x86 this beginning. */
static bool is_of_x86(const char *name)
{
	return strchr(name, '.') || strncmp(name, "tma_", strlen("tma_")) == 0;
}

static struct error *event_manual_not_found(const struct catalog *catalog, const char *name,
					    const struct cpu *cpu)
{
	struct error *err = error_create(ERROR_FAILED,
					 "warning: \"%s\" not found! Ensure it is compatible with "
					 "the specified CPU",
					 name);
	struct entry elsewhere;
	// A name of another CPU is a better hint than one that is spelt alike.
	if (find_anywhere(catalog, name, &elsewhere) && elsewhere.cpu && cpu)
		return error_with_hint(err, "%s does not have it, %s does: wperf man %s/%s",
				       cpu->name, elsewhere.cpu->name, elsewhere.cpu->name, name);
	if (is_of_x86(name))
		return error_with_hint(err, "wperf has no descriptions of x86 events and metrics; "
					    "on such a machine with a PMU 'wperf list -v' shows "
					    "those that libpfm4 knows");
	const char *nearest = cpu ? nearest_in_cpu(cpu, name) : NULL;
	for (const struct cpu *const *any = all_cpus; !cpu && !nearest && *any; any++)
		nearest = nearest_in_cpu(*any, name);
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
static bool event_manual_find_uncore(const struct catalog *catalog, const char *word,
				     struct entry *ret)
{
	enum event_class event_class;
	size_t length = event_class_split(word, &event_class);
	*ret = (struct entry){.origin = event_class_name(event_class)};
	if (length)
		ret->event = catalog_find_event(catalog, event_class, word + length);
	return ret->event;
}

/** "cpu_core/cycles/": of a PMU of the kernel. Only generic events mean the same on all of them.
 *  @ret_is_one: it has this form. */
static struct error *event_manual_explain_of_pmu(struct man *man, char *word, bool *ret_is_one)
{
	size_t length = strlen(word);
	char *slash = strchr(word, '/'), *last = slash ? strchr(slash + 1, '/') : NULL;
	*ret_is_one = slash > word && last && last == word + length - 1;
	if (!*ret_is_one)
		return NULL;
	*last = '\0';
	const struct system_event *event = system_events_find_generic(slash + 1);
	const struct entry entry = {.origin = event ? event->kind : NULL,
				    .event = event ? &event->event : NULL};
	struct error *err = event ? put_entry(man, &entry) : NULL;
	*last = '/';
	return event ? err
		     : error_with_hint(error_create(ERROR_FAILED, "no description of '%s'", word),
				       "the kernel publishes its events without words; 'wperf list "
				       "-v %s' shows their terms",
				       word);
}

/** @word: "name" or "cpu/name"; changed while it is taken apart. */
static struct error *event_manual_explain(struct man *man, char *word)
{
	const struct catalog *catalog = man->catalog;
	const struct cpu *cpu = catalog->cpu;
	struct entry entry;
	man->num_explained++;
	if (event_manual_find_uncore(catalog, word, &entry))
		return put_entry(man, &entry);
	bool is_of_pmu;
	struct error *pmu_err = event_manual_explain_of_pmu(man, word, &is_of_pmu);
	if (is_of_pmu)
		return pmu_err;
	const char *name = word;
	char *slash = strchr(word, '/');
	if (slash) {
		*slash = '\0';
		name = slash + 1;
	}
	const char *cpu_name = slash ? word : man->request->cpu_name;
	if (cpu_name) {
		struct error *err =
			catalog_require_cpu(catalog, cpu_name, man->request->is_compat, &cpu);
		if (err)
			return err;
	} else {
		man->shows_core = true;
	}
	bool found = cpu ? find_in_cpu(cpu, name, &entry) : find_anywhere(catalog, name, &entry);
	if (!found)
		found = find_builtin(cpu, name, &entry);
	return found ? put_entry(man, &entry) : event_manual_not_found(catalog, name, cpu);
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
			err = event_manual_explain(man, word);
	}
	return err;
}

static struct error *explain_arguments(struct man *man)
{
	struct json_writer *json = man->output.json;
	if (json) {
		json_begin_object(json);
		json_key(json, "Manual_Results");
		json_begin_array(json);
	}
	struct error *err = NULL;
	for (size_t i = 0; !err && i < man->request->num_words; i++)
		err = explain_all(man, man->request->words[i]);
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

/**
 * A core that has no table of its own is described by that of the architecture: events which its
 * designer added are missing there, and the reader should know.
 */
static void note_missing_table(const struct catalog *catalog, uint64_t midr)
{
	_cleanup_(string_builder_deinit) struct string_builder note = STRING_BUILDER_INIT;
	session_note_missing_table(catalog, midr, &note);
	diagnostics_print_warnings(string_builder_peek(&note));
}

struct error *event_manual_write(const struct event_manual_request *request,
				 struct output_request output_request)
{
	if (!request->num_words)
		return nothing_to_explain();
	_cleanup_(catalog_deinit) struct catalog catalog = {0};
	_cleanup_(man_deinit) struct man man = {.catalog = &catalog, .request = request};
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	// The core at hand, without opening anything for it.
	const struct source_ops *ops;
	uint64_t midr;
	struct error *err = source_select(request->source, &ops, &settings);
	if (!err)
		err = ops->identify(&settings, &midr);
	if (err)
		return err;
	err = session_offline_catalog(request->events_dir, midr, &catalog);
	// Once without an output, so that nothing is written if one of the names is wrong.
	if (!err)
		err = explain_arguments(&man);
	if (!err && !man.num_explained)
		err = nothing_to_explain();
	if (!err)
		err = output_open(output_request, &man.output);
	if (!err)
		err = explain_arguments(&man);
	bool shows_text = !output_request.is_json && !output_request.is_quiet;
	if (!err && man.shows_core && shows_text && !request->is_compat)
		note_missing_table(&catalog, midr);
	struct error *close_err = output_close(&man.output);
	if (!err)
		return close_err;
	error_destroy(close_err);
	return err;
}
