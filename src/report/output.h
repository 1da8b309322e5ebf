/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_OUTPUT_H
#define WPERF_REPORT_OUTPUT_H

/**
 * Where results go: text to standard output, JSON to standard output or a file, by --json,
 * --output, --output-prefix and -q.
 *
 *	options           standard output   file
 *	                  text
 *	--json            JSON
 *	--output F        text              JSON
 *	--json --output F                   JSON
 *	--output F.txt                      text; of report and stat also with an end that we do
 *	                                    not know; of stat with .csv or -x CSV
 *	-q                no text, the rest as above
 *
 * With --compat, and with --json, any name is that of a file of JSON.
 */

#include "base/error.h"
#include "report/result_file.h"
#include "session/program/child.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stdio.h>

/** What the user said about where results go; zeros: text on standard output. */
struct output_request {
	const char *path;   /* of --output, or NULL */
	const char *prefix; /* a folder for it where it is not absolute, or NULL */
	bool is_json, is_quiet;
	bool is_json_lines; /* the file is written in place, and grows line by line */
	bool is_wide;       /* names are as long as they are */
	bool is_compat;
	bool appends;            /* to what the file has */
	bool knows_csv;          /* the command writes CSV into a file .csv ... */
	bool writes_only_csv;    /* ... and with -x into any */
	bool is_text_by_default; /* a name with an end that we do not know is that of a text */
};

struct output {
	FILE *text;                 /* NULL if no text is wanted */
	struct json_writer *json;   /* NULL if no JSON is wanted */
	struct table_layout layout; /* of the peer's tables: as wide as their cells */
	struct table_layout narrow; /* output_narrow_layout() of the text's stream */
	/* private */
	FILE *json_stream;
	char *path; /* of the file, or NULL */
	struct result_file file;
	bool is_streamed; /* the file is written in place, line by line */
	struct json_writer writer;
};

/** Of tables with names of any length: they fit the terminal, if @stream is one, but for --wide. */
struct table_layout output_narrow_layout(struct output_request request, FILE *stream);

/** Is there anything to write? */
bool output_is_wanted(struct output_request request);

/** JSON, to standard output or a file? */
bool output_writes_json(struct output_request request);

/** JSON on standard output is alone there: a command that we start writes to standard error. */
enum child_output output_of_command(struct output_request request);

/** Before long work: an error if the file would replace a recording. */
struct error *output_check(struct output_request request);

/** @output must stay where it is until output_close(). */
struct error *output_open(struct output_request request, struct output *output);

/** Of the file, or "standard output": for errors. */
const char *output_name(const struct output *output);

/** Finish what was written: a full disk shows here at the latest. */
struct error *output_close(struct output *output);

/** For cleanup: ends what output_close() has not ended, without a word. */
void output_deinit(struct output *output);

/** One table, as text and as {"@key": [rows]}: all that some commands have to say. */
struct error *output_write_table(struct output_request request, const char *key,
				 const struct table *table);

#endif
