// SPDX-License-Identifier: Apache-2.0

#include "view/interpreted_report.h"

#include "base/container/arena.h"
#include "base/text/utf8.h"
#include "profile/hot/share.h"
#include "profile/interpreted/interpreted_raise.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/layout/short_path.h"
#include "view/layout/table.h"
#include "view/text/report_text.h"

#include <inttypes.h>
#include <string.h>

// The tables of hot exceptions, tasks, lines, functions and files are one: struct table_look has
// what differs, the columns that say what a row is and the function that fills them. With one event
// a row has its share, the interval of confidence, the total and the samples; with several, a share
// and an interval for each.
//
// Rows with very small shares are only shown if all rows are wanted.
//
//	self %  within (95 %)  total %  samples  line         function  source
// =====  =============  =======  =======  ====         ========  ======
//	 52.01      46.4-57.6    52.01      155  t.py:4       price     total += (i * i) % 7
//	 19.13      15.1-24.0    19.13       57  [no Python]

enum {
	COLUMNS_OF_EVENT = 4,
	COLUMNS_OF_SEVERAL = 4, // each of several events has so many at most
	COLUMNS_OF_BYTES = 1,   // more, of an event of memory
	MAX_PLACE_COLUMNS = 3,
	MAX_SOURCE = 60, // code points
	DECIMALS = 2,
};

// What is less is noise, or nothing but a caller.
static const double least_self_percent = 0.5;
static const double least_total_percent = 5;
static const char uncertain[] = " ?"; // behind lines

/** The ratio of an event's column. */
struct interpreted_ratio {
	bool is_shown;
	struct event_ratio ratio;
	size_t instructions; // the column with the event that it is of
};

/** One table while it is printed. */
struct printing {
	const struct interpreted_report *report;
	const struct hot_table *rows;
	const struct short_paths *paths;
	struct arena *arena;
	struct table *table;
	struct interpreted_ratio *ratios; // of each event
};

static const char *interpreted_text_event_name(const struct interpreted_report *report,
					       size_t index)
{
	const struct named_profile *profile = report->profile;
	return named_profile_text(profile, profile->events[report->events[index]].name);
}

static bool is_of_bytes(const struct printing *printing)
{
	const struct interpreted_report *report = printing->report;
	return named_event_is_bytes(report->profile, report->events[0]);
}

static size_t add_event_columns(const struct printing *printing, struct table_column *columns)
{
	static const struct table_column of_one[COLUMNS_OF_EVENT] = {
		{"self %", TABLE_RIGHT},
		{"within (95 %)", TABLE_RIGHT},
		{"total %", TABLE_RIGHT},
		{"samples", TABLE_RIGHT},
	};
	size_t num_events = printing->rows->num_events;
	if (num_events == 1) {
		memcpy(columns, of_one, sizeof(of_one));
		if (!is_of_bytes(printing))
			return COLUMNS_OF_EVENT;
		columns[COLUMNS_OF_EVENT] = (struct table_column){"size", TABLE_RIGHT};
		return COLUMNS_OF_EVENT + COLUMNS_OF_BYTES;
	}
	const struct table_column range = {"within (95 %)", TABLE_RIGHT};
	size_t num_columns = 0;
	for (size_t i = 0; i < num_events; i++) {
		const char *name = arena_printf(printing->arena, "%s %%",
						interpreted_text_event_name(printing->report, i));
		if (!name)
			return 0;
		columns[num_columns++] = (struct table_column){name, TABLE_RIGHT};
		columns[num_columns++] = range;
		if (!printing->ratios[i].is_shown)
			continue;
		columns[num_columns++] =
			(struct table_column){printing->ratios[i].ratio.name, TABLE_RIGHT};
		columns[num_columns++] = range;
	}
	return num_columns;
}

static struct ratio interpreted_text_ratio(const struct interpreted_ratio *ratio, size_t event,
					   const struct hot_row *row)
{
	return event_ratio_of(&ratio->ratio, row->cells[event].self,
			      row->cells[ratio->instructions].self);
}

/** A ratio that is known of no row has no column. */
static struct error *interpreted_text_find_ratios(struct printing *printing)
{
	const struct hot_table *rows = printing->rows;
	printing->ratios =
		arena_alloc_array(printing->arena, rows->num_events + 1, sizeof(*printing->ratios));
	if (!printing->ratios)
		return &error_no_memory;
	for (size_t i = 0; i < rows->num_events; i++) {
		struct interpreted_ratio *ratio = &printing->ratios[i];
		*ratio = (struct interpreted_ratio){.is_shown = false};
		if (!interpreted_report_ratio(printing->report, i, &ratio->ratio,
					      &ratio->instructions))
			continue;
		for (size_t j = 0; j < rows->num_rows && !ratio->is_shown; j++)
			ratio->is_shown = interpreted_text_ratio(ratio, i, &rows->rows[j]).is_known;
	}
	return NULL;
}

