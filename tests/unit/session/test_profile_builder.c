// SPDX-License-Identifier: Apache-2.0

#include "session/profile_builder.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/profile_total.h"
#include "tests/unit/spe_samples.h"

// Code that is in no file, with names that the configuration brings.
static const struct symbolizer_name names[] = {
	{.address = 0x1000, .size = 0x100, .name = "outer"},
	{.address = 0x1100, .size = 0x100, .name = "inner"},
	{.address = 0x1200, .size = 0x100, .name = "last"},
	{.address = 0xffffffff81000000, .size = 0x1000, .name = "kernel_work"},
};

struct fixture {
	struct profile_builder *builder;
	struct symbolizer *symbolizer;
	struct named_profile profile;
};

static void set_up_with(struct fixture *fixture, const struct profile_builder_config *config)
{
	*fixture = (struct fixture){0};
	assert_no_error(profile_builder_create(config, &fixture->builder));
	assert_no_error(profile_builder_add_event(fixture->builder, &(struct named_event){0}));
	const struct symbolizer_config symbols = {.names = names, .num_names = ARRAY_SIZE(names)};
	assert_no_error(symbolizer_create(&symbols, &fixture->symbolizer));
}

static void set_up(struct fixture *fixture, bool keeps_samples, bool has_callers)
{
	const struct profile_builder_config config = {
		.machine = "x86_64", .keeps_samples = keeps_samples, .has_callers = has_callers};
	set_up_with(fixture, &config);
}

static void tear_down(struct fixture *fixture)
{
	named_profile_deinit(&fixture->profile);
	symbolizer_destroy(fixture->symbolizer);
	profile_builder_destroy(fixture->builder);
}

static void add_sample(struct fixture *fixture, uint64_t time_ns, const uint64_t *chain,
		       size_t length)
{
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = 7,
		.tid = 7,
		.time_ns = time_ns,
		.cpu = 0,
		.sample = {.ip = 0x1250, .period = 10, .chain = chain, .chain_length = length},
	};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

#define ADD_SAMPLE(fixture, time_ns, ...)                             \
	add_sample(fixture, time_ns, (const uint64_t[]){__VA_ARGS__}, \
		   sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void name_thread(struct fixture *fixture, const char *name)
{
	const struct record record = {
		.kind = RECORD_COMM, .pid = 7, .tid = 7, .comm = {.name = name}};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

static void finish(struct fixture *fixture)
{
	assert_no_error(
		profile_builder_finish(fixture->builder, fixture->symbolizer, &fixture->profile));
}

/** "outer;inner;last" of a sample. */
static void assert_stack(const struct fixture *fixture, size_t sample, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const struct named_profile *profile = &fixture->profile;
	uint32_t stack = profile->samples[sample].stack;
	uint32_t frames[32];
	size_t num_frames = 0;
	for (; stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent)
		frames[num_frames++] = profile->stacks.nodes[stack].frame;
	while (num_frames-- > 0) {
		const struct named_frame *frame = &profile->frames[frames[num_frames]];
		string_builder_append(&text,
				      named_profile_text(profile,
							 profile->functions[frame->function].name));
		if (num_frames)
			string_builder_append_char(&text, ';');
	}
	assert_string_equal(string_builder_peek(&text), expected);
}

static void a_chain_becomes_a_stack(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	// The return address 0x1100 is the end of "outer", not the begin of "inner".
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER, 0x1250, 0x1180, 0x1100);
	finish(&fixture);
	assert_stack(&fixture, 0, "outer;inner;last");
}

static void kernel_frames_come_on_top_of_users(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_KERNEL, 0xffffffff81000010, RECORD_CONTEXT_USER,
		   0x1250, 0x1080);
	finish(&fixture);
	assert_stack(&fixture, 0, "outer;last;kernel_work");
	const struct stack_node *leaf =
		&fixture.profile.stacks.nodes[fixture.profile.samples[0].stack];
	uint32_t function = fixture.profile.frames[leaf->frame].function;
	assert_int_equal(fixture.profile.functions[function].kind, FRAME_KERNEL);
}

static void without_callers_it_is_the_address_alone(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, false);
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER, 0x1250, 0x1180);
	finish(&fixture);
	assert_stack(&fixture, 0, "last");
}

