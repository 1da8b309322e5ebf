/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_MEMORY_CURVE_H
#define WPERF_PROFILE_MEMORY_CURVE_H

/**
 * How much memory was in use over time, in few points, however long it took: each is the most of a
 * slot of time. When there are too many, slots become twice as long. The peak of all is kept
 * exactly. Bytes are estimates: sums of samples.
 */

#include "base/error.h"
#include "base/text/string_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_CURVE_MAX_POINTS = 512 };

struct memory_point {
	uint64_t time_ns; /* when most was in use */
	uint64_t most;    /* bytes */
	uint64_t last;    /* bytes at the end of the slot */
};

struct memory_curve {
	struct memory_point *points; /* by time; NULL: nothing is known */
	size_t num_points, cap_points;
	/* private */
	uint64_t begin_ns, slot_ns;
};

#define MEMORY_CURVE_INIT \
	{                 \
	}

void memory_curve_deinit(struct memory_curve *curve);

/** From now on, so many bytes are in use. @time_ns: not before that of the last call. */
struct error *memory_curve_add(struct memory_curve *curve, uint64_t time_ns, uint64_t bytes);

/** As bytes of a recording: the three numbers of each point. */
void memory_curve_encode(const struct memory_curve *curve, struct string_builder *ret);

/** @bytes: of a file: points that make no sense are left out, and those that are too many.
 *  @ret: empty; no more points can be added. */
struct error *memory_curve_decode(const uint8_t *bytes, size_t size, struct memory_curve *ret);

/** The point with most; the first of several. NULL: there are no points. */
const struct memory_point *memory_curve_peak(const struct memory_curve *curve);

/** @ret: for each of @num slots, from @begin_ns on and @slot_ns long, the most that was in use. */
void memory_curve_slots(const struct memory_curve *curve, uint64_t begin_ns, uint64_t slot_ns,
			size_t num, uint64_t *ret);

#endif
