/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_READING_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_READING_H

/**
 * Reads the Python frames of a thread from its process, for sources whose samples do not have them.
 * If the thread runs meanwhile, the result may be TORN: a stack that never existed.
 */

#include "base/error.h"
#include "interpreter/python/layout/python_runtime.h"
#include "record/record.h"

struct python_reading;

/** @runtime: of this process; must outlive the reading. */
struct error *python_reading_create(uint32_t pid, const struct python_runtime *runtime,
				    struct python_reading **ret);
void python_reading_destroy(struct python_reading *reading); /* NULL is fine */

/**
 * Fill in the sample's members about Python; its frames are valid until the next call.
 * @is_away: the thread may be off the CPU, and may wait for the GIL.
 */
struct error *python_reading_take(struct python_reading *reading, uint32_t tid, bool is_away,
				  struct record_sample *sample);

#endif
