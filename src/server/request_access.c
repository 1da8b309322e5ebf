// SPDX-License-Identifier: Apache-2.0

#include "server/request_access.h"

#include "base/text/url_text.h"
#include "server/server_routes.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static const char request_access_cookie[] = "wperf_token=";

enum { REQUEST_ACCESS_MAX_TOKEN = 256, REQUEST_ACCESS_MAX_HOST = 64 };

/** What stands behind "wperf_token=" in a list "a=b; wperf_token=...; c=d". False: nothing. */
static bool request_access_read_cookie(const char *cookies, char token[REQUEST_ACCESS_MAX_TOKEN])
{
	size_t name_length = strlen(request_access_cookie);
	for (const char *at = cookies; *at; at += strcspn(at, ";"), at += *at == ';') {
		at += strspn(at, " ");
		size_t length = strcspn(at, ";");
		if (length <= name_length || length - name_length >= REQUEST_ACCESS_MAX_TOKEN ||
		    strncmp(at, request_access_cookie, name_length) != 0)
			continue;
		memcpy(token, at + name_length, length - name_length);
		token[length - name_length] = '\0';
		return true;
	}
	return false;
}

static bool request_access_only_reads(const struct http_exchange *exchange)
{
	return exchange->route->access == SERVER_ACCESS_READ;
}

/** NULL: there is none. @buffer: for one of a cookie. */
static const char *request_access_token(const struct http_exchange *exchange,
					char buffer[REQUEST_ACCESS_MAX_TOKEN])
{
	static const char bearer[] = "Bearer ";
	const char *header = exchange->headers[HTTP_AUTHORIZATION];
	if (strncasecmp(header, bearer, strlen(bearer)) == 0)
		return header + strlen(bearer);
	if (!request_access_only_reads(exchange))
		return NULL;
	const char *argument = http_exchange_argument(exchange, "token");
	if (argument)
		return argument;
	return request_access_read_cookie(exchange->headers[HTTP_COOKIE], buffer) ? buffer : NULL;
}

/** To the same address without the token, so that it is not in the history of the browser. */
static void request_access_redirect(struct http_exchange *exchange, const char *token)
{
	_cleanup_(string_builder_deinit) struct string_builder cookie = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	string_builder_append(&place, exchange->route->path);
	char separator = '?';
	for (size_t i = 0; i < exchange->num_arguments; i++) {
		const struct server_argument *argument = &exchange->arguments[i];
		if (strcmp(argument->key, "token") == 0)
			continue;
		string_builder_append_char(&place, separator);
		url_text_append(&place, argument->key);
		string_builder_append_char(&place, '=');
		url_text_append(&place, argument->value);
		separator = '&';
	}
	string_builder_appendf(&cookie, "%s%s; Path=/; HttpOnly; SameSite=Strict",
			       request_access_cookie, token);
	server_answer_say(&exchange->answer, HTTP_SEE_OTHER, "the token is a cookie now");
	if (place.failed || cookie.failed ||
	    !http_exchange_set(exchange, HTTP_LOCATION, place.text) ||
	    !http_exchange_set(exchange, HTTP_SET_COOKIE, cookie.text))
		exchange->answer.body.failed = true;
}

static void request_access_refuse(struct http_exchange *exchange, bool has_token)
{
	bool only_reads = request_access_only_reads(exchange);
	server_answer_say(&exchange->answer, HTTP_UNAUTHORIZED,
			  "%s; send 'Authorization: Bearer TOKEN' with one that may %s",
			  has_token ? "the server does not know this token" : "this needs a token",
			  only_reads ? "read, or add ?token=TOKEN to the address in a browser"
				     : "write");
	if (!http_exchange_set(exchange, HTTP_AUTHENTICATE, "Bearer"))
		exchange->answer.body.failed = true;
}

/** With the lock of the tokens. */
static void request_access_check_token(struct server_state *state, struct http_exchange *exchange,
				       const char *text)
{
	const struct access_token *token = text ? access_tokens_find(&state->tokens, text) : NULL;
	bool only_reads = request_access_only_reads(exchange);
	if (!token) {
		request_access_refuse(exchange, text != NULL);
		return;
	}
	if (only_reads ? !token->may_read : !token->may_write) {
		server_answer_say(&exchange->answer, HTTP_FORBIDDEN, "this token may only %s",
				  only_reads ? "write" : "read");
		return;
	}
	exchange->tenant = tenants_find(&state->tenants, token->tenant);
	// Its characters are those of a cookie: its hash is that of a token of ours, or of one that
	// the administrator chose, whom nobody keeps from choosing ';'.
	if (text == http_exchange_argument(exchange, "token"))
		request_access_redirect(exchange, text);
}

/** An address in numbers, or localhost: names that nobody else can point here. */
static bool request_access_is_own_host(const char *host)
{
	char text[REQUEST_ACCESS_MAX_HOST];
	struct in6_addr address;
	bool has_brackets = *host == '[';
	host += has_brackets;
	size_t length = strcspn(host, has_brackets ? "]" : ":");
	if (!length || length >= sizeof(text))
		return !length;
	memcpy(text, host, length);
	text[length] = '\0';
	return strcasecmp(text, "localhost") == 0 ||
	       inet_pton(has_brackets ? AF_INET6 : AF_INET, text, &address) == 1;
}

void request_access_check(struct server_state *state, struct http_exchange *exchange)
{
	char buffer[REQUEST_ACCESS_MAX_TOKEN];
	if (state->is_local && !request_access_is_own_host(exchange->headers[HTTP_HOST])) {
		server_answer_say(&exchange->answer, HTTP_FORBIDDEN,
				  "this server has no tokens and answers to its address only, "
				  "not to a name; see 'wperf serve --tokens'");
		return;
	}
	if (exchange->route->access == SERVER_ACCESS_NONE)
		return;
	if (!state->has_tokens) {
		exchange->tenant = tenants_find(&state->tenants, TENANT_DEFAULT);
		return;
	}
	const char *text = request_access_token(exchange, buffer);
	pthread_mutex_lock(&state->tokens_lock);
	request_access_check_token(state, exchange, text);
	pthread_mutex_unlock(&state->tokens_lock);
}
