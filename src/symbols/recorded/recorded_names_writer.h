/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_RECORDED_RECORDED_NAMES_WRITER_H
#define WPERF_SYMBOLS_RECORDED_RECORDED_NAMES_WRITER_H

/** Makes what symbols/recorded/recorded_names.h reads. Only what places need gets in. */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "process/module_table.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

/** Parts of a profile by their number in the file; the builder has their bytes. */
struct recorded_part {
	uint32_t *numbers; /* by number in the profile: that in the file + 1; 0: it has none */
	uint32_t num;
	struct string_builder bytes;
};

struct recorded_names_writer {
	const struct named_profile
		*profile;  /* outlives the writer; nothing comes to it meanwhile */
	bool is_anonymous; /* names of users and computers are taken out of all strings */
	struct recorded_part strings, functions;
	uint32_t num_modules;
	uint32_t module; /* of the profile, for the places to come */
	struct string_builder modules;
};

/** To be ended with _deinit also after a failure. */
struct error *recorded_names_writer_init(struct recorded_names_writer *writer,
					 const struct named_profile *profile);
void recorded_names_writer_deinit(struct recorded_names_writer *writer);

/**
 * A module, whose places come next, by address.
 * @named: its number in the profile, or NAMED_NONE.
 */
void recorded_names_writer_module(struct recorded_names_writer *writer, const struct module *module,
				  uint32_t named, size_t num_places);

/** @distance: of its address from that of the place before. @frames: innermost first. */
void recorded_names_writer_place(struct recorded_names_writer *writer, uint64_t distance,
				 const uint32_t *frames, size_t num_frames);

/** Memory that was missing on the way shows here. */
struct error *recorded_names_writer_finish(struct recorded_names_writer *writer,
					   struct string_builder *ret);

#endif
