/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_SNAPSHOT_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_SNAPSHOT_H

/**
 * A consistent copy of a thread's Python stack, from a process that runs meanwhile.
 *
 * Reading frame by frame could combine frames that never existed at the same time. Therefore one
 * system call reads all of it twice, before and after the pointer to the innermost frame: the used
 * part of the stack (since 3.11), and recently seen frames elsewhere (of generators; up to 3.10 all
 * frames). If the two copies differ, the stack was changing, and they are dropped. Up to 3.10
 * frames have a flag that they run, and one copy is enough.
 */

#include "base/error.h"
#include "interpreter/python/layout/python_runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_snapshot;

/** @runtime: must outlive the snapshot. */
struct error *python_snapshot_create(const struct python_runtime *runtime,
				     struct python_snapshot **ret);
void python_snapshot_destroy(struct python_snapshot *snapshot);

/** Find the stack of the thread with this thread state. False: the state cannot be read. */
bool python_snapshot_begin(struct python_snapshot *snapshot, uint64_t state);

/** Copy the stack; may be repeated. False: it was changing. */
bool python_snapshot_take(struct python_snapshot *snapshot);

/** The innermost frame in the last copy; or 0. */
uint64_t python_snapshot_top(const struct python_snapshot *snapshot);

/** The word at this offset of the thread state. */
uint64_t python_snapshot_word(const struct python_snapshot *snapshot, uint32_t offset);

/**
 * The bytes of a frame, valid until the next call; NULL: it does not exist, or was changing. Frames
 * that are not in the last copy are read now.
 */
const uint8_t *python_snapshot_find(struct python_snapshot *snapshot, uint64_t frame);

/** Did python_snapshot_find() fail because the frame was changing? */
bool python_snapshot_has_changed(const struct python_snapshot *snapshot);

/** Are the frames unchanged that were read after the copy? */
bool python_snapshot_holds(struct python_snapshot *snapshot);

/** Read other memory of the process; counted in python_snapshot_num_calls(). */
bool python_snapshot_read(struct python_snapshot *snapshot, uint64_t address, void *bytes,
			  size_t size);
bool python_snapshot_read_parts(struct python_snapshot *snapshot,
				const struct process_memory_part *parts, size_t num);
uint64_t python_snapshot_num_calls(const struct python_snapshot *snapshot);

#endif
