// SPDX-License-Identifier: Apache-2.0
// The tables of all CPUs: whole, consistent, and the same as what Arm publishes.

#include "catalog/cpu.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/file/telemetry_json.h"
#include "catalog/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/shared_data.h"

enum { MAX_TITLE = 72, MIN_DESCRIPTION = 40, MAX_DESCRIPTION = 200 };

static void check_words(const char *name, const char *title, const char *description)
{
	size_t title_length = strlen(title), length = strlen(description);
	if (title_length < 3 || title_length > MAX_TITLE || length < MIN_DESCRIPTION ||
	    length > MAX_DESCRIPTION || description[length - 1] != '.')
		fail_msg("%s: '%s': '%s'", name, title, description);
	for (const char *c = description; *c; c++)
		assert_in_range(*c, ' ', '~');
}

static void every_event_has_words_and_order(void **state)
{
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++) {
		// Only Apple's PMU is not PMUv3; its list is short.
		bool is_pmu_v3 = strcmp((*cpu)->pmu_arch, "pmu_v3") == 0;
		assert_true((*cpu)->num_events > (is_pmu_v3 ? 80 : 50));
		for (size_t i = 0; i < (*cpu)->num_events; i++) {
			const struct event *event = (*cpu)->events[i];
			check_words(event->name, event->title, event->description);
			assert_int_equal(event->event_class, EVENT_CORE);
			assert_true(event->code <= 0xffff);
			if (i > 0)
				assert_true((*cpu)->events[i - 1]->code < event->code);
		}
	}
}

/** An event of the architecture's name has the architecture's code, whichever CPU lists it. */
static void names_of_the_architecture_keep_their_codes(void **state)
{
	const struct cpu *table = cpu_find("armv9-a");
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++)
		for (size_t i = 0; i < (*cpu)->num_events; i++) {
			const struct event *event = (*cpu)->events[i];
			const struct event *known = cpu_find_event(table, event->name);
			if (known)
				assert_int_equal(event->code, known->code);
		}
}

static void titles_tell_a_cpus_events_apart(void **state)
{
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++)
		for (size_t i = 0; i < (*cpu)->num_events; i++)
			for (size_t k = 0; k < i; k++)
				assert_string_not_equal((*cpu)->events[i]->title,
							(*cpu)->events[k]->title);
}

static void titles_tell_events_apart(void **state)
{
	const struct cpu *table = cpu_find("armv9-a");
	for (size_t i = 0; i < table->num_events; i++)
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(table->events[i]->title, table->events[k]->title);
			assert_string_not_equal(table->events[i]->name, table->events[k]->name);
		}
}

static void every_metric_is_made_of_the_cpus_events(void **state)
{
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++) {
		for (size_t i = 0; i < (*cpu)->num_metrics; i++) {
			const struct cpu_metric *metric = &(*cpu)->metrics[i];
			check_words(metric->info->name, metric->info->title,
				    metric->info->description);
			assert_true(strlen(metric->info->unit) > 0);
			if (i > 0)
				assert_true(strcmp((*cpu)->metrics[i - 1].info->name,
						   metric->info->name) < 0);

			_cleanup_(formula_destroyp) struct formula *formula = NULL;
			assert_no_error(formula_compile(metric->formula, &formula));
			assert_true(formula_num_names(formula) > 0);
			for (size_t k = 0; k < formula_num_names(formula); k++)
				assert_non_null(cpu_find_event(*cpu, formula_name(formula, k)));
		}
	}
}

static void every_group_is_made_of_the_cpus_metrics(void **state)
{
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++) {
		for (size_t i = 0; i < (*cpu)->num_groups; i++) {
			const struct cpu_group *group = &(*cpu)->groups[i];
			check_words(group->info->name, group->info->title,
				    group->info->description);
			_cleanup_free_ char *names = strdup(group->metrics);
			char *rest = names;
			for (char *name; (name = strsep(&rest, ","));)
				assert_non_null(cpu_find_metric(*cpu, name));
		}
	}
}

static void tables_have_their_sizes(void **state)
{
	static const struct {
		const char *name;
		size_t num_events, num_metrics, num_groups;
	} sizes[] = {
		{"armv8-a", 463, 0, 0},       {"armv9-a", 492, 0, 0},
		{"ampereone", 214, 72, 18},   {"ampereonex", 265, 81, 20},
		{"apple-m1", 59, 0, 0},       {"apple-m2", 59, 0, 0},
		{"cortex-a510", 141, 37, 13}, {"cortex-a520", 178, 53, 15},
		{"cortex-a55", 110, 33, 12},  {"cortex-a57", 83, 17, 9},
		{"cortex-a710", 150, 43, 15}, {"cortex-a715", 145, 45, 15},
		{"cortex-a72", 83, 17, 9},    {"cortex-a720", 190, 61, 17},
		{"cortex-a725", 198, 61, 17}, {"cortex-a76", 106, 32, 12},
		{"cortex-a77", 106, 32, 12},  {"cortex-a78", 117, 32, 12},
		{"cortex-x1", 117, 32, 12},   {"cortex-x2", 150, 43, 15},
		{"cortex-x3", 155, 43, 15},   {"cortex-x4", 241, 63, 17},
		{"cortex-x925", 241, 63, 17}, {"neoverse-n1", 110, 31, 12},
		{"neoverse-n2", 155, 36, 13}, {"neoverse-n2-r0p3", 155, 36, 13},
		{"neoverse-n3", 224, 67, 18}, {"neoverse-v1", 132, 36, 13},
		{"neoverse-v2", 155, 47, 16}, {"neoverse-v3", 253, 67, 18},
	};
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		const struct cpu *cpu = cpu_find(sizes[i].name);
		assert_non_null(cpu);
		assert_int_equal(cpu->num_events, sizes[i].num_events);
		assert_int_equal(cpu->num_metrics, sizes[i].num_metrics);
		assert_int_equal(cpu->num_groups, sizes[i].num_groups);
	}
}

