// SPDX-License-Identifier: Apache-2.0

#include "server/http/listen_address.h"

#include "base/file/close_fd.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTEN_ADDRESS_BACKLOG = 511, LISTEN_ADDRESS_PORT_SIZE = 8 };

static struct error *listen_address_refuse(const char *text)
{
	return error_with_hint(error_create(ERROR_USAGE, "--listen: not an address: '%s'", text),
			       "write ADDRESS:PORT: 127.0.0.1:4318, [::1]:4318, 0.0.0.0:4318");
}

/** The host without its brackets, if it has them. To be freed; NULL without memory. */
static char *listen_address_host(const char *text, const char *colon)
{
	size_t length = (size_t)(colon - text);
	bool has_brackets = length >= 2 && text[0] == '[' && colon[-1] == ']';
	return has_brackets ? strndup(text + 1, length - 2) : strndup(text, length);
}

struct error *listen_address_parse(const char *text, struct listen_address *ret)
{
	const char *colon = strrchr(text, ':');
	if (!colon || colon == text || !colon[1])
		return listen_address_refuse(text);
	_cleanup_free_ char *host = listen_address_host(text, colon);
	if (!host)
		return &error_no_memory;
	// Names are not looked up: what one means may change, and with it who can reach the server.
	const struct addrinfo wanted = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found;
	const char *address = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
	if (getaddrinfo(address, colon + 1, &wanted, &found) != 0)
		return listen_address_refuse(text);
	*ret = (struct listen_address){.size = found->ai_addrlen};
	memcpy(&ret->socket, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return NULL;
}

bool listen_address_is_loopback(const struct listen_address *address)
{
	if (address->socket.ss_family == AF_INET) {
		struct sockaddr_in inet;
		memcpy(&inet, &address->socket, sizeof(inet));
		return ntohl(inet.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	struct sockaddr_in6 inet6;
	memcpy(&inet6, &address->socket, sizeof(inet6));
	return address->socket.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&inet6.sin6_addr);
}

char *listen_address_text(const struct listen_address *address)
{
	char host[INET6_ADDRSTRLEN], port[LISTEN_ADDRESS_PORT_SIZE];
	char *text;
	if (getnameinfo((const struct sockaddr *)&address->socket, address->size, host,
			sizeof(host), port, sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return strdup("unknown");
	bool has_brackets = address->socket.ss_family == AF_INET6;
	int length = asprintf(&text, "%s%s%s:%s", has_brackets ? "[" : "", host,
			      has_brackets ? "]" : "", port);
	return length < 0 ? NULL : text;
}

struct error *listen_address_open(struct listen_address *address, int *ret_fd)
{
	_cleanup_free_ char *text = listen_address_text(address);
	_cleanup_(close_fd) int fd =
		socket(address->socket.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (!text)
		return &error_no_memory;
	if (fd < 0)
		return error_create_errno(errno, "cannot listen on %s", text);
	// A server that starts again need not wait for connections of the one before.
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
	if (bind(fd, (const struct sockaddr *)&address->socket, address->size) != 0 ||
	    listen(fd, LISTEN_ADDRESS_BACKLOG) != 0) {
		int errnum = errno;
		struct error *err = error_create_errno(errnum, "cannot listen on %s", text);
		return errnum == EADDRINUSE
			       ? error_with_hint(err, "another program listens there; choose "
						      "another port with --listen")
			       : err;
	}
	address->size = sizeof(address->socket);
	getsockname(fd, (struct sockaddr *)&address->socket, &address->size);
	*ret_fd = take_fd(&fd);
	return NULL;
}
