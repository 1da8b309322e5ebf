// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal.h"
#include "cli/command.h"
#include "cli/help/help.h"
#include "cli/option/foreign/foreign_command.h"
#include "cli/option/options.h"

#include <string.h>

// A topic is, in this order: "sources", a word of another tool, a command. A word of perf that
// means the same as a command of wperf ("diff") has the help of that command.

static struct error *find_topic(const struct options *options, enum command_id *ret)
{
	*ret = COMMAND_NONE;
	if (!options->arguments.num_items)
		return NULL;
	const char *name = options->arguments.items[0];
	if (options->arguments.num_items > 1)
		return error_with_hint(error_create(ERROR_USAGE, "unexpected arg '%s'",
						    options->arguments.items[1]),
				       "ask for the help of one command");
	const struct foreign_command *foreign = foreign_command_find(name);
	*ret = command_find(foreign && foreign->is_same ? foreign->reads[0] : name);
	if (*ret != COMMAND_NONE)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "unknown help topic '%s'", name),
			       "'wperf help' lists the commands; 'wperf man' explains events "
			       "and metrics");
}

/** What has no page of its own: `sources`, `perf`, and the commands of other tools. */
static bool print_topic(const struct options *options, const struct help_layout *layout)
{
	const struct text_list *words = &options->arguments;
	const char *word = words->num_items == 1 ? words->items[0] : "";
	// `help perf` prints the whole table of words of other tools.
	bool is_table = !strcmp(word, "perf");
	const struct foreign_command *foreign = foreign_command_find(word);
	if (!strcmp(word, "sources"))
		help_print_sources(layout, stdout);
	else if (is_table || (foreign && !foreign->is_same))
		help_print_foreign(is_table ? NULL : word, layout, stdout);
	else
		return false;
	return true;
}

static struct error *cmd_help_print_text(const struct options *options)
{
	size_t width = terminal_columns(stdout);
	enum command_id topic;
	if (options->compat) {
		help_print_compat(stdout);
		return NULL;
	}
	// Into a pipe or a file: a width that people can read.
	if (!width)
		width = HELP_DEFAULT_WIDTH;
	const struct help_layout layout = {
		.width = width < HELP_MAX_WIDTH ? width : HELP_MAX_WIDTH,
		.verbose = options->verbose,
	};
	if (print_topic(options, &layout))
		return NULL;
	struct error *err = find_topic(options, &topic);
	if (err)
		return err;
	if (topic == COMMAND_NONE)
		help_print_overview(stdout);
	else
		help_print_command(topic, &layout, stdout);
	return NULL;
}

struct error *command_help(const struct options *options, int *ret_exit)
{
	const char *format = options->format ? options->format : "text";
	if (!strcmp(format, "text"))
		return cmd_help_print_text(options);
	if (!strcmp(format, "man")) {
		enum command_id topic;
		struct error *err = find_topic(options, &topic);
		if (!err)
			help_print_man(topic, stdout);
		return err;
	}
	if (strcmp(format, "bash") != 0)
		return error_with_hint(error_create(ERROR_USAGE, "unknown help format '%s'",
						    format),
				       "the formats are text, man and bash");
	help_print_bash(stdout);
	return NULL;
}
