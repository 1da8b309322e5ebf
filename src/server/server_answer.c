// SPDX-License-Identifier: Apache-2.0

#include "server/server_answer.h"

#include <stdarg.h>
#include <stdio.h>

static void server_answer_begin(struct server_answer *answer, int status)
{
	string_builder_clear(&answer->body);
	answer->status = status;
	answer->type = "text/plain; charset=utf-8";
	answer->may_compress = false;
}

void server_answer_say(struct server_answer *answer, int status, const char *format, ...)
{
	va_list args;
	_cleanup_free_ char *text = NULL;
	server_answer_begin(answer, status);
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		text = NULL;
	else
		string_builder_appendf(&answer->body, "%s\n", text);
}

void server_answer_error(struct server_answer *answer, int status, const struct error *err)
{
	server_answer_begin(answer, status);
	string_builder_appendf(&answer->body, "%s\n", err->message);
	if (err->hint)
		string_builder_appendf(&answer->body, "hint: %s\n", err->hint);
}

void server_answer_check(struct server_answer *answer)
{
	if (!answer->body.failed)
		return;
	string_builder_deinit(&answer->body);
	answer->body = (struct string_builder)STRING_BUILDER_INIT;
	answer->retry_after_s = 1;
	server_answer_say(answer, HTTP_UNAVAILABLE, "out of memory");
}