/** A kernel thread's chain may be a context and nothing else. */
static void an_empty_chain_is_the_address(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER);
	finish(&fixture);
	assert_stack(&fixture, 0, "last");
}

static void equal_samples_are_added_up(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, false, true);
	for (uint64_t i = 0; i < 100; i++) {
		ADD_SAMPLE(&fixture, 100 + i, RECORD_CONTEXT_USER, 0x1250, 0x1080);
		ADD_SAMPLE(&fixture, 100 + i, RECORD_CONTEXT_USER, 0x1150, 0x1080);
	}
	finish(&fixture);
	assert_int_equal(fixture.profile.num_samples, 2);
	assert_stack(&fixture, 0, "outer;last");
	assert_stack(&fixture, 1, "outer;inner");
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(fixture.profile.samples[i].count, 100);
		assert_int_equal(fixture.profile.samples[i].weight, 1000);
	}
	assert_int_equal(fixture.profile.start_time_ns, 100);
	assert_int_equal(fixture.profile.duration_ns, 99);
}

static void samples_with_times_stay_apart(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	ADD_SAMPLE(&fixture, 5, RECORD_CONTEXT_USER, 0x1250);
	ADD_SAMPLE(&fixture, 6, RECORD_CONTEXT_USER, 0x1250);
	finish(&fixture);
	assert_int_equal(fixture.profile.num_samples, 2);
	assert_int_equal(fixture.profile.samples[1].time_ns, 6);
	assert_int_equal(fixture.profile.samples[0].stack, fixture.profile.samples[1].stack);
}

static void threads_are_known_by_their_names_of_the_time(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	name_thread(&fixture, "before");
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER, 0x1250);
	name_thread(&fixture, "after");
	ADD_SAMPLE(&fixture, 2, RECORD_CONTEXT_USER, 0x1250);
	finish(&fixture);
	const struct named_profile *profile = &fixture.profile;
	static const char *const expected[] = {"before", "after"};
	for (size_t i = 0; i < 2; i++) {
		const struct named_thread *thread = &profile->threads[profile->samples[i].thread];
		assert_string_equal(named_profile_text(profile, thread->name), expected[i]);
		assert_int_equal(thread->pid, 7);
	}
}

static uint64_t total_of(const struct named_profile *profile, const char *function)
{
	uint64_t total = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct stack_node *leaf = &profile->stacks.nodes[profile->samples[i].stack];
		uint32_t number = profile->frames[leaf->frame].function;
		if (!strcmp(named_profile_text(profile, profile->functions[number].name), function))
			total += profile->samples[i].count;
	}
	return total;
}

static const struct named_profile *take(struct fixture *fixture)
{
	const struct named_profile *profile;
	assert_no_error(profile_builder_take(fixture->builder, fixture->symbolizer, &profile));
	return profile;
}

static void what_is_taken_is_what_came_since(bool keeps_samples)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, keeps_samples, true);
	assert_int_equal(take(&fixture)->num_samples, 0);
	for (uint64_t i = 0; i < 5; i++)
		ADD_SAMPLE(&fixture, i, RECORD_CONTEXT_USER, 0x1250, 0x1080);
	const struct named_profile *profile = take(&fixture);
	assert_int_equal(total_of(profile, "last"), 5);
	size_t num_functions = profile->num_functions;
	assert_int_equal(take(&fixture)->num_samples, 0);
	ADD_SAMPLE(&fixture, 10, RECORD_CONTEXT_USER, 0x1150, 0x1080);
	ADD_SAMPLE(&fixture, 11, RECORD_CONTEXT_USER, 0x1250, 0x1080);
	ADD_SAMPLE(&fixture, 12, RECORD_CONTEXT_USER, 0x1250, 0x1080);
	profile = take(&fixture);
	assert_int_equal(total_of(profile, "last"), 2);
	assert_int_equal(total_of(profile, "inner"), 1);
	assert_int_equal(profile->num_functions, num_functions + 1);
	assert_int_equal(profile_builder_totals(fixture.builder).num_samples, 8);
}

static void a_recording_is_taken_in_pieces(void **state)
{
	what_is_taken_is_what_came_since(false);
	what_is_taken_is_what_came_since(true);
}

