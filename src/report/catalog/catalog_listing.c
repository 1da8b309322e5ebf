// SPDX-License-Identifier: Apache-2.0
// Three tables, events, metrics and groups, each with the columns of WindowsPerf; -v adds the last
// columns. A pattern selects by name in all three, a word of perf ("hw", "sw", "cache") by kind.
//
// What the tables have comes from session/session_listing.h.
//
// All tables are filled before any is printed: only then it is known whether a pattern matches
// nothing, which is an error, and which tables are empty and left out. There are thousands
// of tracepoints: they are read only if they were asked for.

#include "report/catalog/catalog_listing.h"

#include "base/container/array.h"
#include "base/text/name_pattern.h"
#include "catalog/linux/system_events.h"
#include "catalog/linux/tracepoint.h"
#include "session/session_listing.h"
#include "view/layout/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUM_PLAIN_EVENT_COLUMNS = 3, NUM_PLAIN_METRIC_COLUMNS = 2, NUM_PLAIN_GROUP_COLUMNS = 2 };

// The columns of the plain list come first; -v shows them all.
static const struct table_column event_columns[] = {
	{"Alias Name", TABLE_LEFT},
	{"Raw Index", TABLE_RIGHT},
	{"Event Type", TABLE_LEFT},
	{"Description", TABLE_LEFT},
};
static const struct table_column metric_columns[] = {
	{"Metric", TABLE_LEFT}, {"Events", TABLE_LEFT},      {"Formula", TABLE_LEFT},
	{"Unit", TABLE_LEFT},   {"Description", TABLE_LEFT},
};
static const struct table_column group_columns[] = {
	{"Group", TABLE_LEFT},
	{"Metrics", TABLE_LEFT},
	{"Description", TABLE_LEFT},
};

static const char not_available[] = "---";

/** perf's words for a part of the list. */
static const struct list_part {
	const char *words[3];
	const char *types[2]; /* parts of the event type; none: no events */
	bool has_metrics, has_groups;
	const char *hint; /* where there is nothing */
} parts[] = {
	{{"hw", "hardware"},
	 {"Hardware event", "[core PMU"},
	 .hint = "'wperf detect' shows which hardware events this machine can count"},
	{{"cache", "hwcache", "hw-cache"},
	 {"Hardware cache event"},
	 .hint = "'wperf detect' shows which hardware events this machine can count"},
	{{"sw", "software"}, {"Software event"}, .hint = "the source has none"},
	{{"pmu"}, {"PMU event"}, .hint = "'wperf detect' shows which PMUs this machine has"},
	{{"tracepoint", "tracepoints"},
	 {"Tracepoint event"},
	 .hint = "as root: mount -t tracefs nodev /sys/kernel/tracing"},
	{{"metric", "metrics"},
	 .has_metrics = true,
	 .hint = "wperf list --cpu NAME shows those of a CPU"},
	{{"metricgroup", "metricgroups"},
	 .has_groups = true,
	 .hint = "wperf list --cpu NAME shows those of a CPU"},
	{{"raw"}, .hint = "raw events are numbers of this CPU's events: -e r1b or -e 0x1b"},
};

static const struct list_part *find_part(const char *word)
{
	for (size_t i = 0; word && i < ARRAY_SIZE(parts); i++)
		for (size_t k = 0; k < ARRAY_SIZE(parts[i].words) && parts[i].words[k]; k++)
			if (strcmp(parts[i].words[k], word) == 0)
				return &parts[i];
	return NULL;
}

/** What is listed, and how. */
struct listing {
	const struct session *session;
	const char *pattern;          /* or NULL */
	const struct list_part *part; /* or NULL: everything */
	bool verbose;
	bool has_empty_tables; /* the peer's output has them */
	struct table *events, *metrics, *groups;
};

static void listing_deinit(struct listing *listing)
{
	table_destroy(listing->events);
	table_destroy(listing->metrics);
	table_destroy(listing->groups);
}

static bool catalog_listing_wanted(const struct listing *listing, const char *name)
{
	return !listing->pattern || name_pattern_match_glob(listing->pattern, name);
}

static bool is_of_part(const struct list_part *part, const char *type)
{
	for (size_t i = 0; part && i < ARRAY_SIZE(part->types) && part->types[i]; i++)
		if (strstr(type, part->types[i]))
			return true;
	return !part;
}