static struct error *begin_table(const struct printing *printing, const struct table_column *places,
				 size_t num_places, struct table **ret)
{
	size_t capacity = COLUMNS_OF_SEVERAL * printing->rows->num_events + COLUMNS_OF_EVENT +
			  COLUMNS_OF_BYTES + MAX_PLACE_COLUMNS;
	struct table_column *columns =
		arena_alloc_array(printing->arena, capacity, sizeof(*columns));
	size_t num_columns = columns ? add_event_columns(printing, columns) : 0;
	if (!num_columns)
		return &error_no_memory;
	memcpy(&columns[num_columns], places, num_places * sizeof(*places));
	return table_create(columns, num_columns + num_places, ret);
}

static void interpreted_text_add_range(struct table *table, struct share share)
{
	struct decimal low = decimal_fixed(share.low, 1), high = decimal_fixed(share.high, 1);
	char text[sizeof(low.text) + sizeof(high.text)];
	snprintf(text, sizeof(text), "%s-%s", low.text, high.text);
	table_add_string(table, text);
}

static void add_cells(const struct printing *printing, const struct hot_row *row)
{
	const struct interpreted_report *report = printing->report;
	struct table *table = printing->table;
	size_t num_events = printing->rows->num_events;
	for (size_t i = 0; i < num_events; i++) {
		const struct hot_cell *cell = &row->cells[i];
		struct named_total whole = printing->rows->wholes[i];
		struct share share = share_of(cell->self, whole);
		if (whole.count) {
			table_add_double(table, share.percent, DECIMALS);
			// An event that is not sampled but measured, as off-cpu time is, has no
			// interval of confidence.
			if (report->profile->events[report->events[i]].is_whole)
				table_add_string(table, "measured");
			else
				interpreted_text_add_range(table, share);
		} else {
			table_add_string(table, "");
			table_add_string(table, "");
		}
		if (printing->ratios[i].is_shown) {
			struct ratio ratio = interpreted_text_ratio(&printing->ratios[i], i, row);
			report_text_add_ratio(table, &ratio);
		}
		if (num_events > 1)
			continue;
		table_add_double(table, named_total_percent(cell->total, whole), DECIMALS);
		table_add_u64(table, cell->self.count);
		if (is_of_bytes(printing))
			table_add_string(table, decimal_bytes(cell->self.weight).text);
	}
}

/** Totals count only where they are shown. */
static bool interpreted_text_is_shown(const struct hot_table *table, const struct hot_row *row)
{
	for (size_t i = 0; i < table->num_events; i++)
		if (named_total_percent(row->cells[i].self, table->wholes[i]) >= least_self_percent)
			return true;
	return table->num_events == 1 &&
	       named_total_percent(row->cells[0].total, table->wholes[0]) >= least_total_percent;
}

static const char *interpreted_text_text_of(const struct printing *printing, uint32_t string)
{
	return named_profile_text(printing->report->profile, string);
}

static struct error *interpreted_text_add_place(const struct printing *printing, uint32_t file,
						uint32_t line, bool is_uncertain)
{
	const char *path = *interpreted_text_text_of(printing, file)
				   ? short_path(printing->paths, file)
				   : "[unknown]";
	const char *mark = is_uncertain ? uncertain : "";
	const char *place =
		line ? arena_printf(printing->arena, "%s:%" PRIu32 "%s", path, line, mark) : path;
	if (!place)
		return &error_no_memory;
	table_add_string(printing->table, place);
	return NULL;
}

/** Without the blanks in front, and not longer than people read. */
static struct error *add_source(const struct printing *printing, uint32_t file, uint32_t line)
{
	const struct interpreted_report *report = printing->report;
	struct text_line text = {0};
	struct error *err = report->get_line(report->context,
					     interpreted_text_text_of(printing, file), line, &text);
	if (err)
		return err;
	const char *copy = arena_strndup(printing->arena, text.text ? text.text : "", text.length);
	if (!copy)
		return &error_no_memory;
	copy += strspn(copy, " \t\f");
	const char *end = copy;
	for (int i = 0; *end && i < MAX_SOURCE; i++)
		utf8_next(&end);
	if (*end)
		copy = arena_printf(printing->arena, "%.*s...", (int)(end - copy), copy);
	if (!copy)
		return &error_no_memory;
	table_add_string(printing->table, copy);
	return NULL;
}

