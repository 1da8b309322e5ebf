// SPDX-License-Identifier: Apache-2.0

#include "view/text/report_text.h"

#include "base/container/array.h"
#include "profile/hot/hot_label.h"
#include "profile/idle_samples.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// What a hot list looks like depends only on its key: looks[] has the columns of each, so that a
// new key needs a row here and no code. Call trees come in preorder with the depth of each node
// (call_tree.c); the lines in front of a name are drawn from the depth and from whether a node is
// the last of its caller.
//
//	event cpu-clock (999 Hz), 141 samples, 141,141,141 nanoseconds
//
//	total %  self %
// ======  ======
//	100.00%   0.00%  all
//	100.00%   0.00%  └─main [loop]
//	100.00%  97.87%    └─add [loop]
//	  1.42%   0.00%      ├─asm_sysvec_apic_timer_interrupt [kernel]

enum { DECIMALS = 2, MAX_HOT_COLUMNS = 9 };

static void report_text_print(const char *text, FILE *stream)
{
	safe_text_print(text, strlen(text), stream);
}

static void report_text_print_event(const struct named_profile *profile,
				    const struct named_event *event, FILE *stream)
{
	fputs("event ", stream);
	report_text_print(named_profile_text(profile, event->name), stream);
	bool is_time = !strcmp(named_profile_text(profile, event->unit), "nanoseconds");
	// Samples of memory are taken every so many bytes, whatever they count.
	bool is_bytes = !strcmp(named_profile_text(profile, event->unit), "bytes") ||
			!strcmp(named_profile_text(profile, event->unit), "allocations");
	if (event->period && is_bytes)
		fprintf(stream, " (every %s)", decimal_bytes(event->period).text);
	else if (event->period && is_time)
		fprintf(stream, " (every %s ms)", decimal_short((double)event->period / 1e6).text);
	else if (event->period)
		fprintf(stream, " (every %s)", decimal_grouped(event->period).text);
	else if (event->frequency)
		fprintf(stream, " (%s Hz)", decimal_grouped(event->frequency).text);
	if (event->model) {
		fputs(" (", stream);
		report_text_print(named_profile_text(profile, event->model), stream);
		fputc(')', stream);
	}
	fputs(", ", stream);
}

void report_text_print_header(const struct named_profile *profile, uint32_t event,
			      struct named_total total, FILE *stream)
{
	const char *unit = "";
	if (event < profile->num_events) {
		report_text_print_event(profile, &profile->events[event], stream);
		unit = named_profile_text(profile, profile->events[event].unit);
	}
	fprintf(stream, "%s samples, ", decimal_grouped(total.count).text);
	fprintf(stream, "%s ", decimal_grouped(total.weight).text);
	report_text_print(*unit ? unit : "events", stream);
	if (named_event_is_bytes(profile, event))
		fprintf(stream, " (%s)", decimal_bytes(total.weight).text);
	if (event < profile->num_events && profile->events[event].idle.count) {
		const struct named_event *named = &profile->events[event];
		fprintf(stream, "; %s %% idle", decimal_fixed(idle_samples_percent(named), 1).text);
		fprintf(stream, " (%s samples left out)", decimal_grouped(named->idle.count).text);
	}
	// A profile with lost records is not wrong, but its percentages are of less than all: it is
	// said in the header of each table.
	if (profile->num_lost)
		fprintf(stream, ", %s records LOST", decimal_grouped(profile->num_lost).text);
	fputc('\n', stream);
}

static const struct table_column function_columns[] = {
	{"self %", TABLE_RIGHT}, {"total %", TABLE_RIGHT}, {"samples", TABLE_RIGHT},
	{"module", TABLE_LEFT},  {"symbol", TABLE_LEFT},
};

static const struct table_column place_columns[] = {
	{"self %", TABLE_RIGHT}, {"total %", TABLE_RIGHT}, {"samples", TABLE_RIGHT},
	{"module", TABLE_LEFT},  {"symbol", TABLE_LEFT},   {"place", TABLE_LEFT},
};

static const struct table_column module_columns[] = {
	{"self %", TABLE_RIGHT},
	{"total %", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"module", TABLE_LEFT},
};

// Threads, processes and CPUs call nothing: a total of theirs would be their own share again.
static const struct table_column thread_columns[] = {
	{"self %", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"tid", TABLE_RIGHT},
	{"thread", TABLE_LEFT},
};

static const struct table_column process_columns[] = {
	{"self %", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"process", TABLE_LEFT},
};

