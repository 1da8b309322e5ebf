/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_REGS_ARM64_H
#define WPERF_DRIVER_WINDOWS_REGS_ARM64_H

/**
 * The registers of the CPU that runs this, by the core's names; nothing of Windows, so that
 * tests/baremetal uses it as well. One that does not exist is an undefined instruction: the core
 * asks for none.
 */

#include "driver/core/registers.h"

#include <stdbool.h>

uint64_t regs_arm64_read(enum driver_register reg);

/** In effect when it returns. Registers that can only be read stay what they are. */
void regs_arm64_write(enum driver_register reg, uint64_t value);

/** As drain_profiling of struct driver_register_ops. */
void regs_arm64_drain_profiling(void);

/** No interrupt comes until the second is called with what the first gave. */
uint64_t regs_arm64_mask_interrupts(void);
void regs_arm64_unmask_interrupts(uint64_t saved);

/** Would a load from this address succeed, by the MMU's tables? Asking does not fault. */
bool regs_arm64_is_readable(uint64_t address);

#endif
