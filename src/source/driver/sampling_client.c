// SPDX-License-Identifier: Apache-2.0

#include "source/driver/sampling_client.h"

#include "base/container/array.h"

#include <inttypes.h>
#include <stdlib.h>

// The requests of WindowsPerf's own driver: PMU_CTL_SAMPLE_START, _GET and _STOP per core. _GET
// returns up to WPERF_MAX_SAMPLES samples with program counter, link register and the overflow bits
// of the counters; each set bit becomes a record. The only caller that is known is the link
// register. Totals of _STOP are exact, and replace those that were added up while polling.

struct error *sampling_client_open(struct sampling_client *sampling,
				   const struct driver_transport *transport, unsigned num_cores,
				   uint32_t pid, const struct sample_plan *plan)
{
	*sampling = (struct sampling_client){
		.pid = pid,
		.wants_chain = plan->chain != SAMPLE_CHAIN_NONE,
	};
	return sampled_events_open(&sampling->events, transport, num_cores, plan);
}

static struct wperf_control sampling_client_control_of(unsigned core)
{
	return (struct wperf_control){
		.cores_count = 1,
		.cores_no = {(uint8_t)core},
		.flags = WPERF_CONTROL_CORE,
	};
}

static struct error *sampling_client_stop_core(const struct sampling_client *sampling,
					       unsigned core, struct wperf_sample_summary *ret)
{
	struct wperf_control control = sampling_client_control_of(core);
	return driver_client_send(sampling->events.transport, WPERF_PMU_CTL_SAMPLE_STOP,
				  "PMU_CTL_SAMPLE_STOP", &control, sizeof(control), ret,
				  sizeof(*ret));
}

void sampling_client_close(struct sampling_client *sampling)
{
	for (size_t i = 0; i < sampling->num_running; i++) {
		struct wperf_sample_summary summary;
		error_destroy(
			sampling_client_stop_core(sampling, sampling->events.cores[i], &summary));
	}
	sampled_events_close(&sampling->events);
	free(sampling->items);
	*sampling = (struct sampling_client)SAMPLING_CLIENT_INIT;
}

struct error *sampling_client_start(struct sampling_client *sampling)
{
	while (sampling->num_running < sampling->events.num_cores) {
		struct wperf_control control =
			sampling_client_control_of(sampling->events.cores[sampling->num_running]);
		struct error *err =
			driver_client_send(sampling->events.transport, WPERF_PMU_CTL_SAMPLE_START,
					   "PMU_CTL_SAMPLE_START", &control, sizeof(control), NULL,
					   0);
		if (err)
			return err;
		sampling->num_running++;
	}
	return NULL;
}

struct error *sampling_client_poll(struct sampling_client *sampling, uint64_t time_ns,
				   unsigned *ret_most)
{
	unsigned most = 0;
	// What has become records is not needed any more.
	if (sampling->next_item >= sampling->num_items)
		sampling->next_item = sampling->num_items = 0;
	for (size_t i = 0; i < sampling->events.num_cores; i++) {
		uint32_t core = sampling->events.cores[i];
		struct wperf_samples samples;
		struct error *err =
			driver_client_send(sampling->events.transport, WPERF_PMU_CTL_SAMPLE_GET,
					   "PMU_CTL_SAMPLE_GET", &core, sizeof(core), &samples,
					   sizeof(samples));
		if (err)
			return err;
		if (samples.size > WPERF_MAX_SAMPLES) // bytes of the driver are not to be trusted
			return error_create(ERROR_FAILED,
					    "PMU_CTL_SAMPLE_GET returned invalid data: %" PRIu32
					    " samples",
					    samples.size);
		err = array_reserve(&sampling->items, &sampling->cap_items,
				    sampling->num_items + samples.size);
		if (err)
			return err;
		for (uint32_t k = 0; k < samples.size; k++)
			sampling->items[sampling->num_items++] =
				(struct sampling_item){samples.samples[k], time_ns, core};
		sampling->totals.num_generated += samples.size;
		most = samples.size > most ? samples.size : most;
	}
	*ret_most = most;
	return NULL;
}

struct error *sampling_client_stop(struct sampling_client *sampling, uint64_t time_ns)
{
	struct sample_totals totals = {0};
	for (size_t i = 0; i < sampling->events.num_cores; i++) {
		struct wperf_sample_summary summary;
		struct error *err =
			sampling_client_stop_core(sampling, sampling->events.cores[i], &summary);
		if (err)
			return err;
		// Generated ones contain the dropped ones.
		totals.num_generated += summary.sample_generated;
		totals.num_lost += summary.sample_dropped;
	}
	sampling->num_running = 0;
	unsigned most;
	struct error *err = sampling_client_poll(sampling, time_ns, &most);
	if (!err)
		sampling->totals = totals;
	return err;
}

static void sampling_client_fill_record(struct sampling_client *sampling,
					const struct sampling_item *item, size_t event,
					struct record *ret)
{
	sampling->chain[0] = item->sample.pc;
	sampling->chain[1] = item->sample.lr;
	*ret = (struct record){
		.kind = RECORD_SAMPLE,
		.mode = record_is_kernel_address(item->sample.pc) ? RECORD_MODE_KERNEL
								  : RECORD_MODE_USER,
		.pid = sampling->pid,
		// The driver tells no thread: the process that was bound to the core stands for all
		// of its threads.
		.tid = sampling->pid,
		.time_ns = item->time_ns,
		.cpu = item->core,
		.event = (uint32_t)event,
		.sample =
			{
				.ip = item->sample.pc,
				.period = sampling->events.items[event].interval,
				.chain = sampling->wants_chain ? sampling->chain : NULL,
				.chain_length = sampling->wants_chain ? SAMPLING_CHAIN_LENGTH : 0,
			},
	};
}

bool sampling_client_next(struct sampling_client *sampling, struct record *ret)
{
	while (sampling->next_item < sampling->num_items) {
		const struct sampling_item *item = &sampling->items[sampling->next_item];
		while (sampling->next_event < sampling->events.num_items) {
			size_t event = sampling->next_event++;
			if (!(item->sample.ov_flags & sampling->events.items[event].overflow))
				continue;
			sampling_client_fill_record(sampling, item, event, ret);
			return true;
		}
		sampling->next_event = 0;
		sampling->next_item++;
	}
	return false;
}
