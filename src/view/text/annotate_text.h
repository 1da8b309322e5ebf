/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_ANNOTATE_TEXT_H
#define WPERF_VIEW_TEXT_ANNOTATE_TEXT_H

/**
 * Source lines and instructions with their samples in the left margin, as text for people. What
 * has no samples nearby is folded into "...".
 */

#include "base/text/text_lines.h"
#include "profile/hot/event_ratio.h"
#include "profile/named_profile.h"
#include "profile/spe/spe_stats.h"
#include "view/layout/style.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct annotate_look {
	FILE *stream;
	struct style style;
	struct named_total whole; /* of what percentages in margins are */
	bool has_inlined;         /* one more column: calls that are inlined in a line */
	bool has_spe;             /* more columns: what SPE tells */
	bool is_bytes;            /* sizes in place of numbers of samples */
	const char *ratio; /* two more columns beside lines: "CPI", and its interval; NULL: none */
	bool is_unfolded;
};

struct annotate_line {
	uint32_t line; /* 0: not known */
	struct named_total self;
	struct named_total inlined;  /* of calls that are inlined there */
	struct ratio ratio;          /* of the line itself */
	const struct spe_stats *spe; /* NULL: nothing */
};

struct annotate_source {
	const char *path;                  /* "" if not known */
	const struct text_lines *text;     /* NULL: not to be had, because of ... */
	const char *refusal;               /* ... this */
	uint32_t first_line;               /* also shown; 0: none */
	const struct annotate_line *lines; /* those with samples, by number */
	size_t num_lines;
};

struct annotate_instruction {
	uint64_t address;
	const char *text; /* "mov\trax, rbx" */
	struct named_total total;
	const char *file; /* NULL: not known */
	uint32_t line;
	struct text_line source;
	bool is_target;              /* of a jump in the same function */
	const struct spe_stats *spe; /* NULL: nothing */
};

struct annotate_code {
	const char *name; /* of the function in the file with the code */
	const struct annotate_instruction *instructions;
	size_t num_instructions;
};

/** One line about a function: "main  [a.out]  self 12.30 %, 123 samples". @module: "" for none. */
void annotate_text_print_function(const struct annotate_look *look, const char *name,
				  const char *module, struct named_total self,
				  struct named_total code, struct named_total all);

void annotate_text_print_source(const struct annotate_look *look,
				const struct annotate_source *source);

/** Instead of code: why there is none. @hint: what to do, or NULL. */
void annotate_text_print_refusal(const struct annotate_look *look, const char *why,
				 const char *hint);

/** Only instructions with samples and those around them, below their source lines. */
void annotate_text_print_code(const struct annotate_look *look, const struct annotate_code *code);

#endif
