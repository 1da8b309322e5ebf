/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_PERF_SCRIPT_H
#define WPERF_VIEW_EXPORT_PERF_SCRIPT_H

/**
 * A profile in the words of `perf script`, which many programs read:
 *
 *	comm pid/tid [cpu] seconds.microseconds: weight event:
 *		address function (module)
 *		...
 *
 * Leaf first, a blank line behind each sample. Samples that were summed up are repeated, because
 * readers count them. An inlined frame has "(inlined)" for its module, as perf writes it; a blank
 * of a path becomes '_', because readers take none.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stdio.h>

/** Parts of a sample's lines, as those of `perf script -F`. */
enum perf_script_field {
	PERF_SCRIPT_COMM = 1 << 0,
	PERF_SCRIPT_PID = 1 << 1,
	PERF_SCRIPT_TID = 1 << 2,
	PERF_SCRIPT_CPU = 1 << 3,
	PERF_SCRIPT_TIME = 1 << 4,
	PERF_SCRIPT_PERIOD = 1 << 5,
	PERF_SCRIPT_EVENT = 1 << 6,
	PERF_SCRIPT_IP = 1 << 7, /* without it there are no frames */
	PERF_SCRIPT_SYM = 1 << 8,
	PERF_SCRIPT_DSO = 1 << 9,
	PERF_SCRIPT_USUAL = (1 << 10) - 1,
	PERF_SCRIPT_SRCLINE = 1 << 10, /* below each frame */
};

/** "comm", "ip" ...; 0 if there is no such field. */
unsigned perf_script_find_field(const char *name);

/** "-comm", "-comm,-tid", as of -F: does it begin with a field that is to be left out? */
bool perf_script_is_removal(const char *word);

/**
 * Only these fields. Where no sample has callers, the frame stands in the sample's line, and no
 * line is empty: as perf has it. @fields: bits of enum perf_script_field.
 */
struct error *perf_script_write_fields(const struct named_profile *profile, uint32_t event,
				       unsigned fields, FILE *stream, const char *name);

/** The usual fields. @event: NAMED_NONE for all. @name: of the file, for messages. */
struct error *perf_script_write(const struct named_profile *profile, uint32_t event, FILE *stream,
				const char *name);

#endif
