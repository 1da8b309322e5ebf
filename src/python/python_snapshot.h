/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_SNAPSHOT_H
#define WPERF_PYTHON_PYTHON_SNAPSHOT_H

/**
 * The memory of a thread's stack of Python as it was at one moment, of a process that goes on.
 *
 * Frame by frame a stack is put together of what was never there at one time. So the part of the
 * stack that is in use (since 3.11) and the frames elsewhere that were met lately (those of
 * generators; up to 3.10 all) are read at once, before and after the pointer to the innermost one,
 * in the same call. What differs was changing, and does not count. Up to 3.10 a frame tells itself
 * that it runs, and one look is enough.
 */

#include "base/error.h"
#include "python/python_runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_snapshot;

/** @runtime: must stay where it is. */
struct error *python_snapshot_create(const struct python_runtime *runtime,
				     struct python_snapshot **ret);
void python_snapshot_destroy(struct python_snapshot *snapshot);

/** Where is the stack of the thread with this state? False: its state cannot be read. */
bool python_snapshot_begin(struct python_snapshot *snapshot, uint64_t state);

/** Look at it, as often as is wanted. False: it was changing. */
bool python_snapshot_take(struct python_snapshot *snapshot);

/** The innermost frame, as of the last look; 0: none. */
uint64_t python_snapshot_top(const struct python_snapshot *snapshot);

/** The word at this offset of the thread state. */
uint64_t python_snapshot_word(const struct python_snapshot *snapshot, uint32_t offset);

/**
 * The bytes of a frame, valid until the next call; NULL if it is not there, or was changing. A
 * frame that the last look did not have is read now.
 */
const uint8_t *python_snapshot_find(struct python_snapshot *snapshot, uint64_t frame);

/** Was it one that was changing that python_snapshot_find() did not find? */
bool python_snapshot_has_changed(const struct python_snapshot *snapshot);

/** Is what had to be read after the look still what it was? */
bool python_snapshot_holds(struct python_snapshot *snapshot);

/** Another read of the process, counted. */
bool python_snapshot_read(struct python_snapshot *snapshot, uint64_t address, void *bytes,
			  size_t size);
bool python_snapshot_read_parts(struct python_snapshot *snapshot,
				const struct process_memory_part *parts, size_t num);
uint64_t python_snapshot_num_calls(const struct python_snapshot *snapshot);

#endif
