// SPDX-License-Identifier: Apache-2.0
// A connection belongs to the thread of the sockets. It is ended from another by shutdown(2): that
// thread then reads its end, and closes it as it would any other.

#include "server/http/http_connections.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/socket.h>

#define HTTP_CONNECTIONS_SECOND_NS UINT64_C(1000000000)

// When three of four are taken, a connection without a request is closed after so long: an honest
// client sends its request as soon as it is connected.
#define HTTP_CONNECTIONS_CROWDED_NS (2 * HTTP_CONNECTIONS_SECOND_NS)
// A client that keeps the server waiting for so long may have gone.
#define HTTP_CONNECTIONS_LEFT_NS (1 * HTTP_CONNECTIONS_SECOND_NS)
// Who is refused tries again and again: a line in so much time is enough.
#define HTTP_CONNECTIONS_LOG_NS (60 * HTTP_CONNECTIONS_SECOND_NS)

void http_connections_init(struct http_connections *connections,
			   const struct http_connections_config *config)
{
	*connections = (struct http_connections){.config = *config};
	pthread_mutex_init(&connections->lock, NULL);
}

void http_connections_deinit(struct http_connections *connections)
{
	pthread_mutex_destroy(&connections->lock);
}

/** Locked. */
static unsigned http_connections_count(const struct http_connections *connections,
				       const struct client_address *address)
{
	unsigned num = 0;
	for (const struct http_connection *one = connections->first; one; one = one->next)
		num += client_address_is_same(&one->address, address);
	return num;
}

/** Locked. */
static void http_connections_log(struct http_connections *connections,
				 const struct client_address *address, uint64_t now_ns)
{
	char text[CLIENT_ADDRESS_TEXT_SIZE];
	bool is_due = !connections->logged_ns ||
		      now_ns - connections->logged_ns >= HTTP_CONNECTIONS_LOG_NS;
	if (!connections->config.log || !is_due)
		return;
	client_address_text(address, text);
	fprintf(connections->config.log,
		"wperf serve: %s has %u connections; more are refused, %" PRIu64
		" since the start; if it is a proxy, start the server with a larger "
		"--max-connections-per-address\n",
		text, connections->config.max_per_address, connections->counts.num_refused);
	connections->logged_ns = now_ns;
}

bool http_connections_admit(struct http_connections *connections,
			    const struct client_address *address, uint64_t now_ns)
{
	const struct http_connections_config *config = &connections->config;
	if (!config->max_per_address || (address->is_loopback && !config->limits_loopback))
		return true;
	pthread_mutex_lock(&connections->lock);
	bool is_admitted = http_connections_count(connections, address) < config->max_per_address;
	if (!is_admitted) {
		connections->counts.num_refused++;
		http_connections_log(connections, address, now_ns);
	}
	pthread_mutex_unlock(&connections->lock);
	return is_admitted;
}

struct http_connection *http_connections_add(struct http_connections *connections, int fd,
					     const struct client_address *address, uint64_t now_ns,
					     uint64_t deadline_ns)
{
	struct http_connection *connection = calloc(1, sizeof(*connection));
	if (!connection)
		return NULL;
	connection->fd = fd;
	connection->address = *address;
	connection->deadline_ns = deadline_ns;
	connection->since_ns = now_ns;
	pthread_mutex_lock(&connections->lock);
	connection->next = connections->first;
	if (connection->next)
		connection->next->previous = connection;
	connections->first = connection;
	connections->counts.num_open++;
	pthread_mutex_unlock(&connections->lock);
	return connection;
}

void http_connections_drop(struct http_connections *connections, struct http_connection *connection)
{
	if (!connection)
		return;
	pthread_mutex_lock(&connections->lock);
	if (connection->next)
		connection->next->previous = connection->previous;
	if (connection->previous)
		connection->previous->next = connection->next;
	else
		connections->first = connection->next;
	connections->counts.num_open--;
	connections->num_ended -= connection->is_ended;
	pthread_mutex_unlock(&connections->lock);
	free(connection);
}

void http_connections_set(struct http_connections *connections, struct http_connection *connection,
			  enum http_connection_state state, uint64_t now_ns, uint64_t deadline_ns)
{
	if (!connection)
		return;
	pthread_mutex_lock(&connections->lock);
	connection->state = state;
	connection->has_asked |= state != HTTP_CONNECTION_IDLE;
	connection->since_ns = now_ns;
	connection->deadline_ns = deadline_ns;
	pthread_mutex_unlock(&connections->lock);
}

/** Locked. */
static void http_connections_end(struct http_connections *connections,
				 struct http_connection *connection, uint64_t *count)
{
	shutdown(connection->fd, SHUT_RDWR);
	*count += !connection->is_ended;
	connections->num_ended += !connection->is_ended;
	connection->is_ended = true;
}

/** Has the client closed its side, with nothing left to read? The library does not notice that
 * where it came together with a part of a request, or with the last one. */
static bool http_connections_is_left(const struct http_connection *connection)
{
	char byte;
	return recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static uint64_t http_connections_age(const struct http_connection *connection, uint64_t now_ns)
{
	return now_ns > connection->since_ns ? now_ns - connection->since_ns : 0;
}

/** Locked. */
static void http_connections_check_one(struct http_connections *connections,
				       struct http_connection *connection, uint64_t now_ns)
{
	uint64_t num_left = 0; // no fault of anybody
	if (connection->deadline_ns < now_ns)
		http_connections_end(connections, connection, &connections->counts.num_slow);
	else if (connection->state != HTTP_CONNECTION_ANSWERS &&
		 http_connections_age(connection, now_ns) > HTTP_CONNECTIONS_LEFT_NS &&
		 http_connections_is_left(connection))
		http_connections_end(connections, connection, &num_left);
}

/** Those that are ended leave as soon as the thread of the sockets sees it. Locked. */
static bool http_connections_are_crowded(const struct http_connections *connections)
{
	uint64_t num_left = connections->counts.num_open - connections->num_ended;
	return 4 * num_left >= 3 * (uint64_t)connections->config.max_connections;
}

/** End idle ones until there is room, the oldest first. @last: of the list. Locked. */
static void http_connections_make_room(struct http_connections *connections,
				       struct http_connection *last, bool have_asked,
				       uint64_t now_ns)
{
	for (struct http_connection *one = last; one && http_connections_are_crowded(connections);
	     one = one->previous)
		if (!one->is_ended && one->state == HTTP_CONNECTION_IDLE &&
		    one->has_asked == have_asked &&
		    http_connections_age(one, now_ns) > HTTP_CONNECTIONS_CROWDED_NS)
			http_connections_end(connections, one, &connections->counts.num_crowded);
}

void http_connections_check(struct http_connections *connections, uint64_t now_ns)
{
	pthread_mutex_lock(&connections->lock);
	struct http_connection *last = NULL;
	for (struct http_connection *one = connections->first; one; one = one->next) {
		http_connections_check_one(connections, one, now_ns);
		last = one;
	}
	// An agent keeps its connection between two requests; who never sent one may send none.
	http_connections_make_room(connections, last, false, now_ns);
	http_connections_make_room(connections, last, true, now_ns);
	pthread_mutex_unlock(&connections->lock);
}

struct http_connections_counts http_connections_counts(struct http_connections *connections)
{
	pthread_mutex_lock(&connections->lock);
	struct http_connections_counts counts = connections->counts;
	pthread_mutex_unlock(&connections->lock);
	return counts;
}
