// SPDX-License-Identifier: Apache-2.0
// The server is asked by build id first, so that nothing is sent twice. A file of more than
// DEBUG_UPLOADER_PIECE goes in pieces (receive_debug_file.c). It is mapped, and so takes no memory
// but that of a piece on its way.

#include "server/symbols/debug_uploader.h"

#include "base/file/file_map.h"
#include "base/file/memory_stream.h"
#include "base/http/http_request.h"
#include "base/os/interrupt.h"
#include "object/pdb/msf_file.h"
#include "object/pe/pe_image.h"
#include "record/build_id.h"
#include "server/symbols/debug_facts.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	DEBUG_UPLOADER_PIECE = 8 << 20, // half of what a request to the server may be
	DEBUG_UPLOADER_TOTAL_MS = 600000,
	DEBUG_UPLOADER_SILENCE_MS = 60000,
	DEBUG_UPLOADER_MAX_ANSWER = 1 << 16,
	DEBUG_UPLOADER_MAX_WORDS = 300, // of the server, in an error
	DEBUG_UPLOADER_MAX_TRIES = 6,
};

// Before the second try, twice as long before the third, and so on: 15 s together.
#define DEBUG_UPLOADER_PAUSE_NS ((uint64_t)1000000000)

enum debug_uploader_status {
	DEBUG_UPLOADER_OK = 200,
	DEBUG_UPLOADER_GO_ON = 202,
	DEBUG_UPLOADER_NO_TOKEN = 401,
	DEBUG_UPLOADER_FORBIDDEN = 403,
	DEBUG_UPLOADER_ABSENT = 404,
	DEBUG_UPLOADER_TOO_MANY = 429,
	DEBUG_UPLOADER_OVERLOADED = 503,
};

/** One request; its answer is text. */
struct debug_uploader_request {
	const char *arguments; /* behind the '?'; "": none */
	const void *body;      /* NULL: GET */
	size_t size;
};

struct error *debug_uploader_check(const struct debug_uploader *uploader)
{
	const char *url = uploader->url;
	if (strncmp(url, "http://", strlen("http://")) != 0 &&
	    strncmp(url, "https://", strlen("https://")) != 0)
		return error_with_hint(error_create(ERROR_USAGE, "not an address of a server: '%s'",
						    url),
				       "write --server http://HOST:4318");
	const char *texts[] = {url, uploader->token ? uploader->token : ""};
	for (size_t i = 0; i < 2; i++)
		for (const char *c = texts[i]; *c; c++)
			if (*c <= ' ' || *c > '~')
				return error_create(ERROR_USAGE,
						    "the %s may have letters, digits and signs of "
						    "ASCII only",
						    i ? "token" : "address of the server");
	return NULL;
}

static struct error *debug_uploader_try(const struct http_request *request,
					const struct http_limits *limits,
					struct memory_stream *body, int *ret_status)
{
	struct http_answer answer;
	memory_stream_deinit(body); // of the try before
	*body = (struct memory_stream)MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(body);
	if (!err)
		err = http_request_send(request, limits, body->stream, &answer);
	if (!err)
		err = memory_stream_close(body);
	if (!err)
		*ret_status = answer.status;
	return err;
}

/** Has the server too much to do? Then a moment passes. False: it is to be left alone, or is fine.
 */
static bool debug_uploader_waits(int status, unsigned num_tries)
{
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	if ((status != DEBUG_UPLOADER_TOO_MANY && status != DEBUG_UPLOADER_OVERLOADED) ||
	    num_tries >= DEBUG_UPLOADER_MAX_TRIES)
		return false;
	error_destroy(interrupt_wait(-1, num_tries * DEBUG_UPLOADER_PAUSE_NS, &wake));
	return wake == INTERRUPT_WAKE_TIMEOUT;
}

static struct error *debug_uploader_ask(const struct debug_uploader *uploader,
					const struct debug_uploader_request *request,
					struct memory_stream *body, int *ret_status)
{
	const struct http_limits limits = {
		.max_bytes = DEBUG_UPLOADER_MAX_ANSWER,
		.total_ms = DEBUG_UPLOADER_TOTAL_MS,
		.silence_ms = DEBUG_UPLOADER_SILENCE_MS,
	};
	_cleanup_(string_builder_deinit) struct string_builder url = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder token = STRING_BUILDER_INIT;
	size_t length = strlen(uploader->url);
	while (length && uploader->url[length - 1] == '/')
		length--;
	string_builder_append_n(&url, uploader->url, length);
	string_builder_append(&url, "/api/v1/debug-files");
	if (*request->arguments)
		string_builder_appendf(&url, "?%s", request->arguments);
	if (uploader->token)
		string_builder_appendf(&token, "Authorization: Bearer %s", uploader->token);
	if (url.failed || token.failed)
		return &error_no_memory;
	const char *headers[] = {"Content-Type: application/octet-stream", token.text, NULL};
	const struct http_request sent = {
		.url = url.text,
		.headers = headers,
		.body = request->body,
		.body_size = request->size,
	};
	struct error *err = NULL;
	for (unsigned i = 0; !err && (!i || debug_uploader_waits(*ret_status, i)); i++)
		err = debug_uploader_try(&sent, &limits, body, ret_status);
	return err;
}

/** The first line of an answer, of which nothing may steer a terminal. */
static void debug_uploader_write_words(const struct memory_stream *body,
				       struct string_builder *words)
{
	for (size_t i = 0; i < body->size && i < DEBUG_UPLOADER_MAX_WORDS; i++) {
		char c = body->text[i];
		if (c == '\n')
			return;
		string_builder_append_char(words, c >= ' ' && c <= '~' ? c : '?');
	}
}

