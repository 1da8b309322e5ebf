// SPDX-License-Identifier: Apache-2.0

// A driver that answers anything: any error, any size, any bytes. The client must not believe it.

#include "base/reader.h"
#include "source/driver/driver_sampler.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_REQUESTS = 300, MAX_ROUNDS = 8, NUM_EVENTS = 2, ROUND_NS = 100000000 };

enum mode { DESCRIBES, SAMPLES, PROFILES };

struct liar {
	struct reader reader;
	struct wperf_hw_cfg cfg; // else most of them would fail at once
	unsigned num_requests;
	uint64_t now_ns;
};

static size_t answer_with(struct liar *liar, uint8_t *out, size_t out_size)
{
	size_t size = reader_u16(&liar->reader);
	size_t real = size < out_size ? size : out_size;
	for (size_t i = 0; i < real; i++)
		out[i] = reader_left(&liar->reader) ? reader_u8(&liar->reader) : 0;
	// Now and then it says that it wrote more than there is room for.
	return real == size || size % 64 == 0 ? size : out_size;
}

static uint32_t request(void *context, uint32_t code, const void *in, size_t in_size, void *out,
			size_t out_size, size_t *ret_size)
{
	struct liar *liar = context;
	uint8_t kind = reader_u8(&liar->reader);
	*ret_size = 0;
	if (liar->num_requests++ > MAX_REQUESTS)
		return 1;
	if (kind >= 0xf0)
		return kind;
	if (code == WPERF_PMU_CTL_QUERY_HW_CFG && !(kind & 0x40)) {
		memcpy(out, &liar->cfg, sizeof(liar->cfg));
		*ret_size = sizeof(liar->cfg);
		return 0;
	}
	if (kind & 1)
		*ret_size = answer_with(liar, out, out_size);
	else if (out_size)
		memset(out, kind / 2, *ret_size = out_size);
	return 0;
}

static uint64_t now_ns(void *context)
{
	return ((struct liar *)context)->now_ns;
}

static void pass_time(void *context, uint64_t duration_ns)
{
	((struct liar *)context)->now_ns += duration_ns;
}

static uint32_t wait_for_ring(void *context, uint64_t duration_ns)
{
	pass_time(context, duration_ns);
	return 0;
}

static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i++)
		sum += bytes[i];
	return sum;
}

/** Of a trace, records for files come as well: they are bytes. */
static void take_round(struct driver_sampler *sampler)
{
	struct record record;
	uint64_t sum = 0;
	while (driver_sampler_next(sampler, &record)) {
		bool is_sample = record.kind == RECORD_SAMPLE;
		if (is_sample ? record.event >= NUM_EVENTS
			      : record.kind != RECORD_OTHER || !record.raw_size)
			abort();
		for (size_t i = 0; is_sample && i < record.sample.chain_length; i++)
			sum += record.sample.chain[i];
		sum += sum_of(record.raw, record.raw_size);
		sum += sum_of(record.payload, record.payload_size);
	}
	if (sum == 1)
		abort(); // it has to be read
}

static struct error *play_rounds(struct driver_sampler *sampler)
{
	struct error *err = driver_sampler_start(sampler);
	for (unsigned i = 0; !err && i < MAX_ROUNDS; i++) {
		err = driver_sampler_wait(sampler, ROUND_NS);
		if (!err)
			take_round(sampler);
	}
	if (!err)
		err = driver_sampler_stop(sampler);
	if (!err)
		take_round(sampler);
	return err;
}

static void play_sampling(const struct driver_transport *transport, enum mode mode)
{
	static const struct event event = {"ld_spec", "", "", EVENT_CORE, 0x70};
	struct event_request requests[NUM_EVENTS] = {{.event = &event}, {.event = &event}};
	const struct event_list events = {.items = requests,
					  .num_items = mode == SAMPLES ? NUM_EVENTS : 0};
	const struct spe_filters filters = {.spec = ""};
	const uint64_t midr[4] = {0};
	const struct spe_client_machine machine = {.num_cores = 4, .core_midr = midr};
	const unsigned cores[] = {1};
	const struct sample_plan plan = {
		.events = &events,
		.spe = mode == PROFILES ? &filters : NULL,
		.chain = SAMPLE_CHAIN_FP,
		.cores = cores,
		.num_cores = mode == PROFILES,
	};
	struct driver_sampler sampler = DRIVER_SAMPLER_INIT;
	struct error *err = driver_sampler_open(&sampler, transport, &machine, &plan);
	if (!err)
		err = play_rounds(&sampler);
	error_destroy(err);
	driver_sampler_close(&sampler);
}

static void play_description(const struct driver_transport *transport)
{
	const struct driver_topology topology = {
		.dsu_clusters = 2, .dsu_cluster_size = 2, .dmc_channels = 3};
	struct source_info info = SOURCE_INFO_INIT;
	error_destroy(driver_client_describe(transport, &topology, &info));
	source_info_deinit(&info);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct liar liar = {
		.reader = reader_create(data, size),
		.cfg = {.core_num = 4,
			.gpc_num = 6,
			.total_gpc_num = 6,
			.counter_idx_map = {0, 1, 2, 3, 4, 5}},
	};
	enum mode mode = reader_u8(&liar.reader) % (PROFILES + 1);
	const struct driver_transport transport = {
		.request = request,
		.context = &liar,
		.now_ns = now_ns,
		.pass_time = pass_time,
		.wait_for_ring = wait_for_ring,
		.is_simulated = true,
	};
	if (mode == DESCRIBES)
		play_description(&transport);
	else
		play_sampling(&transport, mode);
	return 0;
}
