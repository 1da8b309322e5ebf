// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd calls http_server_on_request() several times for each request: with its head, with
// each piece of its body, and at its end. There the connection is suspended and the exchange goes
// to a pool of threads. When it is answered, the connection is resumed, and the library calls a
// last time, to take the answer.
//
// A request that is refused by its head is answered at its end, too, so that the connection lives
// on, and a client that sends first and reads then gets to read it; only where much would have to
// be read for it, the answer goes out at once, after which the library closes the connection.
//
// To stop: listen no more, let the pools finish, wait until the answers are sent. The library must
// not be stopped while a connection is suspended.

#include "server/http/http_server.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "base/os/clock.h"
#include "server/http/http_connections.h"
#include "server/http/microhttpd_library.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define HTTP_SERVER_SECOND_NS UINT64_C(1000000000)

enum {
	HTTP_SERVER_HEAD_SIZE = 32768, // of all headers; more is answered by the library
	HTTP_SERVER_MAX_ARGUMENTS = 256,
	HTTP_SERVER_MIN_DISCARDED = 1 << 20,
	HTTP_SERVER_SEND_S = 300, // how long it may take to read an answer
	HTTP_SERVER_STOP_S = 10,  // how long clients may take to read their answers at the end
	HTTP_SERVER_STOP_CHECK_NS = 200000000,
};

struct http_server {
	struct microhttpd_library library;
	struct MHD_Daemon *daemon;
	struct http_server_config config;
	struct http_connections connections;
	struct worker_pool *pools[HTTP_SERVER_MAX_POOLS];
	atomic_size_t held_size;
	pthread_mutex_t lock;
	pthread_cond_t is_idle;
	size_t num_running; // exchanges
};

static uint64_t http_server_deadline(unsigned seconds)
{
	return clock_ns(CLOCK_MONOTONIC) + seconds * HTTP_SERVER_SECOND_NS;
}

