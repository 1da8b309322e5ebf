// SPDX-License-Identifier: Apache-2.0

// The source `driver` through its operations, before devices of many kinds: ours, WindowsPerf's,
// older and newer ones, one that another client takes away, one that dies. Behind all of them is
// the driver's core on simulated registers; time passes as the source waits.

#include "source/driver/driver_device.h"
#include "source/driver/source_driver.h"
#include "source/source.h"

#include "base/container/array.h"
#include "driver/sim/sim.h"
#include "tests/unit/simulated_function.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define MS(n) ((uint64_t)(n)*1000000)

enum {
	INVALID_PARAMETER = 87,
	NOT_READY = 21,
	INSUFFICIENT_BUFFER = 122,
	STRANGER = 100,
	NUM_CORES = 4,
	LD_SPEC = 0x70,
	ADDED_BYTES = 24, // in a newer release
};

/** What a driver is like. */
struct guise {
	bool is_windowsperf;              // knows nothing of the ring
	uint8_t version[3];               // all zero: 3.8.0
	bool is_grown;                    // its structs have more members
	size_t hw_cfg_size, version_size; // if not 0: its structs end there
	uint32_t robbed_before;           // that code, once
	uint32_t dead_from;               // that code on
	bool is_absent;
	bool has_no_tree; // of devices
	bool ends_waits;  // at once, without enough samples
};

/** The one machine that all devices lead to. */
static struct world {
	struct guise guise;
	struct sim sim;
	driver_client last_client;
	bool was_robbed, is_dead;
} * world;

struct driver_device {
	driver_client client;
};

struct error *driver_device_open(const char *path, struct driver_device **ret)
{
	if (world->guise.is_absent)
		return error_create(ERROR_FAILED,
				    "error: No active device interfaces found.\nMore");
	struct driver_device *device = calloc(1, sizeof(*device));
	device->client = ++world->last_client;
	*ret = device;
	return NULL;
}

void driver_device_destroy(struct driver_device *device)
{
	if (device)
		sim_close(&world->sim, device->client);
	free(device);
}

static uint32_t send_as(driver_client client, uint32_t code, const void *in, size_t in_size,
			void *out, size_t out_size, size_t *ret_size)
{
	return driver_status_win32_error(
		sim_request(&world->sim, client, code, in, in_size, out, out_size, ret_size));
}

static void rob(void)
{
	struct wperf_lock_request request = {WPERF_LOCK_GET_FORCE};
	struct wperf_lock_reply reply;
	size_t size;
	world->was_robbed = true;
	send_as(STRANGER, WPERF_PMU_CTL_LOCK_ACQUIRE, &request, sizeof(request), &reply,
		sizeof(reply), &size);
}

static size_t size_of_struct(uint32_t code, size_t size)
{
	const struct guise *guise = &world->guise;
	size_t other = code == WPERF_PMU_CTL_QUERY_HW_CFG    ? guise->hw_cfg_size
		       : code == WPERF_PMU_CTL_QUERY_VERSION ? guise->version_size
							     : 0;
	return other ? other : size + (guise->is_grown ? ADDED_BYTES : 0);
}

static bool is_described(uint32_t code)
{
	return code == WPERF_PMU_CTL_QUERY_HW_CFG || code == WPERF_PMU_CTL_QUERY_VERSION;
}

static uint32_t request(void *context, uint32_t code, const void *in, size_t in_size, void *out,
			size_t out_size, size_t *ret_size)
{
	const struct driver_device *device = context;
	const struct guise *guise = &world->guise;
	if (guise->robbed_before == code && !world->was_robbed)
		rob();
	world->is_dead = world->is_dead || (guise->dead_from && guise->dead_from == code);
	if (world->is_dead)
		return NOT_READY;
	if (guise->is_windowsperf && code >= WPERF_RING_CTL_QUERY)
		return INVALID_PARAMETER;
	uint32_t win32_error = send_as(device->client, code, in, in_size, out, out_size, ret_size);
	if (win32_error || !is_described(code))
		return win32_error;
	size_t size = size_of_struct(code, *ret_size);
	if (size > out_size)
		return INSUFFICIENT_BUFFER;
	if (size > *ret_size)
		memset((uint8_t *)out + *ret_size, 0xa5, size - *ret_size);
	*ret_size = size;
	return 0;
}

