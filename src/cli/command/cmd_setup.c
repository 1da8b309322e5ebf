// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/option/options.h"
#include "report/machine/rights_setup.h"

// Without --capabilities and --undo, only looks.

static struct error *cmd_setup_check(const struct options *options)
{
	if (options->lend_capabilities && options->undo)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "'--capabilities' and '--undo' exclude each other"),
			"give one of them");
	bool changes = options->lend_capabilities || options->undo;
	if (options->dry_run && !changes)
		return error_with_hint(error_create(ERROR_USAGE,
						    "'--dry-run' needs --capabilities or --undo"),
				       "without them, setup changes nothing");
	if (options->group && !options->lend_capabilities)
		return error_with_hint(error_create(ERROR_USAGE, "'--group' needs --capabilities"),
				       "the group gets the capabilities");
	return NULL;
}

struct error *command_setup(const struct options *options, int *ret_exit)
{
	struct error *err = cmd_setup_check(options);
	if (err)
		return err;
	if (options->lend_capabilities)
		return rights_setup_lend(options->group, options->dry_run);
	if (options->undo)
		return rights_setup_undo(options->dry_run);
	return rights_setup_list(options->source);
}
