/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_COMMAND_CONFINEMENT_H
#define WPERF_CLI_COMMAND_CONFINEMENT_H

#include "cli/command.h"

#include <stdbool.h>

struct symbol_path;

struct confinement_request {
	enum command_id command;
	const struct symbol_path *path; /* that may name symbol servers */
	const char *store;              /* that is read, or NULL: it may be of another machine */
	bool is_verbose;                /* a note says if it is not possible */
};

/**
 * Before a command runs that only reads files (`only_reads` in its row of command.c): give up what
 * it does not need (base/os/confinement.h). The network stays for the user's symbol servers and for
 * stores that are reached through it.
 */
void command_confinement_begin(const struct confinement_request *request);

#endif