static uint64_t now_ns(void *context)
{
	return world->sim.now_ns;
}

static void pass_time(void *context, uint64_t duration_ns)
{
	sim_advance(&world->sim, duration_ns);
}

static uint32_t wait_for_ring(void *context, uint64_t duration_ns)
{
	if (world->is_dead)
		return NOT_READY;
	sim_advance_until_enough(
		&world->sim, world->guise.ends_waits && duration_ns > MS(1) ? MS(1) : duration_ns);
	return 0;
}

struct driver_transport driver_device_transport(struct driver_device *device)
{
	return (struct driver_transport){
		.request = request,
		.context = device,
		.now_ns = now_ns,
		.pass_time = pass_time,
		.wait_for_ring = wait_for_ring,
	};
}

struct error *driver_device_list(struct probe *ret)
{
	return world->guise.is_absent
		       ? NULL
		       : probe_add_device(ret, "\\\\?\\ROOT#SYSTEM#0001#{guid}", WPERF_HARDWARE_ID);
}

struct error *driver_device_find_topology(struct driver_topology *ret)
{
	*ret = (struct driver_topology){.dsu_clusters = 0};
	if (world->guise.has_no_tree)
		return NULL;
	*ret = (struct driver_topology){
		.dsu_clusters = 2,
		.dsu_cluster_size = 2,
		.dmc_channels = 1,
		.dmc_ranges = {{0x10000, 0x1ffff}},
	};
	return NULL;
}

bool driver_device_core_midr(unsigned core, uint64_t *ret)
{
	*ret = 0x413fd0c1 + (core == 3);
	return core != 2;
}

static const struct event ld_spec = {"ld_spec", "", "", EVENT_CORE, LD_SPEC};
static const struct event cpu_cycles = {"cpu_cycles", "", "", EVENT_CORE, 0x11};

static int setup(void **state)
{
	world = calloc(1, sizeof(*world));
	return 0;
}

static int teardown(void **state)
{
	free(world);
	return 0;
}

static void start_world(const struct guise *guise)
{
	struct sim_config config = {
		.num_cores = NUM_CORES,
		.midr = 0x413fd0c1,
		.counters = 6,
		.dsu_clusters = 2,
		.dmc_channels = 1,
		.spe = true,
		.pmu_version = 4,
		.no_ring = guise->is_windowsperf,
	};
	memcpy(config.version, guise->version, sizeof(config.version));
	sim_config_add_event(&config, 0x11);
	const char *field = "none";
	world->guise = *guise;
	world->last_client = 0;
	world->was_robbed = world->is_dead = false;
	assert_int_equal(sim_init(&world->sim, &config, &field), DRIVER_OK);
}

static struct error *try_open(bool force, struct source **ret)
{
	static const struct source_settings none = SOURCE_SETTINGS_INIT;
	return source_driver_ops.open(&none, force, ret);
}

static struct source *open_in(const struct guise *guise)
{
	struct source *source = NULL;
	start_world(guise);
	assert_no_error(try_open(false, &source));
	return source;
}

static struct error *describe(struct source *source)
{
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	return source->ops->describe(source, &info);
}

static void test_describes_the_machine(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = false});
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	assert_no_error(source->ops->describe(source, &info));
	assert_string_equal(info.description, "driver 3.8.0, 4 cores, with rings of samples");
	assert_int_equal(info.num_cores, 4);
	assert_int_equal(info.core_midr[0], 0x413fd0c1);
	assert_int_equal(info.core_midr[2],
			 0x413fd0c1); // the system does not tell, the driver does
	assert_int_equal(info.core_midr[3], 0x413fd0c2);
	assert_int_equal(info.cluster_size, 2);
	assert_int_equal(info.counters.free[EVENT_CORE], 6);
	assert_true(info.counters.free[EVENT_DMC_CLKDIV2] > 0);
	assert_true(info.tells_tasks);
	assert_false(info.counts_processes);
	assert_null(source->ops->run_note(source, 0));
	source_close(source);
}

