// SPDX-License-Identifier: Apache-2.0

#include "server/request_gate.h"

#include "fleet/gzip_reader.h"
#include "server/server_routes.h"

#include <string.h>

static void request_gate_refuse_path(struct http_exchange *exchange, bool has_path)
{
	if (!has_path) {
		server_answer_say(&exchange->answer, HTTP_NOT_FOUND, "there is no such page");
		return;
	}
	const char *methods = server_routes_methods(exchange->path);
	server_answer_say(&exchange->answer, HTTP_METHOD_NOT_ALLOWED, "this takes %s", methods);
	if (!http_exchange_set(exchange, HTTP_ALLOW, methods))
		exchange->answer.body.failed = true;
}

void request_gate_admit(void *data, struct http_exchange *exchange)
{
	struct server_state *state = data;
	bool has_path;
	exchange->route = server_routes_find(exchange->method, exchange->path, &has_path);
	if (!exchange->route) {
		request_gate_refuse_path(exchange, has_path);
		return;
	}
	exchange->tenant = state->default_tenant;
	exchange->pool = exchange->route->access;
	exchange->max_body = strcmp(exchange->route->method, "POST") == 0 ? state->max_packed : 0;
}

/** Unpack in place of what came; false: it is answered. */
static bool request_gate_unpack(struct server_state *state, struct http_exchange *exchange)
{
	const char *encoding = exchange->headers[HTTP_CONTENT_ENCODING];
	if (!*encoding || strcmp(encoding, "identity") == 0)
		return true;
	if (strcmp(encoding, "gzip") != 0) {
		server_answer_say(&exchange->answer, HTTP_UNSUPPORTED_TYPE,
				  "the body may be packed by gzip, or not at all");
		return false;
	}
	uint8_t *unpacked;
	size_t size;
	_cleanup_(error_destroyp) struct error *err = gzip_reader_unpack(
		exchange->body, exchange->body_size, state->max_unpacked, &unpacked, &size);
	if (err) {
		server_answer_error(&exchange->answer, HTTP_BAD_REQUEST, err);
		return false;
	}
	free(exchange->body);
	exchange->body = unpacked;
	exchange->body_size = exchange->cap_body = size;
	return true;
}

static struct error *request_gate_open(struct http_exchange *exchange, struct store **ret)
{
	switch (exchange->route->access) {
	case SERVER_ACCESS_READ:
		return tenant_take_reader(exchange->tenant, ret);
	case SERVER_ACCESS_WRITE:
		return tenant_writer(exchange->tenant, ret);
	default:
		return NULL;
	}
}

static void request_gate_close(struct http_exchange *exchange, struct store *store, bool is_fine)
{
	if (store && exchange->route->access == SERVER_ACCESS_READ)
		tenant_give_reader(exchange->tenant, store, is_fine);
}

static struct error *request_gate_call(struct server_state *state, struct http_exchange *exchange,
				       struct store *store)
{
	const struct server_call call = {
		.path = exchange->path,
		.arguments = exchange->arguments,
		.num_arguments = exchange->num_arguments,
		.body = exchange->body,
		.body_size = exchange->body_size,
		.body_type = exchange->headers[HTTP_CONTENT_TYPE],
		.tenant = exchange->tenant ? tenant_name(exchange->tenant) : "",
		.store = store,
		.symbols_folder = exchange->tenant ? tenant_symbols_folder(exchange->tenant) : NULL,
		.state = state,
	};
	exchange->answer.status = HTTP_OK;
	return exchange->route->handler(&call, &exchange->answer);
}

void request_gate_perform(void *data, struct http_exchange *exchange)
{
	struct server_state *state = data;
	if (!request_gate_unpack(state, exchange))
		return;
	struct store *store = NULL;
	_cleanup_(error_destroyp) struct error *err = request_gate_open(exchange, &store);
	if (err) {
		server_answer_error(&exchange->answer, HTTP_UNAVAILABLE, err);
		return;
	}
	err = request_gate_call(state, exchange, store);
	request_gate_close(exchange, store, !err);
	if (err)
		server_answer_error(&exchange->answer, HTTP_SERVER_FAILED, err);
}

void request_gate_finish(void *data, const struct http_exchange *exchange)
{
	struct server_state *state = data;
	server_metrics_count_request(&state->metrics, exchange->answer.status);
}