static void add_event_row(struct listing *listing, const char *name, const char *index,
			  const char *type, const char *description)
{
	if (!catalog_listing_wanted(listing, name) || !is_of_part(listing->part, type))
		return;
	table_add_string(listing->events, name);
	table_add_string(listing->events, index);
	table_add_string(listing->events, type);
	if (listing->verbose)
		table_add_string(listing->events, description);
}

static void add_pmu_event(struct listing *listing, const struct listed_event *listed)
{
	static const char *const truths[] = {
		[EVENT_MEASURED] = "",
		[EVENT_EXACT] = ", exact",
		[EVENT_MODELLED] = ", modelled",
	};
	bool is_extra = listed->kind == LISTED_EXTRA;
	char index[32], type[64];
	snprintf(index, sizeof(index), "0x%04" PRIx64, listed->event->code);
	// The asterisk and "<extra event>" are WindowsPerf's marks for events of -E.
	snprintf(type, sizeof(type), "[%s PMU event%s%s]",
		 event_class_name(listed->event->event_class), is_extra ? "*" : "",
		 truths[listed->truth]);
	add_event_row(listing, listed->name, index, type,
		      is_extra ? "<extra event>" : listed->title);
}

static void add_system_event(struct listing *listing, const struct listed_event *listed)
{
	const struct system_event *event = system_event_of(listed->event);
	char index[32], type[128];
	snprintf(index, sizeof(index), "0x%04" PRIx64, event->event.code);
	snprintf(type, sizeof(type), "[%s]", event->kind);
	add_event_row(listing, listed->name, index, type, listed->title);
}

static void add_event(struct listing *listing, const struct listed_event *listed)
{
	switch (listed->kind) {
	case LISTED_PMU:
	case LISTED_EXTRA:
		add_pmu_event(listing, listed);
		break;
	case LISTED_SYSTEM:
		add_system_event(listing, listed);
		break;
	case LISTED_SPE:
		add_event_row(listing, listed->name, "", "[Kernel PMU event]", listed->title);
		break;
	case LISTED_SPE_FILTER:
		add_event_row(listing, listed->name, "", "[SPE filter]",
			      listed->title ? listed->title : not_available);
		break;
	}
}

static void add_metrics(struct listing *listing, const struct session_listing *listed)
{
	for (size_t i = 0; i < listed->num_metrics; i++) {
		const struct metric *metric = listed->metrics[i];
		if (!catalog_listing_wanted(listing, metric->name))
			continue;
		table_add_string(listing->metrics, metric->name);
		table_add_string(listing->metrics, metric->events);
		if (!listing->verbose)
			continue;
		const struct cpu_metric *formula = metric->formula;
		table_add_string(listing->metrics, formula ? formula->formula : not_available);
		table_add_string(listing->metrics, formula ? formula->info->unit : not_available);
		table_add_string(listing->metrics, formula ? formula->info->title : not_available);
	}
}

static void catalog_listing_add_groups(struct listing *listing)
{
	const struct cpu *cpu = listing->session->catalog.cpu;
	for (size_t i = 0; cpu && i < cpu->num_groups; i++) {
		const struct cpu_group *group = &cpu->groups[i];
		if (!catalog_listing_wanted(listing, group->info->name))
			continue;
		table_add_string(listing->groups, group->info->name);
		table_add_string(listing->groups, group->metrics);
		if (listing->verbose)
			table_add_string(listing->groups, group->info->title);
	}
}

static struct error *catalog_listing_create_tables(struct listing *listing)
{
	bool all = listing->verbose;
	struct error *err = table_create(event_columns,
					 all ? ARRAY_SIZE(event_columns) : NUM_PLAIN_EVENT_COLUMNS,
					 &listing->events);
	if (!err)
		err = table_create(metric_columns,
				   all ? ARRAY_SIZE(metric_columns) : NUM_PLAIN_METRIC_COLUMNS,
				   &listing->metrics);
	if (!err)
		err = table_create(group_columns,
				   all ? ARRAY_SIZE(group_columns) : NUM_PLAIN_GROUP_COLUMNS,
				   &listing->groups);
	return err;
}

