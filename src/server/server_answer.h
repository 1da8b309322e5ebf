/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_ANSWER_H
#define WPERF_SERVER_SERVER_ANSWER_H

/** Answers in words: why a request is refused, and what to do. */

#include "server/server_handler.h"

/** Statuses of HTTP (RFC 9110, 15), as answers have them. */
enum {
	HTTP_OK = 200,
	HTTP_ACCEPTED = 202,
	HTTP_SEE_OTHER = 303,
	HTTP_BAD_REQUEST = 400,
	HTTP_UNAUTHORIZED = 401,
	HTTP_FORBIDDEN = 403,
	HTTP_NOT_FOUND = 404,
	HTTP_METHOD_NOT_ALLOWED = 405,
	HTTP_CONFLICT = 409,
	HTTP_TOO_LARGE = 413,
	HTTP_UNSUPPORTED_TYPE = 415,
	HTTP_TOO_MANY = 429,
	HTTP_CLIENT_GONE = 499, /* of nginx: for the metrics, as nobody reads it */
	HTTP_SERVER_FAILED = 500,
	HTTP_UNAVAILABLE = 503,
	HTTP_LATE = 504,                 /* Gateway Timeout: the store took too long */
	HTTP_INSUFFICIENT_STORAGE = 507, /* RFC 4918 */
};

/** How long a client shall wait before it tries again what failed here. */
enum { SERVER_RETRY_S = 5 };

/** One line of text, in place of what the answer has. */
void server_answer_say(struct server_answer *answer, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** An error's message and its hint. */
void server_answer_error(struct server_answer *answer, int status, const struct error *err);

/** Without memory for its body, it becomes an answer that says so. */
void server_answer_check(struct server_answer *answer);

#endif
