// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/steps.h"

#include "driver/include/wperf_driver.h"
#include "tests/windows/driver/answer.h"

#include <string.h>

enum { NS_PER_MS = 1000000, SAMPLED_CORE = 2, PROFILED_CORE = 3 };

static struct answer answer; // too large for a stack

static void ask(struct door *door, const char *what, uint32_t code, const void *in, size_t in_size,
		size_t out_size)
{
	answer_ask(door, code, in, in_size, out_size, &answer);
	answer_tell(what, &answer);
}

static struct wperf_control control_of(unsigned first_core, unsigned num_cores, uint32_t flags)
{
	struct wperf_control control = {
		.cores_count = num_cores,
		.period = WPERF_MIN_PERIOD_MS,
		.dmc_idx = WPERF_ALL_DMCS,
		.flags = flags,
	};
	for (unsigned i = 0; i < num_cores; i++)
		control.cores_no[i] = (uint8_t)(first_core + i);
	return control;
}

static void ask_control(struct door *door, const char *what, uint32_t code,
			struct wperf_control control, size_t out_size)
{
	ask(door, what, code, &control, sizeof(control), out_size);
}

static void describe(struct door *door)
{
	uint32_t any = 0;
	struct wperf_lock_request lock = {WPERF_LOCK_GET};
	struct wperf_version version = {.major = 3, .minor = 8};
	struct wperf_dsu_topology topology = {.cluster_num = 2, .cluster_size = 2};
	struct {
		struct wperf_dmc_channels head;
		struct wperf_dmc_range ranges[2];
	} dmc = {.head = {.num = 2}};
	ask(door, "lock", WPERF_PMU_CTL_LOCK_ACQUIRE, &lock, sizeof(lock), sizeof(uint32_t));
	ask(door, "version", WPERF_PMU_CTL_QUERY_VERSION, &version, sizeof(version),
	    sizeof(version));
	ask(door, "machine", WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any),
	    sizeof(struct wperf_hw_cfg));
	ask(door, "events", WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any), 4096);
	ask(door, "clusters", WPERF_DSU_CTL_INIT, &topology, sizeof(topology),
	    sizeof(struct wperf_dsu_cfg));
	ask(door, "memory", WPERF_DMC_CTL_INIT, &dmc, sizeof(dmc), sizeof(struct wperf_dmc_cfg));
}

static void count(struct door *door)
{
	struct {
		struct wperf_event_assign head;
		struct wperf_event_header core;
		uint16_t core_events[8]; // more than there are counters
		struct wperf_event_header dsu;
		uint16_t dsu_events[2];
		struct wperf_event_header dmc;
		uint16_t dmc_events[2];
	} assign = {
		.head = {.core_idx = WPERF_ALL_CORES, .filter_bits = WPERF_FILTER_EXCLUDE_EL1},
		.core = {WPERF_CLASS_CORE, 8, {0}},
		.core_events = {0x08, 0x1b, 0x03, 0x04, 0x10, 0x70, 0x71, 0x74},
		.dsu = {WPERF_CLASS_DSU, 2, {0}},
		.dsu_events = {0x19, 0x29},
		.dmc = {WPERF_CLASS_DMC_CLKDIV2, 2, {0}},
		.dmc_events = {1, 2},
	};
	uint32_t all = WPERF_CONTROL_CORE | WPERF_CONTROL_DSU | WPERF_CONTROL_DMC;
	ask(door, "assign", WPERF_PMU_CTL_ASSIGN_EVENTS, &assign, sizeof(assign), 0);
	ask_control(door, "start", WPERF_PMU_CTL_START, control_of(0, 4, all), 0);
	door_pass_time(door, 500 * (uint64_t)NS_PER_MS);
	for (unsigned core = 0; core < 4; core++)
		ask_control(door, "counts", WPERF_PMU_CTL_READ_COUNTING, control_of(core, 1, 0),
			    sizeof(struct wperf_core_counts));
	ask_control(door, "stop", WPERF_PMU_CTL_STOP, control_of(0, 4, all), 0);
	ask_control(door, "cluster's counts", WPERF_DSU_CTL_READ_COUNTING, control_of(2, 1, 0),
		    sizeof(struct wperf_dsu_counts));
	ask_control(door, "memory's counts", WPERF_DMC_CTL_READ_COUNTING, control_of(0, 0, 0),
		    2 * sizeof(struct wperf_dmc_counts));
	ask_control(door, "reset", WPERF_PMU_CTL_RESET, control_of(0, 4, all), 0);
	ask_control(door, "counts", WPERF_PMU_CTL_READ_COUNTING, control_of(1, 1, 0),
		    sizeof(struct wperf_core_counts));
}

