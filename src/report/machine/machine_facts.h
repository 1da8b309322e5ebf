/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_MACHINE_MACHINE_FACTS_H
#define WPERF_REPORT_MACHINE_MACHINE_FACTS_H

/** What a session knows of its machine under WindowsPerf's names: for `test`, and for wperf-lib. */

#include "session/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** "EVT_CORE", "EVT_DSU" ...: of each class of the driver. */
extern const char *const machine_class_tags[NUM_PMU_CLASSES];

enum {
	MACHINE_NAME_MAX = 256,
	MACHINE_NUM_FIELDS = 12,
	MACHINE_NUM_SHORT_FIELDS = 11, /* the first, which wperf-lib has */
};

/** A field of the driver's answer about the hardware: PMU_CTL_QUERY_HW_CFG [name]. */
struct machine_field {
	const char *name;
	bool is_known;
	int digits; /* hexadecimal, as `test` shows it */
	uint64_t value;
};

void machine_fields(const struct session *session, struct machine_field ret[MACHINE_NUM_FIELDS]);

/** "Neoverse N1 (neoverse-n1), armv8.2, pmu_v3"; "" for a table of the architecture. */
void machine_extended_name(const struct session *session, char ret[MACHINE_NAME_MAX]);

/** Of the core the events of its table; outside of the cores it is the driver that knows them. */
size_t machine_num_events(const struct session *session, enum event_class event_class);

#endif
