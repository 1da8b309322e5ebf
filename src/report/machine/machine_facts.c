// SPDX-License-Identifier: Apache-2.0

#include "report/machine/machine_facts.h"

#include "catalog/midr.h"

#include <stdio.h>
#include <string.h>

enum { WORD_DIGITS = 4, LONG_DIGITS = 20 };

const char *const machine_class_tags[NUM_PMU_CLASSES] = {
	[EVENT_CORE] = "EVT_CORE",
	[EVENT_DSU] = "EVT_DSU",
	[EVENT_DMC_CLK] = "EVT_DMC_CLK",
	[EVENT_DMC_CLKDIV2] = "EVT_DMC_CLKDIV2",
};

void machine_fields(const struct session *session, struct machine_field ret[MACHINE_NUM_FIELDS])
{
	const struct source_info *info = &session->info;
	const struct pmu_registers *registers = &info->registers;
	uint64_t value = session_midr(session);
	struct midr midr = midr_decode(value);
	bool known = info->has_registers;
	// A MIDR of 0 is that of no Arm CPU: its fields are not known.
	const struct machine_field fields[MACHINE_NUM_FIELDS] = {
		{"arch_id", value, WORD_DIGITS, midr.architecture},
		{"core_num", true, WORD_DIGITS, info->num_cores},
		{"fpc_num", known, WORD_DIGITS, info->fixed_counters[EVENT_CORE]},
		{"gpc_num", info->counters_known, WORD_DIGITS, info->counters.free[EVENT_CORE]},
		{"total_gpc_num", info->counters_known, WORD_DIGITS,
		 info->counters.total[EVENT_CORE]},
		{"part_id", value, WORD_DIGITS, midr.part},
		{"pmu_ver", known, WORD_DIGITS, registers->pmu_version},
		{"rev_id", value, WORD_DIGITS, midr.revision},
		{"variant_id", value, WORD_DIGITS, midr.variant},
		{"vendor_id", value, WORD_DIGITS, midr.implementer},
		{"midr_value", value, LONG_DIGITS, value},
		{"id_aa64dfr0_value", known, LONG_DIGITS, registers->id_aa64dfr0},
	};
	memcpy(ret, fields, sizeof(fields));
}

void machine_extended_name(const struct session *session, char ret[MACHINE_NAME_MAX])
{
	const struct cpu *cpu = session->catalog.cpu;
	const char *title = midr_product_title(session_midr(session));
	*ret = 0;
	if (cpu && cpu->title)
		snprintf(ret, MACHINE_NAME_MAX, "%s (%s), %s, %s", title ? title : cpu->title,
			 cpu->name, cpu->arch, cpu->pmu_arch);
}

size_t machine_num_events(const struct session *session, enum event_class event_class)
{
	if (event_class == EVENT_CORE && session->catalog.cpu)
		return session->catalog.cpu->num_events;
	return session->info.num_codes[event_class];
}
