/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_SYMBOLIZER_H
#define WPERF_SYMBOLS_SYMBOLIZER_H

/**
 * From a place in a module to functions, files and lines, looked up once per distinct place, after
 * recording. Names come from: objects and their debug files (object/), /proc/kallsyms for the
 * running kernel and its modules, the kernel's own image of the vdso, perf-PID.map and jit-PID.dump
 * for code made at run time, and tables that a source brings along.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "process/process_table.h"
#include "profile/named_profile.h"
#include "symbols/symbolizer_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer;

/** @config: copied; what it points at must outlive the symbolizer. */
struct error *symbolizer_create(const struct symbolizer_config *config, struct symbolizer **ret);
void symbolizer_destroy(struct symbolizer *symbolizer);
static inline void symbolizer_destroyp(struct symbolizer **symbolizer)
{
	symbolizer_destroy(*symbolizer);
}

/**
 * To be called for the modules of a recording before their first address: a program that makes
 * code maps the file that tells of it (jit-PID.dump), but runs nothing there, so that nobody would
 * ask for an address in it. Modules of other kinds may be given, too; nothing becomes of them.
 */
struct error *symbolizer_note_module(struct symbolizer *symbolizer, const struct module *module);

/** Names of methods in images are found by where processes have mapped these. @processes: of the
 *  whole recording; needed and left as it is as long as places are resolved. */
struct error *symbolizer_place_methods(struct symbolizer *symbolizer,
				       const struct process_table *processes);

/**
 * Is there no symbol at this address of a file? Then symbolizer_name_ranges() can give it a name.
 * @ret: false if the module already has ranges.
 */
struct error *symbolizer_lacks_name(struct symbolizer *symbolizer, struct named_profile *profile,
				    const struct module *module, uint64_t address, bool *ret);

/**
 * Names code of a module: addresses in the ranges that have no symbol get this function name. Call
 * it at most once for a module, before an address in the ranges is resolved.
 * @ranges: sorted by address; may be empty. They and the name are copied.
 */
struct error *symbolizer_name_ranges(struct symbolizer *symbolizer, struct named_profile *profile,
				     const struct module *module, const char *name,
				     const struct symbolizer_range *ranges, size_t num_ranges);

/**
 * Frames of an address into @profile: innermost inlined one first, at least one ("[unknown]").
 * @profile: always the same one.
 * @address: as the module's kind says (see module_table.h).
 * @ret: valid until the next call.
 */
struct error *symbolizer_resolve(struct symbolizer *symbolizer, struct named_profile *profile,
				 const struct module *module, uint64_t address,
				 const uint32_t **ret, size_t *ret_num);

/**
 * Add a stack without samples for each piece of code of the functions in which places were
 * resolved: function_filler_add(). Of files that are here, with lines.
 */
struct error *symbolizer_fill_functions(struct symbolizer *symbolizer,
					struct named_profile *profile);

/** The names of all places so far, for a recording to bring along. @is_anonymous: without names of
 *  users and computers in paths. */
struct error *symbolizer_encode_names(const struct symbolizer *symbolizer, bool is_anonymous,
				      struct string_builder *ret);

/** What was left out because it would take too much time or memory. */
struct symbolizer_cuts {
	size_t num_names;        /* which stayed mangled */
	uint64_t num_file_parts; /* of debug information (object/unpack/read_budget.h) */
};

struct symbolizer_cuts symbolizer_cuts(const struct symbolizer *symbolizer);

/** One thing that a user should know: which module has no names, and what to do. */
struct symbolizer_complaint {
	const char *module;  /* path */
	const char *reason;  /* "no symbols", "the file has changed since the recording", "cannot
				open: ..." */
	const char *hint;    /* or NULL */
	uint64_t num_places; /* distinct places that stayed unknown */
	bool is_refusal;     /* there are names, which were not read */
};

/** The worst first. */
struct error *symbolizer_complaints(struct symbolizer *symbolizer,
				    const struct symbolizer_complaint **ret, size_t *ret_num);

#endif
