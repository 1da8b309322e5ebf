// SPDX-License-Identifier: Apache-2.0

// The driver comes and goes, and does with what it gets.

#include "tests/mini_nt/checks/checks.h"

static void check_version(struct report *report, struct client *client)
{
	const struct wperf_version asked = {0};
	struct wperf_version version = {0};
	EXPECT_EQUAL(report,
		     client_ask(client, WPERF_PMU_CTL_QUERY_VERSION, &asked, sizeof(asked),
				&version, sizeof(version)),
		     STATUS_SUCCESS);
	EXPECT_EQUAL(report, version.major, 3);
	EXPECT_EQUAL(report, version.minor, 8);
}

void check_load(struct report *report)
{
	struct client client;
	client_begin_check(&client, report);
	EXPECT_EQUAL(report, exports_num_devices(), 1);
	check_version(report, &client);
	client_end_check(&client);
}

// Each with a client, some of which count or sample when the driver is taken from under them.
void check_many_loads(struct report *report)
{
	enum { NUM_LOADS = 1000, INTERVAL = 20000 };
	// The loader is the same under a hypervisor; it need not take as long again.
	unsigned num_loads = cpu_has_hypervisor() ? NUM_LOADS / 10 : NUM_LOADS;
	for (unsigned i = 0; i < num_loads; i++) {
		struct client client;
		int cpu = (int)(i % LAYOUT_NUM_CPUS);
		client_begin_check(&client, report);
		check_version(report, &client);
		if (i % 10 == 1)
			EXPECT_EQUAL(report, client_control_all(&client, WPERF_PMU_CTL_START),
				     STATUS_SUCCESS);
		else if (i % 10 == 2)
			EXPECT_EQUAL(report,
				     client_start_sampling(&client, cpu, WPERF_CYCLE_EVENT,
							   INTERVAL, 0),
				     STATUS_SUCCESS);
		client_end_check(&client);
	}
}

// Without the PMI cores count and do not sample; without a counter they say so.
void check_less_than_everything(struct report *report)
{
	enum { ALL = 0x3f, INTERVAL = 100000 };
	static const struct {
		struct exports_settings settings;
		NTSTATUS start, sample;
	} cases[] = {
		{{.refuses_pmi = true}, STATUS_SUCCESS, STATUS_NOT_SUPPORTED},
		{{.busy_counters = 5}, STATUS_SUCCESS, STATUS_SUCCESS},
		{{.busy_counters = ALL & ~8}, STATUS_SUCCESS, STATUS_SUCCESS},
		{{.busy_counters = ALL}, STATUS_INSUFFICIENT_RESOURCES, STATUS_INVALID_PARAMETER},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct client client;
		exports_settings = cases[i].settings;
		client_begin_check(&client, report);
		EXPECT_EQUAL(report, client_control_all(&client, WPERF_PMU_CTL_START),
			     cases[i].start);
		client_control_all(&client, WPERF_PMU_CTL_STOP);
		EXPECT_EQUAL(report,
			     client_start_sampling(&client, 0, WPERF_CYCLE_EVENT, INTERVAL, 0),
			     cases[i].sample);
		client_end_check(&client);
	}
}
