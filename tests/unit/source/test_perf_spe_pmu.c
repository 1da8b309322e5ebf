// SPDX-License-Identifier: Apache-2.0
// arm_spe_0 of a sysfs that this test makes, as kernels have it.

#include "source/perf/perf_spe_pmu.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

struct file {
	const char *name, *text;
};

// Linux 6.1; the later ones of 6.3 to 6.18.
static const struct file files[] = {
	{"type", "9\n"},
	{"cpumask", "0-2,5\n"},
	{"caps/min_interval", "1024\n"},
	{"caps/count_size", "12\n"},
	{"caps/arch_inst", "0\n"},
	{"caps/ernd", "0\n"},
	{"format/ts_enable", "config:0\n"},
	{"format/pa_enable", "config:1\n"},
	{"format/pct_enable", "config:2\n"},
	{"format/jitter", "config:16\n"},
	{"format/branch_filter", "config:32\n"},
	{"format/load_filter", "config:33\n"},
	{"format/store_filter", "config:34\n"},
	{"format/event_filter", "config1:0-63\n"},
	{"format/min_latency", "config2:0-11\n"},
};
static const struct file newer_files[] = {
	{"format/discard", "config:35\n"},
	{"format/inv_event_filter", "config3:0-63\n"},
	{"format/data_src_filter", "config4:0-63\n"},
	{"format/never_heard_of", "config2:16-19\n"},
	{"format/not_for_us", "config9:0\n"},
};

struct fixture {
	char sysfs[64];
	struct perf_spe_pmu pmu;
};

static void write_files(const char *sysfs, const struct file *list, size_t num)
{
	for (size_t i = 0; i < num; i++) {
		char path[256];
		snprintf(path, sizeof(path), "%s/%s/%s", sysfs, PERF_SPE_PMU_NAME, list[i].name);
		FILE *file = fopen(path, "w");
		assert_non_null(file);
		fputs(list[i].text, file);
		fclose(file);
	}
}

static int set_up(void **state)
{
	static struct fixture fixture;
	fixture = (struct fixture){.sysfs = "/tmp/wperf-spe-XXXXXX"};
	assert_non_null(mkdtemp(fixture.sysfs));
	static const char *const folders[] = {"", "/caps", "/format"};
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		char path[256];
		snprintf(path, sizeof(path), "%s/%s%s", fixture.sysfs, PERF_SPE_PMU_NAME,
			 folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	char command[128];
	perf_spe_pmu_deinit(&fixture->pmu);
	snprintf(command, sizeof(command), "rm -r %s", fixture->sysfs);
	return system(command);
}

static struct perf_spe_pmu *read_pmu(struct fixture *fixture)
{
	assert_no_error(perf_spe_pmu_read(fixture->sysfs, &fixture->pmu));
	return &fixture->pmu;
}

static union perf_spe_attr attr_of(const struct perf_spe_pmu *pmu, const char *spec, bool kernel)
{
	struct spe_filter_table table = perf_spe_pmu_filters(pmu);
	struct spe_filters filters;
	assert_no_error(spe_spec_parse(spec, &table, &filters));
	return perf_spe_pmu_attr(pmu, &filters, kernel);
}

static uint64_t word_at(const union perf_spe_attr *attr, size_t offset)
{
	uint64_t word;
	memcpy(&word, attr->bytes + offset, sizeof(word));
	return word;
}

// Each filter by its name, and those of the peer by their short ones.
static void each_filter_has_its_bits(void **state)
{
	static const struct {
		const char *spec;
		uint64_t config, config1, config2;
	} cases[] = {
		{"arm_spe_0//", 0, 0, 0},
		{"arm_spe_0/ts_enable=1/", 1, 0, 0},
		{"arm_spe_0/ts=1/", 1, 0, 0},
		{"arm_spe_0/pa_enable=1/", 2, 0, 0},
		{"arm_spe_0/pct_enable=1/", 4, 0, 0},
		{"arm_spe_0/jitter=1/", 1 << 16, 0, 0},
		{"arm_spe_0/branch_filter=1/", UINT64_C(1) << 32, 0, 0},
		{"arm_spe_0/b=1/", UINT64_C(1) << 32, 0, 0},
		{"arm_spe_0/load_filter=1/", UINT64_C(1) << 33, 0, 0},
		{"arm_spe_0/ld=1/", UINT64_C(1) << 33, 0, 0},
		{"arm_spe_0/store_filter=1/", UINT64_C(1) << 34, 0, 0},
		{"arm_spe_0/st=1,ld=0/", UINT64_C(1) << 34, 0, 0},
		{"arm_spe_0/event_filter=0x800000000000000a/", 0, UINT64_C(0x800000000000000a), 0},
		{"arm_spe_0/min_latency=4095/", 0, 0, 4095},
		{"arm_spe_0/min=100,ts=1,ld=1/", UINT64_C(0x200000001), 0, 100},
	};
	struct fixture *fixture = *state;
	write_files(fixture->sysfs, files, ARRAY_SIZE(files));
	const struct perf_spe_pmu *pmu = read_pmu(fixture);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		union perf_spe_attr attr = attr_of(pmu, cases[i].spec, false);
		assert_int_equal(attr.attr.type, 9);
		assert_int_equal(attr.attr.size, 128);
		assert_int_equal(attr.attr.config, cases[i].config);
		assert_int_equal(attr.attr.config1, cases[i].config1);
		assert_int_equal(attr.attr.config2, cases[i].config2);
		assert_int_equal(attr.attr.sample_period, SPE_DEFAULT_PERIOD);
		assert_int_equal(attr.attr.freq, 0); // the kernel refuses it
		assert_int_equal(attr.attr.disabled, 1);
		assert_int_equal(attr.attr.exclude_kernel, 1);
		assert_int_equal(attr.attr.exclude_user, 0);
	}
	assert_int_equal(attr_of(pmu, "arm_spe_0//", true).attr.exclude_kernel, 0);
	assert_int_equal(attr_of(pmu, "arm_spe_0/period=1024/", true).attr.sample_period, 1024);
}

