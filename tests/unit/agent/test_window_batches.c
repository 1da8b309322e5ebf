// SPDX-License-Identifier: Apache-2.0

#include "agent/window_batches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/thread/thread.h"

#include "tests/unit/profile_fixture.h"

/** Above the largest number of a process: it has ended. */
enum { GONE = 1 << 23 };

static uint32_t thread_of(struct named_profile *profile, uint32_t pid, const char *name)
{
	struct named_thread thread = {
		.pid = pid, .tid = pid, .name = fixture_string(profile, name)};
	thread.process_name = thread.name;
	uint32_t index = 0;
	assert_no_error(named_profile_thread(profile, &thread, &index));
	return index;
}

static void add_sample(struct named_profile *profile, uint32_t thread, uint64_t weight)
{
	uint32_t frame = fixture_place(profile, "f", "f.c", 3), stack = 0;
	assert_no_error(stack_table_push(&profile->stacks, STACK_NONE, frame, &stack));
	const struct named_sample sample = {
		.weight = weight, .count = 1, .stack = stack, .thread = thread};
	assert_no_error(named_profile_add(profile, &sample));
}

static const struct fleet_batch *batch_of(const struct window_batches *batches, const char *service)
{
	for (size_t i = 0; i < batches->num_batches; i++)
		if (strcmp(fleet_batch_label(&batches->batches[i], "service.name"), service) == 0)
			return &batches->batches[i];
	return NULL;
}

static uint64_t weight_of(const struct fleet_batch *batch, uint32_t event)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < batch->profile.num_samples; i++)
		if (batch->profile.samples[i].event == event)
			sum += batch->profile.samples[i].weight;
	return sum;
}

struct fixture {
	struct named_profile profile;
	struct service_rules rules;
	struct services *services;
	struct sample_budgets budgets;
	struct sample_dice dice;
	struct window_request request;
	struct window_batches batches;
};

static void fixture_begin(struct fixture *fixture)
{
	static const struct fleet_label label = {(char *)"zone", (char *)"b"};
	*fixture = (struct fixture){.dice = {1}};
	assert_no_error(named_profile_init(&fixture->profile));
	const struct named_event event = {.name = fixture_string(&fixture->profile, "cycles")};
	uint32_t number;
	assert_no_error(named_profile_event(&fixture->profile, &event, &number));
	assert_no_error(services_create(&fixture->rules, &fixture->services));
	fixture->request = (struct window_request){
		.labels = &label,
		.num_labels = 1,
		.id = "a-1-7",
		.start_ns = 1000,
		.length_ns = 500,
		.num_dropped = 3,
		.num_lost = 4,
		.cost = {.cpu_ns = 70, .resident_bytes = 80},
		.dice = &fixture->dice,
		.budgets = &fixture->budgets,
		.factor = 1,
	};
}

static void fixture_divide(struct fixture *fixture)
{
	assert_no_error(services_look(fixture->services, &fixture->profile));
	assert_no_error(window_batches_create(&fixture->request, &fixture->profile,
					      fixture->services, &fixture->batches));
}

static void fixture_end(struct fixture *fixture)
{
	window_batches_deinit(&fixture->batches);
	services_destroy(fixture->services);
	service_rules_deinit(&fixture->rules);
	sample_budgets_deinit(&fixture->budgets);
	named_profile_deinit(&fixture->profile);
}