static struct error *open_with(const char *text, struct source **ret)
{
	_cleanup_(source_settings_deinit) struct source_settings said = SOURCE_SETTINGS_INIT;
	assert_no_error(source_settings_parse(text, &source_driver_ops, &said));
	return source_driver_ops.open(&said, false, ret);
}

// Where the device tree does not tell, the user may; the driver knows better.
static void test_clusters_that_nobody_tells_of(void **state)
{
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	struct source *source = NULL;
	start_world(&(struct guise){.has_no_tree = true});
	assert_no_error(open_with("", &source));
	assert_no_error(source->ops->describe(source, &info));
	assert_int_equal(info.cluster_size, 0);
	assert_no_error(source->ops->list_events(source, NULL, &notes));
	assert_non_null(strstr(string_builder_peek(&notes), "no cluster events"));
	assert_non_null(strstr(string_builder_peek(&notes), "no memory events"));
	source_close(source);
}

static void test_clusters_that_are_said(void **state)
{
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	struct source *source = NULL;
	start_world(&(struct guise){.has_no_tree = true});
	assert_no_error(open_with("dsu=2,dmc=1", &source));
	assert_no_error(source->ops->describe(source, &info));
	assert_int_equal(info.cluster_size, 2);
	assert_true(info.counters.free[EVENT_DMC_CLK] > 0);
	assert_no_error(source->ops->list_events(source, NULL, &notes));
	assert_string_equal(string_builder_peek(&notes), "");
	source_close(source);
	assert_no_error(open_with("dsu=4", &source));
	assert_error(describe(source), ERROR_FAILED,
		     "error: DeviceIoControl failed: GetLastError=0x0057\nDSU_CTL_INIT failed");
	source_close(source);
	assert_no_error(open_with("dsu=3", &source));
	assert_error(describe(source), ERROR_USAGE, "3 clusters cannot share 4 cores evenly");
	source_close(source);
}

static void test_windowsperf_tells_no_tasks(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = true});
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	assert_no_error(source->ops->describe(source, &info));
	assert_string_equal(info.description, "driver 3.8.0, 4 cores, 128 samples at a time");
	assert_false(info.tells_tasks);
	source_close(source);
}

static void test_counts(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = true});
	const struct source_ops *ops = source->ops;
	struct event_request request = {.event = &ld_spec};
	struct placed_event placed = {&request, &ld_spec};
	struct event_list events = {.items = &request, .num_items = 1};
	struct placement placements[NUM_PMU_CLASSES] = {
		[EVENT_CORE] = {EVENT_CORE, 6, &placed, 1, 1, false},
		[EVENT_DSU] = {.event_class = EVENT_DSU},
		[EVENT_DMC_CLK] = {.event_class = EVENT_DMC_CLK},
		[EVENT_DMC_CLKDIV2] = {.event_class = EVENT_DMC_CLKDIV2},
	};
	struct count_plan plan = {
		.events = &events,
		.placements = placements,
		.period_ms = 100,
		.cores = (unsigned[]){3},
		.num_cores = 1,
	};
	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	assert_no_error(describe(source));
	assert_no_error(ops->count->open(source, &plan));
	uint64_t before = sim_truth(&world->sim, 3, LD_SPEC, false);
	assert_no_error(ops->count->start(source));
	sim_advance(&world->sim, MS(250));
	assert_no_error(ops->count->stop(source));
	assert_no_error(ops->count->read(source, &counts));
	assert_int_equal(count_set_at(&counts.sets[EVENT_CORE], 0, 1)->value,
			 sim_truth(&world->sim, 3, LD_SPEC, false) - before);
	source_close(source);
}

struct run {
	struct event_request requests[2];
	struct event_list events;
	struct sample_plan plan;
	size_t num, longest_chain, in_kernel, num_rounds;
	uint32_t cores_seen, tid;
	uint32_t pid;
	uint64_t last_ns;
	struct sample_totals totals;
};