static void add_block(struct fixture *fixture, uint64_t block, const uint64_t *chain, size_t length)
{
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = 7,
		.tid = 7,
		.sample = {.ip = chain[1],
			   .period = 10,
			   .chain = chain,
			   .chain_length = length,
			   .block = block},
	};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

static void free_block(struct fixture *fixture, uint64_t block)
{
	const struct record record = {.kind = RECORD_FREE, .freed = {.block = block}};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

/** Each time all of it, whenever it was allocated; and once at the end. */
static void memory_in_use_is_taken_as_it_is(void **state)
{
	static const uint64_t last[] = {RECORD_CONTEXT_USER, 0x1250};
	static const uint64_t inner[] = {RECORD_CONTEXT_USER, 0x1150};
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, false, true);
	add_block(&fixture, 1, last, ARRAY_SIZE(last));
	add_block(&fixture, 2, last, ARRAY_SIZE(last));
	assert_int_equal(total_of(take(&fixture), "last"), 2);
	assert_int_equal(total_of(take(&fixture), "last"), 2);
	add_block(&fixture, 3, inner, ARRAY_SIZE(inner));
	free_block(&fixture, 1);
	const struct named_profile *profile = take(&fixture);
	assert_true(profile->events[0].is_state);
	assert_int_equal(total_of(profile, "last"), 1);
	assert_int_equal(total_of(profile, "inner"), 1);
	free_block(&fixture, 2);
	assert_no_error(profile_builder_end(fixture.builder, 100));
	profile = take(&fixture);
	assert_int_equal(profile->num_samples, 1);
	assert_int_equal(total_of(profile, "inner"), 1);
}

static void what_is_not_there_is_unknown(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER, 0x9000, 0x1080);
	finish(&fixture);
	assert_stack(&fixture, 0, "outer;[unknown]");
}

/** Longer than anything sane: the outermost callers are said to be missing. */
static void endless_chains_are_cut(void **state)
{
	enum { LENGTH = 5000 };
	static uint64_t chain[LENGTH];
	chain[0] = RECORD_CONTEXT_USER;
	for (size_t i = 1; i < LENGTH; i++)
		chain[i] = 0x1150;
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	add_sample(&fixture, 1, chain, LENGTH);
	finish(&fixture);
	const struct named_profile *profile = &fixture.profile;
	uint32_t node = profile->samples[0].stack;
	assert_true(profile->stacks.nodes[node].depth < LENGTH);
	while (profile->stacks.nodes[node].parent != STACK_NONE)
		node = profile->stacks.nodes[node].parent;
	const struct named_frame *outermost = &profile->frames[profile->stacks.nodes[node].frame];
	assert_string_equal(named_profile_text(profile,
					       profile->functions[outermost->function].name),
			    "[truncated stack]");
}

/** From where the calls went that have not returned: the instruction itself, no return address. */
static void recorded_calls_are_callers(void **state)
{
	static const struct record_branch calls[] = {{0x1180, 0x1200, 0}, {0x1000, 0x1100, 0}};
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	profile_builder_destroy(fixture.builder);
	const struct profile_builder_config config = {.machine = "x86_64",
						      .keeps_samples = true,
						      .has_callers = true,
						      .has_call_branches = true};
	assert_no_error(profile_builder_create(&config, &fixture.builder));
	assert_no_error(profile_builder_add_event(fixture.builder, &(struct named_event){0}));
	struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = 7,
		.tid = 7,
		.sample = {.ip = 0x1250, .branches = calls, .num_branches = ARRAY_SIZE(calls)},
	};
	assert_no_error(profile_builder_add(fixture.builder, &record));
	const uint64_t kernel_chain[] = {RECORD_CONTEXT_KERNEL, 0xffffffff81000010};
	record.mode = RECORD_MODE_KERNEL;
	record.sample.ip = kernel_chain[1];
	record.sample.chain = kernel_chain;
	record.sample.chain_length = ARRAY_SIZE(kernel_chain);
	assert_no_error(profile_builder_add(fixture.builder, &record));
	finish(&fixture);
	assert_stack(&fixture, 0, "outer;inner;last");
	assert_stack(&fixture, 1, "outer;inner;kernel_work");
}

