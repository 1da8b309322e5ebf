// SPDX-License-Identifier: Apache-2.0

#include "source/driver/driver_sampler.h"

// Three kinds with the same interface, chosen once: SPE if the plan has it, the ring if the driver
// has one (RING_CTL_QUERY), else polling. A ring wakes its reader. The other two are polled, and
// the interval adapts between 0.1 ms and 10 ms to how full the buffers were: too long loses
// samples, too short costs the CPU that is measured.

enum {
	MIN_STEP_NS = 100000,
	MAX_STEP_NS = 10000000,
	// For ever, in pieces. A program may end meanwhile, and nobody tells.
	LONGEST_WAIT_NS = 100000000,
	LONGEST_SIMULATED_WAIT_NS = 1000000000,
	MANY_SAMPLES = WPERF_MAX_SAMPLES / 2,
	FEW_SAMPLES = WPERF_MAX_SAMPLES / 4,
	// Of a buffer of 128 KiB, which is the smallest.
	MANY_BYTES = 64 * 1024,
	FEW_BYTES = 16 * 1024,
};

// SPE first, as it is a wish of the plan. The ring is chosen whenever the driver has it: its
// samples know their thread, time and callers.
static struct error *open_kind(struct driver_sampler *sampler,
			       const struct spe_client_machine *machine,
			       const struct sample_plan *plan)
{
	const struct driver_transport *transport = sampler->transport;
	// Samples that do not say whose they are belong to the process that is bound to their core.
	uint32_t pid = plan->num_pids ? plan->pids[0] : machine->pid;
	if (plan->spe) {
		struct spe_client_machine with_pid = *machine;
		with_pid.pid = pid;
		sampler->kind = DRIVER_SAMPLER_SPE;
		return spe_client_open(&sampler->spe, transport, &with_pid, plan);
	}
	struct wperf_ring_info info = {.version = 0};
	struct error *err = ring_client_ask(transport, &info);
	if (err)
		return err;
	sampler->kind = info.version ? DRIVER_SAMPLER_RING : DRIVER_SAMPLER_POLLS;
	return info.version ? ring_client_open(&sampler->ring, transport, machine->num_cores, &info,
					       pid, plan)
			    : sampling_client_open(&sampler->polled, transport, machine->num_cores,
						   pid, plan);
}

struct error *driver_sampler_open(struct driver_sampler *sampler,
				  const struct driver_transport *transport,
				  const struct spe_client_machine *machine,
				  const struct sample_plan *plan)
{
	*sampler = (struct driver_sampler){.transport = transport, .step_ns = MIN_STEP_NS};
	struct error *err = open_kind(sampler, machine, plan);
	if (err)
		driver_sampler_close(sampler);
	return err;
}

void driver_sampler_close(struct driver_sampler *sampler)
{
	sampling_client_close(&sampler->polled);
	ring_client_close(&sampler->ring);
	spe_client_close(&sampler->spe);
	*sampler = (struct driver_sampler)DRIVER_SAMPLER_INIT;
}

static uint64_t driver_sampler_now_ns(const struct driver_sampler *sampler)
{
	return sampler->transport->now_ns(sampler->transport->context);
}

struct error *driver_sampler_start(struct driver_sampler *sampler)
{
	switch (sampler->kind) {
	case DRIVER_SAMPLER_RING:
		return ring_client_start(&sampler->ring);
	case DRIVER_SAMPLER_SPE:
		return spe_client_start(&sampler->spe);
	default:
		return sampling_client_start(&sampler->polled);
	}
}

struct error *driver_sampler_stop(struct driver_sampler *sampler)
{
	sampler->has_stopped = true;
	switch (sampler->kind) {
	case DRIVER_SAMPLER_RING:
		return ring_client_stop(&sampler->ring);
	case DRIVER_SAMPLER_SPE:
		return spe_client_stop(&sampler->spe, driver_sampler_now_ns(sampler));
	default:
		return sampling_client_stop(&sampler->polled, driver_sampler_now_ns(sampler));
	}
}

/** How much the next step should differ from this one. */
enum pace { PACE_SLOWER, PACE_SAME, PACE_FASTER };

static enum pace pace_of(size_t num, size_t few, size_t many)
{
	if (num < few)
		return PACE_SLOWER;
	return num < many ? PACE_SAME : PACE_FASTER;
}

