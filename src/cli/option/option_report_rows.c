// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_report_rows.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/comma_list.h"
#include "cli/option/options.h"
#include "profile/hot/event_ratio.h"

#include <stdlib.h>
#include <string.h>

// --sort takes one word of ours, which has a table of its own (hot_key_find()), or words of perf's,
// which may be joined. Some are words of both: a word that stands alone is taken as ours. --fields
// is a list of columns, in which the words of --sort are rows as well. Without it, the columns are
// those that a table of ours would have.

// perf's words, and ours of the same meaning.
static const struct {
	const char *word;
	enum sort_key key;
} key_words[] = {
	{"comm", SORT_COMMAND},        {"command", SORT_COMMAND},
	{"process", SORT_PROCESS},     {"pid", SORT_PID},
	{"role", SORT_ROLE},           {"tid", SORT_TID},
	{"thread", SORT_TID},          {"cpu", SORT_CPU},
	{"dso", SORT_MODULE},          {"module", SORT_MODULE},
	{"sym", SORT_SYMBOL},          {"symbol", SORT_SYMBOL},
	{"function", SORT_SYMBOL},     {"line", SORT_SOURCE_LINE},
	{"srcline", SORT_SOURCE_LINE}, {"srcfile", SORT_SOURCE_FILE},
	{"file", SORT_SOURCE_FILE},    {"address", SORT_ADDRESS},
};

static const struct {
	const char *word;
	enum sort_figure figure;
} figure_words[] = {
	{"overhead", SORT_SELF},   {"overhead_children", SORT_TOTAL}, {"sample", SORT_SAMPLES},
	{"samples", SORT_SAMPLES}, {"period", SORT_WEIGHT},           {"weight", SORT_WEIGHT},
};

static const char takes[] =
	"comm, role, pid, tid, cpu, dso, sym, srcline, srcfile and address, joined by "
	"commas; or one of function, line, module, address, thread, process, "
	"cpu, python-line, python-function, python-file, python-task, python-exception and "
	"python-raise; or cpi or mpki";

static const struct {
	const char *word, *hint;
} foreign_words[] = {
	{"parent", "--tree up shows the callers of each function"},
	{"caller", "--tree up shows the callers of each function"},
	{"trace", "wperf script shows each sample"},
	{"time", "wperf script shows each sample with its time"},
	{"mem", "--spe source shows where data came from, of samples by Arm SPE"},
	{"local_weight", "--spe latency shows latencies, of samples by Arm SPE"},
	{"symbol_daddr", "--spe sharing shows data addresses, of samples by Arm SPE"},
	{"dso_daddr", "--spe sharing shows data addresses, of samples by Arm SPE"},
	{"overhead_sys", "-e EVENT:k records kernel code only, :u user code only"},
	{"overhead_us", "-e EVENT:k records kernel code only, :u user code only"},
};

static enum sort_key find_key(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(key_words); i++)
		if (strcmp(key_words[i].word, word) == 0)
			return key_words[i].key;
	return SORT_NUM_KEYS;
}

static enum sort_figure find_figure(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(figure_words); i++)
		if (strcmp(figure_words[i].word, word) == 0)
			return figure_words[i].figure;
	return SORT_NUM_FIGURES;
}

static struct error *unknown_word(const char *option, const char *word)
{
	struct error *err = error_create(ERROR_USAGE, "%s: unknown word '%s'", option, word);
	for (size_t i = 0; i < ARRAY_SIZE(foreign_words); i++)
		if (strcmp(foreign_words[i].word, word) == 0)
			return error_with_hint(err, "%s", foreign_words[i].hint);
	if (hot_key_find(word) != HOT_NUM_KEYS)
		// Words for interpreted code are rows of tables of ours, and cannot be combined.
		return error_with_hint(err, "'%s' stands alone: --sort %s", word, word);
	return error_with_hint(err, "it takes %s", takes);
}

static void report_rows_add_key(struct report_rows *rows, enum sort_key key)
{
	// "sym,sym" is one key, and the array has room for each key once.
	for (size_t i = 0; i < rows->num_keys; i++)
		if (rows->keys[i] == key)
			return;
	rows->keys[rows->num_keys++] = key;
}

static void report_rows_add_column(struct report_rows *rows, struct sort_column column)
{
	struct sort_look *look = &rows->look;
	// A column that is named twice is shown once.
	for (size_t i = 0; i < look->num_columns; i++)
		if (look->columns[i].is_key == column.is_key && look->columns[i].key == column.key)
			return;
	look->columns[look->num_columns++] = column;
}

static void add_figure_column(struct report_rows *rows, enum sort_figure figure)
{
	report_rows_add_column(rows, (struct sort_column){.figure = figure});
}

/** perf takes blanks behind commas, and "+word" for "the usual ones, and". */
static const char *report_rows_trimmed(char *word)
{
	word += strspn(word, " +");
	word[strcspn(word, " ")] = '\0';
	return word;
}

