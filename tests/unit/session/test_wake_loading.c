// SPDX-License-Identifier: Apache-2.0

/** Recordings with wake-ups: what becomes of waits, of their wakers, and of what is damaged. */

#include "session/loading.h"

#include "base/text/string_builder.h"
#include "catalog/linux/system_event.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/perf_data_writer.h"
#include "record/wake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Thread 7 waits for 8, which waits for 9 of another process, which is woken by a timer.

// There is a second event of wake-ups, as no recorder makes it: files may say anything.

enum { OFF_CPU, WAKE, WAKE_TOO, NUM_EVENTS };

static void make_event(struct perf_data_event *event, const char *name, uint64_t config,
		       const uint64_t *id)
{
	const uint32_t type = EVENT_ATTR_SOFTWARE, size = 128;
	const uint64_t period = 1, mark = WAKE_EVENT_MARK, flags = PERF_ABI_ATTR_SWITCHES;
	*event = (struct perf_data_event){.name = name, .attr_size = size, .num_ids = 1, .ids = id};
	memcpy(event->attr + PERF_ABI_ATTR_TYPE, &type, sizeof(type));
	memcpy(event->attr + PERF_ABI_ATTR_SIZE, &size, sizeof(size));
	memcpy(event->attr + PERF_ABI_ATTR_CONFIG, &config, sizeof(config));
	memcpy(event->attr + PERF_ABI_ATTR_PERIOD, &period, sizeof(period));
	if (config == SYSTEM_EVENT_BPF_OUTPUT)
		memcpy(event->attr + PERF_ABI_ATTR_CONFIG1, &mark, sizeof(mark));
	else
		memcpy(event->attr + PERF_ABI_ATTR_FLAGS, &flags, sizeof(flags));
	event_attr_set_written(event->attr, perf_data_writer_sample_type);
}

static struct record sample_of(uint32_t pid, uint32_t tid, uint64_t time_ns, uint32_t event,
			       const uint64_t *chain)
{
	return (struct record){
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = tid,
		.time_ns = time_ns,
		.event = event,
		.sample = {.ip = chain[1], .period = 1, .chain = chain, .chain_length = 2},
	};
}

static void add(struct perf_data_writer *writer, const struct record *record)
{
	assert_no_error(perf_data_writer_record(writer, record));
}

static void add_switch(struct perf_data_writer *writer, uint32_t tid, uint64_t time_ns, bool is_out)
{
	const struct record record = {
		.kind = RECORD_SWITCH,
		.pid = 7,
		.tid = tid,
		.time_ns = time_ns,
		.change = {.is_out = is_out, .other_pid = UINT32_MAX, .other_tid = UINT32_MAX},
	};
	add(writer, &record);
}

static void leave(struct perf_data_writer *writer, uint32_t tid, uint64_t time_ns,
		  const uint64_t *chain)
{
	const struct record record = sample_of(7, tid, time_ns, OFF_CPU, chain);
	add(writer, &record);
	add_switch(writer, tid, time_ns, true);
}

/** @size: of the payload that is written. */
static void add_wake(struct perf_data_writer *writer, struct record record, const struct wake *wake,
		     size_t size)
{
	record.sample.payload = (const uint8_t *)wake;
	record.sample.payload_size = size;
	add(writer, &record);
}

static void write_recording(const char *path)
{
	static const uint64_t ids[] = {1, 2, 3};
	static const uint64_t waits[] = {RECORD_CONTEXT_USER, 0x1000};
	static const uint64_t waits_too[] = {RECORD_CONTEXT_USER, 0x1100};
	static const uint64_t gives[] = {RECORD_CONTEXT_USER, 0x1200};
	static const uint64_t foreign[] = {RECORD_CONTEXT_USER, 0x1300};
	struct perf_data_event events[NUM_EVENTS];
	make_event(&events[OFF_CPU], "context-switches", 3, &ids[0]);
	make_event(&events[WAKE], WAKE_EVENT, SYSTEM_EVENT_BPF_OUTPUT, &ids[1]);
	make_event(&events[WAKE_TOO], WAKE_EVENT, SYSTEM_EVENT_BPF_OUTPUT, &ids[2]);
	struct perf_data_writer *writer = NULL;
	assert_no_error(perf_data_writer_create(path, events, NUM_EVENTS, &writer));
	leave(writer, 7, 100, waits);
	leave(writer, 8, 200, waits_too);
	const struct wake by_stranger = {7, 8, WAKE_BY_THREAD, "stranger"};
	add_wake(writer, sample_of(5, 9, 300, WAKE, foreign), &by_stranger, sizeof(by_stranger));
	add_switch(writer, 8, 310, false);
	struct wake damaged = {7, 7, WAKE_NUM_CAUSES, "damaged"};
	add_wake(writer, sample_of(7, 8, 320, WAKE, gives), &damaged, sizeof(damaged));
	damaged = (struct wake){7, 7, WAKE_BY_THREAD, {0}};
	memset(damaged.name, 'x', sizeof(damaged.name));
	add_wake(writer, sample_of(7, 8, 321, WAKE, gives), &damaged, sizeof(damaged));
	add_wake(writer, sample_of(7, 8, 322, WAKE, gives), &by_stranger, 8);
	const struct wake by_8 = {7, 7, WAKE_BY_THREAD, "eight"};
	add_wake(writer, sample_of(7, 8, 350, WAKE, gives), &by_8, sizeof(by_8));
	add_switch(writer, 7, 360, false);
	leave(writer, 7, 400, waits);
	const struct wake by_timer = {7, 7, WAKE_BY_TIMER, ""};
	add_wake(writer, sample_of(5, 5, 900, WAKE, foreign), &by_timer, sizeof(by_timer));
	add_switch(writer, 7, 910, false);
	leave(writer, 7, 1000, waits);
	add_switch(writer, 7, 1020, false);
	assert_no_error(perf_data_writer_finish(writer, &(struct perf_data_info){0}));
	perf_data_writer_destroy(writer);
}

