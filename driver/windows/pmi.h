/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_PMI_H
#define WPERF_DRIVER_WINDOWS_PMI_H

/**
 * The interrupt of overflowing counters (PMI). The HAL has one handler for it, which gets no
 * context: there is one user of this module at a time.
 */

#include "driver/windows/kernel.h"
#include "driver/windows/trap_frame_arm64.h"

/** At PROFILE_LEVEL, on each CPU. */
typedef void pmi_fn(void *context, unsigned cpu, const struct trap_frame *frame);

/** Who gets the interrupt. */
struct pmi {
	pmi_fn *function;
	void *context;
};

/** At PASSIVE_LEVEL. @pmi: the caller's, who keeps it as long as a handler may run. */
NTSTATUS pmi_hook(const struct pmi *pmi);

/** No call begins any more; those under way on other CPUs go on to their end. */
void pmi_unhook(void);

#endif
