/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_REMOTE_REMOTE_REQUEST_H
#define WPERF_FLEET_STORE_REMOTE_REMOTE_REQUEST_H

/** One question to a server of wperf, and the bytes of its answer, unpacked. */

#include "base/error.h"
#include "base/text/string_builder.h"

#include <stddef.h>
#include <stdint.h>

struct remote_server {
	char *url;   /* http://HOST:PORT, without a slash at its end */
	char *token; /* NULL: none */
};

struct remote_answer {
	uint8_t *bytes;
	size_t size;
};

#define REMOTE_ANSWER_INIT \
	{                  \
	}

void remote_answer_deinit(struct remote_answer *answer);

/** An argument behind the path so far: the first with '?'. Bytes that need it become %XX. */
void remote_request_add(struct string_builder *target, const char *key, const char *value);
void remote_request_add_number(struct string_builder *target, const char *key, uint64_t value);

/**
 * @target:   path and arguments: "/api/v1/list".
 * @max_size: of the answer, also when it is unpacked.
 * @ret:      set only on success, which is an answer with status 200.
 */
struct error *remote_request_send(const struct remote_server *server, const char *target,
				  size_t max_size, struct remote_answer *ret);

/** The error of an answer that is not what a server of wperf says. @why: is destroyed. */
struct error *remote_request_refuse(const struct remote_server *server, struct error *why)
	__attribute__((returns_nonnull));

#endif
