// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_arm_pmu.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/linux/sysfs_events.h"

#include <fnmatch.h>
#include <string.h>

// PMCEID0_EL0 and PMCEID1_EL0 (Arm ARM, "PMCEID0_EL0") have a bit for each common event: codes 0 to
// 63, and 0x4000 to 0x403f in the upper halves. User space cannot read these registers. But the
// kernel's driver (drivers/perf/arm_pmuv3.c) lists in sysfs exactly the named events whose bit is
// set, so that the list of names gives the bits back.

enum {
	HIGH_CODES = 0x4000,
	CODE_CHAIN = 0x1e, // the kernel needs it for itself and does not offer it
	MAX_NAMED = 8,
};

/** The common events of a table: those that the PMU has, and the others. */
struct tally {
	size_t num_events, num_missing;
	struct string_builder present, missing;
};

static void tally_deinit(struct tally *tally)
{
	string_builder_deinit(&tally->present);
	string_builder_deinit(&tally->missing);
}

bool perf_arm_pmu_is(const char *name)
{
	return fnmatch("armv[0-9]*_*", name, 0) == 0;
}

/** Its bit, in the word @ret_high says; 0 if PMCEID has none for it. */
static uint64_t bit_of(uint64_t code, bool *ret_high)
{
	*ret_high = code >= HIGH_CODES;
	if (*ret_high)
		code -= HIGH_CODES;
	return code < 64 ? UINT64_C(1) << code : 0;
}

static bool is_common(uint64_t code)
{
	bool high;
	return bit_of(code, &high) && code != CODE_CHAIN;
}

static bool perf_arm_pmu_has_event(const struct perf_arm_events *events, uint64_t code)
{
	bool high;
	uint64_t bit = bit_of(code, &high);
	return (high ? events->high : events->low) & bit;
}

struct perf_arm_events perf_arm_events_of(const struct catalog *kernel, const char *pmu)
{
	struct perf_arm_events events = {0};
	size_t length = pmu ? strlen(pmu) : 0;
	for (size_t i = 0; i < kernel->num_system_events; i++) {
		const struct event *event = kernel->system_events[i];
		bool high;
		uint64_t bit = bit_of(event->code, &high);
		// Its name is like "armv8_pmuv3/cpu_cycles/".
		bool is_of_pmu =
			pmu ? strncmp(event->name, pmu, length) == 0 && event->name[length] == '/'
			    : perf_arm_pmu_is(event->name);
		if (is_of_pmu)
			*(high ? &events.high : &events.low) |= bit;
	}
	return events;
}

bool perf_arm_events_lack(const struct perf_arm_events *events, uint64_t code)
{
	return (events->low || events->high) && is_common(code) &&
	       !perf_arm_pmu_has_event(events, code);
}

static void perf_arm_pmu_append_name(struct string_builder *names, size_t num_before,
				     const char *name)
{
	if (num_before < MAX_NAMED)
		string_builder_appendf(names, "%s%s", num_before ? ", " : "", name);
	else if (num_before == MAX_NAMED)
		string_builder_append(names, ", ...");
}

static struct error *perf_arm_pmu_report(const struct tally *tally, const struct cpu *cpu,
					 const char *pmu, struct probe *probe)
{
	size_t num_present = tally->num_events - tally->num_missing;
	// The shorter list is named: what is there, or what is not.
	bool name_missing = tally->num_missing && tally->num_missing < num_present;
	bool name_present = num_present && num_present <= tally->num_missing;
	_cleanup_(string_builder_deinit) struct string_builder detail = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder hint = STRING_BUILDER_INIT;
	string_builder_appendf(&detail, "%zu of %zu of %s", num_present, tally->num_events,
			       cpu->name);
	if (name_missing)
		string_builder_appendf(&detail, "; not %s", string_builder_peek(&tally->missing));
	if (name_present)
		string_builder_appendf(&detail, ": %s", string_builder_peek(&tally->present));
	string_builder_appendf(
		&hint,
		"the others count 0, as in most virtual machines, unless this kernel is too old to "
		"name them; 'wperf list %s/' shows those it names",
		pmu);
	enum probe_state state = !num_present         ? PROBE_NO
				 : tally->num_missing ? PROBE_PARTLY
						      : PROBE_YES;
	return probe_add_finding(probe, "common Arm events", state, string_builder_peek(&detail),
				 tally->num_missing ? string_builder_peek(&hint) : NULL);
}

struct error *perf_arm_pmu_probe(const char *sysfs, const char *name, const struct cpu *cpu,
				 struct probe *probe)
{
	_cleanup_(catalog_deinit) struct catalog kernel;
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	catalog_init(&kernel, NULL, &(struct pmu_counters){0});
	struct error *err = sysfs_events_load(&kernel, sysfs, &notes);
	if (err)
		return err;
	_cleanup_(tally_deinit) struct tally tally = {0};
	struct perf_arm_events events = perf_arm_events_of(&kernel, name);
	for (size_t i = 0; i < cpu->num_events; i++) {
		const struct event *event = cpu->events[i];
		if (!is_common(event->code))
			continue;
		size_t num_present = tally.num_events++ - tally.num_missing;
		if (perf_arm_pmu_has_event(&events, event->code))
			perf_arm_pmu_append_name(&tally.present, num_present, event->name);
		else
			perf_arm_pmu_append_name(&tally.missing, tally.num_missing++, event->name);
	}
	return perf_arm_pmu_report(&tally, cpu, name, probe);
}
