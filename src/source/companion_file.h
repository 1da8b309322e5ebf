/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_COMPANION_FILE_H
#define WPERF_SOURCE_COMPANION_FILE_H

#include <limits.h>
#include <stdbool.h>

/**
 * Find a file that is installed with wperf: in the folder of the running program, as in a build
 * folder, or in ../lib/wperf, as packages have it. In a program that uses libwperf, also beside the
 * library: in its folder, in wperf/ there, or in ../wperf.
 * @ret: its path; if it is in none, what was tried last.
 */
bool companion_file_find(const char *name, char ret[static PATH_MAX]);

#endif
