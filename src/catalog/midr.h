/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_MIDR_H
#define WPERF_CATALOG_MIDR_H

/** Arm's Main ID Register: which CPU is it? */

#include <stdint.h>

struct cpu;

struct midr {
	uint8_t implementer;
	uint8_t variant; /* the r of r0p3 */
	uint8_t architecture;
	uint16_t part;
	uint8_t revision; /* the p of r0p3 */
};

struct midr midr_decode(uint64_t midr);

/** "Arm Limited", ..., "Unknown Vendor" */
const char *midr_vendor_name(uint8_t implementer);

/** The product's name if it differs from that of its table: "Cobalt 100", "Snapdragon X"; or NULL.
 */
const char *midr_product_title(uint64_t midr);

/**
 * The best table for this core: by implementer, part and revision; else that of the core's
 * architecture, if it is known; else armv8-a. Never NULL.
 */
const struct cpu *midr_find_cpu(uint64_t midr);

/** A MIDR of this CPU, for simulated cores: midr_find_cpu() returns the same CPU. For armv8-a that
 * of an Arm reference core. */
uint64_t midr_of_cpu(const struct cpu *cpu);

#endif
