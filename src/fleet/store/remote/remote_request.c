// SPDX-License-Identifier: Apache-2.0
// The answer goes into memory. Servers may pack it by gzip if they are told that this is
// understood; nothing but its first bytes says whether they did. Redirections are not followed:
// the token is for the server that was named.

#include "fleet/store/remote/remote_request.h"

#include "base/file/memory_stream.h"
#include "base/http/http_request.h"
#include "base/text/url_text.h"
#include "fleet/gzip_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	// A query of all rows of a large store takes seconds; a host that is not there takes the
	// time of SILENCE.
	REMOTE_TOTAL_MS = 600000,
	REMOTE_SILENCE_MS = 60000,
	REMOTE_MAX_WORDS = 400, // of an error of the server
	REMOTE_NUM_HEADERS = 3,
	REMOTE_BYTES_PER_MB = 1 << 20,
};

enum remote_status {
	REMOTE_OK = 200,
	REMOTE_NO_TOKEN = 401,
	REMOTE_FORBIDDEN = 403,
	REMOTE_NOT_FOUND = 404,
	REMOTE_TOO_MANY = 429,
	REMOTE_OVERLOADED = 503,
};

void remote_answer_deinit(struct remote_answer *answer)
{
	free(answer->bytes);
	*answer = (struct remote_answer)REMOTE_ANSWER_INIT;
}

void remote_request_add(struct string_builder *target, const char *key, const char *value)
{
	bool is_first = !strchr(string_builder_peek(target), '?');
	string_builder_appendf(target, "%c%s=", is_first ? '?' : '&', key);
	url_text_append(target, value);
}

void remote_request_add_number(struct string_builder *target, const char *key, uint64_t value)
{
	char digits[24];
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	remote_request_add(target, key, digits);
}

struct error *remote_request_refuse(const struct remote_server *server, struct error *why)
{
	if (why == &error_no_memory)
		return why;
	struct error *err = error_create(ERROR_FAILED, "cannot read the answer of '%s': %s",
					 server->url, why->message);
	error_destroy(why);
	return error_with_hint(err, "is it 'wperf serve' of this version that answers there?");
}

/** The first line of what the server says, of which nothing may steer a terminal. */
static void remote_request_write_words(const struct memory_stream *body,
				       struct string_builder *text)
{
	for (size_t i = 0; i < body->size && i < REMOTE_MAX_WORDS && body->text[i] != '\n'; i++) {
		char c = body->text[i];
		string_builder_append_char(text, c >= ' ' && c <= '~' ? c : '?');
	}
}

/** The error of an answer that is none. */
static struct error *remote_request_explain(const struct remote_server *server,
					    const struct http_answer *answer,
					    const struct memory_stream *body)
{
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	const char *url = server->url;
	switch (answer->status) {
	case REMOTE_NO_TOKEN:
	case REMOTE_FORBIDDEN:
		return error_with_hint(
			error_create(ERROR_FAILED,
				     server->token ? "the server '%s' does not take this token"
						   : "the server '%s' wants a token",
				     url),
			"give a token with --token-file FILE, one that may read");
	case REMOTE_NOT_FOUND:
		return error_with_hint(error_create(ERROR_FAILED, "no wperf server answers at '%s'",
						    url),
				       "give the address of 'wperf serve': http://HOST:PORT");
	case REMOTE_TOO_MANY:
	case REMOTE_OVERLOADED:
		return error_with_hint(error_create(ERROR_FAILED,
						    "the server '%s' has too much to do", url),
				       "try again in %" PRIu32 " s",
				       answer->retry_after_s ? answer->retry_after_s : 1);
	default:
		remote_request_write_words(body, &words);
		return error_create(ERROR_FAILED, "the server '%s' answers with status %d%s%s", url,
				    answer->status, words.length ? ": " : "",
				    string_builder_peek(&words));
	}
}

static struct error *remote_request_refuse_size(const struct remote_server *server, size_t max_size)
{
	return error_with_hint(
		error_create(ERROR_FAILED, "the answer of '%s' is larger than %zu MB", server->url,
			     max_size / REMOTE_BYTES_PER_MB),
		"ask for less: --service, --event, or a shorter range with --since and --until");
}

static struct error *remote_request_fetch(const struct remote_server *server, const char *target,
					  size_t max_size, struct memory_stream *body,
					  struct http_answer *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder url = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder token = STRING_BUILDER_INIT;
	string_builder_appendf(&url, "%s%s", server->url, target);
	if (server->token)
		string_builder_appendf(&token, "Authorization: Bearer %s", server->token);
	if (url.failed || token.failed)
		return &error_no_memory;
	const char *const headers[REMOTE_NUM_HEADERS] = {
		"Accept-Encoding: gzip", server->token ? string_builder_peek(&token) : NULL};
	const struct http_request request = {
		.url = string_builder_peek(&url), .headers = headers, .is_for_one = true};
	const struct http_limits limits = {.max_bytes = max_size,
					   .total_ms = REMOTE_TOTAL_MS,
					   .silence_ms = REMOTE_SILENCE_MS};
	struct error *err = memory_stream_open(body);
	if (err)
		return err;
	_cleanup_(error_destroyp) struct error *sent =
		http_request_send(&request, &limits, body->stream, ret);
	err = memory_stream_close(body);
	if (err || !sent)
		return err;
	return error_with_hint(error_create(ERROR_FAILED, "cannot reach '%s': %s", server->url,
					    sent->message),
			       "%s", sent->hint ? sent->hint : "is 'wperf serve' running there?");
}

static struct error *remote_request_unpack(const struct remote_server *server,
					   struct memory_stream *body, size_t max_size,
					   struct remote_answer *ret)
{
	if (!gzip_reader_is_gzip(body->text, body->size)) {
		*ret = (struct remote_answer){(uint8_t *)body->text, body->size};
		body->text = NULL;
		return NULL;
	}
	struct error *err =
		gzip_reader_unpack(body->text, body->size, max_size, &ret->bytes, &ret->size);
	return err ? remote_request_refuse(server, err) : NULL;
}

struct error *remote_request_send(const struct remote_server *server, const char *target,
				  size_t max_size, struct remote_answer *ret)
{
	_cleanup_(memory_stream_deinit) struct memory_stream body = MEMORY_STREAM_INIT;
	struct http_answer answer;
	struct error *err = remote_request_fetch(server, target, max_size, &body, &answer);
	if (err)
		return err;
	if (answer.status != REMOTE_OK)
		return remote_request_explain(server, &answer, &body);
	if (answer.is_too_large)
		return remote_request_refuse_size(server, max_size);
	return remote_request_unpack(server, &body, max_size, ret);
}