static void test_each_service_has_its_samples(void **state)
{
	struct fixture fixture;
	fixture_begin(&fixture);
	assert_no_error(service_rules_add(&fixture.rules, "shop-worker=shop"));
	uint32_t worker = thread_of(&fixture.profile, GONE, "shop-worker");
	uint32_t mail = thread_of(&fixture.profile, GONE + 1, "mail");
	uint32_t idle = thread_of(&fixture.profile, 0, "swapper");
	uint32_t own = thread_of(&fixture.profile, thread_own_process(), "wperf");
	const uint32_t threads[] = {worker, mail, idle, own, worker, mail};
	for (uint32_t i = 0; i < 6; i++)
		add_sample(&fixture.profile, threads[i], 1 << i);
	fixture_divide(&fixture);
	const struct window_batches *batches = &fixture.batches;
	assert_int_equal(batches->num_batches, 4);
	assert_int_equal(weight_of(batch_of(batches, "shop"), 0), 1 + 16);
	assert_int_equal(weight_of(batch_of(batches, "mail"), 0), 2 + 32);
	assert_int_equal(weight_of(batch_of(batches, "kernel"), 0), 4);
	const struct fleet_batch *agent = batch_of(batches, "wperf-agent");
	assert_int_equal(weight_of(agent, 0), 8);
	assert_int_equal(agent->profile.num_events, 3);
	assert_string_equal(named_profile_text(&agent->profile, agent->profile.events[1].name),
			    "agent-cpu");
	assert_int_equal(weight_of(agent, 1), 70);
	assert_int_equal(weight_of(agent, 2), 80);
	assert_int_equal(agent->num_dropped, 3);
	assert_int_equal(agent->profile.num_lost, 4);
	for (size_t i = 0; i < batches->num_batches; i++) {
		const struct fleet_batch *batch = &batches->batches[i];
		char id[32];
		snprintf(id, sizeof(id), "a-1-7-%zu", i);
		assert_string_equal(batch->id, id);
		assert_string_equal(fleet_batch_label(batch, "zone"), "b");
		assert_int_equal(batch->start_ns, 1000);
		assert_int_equal(batch->length_ns, 500);
		assert_true(batch == agent || (!batch->num_dropped && !batch->profile.num_lost &&
					       batch->profile.num_events == 1));
	}
	fixture_end(&fixture);
}

static void test_a_window_without_samples_has_the_agent(void **state)
{
	struct fixture fixture;
	fixture_begin(&fixture);
	fixture_divide(&fixture);
	assert_int_equal(fixture.batches.num_batches, 1);
	assert_int_equal(weight_of(batch_of(&fixture.batches, "wperf-agent"), 1), 70);
	fixture_end(&fixture);
}

static void test_windows_by_chance_weigh_more(void **state)
{
	struct fixture fixture;
	fixture_begin(&fixture);
	fixture.request.factor = 10;
	add_sample(&fixture.profile, thread_of(&fixture.profile, GONE, "mail"), 5);
	fixture_divide(&fixture);
	assert_int_equal(weight_of(batch_of(&fixture.batches, "mail"), 0), 50);
	// Not what is no sample.
	assert_int_equal(weight_of(batch_of(&fixture.batches, "wperf-agent"), 1), 70);
	assert_int_equal(fixture.profile.samples[0].weight, 5);
	fixture_end(&fixture);
}

static void test_a_budget_thins_each_service_by_itself(void **state)
{
	enum { MANY = 2000 };
	struct fixture fixture;
	fixture_begin(&fixture);
	fixture.budgets.per_hour = 720;
	fixture.request.steady_ns = UINT64_C(7200) * 1000000000;
	fixture.request.length_ns = UINT64_C(3600) * 1000000000;
	uint32_t busy = thread_of(&fixture.profile, GONE, "busy");
	for (uint32_t i = 0; i < MANY; i++)
		add_sample(&fixture.profile, busy, 100);
	add_sample(&fixture.profile, thread_of(&fixture.profile, GONE + 1, "mail"), 5);
	fixture_divide(&fixture);
	const struct fleet_batch *batch = batch_of(&fixture.batches, "busy");
	assert_in_range(batch->profile.num_samples, 600, 840);
	assert_in_range(weight_of(batch, 0), MANY * 80, MANY * 120);
	assert_int_equal(weight_of(batch_of(&fixture.batches, "mail"), 0), 5);
	fixture_end(&fixture);
}

/** Names are what programs call themselves: a request has a limit of batches. */
static void test_services_have_a_limit(void **state)
{
	struct fixture fixture;
	fixture_begin(&fixture);
	for (uint32_t i = 0; i < SERVICES_MAX + 50; i++) {
		char name[16];
		snprintf(name, sizeof(name), "p%u", i);
		add_sample(&fixture.profile, thread_of(&fixture.profile, GONE + i, name), 1);
	}
	fixture_divide(&fixture);
	assert_int_equal(fixture.batches.num_batches, SERVICES_MAX + 2);
	assert_int_equal(weight_of(batch_of(&fixture.batches, "other"), 0), 50);
	fixture_end(&fixture);
}

int window_batches_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_service_has_its_samples),
		cmocka_unit_test(test_a_window_without_samples_has_the_agent),
		cmocka_unit_test(test_windows_by_chance_weigh_more),
		cmocka_unit_test(test_a_budget_thins_each_service_by_itself),
		cmocka_unit_test(test_services_have_a_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
