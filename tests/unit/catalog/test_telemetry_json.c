// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/telemetry_json.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "tests/unit/shared_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char good[] =
	"{\n"
	" \"$schema\": \"v1.0.schema.json\",\n"
	" \"product_configuration\": {\"product_name\": \"Test CPU\", \"part_num\": \"0xd0c\",\n"
	"  \"major_revision\": \"4\", \"architecture\": \"armv8.2\",\n"
	"  \"pmu_architecture\": \"pmu_v3\", \"num_slots\": 5, \"num_bus_slots\": 0},\n"
	" \"events\": {\n"
	"  \"STALL_BACKEND\": {\"code\": \"0x0024\", \"title\": \"Stalled\",\n"
	"   \"description\": \"Counts\\n\\nstalls.\"},\n"
	"  \"CPU_CYCLES\": {\"code\": \"0x0011\", \"title\": \"Cycle\", \"description\": \"Counts "
	"cycles.\"},\n"
	"  \"SYS_THING\": {\"title\": \"System\", \"description\": \"No code.\", \"system\": "
	"true},\n"
	"  \"SECRET\": {\"code\": null},\n"
	"  \"HALF_SECRET\": {\"code\": \"0xc001\"}},\n"
	" \"metrics\": {\n"
	"  \"stalled\": {\"title\": \"Stalled\", \"formula\": \"STALL_BACKEND / CPU_CYCLES * "
	"100\",\n"
	"   \"description\": \"Percent.\", \"units\": \"percent of cycles\", \"events\": []},\n"
	"  \"busy\": {\"title\": \"Busy\", \"formula\": \"1 - STALL_BACKEND / CPU_CYCLES\",\n"
	"   \"description\": \"Rest.\", \"units\": \"per cycle\", \"events\": []}},\n"
	" \"groups\": {\"function\": {}, \"metrics\": {\n"
	"  \"Topdown_L1\": {\"title\": \"Top\", \"description\": \"Where from.\",\n"
	"   \"metrics\": [\"stalled\", \"busy\"]},\n"
	"  \"Only_Events\": {\"title\": \"Events\", \"description\": \"None.\", \"metrics\": "
	"null},\n"
	"  \"General\": {\"title\": \"Gen\", \"description\": \"All.\", \"metrics\": "
	"[\"busy\"]}}}\n"
	"}\n";

static const char old_form[] =
	"{\"_type\": \"PMU_Specification\",\n"
	" \"product_configuration\": {\"product_name\": \"Old\", \"part_num\": \"0xd49\",\n"
	"  \"major_revision\": 0, \"minor_revision\": \"3\", \"architecture\": \"armv8.4\",\n"
	"  \"pmu_architecture\": \"pmu_v3\", \"num_slots\": \"5\", \"num_bus_slots\": 0},\n"
	" \"events\": {\"SW_INCR\": {\"code\": \"0x0000\", \"title\": \"Software increment\",\n"
	"   \"description\": \"Counts writes.\", \"common\": true, \"accesses\": [\"PMU\"],\n"
	"   \"architectural\": true, \"impdef\": false}},\n"
	" \"metrics\": {}, \"groups\": {\"function\": {}, \"metrics\": {}}}";

static void test_good_file(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	const struct cpu *cpu = NULL;
	assert_null(telemetry_json_parse("neoverse-x9.json", good, strlen(good), &arena, &cpu));
	assert_non_null(cpu);
	assert_string_equal(cpu->name, "neoverse-x9");
	assert_string_equal(cpu->title, "Test CPU");
	assert_string_equal(cpu->arch, "armv8.2");
	assert_string_equal(cpu->pmu_arch, "pmu_v3");
	assert_int_equal(cpu->num_slots, 5);
	assert_int_equal(cpu->num_bus_slots, 0);

	assert_int_equal(cpu->num_events, 3);
	assert_string_equal(cpu->events[0]->name, "cpu_cycles");
	assert_int_equal(cpu->events[0]->code, 0x11);
	assert_int_equal(cpu->events[0]->event_class, EVENT_CORE);
	assert_string_equal(cpu->events[1]->name, "stall_backend");
	assert_string_equal(cpu->events[1]->title, "Stalled");
	assert_string_equal(cpu->events[1]->description, "Counts\n\nstalls.");
	assert_string_equal(cpu->events[2]->title, "half_secret");
	assert_string_equal(cpu->events[2]->description, "");

	assert_int_equal(cpu->num_metrics, 2);
	assert_string_equal(cpu->metrics[0].info->name, "busy");
	assert_string_equal(cpu->metrics[1].info->name, "stalled");
	assert_string_equal(cpu->metrics[1].info->unit, "percent of cycles");
	assert_string_equal(cpu->metrics[1].formula, "stall_backend / cpu_cycles * 100");

	assert_int_equal(cpu->num_groups, 2);
	assert_string_equal(cpu->groups[0].info->name, "General");
	assert_string_equal(cpu->groups[1].info->title, "Top");
	assert_string_equal(cpu->groups[1].metrics, "stalled,busy");
}

