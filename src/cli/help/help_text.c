// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help.h"

#include "base/text/string_builder.h"
#include "cli/help/command_text.h"
#include "cli/option/foreign/foreign_command.h"
#include "cli/option/option.h"
#include "source/source.h"
#include "view/layout/paragraph.h"

#include <inttypes.h>
#include <string.h>

// Help on the terminal, wrapped to its width: usages, description, then the options by group, the
// most used first. Rare options are named in one line and explained by -v, so that the help of a
// command fits two screens (unit.help). Examples have one column if they are short enough; they are
// not wrapped, as people copy them.

enum {
	INDENT = 2,
	HEADING_COLUMN = 22, /* where the texts of options begin */
	SETTING_COLUMN = 22, /* ... and those of settings */
	MAX_EXAMPLE = 46,    /* an example of more columns has its text on a line of its own */
};

/** "  heading      text", the text wrapped below itself. */
static void print_entry(const char *heading, const char *text, size_t column, size_t width,
			FILE *stream)
{
	size_t used = INDENT + strlen(heading);
	fprintf(stream, "%*s%s", INDENT, "", heading);
	// A heading that leaves no gap before the texts has a line of its own.
	if (used + INDENT > column) {
		fputc('\n', stream);
		paragraph_print(text, column, width, stream);
		return;
	}
	fprintf(stream, "%*s", (int)(column - used), "");
	paragraph_print_behind(text, column, width, stream);
}

static bool help_text_is_shown(enum command_id id, const struct option *option, bool with_rare)
{
	return option->help && help_command_takes(id, option) && (with_rare || !option->is_rare);
}

static void help_text_print_group(enum command_id id, const struct option_group *group,
				  const struct help_layout *layout, FILE *stream)
{
	bool is_first = true;
	for (size_t i = 0; i < group->num_options; i++) {
		const struct option *option = &group->options[i];
		if (!help_text_is_shown(id, option, layout->verbose))
			continue;
		if (is_first)
			fprintf(stream, "\n%s:\n", group->title);
		is_first = false;
		char heading[HELP_MAX_HEADING], text[HELP_MAX_TEXT];
		help_option_heading(option, true, heading, sizeof(heading));
		help_option_text(option, text, sizeof(text));
		print_entry(heading, text, HEADING_COLUMN, layout->width, stream);
		if (layout->verbose && option->details)
			paragraph_print(option->details, HEADING_COLUMN, layout->width, stream);
		if (layout->verbose && option->alias)
			fprintf(stream, "%*sAlias: %s\n", HEADING_COLUMN, "", option->alias);
	}
}

/** One line with the names of those that only help -v explains. */
static void print_rare(enum command_id id, const struct help_layout *layout, FILE *stream)
{
	static const char title[] = "More options:";
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (const struct option *option = NULL; (option = option_next(option));)
		if (help_text_is_shown(id, option, true) && option->is_rare)
			string_builder_appendf(&names, "%s%s", names.length ? ", " : "",
					       option->spellings[0]);
	if (!names.length || layout->verbose)
		return;
	string_builder_appendf(&names, "; see 'wperf help %s -v'", help_page_name(id));
	fprintf(stream, "\n%s ", title);
	paragraph_print_behind(string_builder_peek(&names), sizeof(title), layout->width, stream);
}

static void help_text_print_examples(enum command_id id, const struct help_layout *layout,
				     FILE *stream)
{
	const struct command_example *examples = command_texts[id].examples;
	fputs("\nExamples:\n", stream);
	// The longest example that still fits decides; longer ones do not move the column.
	size_t column = 0;
	for (size_t i = 0; i < COMMAND_MAX_EXAMPLES && examples[i].line; i++) {
		size_t length = strlen("wperf ") + strlen(examples[i].line);
		if (length <= MAX_EXAMPLE && length > column)
			column = length;
	}
	column += 2 * INDENT;
	for (size_t i = 0; i < COMMAND_MAX_EXAMPLES && examples[i].line; i++) {
		_cleanup_(string_builder_deinit) struct string_builder line = STRING_BUILDER_INIT;
		string_builder_appendf(&line, "wperf %s", examples[i].line);
		print_entry(string_builder_peek(&line), examples[i].text, column, layout->width,
			    stream);
	}
}

void help_print_command(enum command_id id, const struct help_layout *layout, FILE *stream)
{
	fprintf(stream, "wperf %s: %s.\n", help_page_name(id), command_texts[id].summary);
	for (size_t i = 0; help_usage(id, i); i++)
		fprintf(stream, "%s wperf %s\n", i ? "      " : "Usage:", help_usage(id, i));
	fputc('\n', stream);
	paragraph_print(command_texts[id].description, 0, layout->width, stream);
	if (layout->verbose && command_texts[id].details)
		paragraph_print(command_texts[id].details, 0, layout->width, stream);
	for (const struct option_group *const *group = option_groups; *group; group++)
		help_text_print_group(id, *group, layout, stream);
	print_rare(id, layout, stream);
	help_text_print_examples(id, layout, stream);
}

static const char sources_intro[] = {
#include "sources.txt.inc"
};

void help_print_sources(const struct help_layout *layout, FILE *stream)
{
	fwrite(sources_intro, 1, sizeof(sources_intro), stream);
	for (const struct source_ops *const *ops = all_sources; *ops; ops++) {
		fprintf(stream, "\n%s: ", (*ops)->traits.name);
		paragraph_print_behind((*ops)->traits.summary, strlen((*ops)->traits.name) + 2,
				       layout->width, stream);
		for (const struct setting_rule *rule = (*ops)->traits.settings; rule->key; rule++) {
			// "cores=1..128  number of cores"
			char values[64] = "TEXT", setting[96];
			if (rule->kind == SETTING_NUMBER)
				snprintf(values, sizeof(values), "%" PRIu64 "..%" PRIu64, rule->min,
					 rule->max);
			snprintf(setting, sizeof(setting), "%*s%s=%s", INDENT, "", rule->key,
				 values);
			print_entry(setting, rule->help, SETTING_COLUMN, layout->width, stream);
		}
	}
}

static const char perf_intro[] = {
#include "perf.txt.inc"
};

void help_print_foreign(const char *word, const struct help_layout *layout, FILE *stream)
{
	if (!word) {
		fwrite(perf_intro, 1, sizeof(perf_intro), stream);
		fputc('\n', stream);
	}
	for (const struct foreign_command *row = NULL; (row = foreign_command_next(row));) {
		if (word && strcmp(row->word, word) != 0)
			continue;
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		char heading[HELP_MAX_HEADING];
		snprintf(heading, sizeof(heading), "%s%s%s", row->word, row->second ? " " : "",
			 row->second ? row->second : "");
		foreign_command_describe(row, &text);
		print_entry(heading, string_builder_peek(&text), HEADING_COLUMN, layout->width,
			    stream);
	}
}
