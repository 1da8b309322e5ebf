/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_MAPPING_GUARD_H
#define WPERF_BASE_FILE_MAPPING_GUARD_H

/**
 * Files that become shorter while they are mapped: reading what is gone raises SIGBUS, which ends
 * the process. `cp` over a library that runs does that, and anybody who may write the file. From
 * the first missing page on, a guarded mapping becomes zeros, which readers take for a damaged
 * file. Windows does not let anybody shorten a mapped file.
 *
 * The guard is a handler of SIGBUS, which belongs to the whole process: only main() installs it.
 * Without it nothing is guarded, and small files are read instead of mapped. Threads may guard
 * files at the same time.
 */

#include <stdbool.h>
#include <stddef.h>

/** From now on, mappings can be guarded. Before there are threads. */
void mapping_guard_install(void);

/** @name: for mapping_guard_lost(). False: there is no guard, or no memory for it. */
bool mapping_guard_add(const void *data, size_t size, const char *name);

/** Before it is unmapped. */
void mapping_guard_remove(const void *data);

/** Release the memory of the pages of all guarded files; they are read from the files again if
 *  needed. For programs that run for long. */
void mapping_guard_drop_pages(void);

/** The name of the guarded file that lost bytes first; NULL: none did. */
const char *mapping_guard_lost(void);

#endif
