/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_CLIENT_ADDRESS_H
#define WPERF_SERVER_HTTP_CLIENT_ADDRESS_H

/**
 * Who counts as one client: an IPv4 address, or a network of IPv6 with 64 bits, which is what one
 * machine is given and may choose its addresses from.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { CLIENT_ADDRESS_TEXT_SIZE = 64 };

struct client_address {
	uint8_t bytes[16]; /* of IPv6; IPv4 as ::ffff:a.b.c.d; the last 64 bits of others are 0 */
	bool is_loopback;
};

/** False: neither IPv4 nor IPv6. */
bool client_address_read(const struct sockaddr *socket, socklen_t size, struct client_address *ret);

bool client_address_is_same(const struct client_address *a, const struct client_address *b);

/** "192.0.2.7", "2001:db8:1:2::/64". */
void client_address_text(const struct client_address *address, char ret[CLIENT_ADDRESS_TEXT_SIZE]);

#endif