static struct error *fill_tables(struct listing *listing)
{
	_cleanup_(session_listing_deinit) struct session_listing listed = SESSION_LISTING_INIT;
	struct error *err = session_listing_create(listing->session, &listed);
	if (err)
		return err;
	for (size_t i = 0; i < listed.num_events; i++)
		add_event(listing, &listed.events[i]);
	if (!listing->part || listing->part->has_metrics)
		add_metrics(listing, &listed);
	if (!listing->part || listing->part->has_groups)
		catalog_listing_add_groups(listing);

	err = table_check(listing->events);
	if (!err)
		err = table_check(listing->metrics);
	return err ? err : table_check(listing->groups);
}

static void catalog_listing_print_section(const struct listing *listing, const char *heading,
					  const struct table *table, const struct output *output)
{
	// WindowsPerf prints the headings of empty tables, too.
	if (!listing->has_empty_tables && !table_num_rows(table))
		return;
	fprintf(output->text, "\n%s\n\n", heading);
	table_print(table, output->layout, output->text);
}

static void write_section(const char *key, const struct table *table, struct json_writer *json)
{
	json_key(json, key);
	table_write_json(table, json);
}

static void write_listing(const struct listing *listing, struct output *output)
{
	const struct list_part *part = listing->part;
	if (output->text && (!part || part->types[0]))
		catalog_listing_print_section(listing,
					      "List of pre-defined events (to be used in -e)",
					      listing->events, output);
	if (output->text && (!part || part->has_metrics))
		catalog_listing_print_section(listing,
					      "List of supported metrics (to be used in -m)",
					      listing->metrics, output);
	if (output->text && (!part || part->has_groups))
		catalog_listing_print_section(
			listing, "List of supported groups of metrics (to be used in -m)",
			listing->groups, output);
	// A list of everything without metrics: there are tables of them for Arm CPUs only.
	bool is_whole = !listing->pattern && !part && !listing->has_empty_tables;
	if (output->text && is_whole && !table_num_rows(listing->metrics))
		fputs("\nNo metrics for this CPU; 'wperf list --cpu NAME' lists those of an Arm "
		      "CPU.\n",
		      output->text);
	if (output->json) {
		json_begin_object(output->json);
		write_section("Predefined_Events", listing->events, output->json);
		write_section("Predefined_Metrics", listing->metrics, output->json);
		write_section("Predefined_Groups_of_Metrics", listing->groups, output->json);
		json_end_object(output->json);
	}
}

static struct error *check_pattern(const struct listing *listing)
{
	size_t num_rows = table_num_rows(listing->events) + table_num_rows(listing->metrics) +
			  table_num_rows(listing->groups);
	if (listing->part && !num_rows)
		return error_with_hint(error_create(ERROR_FAILED, "no '%s' events to list here",
						    listing->part->words[0]),
				       "%s", listing->part->hint);
	// An empty list without a pattern is an answer; a pattern that fits nothing is a mistake.
	if (!listing->pattern || num_rows)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "no event, metric or group matches '%s'",
					    listing->pattern),
			       "give a part of a name, or a pattern with * and ?; 'wperf list "
			       "--cpu NAME' lists another CPU");
}

static const struct list_part *part_of(const struct catalog_listing_request *request)
{
	return request->knows_parts ? find_part(request->word) : NULL;
}

bool catalog_listing_has_hardware(const struct catalog_listing_request *request)
{
	return is_of_part(part_of(request), "Hardware event");
}

struct error *catalog_listing_write(const struct catalog_listing_request *request,
				    struct session *session)
{
	const struct list_part *part = part_of(request);
	_cleanup_(listing_deinit) struct listing listing = {
		.session = session,
		.pattern = part ? NULL : request->word,
		.part = part,
		.verbose = request->is_verbose,
		.has_empty_tables = request->has_empty_tables,
	};
	struct error *err = catalog_listing_create_tables(&listing);
	// Only `list tracepoint` reads thousands of files of tracefs.
	if (!err && part && is_of_part(part, "Tracepoint event"))
		err = tracepoint_add_all(&session->catalog);
	if (!err)
		err = fill_tables(&listing);
	if (!err)
		err = check_pattern(&listing);
	if (err)
		return err;

	_cleanup_(output_deinit) struct output output;
	err = output_open(request->output, &output);
	if (err)
		return err;
	write_listing(&listing, &output);
	return output_close(&output);
}
