/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_CODE_PLACES_H
#define WPERF_INTERPRETER_CODE_PLACES_H

/**
 * Places in interpreted code: lines of functions. As programs free code while they run, the place
 * of a frame is looked up when its sample comes, and its name is kept here. Places are the same in
 * all processes, and each is also a line of an image that recordings contain.
 */

#include "base/error.h"
#include "object/line_image/line_image.h"
#include "profile/named_profile.h"

#include <stdint.h>

struct code_places;

/** No place. */
#define CODE_PLACE_NONE UINT64_MAX

/** The base address of the image of all places in recordings; no system maps anything there. */
#define CODE_PLACES_BASE UINT64_C(0x7e0000000000)

struct error *code_places_create(struct code_places **ret);
void code_places_destroy(struct code_places *places); /* NULL is fine */

/**
 * @line: copied.
 * @ret: the number of the place, counted from 0; the same for the same line. Lines for which the
 *       image has no room get the address of the first place.
 */
struct error *code_places_add(struct code_places *places, const struct line_image_line *line,
			      uint64_t *ret);

/** The address of a place in the image at CODE_PLACES_BASE; it never changes. */
uint64_t code_places_address(const struct code_places *places, uint64_t place);

/** Is the address in the image of any recording? */
static inline bool code_places_hold(uint64_t address)
{
	return address - CODE_PLACES_BASE < LINE_IMAGE_MAX_SIZE;
}

/** The image: all places so far, as symbols and lines of code. */
const struct line_image *code_places_image(const struct code_places *places);

/** Add the frame of a place, with its name, to the profile. */
struct error *code_places_name(const struct code_places *places, uint64_t place,
			       struct named_profile *profile, uint32_t *ret_frame);

#endif
