/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_REQUEST_GATE_H
#define WPERF_SERVER_REQUEST_GATE_H

/**
 * Between HTTP and the handlers: finds the row of a request, checks who asks, unpacks the body,
 * hands over the tenant's store, and packs the answer. These are the functions of a http_service;
 * @data: the struct server_state.
 */

#include "server/http/http_server.h"
#include "server/server_state.h"

void request_gate_admit(void *data, struct http_exchange *exchange);
void request_gate_perform(void *data, struct http_exchange *exchange);
void request_gate_finish(void *data, const struct http_exchange *exchange);

#endif
