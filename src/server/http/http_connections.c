// SPDX-License-Identifier: Apache-2.0
// A connection belongs to the thread of the sockets. It is ended from another by shutdown(2): that
// thread then reads its end, and closes it as it would any other.

#include "server/http/http_connections.h"

#include <stdlib.h>
#include <sys/socket.h>

void http_connections_init(struct http_connections *connections)
{
	*connections = (struct http_connections){.first = NULL};
	pthread_mutex_init(&connections->lock, NULL);
}

void http_connections_deinit(struct http_connections *connections)
{
	pthread_mutex_destroy(&connections->lock);
}

struct http_connection *http_connections_add(struct http_connections *connections, int fd,
					     uint64_t deadline_ns)
{
	struct http_connection *connection = calloc(1, sizeof(*connection));
	if (!connection)
		return NULL;
	connection->fd = fd;
	connection->deadline_ns = deadline_ns;
	pthread_mutex_lock(&connections->lock);
	connection->next = connections->first;
	if (connection->next)
		connection->next->previous = connection;
	connections->first = connection;
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
	pthread_mutex_unlock(&connections->lock);
	free(connection);
}

void http_connections_set_deadline(struct http_connections *connections,
				   struct http_connection *connection, uint64_t deadline_ns)
{
	if (!connection)
		return;
	pthread_mutex_lock(&connections->lock);
	connection->deadline_ns = deadline_ns;
	pthread_mutex_unlock(&connections->lock);
}

void http_connections_check(struct http_connections *connections, uint64_t now_ns)
{
	pthread_mutex_lock(&connections->lock);
	for (struct http_connection *one = connections->first; one; one = one->next)
		if (one->deadline_ns < now_ns)
			shutdown(one->fd, SHUT_RDWR);
	pthread_mutex_unlock(&connections->lock);
}
