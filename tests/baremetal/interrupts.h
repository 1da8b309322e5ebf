/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_INTERRUPTS_H
#define WPERF_TESTS_BAREMETAL_INTERRUPTS_H

/** Who is called at which interrupt. Handlers are never interrupted. */

#include "tests/baremetal/gic.h"

#include <stdint.h>

/** Where an interrupt came; vectors.S stores it. */
struct interrupted {
	uint64_t pc;    /* ELR_EL1 */
	uint64_t state; /* SPSR_EL1 */
	uint64_t lr;    /* X30 */
};

typedef void interrupt_fn(void *context, const struct interrupted *interrupted);

struct interrupts {
	const struct gic *gic;
	struct {
		interrupt_fn *handle;
		void *context;
	} handlers[GIC_NUM_PRIVATE];
	unsigned num_unexpected; /* spurious ones, and those without a handler */
};

/** From now on these are the ones that interrupts go to; they are masked still. */
void interrupts_init(struct interrupts *interrupts);

void interrupts_enable(struct interrupts *interrupts, unsigned number, interrupt_fn *handle,
		       void *context);

/** Let them come, or not. */
void interrupts_unmask(void);
void interrupts_mask(void);

/** Called from vectors.S. */
void interrupts_dispatch(struct interrupts *interrupts, const struct interrupted *interrupted);

#endif
