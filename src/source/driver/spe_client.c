// SPDX-License-Identifier: Apache-2.0

#include "source/driver/spe_client.h"

#include "base/container/array.h"
#include "record/perf_data/event_attr.h"
#include "record/spe/spe_sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

// The driver copies SPE's buffer on request, without times and without AUX records.
// spe_client_poll() takes all bytes; each taking remembers the end of its bytes and the time. In
// spe_client_next(), all bytes become one raw record, and the operations follow. An operation has
// its own time stamp, or gets the time of the first taking that contains its end.
//
// perf.data needs records about the machine and the event before the raw bytes
// (tools/perf/util/arm-spe.c: auxtrace_info); spe_file_head makes them, with a PMU type that no
// kernel has.

// More than any buffer of a driver: a size above is nonsense.
enum { MAX_TAKING = 1 << 30 };

// Of the event in files: the kernel numbers devices from 6 on, and this one is none of its own.
enum { PMU_TYPE = 64 };

static struct error *send_control(const struct spe_client *client, uint32_t code, const char *name,
				  void *out, size_t out_size)
{
	struct wperf_control control = {
		.cores_count = 1,
		.cores_no = {client->control.cores_no[0]},
		.flags = WPERF_CONTROL_SPE,
	};
	return driver_client_send(client->transport, code, name, &control, sizeof(control), out,
				  out_size);
}

static struct wperf_spe_control spe_client_control_of(const struct sample_plan *plan)
{
	const struct spe_filters *filters = plan->spe;
	uint64_t latency = spe_filters_value(filters, "min_latency");
	struct wperf_spe_control control = {
		.cores_count = 1,
		.cores_no = {(uint8_t)plan->cores[0]},
		.event_filter = spe_filters_value(filters, "event_filter"),
		.interval = (uint32_t)spe_filters_value(filters, "period"),
		.config_flags = latency << WPERF_SPE_MIN_LATENCY_SHIFT,
	};
	if (spe_filters_value(filters, "load_filter"))
		control.operation_filter |= WPERF_SPE_LOAD;
	if (spe_filters_value(filters, "store_filter"))
		control.operation_filter |= WPERF_SPE_STORE;
	if (spe_filters_value(filters, "branch_filter"))
		control.operation_filter |= WPERF_SPE_BRANCH;
	if (spe_filters_value(filters, "ts_enable"))
		control.config_flags |= WPERF_SPE_TIMESTAMP;
	if (spe_filters_value(filters, "jitter"))
		control.config_flags |= WPERF_SPE_JITTER;
	if (latency)
		control.config_flags |= WPERF_SPE_MIN_LATENCY;
	return control;
}

static struct error *spe_client_check_plan(const struct sample_plan *plan, unsigned num_cores)
{
	if (plan->events->num_items)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "the driver cannot sample with SPE and events at once"),
			"leave out the other events");
	if (plan->num_cores == 1 && plan->cores[0] < num_cores)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "you can specify only one core for sampling"),
			       "choose one with -c");
}

static struct error *spe_client_describe_machine(struct spe_client *client)
{
	const struct spe_client_machine *machine = &client->machine;
	_cleanup_(spe_machine_deinit) struct spe_machine described = {
		.pmu_type = PMU_TYPE,
		.cores = calloc(machine->num_cores, sizeof(*described.cores)),
		.num_cores = machine->num_cores,
		.is_elsewhere = true,
	};
	if (!described.cores)
		return &error_no_memory;
	for (unsigned core = 0; core < machine->num_cores; core++)
		described.cores[core] = (struct spe_machine_core){
			.cpu = core,
			.midr = (uint32_t)machine->core_midr[core],
			.pmu_type = PMU_TYPE,
		};
	return spe_file_head_init(&client->head, &described, &machine->conversion);
}

static void spe_client_describe_event(struct spe_client *client, const struct sample_plan *plan)
{
	const struct event_attr_raw raw = {
		.type = PMU_TYPE,
		.period = client->period,
		.excludes_kernel = !plan->kernel,
		.clock = CLOCK_MONOTONIC,
	};
	client->id = 1;
	client->described = (struct perf_data_event){
		.name = plan->spe->spec,
		.ids = &client->id,
		.num_ids = 1,
	};
	client->described.attr_size = event_attr_set_raw(client->described.attr, &raw);
}

struct error *spe_client_open(struct spe_client *client, const struct driver_transport *transport,
			      const struct spe_client_machine *machine,
			      const struct sample_plan *plan)
{
	struct error *err = spe_client_check_plan(plan, machine->num_cores);
	if (err)
		return err;
	*client = (struct spe_client){
		.transport = transport,
		.machine = *machine,
		.control = spe_client_control_of(plan),
		.event = (uint32_t)plan->events->num_items,
	};
	// The hardware counts in steps of so many.
	client->period = client->control.interval & ~UINT32_C(0xff);
	spe_stream_init(&client->stream, 0);
	spe_client_describe_event(client, plan);
	err = spe_client_describe_machine(client);
	if (!err)
		err = spe_tally_open(&client->tally, transport, plan->cores[0]);
	return err ? err
		   : send_control(client, WPERF_PMU_CTL_SPE_INIT, "PMU_CTL_SPE_INIT", NULL, 0);
}

