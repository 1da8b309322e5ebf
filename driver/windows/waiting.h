/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_WAITING_H
#define WPERF_DRIVER_WINDOWS_WAITING_H

/**
 * Requests that stay pending: one of each client at most. A thread of ours asks again when
 * something happened, and every WAITING_MS while there are any. Their clients may cancel them.
 *
 * At PASSIVE_LEVEL, but for what Windows calls itself.
 */

#include "driver/windows/kernel.h"

/** Two ticks of the clock of most computers; a ring that is filled faster is larger. */
enum { WAITING_MS = 20 };

/** Ask again. Returns STATUS_PENDING if it must stay; else @ret_size is set as well. */
typedef NTSTATUS waiting_ask_fn(void *context, IRP *irp, size_t *ret_size);

struct waiting {
	waiting_ask_fn *ask;
	void *context;
	KSPIN_LOCK lock; /* of the list */
	LIST_ENTRY irps;
	KEVENT event; /* there is something to do */
	volatile LONG is_ending;
	void *thread;
};

NTSTATUS waiting_init(struct waiting *waiting, waiting_ask_fn *ask, void *context);

/** Nothing waits any more. */
void waiting_deinit(struct waiting *waiting);

/** Returns STATUS_PENDING, or why it cannot wait; then the IRP is still the caller's. */
NTSTATUS waiting_add(struct waiting *waiting, IRP *irp);

/** Answers may have changed. */
void waiting_wake(struct waiting *waiting);

#endif
