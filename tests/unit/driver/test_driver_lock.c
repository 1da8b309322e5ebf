// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/sim_fixture.h"

static enum wperf_lock_status get(struct sim *sim, driver_client client)
{
	return ask_for_lock(sim, client, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET);
}

static enum wperf_lock_status force(struct sim *sim, driver_client client)
{
	return ask_for_lock(sim, client, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET_FORCE);
}

static enum wperf_lock_status release(struct sim *sim, driver_client client)
{
	return ask_for_lock(sim, client, WPERF_PMU_CTL_LOCK_RELEASE, WPERF_LOCK_RELEASE);
}

// May this client use the driver? A request that needs the lock tells.
static bool may_use(struct sim *sim, driver_client client)
{
	uint32_t any = 0;
	struct answer answer = ask(sim, client, WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any));
	if (answer.status == DRIVER_OK)
		return true;
	assert_int_equal(answer.status, DRIVER_INVALID_DEVICE_STATE);
	return false;
}

static int setup(void **state)
{
	struct sim_config config = full_machine();
	*state = create_sim(&config);
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void test_get_and_release(void **state)
{
	struct sim *sim = *state;
	assert_false(may_use(sim, ALICE));
	assert_int_equal(get(sim, ALICE), WPERF_LOCK_ACQUIRED);
	assert_int_equal(get(sim, ALICE), WPERF_LOCK_ACQUIRED);
	assert_true(may_use(sim, ALICE));
	assert_int_equal(release(sim, ALICE), WPERF_LOCK_IDLE);
	assert_false(may_use(sim, ALICE));
}

static void test_second_client_waits(void **state)
{
	struct sim *sim = *state;
	get(sim, ALICE);
	assert_int_equal(get(sim, BOB), WPERF_LOCK_BUSY);
	assert_int_equal(release(sim, BOB), WPERF_LOCK_BUSY);
	assert_true(may_use(sim, ALICE));
	assert_false(may_use(sim, BOB));
	release(sim, ALICE);
	assert_int_equal(get(sim, BOB), WPERF_LOCK_ACQUIRED);
}

static void test_force_robs(void **state)
{
	struct sim *sim = *state;
	get(sim, ALICE);
	assert_int_equal(force(sim, BOB), WPERF_LOCK_ACQUIRED);
	assert_false(may_use(sim, ALICE));
	assert_true(may_use(sim, BOB));
	assert_int_equal(release(sim, ALICE), WPERF_LOCK_BUSY);
	assert_true(may_use(sim, BOB));
}

static void test_force_of_idle_and_own_lock(void **state)
{
	struct sim *sim = *state;
	assert_int_equal(force(sim, ALICE), WPERF_LOCK_ACQUIRED);
	assert_int_equal(force(sim, ALICE), WPERF_LOCK_ACQUIRED);
	assert_true(may_use(sim, ALICE));
}

static void test_release_of_idle_lock(void **state)
{
	assert_int_equal(release(*state, ALICE), WPERF_LOCK_BUSY);
}

static void test_close_releases(void **state)
{
	struct sim *sim = *state;
	get(sim, ALICE);
	sim_close(sim, ALICE);
	assert_false(may_use(sim, ALICE));
	assert_int_equal(get(sim, BOB), WPERF_LOCK_ACQUIRED);
}

static void test_close_of_another_client_changes_nothing(void **state)
{
	struct sim *sim = *state;
	get(sim, ALICE);
	force(sim, BOB);
	sim_close(sim, ALICE); // the robbed one gives up
	sim_close(sim, DRIVER_CLIENT_NONE);
	assert_true(may_use(sim, BOB));
}

static void test_wrong_flags(void **state)
{
	static const struct {
		uint32_t code, flag;
	} wrong[] = {
		{WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_RELEASE},
		{WPERF_PMU_CTL_LOCK_ACQUIRE, 3},
		{WPERF_PMU_CTL_LOCK_ACQUIRE, UINT32_MAX},
		{WPERF_PMU_CTL_LOCK_RELEASE, WPERF_LOCK_GET},
		{WPERF_PMU_CTL_LOCK_RELEASE, WPERF_LOCK_GET_FORCE},
		{WPERF_PMU_CTL_LOCK_RELEASE, 3},
	};
	struct sim *sim = *state;
	get(sim, ALICE);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct answer answer = ask(sim, BOB, wrong[i].code, &wrong[i].flag, 4);
		assert_int_equal(answer.status, DRIVER_INVALID_PARAMETER);
		assert_false(answer.out_touched);
		answer = ask(sim, ALICE, wrong[i].code, &wrong[i].flag, 4);
		assert_int_equal(answer.status, DRIVER_INVALID_PARAMETER);
	}
	assert_true(may_use(sim, ALICE));
}

// A client that cannot learn that it has the lock must not have it.
static void test_no_room_for_the_answer(void **state)
{
	struct sim *sim = *state;
	uint32_t flag = WPERF_LOCK_GET_FORCE;
	for (size_t out_size = 0; out_size < sizeof(struct wperf_lock_reply); out_size++) {
		struct answer answer = ask_sized(sim, BOB, WPERF_PMU_CTL_LOCK_ACQUIRE, &flag,
						 sizeof(flag), out_size);
		assert_int_equal(answer.status, DRIVER_INSUFFICIENT_RESOURCES);
		assert_false(answer.out_touched);
		assert_false(may_use(sim, BOB));
	}
}

static void test_nobody_never_holds_it(void **state)
{
	struct driver_lock lock = {.owner = DRIVER_CLIENT_NONE};
	assert_false(driver_lock_is_held_by(&lock, DRIVER_CLIENT_NONE));
	assert_false(driver_lock_drop(&lock, DRIVER_CLIENT_NONE));
}

#define LOCK_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int driver_lock_tests(void)
{
	const struct CMUnitTest tests[] = {
		LOCK_TEST(test_get_and_release),
		LOCK_TEST(test_second_client_waits),
		LOCK_TEST(test_force_robs),
		LOCK_TEST(test_force_of_idle_and_own_lock),
		LOCK_TEST(test_release_of_idle_lock),
		LOCK_TEST(test_close_releases),
		LOCK_TEST(test_close_of_another_client_changes_nothing),
		LOCK_TEST(test_wrong_flags),
		LOCK_TEST(test_no_room_for_the_answer),
		cmocka_unit_test(test_nobody_never_holds_it),
	};
	return cmocka_run_group_tests_name("driver_lock", tests, NULL, NULL);
}
