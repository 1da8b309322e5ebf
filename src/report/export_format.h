/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_EXPORT_FORMAT_H
#define WPERF_REPORT_EXPORT_FORMAT_H

/** The formats of other profilers that a profile can be written in. */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct flame_svg_diff;

struct export_format {
	const char *name;
	/** @event: its number, or NAMED_NONE for all. @name: of the file, for errors. */
	struct error *(*write)(const struct named_profile *profile, uint32_t event, FILE *stream,
			       const char *name);
	bool keeps_samples; /* each with its time */
	bool is_binary;
	bool is_of_one_module; /* that with the most samples, with its code that has none */
	/** Two recordings; NULL: it has one. */
	struct error *(*write_diff)(const struct named_profile *profile,
				    const struct flame_svg_diff *diff, FILE *stream,
				    const char *name);
};

/** NULL: there are not so many. */
const struct export_format *export_format_at(size_t number);

/** NULL if there is none of this name. */
const struct export_format *export_format_find(const char *name);

/** The format that the end of a file's name asks for, or NULL. */
const struct export_format *export_format_of(const char *path);

/** Write it to standard output, which is no terminal if the format is binary. */
struct error *export_format_print(const struct export_format *format,
				  const struct named_profile *profile, uint32_t event);

/** Write it into a file that is not there before it is complete. */
struct error *export_format_write(const struct export_format *format, const char *path,
				  const struct named_profile *profile, uint32_t event);

/** Of several events, a flame graph has one: say which, if nobody chose. @event: as above. */
void export_format_note_event(const struct export_format *format,
			      const struct named_profile *profile, uint32_t event, FILE *notes);

/** Two recordings, by a format that can. @path: NULL: standard output. */
struct error *export_format_write_diff(const struct export_format *format, const char *path,
				       const struct named_profile *profile,
				       const struct flame_svg_diff *diff);

#endif
