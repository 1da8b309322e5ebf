// SPDX-License-Identifier: Apache-2.0

#include "server/http/http_exchange.h"

#include <stdlib.h>
#include <string.h>

struct http_exchange *http_exchange_create(struct http_server *server, void *connection)
{
	struct http_exchange *exchange = calloc(1, sizeof(*exchange));
	if (!exchange)
		return NULL;
	exchange->server = server;
	exchange->connection = connection;
	for (unsigned i = 0; i < NUM_HTTP_HEADERS; i++)
		exchange->headers[i] = "";
	return exchange;
}

void http_exchange_destroy(struct http_exchange *exchange)
{
	if (!exchange)
		return;
	for (unsigned i = 0; i < NUM_HTTP_EXTRAS; i++)
		free(exchange->extras[i]);
	string_builder_deinit(&exchange->answer.body);
	free(exchange->arguments);
	free(exchange->body);
	free(exchange);
}

const char *http_exchange_argument(const struct http_exchange *exchange, const char *key)
{
	for (size_t i = 0; i < exchange->num_arguments; i++)
		if (strcmp(exchange->arguments[i].key, key) == 0)
			return exchange->arguments[i].value;
	return NULL;
}

void http_exchange_clear(struct http_exchange *exchange, enum http_extra extra)
{
	free(exchange->extras[extra]);
	exchange->extras[extra] = NULL;
}

bool http_exchange_set(struct http_exchange *exchange, enum http_extra extra, const char *value)
{
	http_exchange_clear(exchange, extra);
	exchange->extras[extra] = strdup(value);
	return exchange->extras[extra];
}
