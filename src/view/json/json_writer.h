/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_JSON_JSON_WRITER_H
#define WPERF_VIEW_JSON_JSON_WRITER_H

/**
 * Writes JSON as it comes, without keeping a document. The output is valid JSON for any
 * content: strings are escaped, bytes that are not UTF-8 become U+FFFD, numbers that JSON does
 * not have (NaN, infinity) become null. The same calls give the same bytes.
 *
 * The output holds printable ASCII only: what is not becomes \uXXXX. There are clients that read
 * it as ASCII or in the code page of their console, and nothing in it can steer a terminal.
 *
 *	json_begin_object(&json);
 *	json_key(&json, "Version");
 *	json_begin_array(&json);
 *	...
 *	json_end_array(&json);
 *	json_end_object(&json);
 *
 * Compact: no blanks or line ends, except one line end that json_finish() writes. After it a
 * next document may follow: one per line.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer {
	FILE *stream; /* not owned */
	unsigned depth;
	bool need_comma;
	bool in_html; /* set it when the JSON goes into a <script>: '<' becomes \u003c */
};

struct json_writer json_writer_create(FILE *stream);

/**
 * A document within a page: `<script type="application/json" id="wperf-samples">`, with @attribute
 * id or class. json_html_end() does what json_finish() does.
 */
struct json_writer json_html_begin(FILE *stream, const char *attribute, const char *value);
struct error *json_html_end(struct json_writer *json, const char *name);

void json_begin_object(struct json_writer *json);
void json_end_object(struct json_writer *json);
void json_begin_array(struct json_writer *json);
void json_end_array(struct json_writer *json);
void json_key(struct json_writer *json, const char *key);

/** A string; not json_string(), which is a function of the jansson library. */
void json_text(struct json_writer *json, const char *text);
void json_key_text(struct json_writer *json, const char *key, const char *text);
void json_u64(struct json_writer *json, uint64_t value);
void json_key_u64(struct json_writer *json, const char *key, uint64_t value);
void json_i64(struct json_writer *json, int64_t value);

/** A whole number of more than 64 bits: its digits, perhaps behind a '-'. */
void json_digits(struct json_writer *json, const char *digits);
void json_bool(struct json_writer *json, bool value);
void json_key_bool(struct json_writer *json, const char *key, bool value);
void json_none(struct json_writer *json);

/** Six significant digits. */
void json_double(struct json_writer *json, double value);

/** Always @decimals of them, for values whose last digits count. */
void json_fixed(struct json_writer *json, double value, int decimals);

/**
 * End the line if there is one, flush, and tell whether everything was written, now and before. A
 * document whose objects and arrays are not all ended is an error too. @name: of the file, for the
 * message.
 */
struct error *json_finish(struct json_writer *json, const char *name);

#endif