static struct error *interpreted_text_add_line(const struct printing *printing, uint32_t item)
{
	const struct named_profile *profile = printing->report->profile;
	const struct named_frame *frame = &profile->frames[item];
	bool is_uncertain =
		compiled_lines_find(&printing->report->compiled, frame->file, frame->line);
	struct error *err =
		interpreted_text_add_place(printing, frame->file, frame->line, is_uncertain);
	if (err)
		return err;
	table_add_string(printing->table,
			 interpreted_text_text_of(printing,
						  profile->functions[frame->function].name));
	return add_source(printing, frame->file, frame->line);
}

static struct error *interpreted_text_add_function(const struct printing *printing, uint32_t item)
{
	const struct named_function *function = &printing->report->profile->functions[item];
	table_add_string(printing->table, interpreted_text_text_of(printing, function->name));
	return interpreted_text_add_place(printing, function->file, function->line, false);
}

static struct error *interpreted_text_add_file(const struct printing *printing, uint32_t item)
{
	return interpreted_text_add_place(printing, item, 0, false);
}

static struct error *interpreted_text_add_task(const struct printing *printing, uint32_t item)
{
	const struct named_function *function = &printing->report->profile->functions[item];
	table_add_string(printing->table, interpreted_text_text_of(printing, function->name));
	return NULL;
}

static struct error *interpreted_text_add_raise(const struct printing *printing, uint32_t item)
{
	const struct named_profile *profile = printing->report->profile;
	const struct named_frame *frame = &profile->frames[item];
	table_add_string(printing->table, interpreted_raise_type(profile, frame->function));
	struct error *err = interpreted_text_add_place(printing, frame->file, frame->line, false);
	return err ? err : add_source(printing, frame->file, frame->line);
}

/** A table of one kind. */
struct table_look {
	const char *items;
	struct table_column places[MAX_PLACE_COLUMNS];
	size_t num_places;
	struct error *(*add)(const struct printing *printing, uint32_t item);
	const char *none; /* what is outside of all; NULL: it names the language */
};

static const struct table_look look_of_lines = {
	"lines",
	{{"line", TABLE_LEFT}, {"function", TABLE_LEFT}, {"source", TABLE_SENTENCE}},
	3,
	interpreted_text_add_line,
	NULL};
static const struct table_look look_of_functions = {"functions",
						    {{"function", TABLE_LEFT},
						     {"defined in", TABLE_LEFT}},
						    2,
						    interpreted_text_add_function,
						    NULL};
static const struct table_look look_of_files = {
	"files", {{"file", TABLE_LEFT}}, 1, interpreted_text_add_file, NULL};
static const struct table_look look_of_tasks = {
	"tasks", {{"task", TABLE_LEFT}}, 1, interpreted_text_add_task, "[no task]"};

static const struct table_look look_of_raises = {
	"exceptions",
	{{"exception", TABLE_LEFT}, {"line", TABLE_LEFT}, {"source", TABLE_SENTENCE}},
	3,
	interpreted_text_add_raise,
	"[no exception]"};

/** A row of what no interpreted code called. */
static struct error *interpreted_text_add_none(const struct printing *printing,
					       const struct table_look *look)
{
	const char *name = look->none;
	if (!name)
		name = arena_printf(printing->arena, "[no %s]",
				    printing->report->profile->language->name);
	if (!name)
		return &error_no_memory;
	for (size_t i = 0; i < look->num_places; i++)
		table_add_string(printing->table, i ? "" : name);
	return NULL;
}

static struct error *interpreted_text_add_rows(const struct printing *printing,
					       const struct table_look *look, size_t max_rows,
					       size_t *ret_rest)
{
	struct error *err = NULL;
	size_t num_rows = 0, i = 0;
	for (; !err && i < printing->rows->num_rows; i++) {
		const struct hot_row *row = &printing->rows->rows[i];
		if (max_rows &&
		    (num_rows == max_rows || !interpreted_text_is_shown(printing->rows, row)))
			continue;
		num_rows++;
		add_cells(printing, row);
		if (row->item == NAMED_NONE)
			err = interpreted_text_add_none(printing, look);
		else
			err = look->add(printing, row->item);
	}
	*ret_rest = printing->rows->num_rows - num_rows;
	return err ? err : table_check(printing->table);
}

