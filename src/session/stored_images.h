/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_STORED_IMAGES_H
#define WPERF_SESSION_STORED_IMAGES_H

/**
 * The images of interpreted functions that recordings left in ~/.debug (session/build_id_cache.h).
 * Each recording adds one; this removes the oldest, and nothing that wperf has not written.
 */

#include <stdint.h>

/** More than an image can have (LINE_IMAGE_MAX_SIZE of text, with its lines). */
#define STORED_IMAGES_MAX_SIZE (UINT64_C(64) << 20)

/**
 * Remove the oldest images until the others have at most @max_size bytes together; the newest one
 * stays. An image is a regular file of the caller's, named as wperf names them, with wperf's mark
 * inside. No link in the store is followed out of it. What cannot be removed stays.
 */
void stored_images_trim(uint64_t max_size);

#endif
