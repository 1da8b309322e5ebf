// SPDX-License-Identifier: Apache-2.0

#include "server/request_body.h"

#include "fleet/gzip_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum {
	REQUEST_BODY_MIN_PACKED = 1024, // smaller ones fit into one packet of the network
	REQUEST_BODY_LEVEL = 1,         // pages have a megabyte, and the network is near
	REQUEST_BODY_GZIP = 16,         // see deflateInit2() in zlib.h
	REQUEST_BODY_MEMORY = 8,
};

bool request_body_unpack(struct http_exchange *exchange, size_t max_size)
{
	const char *encoding = exchange->headers[HTTP_CONTENT_ENCODING];
	if (!*encoding || strcasecmp(encoding, "identity") == 0)
		return true;
	if (strcasecmp(encoding, "gzip") != 0) {
		server_answer_say(&exchange->answer, HTTP_UNSUPPORTED_TYPE,
				  "the body may be packed by gzip, or not at all");
		return false;
	}
	uint8_t *unpacked;
	size_t size;
	_cleanup_(error_destroyp) struct error *err =
		gzip_reader_unpack(exchange->body, exchange->body_size, max_size, &unpacked, &size);
	if (err) {
		bool is_too_large = strstr(err->message, "more than") != NULL;
		server_answer_error(&exchange->answer,
				    is_too_large ? HTTP_TOO_LARGE : HTTP_BAD_REQUEST, err);
		return false;
	}
	free(exchange->body);
	exchange->body = unpacked;
	exchange->body_size = exchange->cap_body = size;
	return true;
}

/** Does a list like "br, gzip;q=0.5" have it? One with q=0 does not. */
static bool request_body_takes_gzip(const char *list)
{
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
		at += strspn(at, " \t");
		size_t length = strcspn(at, " \t;,");
		if (length != strlen("gzip") || strncasecmp(at, "gzip", length) != 0)
			continue;
		const char *rest = at + length + strspn(at + length, " \t;");
		return strncmp(rest, "q=0", 3) != 0 || rest[3] == '.';
	}
	return false;
}

static bool request_body_deflate(z_stream *stream, struct string_builder *body, char **ret)
{
	size_t bound = deflateBound(stream, body->length);
	char *packed = bound <= UINT_MAX ? malloc(bound) : NULL;
	if (!packed)
		return false;
	stream->next_in = (Bytef *)body->text;
	stream->avail_in = (uInt)body->length;
	stream->next_out = (Bytef *)packed;
	stream->avail_out = (uInt)bound;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END) {
		free(packed);
		return false;
	}
	*ret = packed;
	return true;
}

void request_body_pack_answer(struct http_exchange *exchange)
{
	struct server_answer *answer = &exchange->answer;
	z_stream stream = {.next_in = NULL};
	char *packed;
	if (!answer->may_compress || answer->body.failed ||
	    answer->body.length < REQUEST_BODY_MIN_PACKED || answer->body.length > UINT_MAX ||
	    !request_body_takes_gzip(exchange->headers[HTTP_ACCEPT_ENCODING]))
		return;
	if (deflateInit2(&stream, REQUEST_BODY_LEVEL, Z_DEFLATED, MAX_WBITS + REQUEST_BODY_GZIP,
			 REQUEST_BODY_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return;
	// Without memory it goes as it is.
	bool is_packed = http_exchange_set(exchange, HTTP_ENCODING, "gzip") &&
			 request_body_deflate(&stream, &answer->body, &packed);
	size_t size = stream.total_out;
	deflateEnd(&stream);
	if (!is_packed) {
		http_exchange_clear(exchange, HTTP_ENCODING);
		return;
	}
	string_builder_deinit(&answer->body);
	answer->body = (struct string_builder){.text = packed, .length = size, .capacity = size};
}
