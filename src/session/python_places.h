/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_PLACES_H
#define WPERF_SESSION_PYTHON_PLACES_H

/**
 * The interpreters of Python in the processes that are sampled, and what their frames are called.
 * Code objects come and go while a program runs, so a frame is looked up when its sample comes;
 * what it is called stays known.
 */

#include "base/error.h"
#include "process/process_table.h"
#include "profile/named_profile.h"
#include "record/python_frame.h"
#include "record/record.h"
#include "symbols/module_file.h"

struct python_image;
struct python_places;
struct python_walk;

/** What becomes of the frames of Python that a sample carries. */
enum python_rule {
	PYTHON_MIXED, /* they stand where native code called them */
	PYTHON_ONLY,  /* a sample that has such has nothing else */
};

/** @search: copied; where files are looked for. */
struct error *python_places_create(const struct module_file_search *search,
				   struct python_places **ret);
void python_places_destroy(struct python_places *places); /* NULL is fine */

/**
 * After a record was applied to the table of processes: is there an interpreter in its process?
 * @ret: how its frames are walked, if that is new, until the next call; NULL: nothing to be told.
 * @ret_changed: something is to be told of the process: @ret, or, if that is NULL, that it has no
 *               interpreter any more.
 */
struct error *python_places_note(struct python_places *places, struct process_table *processes,
				 const struct record *record, const struct python_walk **ret,
				 bool *ret_changed);

/**
 * Of a process that was sampled: is its interpreter what it was taken for? Until that is known it
 * is asked at every call, for half a second at most if it does not look like it.
 * @ret, @ret_changed: as of python_places_note().
 */
struct error *python_places_try(struct python_places *places, uint32_t pid,
				const struct python_walk **ret, bool *ret_changed);

/** Are frames of this process to be taken for true, as far as is known by now? */
bool python_places_trusts(struct python_places *places, uint32_t pid);

/**
 * The number of the place that a frame is at, which is no context of a chain (sample_chain.h). All
 * that nothing can be found out about are one place.
 */
uint64_t python_places_find(struct python_places *places, uint32_t pid,
			    const struct python_frame *frame);

/** Is the address in the C function that runs the bytecode of this process? */
bool python_places_is_loop(struct python_places *places, uint32_t pid, uint64_t address);

/** Is there an interpreter in this process? */
bool python_places_has(struct python_places *places, uint32_t pid);

/**
 * The frames that a thread has now, into the sample: see python_reading.h. Nothing if there is no
 * interpreter in its process.
 */
struct error *python_places_read(struct python_places *places, uint32_t pid, uint32_t tid,
				 bool is_away, struct record_sample *sample);

/** Where files of recordings have the image of all places: no system maps anything there. */
#define PYTHON_PLACES_BASE UINT64_C(0x7e0000000000)

/** The address of a place in the image, at its base; it never changes. */
uint64_t python_places_address(const struct python_places *places, uint64_t place);

/** All places that were found so far, as code: what addresses are relative to. */
const struct python_image *python_places_image(const struct python_places *places);

/** The frame with this number, with its name. */
struct error *python_places_name(const struct python_places *places, uint64_t place,
				 struct named_profile *profile, uint32_t *ret_frame);

/** What could not be found out, in words for the user: lines with their ends. "": everything was.
 */
const char *python_places_complaints(const struct python_places *places);

/** Frames that nothing could be found out about, as their code was not there any more. */
uint64_t python_places_num_unnamed(const struct python_places *places);

#endif
