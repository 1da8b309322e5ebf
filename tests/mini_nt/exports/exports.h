/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_EXPORTS_EXPORTS_H
#define WPERF_TESTS_MINI_NT_EXPORTS_EXPORTS_H

/**
 * What this kernel gives to drivers under Windows' names. Each function first checks that it may be
 * called at the IRQL of its caller, by what Microsoft documents of it.
 */

#include "tests/mini_nt/kernel/cpu.h"
#include "tests/mini_nt/kernel/image.h"

const struct image_export *exports_ke(unsigned *ret_num);
const struct image_export *exports_io(unsigned *ret_num);
const struct image_export *exports_other(unsigned *ret_num);

/** All of them, for image_load(). */
const struct image_export *exports_all(unsigned *ret_num);

/** The devices that exist, and symbolic links. */
unsigned exports_num_devices(void);
unsigned exports_num_links(void);

/** A device below that of a driver of Plug and Play; it agrees with everything. */
DEVICE_OBJECT *exports_bus_device(void);

/** As a client does that does not want to wait any more. */
void exports_cancel(IRP *irp);

/** What the HAL and the registry say from now on. */
struct exports_settings {
	bool refuses_pmi;
	uint32_t busy_counters; /* that another driver has */
	bool has_device;        /* the driver was installed for one */
};

extern struct exports_settings exports_settings;

/** Counters that were given, in pieces. */
unsigned exports_num_counter_handles(void);

#endif
