// SPDX-License-Identifier: Apache-2.0

#include "catalog/midr.h"

#include "base/container/array.h"
#include "catalog/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// MIDR_EL1 (Arm ARM, "MIDR_EL1, Main ID Register"): implementer in bits 31:24, variant 23:20,
// architecture 19:16, part 15:4, revision 3:0. The first row of the table that fits is taken; rows
// with an exact revision precede those for any.

enum {
	ARM = 0x41,
	NVIDIA = 0x4e,
	QUALCOMM = 0x51,
	APPLE = 0x61,
	MICROSOFT = 0x6d,
	AMPERE = 0xc0,
};

enum { ANY = -1 };

/**
 * One kind of core. Rows of an exact revision come before those of any revision; the first row
 * of a CPU is also the core that a simulator builds for it.
 */
struct known_core {
	uint8_t implementer;
	uint16_t part;
	int variant, revision;
	const char *cpu;   /* its table */
	const char *title; /* its own name where the table has another one or none */
};

static const struct known_core known_cores[] = {
	{ARM, 0xd0f, ANY, ANY, "armv8-a", "Armv8-A foundation model"},
	{ARM, 0xd0c, 3, 1, "neoverse-n1", NULL},
	{ARM, 0xd0c, ANY, ANY, "neoverse-n1", NULL},
	{ARM, 0xd49, 0, 3, "neoverse-n2-r0p3", NULL},
	{ARM, 0xd49, ANY, ANY, "neoverse-n2", NULL},
	{MICROSOFT, 0xd49, 0, 3, "neoverse-n2-r0p3", "Cobalt 100"},
	{MICROSOFT, 0xd49, ANY, ANY, "neoverse-n2", "Cobalt 100"},
	{ARM, 0xd8e, ANY, ANY, "neoverse-n3", NULL},
	{ARM, 0xd40, ANY, ANY, "neoverse-v1", NULL},
	{ARM, 0xd4f, ANY, ANY, "neoverse-v2", NULL},
	{ARM, 0xd84, ANY, ANY, "neoverse-v3", NULL},
	{ARM, 0xd83, ANY, ANY, "neoverse-v3", "Neoverse V3AE"},
	{ARM, 0xd07, ANY, ANY, "cortex-a57", NULL},
	{ARM, 0xd08, ANY, ANY, "cortex-a72", NULL},
	{ARM, 0xd0b, ANY, ANY, "cortex-a76", NULL},
	{ARM, 0xd0e, ANY, ANY, "cortex-a76", "Cortex-A76AE"},
	{ARM, 0xd0d, ANY, ANY, "cortex-a77", NULL},
	{ARM, 0xd41, ANY, ANY, "cortex-a78", NULL},
	{ARM, 0xd42, ANY, ANY, "cortex-a78", "Cortex-A78AE"},
	{ARM, 0xd4b, ANY, ANY, "cortex-a78", "Cortex-A78C"},
	{ARM, 0xd44, ANY, ANY, "cortex-x1", NULL},
	{ARM, 0xd4c, ANY, ANY, "cortex-x1", "Cortex-X1C"},
	{ARM, 0xd47, ANY, ANY, "cortex-a710", NULL},
	{ARM, 0xd48, ANY, ANY, "cortex-x2", NULL},
	{ARM, 0xd4d, ANY, ANY, "cortex-a715", NULL},
	{ARM, 0xd81, ANY, ANY, "cortex-a720", NULL},
	{ARM, 0xd89, ANY, ANY, "cortex-a720", "Cortex-A720AE"},
	{ARM, 0xd87, ANY, ANY, "cortex-a725", NULL},
	{ARM, 0xd4e, ANY, ANY, "cortex-x3", NULL},
	{ARM, 0xd82, ANY, ANY, "cortex-x4", NULL},
	{ARM, 0xd85, ANY, ANY, "cortex-x925", NULL},
	{ARM, 0xd05, ANY, ANY, "cortex-a55", NULL},
	{ARM, 0xd46, ANY, ANY, "cortex-a510", NULL},
	{ARM, 0xd80, ANY, ANY, "cortex-a520", NULL},
	{ARM, 0xd88, ANY, ANY, "cortex-a520", "Cortex-A520AE"},
	// Qualcomm's Kryo 4xx are Cortex-A76 and Cortex-A55 (Snapdragon 8cx).
	{QUALCOMM, 0x804, ANY, ANY, "cortex-a76", "Kryo 4xx Gold"},
	{QUALCOMM, 0x805, ANY, ANY, "cortex-a55", "Kryo 4xx Silver"},
	{AMPERE, 0xac3, ANY, ANY, "ampereone", NULL},
	{AMPERE, 0xac4, ANY, ANY, "ampereonex", NULL},
	{APPLE, 0x023, ANY, ANY, "apple-m1", "Apple M1 Firestorm"},
	{APPLE, 0x022, ANY, ANY, "apple-m1", "Apple M1 Icestorm"},
	{APPLE, 0x025, ANY, ANY, "apple-m1", "Apple M1 Pro Firestorm"},
	{APPLE, 0x024, ANY, ANY, "apple-m1", "Apple M1 Pro Icestorm"},
	{APPLE, 0x029, ANY, ANY, "apple-m1", "Apple M1 Max Firestorm"},
	{APPLE, 0x028, ANY, ANY, "apple-m1", "Apple M1 Max Icestorm"},
	{APPLE, 0x033, ANY, ANY, "apple-m2", "Apple M2 Avalanche"},
	{APPLE, 0x032, ANY, ANY, "apple-m2", "Apple M2 Blizzard"},
	{APPLE, 0x035, ANY, ANY, "apple-m2", "Apple M2 Pro Avalanche"},
	{APPLE, 0x034, ANY, ANY, "apple-m2", "Apple M2 Pro Blizzard"},
	{APPLE, 0x039, ANY, ANY, "apple-m2", "Apple M2 Max Avalanche"},
	{APPLE, 0x038, ANY, ANY, "apple-m2", "Apple M2 Max Blizzard"},
	// Cores of Armv9 whose events are not published as a list.
	{ARM, 0xd8a, ANY, ANY, "armv9-a", "C1-Nano"},
	{ARM, 0xd8b, ANY, ANY, "armv9-a", "C1-Pro"},
	{ARM, 0xd8c, ANY, ANY, "armv9-a", "C1-Ultra"},
	{ARM, 0xd90, ANY, ANY, "armv9-a", "C1-Premium"},
	// Cores of other makers that follow Armv8's list of events.
	{QUALCOMM, 0x001, ANY, ANY, "armv8-a", "Snapdragon X (Oryon)"},
	{NVIDIA, 0x004, ANY, ANY, "armv8-a", "Carmel"},
};

