// SPDX-License-Identifier: Apache-2.0
// The source `sim`, sampled through its operations as any other.

#include "source/sim/source_sim.h"
#include "source/source.h"

#include "base/container/array.h"
#include "record/perf_data/event_attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define MS(n) ((uint64_t)(n)*1000000)

static const struct event ld_spec = {"ld_spec", "", "", EVENT_CORE, 0x70};
static const struct event cpu_cycles = {"cpu_cycles", "", "", EVENT_CORE, 0x11};

struct run {
	struct source *source;
	struct event_request requests[4];
	struct event_list events;
	struct sample_plan plan;
	size_t num_samples[4], num_others, in_x_mul;
	uint64_t last_time_ns, hash;
	uint32_t cores_seen;
	struct sample_totals totals;
};

static int setup(void **state)
{
	struct run *run = calloc(1, sizeof(*run));
	struct source_settings settings = SOURCE_SETTINGS_INIT;
	const struct source_ops *ops;
	assert_no_error(source_select("sim,cores=4,dsu=0,dmc=0", &ops, &settings));
	assert_no_error(ops->open(&settings, false, &run->source));
	source_settings_deinit(&settings);
	run->events.items = run->requests;
	run->plan = (struct sample_plan){.events = &run->events, .chain = SAMPLE_CHAIN_CFI};
	*state = run;
	return 0;
}

static int teardown(void **state)
{
	struct run *run = *state;
	source_close(run->source);
	free(run);
	return 0;
}

static void ask(struct run *run, const struct event *event, uint64_t interval)
{
	run->requests[run->events.num_items++] =
		(struct event_request){.event = event, .interval = interval};
}

static const struct sample_symbol *find_symbol(struct run *run, uint64_t address)
{
	size_t num;
	const struct sample_symbol *symbols = run->source->ops->sample->symbols(run->source, &num);
	for (size_t i = 0; i < num; i++) {
		if (address >= symbols[i].address && address - symbols[i].address < symbols[i].size)
			return &symbols[i];
	}
	return NULL;
}

static void take(struct run *run, const struct record *record)
{
	assert_true(record->time_ns >= run->last_time_ns);
	run->last_time_ns = record->time_ns;
	if (record->kind != RECORD_SAMPLE) {
		run->num_others++;
		return;
	}
	const struct sample_symbol *symbol = find_symbol(run, record->sample.ip);
	assert_non_null(symbol);
	assert_non_null(find_symbol(run, record->sample.chain[1]));
	assert_int_equal(record->sample.chain[0], record->sample.ip);
	run->in_x_mul += !strcmp(symbol->name, "x_mul");
	run->num_samples[record->event]++;
	run->cores_seen |= 1u << record->cpu;
	run->hash = run->hash * 31 + record->sample.ip;
}

static void take_round(struct run *run, uint64_t duration_ns)
{
	const struct source_ops *ops = run->source->ops;
	assert_no_error(ops->sample->wait(run->source, duration_ns, -1));
	for (bool more = true; more;) {
		struct record record;
		assert_no_error(ops->sample->next(run->source, &record, &more));
		if (more)
			take(run, &record);
	}
}

static void sample(struct run *run, unsigned rounds, uint64_t duration_ns)
{
	const struct source_ops *ops = run->source->ops;
	assert_no_error(ops->sample->open(run->source, &run->plan));
	assert_no_error(ops->sample->start(run->source));
	for (unsigned i = 0; i < rounds; i++)
		take_round(run, duration_ns);
	assert_no_error(ops->sample->stop(run->source));
	take_round(run, MS(1000));
	run->totals = ops->sample->totals(run->source);
}

static void one_core(void **state)
{
	struct run *run = *state;
	static const unsigned cores[] = {1};
	run->plan.cores = cores;
	run->plan.num_cores = 1;
	ask(run, &ld_spec, 100000);
	sample(run, 10, MS(100));
	// 2500 MHz, 0.75 instructions per cycle, 24 % of them loads, 90 % not in the kernel.
	assert_int_equal(run->num_samples[0], 1875000000ull / 100 * 24 / 10 * 9 / 100000);
	assert_int_equal(run->num_others, 4);
	assert_int_equal(run->cores_seen, 1 << 1);
	assert_int_equal(run->totals.num_generated, run->num_samples[0]);
	assert_int_equal(run->totals.num_lost, 0);
	assert_in_range(run->in_x_mul * 100 / run->num_samples[0], 67, 73);
}

static void all_cores_and_the_kernel(void **state)
{
	struct run *run = *state;
	run->plan.kernel = true;
	ask(run, &cpu_cycles, 0); // the default
	ask(run, &cpu_cycles, 1000000);
	sample(run, 3, MS(100));
	assert_int_equal(run->num_samples[0], 4 * (750000000 / 0x4000000));
	assert_int_equal(run->num_samples[1], 4 * 750);
	assert_int_equal(run->cores_seen, 0xf);
	assert_int_equal(run->totals.num_lost, 0);
}

