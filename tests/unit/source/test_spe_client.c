// SPDX-License-Identifier: Apache-2.0
// Statistical profiling of the source `sim`, through its operations as any other's.

#include "source/sim/source_sim.h"
#include "source/source.h"

#include "record/aux_piece_record.h"
#include "record/spe/spe_core.h"
#include "record/spe/spe_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { CORE = 2 };

#define MS(n) ((uint64_t)(n)*1000000)

struct run {
	struct source *source;
	struct source_info info;
	struct event_request requests[1];
	struct event_list events;
	struct spe_filters filters;
	unsigned cores[1];
	struct sample_plan plan;
	uint64_t num_samples, num_kernel, last_time_ns, hash;
	unsigned num_heads; // records before the first bytes
	uint64_t num_bytes;
	struct spe_stream stream; // of these bytes, as a file has them
};

static int setup(void **state)
{
	struct run *run = calloc(1, sizeof(*run));
	struct source_settings settings = SOURCE_SETTINGS_INIT;
	const struct source_ops *ops;
	assert_no_error(source_select("sim,cores=4,spe=1,cpu=neoverse-v1", &ops, &settings));
	assert_no_error(ops->open(&settings, false, &run->source));
	assert_no_error(ops->describe(run->source, &run->info));
	source_settings_deinit(&settings);
	run->events.items = run->requests;
	run->cores[0] = CORE;
	run->plan = (struct sample_plan){
		.events = &run->events, .spe = &run->filters, .cores = run->cores, .num_cores = 1};
	*state = run;
	return 0;
}

static int teardown(void **state)
{
	struct run *run = *state;
	source_info_deinit(&run->info);
	source_close(run->source);
	free(run);
	return 0;
}

static void ask(struct run *run, const char *spec)
{
	assert_no_error(spe_spec_parse(spec, &run->info.spe_filters, &run->filters));
}

static void take_piece(struct run *run, const struct record *record)
{
	const struct aux_piece_record *piece = (const struct aux_piece_record *)record->raw;
	assert_int_equal(run->num_heads, 2);
	assert_int_equal(piece->header.type, PERF_ABI_AUXTRACE);
	assert_int_equal(piece->cpu, CORE);
	assert_int_equal(piece->position, run->num_bytes);
	run->num_bytes += piece->size;
	spe_stream_feed(&run->stream, record->payload, record->payload_size);
	while (spe_stream_next(&run->stream))
		;
}

static void take(struct run *run, const struct record *record)
{
	if (record->payload) {
		take_piece(run, record);
		return;
	}
	run->num_heads += record->kind == RECORD_OTHER;
	if (record->kind != RECORD_SAMPLE)
		return;
	assert_true(record->time_ns >= run->last_time_ns);
	run->last_time_ns = record->time_ns;
	assert_non_null(record->sample.spe);
	assert_int_equal(record->event, 0);
	assert_int_equal(record->cpu, CORE);
	assert_int_equal(record->pid, 4711);
	assert_int_equal(spe_core_of(record->sample.spe_midr), SPE_CORE_NEOVERSE_V1);
	run->num_samples++;
	run->num_kernel += record->mode == RECORD_MODE_KERNEL;
	run->hash = run->hash * 31 + record->sample.ip + record->sample.address + record->time_ns;
}

static void take_all(struct run *run)
{
	struct record record;
	bool more = true;
	while (more) {
		assert_no_error(run->source->ops->sample->next(run->source, &record, &more));
		if (more)
			take(run, &record);
	}
}

static void sample(struct run *run, uint64_t duration_ns, uint64_t round_ns)
{
	const struct source_ops *ops = run->source->ops;
	run->num_samples = run->num_kernel = run->hash = 0;
	run->num_heads = run->num_bytes = 0;
	spe_stream_init(&run->stream, 0);
	assert_no_error(ops->sample->open(run->source, &run->plan));
	assert_no_error(ops->sample->start(run->source));
	for (uint64_t passed = 0; passed < duration_ns; passed += round_ns) {
		assert_no_error(ops->sample->wait(run->source, round_ns, -1));
		take_all(run);
	}
	assert_no_error(ops->sample->stop(run->source));
	assert_no_error(ops->sample->wait(run->source, 0, -1));
	take_all(run);
	struct sample_totals totals = ops->sample->totals(run->source);
	assert_int_equal(totals.num_generated, run->num_samples);
	assert_int_equal(run->stream.num_records, run->num_samples);
	assert_true(totals.spe.is_known);
	assert_int_equal(totals.spe.core, CORE);
	assert_int_equal(totals.spe.cycles, duration_ns / MS(1) * 2500000);
	assert_int_equal(totals.spe.population, duration_ns / MS(1) * 2875000);
	assert_int_equal(totals.spe.filtrate, run->num_samples);
	assert_true(totals.spe.feed >= totals.spe.filtrate);
	ops->sample->close(run->source);
}

// Core 2 executes an instruction in each of 2.5 million cycles of a millisecond, which is 1.15
// operations; a thousandth of the samples meets another.
static void test_samples(void **state)
{
	struct run *run = *state;
	ask(run, "arm_spe_0/period=2048,ts=1/");
	sample(run, MS(50), MS(10));
	uint64_t expected = 50 * UINT64_C(2875000) / 2048;
	assert_in_range(run->num_samples, expected * 997 / 1000, expected);
	assert_in_range(run->num_kernel, expected * 9 / 100, expected * 11 / 100);
	assert_in_range(run->last_time_ns, MS(50) - 10000, MS(50));
}

static void test_every_run_is_the_same(void **state)
{
	struct run *run = *state;
	ask(run, "arm_spe_0/ld=1/");
	sample(run, MS(20), MS(20));
	uint64_t hash = run->hash, num = run->num_samples;
	assert_true(num > 3000);
	void *again;
	setup(&again);
	struct run *second = again;
	ask(second, "arm_spe_0/load_filter=1,period=4096/");
	sample(second, MS(20), MS(20));
	assert_int_equal(second->num_samples, num);
	assert_int_equal(second->hash, hash);
	teardown(&again);
}

// The shortest interval fills the driver's buffer fastest.
static void test_nothing_is_lost(void **state)
{
	struct run *run = *state;
	ask(run, "arm_spe_0/period=1024/");
	sample(run, MS(100), MS(100));
	uint64_t expected = 100 * UINT64_C(2875000) / 1024;
	assert_in_range(run->num_samples, expected * 997 / 1000, expected);
}

static void test_refusals(void **state)
{
	struct run *run = *state;
	const struct source_ops *ops = run->source->ops;
	static const struct event ld_spec = {"ld_spec", "", "", EVENT_CORE, 0x70};
	ask(run, "arm_spe_0//");
	run->requests[0] = (struct event_request){.event = &ld_spec};
	run->events.num_items = 1;
	assert_error(ops->sample->open(run->source, &run->plan), ERROR_USAGE,
		     "the driver cannot sample with SPE and events at once");
	run->events.num_items = 0;
	run->plan.num_cores = 0;
	assert_error(ops->sample->open(run->source, &run->plan), ERROR_USAGE,
		     "you can specify only one core for sampling");
}

int spe_client_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_samples, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_run_is_the_same, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_is_lost, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
	};
	return cmocka_run_group_tests_name("spe_client", tests, NULL, NULL);
}
