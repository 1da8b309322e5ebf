/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_NAME_SOURCES_H
#define WPERF_SYMBOLS_NAME_SOURCES_H

/** What names come from; each is opened when it is needed first. */

#include "base/error.h"
#include "object/unpack/read_budget.h"
#include "symbols/code_map.h"
#include "symbols/image_ids.h"
#include "symbols/jit/method_list.h"
#include "symbols/jit/process_code.h"
#include "symbols/kernel_symbols.h"
#include "symbols/known_module.h"
#include "symbols/symbolizer_config.h"

#include <stdbool.h>
#include <stddef.h>

/** A jit-PID.dump that was mapped. */
struct jitdump_path {
	uint32_t pid;
	char *path;
};

struct name_sources {
	struct symbolizer_config config;
	struct read_budget budget; /* of all files */
	struct code_map names;     /* of the configuration */
	struct image_ids images;
	struct method_list methods;
	uint8_t *line_image; /* a copy */
	bool kernel_was_loaded;
	bool is_of_windows, has_kernel_images; /* the recording, by its modules */
	struct kernel_symbols kernel;
	struct process_code *processes;
	uint64_t process_bytes; /* that these take */
	uint64_t file_bytes;    /* of files whose functions may be read */
	struct jitdump_path *jitdumps;
	size_t num_processes, cap_processes, num_jitdumps, cap_jitdumps;
};

/** To be ended with _deinit also after a failure. */
struct error *name_sources_init(struct name_sources *sources,
				const struct symbolizer_config *config);
void name_sources_deinit(struct name_sources *sources);

/** A module of the recording: what it tells of others. */
struct error *name_sources_note_module(struct name_sources *sources, const struct module *module);

/** Opens what names @known; if that fails, @known says why. */
struct error *name_sources_open(struct name_sources *sources, struct known_module *known);

/** The code that a process made; NULL if it was not opened. Valid until the next _open(). */
const struct process_code *name_sources_process(const struct name_sources *sources, uint32_t pid);

#endif
