// SPDX-License-Identifier: Apache-2.0

// Plays a hostile session with the driver: several clients, any code, any size, any bytes, input
// and output apart or the same, while time passes and timers tick. Buffers are exactly as large as
// they are said to be, so that a sanitizer sees one byte too many.

#include "base/reader.h"
#include "driver/core/request.h"
#include "driver/sim/program.h"
#include "driver/sim/sim.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Time passes in units of 2 us, so that a request waits for up to 131 ms. */
enum { TIME_UNIT_NS = 2000, SAMPLING_DIVISOR = 64 };

enum {
	NUM_CLIENTS = 3,
	MAX_INPUT = 5000,
	// Those of the contract and their neighbours.
	FIRST_FUNCTION = 0x8FE,
	NUM_FUNCTIONS = 0x1B,
	FIRST_RING_FUNCTION = 0x9FF,
	NUM_RING_FUNCTIONS = 7,
};

enum action_flag {
	RAW_CODE = 1 << 0,    /* any 32 bits instead of a function near ours */
	SAME_BUFFER = 1 << 1, /* METHOD_BUFFERED */
	NULL_INPUT = 1 << 2,  /* with the size that it would have had */
	NULL_OUTPUT = 1 << 3,
	CLOSE = 1 << 4,        /* afterwards, the client closes its handle */
	LARGE_OUTPUT = 1 << 5, /* near the limit */
	KNOWN_INPUT = 1 << 6,  /* a size of the contract, which chance would rarely find */
	ADVANCE = 1 << 7,      /* before, time passes */
};

struct request {
	unsigned flags;
	driver_client client;
	uint32_t code;
	size_t in_size, out_size;
	uint64_t wait_ns;
};

static const struct {
	size_t size, item_size;
} known_inputs[] = {
	{WPERF_ANY_INPUT_SIZE, 0},
	{sizeof(struct wperf_control), 0},
	{sizeof(struct wperf_version), 0},
	{sizeof(struct wperf_spe_control), 0},
	{sizeof(struct wperf_event_assign), sizeof(uint16_t)},
	{sizeof(struct wperf_dmc_channels), sizeof(struct wperf_dmc_range)},
	{sizeof(struct wperf_sample_source), sizeof(struct wperf_sample_event)},
	{sizeof(struct wperf_ring_start), 0},
};

static size_t read_known_size(struct reader *reader)
{
	size_t which = reader_u8(reader) % (sizeof(known_inputs) / sizeof(known_inputs[0]));
	return known_inputs[which].size + known_inputs[which].item_size * reader_u8(reader);
}

static struct sim_config read_config(struct reader *reader)
{
	struct sim_config config = {
		.num_cores = reader_u8(reader),
		.midr = reader_u64(reader),
		.counters = reader_u8(reader) % 33,
		.busy_counters = reader_u8(reader) % 33,
		.dsu_clusters = reader_u8(reader),
		.dmc_channels = reader_u8(reader),
	};
	uint8_t parts = reader_u8(reader);
	config.spe = parts & 1;
	config.no_ring = parts & 2;
	config.pmu_version = reader_u8(reader) % 17;
	config.common_events = reader_u64(reader);
	config.extended_events = reader_u64(reader);
	return config;
}

static uint32_t read_code(struct reader *reader)
{
	unsigned n = reader_u8(reader) % (NUM_FUNCTIONS + NUM_RING_FUNCTIONS);
	return n < NUM_FUNCTIONS ? WPERF_REQUEST(FIRST_FUNCTION + n)
				 : WPERF_REQUEST(FIRST_RING_FUNCTION + n - NUM_FUNCTIONS);
}

static struct request read_request(struct reader *reader)
{
	struct request request = {
		.flags = reader_u8(reader),
		.client = reader_u8(reader) % (NUM_CLIENTS + 1), // DRIVER_CLIENT_NONE is one
		.in_size = reader_u16(reader) % MAX_INPUT,
		.out_size = reader_u16(reader) % (MAX_INPUT + 1),
	};
	if (request.flags & RAW_CODE)
		request.code = reader_u32(reader);
	else
		request.code = read_code(reader);
	if (request.flags & ADVANCE)
		request.wait_ns = (uint64_t)reader_u16(reader) * TIME_UNIT_NS;
	if (request.flags & KNOWN_INPUT)
		request.in_size = read_known_size(reader);
	if (request.flags & LARGE_OUTPUT)
		request.out_size += WPERF_MAX_OUTPUT - MAX_INPUT / 2;
	return request;
}

// The input: what is left of the fuzzer's bytes, and zeros behind them.
static uint8_t *create_buffer(struct reader *reader, size_t in_size, size_t buffer_size)
{
	uint8_t *buffer = calloc(1, buffer_size ? buffer_size : 1);
	if (!buffer)
		abort();
	size_t length = reader_left(reader) < in_size ? reader_left(reader) : in_size;
	const void *bytes = reader_bytes(reader, length);
	if (bytes)
		memcpy(buffer, bytes, length);
	return buffer;
}

static void check(const struct sim *sim, const struct request *request, enum driver_status status,
		  size_t ret_size)
{
	if (sim->num_faults || ret_size > request->out_size)
		abort();
	if (status != DRIVER_OK && ret_size)
		abort();
	if (status == DRIVER_PENDING && request->code != WPERF_RING_CTL_WAIT)
		abort();
}