static void take(struct run *run, const struct record *record)
{
	if (record->kind == RECORD_OTHER)
		return; // what only files need
	assert_int_equal(record->kind, RECORD_SAMPLE);
	assert_true(record->time_ns >= run->last_ns);
	assert_true(record->time_ns <= world->sim.now_ns);
	run->last_ns = record->time_ns;
	run->cores_seen |= 1u << record->cpu;
	run->pid = record->pid;
	run->tid = record->tid;
	run->num++;
	run->in_kernel += record->mode == RECORD_MODE_KERNEL;
	find_function(record->sample.ip);
	for (size_t i = 0; i < record->sample.chain_length; i++)
		find_function(record->sample.chain[i]);
	if (record->sample.chain_length > run->longest_chain)
		run->longest_chain = record->sample.chain_length;
}

static struct error *take_round(struct run *run, struct source *source)
{
	bool more = true;
	struct error *err = NULL;
	while (!err && more) {
		struct record record;
		err = source->ops->sample->next(source, &record, &more);
		if (!err && more)
			take(run, &record);
	}
	run->num_rounds++;
	return err;
}

static struct error *sample_for(struct run *run, struct source *source, uint64_t duration_ns)
{
	const struct source_ops *ops = source->ops;
	uint64_t end_ns = world->sim.now_ns + duration_ns;
	struct error *err = ops->sample->start(source);
	while (!err && world->sim.now_ns < end_ns) {
		err = ops->sample->wait(source, end_ns - world->sim.now_ns, -1);
		if (!err)
			err = take_round(run, source);
	}
	if (!err)
		err = ops->sample->stop(source);
	if (!err)
		err = ops->sample->wait(source, 0, -1);
	if (!err)
		err = take_round(run, source);
	run->totals = ops->sample->totals(source);
	return err;
}

static struct run run_of(const struct event *event, uint64_t interval)
{
	return (struct run){
		.requests = {{.event = event, .interval = interval}},
		.events = {.num_items = 1},
		.plan = {.chain = SAMPLE_CHAIN_CFI},
	};
}

static struct error *sample(struct run *run, struct source *source, uint64_t duration_ns)
{
	run->events.items = run->requests;
	run->plan.events = &run->events;
	assert_no_error(describe(source));
	struct error *err = source->ops->sample->open(source, &run->plan);
	return err ? err : sample_for(run, source, duration_ns);
}

static void test_samples_through_the_ring(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = false});
	struct run run = run_of(&ld_spec, 10000);
	uint64_t before = sim_truth(&world->sim, 1, LD_SPEC, false);
	run.plan.cores = (unsigned[]){1};
	run.plan.num_cores = 1;
	assert_no_error(sample(&run, source, MS(500)));
	uint64_t events = sim_truth(&world->sim, 1, LD_SPEC, false) - before;
	assert_int_equal(run.num, events / 10000);
	assert_true(run.num > 15000); // more than WindowsPerf has in two minutes
	assert_int_equal(run.totals.num_generated, run.num);
	assert_int_equal(run.totals.num_lost, 0);
	assert_int_equal(run.cores_seen, 1 << 1);
	assert_int_equal(run.pid, PROGRAM_PID);
	assert_int_equal(run.tid, PROGRAM_PID + 1);
	assert_true(run.longest_chain > 4);
	source_close(source);
}

// A round ends when a ring is full to a quarter: nobody polls.
static void test_waits_are_as_long_as_they_need(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = false});
	struct run run = run_of(&ld_spec, 100000);
	run.plan.cores = (unsigned[]){0};
	run.plan.num_cores = 1;
	run.plan.chain = SAMPLE_CHAIN_NONE;
	assert_no_error(sample(&run, source, MS(1000)));
	assert_int_equal(run.num, 2700);
	assert_int_equal(run.longest_chain, 0);
	assert_in_range(run.num_rounds, 10, 13); // a wait lasts 100 ms at most
	source_close(source);
}

static void test_all_cores_in_order_of_time(void **state)
{
	struct source *source = open_in(&(struct guise){.ends_waits = true});
	struct run run = run_of(&cpu_cycles, 100000);
	run.plan.kernel = true;
	assert_no_error(sample(&run, source, MS(40)));
	assert_int_equal(run.num, 4 * 40 * 25);
	assert_int_equal(run.cores_seen, 0xf);
	assert_in_range(run.in_kernel, 200, 600);
	source_close(source);
}

