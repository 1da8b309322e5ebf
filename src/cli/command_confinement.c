// SPDX-License-Identifier: Apache-2.0
// Readers of recordings and of debug information are the code that hostile files attack, so they
// give up the rights to start programs, to reach other processes and, unless symbol servers or
// a store of another machine are asked for, to use the network (base/os/confinement.h). It begins
// after the words were read, as they decide about the servers, and before anything of a file is. A
// kernel that cannot confine runs the command all the same: only -v mentions it.

#include "cli/command_confinement.h"

#include "base/os/confinement.h"
#include "fleet/store/store_ops.h"
#include "object/fetch/debuginfod.h"
#include "object/fetch/symbol_path.h"

#include <stdio.h>

void command_confinement_begin(const struct confinement_request *request)
{
	if (!commands[request->command].only_reads)
		return;
	bool keeps_network = commands[request->command].keeps_network || debuginfod_is_wanted() ||
			     symbol_path_has_servers(request->path) ||
			     store_uses_network(request->store);
	_cleanup_(error_destroyp) struct error *err = confinement_begin(keeps_network);
	if (err && request->is_verbose)
		fprintf(stderr, "note: wperf keeps all its rights: %s\n", err->message);
}