static struct error *print_table(const struct interpreted_report *report,
				 const struct hot_table *rows, const struct table_look *look,
				 size_t max_rows, FILE *stream)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	_cleanup_(short_paths_deinit) struct short_paths paths = {0};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct printing printing = {
		.report = report, .rows = rows, .paths = &paths, .arena = &arena};
	size_t rest;
	struct error *err = short_paths_create(report->profile, &paths);
	if (!err)
		err = interpreted_text_find_ratios(&printing);
	if (!err)
		err = begin_table(&printing, look->places, look->num_places, &table);
	printing.table = table;
	if (!err)
		err = interpreted_text_add_rows(&printing, look, max_rows, &rest);
	if (err)
		return err;
	fprintf(stream, "hot %s of %s:\n\n", look->items, report->profile->language->name);
	table_print(table, report->layout, stream);
	if (rest)
		fprintf(stream, "      ... and %zu more\n", rest);
	return NULL;
}

struct error *interpreted_report_print_lines(const struct interpreted_report *report,
					     size_t max_rows, FILE *stream)
{
	struct error *err = print_table(report, &report->lines, &look_of_lines, max_rows, stream);
	if (!err && report->compiled.num_lines)
		fprintf(stream,
			"     %s: JIT-compiled code; the true line may be another one of the "
			"function\n",
			uncertain);
	return err;
}

struct error *interpreted_report_print_functions(const struct interpreted_report *report,
						 size_t max_rows, FILE *stream)
{
	return print_table(report, &report->functions, &look_of_functions, max_rows, stream);
}

/** How its frames were read, and how late. */
static void print_way(const struct named_profile *profile, FILE *stream)
{
	enum { NS_PER_US = 1000 };
	const struct named_collection *collection = &profile->collection;
	if (!collection->way)
		return;
	fprintf(stream, "%s stacks: %s", profile->language->name,
		named_profile_text(profile, collection->words));
	if (collection->num_samples) {
		fprintf(stream, "; %s us later on average,",
			decimal_grouped(collection->mean_skew_ns / NS_PER_US).text);
		fprintf(stream, " %s us at most;",
			decimal_grouped(collection->max_skew_ns / NS_PER_US).text);
		fprintf(stream, " missing in %s of", decimal_grouped(collection->num_without).text);
		fprintf(stream, " %s samples", decimal_grouped(collection->num_samples).text);
	}
	fputc('\n', stream);
}

/** How much of each event is interpreted code at all. */
static void interpreted_text_print_summary(const struct interpreted_report *report, FILE *stream)
{
	const struct hot_table *files = &report->files;
	for (size_t i = 0; i < files->num_events; i++) {
		uint64_t num_inside = files->wholes[i].count - hot_table_none(files, i).count;
		const char *name = interpreted_text_event_name(report, i);
		safe_text_print(name, strlen(name), stream);
		fprintf(stream, ": %s of", decimal_grouped(num_inside).text);
		fprintf(stream, " %s samples have lines of %s\n",
			decimal_grouped(files->wholes[i].count).text,
			report->profile->language->name);
		// Of these the line is not sure.
		struct named_total sum = compiled_lines_sum(&report->compiled, NAMED_NONE, i);
		if (!sum.count)
			continue;
		fprintf(stream, "    %s of them (%s %%) in JIT-compiled %s code: functions are",
			decimal_grouped(sum.count).text,
			decimal_fixed(named_total_percent(sum, files->wholes[i]), 1).text,
			report->profile->language->name);
		fprintf(stream, " right, but a line marked%s may be another line of its function\n",
			uncertain);
	}
	print_way(report->profile, stream);
	fputc('\n', stream);
}

struct error *interpreted_report_print(const struct interpreted_report *report, size_t max_rows,
				       FILE *stream)
{
	const struct {
		const struct hot_table *rows;
		const struct table_look *look;
	} tables[] = {{&report->raises, &look_of_raises},
		      {&report->tasks, &look_of_tasks},
		      {&report->lines, &look_of_lines},
		      {&report->functions, &look_of_functions},
		      {&report->files, &look_of_files}};
	struct error *err = NULL;
	interpreted_text_print_summary(report, stream);
	bool is_first = true;
	for (size_t i = 0; !err && i < sizeof(tables) / sizeof(tables[0]); i++) {
		bool is_extra =
			tables[i].rows == &report->raises || tables[i].rows == &report->tasks;
		if (is_extra && !interpreted_report_has_any(tables[i].rows))
			continue;
		if (!is_first)
			fputc('\n', stream);
		is_first = false;
		err = print_table(report, tables[i].rows, tables[i].look, max_rows, stream);
	}
	return err;
}