static struct error *wait_and_poll(struct driver_sampler *sampler, uint64_t left_ns, bool *ret_any)
{
	const struct driver_transport *transport = sampler->transport;
	uint64_t step_ns = left_ns < sampler->step_ns ? left_ns : sampler->step_ns;
	enum pace pace;
	// Then whatever came meanwhile is taken at once.
	transport->pass_time(transport->context, step_ns);
	struct error *err;
	if (sampler->kind == DRIVER_SAMPLER_SPE) {
		size_t num_bytes = 0;
		err = spe_client_poll(&sampler->spe, driver_sampler_now_ns(sampler), &num_bytes);
		pace = pace_of(num_bytes, FEW_BYTES, MANY_BYTES);
		*ret_any = num_bytes > 0;
	} else {
		unsigned most = 0;
		err = sampling_client_poll(&sampler->polled, driver_sampler_now_ns(sampler), &most);
		pace = pace_of(most, FEW_SAMPLES, MANY_SAMPLES);
		*ret_any = most > 0;
	}
	// A step that was cut short says little.
	bool was_whole = step_ns >= sampler->step_ns;
	if (pace == PACE_SLOWER && was_whole && sampler->step_ns < MAX_STEP_NS)
		sampler->step_ns *= 2;
	else if (pace == PACE_FASTER && sampler->step_ns > MIN_STEP_NS)
		sampler->step_ns /= 2;
	return err;
}

static struct error *driver_sampler_wait_for_ring(struct driver_sampler *sampler, uint64_t left_ns,
						  bool *ret_any)
{
	const struct driver_transport *transport = sampler->transport;
	*ret_any = true;
	uint32_t win32_error = transport->wait_for_ring(transport->context, left_ns);
	return win32_error ? driver_client_failure("RING_CTL_WAIT", win32_error)
			   : ring_client_read(&sampler->ring);
}

struct error *driver_sampler_wait(struct driver_sampler *sampler, uint64_t timeout_ns)
{
	uint64_t longest_ns =
		sampler->transport->is_simulated ? LONGEST_SIMULATED_WAIT_NS : LONGEST_WAIT_NS;
	// Simulated time costs nothing and must pass as it was asked for, whether there are samples
	// or not.
	bool is_whole = sampler->transport->is_simulated && timeout_ns != UINT64_MAX;
	uint64_t left_ns = is_whole || timeout_ns < longest_ns ? timeout_ns : longest_ns;
	uint64_t end_ns = driver_sampler_now_ns(sampler) + left_ns;
	bool has_any = false;
	struct error *err = NULL;
	while (!err && left_ns > 0 && !sampler->has_stopped &&
	       (!has_any || sampler->transport->is_simulated)) {
		err = sampler->kind == DRIVER_SAMPLER_RING
			      ? driver_sampler_wait_for_ring(sampler, left_ns, &has_any)
			      : wait_and_poll(sampler, left_ns, &has_any);
		uint64_t now = driver_sampler_now_ns(sampler);
		left_ns = now < end_ns ? end_ns - now : 0;
	}
	return err;
}

bool driver_sampler_next(struct driver_sampler *sampler, struct record *ret)
{
	switch (sampler->kind) {
	case DRIVER_SAMPLER_RING:
		return ring_client_next(&sampler->ring, ret);
	case DRIVER_SAMPLER_SPE:
		return spe_client_next(&sampler->spe, ret);
	default:
		return sampling_client_next(&sampler->polled, ret);
	}
}

const struct perf_data_event *driver_sampler_events(const struct driver_sampler *sampler,
						    size_t *ret_num)
{
	const struct sampled_events *events = sampler->kind == DRIVER_SAMPLER_RING
						      ? &sampler->ring.events
						      : &sampler->polled.events;
	if (sampler->kind == DRIVER_SAMPLER_SPE) {
		*ret_num = 1;
		return &sampler->spe.described;
	}
	*ret_num = events->num_items;
	return *ret_num ? events->described : NULL;
}

struct sample_totals driver_sampler_totals(const struct driver_sampler *sampler)
{
	switch (sampler->kind) {
	case DRIVER_SAMPLER_RING:
		return sampler->ring.totals;
	case DRIVER_SAMPLER_SPE:
		return sampler->spe.totals;
	default:
		return sampler->polled.totals;
	}
}
