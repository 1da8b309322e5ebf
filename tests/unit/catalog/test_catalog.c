// SPDX-License-Identifier: Apache-2.0

#include "catalog/catalog.h"

#include "base/container/array.h"
#include "catalog/linux/system_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/fake_cpu.h"

static const struct system_event faults = {
	.event = {.name = "page-faults", .event_class = EVENT_PERF, .code = 2},
	.alias = "faults",
};

static const struct system_event perf_ld_spec = {
	.event = {.name = "ld_spec", .event_class = EVENT_PERF, .code = 0x70},
};

static void add_system_event(struct catalog *catalog, const struct system_event *event)
{
	assert_no_error(array_reserve(&catalog->system_events, &catalog->cap_system_events,
				      catalog->num_system_events + 1));
	catalog->system_events[catalog->num_system_events++] = &event->event;
}

static uint64_t code_of(const struct catalog *catalog, enum event_class event_class,
			const char *name)
{
	const struct event *event = catalog_find_event(catalog, event_class, name);
	assert_non_null(event);
	return event->code;
}

static void names_are_looked_up_from_near_to_far(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	add_system_event(&catalog, &faults);
	add_system_event(&catalog, &perf_ld_spec);
	assert_int_equal(catalog.max_raw_code, 0xffff);

	assert_int_equal(code_of(&catalog, EVENT_CORE, "imp_fake_event"), 0x123);
	assert_int_equal(code_of(&catalog, EVENT_CORE, "LD_Spec"), 0x70);
	assert_int_equal(catalog_find_event(&catalog, EVENT_CORE, "ld_spec")->event_class,
			 EVENT_CORE);
	// Of the architecture, not of this CPU.
	assert_int_equal(code_of(&catalog, EVENT_CORE, "sw_incr"), 0x00);
	assert_int_equal(code_of(&catalog, EVENT_CORE, "page-faults"), 2);
	assert_int_equal(code_of(&catalog, EVENT_CORE, "faults"), 2);
	assert_null(catalog_find_event(&catalog, EVENT_CORE, "no_such_event"));
	assert_null(catalog_find_event(&catalog, EVENT_CORE, ""));

	assert_no_error(catalog_add_extra_events(&catalog, "ld_spec:999"));
	assert_int_equal(code_of(&catalog, EVENT_CORE, "ld_spec"), 0x999);
	assert_int_equal(code_of(&catalog, EVENT_PERF, "ld_spec"), 0x70);
}

static void the_dsu_takes_its_own_names_first(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	const struct event *own = catalog_find_event(&catalog, EVENT_DSU, "L3D_CACHE");
	assert_non_null(own);
	assert_int_equal(own->event_class, EVENT_DSU);
	assert_int_equal(own->code, 0x2b);
	assert_int_equal(code_of(&catalog, EVENT_DSU, "ld_spec"), 0x70);
	assert_null(catalog_find_event(&catalog, EVENT_DSU, "imp_fake_event"));
	assert_non_null(catalog_find_event(&catalog, EVENT_DMC_CLKDIV2, "rdwr"));
	assert_null(catalog_find_event(&catalog, EVENT_DMC_CLK, "ld_spec"));
}

static void without_an_arm_core_arm_names_do_not_answer(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, NULL, &fake_counters);
	add_system_event(&catalog, &faults);
	assert_null(catalog_find_event(&catalog, EVENT_CORE, "ld_spec"));
	assert_null(catalog_find_event(&catalog, EVENT_DSU, "ld_spec"));
	assert_null(catalog_find_code(&catalog, EVENT_CORE, 0x70));
	assert_int_equal(code_of(&catalog, EVENT_CORE, "page-faults"), 2);
	assert_no_error(catalog_add_extra_events(&catalog, "mine:c0"));
	assert_int_equal(code_of(&catalog, EVENT_CORE, "mine"), 0xc0);
}

static void codes_have_names(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	add_system_event(&catalog, &faults);
	assert_string_equal(catalog_find_code(&catalog, EVENT_CORE, 0x70)->name, "ld_spec");
	assert_string_equal(catalog_find_code(&catalog, EVENT_CORE, 0)->name, "sw_incr");
	assert_string_equal(catalog_find_code(&catalog, EVENT_DSU, 0x2b)->name, "l3d_cache");
	assert_string_equal(catalog_find_code(&catalog, EVENT_PERF, 2)->name, "page-faults");
	assert_null(catalog_find_code(&catalog, EVENT_CORE, 0xfffe));
	assert_no_error(catalog_add_extra_events(&catalog, "mine:70"));
	assert_string_equal(catalog_find_code(&catalog, EVENT_CORE, 0x70)->name, "mine");
}

