// SPDX-License-Identifier: Apache-2.0

#include "server/http/client_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

enum { CLIENT_ADDRESS_V4_AT = 12, CLIENT_ADDRESS_NETWORK_SIZE = 8 };

static bool client_address_is_v4(const struct client_address *address)
{
	static const uint8_t mapped[CLIENT_ADDRESS_V4_AT] = {[10] = 0xff, [11] = 0xff};
	return memcmp(address->bytes, mapped, sizeof(mapped)) == 0;
}

static void client_address_set_v4(struct client_address *address, const void *bytes)
{
	address->bytes[10] = address->bytes[11] = 0xff;
	memcpy(address->bytes + CLIENT_ADDRESS_V4_AT, bytes, sizeof(struct in_addr));
}

static void client_address_set_v6(struct client_address *address, const struct in6_addr *inet6)
{
	memcpy(address->bytes, inet6, sizeof(*inet6));
	address->is_loopback = IN6_IS_ADDR_LOOPBACK(inet6);
	// A socket of IPv6 has clients of IPv4, too.
	if (!client_address_is_v4(address))
		memset(address->bytes + CLIENT_ADDRESS_NETWORK_SIZE, 0,
		       sizeof(address->bytes) - CLIENT_ADDRESS_NETWORK_SIZE);
}

bool client_address_read(const struct sockaddr *socket, socklen_t size, struct client_address *ret)
{
	struct client_address address = {.is_loopback = false};
	if (socket->sa_family == AF_INET && size >= sizeof(struct sockaddr_in)) {
		struct sockaddr_in inet;
		memcpy(&inet, socket, sizeof(inet));
		client_address_set_v4(&address, &inet.sin_addr);
	} else if (socket->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6)) {
		struct sockaddr_in6 inet6;
		memcpy(&inet6, socket, sizeof(inet6));
		client_address_set_v6(&address, &inet6.sin6_addr);
	} else {
		return false;
	}
	if (client_address_is_v4(&address))
		address.is_loopback = address.bytes[CLIENT_ADDRESS_V4_AT] == IN_LOOPBACKNET;
	*ret = address;
	return true;
}

bool client_address_is_same(const struct client_address *a, const struct client_address *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

void client_address_text(const struct client_address *address, char ret[CLIENT_ADDRESS_TEXT_SIZE])
{
	char text[INET6_ADDRSTRLEN] = "unknown";
	if (client_address_is_v4(address)) {
		inet_ntop(AF_INET, address->bytes + CLIENT_ADDRESS_V4_AT, text, sizeof(text));
		snprintf(ret, CLIENT_ADDRESS_TEXT_SIZE, "%s", text);
		return;
	}
	inet_ntop(AF_INET6, address->bytes, text, sizeof(text));
	snprintf(ret, CLIENT_ADDRESS_TEXT_SIZE, "%s/64", text);
}