static struct error *spe_client_halt(struct spe_client *client)
{
	client->is_running = false;
	return send_control(client, WPERF_PMU_CTL_SPE_STOP, "PMU_CTL_SPE_STOP", NULL, 0);
}

void spe_client_close(struct spe_client *client)
{
	if (client->is_running)
		error_destroy(spe_client_halt(client));
	spe_tally_close(&client->tally);
	spe_file_head_deinit(&client->head);
	free(client->bytes);
	free(client->takings);
	*client = (struct spe_client)SPE_CLIENT_INIT;
}

struct error *spe_client_start(struct spe_client *client)
{
	struct error *err = spe_tally_start(&client->tally);
	if (!err)
		err = driver_client_send(client->transport, WPERF_PMU_CTL_SPE_START,
					 "PMU_CTL_SPE_START", &client->control,
					 sizeof(client->control), NULL, 0);
	client->is_running = !err;
	return err;
}

static struct error *get_bytes(struct spe_client *client, uint64_t size)
{
	while (size) {
		struct wperf_spe_control control = client->control;
		control.buffer_size = size < WPERF_MAX_OUTPUT ? size : WPERF_MAX_OUTPUT;
		// Room for what comes, not for what was announced.
		struct error *err = array_reserve(&client->bytes, &client->cap_bytes,
						  client->num_bytes + (size_t)control.buffer_size);
		if (!err)
			err = driver_client_send(client->transport, WPERF_PMU_CTL_SPE_GET_BUFFER,
						 "PMU_CTL_SPE_GET_BUFFER", &control,
						 sizeof(control), client->bytes + client->num_bytes,
						 (size_t)control.buffer_size);
		if (err)
			return err;
		client->num_bytes += (size_t)control.buffer_size;
		client->num_taken += control.buffer_size;
		size -= control.buffer_size;
	}
	return NULL;
}

struct error *spe_client_poll(struct spe_client *client, uint64_t time_ns, size_t *ret_bytes)
{
	uint64_t size = 0;
	// What has become records is not needed any more.
	if (client->is_fed) {
		client->is_fed = false;
		client->num_bytes = 0;
		client->num_takings = client->next_taking = 0;
	}
	struct error *err = send_control(client, WPERF_PMU_CTL_SPE_GET_SIZE, "PMU_CTL_SPE_GET_SIZE",
					 &size, sizeof(size));
	// Before any memory is allocated for it.
	if (!err && size > MAX_TAKING)
		err = error_create(ERROR_FAILED,
				   "PMU_CTL_SPE_GET_SIZE answered nonsense: %" PRIu64 " bytes",
				   size);
	if (!err)
		err = array_reserve(&client->takings, &client->cap_takings,
				    client->num_takings + 1);
	if (!err)
		err = get_bytes(client, size);
	if (err)
		return err;
	client->takings[client->num_takings++] = (struct spe_taking){client->num_taken, time_ns};
	*ret_bytes = (size_t)size;
	return NULL;
}

struct error *spe_client_stop(struct spe_client *client, uint64_t time_ns)
{
	size_t size;
	struct error *err = spe_client_halt(client);
	if (!err)
		err = spe_tally_stop(&client->tally, &client->totals.spe);
	return err ? err : spe_client_poll(client, time_ns, &size);
}

static uint64_t spe_client_time_of(struct spe_client *client, const struct spe_record *operation)
{
	if (spe_record_has(operation, SPE_VALUE_TIMESTAMP) && client->machine.conversion.is_known)
		return time_conversion_ns(&client->machine.conversion,
					  operation->values[SPE_VALUE_TIMESTAMP]);
	// No timestamp: the time at which its last byte was taken, which is later by a poll at
	// most.
	uint64_t end = operation->position + operation->size;
	while (client->next_taking + 1 < client->num_takings &&
	       client->takings[client->next_taking].end < end)
		client->next_taking++;
	return client->takings[client->next_taking].time_ns;
}

/** The bytes that were taken away since the last; false if there are none. */
static bool spe_client_feed(struct spe_client *client, struct record *ret)
{
	const struct aux_piece_place place = {
		.cpu = client->control.cores_no[0],
		.tid = client->machine.pid,
		.position = client->num_taken - client->num_bytes,
	};
	client->is_fed = true;
	spe_stream_feed(&client->stream, client->bytes, client->num_bytes);
	aux_piece_record_set(&client->piece, &place, client->bytes, client->num_bytes, ret);
	return client->num_bytes > 0;
}

bool spe_client_next(struct spe_client *client, struct record *ret)
{
	if (spe_file_head_next(&client->head, ret) ||
	    (!client->is_fed && spe_client_feed(client, ret)))
		return true;
	const struct spe_record *operation = spe_stream_next(&client->stream);
	client->totals.num_generated = client->stream.num_records;
	client->totals.spe_trace = (struct spe_trace_totals){
		.num_records = client->stream.num_records,
		.num_bad_bytes = client->stream.num_bad_bytes,
		.num_damages = client->stream.num_damages,
	};
	if (!operation)
		return false;
	unsigned core = client->control.cores_no[0];
	*ret = (struct record){
		.pid = client->machine.pid,
		.tid = client->machine.pid,
		.time_ns = spe_client_time_of(client, operation),
		.cpu = core,
		.event = client->event,
	};
	spe_sample_set(ret, operation, (uint32_t)client->machine.core_midr[core], client->period);
	return true;
}