static void the_same_every_time_and_in_other_rounds(void **state)
{
	uint64_t hashes[2];
	for (unsigned i = 0; i < 2; i++) {
		void *again;
		setup(&again);
		struct run *run = again;
		static const unsigned cores[] = {3};
		run->plan.cores = cores;
		run->plan.num_cores = 1;
		ask(run, &ld_spec, 20000);
		sample(run, i ? 7 : 70, i ? MS(10) : MS(1));
		assert_int_equal(run->totals.num_lost, 0);
		hashes[i] = run->hash;
		teardown(&again);
	}
	assert_int_equal(hashes[0], hashes[1]);
}

// As many as interrupts can bring; the rest is known to be lost.
static void absurd_intervals_lose_and_say_so(void **state)
{
	struct run *run = *state;
	static const unsigned cores[] = {0};
	run->plan.cores = cores;
	run->plan.num_cores = 1;
	run->plan.chain = SAMPLE_CHAIN_NONE;
	ask(run, &cpu_cycles, 10);
	const struct source_ops *ops = run->source->ops;
	assert_no_error(ops->sample->open(run->source, &run->plan));
	assert_no_error(ops->sample->start(run->source));
	assert_no_error(ops->sample->wait(run->source, MS(10), -1));
	assert_no_error(ops->sample->stop(run->source));
	size_t num = 0;
	for (bool more = true; more;) {
		struct record record;
		assert_no_error(ops->sample->next(run->source, &record, &more));
		if (more && record.kind == RECORD_SAMPLE) {
			assert_null(record.sample.chain);
			num++;
		}
	}
	struct sample_totals totals = ops->sample->totals(run->source);
	assert_int_equal(totals.num_generated, 22500000 / 10);
	assert_int_equal(totals.num_generated - totals.num_lost, num);
	assert_in_range(num, 4900, 5001);
}

static struct record next_record(struct run *run)
{
	struct record record;
	bool more;
	assert_no_error(run->source->ops->sample->next(run->source, &record, &more));
	assert_true(more);
	return record;
}

static void what_runs_is_introduced(void **state)
{
	struct run *run = *state;
	const struct source_ops *ops = run->source->ops;
	ask(run, &ld_spec, 1000000);
	assert_no_error(ops->pass_time(run->source, MS(5)));
	assert_no_error(ops->sample->open(run->source, &run->plan));
	assert_no_error(ops->sample->start(run->source));
	struct record record = next_record(run);
	assert_int_equal(record.kind, RECORD_COMM);
	assert_string_equal(record.comm.name, "python_d.exe");
	assert_int_equal(record.time_ns, MS(5));
	static const char *const paths[] = {"[sim]/python_d.exe", "[sim]/python312_d.dll",
					    "[sim]/ntoskrnl.exe"};
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		record = next_record(run);
		assert_int_equal(record.kind, RECORD_MAP);
		assert_string_equal(record.map.path, paths[i]);
		assert_int_equal(record.mode, i == 2 ? RECORD_MODE_KERNEL : RECORD_MODE_USER);
	}
	bool more;
	assert_no_error(ops->sample->next(run->source, &record, &more));
	assert_false(more);
}

static void events_are_described_as_files_have_them(void **state)
{
	struct run *run = *state;
	const struct source_ops *ops = run->source->ops;
	size_t num;
	assert_null(ops->sample->events(run->source, &num));
	assert_int_equal(num, 0);
	ask(run, &ld_spec, 100000);
	assert_no_error(ops->sample->open(run->source, &run->plan));
	const struct perf_data_event *events = ops->sample->events(run->source, &num);
	assert_int_equal(num, 1);
	assert_string_equal(events[0].name, ld_spec.name);
	assert_int_equal(events[0].num_ids, 1);
	assert_int_equal(event_attr_rate(events[0].attr, events[0].attr_size).period, 100000);
	ops->sample->close(run->source);
}

// Sampling is over when it is closed, also without a stop: the counters are free to count.
static void closing_ends_it(void **state)
{
	struct run *run = *state;
	const struct source_ops *ops = run->source->ops;
	ask(run, &ld_spec, 1000000);
	for (unsigned i = 0; i < 2; i++) {
		assert_no_error(ops->sample->open(run->source, &run->plan));
		assert_no_error(ops->sample->start(run->source));
		assert_no_error(ops->sample->wait(run->source, MS(10), -1));
		if (i == 0)
			ops->sample->close(run->source);
	}
}

#define RUN_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int sim_sampling_tests(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(one_core),
		RUN_TEST(all_cores_and_the_kernel),
		cmocka_unit_test(the_same_every_time_and_in_other_rounds),
		RUN_TEST(absurd_intervals_lose_and_say_so),
		RUN_TEST(what_runs_is_introduced),
		RUN_TEST(events_are_described_as_files_have_them),
		RUN_TEST(closing_ends_it),
	};
	return cmocka_run_group_tests_name("sim_sampling", tests, NULL, NULL);
}
