/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_GENERIC_EVENTS_H
#define WPERF_CATALOG_GENERIC_EVENTS_H

/**
 * The events that every Linux kernel knows by number, whatever the CPU: hardware, hardware cache
 * and software events. The kernel maps the hardware ones to events of the CPU's PMU, and refuses
 * those for which the CPU has none.
 */

#include "catalog/system_events.h"

#include <stddef.h>

/** Hardware and hardware cache events: need a CPU PMU. */
extern const struct system_event generic_hardware_events[];
extern const size_t num_generic_hardware_events;

/** Counted by the kernel itself. */
extern const struct system_event generic_software_events[];
extern const size_t num_generic_software_events;

/** By name or alias, case ignored; NULL. */
const struct system_event *generic_events_find(const char *name);

#endif
