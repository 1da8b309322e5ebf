/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_GUEST_EXEC_H
#define WPERF_EMULATOR_GUEST_EXEC_H

/**
 * The emulated program becomes another one. The emulator would ask the host to run it, which
 * knows nothing of it; so an AArch64 program is started in an emulator of its own, with us in it.
 */

#include <stdint.h>

struct plugin;

/**
 * At execveat(); @folder: a file's number, or GUEST_WORKING_FOLDER, as execve() has it. Returns
 * only if it is not for us: then the emulator goes on with the call.
 */
void guest_exec(struct plugin *plugin, int folder, uint64_t path, uint64_t arguments,
		uint64_t environment);

enum { GUEST_WORKING_FOLDER = -100 };

#endif
