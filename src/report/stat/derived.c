// SPDX-License-Identifier: Apache-2.0
// Events of the kernel's list have no metrics; as in perf stat, what can be said of one is said
// behind it: its share of another event, else how often it happened per second of CPU time. Both
// events of a share need the same modifiers, as cycles:u and branches:k have nothing in common. A
// rate needs a clock among the events; the time that passed says only how many CPUs were busy. It
// also needs an event that counts wherever the clock does: of all cores together an event of some
// of them has no rate. Only cycles of cores are GHz: PMUs of memory and links have cycles, too.

#include "report/stat/derived.h"

#include "catalog/linux/core_pmus.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 64 };

/** An event as a share of another one: "3.12% of branches". */
static const struct {
	const char *name, *of;
	double factor;
	const char *format;
} shares[] = {
	// The pairs that perf stat prints behind its events (tools/perf/util/stat-shadow.c of
	// Linux).
	{"instructions", "cycles", 1, "%.2f insn per cycle"},
	{"branch-misses", "branches", 100, "%.2f%% of branches"},
	{"cache-misses", "cache-references", 100, "%.2f%% of cache references"},
	{"stalled-cycles-frontend", "cycles", 100, "%.2f%% frontend cycles idle"},
	{"stalled-cycles-backend", "cycles", 100, "%.2f%% backend cycles idle"},
	{"L1-dcache-load-misses", "L1-dcache-loads", 100, "%.2f%% of L1-dcache loads"},
	{"LLC-load-misses", "LLC-loads", 100, "%.2f%% of LLC loads"},
	{"dTLB-load-misses", "dTLB-loads", 100, "%.2f%% of dTLB loads"},
	{"iTLB-load-misses", "iTLB-loads", 100, "%.2f%% of iTLB loads"},
};

static const char *const clocks[] = {"task-clock", "cpu-clock"};

/** "cpu_core/cycles/:u" is "cycles" of the PMU "cpu_core" with the modifiers ":u". */
struct split_name {
	const char *pmu, *base, *modifiers; /* modifiers: "" if there are none */
	size_t pmu_length, base_length;     /* pmu_length: 0 without a PMU's name */
};

static struct split_name split_name(const char *name)
{
	const char *slash = strchr(name, '/'), *end = slash ? strchr(slash + 1, '/') : NULL;
	if (end)
		return (struct split_name){name, slash + 1, end + 1, (size_t)(slash - name),
					   (size_t)(end - slash - 1)};
	size_t length = strcspn(name, ":");
	return (struct split_name){name, name, name + length, 0, length};
}

/** Is it @base of the PMU, and with the modifiers, that @like has? */
static bool is_event(const char *name, const char *base, const struct split_name *like)
{
	struct split_name split = split_name(name);
	return split.base_length == strlen(base) && !strncmp(split.base, base, split.base_length) &&
	       split.pmu_length == like->pmu_length &&
	       !strncmp(split.pmu, like->pmu, like->pmu_length) &&
	       !strcmp(split.modifiers, like->modifiers);
}

/** @unit: num_units for all of them together. False if it was never measured. */
static bool sum_value(const struct count_set *set, size_t unit, size_t column, double *ret)
{
	// The row of all units is the sum of theirs.
	bool is_all = unit == set->num_units, is_measured = false;
	*ret = 0;
	for (size_t i = is_all ? 0 : unit; i < (is_all ? set->num_units : unit + 1); i++) {
		const struct count *count = count_set_at(set, i, column);
		*ret += (double)count_scaled(count);
		is_measured = is_measured || count_is_measured(count);
	}
	return is_measured;
}

/** The scaled count of this event; false if it is not there or was never measured. */
static bool find_value(const struct stat_section *section, size_t unit, const char *base,
		       const struct split_name *like, double *ret)
{
	for (size_t i = 0; i < section->num_events; i++) {
		if (!is_event(section->events[i].name, base, like))
			continue;
		return sum_value(section->counts, unit, i, ret);
	}
	return false;
}

