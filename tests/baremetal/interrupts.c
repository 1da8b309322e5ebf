// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/interrupts.h"

#include "tests/baremetal/sysreg.h"

#include <stddef.h>
#include <string.h>

void interrupts_init(struct interrupts *interrupts)
{
	memset(interrupts, 0, sizeof(*interrupts));
	interrupts->gic = gic_find();
	interrupts->gic->init();
	SYSREG_WRITE(tpidr_el1, (uint64_t)interrupts); // vectors.S gives it back to us
}

void interrupts_enable(struct interrupts *interrupts, unsigned number, interrupt_fn *handle,
		       void *context)
{
	interrupts->handlers[number].handle = handle;
	interrupts->handlers[number].context = context;
	interrupts->gic->enable(number);
}

void interrupts_unmask(void)
{
	__asm__ volatile("msr daifclr, #2" ::: "memory");
}

void interrupts_mask(void)
{
	__asm__ volatile("msr daifset, #2" ::: "memory");
}

void interrupts_dispatch(struct interrupts *interrupts, const struct interrupted *interrupted)
{
	unsigned number = interrupts->gic->acknowledge();
	if (number < GIC_NUM_PRIVATE && interrupts->handlers[number].handle)
		interrupts->handlers[number].handle(interrupts->handlers[number].context,
						    interrupted);
	else
		interrupts->num_unexpected++;
	if (number < GIC_SPURIOUS)
		interrupts->gic->end(number);
}
