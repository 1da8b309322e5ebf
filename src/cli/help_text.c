// SPDX-License-Identifier: Apache-2.0

#include "cli/help.h"

#include "base/array.h"
#include "cli/option.h"
#include "cli/version.h"
#include "source/source.h"
#include "view/paragraph.h"

#include <inttypes.h>
#include <string.h>

enum { INDENT_HEADING = 4, INDENT_TEXT = 8, LINE_WIDTH = 81, SETTING_WIDTH = 14 };

static void print_text(const char *text, FILE *stream)
{
	paragraph_print(text, INDENT_TEXT, LINE_WIDTH, stream);
}

static void print_name(enum command_id id, FILE *stream)
{
	fputs("NAME:\n", stream);
	if (id == COMMAND_NONE)
		fputs("    wperf - tells where a program spends its hardware\n\n", stream);
	else
		fprintf(stream, "    wperf %s - %s\n\n", commands[id].name, commands[id].summary);
}

/** The words of a synopsis, wrapped so that they stand under each other. */
static void print_synopsis_of(enum command_id id, FILE *stream)
{
	char start[64];
	int indent = snprintf(start, sizeof(start), "    wperf %s", commands[id].name);
	int column = fprintf(stream, "%s", start);
	for (const struct option *option = NULL; (option = option_next(option));) {
		if (!help_command_takes(id, option) || option->kind == OPTION_COMMAND)
			continue;
		int width = (int)strlen(option->spellings[0]) + 3;
		if (column + width > LINE_WIDTH)
			column = fprintf(stream, "\n%*s", indent, "") - 1;
		column += fprintf(stream, " [%s]", option->spellings[0]);
	}
	if (commands[id].arguments)
		fprintf(stream, " %s", commands[id].arguments);
	if (id == COMMAND_STAT)
		fputs(" [-- COMMAND [ARGS]]", stream);
	if (id == COMMAND_RECORD)
		fputs(" -- COMMAND [ARGS]", stream);
	fputc('\n', stream);
}

static void print_synopsis(enum command_id id, FILE *stream)
{
	fputs("SYNOPSIS:\n", stream);
	if (id != COMMAND_NONE) {
		print_synopsis_of(id, stream);
		fputc('\n', stream);
		print_text(commands[id].description, stream);
		fputc('\n', stream);
		return;
	}
	fputs("    wperf [--version] [--help] [OPTIONS]\n\n", stream);
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		print_synopsis_of(help_order[i], stream);
		print_text(commands[help_order[i]].description, stream);
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

static void print_option(enum command_id id, const struct option *option, FILE *stream)
{
	if (!option->help || !help_command_takes(id, option))
		return;
	// Without the value: tools look for these lines as the peer prints them.
	char heading[128];
	help_option_heading(option, id != COMMAND_NONE, heading, sizeof(heading));
	fprintf(stream, "%*s%s\n", INDENT_HEADING, "", heading);
	print_text(option->help, stream);
	fputc('\n', stream);
}

static bool is_peers(const struct option *option)
{
	for (size_t i = 0; i < ARRAY_SIZE(peers_options); i++)
		if (!strcmp(peers_options[i], option->spellings[0]))
			return true;
	return false;
}

static void print_options(enum command_id id, FILE *stream)
{
	fputs("OPTIONS:\n", stream);
	for (size_t i = 0; id == COMMAND_NONE && i < ARRAY_SIZE(peers_options); i++)
		for (const struct option *option = NULL; (option = option_next(option));)
			if (!strcmp(peers_options[i], option->spellings[0]))
				print_option(id, option, stream);
	for (const struct option *option = NULL; (option = option_next(option));)
		if (id != COMMAND_NONE || !is_peers(option))
			print_option(id, option, stream);
}

static void print_alias(const char *alias, const char *meaning, FILE *stream)
{
	fprintf(stream, "    %s\n        Alias of `%s`.\n\n", alias, meaning);
}

static void print_aliases(FILE *stream)
{
	fputs("OPTIONS aliases:\n", stream);
	for (const struct option *option = NULL; (option = option_next(option));)
		if (!option->help)
			print_alias(option->spellings[0], commands[option->offset].name, stream);
	for (const struct option *option = NULL; (option = option_next(option));)
		if (option->help && option->alias)
			print_alias(option->alias, option->spellings[0], stream);
}

/** "cores=1..128  number of cores" */
static void print_setting(const struct setting_rule *rule, FILE *stream)
{
	char values[64] = "TEXT";
	if (rule->kind == SETTING_NUMBER)
		snprintf(values, sizeof(values), "%" PRIu64 "..%" PRIu64, rule->min, rule->max);
	char setting[96];
	snprintf(setting, sizeof(setting), "%s=%s", rule->key, values);
	fprintf(stream, "%*s%-*s  %s\n", INDENT_TEXT, "", SETTING_WIDTH, setting, rule->help);
}

static void print_sources(FILE *stream)
{
	fputs("SOURCES:\n", stream);
	for (const struct source_ops *const *ops = all_sources; *ops; ops++) {
		fprintf(stream, "    %s\n", (*ops)->name);
		print_text((*ops)->summary, stream);
		for (const struct setting_rule *rule = (*ops)->settings; rule->key; rule++)
			print_setting(rule, stream);
		fputc('\n', stream);
	}
}

static void print_pairs(const char *heading, const struct help_pair *pairs, FILE *stream)
{
	fprintf(stream, "%s:\n", heading);
	for (; pairs->name; pairs++) {
		fprintf(stream, "    %s\n", pairs->name);
		print_text(pairs->text, stream);
	}
	fputc('\n', stream);
}

static void print_examples_of(enum command_id id, FILE *stream)
{
	for (size_t i = 0; i < COMMAND_MAX_EXAMPLES && commands[id].examples[i].line; i++) {
		fprintf(stream, "    > wperf %s\n", commands[id].examples[i].line);
		paragraph_print(commands[id].examples[i].text, INDENT_HEADING, LINE_WIDTH, stream);
		fputc('\n', stream);
	}
}

static void print_examples(enum command_id id, FILE *stream)
{
	fputs("EXAMPLES:\n", stream);
	if (id != COMMAND_NONE) {
		print_examples_of(id, stream);
		return;
	}
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		print_examples_of(help_order[i], stream);
}

void help_print_text(enum command_id id, bool compat, FILE *stream)
{
	if (id == COMMAND_NONE)
		version_print_header(compat, stream);
	print_name(id, stream);
	print_synopsis(id, stream);
	print_options(id, stream);
	if (id == COMMAND_NONE) {
		print_aliases(stream);
		print_sources(stream);
		print_pairs("EXIT CODES", help_exit_codes, stream);
		print_pairs("ENVIRONMENT", help_environment, stream);
	}
	print_examples(id, stream);
}