static const struct table_column file_columns[] = {
	{"self %", TABLE_RIGHT},
	{"total %", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"file", TABLE_LEFT},
};

static const struct table_column task_columns[] = {
	{"self %", TABLE_RIGHT},
	{"total %", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"task", TABLE_LEFT},
};

static const struct table_column exception_columns[] = {
	{"self %", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"exception", TABLE_LEFT},
};

static const struct table_column cpu_columns[] = {
	{"self %", TABLE_RIGHT},
	{"samples", TABLE_RIGHT},
	{"cpu", TABLE_LEFT},
};

struct hot_look {
	const struct table_column *columns;
	size_t num_columns;
	bool with_total, with_module, with_symbol, with_tid;
	bool with_label; /* the name of the entry in the last column */
};

#define COLUMNS(array) .columns = (array), .num_columns = ARRAY_SIZE(array)

static const struct hot_look looks[HOT_NUM_KEYS] = {
	[HOT_FUNCTION] = {COLUMNS(function_columns), .with_total = true, .with_module = true,
			  .with_label = true},
	[HOT_LINE] = {COLUMNS(place_columns), .with_total = true, .with_module = true,
		      .with_symbol = true, .with_label = true},
	[HOT_ADDRESS] = {COLUMNS(place_columns), .with_total = true, .with_module = true,
			 .with_symbol = true, .with_label = true},
	[HOT_MODULE] = {COLUMNS(module_columns), .with_total = true, .with_label = true},
	[HOT_THREAD] = {COLUMNS(thread_columns), .with_tid = true, .with_label = true},
	[HOT_PROCESS] = {COLUMNS(process_columns), .with_label = true},
	[HOT_CPU] = {COLUMNS(cpu_columns), .with_label = true},
	[HOT_INTERPRETED_LINE] = {COLUMNS(place_columns), .with_total = true, .with_module = true,
				  .with_symbol = true, .with_label = true},
	[HOT_INTERPRETED_FUNCTION] = {COLUMNS(function_columns), .with_total = true,
				      .with_module = true, .with_label = true},
	[HOT_INTERPRETED_FILE] = {COLUMNS(file_columns), .with_total = true, .with_label = true},
	[HOT_INTERPRETED_TASK] = {COLUMNS(task_columns), .with_total = true, .with_label = true},
	[HOT_INTERPRETED_EXCEPTION] = {COLUMNS(exception_columns), .with_label = true},
	[HOT_INTERPRETED_RAISE] = {COLUMNS(exception_columns), .with_label = true},
};

void report_text_add_ratio(struct table *table, const struct ratio *ratio)
{
	struct decimal low = decimal_fixed(ratio->low, DECIMALS);
	struct decimal high = decimal_fixed(ratio->high, DECIMALS);
	char text[sizeof(low.text) + sizeof(high.text)];
	if (!ratio->is_known) {
		table_add_string(table, "-");
		table_add_string(table, "-");
		return;
	}
	snprintf(text, sizeof(text), "%s-%s", low.text, high.text);
	table_add_double(table, ratio->value, DECIMALS);
	table_add_string(table, text);
}

/** @ratio: NULL: there are no columns of it. */
static struct error *report_text_add_row(const struct named_profile *profile,
					 const struct hot_list *list, const struct hot_entry *entry,
					 const struct ratio *ratio, bool is_bytes,
					 struct table *table)
{
	const struct hot_look *look = &looks[list->key];
	table_add_double(table, named_total_percent(entry->self, list->whole), DECIMALS);
	if (look->with_total)
		table_add_double(table, named_total_percent(entry->total, list->whole), DECIMALS);
	// Samples, not weights: they show how sure the percentages are.
	table_add_u64(table, entry->self.count);
	if (ratio)
		report_text_add_ratio(table, ratio);
	if (is_bytes)
		table_add_string(table, decimal_bytes(entry->self.weight).text);
	if (look->with_module) {
		uint32_t module = hot_label_module(list, profile, entry);
		const char *name = "";
		if (module != NAMED_NONE)
			name = named_profile_text(profile, profile->modules[module].name);
		table_add_string(table, name);
	}
	if (look->with_symbol) {
		uint32_t function = hot_label_function(list, profile, entry);
		const char *name = "";
		if (function != NAMED_NONE)
			name = named_profile_text(profile, profile->functions[function].name);
		table_add_string(table, name);
	}
	// Samples without a thread have a row, too.
	uint32_t thread = look->with_tid ? hot_label_thread(list, entry) : NAMED_NONE;
	if (thread != NAMED_NONE)
		table_add_u32(table, profile->threads[thread].tid);
	else if (look->with_tid)
		table_add_string(table, "");
	_cleanup_(string_builder_deinit) struct string_builder label = STRING_BUILDER_INIT;
	hot_label_append(list, profile, entry, &label);
	if (label.failed)
		return &error_no_memory;
	table_add_string(table, string_builder_peek(&label));
	return NULL;
}

