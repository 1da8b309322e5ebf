// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/steps.h"

#include "driver/include/wperf_driver.h"
#include "tests/windows/driver/answer.h"

static struct answer answer; // too large for a stack

static void lock(struct door *door, const char *what, uint32_t code, uint32_t flag)
{
	struct wperf_lock_request request = {flag};
	answer_ask(door, code, &request, sizeof(request), sizeof(uint32_t), &answer);
	answer_tell(what, &answer);
}

static void acquire(struct door *door, const char *what, uint32_t flag)
{
	lock(door, what, WPERF_PMU_CTL_LOCK_ACQUIRE, flag);
}

static void ask(struct door *door, const char *what)
{
	struct wperf_control control = {.cores_count = 1, .flags = WPERF_CONTROL_CORE};
	answer_ask(door, WPERF_PMU_CTL_START, &control, sizeof(control), 0, &answer);
	answer_tell(what, &answer);
	answer_ask(door, WPERF_PMU_CTL_READ_COUNTING, &control, sizeof(control),
		   sizeof(struct wperf_core_counts), &answer);
	answer_tell(what, &answer);
}

bool steps_lock(void)
{
	struct door *alice = door_open();
	if (!alice)
		return false;
	struct door *bob = door_open();
	door_pass_time(alice, 0);
	ask(alice, "alice, who did not ask for the lock");
	acquire(alice, "alice gets it", WPERF_LOCK_GET);
	acquire(bob, "bob does not", WPERF_LOCK_GET);
	lock(bob, "nor can he release it", WPERF_PMU_CTL_LOCK_RELEASE, WPERF_LOCK_RELEASE);
	ask(alice, "alice counts");
	acquire(bob, "bob takes it", WPERF_LOCK_GET_FORCE);
	ask(alice, "alice lost it");
	ask(bob, "bob counts");
	door_close(bob);
	acquire(alice, "bob is gone", WPERF_LOCK_GET);
	ask(alice, "alice counts");
	lock(alice, "and gives it back", WPERF_PMU_CTL_LOCK_RELEASE, WPERF_LOCK_RELEASE);
	door_close(alice);
	return true;
}
