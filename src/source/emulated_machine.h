/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_EMULATED_MACHINE_H
#define WPERF_SOURCE_EMULATED_MACHINE_H

/**
 * The emulator with its plugin, for one run of a program: the memory that is shared with it, and
 * the words that start it.
 */

#include "base/error.h"
#include "catalog/event.h"
#include "driver/emulator/region.h"
#include "source/guest_program.h"
#include "source/source_settings.h"

#include <limits.h>

struct emulated_machine {
	struct region *region; /* NULL: none is prepared */
	int region_fd, ring_fd;
	struct guest_program program;
	char **words; /* of the command line; NULL at the end */
	char plugin_option[2 * PATH_MAX];
};

#define EMULATED_MACHINE_INIT                                                  \
	{                                                                      \
		.region_fd = -1, .ring_fd = -1, .program = GUEST_PROGRAM_INIT, \
	}

/** What to run, with what. */
struct emulated_command {
	char *const *command;
	const char *sysroot;           /* or NULL */
	const char *cpu;               /* by the emulator's name */
	const char *emulator, *plugin; /* paths, or NULL: they are looked for */
};

/** Find everything that is needed; the words to run are machine->words. Nothing is started. */
struct error *emulated_machine_prepare(struct emulated_machine *machine,
				       const struct emulated_command *command);
void emulated_machine_deinit(struct emulated_machine *machine);

/** Room for records; the region's config says how much. */
struct error *emulated_machine_create_ring(struct emulated_machine *machine, size_t bytes);

/** The n-th thing that did not go as it should since then; NULL behind the last. */
const char *emulated_machine_note(const struct emulated_machine *machine, size_t n);

/** Find the emulator: its path into @ret; an error says what is missing and how to get it. */
struct error *emulated_machine_find_emulator(const char *said, char ret[static PATH_MAX]);
struct error *emulated_machine_find_plugin(const char *said, char ret[static PATH_MAX]);

/** What an event is to the emulated PMU; an error if it is nothing. */
struct error *emulated_machine_measure(const struct event *event, enum measure *ret);

#endif
