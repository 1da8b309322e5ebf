/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_EMULATE_EMULATED_MACHINE_H
#define WPERF_SOURCE_EMULATE_EMULATED_MACHINE_H

/**
 * The emulator with its plugin, for one run of a program: the shared memory and the command line.
 */

#include "base/error.h"
#include "catalog/event.h"
#include "driver/emulator/region.h"
#include "source/emulate/guest_program.h"
#include "source/source_settings.h"

#include <limits.h>

struct emulated_machine {
	struct region *region; /* NULL: not prepared */
	int region_fd, ring_fd;
	struct guest_program program;
	char **words; /* of the command line; NULL at the end */
	char plugin_option[2 * PATH_MAX];
};

#define EMULATED_MACHINE_INIT                                                  \
	{                                                                      \
		.region_fd = -1, .ring_fd = -1, .program = GUEST_PROGRAM_INIT, \
	}

/** What to run, and how. */
struct emulated_command {
	char *const *command;
	const char *sysroot;           /* or NULL */
	const char *cpu;               /* by the emulator's name */
	const char *emulator, *plugin; /* paths; NULL: searched */
};

/** Find everything; machine->words is then the command line. Does not start anything. */
struct error *emulated_machine_prepare(struct emulated_machine *machine,
				       const struct emulated_command *command);
void emulated_machine_deinit(struct emulated_machine *machine);

/** Create the ring for records, and write its size into the region's config. */
struct error *emulated_machine_create_ring(struct emulated_machine *machine, size_t bytes);

/** The n-th note about a problem of the run; NULL after the last. */
const char *emulated_machine_note(const struct emulated_machine *machine, size_t n);

/** The path of the emulator. @said: that the user has named, or NULL. The error says what to
 *  install. */
struct error *emulated_machine_find_emulator(const char *said, char ret[static PATH_MAX]);
struct error *emulated_machine_find_plugin(const char *said, char ret[static PATH_MAX]);

/** How the emulated PMU counts an event; an error if it cannot. */
struct error *emulated_machine_measure(const struct event *event, enum measure *ret);

#endif
