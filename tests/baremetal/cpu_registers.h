/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_CPU_REGISTERS_H
#define WPERF_TESTS_BAREMETAL_CPU_REGISTERS_H

/** The registers of this CPU as the driver's core wants them; no DSU, no memory controllers. */

#include "driver/core/registers.h"

extern const struct driver_register_ops cpu_registers_ops;

#endif