static struct http_connection *http_server_connection(struct http_exchange *exchange)
{
	const union MHD_ConnectionInfo *info = exchange->server->library.MHD_get_connection_info(
		exchange->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	return info ? info->socket_context : NULL;
}

static void http_server_set_state(struct http_exchange *exchange, enum http_connection_state state,
				  uint64_t deadline_ns)
{
	http_connections_set(&exchange->server->connections, http_server_connection(exchange),
			     state, clock_ns(CLOCK_MONOTONIC), deadline_ns);
}

static void http_server_count(struct http_server *server, int change)
{
	pthread_mutex_lock(&server->lock);
	server->num_running += (size_t)change;
	if (!server->num_running)
		pthread_cond_broadcast(&server->is_idle);
	pthread_mutex_unlock(&server->lock);
}

/** Its body is not needed, or no longer. */
static void http_server_release(struct http_exchange *exchange)
{
	free(exchange->body);
	exchange->body = NULL;
	exchange->body_size = exchange->cap_body = 0;
	atomic_fetch_sub(&exchange->server->held_size, exchange->held_size);
	exchange->held_size = 0;
}

static enum MHD_Result http_server_add_argument(void *data, enum MHD_ValueKind kind,
						const char *key, const char *value)
{
	struct http_exchange *exchange = data;
	if (exchange->num_arguments >= HTTP_SERVER_MAX_ARGUMENTS) {
		server_answer_say(&exchange->answer, HTTP_BAD_REQUEST, "more than %d arguments",
				  HTTP_SERVER_MAX_ARGUMENTS);
		return MHD_NO;
	}
	struct error *err = array_reserve(&exchange->arguments, &exchange->cap_arguments,
					  exchange->num_arguments + 1);
	if (err) {
		exchange->answer.body.failed = true;
		error_destroy(err);
		return MHD_NO;
	}
	exchange->arguments[exchange->num_arguments++] =
		(struct server_argument){.key = key, .value = value ? value : ""};
	return MHD_YES;
}

static void http_server_read_head(struct http_exchange *exchange)
{
	static const char *const names[NUM_HTTP_HEADERS] = {
		[HTTP_ACCEPT_ENCODING] = "Accept-Encoding",
		[HTTP_AUTHORIZATION] = "Authorization",
		[HTTP_CONTENT_ENCODING] = "Content-Encoding",
		[HTTP_CONTENT_TYPE] = "Content-Type",
		[HTTP_COOKIE] = "Cookie",
		[HTTP_HOST] = "Host",
	};
	const struct microhttpd_library *library = &exchange->server->library;
	for (unsigned i = 0; i < NUM_HTTP_HEADERS; i++) {
		const char *value = library->MHD_lookup_connection_value(exchange->connection,
									 MHD_HEADER_KIND, names[i]);
		exchange->headers[i] = value ? value : "";
	}
	const char *length = library->MHD_lookup_connection_value(
		exchange->connection, MHD_HEADER_KIND, "Content-Length");
	// The library has checked it.
	exchange->announced_size = length ? strtoull(length, NULL, 10) : 0;
	library->MHD_get_connection_values(exchange->connection, MHD_GET_ARGUMENT_KIND,
					   http_server_add_argument, exchange);
}

static void http_server_say_too_large(struct http_exchange *exchange)
{
	server_answer_say(&exchange->answer, HTTP_TOO_LARGE,
			  "the body has more than %zu bytes; send smaller batches, or start the "
			  "server with a larger --max-request",
			  exchange->max_body);
}

static struct MHD_Response *http_server_response(struct http_exchange *exchange)
{
	const struct microhttpd_library *library = &exchange->server->library;
	static const char *const names[NUM_HTTP_EXTRAS] = {
		[HTTP_ALLOW] = "Allow",
		[HTTP_AUTHENTICATE] = "WWW-Authenticate",
		[HTTP_ENCODING] = "Content-Encoding",
		[HTTP_LOCATION] = "Location",
		[HTTP_SET_COOKIE] = "Set-Cookie",
	};
	struct server_answer *answer = &exchange->answer;
	server_answer_check(answer);
	size_t size = answer->body.length;
	struct MHD_Response *response = library->MHD_create_response_from_buffer(
		size, answer->body.text, MHD_RESPMEM_MUST_FREE);
	if (!response)
		return NULL;
	answer->body = (struct string_builder)STRING_BUILDER_INIT;
	if (answer->type)
		library->MHD_add_response_header(response, "Content-Type", answer->type);
	library->MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	for (unsigned i = 0; i < NUM_HTTP_EXTRAS; i++)
		if (exchange->extras[i])
			library->MHD_add_response_header(response, names[i], exchange->extras[i]);
	if (answer->retry_after_s) {
		char seconds[12];
		snprintf(seconds, sizeof(seconds), "%u", answer->retry_after_s);
		library->MHD_add_response_header(response, "Retry-After", seconds);
	}
	return response;
}

static enum MHD_Result http_server_send(struct http_exchange *exchange)
{
	const struct microhttpd_library *library = &exchange->server->library;
	http_server_release(exchange);
	struct MHD_Response *response = http_server_response(exchange);
	if (!response)
		return MHD_NO;
	enum MHD_Result result = library->MHD_queue_response(
		exchange->connection, (unsigned)exchange->answer.status, response);
	library->MHD_destroy_response(response);
	exchange->is_queued = true;
	// A client that does not read keeps its answer in memory.
	http_server_set_state(exchange, HTTP_CONNECTION_ANSWERS,
			      http_server_deadline(HTTP_SERVER_SEND_S));
	return result;
}

static size_t http_server_max_discarded(const struct http_exchange *exchange)
{
	return exchange->max_body > HTTP_SERVER_MIN_DISCARDED ? exchange->max_body
							      : HTTP_SERVER_MIN_DISCARDED;
}

static enum MHD_Result http_server_begin(struct http_server *server,
					 struct MHD_Connection *connection, const char *method,
					 const char *path, void **ret)
{
	struct http_exchange *exchange = http_exchange_create(server, connection);
	if (!exchange)
		return MHD_NO;
	*ret = exchange;
	exchange->method = method;
	exchange->path = path;
	http_server_count(server, 1);
	http_server_set_state(exchange, HTTP_CONNECTION_READS,
			      http_server_deadline(server->config.request_s));
	http_server_read_head(exchange);
	if (!exchange->answer.status)
		server->config.service->admit(server->config.service->data, exchange);
	if (!exchange->answer.status && exchange->announced_size > exchange->max_body)
		http_server_say_too_large(exchange);
	// Otherwise it is read, and answered at its end.
	if (exchange->answer.status &&
	    exchange->announced_size > http_server_max_discarded(exchange))
		return http_server_send(exchange);
	return MHD_YES;
}

/** Count what the body holds, before it does. */
static bool http_server_hold(struct http_exchange *exchange, size_t size)
{
	struct http_server *server = exchange->server;
	if (size <= exchange->held_size)
		return true;
	size_t more = size - exchange->held_size;
	exchange->held_size = size;
	return atomic_fetch_add(&server->held_size, more) + more <= server->config.max_held;
}

static void http_server_keep(struct http_exchange *exchange, const char *bytes, size_t size)
{
	size_t length = exchange->body_size + size;
	if (length > exchange->max_body) {
		http_server_say_too_large(exchange);
		return;
	}
	// It doubles. What is only announced takes no room: clients could say much and send
	// nothing.
	if (length > exchange->cap_body && !http_server_hold(exchange, 2 * length)) {
		exchange->answer.retry_after_s = 1;
		server_answer_say(&exchange->answer, HTTP_UNAVAILABLE,
				  "too many bytes wait to be stored; send it again");
		return;
	}
	struct error *err = array_reserve(&exchange->body, &exchange->cap_body, length);
	if (err) {
		exchange->answer.status = HTTP_UNAVAILABLE;
		exchange->answer.body.failed = true;
		error_destroy(err);
		return;
	}
	memcpy(exchange->body + exchange->body_size, bytes, size);
	exchange->body_size = length;
}

static enum MHD_Result http_server_take(struct http_exchange *exchange, const char *bytes,
					size_t size)
{
	if (!exchange->answer.status)
		http_server_keep(exchange, bytes, size);
	if (!exchange->answer.status)
		return MHD_YES;
	http_server_release(exchange);
	exchange->discarded_size += size;
	return exchange->discarded_size > http_server_max_discarded(exchange) ? MHD_NO : MHD_YES;
}

static enum MHD_Result http_server_submit(struct http_exchange *exchange)
{
	struct http_server *server = exchange->server;
	http_server_set_state(exchange, HTTP_CONNECTION_ANSWERS, UINT64_MAX);
	server->library.MHD_suspend_connection(exchange->connection);
	if (worker_pool_submit(server->pools[exchange->pool], &exchange->job))
		return MHD_YES;
	exchange->answer.retry_after_s = 1;
	server_answer_say(&exchange->answer, HTTP_UNAVAILABLE, "the server is being stopped");
	server->library.MHD_resume_connection(exchange->connection);
	return MHD_YES;
}

static enum MHD_Result http_server_on_request(void *data, struct MHD_Connection *connection,
					      const char *path, const char *method,
					      const char *version, const char *bytes, size_t *size,
					      void **context)
{
	struct http_exchange *exchange = *context;
	if (!exchange)
		return http_server_begin(data, connection, method, path, context);
	if (exchange->is_queued)
		return MHD_YES;
	if (*size) {
		size_t taken = *size;
		*size = 0;
		return http_server_take(exchange, bytes, taken);
	}
	return exchange->answer.status ? http_server_send(exchange) : http_server_submit(exchange);
}

static void http_server_on_completed(void *data, struct MHD_Connection *connection, void **context,
				     enum MHD_RequestTerminationCode code)
{
	struct http_server *server = data;
	struct http_exchange *exchange = *context;
	if (!exchange)
		return;
	http_server_set_state(exchange, HTTP_CONNECTION_IDLE,
			      http_server_deadline(server->config.idle_s));
	http_server_release(exchange);
	server->config.service->finish(server->config.service->data, exchange);
	http_exchange_destroy(exchange);
	*context = NULL;
	http_server_count(server, -1);
}

/** What is refused here is closed without an answer. */
static enum MHD_Result http_server_on_accept(void *data, const struct sockaddr *socket,
					     socklen_t size)
{
	struct http_server *server = data;
	struct client_address address;
	if (!client_address_read(socket, size, &address))
		return MHD_NO;
	return http_connections_admit(&server->connections, &address, clock_ns(CLOCK_MONOTONIC))
		       ? MHD_YES
		       : MHD_NO;
}

static struct client_address http_server_address(struct http_server *server,
						 struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = server->library.MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	struct client_address address = {.is_loopback = false};
	// The library has room for either.
	if (info)
		client_address_read(info->client_addr, sizeof(struct sockaddr_in6), &address);
	return address;
}

static void http_server_on_connection(void *data, struct MHD_Connection *connection, void **context,
				      enum MHD_ConnectionNotificationCode code)
{
	struct http_server *server = data;
	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		http_connections_drop(&server->connections, *context);
		*context = NULL;
		return;
	}
	const union MHD_ConnectionInfo *info = server->library.MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	const struct client_address address = http_server_address(server, connection);
	if (info)
		*context = http_connections_add(&server->connections, info->connect_fd, &address,
						clock_ns(CLOCK_MONOTONIC),
						http_server_deadline(server->config.head_s));
}

