// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/machine.h"

#include "driver/sim/sim.h"
#include "driver/windows/sim_request.h"

// The core on simulated registers (driver/sim), whose time is that of the clock: each request first
// lets the time pass that has passed since the last one (follow_clock()), up to SIM_REQUEST_MAX_NS,
// so that a computer that was asleep does not simulate the whole night. Tests take over the time
// with SIM_REQUEST_PASS_TIME; from then on it passes only at their word, and the same requests give
// the same counts on every run.

#define NS_PER_SECOND UINT64_C(1000000000)

struct machine {
	struct sim sim;
	bool has_clock, hides_rings;
	int64_t ticks; // of the clock, up to which time has passed
};

NTSTATUS machine_probe(void)
{
	return STATUS_SUCCESS;
}

NTSTATUS machine_create(struct machine **ret)
{
	struct machine *machine = kernel_allocate(sizeof(*machine));
	if (!machine)
		return STATUS_INSUFFICIENT_RESOURCES;
	const struct sim_config config = sim_request_config();
	const char *field;
	if (sim_init(&machine->sim, &config, &field) != DRIVER_OK) {
		kernel_free(machine);
		return STATUS_INVALID_PARAMETER;
	}
	machine->has_clock = true;
	machine->ticks = KeQueryPerformanceCounter(NULL).QuadPart;
	*ret = machine;
	return STATUS_SUCCESS;
}

void machine_destroy(struct machine *machine)
{
	kernel_free(machine);
}

static void follow_clock(struct machine *machine)
{
	LARGE_INTEGER per_second;
	int64_t now = KeQueryPerformanceCounter(&per_second).QuadPart;
	uint64_t ticks = (uint64_t)(now - machine->ticks);
	uint64_t frequency = (uint64_t)per_second.QuadPart;
	uint64_t seconds = ticks / frequency;
	// Seconds apart: ticks times 10^9 would not fit into 64 bits after half an hour at 10 MHz.
	uint64_t ns = seconds * NS_PER_SECOND + ticks % frequency * NS_PER_SECOND / frequency;
	machine->ticks = now;
	sim_advance(&machine->sim, ns < SIM_REQUEST_MAX_NS ? ns : SIM_REQUEST_MAX_NS);
}

static enum driver_status machine_sim_pass_time(struct machine *machine, const void *in,
						size_t in_size)
{
	uint64_t ns;
	if (!in || in_size != sizeof(ns))
		return DRIVER_INVALID_PARAMETER;
	memcpy(&ns, in, sizeof(ns));
	if (ns > SIM_REQUEST_MAX_NS)
		return DRIVER_INVALID_PARAMETER;
	machine->has_clock = false;
	sim_advance(&machine->sim, ns);
	return DRIVER_OK;
}

static enum driver_status machine_sim_run(struct machine *machine, const void *in, size_t in_size)
{
	struct sim_request_run request;
	if (!in || in_size != sizeof(request))
		return DRIVER_INVALID_PARAMETER;
	memcpy(&request, in, sizeof(request));
	if (request.core >= machine->sim.config.num_cores)
		return DRIVER_INVALID_PARAMETER;
	struct sim_task task = {.who = {.pid = 0}};
	if (request.runs) {
		task.pc = request.pc;
		task.who.pid = (uint32_t)(ULONG_PTR)PsGetCurrentProcessId();
		task.who.tid = (uint32_t)(ULONG_PTR)PsGetCurrentThreadId();
	}
	sim_run(&machine->sim, request.core, &task);
	return DRIVER_OK;
}

enum driver_status machine_request(struct machine *machine, driver_client client, uint32_t code,
				   const void *in, size_t in_size, void *out, size_t out_size,
				   size_t *ret_size)
{
	*ret_size = 0;
	if (code == SIM_REQUEST_PASS_TIME)
		return machine_sim_pass_time(machine, in, in_size);
	if (code == SIM_REQUEST_HIDE_RINGS) {
		machine->hides_rings = true;
		return DRIVER_OK;
	}
	// WindowsPerf's driver, which this imitates, refuses codes that it does not know in this
	// way.
	bool is_ours = (code >= WPERF_RING_CTL_QUERY && code <= WPERF_RING_CTL_WAIT) ||
		       code == WPERF_LOSSES_CTL_QUERY;
	if (machine->hides_rings && is_ours)
		return DRIVER_INVALID_PARAMETER;
	if (machine->has_clock)
		follow_clock(machine);
	if (code == SIM_REQUEST_RUN)
		return machine_sim_run(machine, in, in_size);
	return sim_request(&machine->sim, client, code, in, in_size, out, out_size, ret_size);
}

void machine_close(struct machine *machine, driver_client client)
{
	sim_close(&machine->sim, client);
}

void machine_suspend(struct machine *machine)
{
	driver_core_suspend(&machine->sim.core);
}

void machine_resume(struct machine *machine)
{
	driver_core_resume(&machine->sim.core);
}

driver_client machine_owner(const struct machine *machine)
{
	return machine->sim.core.lock.owner;
}