/** So it stands in files for a stack that was cut. */
static void the_caller_at_1_is_not_known(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER, 0x1250, 0x1080, 1);
	finish(&fixture);
	assert_stack(&fixture, 0, "[truncated stack];outer;last");
}

static void lost_records_are_counted(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	const struct record lost = {.kind = RECORD_LOST, .num_lost = 12};
	assert_no_error(profile_builder_add(fixture.builder, &lost));
	assert_no_error(profile_builder_add(fixture.builder, &lost));
	finish(&fixture);
	assert_int_equal(fixture.profile.num_lost, 24);
	assert_int_equal(fixture.profile.num_samples, 0);
}

static void map_file(struct fixture *fixture, const char *path)
{
	const struct record record = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = 7,
		.tid = 7,
		.map = {.start = 0x400000, .length = 0x1000, .path = path, .is_executable = true},
	};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

static const char *module_of_sample(const struct fixture *fixture, size_t sample)
{
	const struct named_profile *profile = &fixture->profile;
	uint32_t leaf = profile->stacks.nodes[profile->samples[sample].stack].frame;
	uint32_t module = profile->functions[profile->frames[leaf].function].module;
	return named_profile_text(profile, profile->modules[module].path);
}

static void places_are_of_the_file_that_was_there_at_the_time(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	map_file(&fixture, "/nonexistent/first");
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER, 0x400010);
	map_file(&fixture, "/nonexistent/second");
	ADD_SAMPLE(&fixture, 2, RECORD_CONTEXT_USER, 0x400010);
	finish(&fixture);
	assert_string_equal(module_of_sample(&fixture, 0), "/nonexistent/first");
	assert_string_equal(module_of_sample(&fixture, 1), "/nonexistent/second");
}

static void map_in_kernel(struct fixture *fixture, uint64_t start, const char *path)
{
	const struct record record = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_KERNEL,
		.pid = UINT32_MAX,
		.map = {.start = start, .length = 0x1000, .path = path, .is_executable = true},
	};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

static void images_of_the_kernel_have_their_places(void **state)
{
	const uint64_t at = 0xfffff80102000000;
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	map_in_kernel(&fixture, at, "C:\\Windows\\a.sys");
	map_in_kernel(&fixture, at + 0x1000, "C:\\Windows\\b.sys");
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_KERNEL, at + 0x10, RECORD_CONTEXT_USER, 0x1080);
	ADD_SAMPLE(&fixture, 2, RECORD_CONTEXT_KERNEL, at + 0x1010, RECORD_CONTEXT_USER, 0x1080);
	map_in_kernel(&fixture, at, "C:\\Windows\\later.sys"); // where the first one was
	ADD_SAMPLE(&fixture, 3, RECORD_CONTEXT_KERNEL, at + 0x10, RECORD_CONTEXT_USER, 0x1080);
	ADD_SAMPLE(&fixture, 4, RECORD_CONTEXT_KERNEL, at + 0x2010, RECORD_CONTEXT_USER, 0x1080);
	finish(&fixture);
	assert_string_equal(module_of_sample(&fixture, 0), "C:\\Windows\\a.sys");
	assert_string_equal(module_of_sample(&fixture, 1), "C:\\Windows\\b.sys");
	assert_string_equal(module_of_sample(&fixture, 2), "C:\\Windows\\later.sys");
	assert_string_equal(module_of_sample(&fixture, 3), "[kernel]");
	assert_stack(&fixture, 0, "outer;[unknown]");
	for (size_t i = 0; i < fixture.profile.num_functions; i++)
		if (fixture.profile.functions[i].module != NAMED_NONE)
			assert_int_equal(fixture.profile.functions[i].kind, FRAME_KERNEL);
}

static void modules_of_the_last_sample_are_used(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, true);
	map_file(&fixture, "/nonexistent/first");
	map_file(&fixture, "/nonexistent/second");
	ADD_SAMPLE(&fixture, 1, RECORD_CONTEXT_USER, 0x400010);
	_cleanup_free_ bool *used = NULL;
	assert_no_error(profile_builder_used_modules(fixture.builder, &used));
	const struct module_table *modules = &profile_builder_processes(fixture.builder)->modules;
	for (size_t i = 0; i < modules->num_items; i++)
		assert_int_equal(used[i], !strcmp(modules->items[i].path, "/nonexistent/second"));
}

