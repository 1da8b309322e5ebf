// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"

#include <string.h>

static struct error *find_topic(const struct options *options, enum command_id *ret)
{
	*ret = COMMAND_NONE;
	if (!options->arguments.num_items || options->compat)
		return NULL;
	const char *name = options->arguments.items[0];
	if (options->arguments.num_items > 1)
		return error_with_hint(error_create(ERROR_USAGE, "unexpected arg '%s'",
						    options->arguments.items[1]),
				       "help is about one command at a time");
	*ret = command_find(!strcmp(name, "version") ? "--version" : name);
	if (*ret == COMMAND_NONE)
		return error_with_hint(error_create(ERROR_USAGE, "no help for '%s'", name),
				       "wperf help shows all commands; wperf man explains events "
				       "and metrics");
	return NULL;
}

struct error *command_help(const struct options *options, int *ret_exit)
{
	enum command_id topic;
	struct error *err = find_topic(options, &topic);
	if (err)
		return err;
	const char *format = options->format ? options->format : "text";
	if (!strcmp(format, "text"))
		help_print_text(topic, options->compat, stdout);
	else if (!strcmp(format, "man"))
		help_print_man(topic, stdout);
	else if (!strcmp(format, "bash"))
		help_print_bash(stdout);
	else
		return error_with_hint(error_create(ERROR_USAGE, "help has no format '%s'", format),
				       "text, man or bash");
	return NULL;
}