// Who knows what they have started picks those that are wanted.
static void test_samples_of_all_processes_come(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = false});
	struct run run = run_of(&cpu_cycles, 100000);
	const uint32_t others[] = {1, 2};
	run.plan.pids = others;
	run.plan.num_pids = 2;
	assert_no_error(sample(&run, source, MS(10)));
	assert_int_equal(run.num, 4 * 225);
	assert_int_equal(run.pid, PROGRAM_PID);
	source_close(source);
}

// The samples of a core belong to the process that is bound to it.
static void test_windowsperf_is_asked_often_enough(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = true});
	struct run run = run_of(&ld_spec, 10000);
	const uint32_t pid = 99;
	run.plan.cores = (unsigned[]){1};
	run.plan.num_cores = 1;
	run.plan.pids = &pid;
	run.plan.num_pids = 1;
	assert_no_error(sample(&run, source, MS(500)));
	assert_true(run.num > 15000);
	assert_int_equal(run.totals.num_lost, 0);
	assert_int_equal(run.pid, 99);
	assert_int_equal(run.longest_chain, 2); // the link register, if nothing else
	source_close(source);
}

// SPE does not say whose they are either.
static void test_operations_belong_to_the_program(void **state)
{
	struct source *source = open_in(&(struct guise){.is_windowsperf = false});
	struct run run = run_of(&cpu_cycles, 0);
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	struct spe_filters filters;
	const uint32_t pid = 99;
	assert_no_error(source->ops->describe(source, &info));
	assert_no_error(spe_spec_parse("arm_spe_0//", &info.spe_filters, &filters));
	run.events.num_items = 0;
	run.plan.spe = &filters;
	run.plan.cores = (unsigned[]){1};
	run.plan.num_cores = 1;
	run.plan.pids = &pid;
	run.plan.num_pids = 1;
	assert_no_error(sample(&run, source, MS(20)));
	assert_true(run.num > 10);
	assert_int_equal(run.pid, 99);
	source_close(source);
}

static void test_another_version_is_said(void **state)
{
	struct source *source =
		open_in(&(struct guise){.is_windowsperf = true, .version = {4, 3, 1}});
	assert_no_error(describe(source));
	assert_string_equal(source->ops->run_note(source, 0),
			    "the driver has version 4.3.1, wperf was made for 3.8.0; its replies "
			    "have the right sizes");
	assert_null(source->ops->run_note(source, 1));
	source_close(source);
}

static void test_structs_of_other_releases(void **state)
{
	static const struct guise good[] = {
		{.is_grown = true},
		{.is_windowsperf = true, .is_grown = true},
		{.hw_cfg_size = 320, .version_size = 68},
	};
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct source *source = open_in(&good[i]);
		struct run run = run_of(&cpu_cycles, 1000000);
		run.plan.cores = (unsigned[]){0};
		run.plan.num_cores = 1;
		assert_no_error(sample(&run, source, MS(10)));
		assert_int_equal(run.num, 22);
		source_close(source);
	}
	struct source *source = open_in(&(struct guise){.hw_cfg_size = 300});
	assert_error(describe(source), ERROR_FAILED,
		     "PMU_CTL_QUERY_HW_CFG returned 300 bytes instead of 336");
	source_close(source);
}

static const char hijacked[] =
	"warning: other WindowsPerf process hijacked (forced lock) the wperf-driver, see "
	"--force-lock.\n"
	"Operation terminated, your data was lost!";

static void test_robbed_in_the_middle(void **state)
{
	static const struct guise guises[] = {
		{.robbed_before = WPERF_RING_CTL_READ},
		{.robbed_before = WPERF_RING_CTL_START},
		{.robbed_before = WPERF_RING_CTL_STOP},
		{.is_windowsperf = true, .robbed_before = WPERF_PMU_CTL_SAMPLE_GET},
	};
	for (size_t i = 0; i < ARRAY_SIZE(guises); i++) {
		struct source *source = open_in(&guises[i]);
		struct run run = run_of(&cpu_cycles, 100000);
		assert_error(sample(&run, source, MS(30)), ERROR_FAILED, hijacked);
		source_close(source);
	}
}

