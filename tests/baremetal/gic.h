/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_GIC_H
#define WPERF_TESTS_BAREMETAL_GIC_H

/** The interrupt controller of QEMU's machine "virt", of one CPU; only its private interrupts. */

#include <stdint.h>

enum {
	GIC_VIRTUAL_TIMER = 27, /* interrupt numbers */
	GIC_PMU = 23,
	GIC_NUM_PRIVATE = 32,
	GIC_SPURIOUS = 1023, /* there was none after all */
};

struct gic {
	const char *name;
	void (*init)(void);
	void (*enable)(unsigned interrupt);
	unsigned (*acknowledge)(void);
	void (*end)(unsigned interrupt);
};

extern const struct gic gic_v2, gic_v3;

/** The one that the machine has. */
const struct gic *gic_find(void);

/** A register of a device. */
static inline volatile uint32_t *gic_register(uintptr_t address)
{
	return (volatile uint32_t *)address;
}

#endif
