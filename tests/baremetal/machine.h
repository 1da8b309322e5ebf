/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_MACHINE_H
#define WPERF_TESTS_BAREMETAL_MACHINE_H

/**
 * The driver's core on the registers of this CPU, with a timer that ticks as it asks: what an
 * operating system would do around it. Interrupts, and with them ticks, come only while the test
 * has unmasked them.
 */

#include "driver/core/core.h"
#include "tests/baremetal/interrupts.h"
#include "tests/baremetal/timer.h"

#include <stddef.h>

enum { MACHINE_CPU = 0 };

#define MACHINE_ALL_COUNTERS UINT32_MAX

/** Too large for the stack; it must not move. */
struct machine {
	struct driver_registers registers;
	struct interrupts interrupts;
	struct timer timer;
	struct driver_core core;
};

/**
 * Overflow interrupts go to the core; a test may enable another handler instead.
 * @free_counters: as in struct driver_config. The PMU is as after a reset.
 */
enum driver_status machine_init(struct machine *machine, uint32_t free_counters);

/** As driver_request(). */
enum driver_status machine_request(struct machine *machine, driver_client client, uint32_t code,
				   const void *in, size_t in_size, void *out, size_t out_size,
				   size_t *ret_size);

/** The client closed its handle. */
void machine_close(struct machine *machine, driver_client client);

/** The event counter that the driver borrows for cycles: the last one that is ours. */
unsigned machine_cycle_counter(const struct machine *machine);

uint64_t machine_read(const struct machine *machine, enum driver_register reg);
void machine_write(const struct machine *machine, enum driver_register reg, uint64_t value);

#endif