static void write_share(const struct stat_section *section, size_t unit, const char *name,
			double value, char *text)
{
	struct split_name split = split_name(name);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		double whole;
		if (is_event(name, shares[i].name, &split) &&
		    find_value(section, unit, shares[i].of, &split, &whole) && whole > 0) {
			snprintf(text, TEXT_MAX, shares[i].format,
				 value / whole * shares[i].factor);
			return;
		}
	}
}

/** "12.3 K/sec", with three significant digits or so. */
static void write_rate(double per_second, char *text)
{
	static const struct {
		double size;
		const char *prefix;
	} steps[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "K"}, {0, ""}};
	size_t i = 0;
	while (per_second < steps[i].size)
		i++;
	snprintf(text, TEXT_MAX, "%.3f %s/sec",
		 steps[i].size > 0 ? per_second / steps[i].size : per_second, steps[i].prefix);
}

static bool is_core_cycles(const struct catalog *catalog, const char *name)
{
	struct split_name split = split_name(name);
	if (!is_event(name, "cycles", &split))
		return false;
	bool is_of_cores = split.pmu_length == 0;
	for (size_t i = 0; !is_of_cores && i < catalog->num_core_pmus; i++)
		is_of_cores = core_pmu_names(&catalog->core_pmus[i], name);
	return is_of_cores;
}

/** Does the event count wherever a clock does? What one core does not count has no value there. */
static bool counts_whole_unit(const struct stat_section *section, size_t unit, size_t event)
{
	bool is_core =
		unit < section->counts->num_units && section->counts->unit_kind == COUNT_UNIT_CORE;
	return is_core || !section->events[event].is_of_some_cores;
}

/** @text: TEXT_MAX characters; stays empty if there is nothing to say. */
static void write_derived(const struct catalog *catalog, const struct stat_section *section,
			  size_t unit, size_t event, uint64_t elapsed_ns, char *text)
{
	const char *name = section->events[event].name;
	double value, cpu_time_ns;
	if (!sum_value(section->counts, unit, event, &value))
		return;
	if (strcmp(name, clocks[0]) == 0 || strcmp(name, clocks[1]) == 0) {
		if (elapsed_ns)
			snprintf(text, TEXT_MAX, "%.3f CPUs utilized", value / (double)elapsed_ns);
		return;
	}
	write_share(section, unit, name, value, text);
	// Events with a unit (Joules, MiB) are no numbers of something that happens.
	if (*text || section->events[event].unit || !counts_whole_unit(section, unit, event))
		return;
	static const struct split_name plain = {"", "", "", 0, 0};
	if (!find_value(section, unit, clocks[0], &plain, &cpu_time_ns) &&
	    !find_value(section, unit, clocks[1], &plain, &cpu_time_ns))
		return;
	if (!(cpu_time_ns > 0))
		return;
	if (is_core_cycles(catalog, name)) // cycles per nanosecond are GHz
		snprintf(text, TEXT_MAX, "%.3f GHz", value / cpu_time_ns);
	else
		write_rate(value / cpu_time_ns * 1e9, text);
}

struct error *derived_fill(const struct catalog *catalog, const struct stat_section *section,
			   struct stat_event *events, uint64_t elapsed_ns, struct arena *arena)
{
	size_t num_units = section->counts->num_units + 1; // and all together
	for (size_t i = 0; i < section->num_events; i++) {
		const char **texts = arena_alloc_array(arena, num_units, sizeof(*texts));
		if (!texts)
			return &error_no_memory;
		for (size_t unit = 0; unit < num_units; unit++) {
			char text[TEXT_MAX] = "";
			write_derived(catalog, section, unit, i, elapsed_ns, text);
			texts[unit] = arena_strdup(arena, text);
			if (!texts[unit])
				return &error_no_memory;
		}
		events[i].derived = texts;
	}
	return NULL;
}
