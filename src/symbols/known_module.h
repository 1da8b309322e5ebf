/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_KNOWN_MODULE_H
#define WPERF_SYMBOLS_KNOWN_MODULE_H

/** One module of a recording on its way into a profile: what gives its names, if anything does. */

#include "base/error.h"
#include "object/object.h"
#include "process/module_table.h"
#include "profile/named_profile.h"
#include "symbols/symbolizer_config.h"

#include <stdbool.h>
#include <stdint.h>

struct image_method;

struct known_module {
	struct module module; /* its path is its own */
	uint32_t named;       /* index in the profile, or NAMED_NONE */
	uint32_t unknown;     /* the function "[unknown]" of it; NAMED_NONE until it is needed */
	bool was_opened;
	bool has_told_build;   /* known_module_tell_build() was called with the object open */
	bool is_left_out;      /* above symbolizer_config.max_file_bytes */
	bool is_line_image;    /* the object is an image of interpreted lines */
	struct object *object; /* of files and the vdso; NULL without one */
	struct error *refusal; /* why there are no names; NULL if nothing is wrong */
	uint64_t num_unknown;  /* places */
	const struct image_method *methods; /* in the image, of the recording (jit/method_list.h) */
	size_t num_methods;
	bool has_ranges; /* they were set; there may be none */
	struct symbolizer_range *ranges;
	size_t num_ranges;
	char *range_name; /* name of the function in the ranges, if it has no symbol */
};

struct error *known_module_init(struct known_module *known, const struct module *module,
				struct named_profile *profile);
void known_module_deinit(struct known_module *known);

/** The profile's module gets the build id of the file that names it, if the recording had none. */
struct error *known_module_tell_build(struct known_module *known, struct named_profile *profile);

/** See symbolizer_name_ranges(). */
struct error *known_module_set_ranges(struct known_module *known, const char *name,
				      const struct symbolizer_range *ranges, size_t num_ranges);

/** The range around an address, or NULL. */
const struct symbolizer_range *known_module_find_range(const struct known_module *known,
						       uint64_t address);

/** The module's path; for those without a file what stands in its place: "[kernel]". */
const char *known_module_path(const struct known_module *known);

#endif
