// SPDX-License-Identifier: Apache-2.0

#include "cli/command_confinement.h"

#include "base/os/confinement.h"
#include "cli/command.h"
#include "cli/option/options.h"
#include "object/fetch/debuginfod.h"
#include "object/fetch/symbol_path.h"

#include <stdio.h>

static bool asks_servers(const struct options *options)
{
	return debuginfod_is_wanted() || symbol_path_has_servers(options->pdb_places);
}

void command_confinement_begin(const struct options *options)
{
	if (!commands[options->command].only_reads)
		return;
	_cleanup_(error_destroyp) struct error *err = confinement_begin(asks_servers(options));
	if (err && options->verbose)
		fprintf(stderr, "note: wperf keeps all its rights: %s\n", err->message);
}
