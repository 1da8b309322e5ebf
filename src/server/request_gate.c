// SPDX-License-Identifier: Apache-2.0

#include "server/request_gate.h"

#include "base/os/clock.h"
#include "server/request_access.h"
#include "server/request_body.h"
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

static bool request_gate_is_write(const struct http_exchange *exchange)
{
	return exchange->route && exchange->route->access == SERVER_ACCESS_WRITE;
}

static void request_gate_check_rate(struct http_exchange *exchange)
{
	static const char *const words[INTAKE_NUM_UNITS][2] = {
		[INTAKE_BATCHES] = {"batches", "--max-rate"},
		[INTAKE_BYTES] = {"bytes", "--max-byte-rate"},
	};
	enum intake_unit unit = INTAKE_BATCHES;
	uint32_t seconds =
		intake_take(tenant_intake(exchange->tenant), clock_ns(CLOCK_MONOTONIC), &unit);
	if (!seconds)
		return;
	exchange->answer.retry_after_s = seconds;
	server_answer_say(&exchange->answer, HTTP_TOO_MANY,
			  "too many %s a second; send it again in %u s, or start the server "
			  "with a larger %s",
			  words[unit][0], seconds, words[unit][1]);
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
	bool is_write = request_gate_is_write(exchange);
	exchange->pool = exchange->route->access;
	exchange->max_body = is_write ? state->max_packed : 0;
	request_access_check(state, exchange);
	if (!exchange->answer.status && is_write)
		request_gate_check_rate(exchange);
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

static bool request_gate_is_gone(void *data)
{
	return http_server_is_client_gone(data);
}

/** Whoever reads may not keep a thread for ever, nor for a client that is gone. */
static void request_gate_limit(struct server_state *state, struct http_exchange *exchange,
			       struct store *store)
{
	const struct store_patience patience = {
		.limit_ns = state->query_ns,
		.until_ns = clock_ns(CLOCK_MONOTONIC) + state->query_ns,
		.is_gone = request_gate_is_gone,
		.data = exchange,
	};
	if (store && exchange->route->access == SERVER_ACCESS_READ && store->ops->limit)
		store->ops->limit(store, &patience);
}

static struct error *request_gate_call(struct server_state *state, struct http_exchange *exchange,
				       struct store *store)
{
	struct tenant *tenant = exchange->tenant;
	const struct server_call call = {
		.path = exchange->path,
		.arguments = exchange->arguments,
		.num_arguments = exchange->num_arguments,
		.body = exchange->body,
		.body_size = exchange->body_size,
		.body_type = exchange->headers[HTTP_CONTENT_TYPE],
		.tenant = tenant ? tenant_name(tenant) : "",
		.store = store,
		.symbols_folder = tenant ? tenant_symbols_folder(tenant) : NULL,
		.intake = tenant ? tenant_intake(tenant) : NULL,
		.state = state,
	};
	exchange->answer.status = HTTP_OK;
	return exchange->route->handler(&call, &exchange->answer);
}

static void request_gate_fail(struct server_state *state, struct http_exchange *exchange,
			      int status, const struct error *err)
{
	fprintf(state->log, "wperf serve: %s %s: %s\n", exchange->route->method,
		exchange->route->path, err->message);
	server_answer_error(&exchange->answer, status, err);
}

void request_gate_perform(void *data, struct http_exchange *exchange)
{
	struct server_state *state = data;
	if (request_gate_is_write(exchange))
		server_metrics_add(&state->metrics, SERVER_BYTES_IN, exchange->body_size);
	if (!request_body_unpack(exchange, state->max_unpacked))
		return;
	struct store *store = NULL;
	_cleanup_(error_destroyp) struct error *err = request_gate_open(exchange, &store);
	if (err) {
		exchange->answer.retry_after_s = SERVER_RETRY_S;
		request_gate_fail(state, exchange, HTTP_UNAVAILABLE, err);
		return;
	}
	request_gate_limit(state, exchange, store);
	err = request_gate_call(state, exchange, store);
	bool is_gone = err && err->code == ERROR_CANCELLED;
	request_gate_close(exchange, store, !err || is_gone);
	if (is_gone)
		server_answer_error(&exchange->answer, HTTP_CLIENT_GONE, err);
	else if (err)
		request_gate_fail(state, exchange,
				  err->code == ERROR_LATE ? HTTP_LATE : HTTP_SERVER_FAILED, err);
	else
		request_body_pack_answer(exchange);
}

static void request_gate_count_refusal(struct server_metrics *metrics, int status)
{
	static const struct {
		int status;
		enum server_counter counter;
	} reasons[] = {
		{HTTP_BAD_REQUEST, SERVER_REFUSED_DAMAGED},
		{HTTP_UNAUTHORIZED, SERVER_REFUSED_AUTHORIZATION},
		{HTTP_FORBIDDEN, SERVER_REFUSED_AUTHORIZATION},
		{HTTP_TOO_LARGE, SERVER_REFUSED_SIZE},
		{HTTP_UNSUPPORTED_TYPE, SERVER_REFUSED_TYPE},
		{HTTP_TOO_MANY, SERVER_REFUSED_LIMIT},
		{HTTP_UNAVAILABLE, SERVER_REFUSED_STORE},
	};
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].status == status)
			server_metrics_add(metrics, reasons[i].counter, 1);
}

void request_gate_finish(void *data, const struct http_exchange *exchange)
{
	struct server_state *state = data;
	server_metrics_count_request(&state->metrics, exchange->answer.status);
	if (request_gate_is_write(exchange))
		request_gate_count_refusal(&state->metrics, exchange->answer.status);
}
