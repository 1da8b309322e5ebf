/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_PROCESS_COMMAND_H
#define WPERF_PROCESS_SYSTEM_PROCESS_COMMAND_H

/** The command line of a running process: its own word, which may be any bytes. */

#include <stddef.h>
#include <stdint.h>

enum { PROCESS_COMMAND_SIZE = 512 };

/** Its words, with spaces between, cut to @size. "": it has none, or is not known: on Windows it is
 *  only in the memory of the process. */
void process_command_read(uint32_t pid, char *ret, size_t size);

#endif
