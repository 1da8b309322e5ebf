// SPDX-License-Identifier: Apache-2.0

// The machine of the driver on Arm64, on a kernel that is not there (fake_kernel.h): whether it
// counts and samples what happened, and gives back whatever it took, also when something fails.

#include "driver/windows/machine.h"
#include "tests/windows/driver/fake_kernel.h"

#include <stdio.h>
#include <string.h>

enum { CLIENT = 1, PERIOD_NS = 10000000, CORE = 2 };

static unsigned num_checks, num_failed;

static void check_at(bool good, const char *what, int line)
{
	num_checks++;
	if (good)
		return;
	num_failed++;
	printf("line %d: %s\n", line, what);
}

#define CHECK(good) check_at(good, #good, __LINE__)

static enum driver_status ask(struct machine *machine, uint32_t code, const void *in,
			      size_t in_size, void *out, size_t out_size)
{
	size_t size;
	return machine_request(machine, CLIENT, code, in, in_size, out, out_size, &size);
}

static void lock(struct machine *machine)
{
	struct wperf_lock_request get = {WPERF_LOCK_GET};
	struct wperf_lock_reply reply;
	CHECK(ask(machine, WPERF_PMU_CTL_LOCK_ACQUIRE, &get, sizeof(get), &reply, sizeof(reply)) ==
	      DRIVER_OK);
	CHECK(machine_owner(machine) == CLIENT);
}

static void check_nothing_left(void)
{
	CHECK(fake_kernel.num_pools == 0);
	CHECK(fake_kernel.num_handles == 0);
	CHECK(fake_kernel.num_providers == 0);
	CHECK(fake_kernel.handler == NULL);
	CHECK(fake_kernel.num_timers == 0);
	CHECK(fake_kernel.num_masked == 0);
	CHECK(fake_kernel.num_faults == 0);
	CHECK(fake_kernel.sim.num_faults == 0);
}

static struct machine *create(void)
{
	struct machine *machine = NULL;
	fake_kernel_init();
	CHECK(machine_probe() == STATUS_SUCCESS);
	CHECK(machine_create(&machine) == STATUS_SUCCESS);
	lock(machine);
	return machine;
}

static struct wperf_control control_of(unsigned cpu)
{
	return (struct wperf_control){
		.cores_count = 1,
		.cores_no = {(uint8_t)cpu},
		.period = 10,
		.flags = WPERF_CONTROL_CORE,
	};
}

static void check_description(void)
{
	struct machine *machine = create();
	uint32_t any = 0;
	struct wperf_hw_cfg config;
	struct wperf_dsu_topology topology = {2, 2};
	struct wperf_dsu_cfg dsu;
	CHECK(ask(machine, WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any), &config,
		  sizeof(config)) == DRIVER_OK);
	CHECK(config.core_num == FAKE_CPUS);
	CHECK(config.total_gpc_num == FAKE_COUNTERS && config.gpc_num == FAKE_COUNTERS - 1);
	CHECK(config.counter_idx_map[0] == 1 && config.pmsidr_el1_value != 0);
	CHECK(ask(machine, WPERF_DSU_CTL_INIT, &topology, sizeof(topology), &dsu, sizeof(dsu)) ==
	      DRIVER_NOT_SUPPORTED); // nobody said that it may be touched
	machine_destroy(machine);
	check_nothing_left();
}

static void check_counting(void)
{
	struct machine *machine = create();
	struct wperf_control control = control_of(CORE);
	struct wperf_core_counts counts;
	struct {
		struct wperf_event_assign head;
		struct wperf_event_header header;
		uint16_t events[4]; // no padding behind them
	} assign = {
		.head = {.core_idx = CORE},
		.header = {.event_class = WPERF_CLASS_CORE, .num = 4},
		.events = {0x08, 0x1b, 0x03, 0x04},
	};
	CHECK(ask(machine, WPERF_PMU_CTL_ASSIGN_EVENTS, &assign, sizeof(assign), NULL, 0) ==
	      DRIVER_OK);
	CHECK(ask(machine, WPERF_PMU_CTL_START, &control, sizeof(control), NULL, 0) == DRIVER_OK);
	CHECK(fake_kernel.num_timers == 1);
	for (unsigned i = 0; i < 20; i++)
		fake_kernel_tick(PERIOD_NS);
	CHECK(ask(machine, WPERF_PMU_CTL_READ_COUNTING, &control, sizeof(control), &counts,
		  sizeof(counts)) == DRIVER_OK);
	CHECK(counts.evts[0].value == sim_truth(&fake_kernel.sim, CORE, WPERF_CYCLE_EVENT, true));
	CHECK(counts.evts[1].value == sim_truth(&fake_kernel.sim, CORE, 0x08, true));
	CHECK(counts.evts[2].value == sim_truth(&fake_kernel.sim, CORE, 0x1b, true));
	CHECK(counts.evts[1].value > 0);
	CHECK(ask(machine, WPERF_PMU_CTL_STOP, &control, sizeof(control), NULL, 0) == DRIVER_OK);
	CHECK(fake_kernel.num_timers == 0);
	CHECK(ask(machine, WPERF_PMU_CTL_START, &control, sizeof(control), NULL, 0) == DRIVER_OK);
	machine_close(machine, CLIENT); // a client that died while it counted
	CHECK(fake_kernel.num_timers == 0 && machine_owner(machine) == DRIVER_CLIENT_NONE);
	machine_destroy(machine);
	check_nothing_left();
}

