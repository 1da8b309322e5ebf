// SPDX-License-Identifier: Apache-2.0

#include "base/text/string_builder.h"
#include "cli/help/command_text.h"
#include "cli/help/help.h"
#include "cli/option/foreign/foreign_command.h"
#include "cli/option/option.h"
#include "cli/version.h"
#include "source/source.h"

#include <string.h>

// Man pages in the macros of man(7): .TH, .SH, .SS, .TP. They are made from the same tables as
// help, and docs/man has them as files; lint.man_pages compares both and has groff read them.
// wperf(1) has the options of all commands, the sources, and the first example of each command.

/** Text for troff: backslashes and hyphens are escaped, and no line begins with a request. A line
 *  end in the text begins a paragraph. */
static void help_man_put(const char *text, FILE *stream)
{
	// These two begin a request at the start of a line.
	if (*text == '.' || *text == '\'')
		fputs("\\&", stream);
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stream);
		// A plain "-" becomes a hyphen, which cannot be searched for or copied as an
		// option.
		else if (*text == '-')
			fputs("\\-", stream);
		else if (*text == '\n')
			fputs("\n.PP\n", stream);
		else
			fputc(*text, stream);
	}
}

static void put_line(const char *request, const char *text, FILE *stream)
{
	fputs(request, stream);
	help_man_put(text, stream);
	fputc('\n', stream);
}

static void help_man_print_title(enum command_id id, FILE *stream)
{
	struct version version = version_get(false);
	// The page of a command is wperf-NAME(1), as git's are: `man wperf-record`.
	bool is_main = id == COMMAND_NONE;
	fprintf(stream, ".TH WPERF%s%s 1 \"\" \"wperf %u.%u.%u\" \"wperf\"\n", is_main ? "" : "\\-",
		is_main ? "" : help_page_name(id), version.major, version.minor, version.patch);
	fputs(".SH NAME\n", stream);
	if (is_main) {
		fputs("wperf \\- " HELP_SENTENCE "\n", stream);
		return;
	}
	fprintf(stream, "wperf\\-%s \\- ", help_page_name(id));
	put_line("", command_texts[id].summary, stream);
}

static void help_man_print_synopsis(enum command_id id, FILE *stream)
{
	// .nf: each form of a command stays on its own line.
	fputs(".SH SYNOPSIS\n.nf\n", stream);
	if (id == COMMAND_NONE)
		fputs("wperf COMMAND [OPTIONS] [[\\-\\-] PROGRAM [ARGS]]\n", stream);
	for (size_t i = 0; id != COMMAND_NONE && help_usage(id, i); i++)
		put_line("wperf ", help_usage(id, i), stream);
	fputs(".fi\n", stream);
}

static void print_description(enum command_id id, FILE *stream)
{
	static const char main_text[] =
#include "manual.txt.inc"
		;
	fputs(".SH DESCRIPTION\n", stream);
	if (id != COMMAND_NONE) {
		put_line("", command_texts[id].description, stream);
		if (command_texts[id].details)
			put_line(".PP\n", command_texts[id].details, stream);
		return;
	}
	put_line("", main_text, stream);
	fputs(".SH COMMANDS\n", stream);
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		fprintf(stream, ".TP\n.BR wperf\\-%s (1)\n", help_page_name(help_order[i]));
		put_line("", command_texts[help_order[i]].summary, stream);
	}
}

static void help_man_print_options(enum command_id id, FILE *stream)
{
	fputs(".SH OPTIONS\n", stream);
	for (const struct option_group *const *group = option_groups; *group; group++) {
		bool is_first = true;
		for (size_t i = 0; i < (*group)->num_options; i++) {
			const struct option *option = &(*group)->options[i];
			if (!option->help || !help_command_takes(id, option))
				continue;
			if (is_first)
				put_line(".SS ", (*group)->title, stream);
			is_first = false;
			char heading[HELP_MAX_HEADING], text[HELP_MAX_TEXT];
			help_option_heading(option, true, heading, sizeof(heading));
			put_line(".TP\n.B ", heading, stream);
			help_option_text(option, text, sizeof(text));
			put_line("", text, stream);
			if (option->details)
				put_line("", option->details, stream);
			if (option->alias)
				fprintf(stream, "Alias: %s\n", option->alias);
		}
	}
}

static void help_man_print_sources(FILE *stream)
{
	fputs(".SH SOURCES\n", stream);
	for (const struct source_ops *const *ops = all_sources; *ops; ops++) {
		put_line(".TP\n.B ", (*ops)->traits.name, stream);
		put_line("", (*ops)->traits.summary, stream);
		for (const struct setting_rule *rule = (*ops)->traits.settings; rule->key; rule++) {
			// .RS and .RE indent the settings below their source.
			fprintf(stream, ".RS\n.TP\n.BR %s =\n", rule->key);
			put_line("", rule->help, stream);
			fputs(".RE\n", stream);
		}
	}
}

/** What users of perf and others type, and what wperf makes of it. */
static void print_foreign(FILE *stream)
{
	fputs(".SH COMMANDS OF OTHER TOOLS\n", stream);
	for (const struct foreign_command *row = NULL; (row = foreign_command_next(row));) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		fprintf(stream, ".TP\n.B %s%s%s\n", row->word, row->second ? " " : "",
			row->second ? row->second : "");
		foreign_command_describe(row, &text);
		put_line("", string_builder_peek(&text), stream);
	}
}

static void print_pairs(const char *heading, const struct help_pair *pairs, FILE *stream)
{
	fprintf(stream, ".SH %s\n", heading);
	for (; pairs->name; pairs++) {
		put_line(".TP\n.B ", pairs->name, stream);
		put_line("", pairs->text, stream);
	}
}

static void print_example(const struct command_example *example, FILE *stream)
{
	put_line(".TP\n.B wperf ", example->line, stream);
	put_line("", example->text, stream);
}

/** wperf(1) has the first one of each command. */
static void help_man_print_examples(enum command_id id, FILE *stream)
{
	fputs(".SH EXAMPLES\n", stream);
	for (size_t i = 0; id == COMMAND_NONE && i < NUM_COMMANDS; i++)
		print_example(&command_texts[help_order[i]].examples[0], stream);
	if (id == COMMAND_NONE)
		return;
	for (size_t i = 0; i < COMMAND_MAX_EXAMPLES && command_texts[id].examples[i].line; i++)
		print_example(&command_texts[id].examples[i], stream);
}

static void print_see_also(enum command_id id, FILE *stream)
{
	fputs(".SH SEE ALSO\n", stream);
	if (id != COMMAND_NONE)
		fputs(".BR wperf (1),\n", stream);
	const char *between = "";
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		if (help_order[i] == id)
			continue;
		fprintf(stream, "%s.BR wperf\\-%s (1)", between, help_page_name(help_order[i]));
		between = ",\n";
	}
	fputs("\n", stream);
	if (id == COMMAND_NONE)
		fputs(".PP\ndocs/glossary.md explains the words of the output.\n", stream);
}

void help_print_man(enum command_id id, FILE *stream)
{
	help_man_print_title(id, stream);
	help_man_print_synopsis(id, stream);
	print_description(id, stream);
	help_man_print_options(id, stream);
	if (id == COMMAND_NONE)
		help_man_print_sources(stream);
	if (id == COMMAND_NONE)
		print_foreign(stream);
	help_man_print_examples(id, stream);
	print_pairs("EXIT STATUS", help_exit_codes, stream);
	print_pairs("FILES", help_files, stream);
	print_pairs("ENVIRONMENT", help_environment, stream);
	print_see_also(id, stream);
}
