/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_MACHINE_H
#define WPERF_DRIVER_WINDOWS_MACHINE_H

/**
 * The seam of the driver: the machine whose counters clients use, with a driver's core on it. Above
 * are devices and IRPs, the same everywhere; below is one of
 *
 *   machine_arm64.c  the registers of this computer, its DPCs, timers and the HAL
 *   machine_sim.c    driver/sim, whose time is that of the clock: for Wine, and for trying out
 *   machine_none.c   a computer without an Arm PMU: the driver says so and does not load
 *
 * All at PASSIVE_LEVEL, one call at a time.
 */

#include "driver/core/core.h"
#include "driver/windows/kernel.h"

struct machine;

/** Is there a machine at all? What fails here fails the loading of the driver. */
NTSTATUS machine_probe(void);

/** Takes the counters from the system, as many as are free. */
NTSTATUS machine_create(struct machine **ret);

/** Nothing counts or interrupts any more. */
void machine_destroy(struct machine *machine);

/** As driver_request(). Some machines have requests of their own. */
enum driver_status machine_request(struct machine *machine, driver_client client, uint32_t code,
				   const void *in, size_t in_size, void *out, size_t out_size,
				   size_t *ret_size);

/** The client closed its handle; may be told twice. */
void machine_close(struct machine *machine, driver_client client);

/** The computer is going to sleep, and has woken: what counts and samples pauses meanwhile. */
void machine_suspend(struct machine *machine);
void machine_resume(struct machine *machine);

/** Who holds the lock? */
driver_client machine_owner(const struct machine *machine);

#endif
