/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_INTERPRETED_SOURCE_H
#define WPERF_VIEW_TEXT_INTERPRETED_SOURCE_H

/**
 * A source file of interpreted code with samples in its left margin, several events side by side,
 * and below each hot line the functions that it spends them in.
 */

#include "base/error.h"
#include "base/text/text_lines.h"
#include "profile/hot/hot_table.h"
#include "profile/interpreted/compiled_lines.h"
#include "profile/interpreted/line_callees.h"
#include "view/json/json_writer.h"
#include "view/layout/style.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** A line, or a function by the line of its definition. */
struct interpreted_source_row {
	uint32_t line;
	const struct hot_row *row;
};

struct interpreted_source {
	const struct named_profile *profile;
	const uint32_t *events; /* of the profile: those of the cells, in their order */
	const struct named_total *wholes;
	size_t num_events;
	uint32_t file;
	struct interpreted_source_row *lines, *functions; /* by number */
	size_t num_lines, num_functions;
	struct line_callees callees;
	const struct compiled_lines *compiled;
	const struct text_lines *text; /* NULL: not to be had, because of ... */
	const char *refusal;           /* ... this */
};

#define INTERPRETED_SOURCE_INIT \
	{                       \
	}

/**
 * Chooses what is in the file. The profile, the tables and @compiled must outlive it; text and
 * refusal are the caller's to set. @filters: one for each event. @ret: set only on success.
 */
struct error *interpreted_source_create(const struct named_profile *profile, uint32_t file,
					const uint32_t *events,
					struct profile_filter *const *filters,
					const struct hot_table *lines,
					const struct hot_table *functions,
					const struct compiled_lines *compiled,
					struct interpreted_source *ret);
void interpreted_source_deinit(struct interpreted_source *source);

/** @is_unfolded: all lines, not only those around samples and definitions, and all callees. */
void interpreted_source_print(const struct interpreted_source *source, bool is_unfolded,
			      struct style style, FILE *stream);

/** As an object. */
struct error *interpreted_source_write_json(const struct interpreted_source *source,
					    struct json_writer *json);

#endif
