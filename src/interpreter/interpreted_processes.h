/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_PROCESSES_H
#define WPERF_INTERPRETER_INTERPRETED_PROCESSES_H

/**
 * The processes of the target that run an interpreter, of whatever kind, and the places of their
 * frames.
 */

#include "base/error.h"
#include "interpreter/interpreted_process.h"

struct interpreted_processes;

/** @loops: must outlive the processes; says where files are searched. */
struct error *interpreted_processes_create(struct eval_loops *loops,
					   struct interpreted_processes **ret);
void interpreted_processes_destroy(struct interpreted_processes *processes); /* NULL is fine */

/** After process_table_apply(): does the record's process have an interpreter? */
struct error *interpreted_processes_note(struct interpreted_processes *processes,
					 struct process_table *table, const struct record *record,
					 struct interpreter_change *ret);

/**
 * Check the interpreter of a process that was sampled. Does nothing once the result is known, which
 * takes at most half a second if its memory is not as expected.
 */
struct error *interpreted_processes_check(struct interpreted_processes *processes, uint32_t pid,
					  struct interpreter_change *ret);

/** Can frames of this process be trusted, as far as is known now? */
bool interpreted_processes_trust(struct interpreted_processes *processes, uint32_t pid);

/** Is there an interpreter in this process? */
bool interpreted_processes_have(struct interpreted_processes *processes, uint32_t pid);

/** Read the current frames of a thread into the sample, if its process has an interpreter: see
 *  interpreter_ops.read(). */
struct error *interpreted_processes_read(struct interpreted_processes *processes, uint32_t pid,
					 uint32_t tid, bool is_away, struct record_sample *sample);

/**
 * The places of frames, which differ from all contexts of chains (sample_chain.h). Frames whose
 * code cannot be read share one place; an error is a lack of memory.
 * @ret: by frame.
 */
struct error *interpreted_processes_find(struct interpreted_processes *processes, uint32_t pid,
					 const struct interpreted_frame *frames, size_t num_frames,
					 uint64_t *ret);

/** Is the address in a C function that runs this process's interpreted code? */
bool interpreted_processes_is_loop(struct interpreted_processes *processes, uint32_t pid,
				   uint64_t address);

/** All places found so far. */
const struct code_places *interpreted_processes_places(
	const struct interpreted_processes *processes);

/** What could not be read, as complete lines for the user; "" if there was nothing. */
const char *interpreted_processes_notes(const struct interpreted_processes *processes);

/** The number of frames whose code could not be read, because it was freed before. */
uint64_t interpreted_processes_num_unnamed(const struct interpreted_processes *processes);

#endif
