// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help.h"

#include "base/container/array.h"
#include "cli/help/command_text.h"
#include "cli/option/option.h"
#include "cli/version.h"
#include "view/layout/paragraph.h"

#include <string.h>

// With --compat, help is one text with all commands and options, in the sections and with the
// headings of WindowsPerf 3.8.0: programs find out by its lines what a wperf can do. Options that
// the peer has come first and in its order; the texts are ours.

enum { INDENT_HEADING = 4, INDENT_TEXT = 8, LINE_WIDTH = 80 };

static void help_compat_print_text(const char *text, FILE *stream)
{
	paragraph_print(text, INDENT_TEXT, LINE_WIDTH, stream);
}

/** The words of a synopsis, wrapped so that they stand under each other. */
static void print_synopsis_of(enum command_id id, FILE *stream)
{
	char start[64];
	int indent = snprintf(start, sizeof(start), "    wperf %s", commands[id].name);
	int column = fprintf(stream, "%s", start);
	for (const struct option *option = NULL; (option = option_next(option));) {
		// "--help" and its like are commands of their own here.
		if (!help_command_takes(id, option) || option->kind == OPTION_COMMAND)
			continue;
		int width = (int)strlen(option->spellings[0]) + 3;
		// Aligned below the first option. The line end is no column.
		if (column + width > LINE_WIDTH)
			column = fprintf(stream, "\n%*s", indent, "") - 1;
		column += fprintf(stream, " [%s]", option->spellings[0]);
	}
	if (commands[id].arguments)
		fprintf(stream, " %s", commands[id].arguments);
	if (id == COMMAND_STAT || id == COMMAND_RECORD)
		fputs(" [-- COMMAND [ARGS]]", stream);
	fputc('\n', stream);
}

static void help_compat_print_synopsis(FILE *stream)
{
	fputs("SYNOPSIS:\n", stream);
	fputs("    wperf [--version] [--help] [OPTIONS]\n\n", stream);
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		print_synopsis_of(help_order[i], stream);
		help_compat_print_text(command_texts[help_order[i]].description, stream);
		fputc('\n', stream);
	}
}

// Tools look for these lines of the whole help, in this order.
static const char *const peers_options[] = {
	"-h",
	"--version",
	"-v",
	"-q",
	"-e",
	"-m",
	"--timeout",
	"-t",
	"-i",
	"-n",
	"--annotate",
	"--disassemble",
	"--image_name",
	"--pe_file",
	"--pdb_file",
	"--sample-display-long",
	"--sample-display-row",
	"--symbol",
	"--record_spawn_delay",
	"--force-lock",
	"-c",
	"-k",
	"--dmc",
	"-C",
	"-E",
	"--json",
	"--output",
	"--output-csv",
	"--output-prefix",
	"--config",
};

static void help_compat_print_option(const struct option *option, FILE *stream)
{
	// Without the value: tools look for these lines as the peer prints them.
	char heading[HELP_MAX_HEADING];
	help_option_heading(option, false, heading, sizeof(heading));
	fprintf(stream, "%*s%s\n", INDENT_HEADING, "", heading);
	char text[HELP_MAX_TEXT];
	help_option_text(option, text, sizeof(text));
	help_compat_print_text(text, stream);
	fputc('\n', stream);
}

static bool is_peers(const struct option *option)
{
	for (size_t i = 0; i < ARRAY_SIZE(peers_options); i++)
		if (!strcmp(peers_options[i], option->spellings[0]))
			return true;
	return false;
}

static void help_compat_print_options(FILE *stream)
{
	fputs("OPTIONS:\n", stream);
	for (size_t i = 0; i < ARRAY_SIZE(peers_options); i++)
		for (const struct option *option = NULL; (option = option_next(option));)
			if (!strcmp(peers_options[i], option->spellings[0]))
				help_compat_print_option(option, stream);
	for (const struct option *option = NULL; (option = option_next(option));)
		// Options that WindowsPerf does not have follow its own.
		if (option->help && !is_peers(option))
			help_compat_print_option(option, stream);
}

static void print_alias(const char *alias, const char *meaning, FILE *stream)
{
	fprintf(stream, "    %s\n        Alias of `%s`.\n\n", alias, meaning);
}

static void print_aliases(FILE *stream)
{
	fputs("OPTIONS aliases:\n", stream);
	for (const struct option *option = NULL; (option = option_next(option));)
		// Rows without a text are commands by another name, such as -l for `list`.
		if (!option->help)
			print_alias(option->spellings[0], commands[option->offset].name, stream);
	for (const struct option *option = NULL; (option = option_next(option));)
		if (option->help && option->alias)
			print_alias(option->alias, option->spellings[0], stream);
}

static void help_compat_print_examples(FILE *stream)
{
	fputs("EXAMPLES:\n", stream);
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		const struct command_example *examples = command_texts[help_order[i]].examples;
		for (size_t k = 0; k < COMMAND_MAX_EXAMPLES && examples[k].line; k++) {
			fprintf(stream, "    > wperf %s\n", examples[k].line);
			paragraph_print(examples[k].text, INDENT_HEADING, LINE_WIDTH, stream);
			fputc('\n', stream);
		}
	}
	// Tools look for a command line that begins so.
	fputs("    > wperf record -e arm_spe_0/load_filter=1/ -c 1 -- prog.exe\n"
	      "    Sample loads with the Arm Statistical Profiling Extension.\n\n",
	      stream);
}

void help_print_compat(FILE *stream)
{
	version_print_header(true, stream);
	fputs("NAME:\n    wperf - " HELP_SENTENCE "\n\n", stream);
	help_compat_print_synopsis(stream);
	help_compat_print_options(stream);
	print_aliases(stream);
	help_compat_print_examples(stream);
}