static void names_and_aliases_are_found(void **state)
{
	assert_ptr_equal(cpu_find("neoverse-n2-r0p1"), cpu_find("neoverse-n2"));
	assert_ptr_not_equal(cpu_find("neoverse-n2-r0p3"), cpu_find("neoverse-n2"));
	assert_null(cpu_find("neoverse"));
	assert_null(cpu_find(""));

	const struct cpu *n1 = cpu_find("neoverse-n1");
	assert_int_equal(cpu_find_event(n1, "LD_Spec")->code, 0x70);
	assert_null(cpu_find_event(n1, "ld_spe"));
	assert_null(cpu_find_metric(n1, "IPC"));
	assert_string_equal(cpu_find_group(n1, "General")->metrics, "ipc");

	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	cpu_append_names(&names, ",");
	static const char start[] = "ampereone,ampereonex,apple-m1,apple-m2,armv8-a,armv9-a,";
	assert_memory_equal(string_builder_peek(&names), start, strlen(start));
	assert_non_null(
		strstr(string_builder_peek(&names), ",cortex-a78,cortex-a78ae,cortex-a78c,"));
	assert_non_null(strstr(string_builder_peek(&names), ",neoverse-n2,neoverse-n2-r0p0,"));
}

static void revisions_of_the_n2_differ_in_three_metrics(void **state)
{
	const struct cpu *before = cpu_find("neoverse-n2"), *after = cpu_find("neoverse-n2-r0p3");
	size_t num_different = 0;
	for (size_t i = 0; i < before->num_metrics; i++)
		num_different += strcmp(before->metrics[i].formula, after->metrics[i].formula) != 0;
	assert_int_equal(num_different, 3);
}

/** Formulas may be written with other blanks: they are compared without. */
static void assert_same_formula(const char *ours, const char *theirs)
{
	while (*ours || *theirs) {
		ours += strspn(ours, " ");
		theirs += strspn(theirs, " ");
		assert_int_equal(*ours, *theirs);
		ours += *ours != '\0';
		theirs += *theirs != '\0';
	}
}

static void compare_with_published(const struct cpu *ours, const struct cpu *theirs)
{
	assert_int_equal(ours->num_events, theirs->num_events);
	for (size_t i = 0; i < theirs->num_events; i++) {
		assert_string_equal(ours->events[i]->name, theirs->events[i]->name);
		assert_int_equal(ours->events[i]->code, theirs->events[i]->code);
		// Facts are everybody's, sentences are not.
		assert_string_not_equal(ours->events[i]->description,
					theirs->events[i]->description);
	}
	assert_int_equal(ours->num_metrics, theirs->num_metrics);
	for (size_t i = 0; i < theirs->num_metrics; i++) {
		assert_string_equal(ours->metrics[i].info->name, theirs->metrics[i].info->name);
		assert_string_equal(ours->metrics[i].info->unit, theirs->metrics[i].info->unit);
		assert_same_formula(ours->metrics[i].formula, theirs->metrics[i].formula);
	}
	assert_int_equal(ours->num_groups, theirs->num_groups);
	for (size_t i = 0; i < theirs->num_groups; i++) {
		assert_string_equal(ours->groups[i].info->name, theirs->groups[i].info->name);
		assert_string_equal(ours->groups[i].metrics, theirs->groups[i].metrics);
	}
	assert_string_equal(ours->arch, theirs->arch);
	assert_string_equal(ours->pmu_arch, theirs->pmu_arch);
	assert_string_equal(ours->title, theirs->title);
	assert_int_equal(ours->num_slots, theirs->num_slots);
	assert_int_equal(ours->num_bus_slots, theirs->num_bus_slots);
}

static void tables_are_what_arm_publishes(void **state)
{
	static const char folder[] = WPERF_SHARED_DIR "/data/pmu/telemetry-solution";
	skip_without(folder);
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, NULL, &(struct pmu_counters){0});
	assert_no_error(telemetry_json_load(&catalog, folder));
	assert_int_equal(catalog.num_loaded_cpus, 7);
	for (size_t i = 0; i < catalog.num_loaded_cpus; i++)
		compare_with_published(cpu_find(catalog.loaded_cpus[i]->name),
				       catalog.loaded_cpus[i]);
}

static void uncore_events_have_words(void **state)
{
	size_t of_class[NUM_EVENT_CLASSES] = {0};
	for (size_t i = 0; i < num_uncore_events; i++) {
		check_words(uncore_events[i].name, uncore_events[i].title,
			    uncore_events[i].description);
		of_class[uncore_events[i].event_class]++;
	}
	assert_int_equal(of_class[EVENT_DMC_CLK], 3);
	assert_int_equal(of_class[EVENT_DMC_CLKDIV2], 26);
	assert_true(of_class[EVENT_DSU] >= 9);
}

int cpu_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_has_words_and_order),
		cmocka_unit_test(names_of_the_architecture_keep_their_codes),
		cmocka_unit_test(titles_tell_a_cpus_events_apart),
		cmocka_unit_test(titles_tell_events_apart),
		cmocka_unit_test(every_metric_is_made_of_the_cpus_events),
		cmocka_unit_test(every_group_is_made_of_the_cpus_metrics),
		cmocka_unit_test(tables_have_their_sizes),
		cmocka_unit_test(names_and_aliases_are_found),
		cmocka_unit_test(revisions_of_the_n2_differ_in_three_metrics),
		cmocka_unit_test(tables_are_what_arm_publishes),
		cmocka_unit_test(uncore_events_have_words),
	};
	return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