/** More than any room for chains can hold; each has a leaf of its own. */
static void long_chains_are_told_apart(void **state)
{
	enum { NUM_CHAINS = 100, LENGTH = 2000 };
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, false, true);
	uint64_t chain[LENGTH] = {RECORD_CONTEXT_USER};
	for (size_t i = 2; i < LENGTH; i++)
		chain[i] = 0x1180;
	for (size_t i = 0; i < 3 * NUM_CHAINS; i++) {
		chain[1] = 0x1200 + i % NUM_CHAINS;
		add_sample(&fixture, i, chain, LENGTH);
	}
	finish(&fixture);
	assert_int_equal(fixture.profile.num_samples, NUM_CHAINS);
	for (size_t i = 0; i < NUM_CHAINS; i++) {
		const struct named_sample *sample = &fixture.profile.samples[i];
		assert_int_equal(sample->count, 3);
		assert_int_equal(fixture.profile.stacks.nodes[sample->stack].depth, LENGTH - 1);
	}
}

static void switch_thread(struct fixture *fixture, uint64_t time_ns, bool is_out)
{
	const struct record record = {
		.kind = RECORD_SWITCH,
		.pid = 7,
		.tid = 7,
		.time_ns = time_ns,
		.change = {.is_out = is_out},
	};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

static void set_up_off_cpu(struct fixture *fixture)
{
	const struct profile_builder_config config = {
		.machine = "x86_64", .has_callers = true, .has_off_cpu = true};
	set_up_with(fixture, &config);
}

static void an_absence_weighs_its_time(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up_off_cpu(&fixture);
	switch_thread(&fixture, 5, false); // its beginning was not seen
	ADD_SAMPLE(&fixture, 10, RECORD_CONTEXT_USER, 0x1150, 0x1010);
	switch_thread(&fixture, 11, true);
	switch_thread(&fixture, 111, false);
	ADD_SAMPLE(&fixture, 120, RECORD_CONTEXT_USER, 0x1150, 0x1010);
	switch_thread(&fixture, 121, true);
	switch_thread(&fixture, 171, false);
	finish(&fixture);
	assert_int_equal(fixture.profile.num_samples, 1);
	assert_int_equal(fixture.profile.samples[0].weight, 150);
	assert_int_equal(fixture.profile.samples[0].count, 2);
	assert_stack(&fixture, 0, "outer;inner");
}

static void an_absence_without_its_sample_has_no_stack(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up_off_cpu(&fixture);
	switch_thread(&fixture, 100, true);
	switch_thread(&fixture, 130, false);
	struct profile_builder_totals totals = profile_builder_totals(fixture.builder);
	assert_int_equal(totals.num_unsampled, 1);
	finish(&fixture);
	assert_int_equal(fixture.profile.samples[0].weight, 30);
	assert_stack(&fixture, 0, "[truncated stack]");
}

static void who_is_away_at_the_end_was_until_then(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up_off_cpu(&fixture);
	ADD_SAMPLE(&fixture, 10, RECORD_CONTEXT_USER, 0x1150, 0x1010);
	switch_thread(&fixture, 10, true);
	assert_no_error(profile_builder_end(fixture.builder, 1010));
	const struct thread_time *time =
		thread_times_find(profile_builder_thread_times(fixture.builder), 0, 0);
	assert_int_equal(thread_time_total(time).weight, 1000);
	assert_null(thread_times_find(profile_builder_thread_times(fixture.builder), 1, 0));
	finish(&fixture);
	assert_int_equal(fixture.profile.samples[0].weight, 1000);
	assert_int_equal(fixture.profile.duration_ns, 1000);
}

static void tell_task(struct fixture *fixture, uint64_t time_ns, enum record_kind kind)
{
	const struct record record = {.kind = kind, .pid = 7, .tid = 7, .time_ns = time_ns};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

static void who_has_ended_is_not_away(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up_off_cpu(&fixture);
	switch_thread(&fixture, 100, true);
	tell_task(&fixture, 130, RECORD_EXIT); // that it was back was not told
	ADD_SAMPLE(&fixture, 131, RECORD_CONTEXT_USER, 0x1150, 0x1010);
	switch_thread(&fixture, 131, true);
	assert_no_error(profile_builder_end(fixture.builder, 1000));
	finish(&fixture);
	assert_int_equal(fixture.profile.num_samples, 1);
	assert_int_equal(fixture.profile.samples[0].weight, 30);
}

static void a_number_may_be_that_of_another_thread_later(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up_off_cpu(&fixture);
	tell_task(&fixture, 10, RECORD_EXIT);
	switch_thread(&fixture, 11, true);
	tell_task(&fixture, 20, RECORD_FORK);
	switch_thread(&fixture, 30, true);
	switch_thread(&fixture, 35, false);
	finish(&fixture);
	assert_int_equal(fixture.profile.num_samples, 1);
	assert_int_equal(fixture.profile.samples[0].weight, 5);
}

static void samples_without_the_gil_may_be_left_out(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	const struct profile_builder_config config = {.machine = "x86_64", .only_with_gil = true};
	set_up_with(&fixture, &config);
	struct record record = {.kind = RECORD_SAMPLE,
				.mode = RECORD_MODE_USER,
				.pid = 7,
				.tid = 7,
				.time_ns = 1,
				.sample = {.ip = 0x1250, .period = 10}};
	for (int gil = 0; gil < GIL_NUM_STATES; gil++) {
		record.sample.gil = (enum gil_state)gil;
		assert_no_error(profile_builder_add(fixture.builder, &record));
		assert_int_equal(profile_builder_has_left_out(fixture.builder), gil != GIL_HELD);
	}
	assert_int_equal(profile_builder_totals(fixture.builder).num_left_out, 3);
	finish(&fixture);
	assert_int_equal(fixture.profile.num_samples, 1);
}

/** Unlike one that the system has from now on. */
static void a_given_name_is_that_of_all_samples(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, true, false);
	name_thread(&fixture, "python3");
	struct record sample = {.kind = RECORD_SAMPLE,
				.mode = RECORD_MODE_USER,
				.pid = 7,
				.tid = 8,
				.sample = {.ip = 0x1250, .period = 10}};
	struct record comm = {.kind = RECORD_COMM, .pid = 7, .tid = 8};
	static const struct record_comm names_of_thread[] = {
		{.name = "Thread-1 (work)", .is_given = true},
		{.name = "loader", .is_given = true},
		{.name = "own"},
		{.name = "saver", .is_given = true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(names_of_thread); i++) {
		assert_no_error(profile_builder_add(fixture.builder, &sample));
		comm.comm = names_of_thread[i];
		assert_no_error(profile_builder_add(fixture.builder, &comm));
	}
	assert_no_error(profile_builder_add(fixture.builder, &sample));
	finish(&fixture);
	const struct named_profile *profile = &fixture.profile;
	static const char *const expected[] = {"loader", "loader", "loader", "own", "own"};
	assert_int_equal(profile->num_samples, ARRAY_SIZE(expected));
	assert_int_equal(profile->num_threads, 2);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct named_thread *thread = &profile->threads[profile->samples[i].thread];
		assert_string_equal(named_profile_text(profile, thread->name), expected[i]);
		assert_string_equal(named_profile_text(profile, thread->process_name), "python3");
	}
}

static void add_spe(struct fixture *fixture, uint32_t tid, const struct spe_record *spe)
{
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = 7,
		.tid = tid,
		.sample = {.ip = 0x1250, .period = 10, .spe = spe},
	};
	assert_no_error(profile_builder_add(fixture->builder, &record));
}

