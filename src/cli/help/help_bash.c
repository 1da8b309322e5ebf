// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help.h"

#include "base/container/array.h"
#include "base/text/ascii.h"
#include "cli/option/option.h"
#include "source/source.h"

#include <string.h>

// Completion is one script, text/completion.bash, with marks where lines from the tables of
// commands and options belong: all commands, how values of options are completed, what arguments
// are, and the options of each command. So a new option is completed without a line of script.
// Names of events and metrics are not in the script, as they differ between machines: it asks
// "wperf list --json".

static void print_commands(FILE *stream)
{
	fputs("\tlocal commands=\"", stream);
	for (unsigned i = 0; i < NUM_COMMANDS; i++)
		fprintf(stream, "%s%s", i ? " " : "", commands[i].name);
	fputs("\"\n", stream);
}

static void print_option_table(FILE *stream)
{
	fputs("\tcase $command in\n", stream);
	for (unsigned i = 0; i < NUM_COMMANDS; i++) {
		fprintf(stream, "\t%s) options=\"", commands[i].name);
		for (const struct option *option = NULL; (option = option_next(option));) {
			if (!help_command_takes(i, option))
				continue;
			for (size_t k = 0; k < OPTION_MAX_SPELLINGS && option->spellings[k]; k++)
				fprintf(stream, " %s", option->spellings[k]);
		}
		fputs("\" ;;\n", stream);
	}
	fputs("\tesac\n", stream);
}

/** How a value, named as in help, is completed. */
static const struct {
	const char *value;
	const char *action;
} actions[] = {
	{"EVENTS", "_wperf_listed Alias_Name"},
	{"METRICS", "_wperf_listed Metric Group"},
	{"FILE", "_wperf_words -f"},
	{"FILE|EVENTS", "_wperf_words -f"},
	{"DIR", "_wperf_words -d"},
};

static void help_bash_print_sources(FILE *stream)
{
	fputs("_wperf_words -W '", stream);
	for (const struct source_ops *const *ops = all_sources; *ops; ops++)
		fprintf(stream, "%s%s", ops == all_sources ? "" : " ", (*ops)->traits.name);
	fputs("'", stream);
}

static void print_choice(const char *value, FILE *stream)
{
	fputs("_wperf_words -W '", stream);
	for (; *value; value++)
		fputc(*value == '|' ? ' ' : *value, stream);
	fputs("'", stream);
}

/** For one command each, where another option is spelt alike. */
static void print_pattern(const struct option *option, const char *spelling, FILE *stream)
{
	if (option_find(spelling, strlen(spelling), ~option->commands) == option) {
		fprintf(stream, "*:%s", spelling);
		return;
	}
	const char *between = "";
	for (unsigned id = 0; id < NUM_COMMANDS; id++) {
		if (!(option->commands & 1U << id))
			continue;
		fprintf(stream, "%s%s:%s", between, commands[id].name, spelling);
		between = "|";
	}
}

static void print_value(const struct option *option, FILE *stream)
{
	// A line for each option whose value can be completed, such as
	//   *:--tree) _wperf_words -W 'down up callers callees'; return ;;
	const char *value = option->value, *action = NULL;
	bool is_source = !strcmp(option->spellings[0], "--source");
	// "text|man|bash": words to choose from stand in small letters. Other values are names for
	// what the user types, in capitals: FILE, EVENTS.
	bool is_choice = ascii_lower(value[0]) == value[0] && strchr(value, '|');
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(actions[i].value, value))
			action = actions[i].action;
	if (!action && !is_source && !is_choice)
		return;
	for (size_t i = 0; i < OPTION_MAX_SPELLINGS && option->spellings[i]; i++) {
		fputs(i ? "|" : "\t", stream);
		print_pattern(option, option->spellings[i], stream);
	}
	fputs(") ", stream);
	if (action)
		fputs(action, stream);
	else if (is_source)
		help_bash_print_sources(stream);
	else
		print_choice(value, stream);
	fputs("; return ;;\n", stream);
}

static void print_values(FILE *stream)
{
	fputs("\tcase $command:$previous in\n", stream);
	for (const struct option *option = NULL; (option = option_next(option));)
		if (option->value && !option->value_if_left_out)
			print_value(option, stream);
	fputs("\tesac\n", stream);
}

/** The words of a command that are no options. */
static void print_arguments(FILE *stream)
{
	static const char *const listing = "_wperf_listed Alias_Name Metric Group";
	fputs("\t[[ $word == -* ]] || case $command in\n", stream);
	fprintf(stream, "\t%s) _wperf_words -W \"$commands\"; return ;;\n",
		commands[COMMAND_HELP].name);
	fprintf(stream, "\t%s|%s) %s; return ;;\n", commands[COMMAND_MAN].name,
		commands[COMMAND_LIST].name, listing);
	for (unsigned i = 0; i < NUM_COMMANDS; i++)
		if (commands[i].arguments && strstr(commands[i].arguments, "FILE"))
			fprintf(stream, "\t%s) _wperf_words -f; return ;;\n", commands[i].name);
	fputs("\tesac\n", stream);
}

static const char completion[] = {
#include "completion.bash.inc"
	'\0',
};

/** What stands for the marks of completion.bash, in their order. */
static const struct {
	const char *mark;
	void (*print)(FILE *stream);
} completion_parts[] = {
	{"#@ commands\n", print_commands},
	{"#@ values\n", print_values},
	{"#@ arguments\n", print_arguments},
	{"#@ options\n", print_option_table},
};

void help_print_bash(FILE *stream)
{
	const char *rest = completion;
	for (size_t i = 0; i < ARRAY_SIZE(completion_parts); i++) {
		// Never NULL: the script is part of the program, and has each mark in this order.
		const char *mark = strstr(rest, completion_parts[i].mark);
		fwrite(rest, 1, (size_t)(mark - rest), stream);
		completion_parts[i].print(stream);
		rest = mark + strlen(completion_parts[i].mark);
	}
	fputs(rest, stream);
}