static void http_server_perform(void *data, struct worker_job *job)
{
	struct http_server *server = data;
	struct http_exchange *exchange = (struct http_exchange *)job; // its first member
	server->config.service->perform(server->config.service->data, exchange);
	if (!exchange->answer.status)
		exchange->answer.status = HTTP_SERVER_FAILED;
	server->library.MHD_resume_connection(exchange->connection);
}

static struct error *http_server_listen(struct http_server *server)
{
	server->daemon = server->library.MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, http_server_on_accept,
		server, http_server_on_request, server, MHD_OPTION_LISTEN_SOCKET, server->config.fd,
		MHD_OPTION_NOTIFY_COMPLETED, http_server_on_completed, server,
		MHD_OPTION_NOTIFY_CONNECTION, http_server_on_connection, server,
		MHD_OPTION_CONNECTION_LIMIT, server->config.max_connections,
		MHD_OPTION_CONNECTION_TIMEOUT, server->config.idle_s,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_SERVER_HEAD_SIZE,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
	if (server->daemon)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "libmicrohttpd cannot start the server"),
			       "more connections may be open than it is allowed to have: see "
			       "ulimit -n");
}

struct error *http_server_start(const struct http_server_config *config, struct http_server **ret)
{
	struct http_server *server = calloc(1, sizeof(*server));
	if (!server)
		return &error_no_memory;
	server->config = *config;
	const struct http_connections_config connections = {
		.max_connections = config->max_connections,
		.max_per_address = config->max_per_address,
		.limits_loopback = config->limits_loopback,
		.log = config->log,
	};
	http_connections_init(&server->connections, &connections);
	pthread_mutex_init(&server->lock, NULL);
	// A wall clock that jumps back would make the wait for clients as much longer.
	pthread_condattr_t clock;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&server->is_idle, &clock);
	pthread_condattr_destroy(&clock);
	struct error *err = microhttpd_library_load(&server->library);
	for (size_t i = 0; !err && i < config->num_pools; i++)
		err = worker_pool_create("wperf-serve", config->num_threads[i], http_server_perform,
					 server, &server->pools[i]);
	if (!err)
		err = http_server_listen(server);
	if (err) {
		http_server_stop(server);
		return err;
	}
	*ret = server;
	return NULL;
}

