/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_PROCESSES_H
#define WPERF_INTERPRETER_INTERPRETED_PROCESSES_H

/**
 * The Python interpreters of the target's processes, and the names of their frames. As code objects
 * are freed while a program runs, a frame is looked up when its sample comes, and its name is kept.
 */

#include "base/error.h"
#include "process/process_table.h"
#include "profile/named_profile.h"
#include "record/interpreted_frame.h"
#include "record/record.h"
#include "symbols/module_file.h"

struct line_image;
struct python_places;
struct python_walk;

/** Which frames a sample with Python frames gets. */
enum python_rule {
	PYTHON_MIXED, /* both: Python frames are where native code called them */
	PYTHON_ONLY,  /* only the Python frames */
};

struct python_loops;

/** @loops: must outlive the places; says where files are searched. */
struct error *python_places_create(struct python_loops *loops, struct python_places **ret);
void python_places_destroy(struct python_places *places); /* NULL is fine */

/**
 * After process_table_apply(): does the record's process have an interpreter?
 * @ret_changed: the source must be told: @ret has changed.
 * @ret: how the stacks of the interpreter are walked; valid until the next call. NULL: the process
 *       no longer has an interpreter.
 */
struct error *python_places_note(struct python_places *places, struct process_table *processes,
				 const struct record *record, const struct python_walk **ret,
				 bool *ret_changed);

/**
 * Check the interpreter of a process that was sampled against its expected layout. Does nothing
 * once the result is known, which takes at most half a second if the layout does not fit.
 * @ret, @ret_changed: see python_places_note().
 */
struct error *python_places_try(struct python_places *places, uint32_t pid,
				const struct python_walk **ret, bool *ret_changed);

/** Can frames of this process be trusted, as far as is known now? */
bool python_places_trusts(struct python_places *places, uint32_t pid);

/**
 * The number of a frame's place, which differs from all contexts of chains (sample_chain.h). Frames
 * whose code cannot be read share one place; an error is a lack of memory.
 */
struct error *python_places_find(struct python_places *places, uint32_t pid,
				 const struct interpreted_frame *frame, uint64_t *ret);

/** Is the address in the C function that runs this process's bytecode? */
bool python_places_is_loop(struct python_places *places, uint32_t pid, uint64_t address);

/** Is there an interpreter in this process? */
bool python_places_has(struct python_places *places, uint32_t pid);

/**
 * Read the current frames of a thread into the sample: see python_reading.h. Does nothing if its
 * process has no interpreter.
 */
struct error *python_places_read(struct python_places *places, uint32_t pid, uint32_t tid,
				 bool is_away, struct record_sample *sample);

/** The base address of the image of all places in recordings; no system maps anything there. */
#define PYTHON_PLACES_BASE UINT64_C(0x7e0000000000)

/** The address of a place in the image at PYTHON_PLACES_BASE; it never changes. */
uint64_t python_places_address(const struct python_places *places, uint64_t place);

/** The image: all places found so far, as symbols and lines of code. */
const struct line_image *python_places_image(const struct python_places *places);

/** Add the frame of a place, with its name, to the profile. */
struct error *python_places_name(const struct python_places *places, uint64_t place,
				 struct named_profile *profile, uint32_t *ret_frame);

/** What could not be read, as complete lines for the user; "" if there was nothing. */
const char *python_places_complaints(const struct python_places *places);

/** The number of frames whose code could not be read, because it was freed before. */
uint64_t python_places_num_unnamed(const struct python_places *places);

#endif