static void raw_codes_are_registered_once(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	const struct event *first = NULL;
	const struct event *again = NULL;
	const struct event *of_dsu = NULL;
	assert_no_error(catalog_raw_event(&catalog, EVENT_CORE, 0x1b, &first));
	assert_string_equal(first->name, "r1b");
	assert_string_equal(first->description, "<extra event>");
	assert_no_error(catalog_raw_event(&catalog, EVENT_CORE, 0x1b, &again));
	assert_ptr_equal(first, again);
	assert_no_error(catalog_raw_event(&catalog, EVENT_DSU, 0x1b, &of_dsu));
	assert_ptr_not_equal(first, of_dsu);
	assert_int_equal(of_dsu->event_class, EVENT_DSU);
	assert_int_equal(catalog.num_extra_events, 2);
	assert_no_error(catalog_raw_event(&catalog, EVENT_CORE, UINT64_MAX, &again));
	assert_string_equal(again->name, "rffffffffffffffff");

	assert_no_error(catalog_add_extra_events(&catalog, "named:21"));
	assert_no_error(catalog_raw_event(&catalog, EVENT_CORE, 0x21, &again));
	assert_string_equal(again->name, "named");
}

static void loaded_cpus_win(void **state)
{
	static const struct cpu loaded_n1 = {.name = "neoverse-n1"};
	static const struct cpu loaded_n2 = {.name = "neoverse-n2"};
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	assert_null(catalog_find_cpu(&catalog, "no-such-cpu"));
	const struct cpu *own_n1 = catalog_find_cpu(&catalog, "neoverse-n1");
	assert_non_null(own_n1);
	assert_no_error(array_reserve(&catalog.loaded_cpus, &catalog.cap_loaded_cpus, 2));
	catalog.loaded_cpus[catalog.num_loaded_cpus++] = &loaded_n1;
	catalog.loaded_cpus[catalog.num_loaded_cpus++] = &loaded_n2;
	assert_ptr_equal(catalog_find_cpu(&catalog, "neoverse-n1"), &loaded_n1);
	assert_ptr_equal(catalog_find_cpu(&catalog, "neoverse-n2-r0p0"), &loaded_n2);
}

static void a_cpu_that_is_not_known_brings_the_list(void **state)
{
	static const struct cpu loaded = {.name = "mine"};
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	assert_no_error(array_reserve(&catalog.loaded_cpus, &catalog.cap_loaded_cpus, 1));
	catalog.loaded_cpus[catalog.num_loaded_cpus++] = &loaded;
	const struct cpu *cpu = NULL;
	assert_no_error(catalog_require_cpu(&catalog, "mine", false, &cpu));
	assert_ptr_equal(cpu, &loaded);
	_cleanup_(error_destroyp) struct error *err =
		catalog_require_cpu(&catalog, "z80", true, &cpu);
	assert_non_null(err);
	static const char start[] = "warning: CPU name: \"z80\" not found, use mine, ";
	assert_memory_equal(err->message, start, strlen(start));
	assert_non_null(strstr(err->message, "neoverse-n1"));

	_cleanup_(error_destroyp) struct error *plain =
		catalog_require_cpu(&catalog, "cortex-x924", false, &cpu);
	assert_string_equal(plain->message, "unknown CPU 'cortex-x924'");
	assert_non_null(strstr(plain->hint, "did you mean 'cortex-x925'?"));
}

static void write_file(char *path, const char *text)
{
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void extra_events_come_from_files_too(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	char path[] = "/tmp/wperf-extra-XXXXXX";
	write_file(path, "# mine\n\none:1,two:0x2\r\n/dsu/three:3\n");
	assert_no_error(catalog_add_extra_events(&catalog, path));
	unlink(path);
	assert_int_equal(catalog.num_extra_events, 3);
	assert_int_equal(code_of(&catalog, EVENT_CORE, "two"), 2);
	assert_int_equal(code_of(&catalog, EVENT_DSU, "three"), 3);
}

static void a_file_that_is_not_there_is_taken_as_a_list(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(error_destroyp) struct error *err =
		catalog_add_extra_events(&catalog, "no-such-file.txt");
	assert_non_null(err);
	assert_string_equal(err->message, "missing extra event delimeter ':' in no-such-file.txt");
	assert_non_null(strstr(err->hint, "cannot open 'no-such-file.txt'"));
}

int catalog_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_looked_up_from_near_to_far),
		cmocka_unit_test(the_dsu_takes_its_own_names_first),
		cmocka_unit_test(without_an_arm_core_arm_names_do_not_answer),
		cmocka_unit_test(codes_have_names),
		cmocka_unit_test(raw_codes_are_registered_once),
		cmocka_unit_test(loaded_cpus_win),
		cmocka_unit_test(a_cpu_that_is_not_known_brings_the_list),
		cmocka_unit_test(extra_events_come_from_files_too),
		cmocka_unit_test(a_file_that_is_not_there_is_taken_as_a_list),
	};
	return cmocka_run_group_tests_name("catalog", tests, NULL, NULL);
}
