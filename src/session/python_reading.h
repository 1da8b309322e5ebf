/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_READING_H
#define WPERF_SESSION_PYTHON_READING_H

/**
 * The frames of Python of a thread, read from its memory: for sources whose samples do not bring
 * them. If the thread does not hold still, they may be TORN, and then are no stack that there was.
 */

#include "base/error.h"
#include "python/python_runtime.h"
#include "record/record.h"

struct python_reading;

/** Of this process. @runtime: must stay where it is. */
struct error *python_reading_create(uint32_t pid, const struct python_runtime *runtime,
				    struct python_reading **ret);
void python_reading_destroy(struct python_reading *reading); /* NULL is fine */

/**
 * Fill in the sample's members about Python; its frames are valid until the next call.
 * @is_away: it may be asleep, and perhaps until it gets the GIL.
 */
struct error *python_reading_take(struct python_reading *reading, uint32_t tid, bool is_away,
				  struct record_sample *sample);

#endif
