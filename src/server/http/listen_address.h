/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_LISTEN_ADDRESS_H
#define WPERF_SERVER_HTTP_LISTEN_ADDRESS_H

/** Where a server listens: "127.0.0.1:4318", "[::1]:4318", "0.0.0.0:80", "localhost:4318". */

#include "base/error.h"

#include <stdbool.h>
#include <sys/socket.h>

struct listen_address {
	struct sockaddr_storage socket;
	socklen_t size;
};

/** Port 0: the system chooses one. @ret: set only on success. */
struct error *listen_address_parse(const char *text, struct listen_address *ret);

/** Can only programs of this machine reach it? */
bool listen_address_is_loopback(const struct listen_address *address);

/**
 * @address: gets the port that the system chose.
 * @ret_fd:  listens; set only on success.
 */
struct error *listen_address_open(struct listen_address *address, int *ret_fd);

/** "127.0.0.1:4318"; to be freed, NULL without memory. */
char *listen_address_text(const struct listen_address *address);

#endif