static const struct {
	uint8_t implementer;
	const char *name;
} vendors[] = {
	{0x41, "Arm Limited"},
	{0x42, "Broadcomm Corporation"}, // spelt as clients know it
	{0x43, "Cavium Inc"},
	{0x44, "Digital Equipment Corporation"},
	{0x46, "Fujitsu Ltd"},
	{0x48, "HiSilicon Technologies Inc"},
	{0x49, "Infineon Technologies AG"},
	{0x4d, "Motorola or Freescale Semiconductor Inc"},
	{0x4e, "NVIDIA Corporation"},
	{0x50, "Applied Micro Circuits Corporation"},
	{0x51, "Qualcomm Inc"},
	{0x56, "Marvell International Ltd"},
	{0x61, "Apple Inc"},
	{0x69, "Intel Corporation"},
	{0x6d, "Microsoft Corporation"},
	{0x70, "Phytium Technology Co Ltd"},
	{0xc0, "Ampere Computing"},
};

struct midr midr_decode(uint64_t midr)
{
	return (struct midr){
		.implementer = (midr >> 24) & 0xff,
		.variant = (midr >> 20) & 0xf,
		.architecture = (midr >> 16) & 0xf,
		.part = (midr >> 4) & 0xfff,
		.revision = midr & 0xf,
	};
}

const char *midr_vendor_name(uint8_t implementer)
{
	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++)
		if (vendors[i].implementer == implementer)
			return vendors[i].name;
	return "Unknown Vendor";
}

static const struct known_core *midr_find_core(uint64_t value)
{
	struct midr midr = midr_decode(value);
	for (size_t i = 0; i < ARRAY_SIZE(known_cores); i++) {
		const struct known_core *core = &known_cores[i];
		if (core->implementer == midr.implementer && core->part == midr.part &&
		    (core->variant == ANY || core->variant == midr.variant) &&
		    (core->revision == ANY || core->revision == midr.revision))
			return core;
	}
	return NULL;
}

const char *midr_product_title(uint64_t midr)
{
	const struct known_core *core = midr_find_core(midr);
	return core ? core->title : NULL;
}

const struct cpu *midr_find_cpu(uint64_t midr)
{
	// A core without a row gets the table of the architecture, which most Arm cores follow.
	const struct known_core *core = midr_find_core(midr);
	return cpu_find(core ? core->cpu : "armv8-a");
}

static uint64_t encode_core(const struct known_core *core)
{
	uint64_t variant = core->variant == ANY ? 0 : (uint64_t)core->variant;
	uint64_t revision = core->revision == ANY ? 0 : (uint64_t)core->revision;
	// Architecture 0xf: "see the ID registers", what every core since Armv7 says.
	return (uint64_t)core->implementer << 24 | variant << 20 | UINT64_C(0xf) << 16 |
	       (uint64_t)core->part << 4 | revision;
}

uint64_t midr_of_cpu(const struct cpu *cpu)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_cores); i++)
		if (!strcmp(known_cores[i].cpu, cpu->name))
			return encode_core(&known_cores[i]);
	return encode_core(&known_cores[0]);
}
