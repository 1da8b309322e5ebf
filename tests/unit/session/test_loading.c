// SPDX-License-Identifier: Apache-2.0

/** What a profile says of the events of a file, and copies of recordings. */

#include "session/loading.h"

#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/perf_data_writer.h"
#include "record/recording_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"
#include "base/file/file_map.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// perf gives its sums of off-CPU time a time that is none: OFF_CPU_TIMESTAMP of
// tools/perf/util/off_cpu.h.
#define OFF_CPU_TIMESTAMP (~UINT64_C(0) << 32)

static const uint64_t ids[] = {1, 2, 3};

static void make_event(struct perf_data_event *event, const char *name, uint64_t config, size_t id)
{
	const uint32_t type = EVENT_ATTR_SOFTWARE, size = 128;
	*event = (struct perf_data_event){.name = name, .attr_size = size, .num_ids = 1};
	event->ids = &ids[id];
	memcpy(event->attr + PERF_ABI_ATTR_TYPE, &type, sizeof(type));
	memcpy(event->attr + PERF_ABI_ATTR_SIZE, &size, sizeof(size));
	memcpy(event->attr + PERF_ABI_ATTR_CONFIG, &config, sizeof(config));
	event_attr_set_written(event->attr, perf_data_writer_sample_type);
}

static struct record sample(uint32_t event, uint64_t time_ns, uint64_t period)
{
	static const uint64_t chain[] = {RECORD_CONTEXT_USER, 0x1000, 0x2000};
	return (struct record){
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = 7,
		.tid = 7,
		.time_ns = time_ns,
		.event = event,
		.sample = {.ip = 0x1000,
			   .period = period,
			   .chain = chain,
			   .chain_length = ARRAY_SIZE(chain)},
	};
}

static void write_recording(const char *path)
{
	enum { CPU_CLOCK = 0, BPF_OUTPUT = 10 };
	struct perf_data_event events[3];
	make_event(&events[0], "cpu-clock", CPU_CLOCK, 0);
	make_event(&events[1], "offcpu-time", BPF_OUTPUT, 1);
	make_event(&events[2], "wakeups", BPF_OUTPUT, 2);
	const struct record records[] = {
		{.kind = RECORD_MAP,
		 .mode = RECORD_MODE_USER,
		 .pid = 7,
		 .tid = 7,
		 .time_ns = 900,
		 .map = {.start = 0x1000,
			 .length = 0x2000,
			 .path = "/home/ann/prog",
			 .is_executable = true}},
		sample(0, 1000, 250),
		sample(2, 1500, 1),
		sample(0, 2000, 250),
		sample(1, OFF_CPU_TIMESTAMP, 5000000),
	};
	struct perf_data_writer *writer = NULL;
	assert_no_error(perf_data_writer_create(path, events, ARRAY_SIZE(events), &writer));
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		assert_no_error(perf_data_writer_record(writer, &records[i]));
	static const char *const arguments[] = {"wperf", "record", "/home/ann/prog", NULL};
	const struct perf_data_info info = {.host = "annspc", .arguments = arguments};
	assert_no_error(perf_data_writer_finish(writer, &info));
	perf_data_writer_destroy(writer);
}

static void load(const char *path, const char *copy_path, bool is_anonymous,
		 struct named_profile *ret)
{
	const struct loading_config config = {
		.path = path,
		.copy_path = copy_path,
		.is_anonymous = is_anonymous,
		.keeps_samples = true,
		.has_callers = true,
	};
	struct loading_notes notes;
	struct symbolizer *symbolizer = NULL;
	assert_no_error(loading_read(&config, ret, &notes, &symbolizer));
	symbolizer_destroy(symbolizer);
}

static void check_profile(const struct named_profile *profile)
{
	static const struct {
		const char *name, *unit;
		uint64_t weight;
	} expected[] = {
		{"cpu-clock", "nanoseconds", 500},
		{OFF_CPU_NAME, "nanoseconds", 5000000},
		{"wakeups", "events", 1},
	};
	assert_int_equal(profile->num_events, ARRAY_SIZE(expected));
	for (uint32_t i = 0; i < profile->num_events; i++) {
		const struct named_event *event = &profile->events[i];
		assert_string_equal(named_profile_text(profile, event->name), expected[i].name);
		assert_string_equal(named_profile_text(profile, event->unit), expected[i].unit);
		uint64_t weight = 0;
		for (size_t j = 0; j < profile->num_samples; j++)
			if (profile->samples[j].event == i)
				weight += profile->samples[j].weight;
		assert_int_equal(weight, expected[i].weight);
	}
	assert_int_equal(profile->duration_ns, 1000);
}

struct fixture {
	char path[64], copy_path[80];
};

static int set_up(void **state)
{
	static struct fixture fixture;
	snprintf(fixture.path, sizeof(fixture.path), "/tmp/wperf-loading-%d", (int)getpid());
	snprintf(fixture.copy_path, sizeof(fixture.copy_path), "%s.copy", fixture.path);
	write_recording(fixture.path);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	unlink(fixture->path);
	unlink(fixture->copy_path);
	return 0;
}

static void off_cpu_time_of_perf(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(named_profile_deinit) struct named_profile copied = {0};
	load(fixture->path, fixture->copy_path, false, &profile);
	check_profile(&profile);
	load(fixture->copy_path, NULL, false, &copied);
	check_profile(&copied);
	assert_string_equal(named_profile_text(&copied, copied.host), "annspc");
	assert_int_equal(copied.num_samples, profile.num_samples);
}

static void check_anonymous(const struct named_profile *profile)
{
	assert_string_equal(named_profile_text(profile, profile->host), "");
	assert_null(strstr(named_profile_text(profile, profile->command_line), "record"));
	bool has_program = false;
	for (uint32_t i = 0; i < profile->strings.num_entries; i++) {
		const char *text = named_profile_text(profile, i);
		assert_null(strstr(text, "ann"));
		has_program |= strcmp(text, "/home/user/prog") == 0;
	}
	assert_true(has_program);
}

static void names_are_left_out(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(named_profile_deinit) struct named_profile copied = {0};
	load(fixture->path, fixture->copy_path, true, &profile);
	check_anonymous(&profile);
	load(fixture->copy_path, NULL, false, &copied);
	check_anonymous(&copied);
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_no_error(file_map_open(&map, fixture->copy_path));
	assert_null(memmem(map.data, map.size, "ann", 3));
}

int loading_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(off_cpu_time_of_perf, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_are_left_out, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("loading", tests, NULL, NULL);
}