static void report_text_print_rest(size_t num_rows, size_t max_rows, FILE *stream)
{
	if (max_rows && num_rows > max_rows)
		fprintf(stream, "      ... and %zu more\n", num_rows - max_rows);
}

static size_t report_text_num_shown(size_t num_rows, size_t max_rows)
{
	return max_rows && num_rows > max_rows ? max_rows : num_rows;
}

/** The columns of a look; behind the samples those of a ratio, and the size if the event is of
 *  memory. @return: their number. */
static size_t report_text_choose_columns(const struct hot_look *look,
					 const struct hot_ratios *ratios, bool is_bytes,
					 struct table_column *columns)
{
	size_t num_columns = 0;
	for (size_t i = 0; i < look->num_columns; i++) {
		columns[num_columns++] = look->columns[i];
		if (strcmp(look->columns[i].name, "samples") != 0)
			continue;
		if (ratios) {
			columns[num_columns++] =
				(struct table_column){ratios->ratio.name, TABLE_RIGHT};
			columns[num_columns++] =
				(struct table_column){"within (95 %)", TABLE_RIGHT};
		}
		if (is_bytes)
			columns[num_columns++] = (struct table_column){"size", TABLE_RIGHT};
	}
	return num_columns;
}

struct error *report_text_print_hot(const struct named_profile *profile,
				    const struct hot_list *list, const struct hot_ratios *ratios,
				    uint32_t event, size_t max_rows, struct table_layout layout,
				    FILE *stream)
{
	const struct hot_look *look = &looks[list->key];
	struct table_column columns[MAX_HOT_COLUMNS];
	bool is_bytes = named_event_is_bytes(profile, event);
	_cleanup_(table_destroyp) struct table *table = NULL;
	if (ratios && !ratios->are_known)
		ratios = NULL;
	struct error *err = table_create(
		columns, report_text_choose_columns(look, ratios, is_bytes, columns), &table);
	for (size_t i = 0; !err && i < report_text_num_shown(list->num_entries, max_rows); i++)
		err = report_text_add_row(profile, list, &list->entries[i],
					  ratios ? &ratios->values[i] : NULL, is_bytes, table);
	if (!err)
		err = table_check(table);
	if (err)
		return err;
	table_print(table, layout, stream);
	report_text_print_rest(list->num_entries, max_rows, stream);
	return NULL;
}

static void report_text_print_percent(struct named_total part, struct named_total whole,
				      FILE *stream)
{
	fprintf(stream, "%6s%% ", decimal_fixed(named_total_percent(part, whole), DECIMALS).text);
}

static void print_tree_name(const struct named_profile *profile, uint32_t function, FILE *stream)
{
	if (function == NAMED_NONE) {
		fputs("all", stream);
		return;
	}
	const struct named_function *named = &profile->functions[function];
	report_text_print(named_profile_text(profile, named->name), stream);
	if (named->module == NAMED_NONE)
		return;
	fputc(' ', stream);
	safe_text_print_module(named_profile_text(profile, profile->modules[named->module].name),
			       stream);
}

// The lines that lead to a node: one character per caller above it, '|' while there is more of
// that caller's below. Deep trees keep what does not fit on a screen out of sight.
enum { MAX_LINES = 64 };

struct tree_lines {
	bool is_open[MAX_LINES];
};

static void report_text_print_lines(struct tree_lines *lines, const struct call_tree_node *node,
				    FILE *stream)
{
	if (!node->depth)
		return;
	// Deeper levels are all drawn at the same place.
	uint32_t depth = node->depth < MAX_LINES ? node->depth : MAX_LINES;
	for (uint32_t i = 1; i < depth; i++)
		fputs(lines->is_open[i] ? "│ " : "  ", stream);
	fputs(node->is_last ? "└─" : "├─", stream);
	if (node->depth < MAX_LINES)
		lines->is_open[node->depth] = !node->is_last;
}