/** Some time, or until nothing runs. Locked. */
static void http_server_wait_a_while(struct http_server *server)
{
	struct timespec end;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += HTTP_SERVER_STOP_CHECK_NS;
	end.tv_sec += end.tv_nsec / (long)HTTP_SERVER_SECOND_NS;
	end.tv_nsec %= (long)HTTP_SERVER_SECOND_NS;
	pthread_cond_timedwait(&server->is_idle, &server->lock, &end);
}

static void http_server_wait_for_clients(struct http_server *server)
{
	uint64_t end_ns = http_server_deadline(HTTP_SERVER_STOP_S);
	pthread_mutex_lock(&server->lock);
	while (server->num_running && clock_ns(CLOCK_MONOTONIC) < end_ns) {
		http_server_wait_a_while(server);
		http_server_check(server); // clients that have gone are not waited for
	}
	pthread_mutex_unlock(&server->lock);
}

void http_server_stop(struct http_server *server)
{
	if (!server)
		return;
	if (server->daemon)
		server->library.MHD_quiesce_daemon(server->daemon);
	for (size_t i = 0; i < HTTP_SERVER_MAX_POOLS; i++)
		if (server->pools[i])
			worker_pool_finish(server->pools[i]);
	if (server->daemon) {
		http_server_wait_for_clients(server);
		server->library.MHD_stop_daemon(server->daemon);
	}
	for (size_t i = 0; i < HTTP_SERVER_MAX_POOLS; i++)
		worker_pool_destroy(server->pools[i]);
	close_fd(&server->config.fd);
	microhttpd_library_unload(&server->library);
	http_connections_deinit(&server->connections);
	pthread_cond_destroy(&server->is_idle);
	pthread_mutex_destroy(&server->lock);
	free(server);
}

void http_server_check(struct http_server *server)
{
	http_connections_check(&server->connections, clock_ns(CLOCK_MONOTONIC));
}

struct http_connections_counts http_server_connections(struct http_server *server)
{
	return http_connections_counts(&server->connections);
}

size_t http_server_num_waiting(struct http_server *server)
{
	size_t num_waiting = 0;
	for (size_t i = 0; i < server->config.num_pools; i++)
		num_waiting += worker_pool_num_waiting(server->pools[i]);
	return num_waiting;
}
