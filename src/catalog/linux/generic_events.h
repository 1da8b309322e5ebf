/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_GENERIC_EVENTS_H
#define WPERF_CATALOG_LINUX_GENERIC_EVENTS_H

/**
 * The events that every Linux kernel has, with the same numbers on all CPUs: hardware, hardware
 * cache and software events. The kernel maps hardware events to those of the CPU's PMU, and refuses
 * events that the CPU lacks.
 */

#include "catalog/linux/system_event.h"

#include <stddef.h>

/** Hardware and hardware cache events: need a CPU PMU. */
extern const struct system_event generic_hardware_events[];
extern const size_t num_generic_hardware_events;

/** Software events. */
extern const struct system_event generic_software_events[];
extern const size_t num_generic_software_events;

/** The event of this name or alias, case ignored; or NULL. */
const struct system_event *generic_events_find(const char *name);

#endif
