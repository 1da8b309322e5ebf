// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/gic.h"

enum {
	DISTRIBUTOR = 0x08000000,
	DISTRIBUTOR_CONTROL = DISTRIBUTOR,
	SET_ENABLE = DISTRIBUTOR + 0x100,
	CPU_INTERFACE = 0x08010000,
	CPU_CONTROL = CPU_INTERFACE,
	PRIORITY_MASK = CPU_INTERFACE + 0x4,
	ACKNOWLEDGE = CPU_INTERFACE + 0xc,
	END = CPU_INTERFACE + 0x10,
};
enum { ENABLE = 1, LOWEST_PRIORITY = 0xff, NUMBER_MASK = 0x3ff };

static void init(void)
{
	*gic_register(DISTRIBUTOR_CONTROL) = ENABLE;
	*gic_register(PRIORITY_MASK) = LOWEST_PRIORITY;
	*gic_register(CPU_CONTROL) = ENABLE;
}

static void enable(unsigned interrupt)
{
	*gic_register(SET_ENABLE) = UINT32_C(1) << interrupt;
}

static unsigned acknowledge(void)
{
	return *gic_register(ACKNOWLEDGE) & NUMBER_MASK;
}

static void end(unsigned interrupt)
{
	*gic_register(END) = interrupt;
}

const struct gic gic_v2 = {
	.name = "GICv2",
	.init = init,
	.enable = enable,
	.acknowledge = acknowledge,
	.end = end,
};