static void test_old_form(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	const struct cpu *cpu = NULL;
	assert_null(telemetry_json_parse("neoverse-n2-r0p3.json", old_form, strlen(old_form),
					 &arena, &cpu));
	assert_non_null(cpu);
	assert_string_equal(cpu->name, "neoverse-n2-r0p3");
	assert_int_equal(cpu->num_slots, 5);
	assert_int_equal(cpu->num_events, 1);
	assert_int_equal(cpu->num_metrics, 0);
	assert_int_equal(cpu->num_groups, 0);
}

/** The good file with one thing changed. */
struct bad_case {
	const char *from, *to;
	const char *message;
};

#define WITH_TREE(tree) \
	"\"methodologies\": {\"topdown_methodology\": {\"decision_tree\": " tree "}}, \"groups\""
#define IN_TREE "x.json: methodologies.topdown_methodology.decision_tree."

static const struct bad_case bad_cases[] = {
	{"\"product_configuration\"", "\"other\"", "x.json: product_configuration: is missing"},
	{"{\"product_name\"", "7, \"p\": {\"product_name\"",
	 "x.json: product_configuration: must be an object, not a number"},
	{"\"Test CPU\"", "[1]",
	 "x.json: product_configuration.product_name: must be a string, not an array"},
	{"\"architecture\"", "\"x\"", "x.json: product_configuration.architecture: is missing"},
	{"\"num_slots\": 5", "\"num_slots\": -1",
	 "x.json: product_configuration.num_slots: -1 is not a 16-bit number"},
	{"\"num_slots\": 5", "\"num_slots\": 65536",
	 "x.json: product_configuration.num_slots: 65536 is not a 16-bit number"},
	{"\"num_slots\": 5", "\"num_slots\": 1.5",
	 "x.json: product_configuration.num_slots: must be a number, not a fraction"},
	{"\"events\": {", "\"events\": [], \"e\": {",
	 "x.json: events: must be an object, not an array"},
	{"\"0x0011\"", "\"0x1zz\"",
	 "x.json: events.CPU_CYCLES.code: '0x1zz' is not a 16-bit number"},
	{"\"0x0011\"", "\"0x10000\"",
	 "x.json: events.CPU_CYCLES.code: '0x10000' is not a 16-bit number"},
	{"\"0x0011\"", "\"0x\"", "x.json: events.CPU_CYCLES.code: '0x' is not a 16-bit number"},
	{"\"0x0011\"", "\"\"", "x.json: events.CPU_CYCLES.code: '' is not a 16-bit number"},
	{"\"0x0011\"", "\"\\u001b[2J\"",
	 "x.json: events.CPU_CYCLES.code: '?[2J' is not a 16-bit number"},
	{"\"0x0011\"", "true",
	 "x.json: events.CPU_CYCLES.code: must be a number, not a truth value"},
	{"\"code\": \"0x0011\", ", "", "x.json: events.CPU_CYCLES.code: is missing"},
	{"\"Counts cycles.\"", "null",
	 "x.json: events.CPU_CYCLES.description: must be a string, not null"},
	{"\"Cycle\"", "\"Cy\\u001b[31mcle\"",
	 "x.json: events.CPU_CYCLES.title: has control characters"},
	{"\"Cycle\"", "\"two\\nlines\"", "x.json: events.CPU_CYCLES.title: has control characters"},
	{"\"Counts cycles.\"", "\"c1 \\u009b31m\"",
	 "x.json: events.CPU_CYCLES.description: has control characters"},
	{"\"CPU_CYCLES\"", "\"CPU CYCLES\"",
	 "x.json: events.CPU CYCLES: may contain only letters, digits and _"},
	{"\"CPU_CYCLES\"", "\"\"", "x.json: events.: may contain only letters, digits and _"},
	{"\"CPU_CYCLES\"", "\"stall_BACKEND\"",
	 "x.json: events.stall_backend: occurs twice (upper and lower case are the same)"},
	{"{\"code\": \"0x0011\"", "3, \"X\": {\"code\": \"0x11\"",
	 "x.json: events.CPU_CYCLES: must be an object, not a number"},
	{"\"formula\": \"1 - STALL_BACKEND / CPU_CYCLES\"", "\"formula\": \"SECRET\"",
	 "x.json: metrics.busy.formula: 'secret' is not a countable event of this file"},
	{"\"formula\": \"1 - STALL_BACKEND / CPU_CYCLES\"", "\"formula\": \"1 + 2\"",
	 "x.json: metrics.busy.formula: contains no event"},
	{"\"formula\": \"1 -", "\"formul\": \"1 -", "x.json: metrics.busy.formula: is missing"},
	{"\"per cycle\"", "{}", "x.json: metrics.busy.units: must be a string, not an object"},
	{"\"metrics\": {\n  \"stalled\"", "\"m\": {\n  \"stalled\"", "x.json: metrics: is missing"},
	{"\"groups\"", "\"g\"", "x.json: groups: is missing"},
	{"[\"busy\"]", "[\"lazy\"]",
	 "x.json: groups.metrics.General.metrics: 'lazy' is not a metric of this file"},
	{"[\"busy\"]", "[7]",
	 "x.json: groups.metrics.General.metrics: '' is not a metric of this file"},
	{"[\"busy\"]", "\"busy\"",
	 "x.json: groups.metrics.General.metrics: must be an array of metrics"},
	{"[\"busy\"]", "[\"busy\",\"busy\",\"busy\"]",
	 "x.json: groups.metrics.General.metrics: has more metrics than the file"},
	{"\"groups\"", WITH_TREE("{\"root_nodes\": [], \"metrics\": [{\"name\": \"busy\"}]}"),
	 IN_TREE "root_nodes: names no metric"},
	{"\"groups\"",
	 WITH_TREE("{\"root_nodes\": [\"stalled\"], \"metrics\": [{\"name\": \"busy\"}]}"),
	 IN_TREE "root_nodes: 'stalled' is not in 'metrics'"},
	{"\"groups\"",
	 WITH_TREE("{\"root_nodes\": [\"busy\"], \"metrics\": [{\"name\": \"busy\", "
		   "\"next_items\": [\"busy\"]}]}"),
	 IN_TREE "metrics: 'busy' has more than one place in the tree"},
};

