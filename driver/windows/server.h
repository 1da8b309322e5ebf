/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_SERVER_H
#define WPERF_DRIVER_WINDOWS_SERVER_H

/**
 * What all handles talk to: one machine, which takes one call at a time. There is a machine while
 * any handle is open: an idle driver holds no counters, and no memory but its code.
 *
 * All at PASSIVE_LEVEL: a call waits for others, and for other CPUs.
 */

#include "driver/windows/machine.h"
#include "driver/windows/trace/event_log.h"

struct server {
	FAST_MUTEX mutex; /* of all below */
	unsigned num_open;
	struct machine *machine; /* NULL: no handle is open */
	struct event_log log;
};

void server_init(struct server *server);

/** No handle is open any more. */
void server_deinit(struct server *server);

/** One more handle. What fails here fails the opening. */
NTSTATUS server_open(struct server *server);

/** Nobody can use this handle any more: what it held is free. */
void server_cleanup(struct server *server, driver_client client);

/** The last call of this handle is over, too. */
void server_close(struct server *server, driver_client client);

/** As those of the machine, if there is one. */
void server_suspend(struct server *server);
void server_resume(struct server *server);

/** As driver_request(). */
enum driver_status server_request(struct server *server, driver_client client, uint32_t code,
				  const void *in, size_t in_size, void *out, size_t out_size,
				  size_t *ret_size);

#endif