void report_text_print_tree(const struct named_profile *profile, const struct call_tree *tree,
			    FILE *stream)
{
	struct tree_lines lines = {0};
	fputs("total %  self %\n=======  ======\n", stream);
	for (size_t i = 0; i < tree->num_nodes; i++) {
		const struct call_tree_node *node = &tree->nodes[i];
		report_text_print_percent(node->total, tree->whole, stream);
		report_text_print_percent(node->self, tree->whole, stream);
		fputc(' ', stream);
		report_text_print_lines(&lines, node, stream);
		print_tree_name(profile, node->function, stream);
		// Branches below --percent-limit have no lines, and their sum is shown at the
		// caller.
		if (node->left_out.count)
			fprintf(stream, "  (%s%% below not shown)",
				decimal_fixed(named_total_percent(node->left_out, tree->whole),
					      DECIMALS)
					.text);
		fputc('\n', stream);
	}
}

static const struct table_column diff_columns[] = {
	{"delta %", TABLE_RIGHT}, {"within (95 %)", TABLE_RIGHT}, {"before %", TABLE_RIGHT},
	{"after %", TABLE_RIGHT}, {"delta total %", TABLE_RIGHT}, {"module", TABLE_LEFT},
	{"symbol", TABLE_LEFT},
};

struct signed_decimal {
	char text[sizeof(struct decimal) + 1];
};

static struct signed_decimal report_text_sign(double value, int decimals)
{
	struct signed_decimal result;
	snprintf(result.text, sizeof(result.text), "%s%s", value >= 0 ? "+" : "",
		 decimal_fixed(value, decimals).text);
	return result;
}

static void add_change(struct table *table, double change)
{
	table_add_string(table, report_text_sign(change, DECIMALS).text);
}

/** One decimal: more would be of chance. */
static void add_change_range(struct table *table, const struct profile_diff *diff,
			     const struct profile_diff_row *row)
{
	struct share_change change = profile_diff_self_range(diff, row);
	char text[2 * sizeof(struct signed_decimal) + sizeof(" to ")];
	if (diff->before.is_measured && diff->after.is_measured)
		snprintf(text, sizeof(text), "measured");
	else
		snprintf(text, sizeof(text), "%s to %s", report_text_sign(change.low, 1).text,
			 report_text_sign(change.high, 1).text);
	table_add_string(table, text);
}

static const struct table_column byte_diff_columns[] = {
	{"growth", TABLE_RIGHT},  {"before", TABLE_RIGHT},        {"after", TABLE_RIGHT},
	{"delta %", TABLE_RIGHT}, {"within (95 %)", TABLE_RIGHT}, {"module", TABLE_LEFT},
	{"symbol", TABLE_LEFT},
};

static void report_text_add_growth(struct table *table, const struct profile_diff_row *row)
{
	double growth = profile_diff_self_growth(row);
	char text[1 + sizeof(struct decimal)];
	snprintf(text, sizeof(text), "%c%s", growth < 0 ? '-' : '+',
		 decimal_bytes((uint64_t)fabs(growth)).text);
	table_add_string(table, text);
	table_add_string(table, decimal_bytes(row->before.self.weight).text);
	table_add_string(table, decimal_bytes(row->after.self.weight).text);
}

/** Percentage points, not samples: the two recordings may be of different length. */
static void report_text_add_diff_row(struct table *table, const struct profile_diff *diff,
				     const struct profile_diff_row *row)
{
	if (diff->is_bytes)
		report_text_add_growth(table, row);
	add_change(table, profile_diff_self_change(row));
	add_change_range(table, diff, row);
	if (!diff->is_bytes) {
		table_add_double(table, row->before.self_percent, DECIMALS);
		table_add_double(table, row->after.self_percent, DECIMALS);
		add_change(table, profile_diff_total_change(row));
	}
	table_add_string(table, row->module);
	table_add_string(table, row->name);
}

struct error *report_text_print_diff(const struct profile_diff *diff, size_t max_rows,
				     struct table_layout layout, FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err =
		diff->is_bytes
			? table_create(byte_diff_columns, ARRAY_SIZE(byte_diff_columns), &table)
			: table_create(diff_columns, ARRAY_SIZE(diff_columns), &table);
	if (err)
		return err;
	for (size_t i = 0; i < report_text_num_shown(diff->num_rows, max_rows); i++)
		report_text_add_diff_row(table, diff, &diff->rows[i]);
	err = table_check(table);
	if (err)
		return err;
	table_print(table, layout, stream);
	report_text_print_rest(diff->num_rows, max_rows, stream);
	return NULL;
}
