/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_NAMED_PLACES_H
#define WPERF_SERVER_SYMBOLS_NAMED_PLACES_H

/**
 * Names for frames of a profile that have only a build id and an address, or a function without a
 * line. One frame may become several, the inlined calls; stacks are made anew then, and samples
 * keep their weights. Frames of the kernel and of interpreted code stay as they are.
 *
 *	named_places_find(&places, profile)
 *	named_places_name(&places, module, object), for each module that has a file
 *	named_places_finish(&places)
 */

#include "object/object.h"
#include "profile/named_profile.h"
#include "symbols/place_namer.h"

#include <stddef.h>
#include <stdint.h>

/** A frame that may get a better name. */
struct named_place {
	uint32_t frame, module;
};

/** What a frame becomes: frames of the namer, innermost first; none: it stays. */
struct named_place_frames {
	size_t first, num;
};

struct named_places {
	struct named_profile *profile;
	struct place_namer namer;
	struct named_place *places; /* by module, then as in the profile */
	size_t num_places, cap_places;
	struct named_place_frames *frames; /* of each frame that the profile had */
	size_t num_frames;
	bool has_new; /* any frame becomes others */
};

#define NAMED_PLACES_INIT \
	{                 \
	}

/** @profile: nobody else changes it until the end. */
struct error *named_places_find(struct named_places *places, struct named_profile *profile);
void named_places_deinit(struct named_places *places);

/** The places of a module from @first on: how many there are. */
size_t named_places_count(const struct named_places *places, size_t first);

/** Name some places of one module. @object: of the module's build; nobody else uses it. */
struct error *named_places_name(struct named_places *places, size_t first, size_t num,
				struct object *object);

/** Put the new frames into the profile's stacks. Builds of one path, of which each has been named
 *  by its own file, become one module. */
struct error *named_places_finish(struct named_places *places);

#endif