static void newer_filters_are_as_sysfs_says(void **state)
{
	struct fixture *fixture = *state;
	write_files(fixture->sysfs, files, ARRAY_SIZE(files));
	write_files(fixture->sysfs, newer_files, ARRAY_SIZE(newer_files));
	const struct perf_spe_pmu *pmu = read_pmu(fixture);
	union perf_spe_attr attr =
		attr_of(pmu, "arm_spe_0/inv_event_filter=0x80,never_heard_of=5,discard=1/", false);
	assert_int_equal(attr.attr.size, 136);
	assert_int_equal(attr.attr.config, UINT64_C(1) << 35);
	assert_int_equal(attr.attr.config2, 5 << 16);
	assert_int_equal(word_at(&attr, PERF_SPE_ATTR_CONFIG3), 0x80);
	attr = attr_of(pmu, "arm_spe_0/data_src_filter=3/", false);
	assert_int_equal(attr.attr.size, 144);
	assert_int_equal(word_at(&attr, PERF_SPE_ATTR_CONFIG3), 0);
	assert_int_equal(word_at(&attr, PERF_SPE_ATTR_CONFIG4), 3);
}

static void wrong_words_are_refused(void **state)
{
	struct fixture *fixture = *state;
	write_files(fixture->sysfs, files, ARRAY_SIZE(files));
	struct spe_filter_table table = perf_spe_pmu_filters(read_pmu(fixture));
	struct spe_filters filters;
	assert_error(spe_spec_parse("arm_spe_0/inv_event_filter=1/", &table, &filters), ERROR_USAGE,
		     "SPE filter 'inv_event_filter' unknown, use: branch_filter, event_filter, "
		     "jitter, load_filter, min_latency, pa_enable, pct_enable, store_filter, "
		     "ts_enable, period");
	assert_error(spe_spec_parse("arm_spe_0/min_latency=4096/", &table, &filters), ERROR_USAGE,
		     "SPE filter 'min_latency' value out of range, use: 0-4095");
	assert_error(spe_spec_parse("arm_spe_0/period=100/", &table, &filters), ERROR_USAGE,
		     "SPE filter 'period' value out of range, use: 1024-4294967295");
}

static void cores_are_those_of_the_mask(void **state)
{
	struct fixture *fixture = *state;
	write_files(fixture->sysfs, files, ARRAY_SIZE(files));
	const struct perf_spe_pmu *pmu = read_pmu(fixture);
	static const bool expected[] = {true, true, true, false, false, true, false};
	for (unsigned i = 0; i < ARRAY_SIZE(expected); i++)
		assert_int_equal(perf_spe_pmu_has_core(pmu, i), expected[i]);
	assert_false(perf_spe_pmu_has_core(pmu, UINT32_MAX));
}

static void little_is_enough(void **state)
{
	struct fixture *fixture = *state;
	static const struct file only_type = {"type", "9\n"};
	struct perf_spe_pmu none;
	assert_error(perf_spe_pmu_read(fixture->sysfs, &none), ERROR_ABSENT,
		     "the kernel has no arm_spe_0");
	write_files(fixture->sysfs, &only_type, 1);
	const struct perf_spe_pmu *pmu = read_pmu(fixture);
	assert_int_equal(pmu->num_filters, 1); // the period
	assert_int_equal(pmu->min_period, 0);
	assert_true(perf_spe_pmu_has_core(pmu, 77));
	assert_int_equal(attr_of(pmu, "arm_spe_0/period=10/", false).attr.sample_period, 10);
}

static void nonsense_is_left_out(void **state)
{
	static const struct file nonsense[] = {
		{"type", "9\n"},
		{"cpumask", "x,3-1,0-99999999,2\n"},
		{"caps/min_interval", "much\n"},
		{"format/load_filter", "config:70\n"},
		{"format/store_filter", ""},
	};
	struct fixture *fixture = *state;
	write_files(fixture->sysfs, nonsense, ARRAY_SIZE(nonsense));
	const struct perf_spe_pmu *pmu = read_pmu(fixture);
	assert_int_equal(pmu->num_filters, 1);
	assert_int_equal(pmu->min_period, 0);
	assert_true(perf_spe_pmu_has_core(pmu, 2));
	assert_false(perf_spe_pmu_has_core(pmu, 1));
}

int perf_spe_pmu_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_filter_has_its_bits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(newer_filters_are_as_sysfs_says, set_up, tear_down),
		cmocka_unit_test_setup_teardown(wrong_words_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cores_are_those_of_the_mask, set_up, tear_down),
		cmocka_unit_test_setup_teardown(little_is_enough, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nonsense_is_left_out, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("perf_spe_pmu", tests, NULL, NULL);
}