static struct error *read_keys(const char *text, struct report_rows *rows)
{
	_cleanup_free_ char *copy = strdup(text);
	if (!copy)
		return &error_no_memory;
	for (char *rest = copy, *item; (item = comma_list_next(&rest));) {
		const char *word = report_rows_trimmed(item);
		enum sort_key key = find_key(word);
		// "overhead" stands in every table.
		if (key == SORT_NUM_KEYS && find_figure(word) == SORT_NUM_FIGURES)
			return unknown_word("--sort", word);
		if (key != SORT_NUM_KEYS)
			report_rows_add_key(rows, key);
	}
	return NULL;
}

static struct error *report_rows_read_fields(const char *text, struct report_rows *rows)
{
	_cleanup_free_ char *copy = strdup(text);
	struct error *err = copy ? NULL : &error_no_memory;
	for (char *rest = copy, *item; !err && (item = comma_list_next(&rest));) {
		const char *word = report_rows_trimmed(item);
		enum sort_key key = find_key(word);
		enum sort_figure figure = find_figure(word);
		if (key != SORT_NUM_KEYS) {
			report_rows_add_key(rows, key);
			report_rows_add_column(rows,
					       (struct sort_column){.is_key = true, .key = key});
		} else if (figure != SORT_NUM_FIGURES) {
			add_figure_column(rows, figure);
		} else {
			err = unknown_word("--fields", word);
		}
	}
	if (!err && !rows->num_keys)
		err = error_with_hint(error_create(ERROR_USAGE, "--fields: no word for the rows"),
				      "-F overhead,sym has a row for each function");
	return err;
}

/** What threads and CPUs call is no less theirs: their totals would repeat what is there. */
static void add_usual_columns(const struct options *options, struct report_rows *rows)
{
	// A function has a total of its own and of all that it calls.
	bool has_total = false;
	for (size_t i = 0; !options->no_children && i < rows->num_keys; i++)
		has_total |= sort_key_is_of_frame(rows->keys[i]);
	// With --children totals come first, as with perf report; else behind the functions' own
	// share.
	if (has_total && options->children)
		add_figure_column(rows, SORT_TOTAL);
	add_figure_column(rows, SORT_SELF);
	if (has_total)
		add_figure_column(rows, SORT_TOTAL);
	add_figure_column(rows, SORT_SAMPLES);
	for (size_t i = 0; i < rows->num_keys; i++)
		report_rows_add_column(rows,
				       (struct sort_column){.is_key = true, .key = rows->keys[i]});
}

/** "cpi", or with the kind of rows: "line,cpi". It stays without a ratio if there is none. */
static struct error *report_rows_read_ratio(const struct options *options, struct report_rows *rows)
{
	_cleanup_free_ char *copy = strdup(options->sort ? options->sort : "");
	enum hot_key hot = HOT_FUNCTION;
	size_t num_others = 0;
	if (!copy)
		return &error_no_memory;
	for (char *rest = copy, *item; (item = comma_list_next(&rest));) {
		const char *word = report_rows_trimmed(item);
		const char *ratio = event_ratio_key(word);
		if (ratio && rows->ratio)
			return error_create(ERROR_USAGE, "--sort: one of cpi and mpki");
		if (ratio)
			rows->ratio = ratio;
		else if (++num_others == 1)
			hot = hot_key_find(word);
	}
	if (!rows->ratio)
		return NULL;
	rows->hot = hot;
	const char *other = options->tree     ? "--tree"
			    : options->fields ? "--fields"
			    : options->diff   ? "--diff"
					      : NULL;
	if (other)
		return error_create(ERROR_USAGE, "%s has no rows by %s", other, rows->ratio);
	if (num_others <= 1 && hot != HOT_NUM_KEYS)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE, "--sort %s has rows of one kind", rows->ratio),
		"beside it: function, line, module, address, thread, process or cpu");
}

struct error *report_rows_choose(const struct options *options, struct report_rows *ret)
{
	struct report_rows rows = {.order = options->children ? HOT_BY_TOTAL : HOT_BY_SELF};
	rows.hot = options->sort ? hot_key_find(options->sort) : HOT_FUNCTION;
	struct error *err = report_rows_read_ratio(options, &rows);
	if (err)
		return err;
	if (rows.ratio) {
		*ret = rows;
		return NULL;
	}
	if (options->fields) {
		if (options->sort)
			err = read_keys(options->sort, &rows);
		if (!err)
			err = report_rows_read_fields(options->fields, &rows);
		// Not one of our words: a list, or a word of perf's only.
	} else if (rows.hot == HOT_NUM_KEYS) {
		err = read_keys(options->sort, &rows);
		add_usual_columns(options, &rows);
	}
	if (!err && rows.num_keys && options->diff)
		err = error_with_hint(error_create(ERROR_USAGE, "--diff has rows of one kind"),
				      "with it, --sort takes function, line, module, address, "
				      "thread, process or cpu");
	if (!err)
		*ret = rows;
	return err;
}
