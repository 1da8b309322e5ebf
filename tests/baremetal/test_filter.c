// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/client.h"
#include "tests/baremetal/events.h"
#include "tests/baremetal/tests.h"
#include "tests/baremetal/user_mode.h"

enum { PERIOD_MS = 10, ROUNDS = 10000 };

// Cycles come first, always; an event counts cycles, too.
static const uint16_t events[] = {INST_RETIRED, CPU_CYCLES};
enum { NUM_EVENTS = sizeof(events) / sizeof(events[0]) };

struct work {
	uint64_t kernel_rounds, user_rounds;
};

static NOT_INLINED struct wperf_core_counts count(const struct client *client, uint64_t filter,
						  struct work work)
{
	client_assign(client, events, NUM_EVENTS, filter);
	client_start(client, PERIOD_MS);
	loop_of_sums(work.kernel_rounds);
	user_mode_run(loop_of_sums, work.user_rounds);
	client_stop(client);
	return client_read(client);
}

void test_without_el1(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	for (uint64_t rounds = 1; rounds <= ROUNDS; rounds *= 10) {
		struct work work = {2 * ROUNDS - rounds, rounds};
		struct wperf_core_counts counts = count(&client, WPERF_FILTER_EXCLUDE_EL1, work);
		for (unsigned i = 0; i <= NUM_EVENTS; i++) {
			EXPECT_EQUAL(report, counts.evts[i].filter_bits, WPERF_FILTER_EXCLUDE_EL1);
			EXPECT_EQUAL(report, counts.evts[i].value,
				     rounds * LOOP_ROUND + LOOP_EXTRA + USER_MODE_EXTRA);
		}
	}
}

void test_without_el0(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	uint64_t filter = WPERF_FILTER_EXCLUDE_EL0;
	struct wperf_core_counts base = count(&client, filter, (struct work){ROUNDS, ROUNDS});
	struct wperf_core_counts user = count(&client, filter, (struct work){ROUNDS, 3 * ROUNDS});
	struct wperf_core_counts kernel = count(&client, filter, (struct work){2 * ROUNDS, ROUNDS});
	for (unsigned i = 0; i <= NUM_EVENTS; i++) {
		EXPECT_EQUAL(report, user.evts[i].value, base.evts[i].value);
		EXPECT_EQUAL(report, kernel.evts[i].value - base.evts[i].value,
			     ROUNDS * LOOP_ROUND);
	}
}