// Four events on four counters, from the second on (create()): what is written adds up to counts.
static void check_count_log(bool hears)
{
	struct machine *machine = create();
	struct wperf_control control = control_of(CORE);
	struct wperf_core_counts counts;
	struct {
		struct wperf_event_assign head;
		struct wperf_event_header header;
		uint16_t events[4];
	} assign = {
		.head = {.core_idx = CORE},
		.header = {.event_class = WPERF_CLASS_CORE, .num = 4},
		.events = {0x08, 0x1b, 0x03, 0x04},
	};
	fake_kernel.hears = hears;
	CHECK(ask(machine, WPERF_PMU_CTL_ASSIGN_EVENTS, &assign, sizeof(assign), NULL, 0) ==
	      DRIVER_OK);
	CHECK(ask(machine, WPERF_PMU_CTL_START, &control, sizeof(control), NULL, 0) == DRIVER_OK);
	CHECK(fake_kernel.num_events == 0);
	for (unsigned i = 0; i < 20; i++)
		fake_kernel_tick(PERIOD_NS);
	CHECK(fake_kernel.num_events == (hears ? 20 * 5 : 0));
	CHECK(ask(machine, WPERF_PMU_CTL_STOP, &control, sizeof(control), NULL, 0) == DRIVER_OK);
	CHECK(ask(machine, WPERF_PMU_CTL_READ_COUNTING, &control, sizeof(control), &counts,
		  sizeof(counts)) == DRIVER_OK);
	for (unsigned i = 0; i < 4 && hears; i++) {
		CHECK(fake_kernel.heard[i + 1] == counts.evts[i + 1].value);
		CHECK(fake_kernel.heard_event[i + 1] == assign.events[i]);
	}
	CHECK(counts.evts[1].value > 0);
	CHECK(fake_kernel.heard[FAKE_COUNTERS] == (hears ? counts.evts[0].value : 0));
	machine_destroy(machine);
	check_nothing_left();
}

static void check_features(bool has_trace, const char *expected)
{
	struct machine *machine = NULL;
	struct wperf_version version = {0};
	const struct wperf_version asked = {0};
	fake_kernel_init();
	fake_kernel.has_no_trace = !has_trace;
	CHECK(machine_create(&machine) == STATUS_SUCCESS);
	lock(machine);
	CHECK(ask(machine, WPERF_PMU_CTL_QUERY_VERSION, &asked, sizeof(asked), &version,
		  sizeof(version)) == DRIVER_OK);
	for (size_t i = 0; i <= strlen(expected); i++)
		CHECK(version.featurestring[i] == (uint16_t)expected[i]);
	machine_destroy(machine);
	check_nothing_left();
}

static void check_sampling(void)
{
	static struct {
		struct wperf_ring_answer head;
		struct wperf_ring_sample sample;
	} answer;
	struct machine *machine = create();
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event event;
	} source = {{CORE}, {WPERF_CYCLE_EVENT, 100000, WPERF_FILTER_EXCLUDE_EL1}};
	struct wperf_ring_start start = {.control = control_of(CORE), .max_callers = 8};
	struct wperf_ring_read read = {CORE};
	const struct trap_frame frame = {.spsr = 0, .lr = 0x1000, .fp = 0x7000, .pc = 0x2000};
	CHECK(ask(machine, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source), NULL, 0) ==
	      DRIVER_OK);
	CHECK(ask(machine, WPERF_RING_CTL_START, &start, sizeof(start), NULL, 0) == DRIVER_OK);
	fake_kernel.sim.now_ns += 50000; // 125,000 cycles, nine in ten of them not in the kernel
	fake_kernel_interrupt(CORE, &frame);
	fake_kernel_interrupt(CORE + 1, &frame); // nobody's
	CHECK(ask(machine, WPERF_RING_CTL_READ, &read, sizeof(read), &answer, sizeof(answer)) ==
	      DRIVER_OK);
	CHECK(answer.head.size == sizeof(answer.sample) && answer.head.left == 0);
	CHECK(answer.sample.pc == 0x2000 && answer.sample.lr == 0x1000);
	CHECK(answer.sample.pid == 4711 && answer.sample.tid == 4712 + CORE);
	CHECK(answer.sample.core == CORE && answer.sample.flags == 0);
	machine_destroy(machine);
	check_nothing_left();
}

static void check_dsu(void)
{
	struct machine *machine = NULL;
	struct wperf_dsu_topology topology = {2, 2};
	struct wperf_dsu_cfg dsu;
	fake_kernel_init();
	fake_kernel.dsu_cluster_size = 2;
	CHECK(machine_create(&machine) == STATUS_SUCCESS);
	lock(machine);
	CHECK(ask(machine, WPERF_DSU_CTL_INIT, &topology, sizeof(topology), &dsu, sizeof(dsu)) ==
	      DRIVER_OK);
	machine_destroy(machine);
	check_nothing_left();
}