// Nothing is counted more often than it happens, or in more rounds than there were.
static void check_counts(const struct sim *sim, const uint8_t *bytes)
{
	struct wperf_core_counts counts;
	memcpy(&counts, bytes, sizeof(counts));
	if (counts.evt_num < 1 || counts.evt_num > WPERF_MAX_CORE_EVENTS)
		abort();
	for (unsigned i = 0; i < counts.evt_num; i++) {
		const struct wperf_event_count *count = &counts.evts[i];
		uint64_t most = 0;
		for (unsigned core = 0; core < sim->config.num_cores; core++) {
			uint64_t truth = sim_truth(sim, core, count->event_idx, true);
			if (truth >= most)
				most = truth + 1;
		}
		if (count->scheduled > counts.round || count->value > most)
			abort();
	}
}

// A core gives what its events can have made, where the program is.
static void check_samples(const uint8_t *bytes)
{
	struct wperf_samples samples;
	memcpy(&samples, bytes, sizeof(samples));
	if (samples.size > WPERF_MAX_SAMPLES)
		abort();
	for (unsigned i = 0; i < samples.size; i++) {
		if (!samples.samples[i].ov_flags || samples.samples[i].ov_flags > UINT32_MAX ||
		    !samples.samples[i].pc || !samples.samples[i].lr)
			abort();
	}
}

static void check_summary(const uint8_t *bytes)
{
	struct wperf_sample_summary summary;
	memcpy(&summary, bytes, sizeof(summary));
	if (summary.sample_dropped > summary.sample_generated)
		abort();
}

static void check_ring_sample(const struct sim *sim, const uint8_t *bytes,
			      const struct wperf_ring_sample *sample)
{
	size_t callers_size = sample->num_callers * sizeof(uint64_t);
	if (sample->size != sizeof(*sample) + callers_size || !sample->pc || !sample->overflows ||
	    sample->core >= sim->config.num_cores || sample->pid != PROGRAM_PID)
		abort();
	for (size_t i = 0; i < sample->num_callers; i++) {
		uint64_t caller;
		memcpy(&caller, bytes + sizeof(*sample) + i * sizeof(caller), sizeof(caller));
		if (caller == 0 || caller >> 63 != sample->pc >> 63)
			abort();
	}
}

// Whole samples, up to the end of the answer.
static void check_ring(const struct sim *sim, const uint8_t *bytes, size_t size)
{
	struct wperf_ring_answer answer;
	memcpy(&answer, bytes, sizeof(answer));
	if (answer.size != size - sizeof(answer) || answer.left > SIM_RING)
		abort();
	for (size_t at = sizeof(answer); at < size;) {
		struct wperf_ring_sample sample;
		if (size - at < sizeof(sample))
			abort();
		memcpy(&sample, bytes + at, sizeof(sample));
		if (sample.size > size - at)
			abort();
		check_ring_sample(sim, bytes + at, &sample);
		at += sample.size;
	}
}

static void check_answer(const struct sim *sim, uint32_t code, const uint8_t *bytes, size_t size)
{
	switch (code) {
	case WPERF_PMU_CTL_READ_COUNTING:
		check_counts(sim, bytes);
		break;
	case WPERF_PMU_CTL_SAMPLE_GET:
		check_samples(bytes);
		break;
	case WPERF_RING_CTL_READ:
		check_ring(sim, bytes, size);
		break;
	case WPERF_RING_CTL_STOP:
	case WPERF_PMU_CTL_SAMPLE_STOP:
		check_summary(bytes);
		break;
	default:
		break;
	}
}

// An interrupt every few microseconds takes its time, too.
static uint64_t wait_of(const struct sim *sim, const struct request *request)
{
	for (unsigned core = 0; core < sim->config.num_cores; core++) {
		if (sim->core.samplings[core].is_running)
			return request->wait_ns / SAMPLING_DIVISOR;
	}
	return request->wait_ns;
}

static void play(struct sim *sim, const struct request *request, struct reader *reader)
{
	bool is_same = request->flags & SAME_BUFFER;
	size_t first_size = request->in_size;
	if (is_same && request->out_size > first_size)
		first_size = request->out_size;
	uint8_t *first = create_buffer(reader, request->in_size, first_size);
	uint8_t *second = is_same || request->out_size == 0 ? NULL : malloc(request->out_size);
	uint8_t *in = request->flags & NULL_INPUT ? NULL : first;
	uint8_t *out = is_same ? first : second;
	if (request->flags & NULL_OUTPUT)
		out = NULL;
	sim_advance(sim, wait_of(sim, request));
	size_t ret_size = SIZE_MAX;
	enum driver_status status =
		sim_request(sim, request->client, request->code, in, request->in_size, out,
			    request->out_size, &ret_size);
	check(sim, request, status, ret_size);
	if (status == DRIVER_OK)
		check_answer(sim, request->code, out, ret_size);
	free(first);
	free(second);
	if (request->flags & CLOSE)
		sim_close(sim, request->client);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sim sim;
	struct reader reader = reader_create(data, size);
	struct sim_config config = read_config(&reader);
	const char *field = NULL;
	if (sim_init(&sim, &config, &field) != DRIVER_OK) {
		if (!field)
			abort();
		return 0;
	}
	while (reader_left(&reader) > 0) {
		struct request request = read_request(&reader);
		play(&sim, &request, &reader);
	}
	return 0;
}