static char *replaced(const struct bad_case *c)
{
	const char *place = strstr(good, c->from);
	assert_non_null(place);
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append_n(&text, good, (size_t)(place - good));
	string_builder_append(&text, c->to);
	string_builder_append(&text, place + strlen(c->from));
	char *ret = NULL;
	assert_null(string_builder_finish(&text, &ret));
	return ret;
}

static void test_bad_files(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad_cases); i++) {
		_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
		_cleanup_free_ char *text = replaced(&bad_cases[i]);
		const struct cpu *cpu = NULL;
		_cleanup_(error_destroyp) struct error *err =
			telemetry_json_parse("x.json", text, strlen(text), &arena, &cpu);
		assert_null(cpu);
		assert_non_null(err);
		assert_string_equal(err->message, bad_cases[i].message);
	}
}

static void test_bad_formula_is_named(void **state)
{
	const struct bad_case formula = {"1 - STALL_BACKEND", "1 - ( STALL_BACKEND", NULL};
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	_cleanup_free_ char *text = replaced(&formula);
	const struct cpu *cpu = NULL;
	_cleanup_(error_destroyp) struct error *err =
		telemetry_json_parse("x.json", text, strlen(text), &arena, &cpu);
	assert_non_null(err);
	assert_ptr_equal(strstr(err->message, "x.json: metrics.busy.formula: "), err->message);
}

static void test_no_json(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"{\"events\": {}",
		"\xff\xfe",
		"{\"a\": 1, \"a\": 2}",
		"{} {}",
		"{\"a\": \"\\u0000\"}",
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
		const struct cpu *cpu = NULL;
		_cleanup_(error_destroyp) struct error *err =
			telemetry_json_parse("x.json", texts[i], strlen(texts[i]), &arena, &cpu);
		assert_non_null(err);
		assert_ptr_equal(strstr(err->message, "x.json: line "), err->message);
	}
}

static void test_deep_nesting_is_refused(void **state)
{
	enum { DEPTH = 200000 };
	_cleanup_free_ char *text = malloc(DEPTH);
	assert_non_null(text);
	memset(text, '[', DEPTH);
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	const struct cpu *cpu = NULL;
	_cleanup_(error_destroyp) struct error *err =
		telemetry_json_parse("x.json", text, DEPTH, &arena, &cpu);
	assert_non_null(err);
}

static void test_other_documents_are_passed_over(void **state)
{
	static const char *const texts[] = {
		"{}",
		"[1, 2]",
		"{\"0x41d0c\": {\"name\": \"neoverse_n1_r4p1_pmu\"}}",
		"{\"$defs\": {}, \"allOf\": []}",
		"{\"product_configuration\": {\"product_name\": \"CMN 700\"}, \"events\": {}}",
	};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
		const struct cpu *cpu = (const struct cpu *)texts;
		assert_null(
			telemetry_json_parse("x.json", texts[i], strlen(texts[i]), &arena, &cpu));
		assert_null(cpu);
	}
}