// Of the allocations the first is the machine; without the others something is missing.
static void check_failures(void)
{
	for (unsigned i = 1; i <= 3; i++) {
		struct machine *machine = NULL;
		fake_kernel_init();
		fake_kernel.num_allocations = i;
		NTSTATUS status = machine_create(&machine);
		CHECK((status == STATUS_INSUFFICIENT_RESOURCES) == (i == 1));
		if (machine)
			machine_destroy(machine);
		check_nothing_left();
	}
}

static enum driver_status start_counting(struct machine *machine)
{
	struct wperf_control control = control_of(CORE);
	return ask(machine, WPERF_PMU_CTL_START, &control, sizeof(control), NULL, 0);
}

// Whom the HAL does not tell of overflows counts all the same.
static void check_refused_handler(void)
{
	struct machine *machine = NULL;
	uint32_t any = 0;
	struct wperf_ring_info info;
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event event;
	} source = {{CORE}, {WPERF_CYCLE_EVENT, 100000, WPERF_FILTER_EXCLUDE_EL1}};
	fake_kernel_init();
	fake_kernel.refuses_handler = true;
	CHECK(machine_create(&machine) == STATUS_SUCCESS);
	lock(machine);
	CHECK(ask(machine, WPERF_RING_CTL_QUERY, &any, sizeof(any), &info, sizeof(info)) ==
	      DRIVER_NOT_SUPPORTED);
	CHECK(ask(machine, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source), NULL, 0) ==
	      DRIVER_NOT_SUPPORTED);
	CHECK(start_counting(machine) == DRIVER_OK);
	machine_destroy(machine);
	check_nothing_left();
}

// All in one request, or those that are left one by one; and none.
static void check_counters_of_others(void)
{
	enum { ALL = (1 << (FAKE_COUNTERS + 1)) - 1 };
	static const struct {
		uint32_t busy;
		unsigned num_requests, num_handles, num_free;
	} cases[] = {
		{0, 1, 1, FAKE_COUNTERS},
		{1 << 2 | 1 << 3, 2 + FAKE_COUNTERS, FAKE_COUNTERS - 1, FAKE_COUNTERS - 2},
		{ALL & ~(1u << 4), 2 + FAKE_COUNTERS, 1, 0},
		{ALL, 2 + FAKE_COUNTERS, 0, 0},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine *machine = NULL;
		uint32_t any = 0;
		struct wperf_hw_cfg config;
		fake_kernel_init();
		fake_kernel.busy_counters = cases[i].busy;
		CHECK(machine_create(&machine) == STATUS_SUCCESS);
		lock(machine);
		CHECK(fake_kernel.num_counter_requests == cases[i].num_requests);
		CHECK(fake_kernel.num_handles == cases[i].num_handles);
		CHECK(ask(machine, WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any), &config,
			  sizeof(config)) == DRIVER_OK);
		CHECK(config.gpc_num == cases[i].num_free);
		CHECK(start_counting(machine) ==
		      (cases[i].num_handles ? DRIVER_OK : DRIVER_INSUFFICIENT_RESOURCES));
		machine_destroy(machine);
		check_nothing_left();
	}
}

// The cores were off meanwhile, and no tick may touch them.
static void check_sleep(void)
{
	struct machine *machine = create();
	struct wperf_control control = control_of(CORE);
	struct wperf_core_counts counts;
	CHECK(start_counting(machine) == DRIVER_OK);
	for (unsigned i = 0; i < 3; i++)
		fake_kernel_tick(PERIOD_NS);
	uint64_t before = sim_truth(&fake_kernel.sim, CORE, WPERF_CYCLE_EVENT, true);
	machine_suspend(machine);
	sim_switch_off(&fake_kernel.sim, CORE);
	for (unsigned i = 0; i < 3; i++)
		fake_kernel_tick(PERIOD_NS);
	uint64_t slept = sim_truth(&fake_kernel.sim, CORE, WPERF_CYCLE_EVENT, true) - before;
	machine_resume(machine);
	for (unsigned i = 0; i < 3; i++)
		fake_kernel_tick(PERIOD_NS);
	CHECK(ask(machine, WPERF_PMU_CTL_READ_COUNTING, &control, sizeof(control), &counts,
		  sizeof(counts)) == DRIVER_OK);
	CHECK(counts.evts[0].value ==
	      sim_truth(&fake_kernel.sim, CORE, WPERF_CYCLE_EVENT, true) - slept);
	machine_destroy(machine);
	check_nothing_left();
}

int main(void)
{
	check_description();
	check_counting();
	check_count_log(true);
	check_count_log(false);
	check_features(true, "+etw-drv+spe");
	check_features(false, "+spe");
	check_sampling();
	check_dsu();
	check_failures();
	check_refused_handler();
	check_counters_of_others();
	check_sleep();
	printf("%u checks, %u failed\n", num_checks, num_failed);
	return num_failed != 0;
}
