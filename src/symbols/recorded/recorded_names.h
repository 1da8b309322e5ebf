/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_RECORDED_RECORDED_NAMES_H
#define WPERF_SYMBOLS_RECORDED_RECORDED_NAMES_H

/**
 * Names of places as a recording brings them along, for machines that have not the files, the
 * kernel or the processes that they came from (symbolizer_encode_names() makes them).
 *
 * All numbers are ULEB128, all lists begin with how many they have, an index counts from 0:
 *
 *	strings    zero-terminated; the first is ""
 *	functions  name in the symbol table, module that is not its place's own or "", file, line,
 *	           enum frame_kind
 *	modules    enum module_kind, pid where the kind's places are a process's own, path, places
 *	  places   address in the module's terms (from that of the place before), address among its
 *	           symbols, frames from the innermost on
 *	    frames function, file, line, enum recorded_frame_flags
 *
 * Strings are told by index; files may come from anywhere.
 */

#include "base/error.h"
#include "process/module_table.h"

#include <stddef.h>
#include <stdint.h>

struct recorded_names;

enum recorded_frame_flags {
	RECORDED_FRAME_INLINED = 1,
	RECORDED_FRAME_COMPILED = 2,
	/* The bits above are the discriminator of the line. */
	RECORDED_FRAME_DISCRIMINATOR = 4,
};

struct recorded_function {
	const char *name;
	const char *module; /* path; "" for that of its places */
	const char *file;   /* of its definition; "" if not known, as below */
	uint32_t line;
	uint32_t kind; /* enum frame_kind */
};

struct recorded_frame {
	uint32_t function;
	const char *file;
	uint32_t line;
	uint32_t flags, discriminator;
};

struct recorded_place {
	uint64_t address;        /* in the terms of its module */
	uint64_t symbol_address; /* among the symbols of its module */
	const struct recorded_frame *frames;
	uint32_t num_frames; /* 1 at least */
};

/** @bytes: must outlive what is made of them. */
struct error *recorded_names_read(const uint8_t *bytes, size_t size, struct recorded_names **ret);
void recorded_names_destroy(struct recorded_names *names);
static inline void recorded_names_destroyp(struct recorded_names **names)
{
	recorded_names_destroy(*names);
}

/** NULL: nothing is known of the place, or two modules say that it is theirs. */
const struct recorded_place *recorded_names_find(const struct recorded_names *names,
						 const struct module *module, uint64_t address);

size_t recorded_names_num_functions(const struct recorded_names *names);
const struct recorded_function *recorded_names_function(const struct recorded_names *names,
							size_t index);

#endif
