/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_REQUEST_ACCESS_H
#define WPERF_SERVER_REQUEST_ACCESS_H

/**
 * Who asks, and may he? A token is in "Authorization: Bearer TOKEN". A browser gives it once as
 * "?token=TOKEN" in the address, gets it back as a cookie, and is sent to the address without it;
 * a cookie may only read.
 *
 * A server without tokens trusts who can reach it, which are programs of this machine. A page of
 * another site in a browser here is none of them: its requests name another host.
 */

#include "server/http/http_exchange.h"
#include "server/server_state.h"

/** Sets the tenant of @exchange, or an answer. Its route is known. */
void request_access_check(struct server_state *state, struct http_exchange *exchange);

#endif
