// SPDX-License-Identifier: Apache-2.0

// Counts of eight CPUs, to the last event, and what is left out of them.

#include "tests/mini_nt/checks/checks.h"

uint64_t checks_user_address(const void *code)
{
	return LAYOUT_USER_VIRTUAL + (uint64_t)((const uint8_t *)code - user_increment);
}

void checks_increment_everywhere(uint64_t rounds)
{
	struct thread *threads[LAYOUT_NUM_CPUS];
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		threads[i] = thread_create_user(i, user_increment, rounds + i, 0);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		thread_join(threads[i]);
}

static void start_counting(struct report *report, struct client *client)
{
	EXPECT_EQUAL(report, client_assign(client, EVENT_SW_INCR, 0), STATUS_SUCCESS);
	EXPECT_EQUAL(report, client_control_all(client, WPERF_PMU_CTL_START), STATUS_SUCCESS);
}

// Over ticks, with a read in between; what happens after the stop is not counted.
void check_exact_counts(struct report *report)
{
	enum { ROUNDS = 400000 };
	struct client client;
	client_begin_check(&client, report);
	start_counting(report, &client);
	checks_increment_everywhere(ROUNDS);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		EXPECT_EQUAL(report, client_count_of(&client, i).value, ROUNDS + i);
	checks_increment_everywhere(ROUNDS);
	EXPECT_EQUAL(report, client_control_all(&client, WPERF_PMU_CTL_STOP), STATUS_SUCCESS);
	checks_increment_everywhere(ROUNDS);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++) {
		struct client_count count = client_count_of(&client, i);
		EXPECT_EQUAL(report, count.value, 2 * (ROUNDS + i));
		EXPECT_EQUAL(report, count.scheduled, count.round);
		EXPECT_WITHIN(report, count.round, 2, 100);
	}
	EXPECT_EQUAL(report, client_losses(&client).lost_rounds, 0);
	client_end_check(&client);
}

// Every switch of threads compares them (thread.c); here the driver does everything meanwhile.
void check_cycles_follow_the_clock(struct report *report)
{
	enum { ROUNDS = 100000, INTERVAL = 30000 };
	struct client client;
	uint64_t before[LAYOUT_NUM_CPUS];
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		before[i] = cpus[i].num_switches;
	client_begin_check(&client, report);
	start_counting(report, &client);
	checks_increment_everywhere(ROUNDS);
	EXPECT_EQUAL(report, client_control_all(&client, WPERF_PMU_CTL_STOP), STATUS_SUCCESS);
	checks_increment_everywhere(ROUNDS);
	EXPECT_EQUAL(report,
		     client_start_sampling(&client, CLIENT_ALL_CPUS, WPERF_CYCLE_EVENT, INTERVAL,
					   0),
		     STATUS_SUCCESS);
	checks_increment_everywhere(ROUNDS);
	client_end_check(&client);
	checks_increment_everywhere(ROUNDS);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		EXPECT_WITHIN(report, cpus[i].num_switches - before[i], 8, UINT64_MAX);
}

static void power_down(void *unused)
{
	KIRQL irql = cpu_raise(PROFILE_LEVEL);
	cpu_power_down();
	cpu_lower(irql);
}

static void switch_off_and_on(unsigned index)
{
	struct thread *thread = thread_create(index, THREAD_HIGH_PRIORITY, power_down, NULL);
	while (cpus[index].is_on)
		thread_sleep_ms(1);
	cpu_start(index);
	thread_join(thread);
}

// A core comes back with an empty PMU. What is not in the counts is reported, the others go on.
void check_switched_off(struct report *report)
{
	enum { ROUNDS = 100000, OFF = 3, NUM_OFF = 2, PERIOD_MS = 10 };
	struct client client;
	client_begin_check(&client, report);
	start_counting(report, &client);
	checks_increment_everywhere(ROUNDS);
	thread_sleep_ms(PERIOD_MS + 2); // a tick takes what was counted
	for (unsigned i = 0; i < NUM_OFF; i++) {
		switch_off_and_on(OFF);
		thread_sleep_ms(PERIOD_MS + 2); // another one sees that
	}
	checks_increment_everywhere(ROUNDS);
	EXPECT_EQUAL(report, client_control_all(&client, WPERF_PMU_CTL_STOP), STATUS_SUCCESS);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		EXPECT_EQUAL(report, client_count_of(&client, i).value, 2 * (ROUNDS + i));
	EXPECT_EQUAL(report, client_losses(&client).lost_rounds, NUM_OFF);
	client_end_check(&client);
}

// The driver was installed for a device, and is told of the sleep.
void check_sleep(struct report *report)
{
	enum { ROUNDS = 100000, OFF = 5 };
	struct client client;
	exports_settings.has_device = true;
	EXPECT_EQUAL(report, client_load_driver(), STATUS_SUCCESS);
	EXPECT_EQUAL(report, client_add_device(), STATUS_SUCCESS);
	EXPECT_EQUAL(report, client_open_locked(&client), STATUS_SUCCESS);
	start_counting(report, &client);
	checks_increment_everywhere(ROUNDS);
	EXPECT_EQUAL(report, client_set_system_power(PowerSystemSleeping3), STATUS_SUCCESS);
	checks_increment_everywhere(ROUNDS);
	switch_off_and_on(OFF);
	EXPECT_EQUAL(report, client_count_of(&client, 1).value, ROUNDS + 1);
	EXPECT_EQUAL(report, client_set_system_power(PowerSystemWorking), STATUS_SUCCESS);
	checks_increment_everywhere(ROUNDS);
	EXPECT_EQUAL(report, client_control_all(&client, WPERF_PMU_CTL_STOP), STATUS_SUCCESS);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		EXPECT_EQUAL(report, client_count_of(&client, i).value, 2 * (ROUNDS + i));
	EXPECT_EQUAL(report, client_losses(&client).lost_rounds, 0);
	client_close(&client);
	client_remove_device();
	client_unload_driver();
}
