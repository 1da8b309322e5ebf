/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_WINDOWS_DRIVER_DOOR_H
#define WPERF_TESTS_WINDOWS_DRIVER_DOOR_H

/**
 * How a client reaches the driver: through DeviceIoControl (door_win.c), or, for the same answers
 * without Windows, the same simulated machine in this process (door_sim.c).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct door;

/** NULL: it says why on standard error. */
struct door *door_open(void);
void door_close(struct door *door);

/** Returns GetLastError() of a request that fails, 0 of one that does not. */
uint32_t door_ask(struct door *door, uint32_t code, const void *in, size_t in_size, void *out,
		  size_t out_size, size_t *ret_size);

/** The machine's time, which passes at our word only. */
void door_pass_time(struct door *door, uint64_t ns);

#endif
