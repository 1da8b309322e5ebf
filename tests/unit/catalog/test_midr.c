// SPDX-License-Identifier: Apache-2.0

#include "catalog/midr.h"

#include "base/container/array.h"
#include "catalog/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void midr_is_taken_apart(void **state)
{
	struct midr midr = midr_decode(0x413fd0c1);
	assert_int_equal(midr.implementer, 0x41);
	assert_int_equal(midr.variant, 3);
	assert_int_equal(midr.architecture, 0xf);
	assert_int_equal(midr.part, 0xd0c);
	assert_int_equal(midr.revision, 1);
}

static void cores_get_their_table(void **state)
{
	static const struct {
		uint64_t midr;
		const char *cpu;
		const char *title;
	} cores[] = {
		{0x413fd0c1, "neoverse-n1", NULL},
		{0x410fd490, "neoverse-n2", NULL},
		{0x410fd492, "neoverse-n2", NULL},
		{0x410fd493, "neoverse-n2-r0p3", NULL},
		{0x411fd493, "neoverse-n2", NULL}, // r1p3 is not r0p3
		{0x6d0fd490, "neoverse-n2", "Cobalt 100"},
		{0x6d0fd493, "neoverse-n2-r0p3", "Cobalt 100"},
		{0x410fd8e0, "neoverse-n3", NULL},
		{0x411fd402, "neoverse-v1", NULL},
		{0x410fd4f0, "neoverse-v2", NULL},
		{0x410fd840, "neoverse-v3", NULL},
		{0x410fd830, "neoverse-v3", "Neoverse V3AE"},
		{0x511f0010, "armv8-a", "Snapdragon X (Oryon)"},
		{0xc00fac30, "ampereone", NULL},
		{0xc00fac40, "ampereonex", NULL},
		{0x411fd4e0, "cortex-x3", NULL}, // Pixel 8, with:
		{0x411fd4d0, "cortex-a715", NULL},
		{0x411fd461, "cortex-a510", NULL},
		{0x410fd821, "cortex-x4", NULL}, // Pixel 9, with:
		{0x410fd811, "cortex-a720", NULL},
		{0x410fd801, "cortex-a520", NULL},
		{0x410fd850, "cortex-x925", NULL},
		{0x410fd870, "cortex-a725", NULL},
		{0x412fd050, "cortex-a55", NULL},
		{0x611f0230, "apple-m1", "Apple M1 Firestorm"},
		{0x611f0220, "apple-m1", "Apple M1 Icestorm"},
		{0x611f0330, "apple-m2", "Apple M2 Avalanche"},
		{0x410fd8c0, "armv9-a", "C1-Ultra"},
		{0x414fd0b1, "cortex-a76", NULL},            // Raspberry Pi 5
		{0x410fd083, "cortex-a72", NULL},            // Raspberry Pi 4
		{0x51df804e, "cortex-a76", "Kryo 4xx Gold"}, // Snapdragon 8cx
		{0x411fd4b0, "cortex-a78", "Cortex-A78C"},   // Snapdragon 8cx Gen 3
		{0x411fd4c0, "cortex-x1", "Cortex-X1C"},
		{0x412fd471, "cortex-a710", NULL},
		{0x410fd0a0, "armv8-a", NULL}, // Cortex-A75: no table of its own
		{0x00000000, "armv8-a", NULL},
		{UINT64_MAX, "armv8-a", NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		assert_string_equal(midr_find_cpu(cores[i].midr)->name, cores[i].cpu);
		const char *title = midr_product_title(cores[i].midr);
		if (cores[i].title)
			assert_string_equal(title, cores[i].title);
		else
			assert_null(title);
	}
}

static void simulated_cores_are_recognised(void **state)
{
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++)
		assert_ptr_equal(midr_find_cpu(midr_of_cpu(*cpu)), *cpu);
}

static void vendors_have_the_peers_names(void **state)
{
	assert_string_equal(midr_vendor_name(0x41), "Arm Limited");
	assert_string_equal(midr_vendor_name(0x42), "Broadcomm Corporation");
	assert_string_equal(midr_vendor_name(0x51), "Qualcomm Inc");
	assert_string_equal(midr_vendor_name(0x6d), "Microsoft Corporation");
	assert_string_equal(midr_vendor_name(0xc0), "Ampere Computing");
	assert_string_equal(midr_vendor_name(0), "Unknown Vendor");
}

int midr_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(midr_is_taken_apart),
		cmocka_unit_test(cores_get_their_table),
		cmocka_unit_test(simulated_cores_are_recognised),
		cmocka_unit_test(vendors_have_the_peers_names),
	};
	return cmocka_run_group_tests_name("midr", tests, NULL, NULL);
}
