/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_COMMAND_CONFINEMENT_H
#define WPERF_CLI_COMMAND_CONFINEMENT_H

#include "cli/command.h"

/**
 * Before a command runs that only reads files (`only_reads` in its row of command.c): give up what
 * it does not need (base/os/confinement.h). The network stays for the user's symbol servers
 * and for stores that are reached through it.
 * With -v a note says if it is not possible.
 */
void command_confinement_begin(const struct options *options);

#endif
