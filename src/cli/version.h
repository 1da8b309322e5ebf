/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_VERSION_H
#define WPERF_CLI_VERSION_H

/** Who we are, and who we are for programs that know only WindowsPerf. */

#include <stdbool.h>
#include <stdio.h>

struct version {
	unsigned major, minor, patch;
	const char *git;      /* hexadecimal, "-dirty" behind it if the tree was changed */
	const char *features; /* "+perf+sim" */
};

/** @compat: the version of the peer that we stand in for. */
struct version version_get(bool compat);

/** The line above help. */
void version_print_header(bool compat, FILE *stream);

#endif