static void sample(struct door *door)
{
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event events[2];
	} source = {
		.head = {SAMPLED_CORE},
		.events = {{0x70, 100000, WPERF_FILTER_EXCLUDE_EL1},
			   {WPERF_CYCLE_EVENT, 700000, 0}},
	};
	uint32_t core = SAMPLED_CORE;
	struct wperf_control control = control_of(SAMPLED_CORE, 1, 0);
	ask(door, "what to sample", WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source), 0);
	ask_control(door, "sample", WPERF_PMU_CTL_SAMPLE_START, control, 0);
	for (unsigned i = 0; i < 3; i++) {
		door_pass_time(door, 5 * (uint64_t)NS_PER_MS);
		ask(door, "samples", WPERF_PMU_CTL_SAMPLE_GET, &core, sizeof(core),
		    sizeof(struct wperf_samples));
	}
	ask_control(door, "sample no more", WPERF_PMU_CTL_SAMPLE_STOP, control,
		    sizeof(struct wperf_sample_summary));
}

static void sample_into_ring(struct door *door)
{
	struct wperf_ring_start start = {
		.control = control_of(SAMPLED_CORE, 1, WPERF_CONTROL_CORE),
		.max_callers = 8,
	};
	uint32_t any = 0;
	struct wperf_ring_wait wait = {WPERF_RING_AT_ONCE};
	struct wperf_ring_read read = {SAMPLED_CORE};
	ask(door, "ring", WPERF_RING_CTL_QUERY, &any, sizeof(any), sizeof(struct wperf_ring_info));
	ask(door, "sample into the ring", WPERF_RING_CTL_START, &start, sizeof(start), 0);
	for (unsigned i = 0; i < 3; i++) {
		door_pass_time(door, 5 * (uint64_t)NS_PER_MS);
		ask(door, "who has samples", WPERF_RING_CTL_WAIT, &wait, sizeof(wait),
		    sizeof(struct wperf_ring_ready));
		ask(door, "ring's samples", WPERF_RING_CTL_READ, &read, sizeof(read), 3000);
	}
	ask_control(door, "no more into the ring", WPERF_RING_CTL_STOP, start.control,
		    sizeof(struct wperf_sample_summary));
}

static void profile(struct door *door)
{
	struct wperf_spe_control spe = {
		.cores_count = 1,
		.cores_no = {PROFILED_CORE},
		.buffer_size = 16384,
		.operation_filter = WPERF_SPE_LOAD | WPERF_SPE_STORE,
		.config_flags = WPERF_SPE_TIMESTAMP,
		.interval = 4096,
	};
	struct wperf_control control = control_of(PROFILED_CORE, 1, WPERF_CONTROL_SPE);
	ask_control(door, "profile's buffers", WPERF_PMU_CTL_SPE_INIT, control, 0);
	ask(door, "profile", WPERF_PMU_CTL_SPE_START, &spe, sizeof(spe), 0);
	door_pass_time(door, NS_PER_MS);
	ask_control(door, "profile's size", WPERF_PMU_CTL_SPE_GET_SIZE, control, sizeof(uint64_t));
	ask(door, "profile's packets", WPERF_PMU_CTL_SPE_GET_BUFFER, &spe, sizeof(spe),
	    spe.buffer_size);
	ask_control(door, "profile no more", WPERF_PMU_CTL_SPE_STOP, control, 0);
}

bool steps_right(void)
{
	struct wperf_lock_request release = {WPERF_LOCK_RELEASE};
	struct door *door = door_open();
	if (!door)
		return false;
	door_pass_time(door, 0);
	describe(door);
	count(door);
	sample(door);
	sample_into_ring(door);
	profile(door);
	ask(door, "unlock", WPERF_PMU_CTL_LOCK_RELEASE, &release, sizeof(release),
	    sizeof(uint32_t));
	door_close(door);
	return true;
}
