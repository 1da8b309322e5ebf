/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_REQUEST_BODY_H
#define WPERF_SERVER_REQUEST_BODY_H

/** Bodies packed by gzip (RFC 9110, 8.4): of a request, and of its answer. */

#include "server/http/http_exchange.h"

#include <stdbool.h>
#include <stddef.h>

/** The body in place of the packed one. False: it has been answered. */
bool request_body_unpack(struct http_exchange *exchange, size_t max_size);

/** Pack the answer's body if it may be, the client takes it, and it is worth it. */
void request_body_pack_answer(struct http_exchange *exchange);

#endif
