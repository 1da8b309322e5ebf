/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_CALL_H
#define WPERF_DRIVER_CORE_CALL_H

/** One request on its way through its handler. */

#include "driver/core/status.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Who asks: one open handle. The shell uses what it likes, such as the file object's address. */
typedef uintptr_t driver_client;

#define DRIVER_CLIENT_NONE ((driver_client)0)

struct driver_core;

/**
 * @unsafe_in and @out may be the same memory: a handler copies what it needs of the input into
 * locals before it replies. The sizes were checked against the table of requests.
 */
struct driver_call {
	driver_client client;
	const void *unsafe_in;
	size_t in_size;
	void *out;
	size_t out_size;
	size_t ret_size; /* what was written to out */
};

typedef enum driver_status driver_handler_fn(struct driver_core *core, struct driver_call *call);

/** Add these bytes to the answer. If they do not fit nothing is written. */
static inline enum driver_status driver_call_append(struct driver_call *call, const void *bytes,
						    size_t size)
{
	if (size > call->out_size - call->ret_size)
		return DRIVER_INSUFFICIENT_RESOURCES;
	memcpy((uint8_t *)call->out + call->ret_size, bytes, size);
	call->ret_size += size;
	return DRIVER_OK;
}

/** Answer with these bytes and no others. If they do not fit nothing is written. */
static inline enum driver_status driver_call_reply(struct driver_call *call, const void *reply,
						   size_t size)
{
	call->ret_size = 0;
	return driver_call_append(call, reply, size);
}

#endif
