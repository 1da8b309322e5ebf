// SPDX-License-Identifier: Apache-2.0
#include "view/json/json_writer.h"

#include "base/text/utf8.h"
#include "view/layout/decimal.h"
#include "view/output_stream.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

// RFC 8259, written as it comes: the writer keeps the depth and whether a comma is due, and no
// document. All strings go through json_writer_write_quoted(), which copies runs of plain
// characters and escapes the others.
//
// In a page, "<" is escaped as well: inside a script element, HTML ends the data at "</script>" and
// changes its mode at "<!--", whatever the JSON means (HTML standard, "Restrictions for contents of
// script elements").
//
//	a<b "c" é    in a file: "a<b \"c\" \u00e9"    in a page: "a\u003cb \"c\" \u00e9"

struct json_writer json_writer_create(FILE *stream)
{
	return (struct json_writer){.stream = stream};
}

static void begin_value(struct json_writer *json)
{
	if (json->need_comma)
		fputc(',', json->stream);
	json->need_comma = true;
}

static void begin_container(struct json_writer *json, char bracket)
{
	begin_value(json);
	fputc(bracket, json->stream);
	json->depth++;
	// The first member has none before it.
	json->need_comma = false;
}

static void end_container(struct json_writer *json, char bracket)
{
	fputc(bracket, json->stream);
	json->depth--;
	json->need_comma = true;
}

struct json_writer json_html_begin(FILE *stream, const char *attribute, const char *value)
{
	fprintf(stream, "<script type=\"application/json\" %s=\"%s\">", attribute, value);
	struct json_writer json = json_writer_create(stream);
	json.in_html = true;
	return json;
}

struct error *json_html_end(struct json_writer *json, const char *name)
{
	fputs("</script>", json->stream);
	return json_finish(json, name);
}

void json_begin_object(struct json_writer *json)
{
	begin_container(json, '{');
}

void json_end_object(struct json_writer *json)
{
	end_container(json, '}');
}

void json_begin_array(struct json_writer *json)
{
	begin_container(json, '[');
}

void json_end_array(struct json_writer *json)
{
	end_container(json, ']');
}

static void write_escape(FILE *stream, uint32_t code_point)
{
	static const char letters[128] = {
		['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
		['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
	};
	if (code_point < sizeof(letters) && letters[code_point])
		fprintf(stream, "\\%c", letters[code_point]);
	else if (code_point < 0x10000)
		fprintf(stream, "\\u%04" PRIx32, code_point);
	else
		// Above U+FFFF JSON takes two escapes, the surrogates of UTF-16 (RFC 8259,
		// section 7).
		fprintf(stream, "\\u%04" PRIx32 "\\u%04" PRIx32,
			0xd800 + ((code_point - 0x10000) >> 10),
			0xdc00 + ((code_point - 0x10000) & 0x3ff));
}

static void json_writer_write_quoted(struct json_writer *json, const char *text)
{
	FILE *stream = json->stream;
	fputc('"', stream);
	for (;;) {
		const char *start = text;
		// What is plain stands there as it is. A NUL is not plain, so the text's end ends
		// it.
		while (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\' &&
		       !(*text == '<' && json->in_html))
			text++;
		fwrite(start, 1, (size_t)(text - start), stream);
		if (!*text)
			break;
		// Bytes that are no UTF-8 become U+FFFD (utf8.h): the output is always JSON.
		write_escape(stream, utf8_next(&text));
	}
	fputc('"', stream);
}

void json_key(struct json_writer *json, const char *key)
{
	begin_value(json);
	json_writer_write_quoted(json, key);
	fputc(':', json->stream);
	json->need_comma = false;
}

void json_text(struct json_writer *json, const char *text)
{
	begin_value(json);
	json_writer_write_quoted(json, text);
}

void json_key_text(struct json_writer *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

void json_key_u64(struct json_writer *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_u64(json, value);
}

void json_key_bool(struct json_writer *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

void json_u64(struct json_writer *json, uint64_t value)
{
	begin_value(json);
	fprintf(json->stream, "%" PRIu64, value);
}

void json_i64(struct json_writer *json, int64_t value)
{
	begin_value(json);
	fprintf(json->stream, "%" PRId64, value);
}

void json_digits(struct json_writer *json, const char *digits)
{
	begin_value(json);
	fputs(digits, json->stream);
}

void json_bool(struct json_writer *json, bool value)
{
	begin_value(json);
	fputs(value ? "true" : "false", json->stream);
}

void json_none(struct json_writer *json)
{
	begin_value(json);
	fputs("null", json->stream);
}

static void write_decimal(struct json_writer *json, double value, struct decimal decimal)
{
	begin_value(json);
	// JSON has no NaN and no infinity.
	fputs(isfinite(value) ? decimal.text : "null", json->stream);
}

void json_double(struct json_writer *json, double value)
{
	write_decimal(json, value, decimal_short(value));
}

void json_fixed(struct json_writer *json, double value, int decimals)
{
	write_decimal(json, value, decimal_fixed(value, decimals));
}

struct error *json_finish(struct json_writer *json, const char *name)
{
	// Something was written: a file of text ends with a line end.
	if (json->need_comma || json->depth)
		fputc('\n', json->stream);
	// After an error a document may end anywhere. The writer can be used for another one.
	bool complete = json->depth == 0;
	json->depth = 0;
	json->need_comma = false;

	struct error *err = output_stream_flush(json->stream, name);
	if (err)
		return err;
	if (!complete)
		return error_create(ERROR_FAILED, "the JSON for %s ends inside an object or array",
				    name);
	return NULL;
}
