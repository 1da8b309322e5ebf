// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/gic.h"

#include "tests/baremetal/sysreg.h"

const struct gic *gic_find(void)
{
	unsigned field = SYSREG_READ(id_aa64pfr0_el1) >> 24 & 0xf;
	return field ? &gic_v3 : &gic_v2;
}