static void set_up_spe(struct fixture *fixture, bool tells_threads)
{
	*fixture = (struct fixture){0};
	const struct profile_builder_config config = {
		.machine = "aarch64", .with_spe = true, .tells_spe_threads = tells_threads};
	assert_no_error(profile_builder_create(&config, &fixture->builder));
	assert_no_error(profile_builder_add_event(fixture->builder, &(struct named_event){0}));
	const struct symbolizer_config symbols = {.names = names, .num_names = ARRAY_SIZE(names)};
	assert_no_error(symbolizer_create(&symbols, &fixture->symbolizer));
}

static const char *leaf_name(const struct named_profile *profile, uint32_t stack)
{
	uint32_t frame = profile->stacks.nodes[stack].frame;
	return named_profile_text(profile,
				  profile->functions[profile->frames[frame].function].name);
}

static void what_spe_tells_is_summed_up(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up_spe(&fixture, false);
	const struct spe_record load = spe_test_access(false, 0x7000, 30);
	const struct spe_record branch = spe_test_branch(1, 0, 0x1010);
	for (uint32_t i = 0; i < 100; i++) {
		add_spe(&fixture, 7 + i % 2, &load);
		add_spe(&fixture, 7, &branch);
	}
	finish(&fixture);
	const struct spe_profile *spe = fixture.profile.spe;
	assert_non_null(spe);
	assert_int_equal(spe->sums.num_samples, 200);
	assert_int_equal(spe->sums.num_groups, 2);
	assert_string_equal(leaf_name(&fixture.profile, spe->sums.groups[0].stack), "last");
	assert_int_equal(spe->targets.num_items, 1);
	assert_string_equal(leaf_name(&fixture.profile, spe->targets.items[0].to), "outer");
	assert_int_equal(spe->lines.num_samples, 100);
	assert_int_equal(spe->lines.num_accesses, 2);
}

