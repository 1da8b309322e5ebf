// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/gic.h"

#include "tests/baremetal/sysreg.h"

enum {
	DISTRIBUTOR_CONTROL = 0x08000000,
	REDISTRIBUTOR = 0x080a0000,
	WAKER = REDISTRIBUTOR + 0x14,
	PRIVATE = REDISTRIBUTOR + 0x10000,
	GROUP = PRIVATE + 0x80,
	SET_ENABLE = PRIVATE + 0x100,
};
enum { ENABLE_GROUP_1 = 1 << 1, AFFINITY_ROUTING = 1 << 4 };
enum { PROCESSOR_SLEEP = 1 << 1, CHILDREN_ASLEEP = 1 << 2 };
enum { LOWEST_PRIORITY = 0xff, ENABLE = 1 };

static void init(void)
{
	SYSREG_WRITE(icc_sre_el1, ENABLE);
	*gic_register(DISTRIBUTOR_CONTROL) = AFFINITY_ROUTING | ENABLE_GROUP_1;
	*gic_register(WAKER) &= ~(uint32_t)PROCESSOR_SLEEP;
	while (*gic_register(WAKER) & CHILDREN_ASLEEP)
		;
	SYSREG_WRITE(icc_pmr_el1, LOWEST_PRIORITY);
	SYSREG_WRITE(icc_igrpen1_el1, ENABLE);
}

static void enable(unsigned interrupt)
{
	*gic_register(GROUP) |= UINT32_C(1) << interrupt;
	*gic_register(SET_ENABLE) = UINT32_C(1) << interrupt;
}

static unsigned acknowledge(void)
{
	return (unsigned)SYSREG_READ(icc_iar1_el1);
}

static void end(unsigned interrupt)
{
	SYSREG_WRITE(icc_eoir1_el1, interrupt);
}

const struct gic gic_v3 = {
	.name = "GICv3",
	.init = init,
	.enable = enable,
	.acknowledge = acknowledge,
	.end = end,
};