static void load(const char *path, const char *copy_path, bool joins, struct named_profile *ret,
		 struct loading_notes *ret_notes)
{
	const struct loading_config config = {
		.path = path,
		.copy_path = copy_path,
		.joins_wakers = joins,
		.keeps_samples = true,
		.has_callers = true,
	};
	struct symbolizer *symbolizer = NULL;
	assert_no_error(loading_read(&config, ret, ret_notes, &symbolizer));
	symbolizer_destroy(symbolizer);
}

struct fixture {
	char path[64], copy_path[80];
};

static int set_up(void **state)
{
	static struct fixture fixture;
	snprintf(fixture.path, sizeof(fixture.path), "/tmp/wperf-wakes-%d", (int)getpid());
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

static const struct wait_sum *find_wait(const struct named_profile *profile, enum wait_end end,
					uint32_t tid)
{
	for (size_t i = 0; i < profile->waits.num_items; i++) {
		const struct wait_sum *sum = &profile->waits.items[i];
		if (sum->end == end && profile->threads[sum->thread].tid == tid)
			return sum;
	}
	fail();
	return NULL;
}

static void check_waits(const struct named_profile *profile, const struct loading_notes *notes)
{
	assert_int_equal(profile->waits.num_items, 4);
	const struct wait_sum *sum = find_wait(profile, WAIT_END_THREAD, 7);
	assert_int_equal(sum->total_ns, 260);
	assert_int_equal(profile->threads[sum->waker].tid, 8);
	sum = find_wait(profile, WAIT_END_THREAD, 8);
	assert_int_equal(sum->count, 1);
	const struct named_thread *waker = &profile->threads[sum->waker];
	assert_int_equal(waker->pid, 5);
	assert_int_equal(waker->tid, 9);
	assert_string_equal(named_profile_text(profile, waker->name), "stranger");
	sum = find_wait(profile, WAIT_END_TIMER, 7);
	assert_int_equal(sum->max_ns, 510);
	assert_int_equal(sum->waker, NAMED_NONE);
	assert_int_equal(sum->waker_stack, STACK_NONE);
	assert_int_equal(find_wait(profile, WAIT_END_UNKNOWN, 7)->total_ns, 20);
	assert_int_equal(notes->totals.num_bad_wakes, 3);
}

static uint64_t weight_of(const struct named_profile *profile, uint32_t event)
{
	uint64_t weight = 0;
	for (size_t i = 0; i < profile->num_samples; i++)
		if (profile->samples[i].event == event)
			weight += profile->samples[i].weight;
	return weight;
}

static void waits_have_their_wakers(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(named_profile_deinit) struct named_profile copied = {0};
	struct loading_notes notes;
	load(fixture->path, fixture->copy_path, false, &profile, &notes);
	check_waits(&profile, &notes);
	assert_int_equal(weight_of(&profile, OFF_CPU), 260 + 110 + 510 + 20);
	assert_int_equal(weight_of(&profile, WAKE), 250 + 100); // until the wake-up
	load(fixture->copy_path, NULL, false, &copied, &notes);
	assert_int_equal(copied.waits.num_items, 4);
}

/** The stack from its outermost frame, with ";" between. */
static void write_stack(const struct named_profile *profile, uint32_t stack,
			struct string_builder *text)
{
	const struct stack_node *node = &profile->stacks.nodes[stack];
	if (node->parent != STACK_NONE)
		write_stack(profile, node->parent, text);
	const struct named_frame *frame = &profile->frames[node->frame];
	const struct named_function *function = &profile->functions[frame->function];
	if (function->kind == FRAME_MARKER)
		string_builder_appendf(text, "%s;", named_profile_text(profile, function->name));
	else
		string_builder_appendf(text, "%x;", (unsigned)frame->address);
}

static void wakers_stand_on_the_stacks(void **state)
{
	static const char *const expected[] = {
		"1100;[woken by stranger];1300;",
		"1000;[woken by eight];1200;[woken by stranger];1300;",
		"1000;[woken by a timer];",
		"1000;",
	};
	struct fixture *fixture = *state;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct loading_notes notes;
	load(fixture->path, NULL, true, &profile, &notes);
	size_t num = 0;
	for (size_t i = 0; i < profile.num_samples; i++) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		if (profile.samples[i].event != OFF_CPU)
			continue;
		write_stack(&profile, profile.samples[i].stack, &text);
		assert_true(num < ARRAY_SIZE(expected));
		assert_string_equal(string_builder_peek(&text), expected[num++]);
	}
	assert_int_equal(num, ARRAY_SIZE(expected));
}

int wake_loading_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(waits_have_their_wakers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(wakers_stand_on_the_stacks, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("wake_loading", tests, NULL, NULL);
}
