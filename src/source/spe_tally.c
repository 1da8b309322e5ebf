// SPDX-License-Identifier: Apache-2.0

#include "source/spe_tally.h"

#include "driver/include/wperf_driver.h"

// The events SAMPLE_POP, SAMPLE_FEED, SAMPLE_FILTRATE and SAMPLE_COLLISION (0x4000 to 0x4003 of the
// Arm ARM) tell how many operations SPE could have sampled, sampled, kept and lost. They are
// counted by the normal requests of the driver while SPE runs. evts[0] of the answer is the cycle
// counter. If the core has fewer counters than events, the driver multiplexes them (scheduled <
// round), and the numbers are not used.

enum { FIRST_EVENT = 0x4000, NUM_EVENTS = 4 };

/** What PMU_CTL_ASSIGN_EVENTS takes. */
struct assign_request {
	struct wperf_event_assign head;
	struct wperf_event_header header;
	uint16_t events[NUM_EVENTS];
};

struct error *spe_tally_open(struct spe_tally *tally, const struct driver_transport *transport,
			     unsigned core)
{
	struct assign_request request = {
		.head = {.core_idx = core},
		.header = {.event_class = WPERF_CLASS_CORE, .num = NUM_EVENTS},
	};
	for (unsigned i = 0; i < NUM_EVENTS; i++)
		request.events[i] = (uint16_t)(FIRST_EVENT + i);
	*tally = (struct spe_tally){.transport = transport, .core = core};
	return driver_client_send(transport, WPERF_PMU_CTL_ASSIGN_EVENTS, "PMU_CTL_ASSIGN_EVENTS",
				  &request, sizeof(request), NULL, 0);
}

static struct error *spe_tally_send(const struct spe_tally *tally, uint32_t code, const char *name,
				    void *out, size_t out_size)
{
	const struct wperf_control control = {
		.cores_count = 1,
		.cores_no = {(uint8_t)tally->core},
		.period = WPERF_DEFAULT_PERIOD_MS,
		.flags = WPERF_CONTROL_CORE,
	};
	return driver_client_send(tally->transport, code, name, &control, sizeof(control), out,
				  out_size);
}

struct error *spe_tally_start(struct spe_tally *tally)
{
	struct error *err = spe_tally_send(tally, WPERF_PMU_CTL_RESET, "PMU_CTL_RESET", NULL, 0);
	if (!err)
		err = spe_tally_send(tally, WPERF_PMU_CTL_START, "PMU_CTL_START", NULL, 0);
	tally->is_running = !err;
	return err;
}

static struct error *spe_tally_halt(struct spe_tally *tally)
{
	tally->is_running = false;
	return spe_tally_send(tally, WPERF_PMU_CTL_STOP, "PMU_CTL_STOP", NULL, 0);
}

struct error *spe_tally_stop(struct spe_tally *tally, struct sample_spe_counts *ret)
{
	struct wperf_core_counts counts;
	struct error *err = spe_tally_halt(tally);
	if (!err)
		err = spe_tally_send(tally, WPERF_PMU_CTL_READ_COUNTING, "PMU_CTL_READ_COUNTING",
				     &counts, sizeof(counts));
	if (err)
		return err;
	// The events asked for, in this order, and none of them multiplexed.
	bool is_whole = counts.evt_num == NUM_EVENTS + 1;
	for (size_t i = 1; is_whole && i <= NUM_EVENTS; i++)
		is_whole = counts.evts[i].event_idx == FIRST_EVENT + i - 1 &&
			   counts.evts[i].scheduled == counts.round;
	*ret = (struct sample_spe_counts){
		.is_known = is_whole,
		.core = tally->core,
		.cycles = counts.evts[0].value,
		.population = counts.evts[1].value,
		.feed = counts.evts[2].value,
		.filtrate = counts.evts[3].value,
		.collisions = counts.evts[4].value,
	};
	return NULL;
}

void spe_tally_close(struct spe_tally *tally)
{
	if (tally->is_running)
		error_destroy(spe_tally_halt(tally));
	*tally = (struct spe_tally)SPE_TALLY_INIT;
}
