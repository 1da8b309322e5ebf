// SPDX-License-Identifier: Apache-2.0

#include "cli/help.h"
#include "cli/option.h"
#include "cli/version.h"
#include "source/source.h"

#include <string.h>

/** Text for troff: backslashes and hyphens are said as such, lines do not begin with a request. */
static void put(const char *text, FILE *stream)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stream);
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stream);
		else if (*text == '-')
			fputs("\\-", stream);
		else
			fputc(*text, stream);
	}
}

static void put_line(const char *request, const char *text, FILE *stream)
{
	fputs(request, stream);
	put(text, stream);
	fputc('\n', stream);
}

static const char *page_command(enum command_id id)
{
	return id == COMMAND_VERSION ? "version" : commands[id].name;
}

static void print_title(enum command_id id, FILE *stream)
{
	struct version version = version_get(false);
	fprintf(stream, ".TH WPERF%s%s 1 \"\" \"wperf %u.%u.%u\" \"wperf\"\n",
		id == COMMAND_NONE ? "" : "\\-", id == COMMAND_NONE ? "" : page_command(id),
		version.major, version.minor, version.patch);
	fputs(".SH NAME\n", stream);
	if (id == COMMAND_NONE) {
		fputs("wperf \\- tells where a program spends its hardware\n", stream);
		return;
	}
	fprintf(stream, "wperf\\-%s \\- ", page_command(id));
	put_line("", commands[id].summary, stream);
}

static void print_synopsis(enum command_id id, FILE *stream)
{
	fputs(".SH SYNOPSIS\n.B wperf", stream);
	if (id == COMMAND_NONE) {
		fputs("\n.I COMMAND\n[OPTIONS] [\\-\\- COMMAND [ARGS]]\n", stream);
		return;
	}
	fputc(' ', stream);
	put_line("", commands[id].name, stream);
	fputs("[OPTIONS]", stream);
	if (commands[id].arguments) {
		fputc(' ', stream);
		put(commands[id].arguments, stream);
	}
	if (id == COMMAND_STAT)
		fputs(" [\\-\\- COMMAND [ARGS]]", stream);
	if (id == COMMAND_RECORD)
		fputs(" \\-\\- COMMAND [ARGS]", stream);
	fputc('\n', stream);
}

static void print_description(enum command_id id, FILE *stream)
{
	fputs(".SH DESCRIPTION\n", stream);
	if (id != COMMAND_NONE) {
		put_line("", commands[id].description, stream);
		return;
	}
	put_line("",
		 "Counts and samples the events of a CPU's performance monitoring unit and names "
		 "what "
		 "caused them. The words of the command line may stand in any order.",
		 stream);
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		fprintf(stream, ".TP\n.BR wperf\\-%s (1)\n", page_command(help_order[i]));
		put_line("", commands[help_order[i]].summary, stream);
	}
}

static void print_options(enum command_id id, FILE *stream)
{
	fputs(".SH OPTIONS\n", stream);
	for (const struct option *option = NULL; (option = option_next(option));) {
		if (!option->help || !help_command_takes(id, option))
			continue;
		char heading[128];
		help_option_heading(option, true, heading, sizeof(heading));
		put_line(".TP\n.B ", heading, stream);
		put_line("", option->help, stream);
		if (option->alias)
			fprintf(stream, "Alias: %s\n", option->alias);
	}
}

static void print_sources(FILE *stream)
{
	fputs(".SH SOURCES\n", stream);
	for (const struct source_ops *const *ops = all_sources; *ops; ops++) {
		put_line(".TP\n.B ", (*ops)->name, stream);
		put_line("", (*ops)->summary, stream);
		for (const struct setting_rule *rule = (*ops)->settings; rule->key; rule++) {
			fprintf(stream, ".RS\n.TP\n.BR %s =\n", rule->key);
			put_line("", rule->help, stream);
			fputs(".RE\n", stream);
		}
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

static void print_examples(enum command_id id, FILE *stream)
{
	fputs(".SH EXAMPLES\n", stream);
	for (size_t i = 0; i < COMMAND_MAX_EXAMPLES && commands[id].examples[i].line; i++) {
		fputs(".TP\n.B wperf ", stream);
		put_line("", commands[id].examples[i].line, stream);
		put_line("", commands[id].examples[i].text, stream);
	}
}

void help_print_man(enum command_id id, FILE *stream)
{
	print_title(id, stream);
	print_synopsis(id, stream);
	print_description(id, stream);
	print_options(id, stream);
	if (id == COMMAND_NONE)
		print_sources(stream);
	else
		print_examples(id, stream);
	print_pairs("EXIT STATUS", help_exit_codes, stream);
	print_pairs("ENVIRONMENT", help_environment, stream);
	if (id != COMMAND_NONE)
		fputs(".SH SEE ALSO\n.BR wperf (1)\n", stream);
}