static void test_dies_in_the_middle(void **state)
{
	static const struct {
		struct guise guise;
		const char *words;
	} cases[] = {
		{{.dead_from = WPERF_RING_CTL_READ},
		 "error: DeviceIoControl failed: GetLastError=0x0015\nRING_CTL_READ failed"},
		{{.dead_from = WPERF_RING_CTL_START},
		 "error: DeviceIoControl failed: GetLastError=0x0015\nRING_CTL_START failed"},
		{{.is_windowsperf = true, .dead_from = WPERF_PMU_CTL_SAMPLE_STOP},
		 "error: DeviceIoControl failed: GetLastError=0x0015\nPMU_CTL_SAMPLE_STOP failed"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct source *source = open_in(&cases[i].guise);
		struct run run = run_of(&cpu_cycles, 100000);
		assert_error(sample(&run, source, MS(30)), ERROR_FAILED, cases[i].words);
		source_close(source);
	}
}

static void test_one_client_at_a_time(void **state)
{
	struct source *first = open_in(&(struct guise){.is_windowsperf = false}), *second = NULL;
	assert_error(try_open(false, &second), ERROR_FAILED,
		     "warning: other WindowsPerf process acquired the wperf-driver.\n"
		     "note: use --force-lock to force driver to give lock to current `wperf` "
		     "process.\n"
		     "Operation cancelled!");
	assert_no_error(describe(first));
	assert_no_error(try_open(true, &second));
	assert_error(describe(first), ERROR_FAILED, hijacked);
	source_close(first);
	assert_no_error(describe(second)); // whose lock is not the first one's to release
	source_close(second);
	assert_no_error(try_open(false, &first));
	source_close(first);
}

static void expect_finding(const char *detail, enum probe_state state)
{
	static const struct source_settings none = SOURCE_SETTINGS_INIT;
	_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
	assert_no_error(source_driver_ops.probe(&none, &probe));
	assert_int_equal(probe.num_findings, 1);
	assert_string_equal(probe.findings[0].detail, detail);
	assert_int_equal(probe.findings[0].state, state);
	assert_int_equal(probe.findings[0].hint != NULL, state == PROBE_NO);
	assert_int_equal(probe.num_devices, world->guise.is_absent ? 0 : 1);
}

static void test_probe(void **state)
{
	start_world(&(struct guise){.is_absent = true});
	expect_finding("error: No active device interfaces found.", PROBE_NO);
	struct source *source = open_in(&(struct guise){.is_windowsperf = true});
	expect_finding("warning: other WindowsPerf process acquired the wperf-driver.", PROBE_NO);
	source_close(source);
	expect_finding("driver 3.8.0, 4 cores, 128 samples at a time", PROBE_YES);
}

#define DRIVER_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int source_driver_tests(void)
{
	const struct CMUnitTest tests[] = {
		DRIVER_TEST(test_describes_the_machine),
		DRIVER_TEST(test_clusters_that_nobody_tells_of),
		DRIVER_TEST(test_clusters_that_are_said),
		DRIVER_TEST(test_windowsperf_tells_no_tasks),
		DRIVER_TEST(test_counts),
		DRIVER_TEST(test_samples_through_the_ring),
		DRIVER_TEST(test_waits_are_as_long_as_they_need),
		DRIVER_TEST(test_all_cores_in_order_of_time),
		DRIVER_TEST(test_samples_of_all_processes_come),
		DRIVER_TEST(test_windowsperf_is_asked_often_enough),
		DRIVER_TEST(test_operations_belong_to_the_program),
		DRIVER_TEST(test_another_version_is_said),
		DRIVER_TEST(test_structs_of_other_releases),
		DRIVER_TEST(test_robbed_in_the_middle),
		DRIVER_TEST(test_dies_in_the_middle),
		DRIVER_TEST(test_one_client_at_a_time),
		DRIVER_TEST(test_probe),
	};
	return cmocka_run_group_tests_name("source_driver", tests, NULL, NULL);
}
