/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_BROWSE_BROWSE_TEXT_H
#define WPERF_VIEW_BROWSE_BROWSE_TEXT_H

/** The lines of the report's browser, each cut to the width of the terminal. */

#include "base/error.h"
#include "view/layout/style.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct browse_look {
	struct style style;
	size_t columns;   /* of the terminal */
	bool with_module; /* rows have modules */
};

enum browse_fold { BROWSE_LEAF, BROWSE_CLOSED, BROWSE_OPEN };

struct browse_row {
	double self_percent, total_percent;
	uint64_t num_samples;
	const char *module, *name;
	size_t depth; /* below a row of the list: a caller or a callee */
	enum browse_fold fold;
	double left_out_percent; /* of an open row, in rows that are too small */
	bool is_selected;
};

/** A bar across the screen: above the rows and below them. */
struct error *browse_text_print_bar(const struct browse_look *look, const char *text, FILE *stream);

/** The names of the columns. @name: of what a row is. */
struct error *browse_text_print_head(const struct browse_look *look, const char *name,
				     FILE *stream);

struct error *browse_text_print_row(const struct browse_look *look, const struct browse_row *row,
				    FILE *stream);

/** A line of text. @text: without tabs, which code_text.c has replaced. */
struct error *browse_text_print_line(const struct browse_look *look, const char *text,
				     size_t length, bool is_selected, FILE *stream);

#endif
