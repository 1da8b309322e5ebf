/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_DEFLATER_H
#define WPERF_VIEW_DEFLATER_H

/**
 * Bytes into a stream, compressed as deflate does (RFC 1951). Made for speed: about as fast and
 * as small as zlib's fastest level. Whether writing failed is for the stream to say.
 */

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

struct deflater; /* private */

/** @stream: not owned, must outlive the deflater. @ret: set only on success. */
struct error *deflater_create(FILE *stream, struct deflater **ret);

/** Accepts NULL. */
void deflater_destroy(struct deflater *deflater);

void deflater_add(struct deflater *deflater, const void *bytes, size_t size);

/** Write what waits, and the end of the data. Once. */
void deflater_finish(struct deflater *deflater);

#endif
