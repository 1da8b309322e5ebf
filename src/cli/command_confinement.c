// SPDX-License-Identifier: Apache-2.0

#include "cli/command_confinement.h"

#include "base/confinement.h"
#include "cli/command.h"
#include "cli/options.h"
#include "object/debuginfod.h"
#include "object/disassembler.h"
#include "object/symbol_path.h"

#include <stdio.h>

static bool disassembles(const struct options *options)
{
	return options->command == COMMAND_ANNOTATE || options->command == COMMAND_FLAMEGRAPH ||
	       options->html;
}

/** A recording may be of another machine than this one. */
static bool runs_programs(const struct options *options)
{
	return disassembles(options) && (disassembler_runs_program(OBJECT_MACHINE_X86_64) ||
					 disassembler_runs_program(OBJECT_MACHINE_AARCH64));
}

static unsigned needs_of(const struct options *options)
{
	unsigned needs = 0;
	if (debuginfod_is_wanted() || symbol_path_has_servers(options->pdb_places))
		needs |= CONFINEMENT_NETWORK;
	if (runs_programs(options))
		needs |= CONFINEMENT_PROGRAMS;
	return needs;
}

void command_confinement_begin(const struct options *options)
{
	if (!commands[options->command].only_reads)
		return;
	_cleanup_(error_destroyp) struct error *err = confinement_begin(needs_of(options));
	if (err && options->verbose)
		fprintf(stderr, "note: wperf keeps all its rights: %s\n", err->message);
}