/** An answer that other files would get as well; NULL: it is about this file. */
static struct error *debug_uploader_refusal(const struct debug_uploader *uploader, int status)
{
	switch (status) {
	case DEBUG_UPLOADER_NO_TOKEN:
	case DEBUG_UPLOADER_FORBIDDEN:
		return error_with_hint(
			error_create(ERROR_FAILED, "'%s' does not take %s", uploader->url,
				     uploader->token ? "this token" : "files without a token"),
			"give one that may write with --token-file FILE");
	case DEBUG_UPLOADER_ABSENT:
		return error_with_hint(error_create(ERROR_FAILED,
						    "no server of wperf answers at '%s'",
						    uploader->url),
				       "give the address of 'wperf serve': http://HOST:PORT");
	default:
		return NULL;
	}
}

/** Is there a file of this build, with lines if this one has some? */
static struct error *debug_uploader_find(const struct debug_uploader *uploader,
					 const struct debug_facts *facts, bool *ret)
{
	_cleanup_(memory_stream_deinit) struct memory_stream body = MEMORY_STREAM_INIT;
	char digits[BUILD_ID_DIGITS + 1], arguments[BUILD_ID_DIGITS + 48];
	int status = 0;
	build_id_format(&facts->build_id, digits);
	snprintf(arguments, sizeof(arguments), "build_id=%s&age=%" PRIu32 "%s", digits, facts->age,
		 facts->has_lines ? "&lines=1" : "");
	struct error *err = debug_uploader_ask(
		uploader, &(struct debug_uploader_request){.arguments = arguments}, &body, &status);
	if (err)
		return err;
	*ret = status == DEBUG_UPLOADER_OK;
	bool is_answer = *ret || status == DEBUG_UPLOADER_ABSENT;
	return is_answer ? NULL : debug_uploader_refusal(uploader, status);
}

static struct error *debug_uploader_post(const struct debug_uploader *uploader,
					 const struct debug_uploader_request *request,
					 struct string_builder *words,
					 enum debug_upload_result *ret)
{
	_cleanup_(memory_stream_deinit) struct memory_stream body = MEMORY_STREAM_INIT;
	int status = 0;
	struct error *err = debug_uploader_ask(uploader, request, &body, &status);
	if (err)
		return err;
	*ret = DEBUG_UPLOAD_SENT;
	if (status == DEBUG_UPLOADER_GO_ON)
		return NULL;
	debug_uploader_write_words(&body, words);
	if (status == DEBUG_UPLOADER_OK)
		return NULL;
	*ret = DEBUG_UPLOAD_REFUSED;
	return debug_uploader_refusal(uploader, status);
}

static struct error *debug_uploader_post_file(const struct debug_uploader *uploader,
					      const struct file_map *map,
					      const struct debug_facts *facts,
					      struct string_builder *words,
					      enum debug_upload_result *ret)
{
	struct debug_uploader_request request = {"", map->data, map->size};
	if (map->size <= DEBUG_UPLOADER_PIECE)
		return debug_uploader_post(uploader, &request, words, ret);
	char digits[BUILD_ID_DIGITS + 1], arguments[BUILD_ID_DIGITS + 80];
	struct error *err = NULL;
	build_id_format(&facts->build_id, digits);
	*ret = DEBUG_UPLOAD_SENT;
	for (size_t at = 0; !err && *ret == DEBUG_UPLOAD_SENT && at < map->size;
	     at += request.size) {
		size_t left = map->size - at;
		snprintf(arguments, sizeof(arguments), "build_id=%s&size=%zu&at=%zu", digits,
			 map->size, at);
		request = (struct debug_uploader_request){
			.arguments = arguments,
			.body = (const char *)map->data + at,
			.size = left < DEBUG_UPLOADER_PIECE ? left : DEBUG_UPLOADER_PIECE,
		};
		err = debug_uploader_post(uploader, &request, words, ret);
	}
	return err;
}

/** A PDB, a Windows image, or of ELF and linked: there the type is the first number behind the
 * bytes that identify the format. */
static bool debug_uploader_is_program(const struct file_map *map)
{
	const unsigned char *bytes = map->data;
	if (map->size && (msf_file_is(bytes, map->size) || pe_image_is(bytes, map->size)))
		return true;
	return map->size > EI_NIDENT && memcmp(bytes, ELFMAG, SELFMAG) == 0 &&
	       bytes[EI_NIDENT] != ET_REL;
}

static struct error *debug_uploader_send_map(const struct debug_uploader *uploader,
					     const char *path, const struct file_map *map,
					     struct string_builder *words,
					     enum debug_upload_result *ret)
{
	struct debug_facts facts;
	bool is_there;
	struct error *err = debug_facts_read(map->size ? map->data : "", map->size, path, &facts);
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	if (err) {
		string_builder_append(words, err->message);
		if (err->hint)
			string_builder_appendf(words, " (%s)", err->hint);
		error_destroy(err);
		*ret = debug_uploader_is_program(map) ? DEBUG_UPLOAD_SKIPPED : DEBUG_UPLOAD_FOREIGN;
		return NULL;
	}
	err = debug_uploader_find(uploader, &facts, &is_there);
	if (err || !is_there)
		return err ? err : debug_uploader_post_file(uploader, map, &facts, words, ret);
	string_builder_append(words, "already there");
	*ret = DEBUG_UPLOAD_KNOWN;
	return NULL;
}

struct error *debug_uploader_send(const struct debug_uploader *uploader, const char *path,
				  struct string_builder *words, enum debug_upload_result *ret)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, path);
	return err ? err : debug_uploader_send_map(uploader, path, &map, words, ret);
}