static void latency_is_an_event_of_its_own(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up_spe(&fixture, true);
	const struct spe_record load = spe_test_access(false, 0x7000, 30);
	add_spe(&fixture, 7, &load);
	add_spe(&fixture, 8, &load);
	finish(&fixture);
	const struct named_profile *profile = &fixture.profile;
	assert_int_equal(profile->num_events, 2);
	assert_string_equal(named_profile_text(profile, profile->events[1].name), "spe-latency");
	assert_string_equal(named_profile_text(profile, profile->events[1].unit), "cycles");
	struct named_total samples = profile_total(profile, 0);
	assert_int_equal(samples.count, 2);
	assert_int_equal(samples.weight, 20);
	struct named_total latency = profile_total(profile, 1);
	assert_int_equal(latency.count, 2);
	assert_int_equal(latency.weight, 60);
	assert_int_equal(profile->spe->sums.num_groups, 2); // each thread's
}

static void spe_is_a_sample_like_others_where_it_is_not_wanted(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture, false, false);
	const struct spe_record load = spe_test_access(false, 0x7000, 30);
	add_spe(&fixture, 7, &load);
	finish(&fixture);
	assert_null(fixture.profile.spe);
	assert_int_equal(fixture.profile.num_events, 1);
	assert_int_equal(fixture.profile.num_samples, 1);
}

int profile_builder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_becomes_a_stack),
		cmocka_unit_test(kernel_frames_come_on_top_of_users),
		cmocka_unit_test(without_callers_it_is_the_address_alone),
		cmocka_unit_test(an_empty_chain_is_the_address),
		cmocka_unit_test(equal_samples_are_added_up),
		cmocka_unit_test(samples_with_times_stay_apart),
		cmocka_unit_test(threads_are_known_by_their_names_of_the_time),
		cmocka_unit_test(a_recording_is_taken_in_pieces),
		cmocka_unit_test(memory_in_use_is_taken_as_it_is),
		cmocka_unit_test(what_is_not_there_is_unknown),
		cmocka_unit_test(endless_chains_are_cut),
		cmocka_unit_test(recorded_calls_are_callers),
		cmocka_unit_test(the_caller_at_1_is_not_known),
		cmocka_unit_test(lost_records_are_counted),
		cmocka_unit_test(places_are_of_the_file_that_was_there_at_the_time),
		cmocka_unit_test(images_of_the_kernel_have_their_places),
		cmocka_unit_test(modules_of_the_last_sample_are_used),
		cmocka_unit_test(long_chains_are_told_apart),
		cmocka_unit_test(an_absence_weighs_its_time),
		cmocka_unit_test(an_absence_without_its_sample_has_no_stack),
		cmocka_unit_test(who_is_away_at_the_end_was_until_then),
		cmocka_unit_test(who_has_ended_is_not_away),
		cmocka_unit_test(a_number_may_be_that_of_another_thread_later),
		cmocka_unit_test(samples_without_the_gil_may_be_left_out),
		cmocka_unit_test(a_given_name_is_that_of_all_samples),
		cmocka_unit_test(what_spe_tells_is_summed_up),
		cmocka_unit_test(latency_is_an_event_of_its_own),
		cmocka_unit_test(spe_is_a_sample_like_others_where_it_is_not_wanted),
	};
	return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
