// SPDX-License-Identifier: Apache-2.0

#include "cli/command_confinement.h"

#include "base/os/confinement.h"
#include "object/fetch/debuginfod.h"
#include "object/fetch/symbol_path.h"

#include <stdio.h>

static bool asks_servers(const struct symbol_path *path)
{
	return debuginfod_is_wanted() || symbol_path_has_servers(path);
}

void command_confinement_begin(enum command_id command, const struct symbol_path *path,
			       bool is_verbose)
{
	if (!commands[command].only_reads)
		return;
	_cleanup_(error_destroyp) struct error *err = confinement_begin(asks_servers(path));
	if (err && is_verbose)
		fprintf(stderr, "note: wperf keeps all its rights: %s\n", err->message);
}
