// SPDX-License-Identifier: Apache-2.0

#include "server/http/listen_address.h"

#include "base/file/close_fd.h"
#include "base/text/number.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LISTEN_ADDRESS_BACKLOG = 511 };

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

/** @host: of digits. */
static bool listen_address_set(const char *host, uint16_t port, struct listen_address *ret)
{
	struct sockaddr_in inet = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 inet6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	*ret = (struct listen_address){0};
	if (inet_pton(AF_INET, host, &inet.sin_addr) == 1) {
		ret->size = sizeof(inet);
		memcpy(&ret->socket, &inet, sizeof(inet));
	} else if (inet_pton(AF_INET6, host, &inet6.sin6_addr) == 1) {
		ret->size = sizeof(inet6);
		memcpy(&ret->socket, &inet6, sizeof(inet6));
	}
	return ret->size;
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
	const char *address = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
	uint64_t port;
	if (number_parse_decimal(colon + 1, strlen(colon + 1), &port) != NUMBER_OK ||
	    port > UINT16_MAX || !listen_address_set(address, (uint16_t)port, ret))
		return listen_address_refuse(text);
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
	char host[INET6_ADDRSTRLEN] = "unknown";
	struct sockaddr_in inet;
	struct sockaddr_in6 inet6;
	memcpy(&inet, &address->socket, sizeof(inet));
	memcpy(&inet6, &address->socket, sizeof(inet6));
	bool is_long = address->socket.ss_family == AF_INET6;
	inet_ntop(address->socket.ss_family,
		  is_long ? (const void *)&inet6.sin6_addr : &inet.sin_addr, host, sizeof(host));
	char *text;
	int length = asprintf(&text, "%s%s%s:%u", is_long ? "[" : "", host, is_long ? "]" : "",
			      ntohs(is_long ? inet6.sin6_port : inet.sin_port));
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