static void test_bad_file_name(void **state)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	const struct cpu *cpu = NULL;
	_cleanup_(error_destroyp) struct error *err =
		telemetry_json_parse("a b.json", good, strlen(good), &arena, &cpu);
	assert_non_null(err);
	assert_string_equal(err->message, "a b.json: the file's name is not the name of a CPU");
}

/** A folder of its own for each test that needs files. */
static int make_folder(void **state)
{
	char *folder = strdup("/tmp/test_telemetry_json.XXXXXX");
	*state = folder;
	return folder && mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	int status = system(command);
	free(*state);
	return status;
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void init_catalog(struct catalog *catalog)
{
	const struct pmu_counters counters = {};
	catalog_init(catalog, NULL, &counters);
}

static void test_load_folder(void **state)
{
	write_file(*state, "zeta.json", good);
	write_file(*state, "alpha-r0p3.json", old_form);
	write_file(*state, "mapping.json", "{}");
	write_file(*state, "README.md", "no JSON");
	write_file(*state, ".hidden.json", "no JSON");
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	assert_null(telemetry_json_load(&catalog, *state));
	assert_int_equal(catalog.num_loaded_cpus, 2);
	assert_string_equal(catalog.loaded_cpus[0]->name, "alpha-r0p3");
	assert_string_equal(catalog.loaded_cpus[1]->name, "zeta");
	assert_ptr_equal(catalog_find_cpu(&catalog, "zeta"), catalog.loaded_cpus[1]);
}

static void test_one_bad_file_loads_nothing(void **state)
{
	write_file(*state, "a.json", good);
	write_file(*state, "b.json", "{\"events\": }");
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	_cleanup_(error_destroyp) struct error *err = telemetry_json_load(&catalog, *state);
	assert_non_null(err);
	assert_ptr_equal(strstr(err->message, "b.json: line 1, column "), err->message);
	assert_int_equal(catalog.num_loaded_cpus, 0);
}

static void test_folder_without_cpu(void **state)
{
	write_file(*state, "mapping.json", "{}");
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	_cleanup_(error_destroyp) struct error *err = telemetry_json_load(&catalog, *state);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "no JSON file in "));
	assert_non_null(err->hint);
}

static void test_missing_folder(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	_cleanup_(error_destroyp) struct error *err = telemetry_json_load(&catalog, "/no/such");
	assert_non_null(err);
	assert_string_equal(err->message, "cannot open '/no/such': No such file or directory");
}

static void test_real_files(void **state)
{
	static const struct {
		const char *name;
		size_t num_events, num_metrics, num_groups;
	} real[] = {
		{"neoverse-n1", 110, 31, 12},      {"neoverse-n2", 155, 36, 13},
		{"neoverse-n3", 224, 67, 18},      {"neoverse-v1", 132, 36, 13},
		{"neoverse-v2", 155, 47, 16},      {"neoverse-v3", 253, 67, 18},
		{"neoverse-n2-r0p3", 155, 36, 13}, // in the words of neoverse-n2
	};
	static const char folder[] = WPERF_SHARED_DIR "/data/pmu/telemetry-solution";
	skip_without(folder);
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	assert_null(telemetry_json_load(&catalog, folder));
	assert_int_equal(catalog.num_loaded_cpus, ARRAY_SIZE(real));
	for (size_t i = 0; i < ARRAY_SIZE(real); i++) {
		const struct cpu *cpu = catalog.loaded_cpus[i];
		assert_string_equal(cpu->name, real[i].name);
		assert_int_equal(cpu->num_events, real[i].num_events);
		assert_int_equal(cpu->num_metrics, real[i].num_metrics);
		assert_int_equal(cpu->num_groups, real[i].num_groups);
		const struct event *cycles = cpu_find_event(cpu, "cpu_cycles");
		assert_non_null(cycles);
		assert_int_equal(cycles->code, 0x11);
	}
}

int telemetry_json_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_file),
		cmocka_unit_test(test_old_form),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_bad_formula_is_named),
		cmocka_unit_test(test_no_json),
		cmocka_unit_test(test_deep_nesting_is_refused),
		cmocka_unit_test(test_other_documents_are_passed_over),
		cmocka_unit_test(test_bad_file_name),
		cmocka_unit_test_setup_teardown(test_load_folder, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_one_bad_file_loads_nothing, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(test_folder_without_cpu, make_folder,
						remove_folder),
		cmocka_unit_test(test_missing_folder),
		cmocka_unit_test(test_real_files),
	};
	return cmocka_run_group_tests_name("telemetry_json", tests, NULL, NULL);
}
