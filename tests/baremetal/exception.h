/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_EXCEPTION_H
#define WPERF_TESTS_BAREMETAL_EXCEPTION_H

#include <stdint.h>

/** Nobody expected it: say so and end. ESR_EL1, ELR_EL1 and FAR_EL1. */
_Noreturn void exception_report(uint64_t syndrome, uint64_t pc, uint64_t address);

#endif
