// SPDX-License-Identifier: Apache-2.0
// store_speed PLACE [WINDOWS [BATCHES]]: fills a store with windows of a synthetic fleet, BATCHES
// at once, and prints how long that takes, bytes per pair (of files) and how long queries take.
// PLACE is any store: sqlite:FILE, clickhouse://HOST:PORT/DATABASE.
//
// 10 services on 10 hosts each; a service has 20,000 stacks, 24 frames deep, over 5,000 functions.
// A window has 2,000 samples on a timer. Stacks are drawn with a Zipf-like skew (a uniform number
// to the third power), so that some are in each window and most are rare.

#include "base/os/clock.h"
#include "bench/random_numbers.h"
#include "fleet/store/store_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define START     (UINT64_C(1700000000) / 3600 * STORE_HOUR_NS)
#define WINDOW_NS (60 * (uint64_t)STORE_SECOND_NS)

enum {
	NUM_SERVICES = 10,
	NUM_HOSTS = 10,
	NUM_STACKS = 20000,
	NUM_FUNCTIONS = 5000,
	DEPTH = 24,
	SAMPLES = 2000,
	MAX_BATCHES = 1000,
	PERIOD_NS = 52631578, // 19 Hz
};

/** Ends the program: a bench has nobody to return it to. */
static void check(struct error *err)
{
	if (!err)
		return;
	fprintf(stderr, "%s\n", err->message);
	exit(1);
}

static double seconds_since(uint64_t begin_ns)
{
	return (double)(clock_ns(CLOCK_MONOTONIC) - begin_ns) / STORE_SECOND_NS;
}

static uint32_t text(struct named_profile *profile, const char *format, uint32_t number)
{
	char buffer[64];
	uint32_t string = 0;
	snprintf(buffer, sizeof(buffer), format, number);
	check(named_profile_string(profile, buffer, &string));
	return string;
}

/** The names and stacks of a service; the samples come later. */
static void make_service(struct fleet_batch *batch, uint32_t service, uint32_t *stacks)
{
	struct named_profile *profile = &batch->profile;
	uint64_t state = service + 1;
	uint32_t frames[NUM_FUNCTIONS], event, thread;
	check(fleet_batch_init(batch));
	for (uint32_t i = 0; i < NUM_FUNCTIONS; i++) {
		struct named_module module = {.name = text(profile, "lib%u.so", i % 40),
					      .path = text(profile, "/usr/lib/lib%u.so", i % 40),
					      .build_id = text(profile, "%040x", i % 40)};
		struct named_function function = {.name = text(profile, "function_%u", i),
						  .file = text(profile, "file_%u.c", i / 20),
						  .line = i};
		struct named_frame frame = {
			.file = function.file, .line = i + 3, .address = 64 * i};
		check(named_profile_module(profile, &module, &function.module));
		check(named_profile_function(profile, &function, &frame.function));
		check(named_profile_frame(profile, &frame, &frames[i]));
	}
	for (uint32_t i = 0; i < NUM_STACKS; i++) {
		uint32_t path[DEPTH];
		// The outer half is of few functions, as in servers.
		for (uint32_t j = 0; j < DEPTH; j++)
			path[j] =
				frames[random_next(&state) % (j < DEPTH / 2 ? NUM_FUNCTIONS : 40)];
		check(stack_table_intern(&profile->stacks, path, DEPTH, &stacks[i]));
	}
	const struct named_event cpu_clock = {.name = text(profile, "cpu-clock", 0),
					      .unit = text(profile, "nanoseconds", 0),
					      .frequency = 19};
	const struct named_thread worker = {.name = text(profile, "worker", 0), .pid = 1, .tid = 1};
	check(named_profile_event(profile, &cpu_clock, &event));
	check(named_profile_thread(profile, &worker, &thread));
}

static void make_window(struct fleet_batch *batch, const uint32_t *stacks, uint64_t *state)
{
	batch->profile.num_samples = 0;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		double uniform = (double)(random_next(state) % 1000003) / 1000003;
		uint32_t stack = stacks[(size_t)(uniform * uniform * uniform * NUM_STACKS)];
		const struct named_sample sample = {
			.count = 1, .weight = PERIOD_NS, .stack = stack, .cpu = NAMED_NONE};
		check(named_profile_add(&batch->profile, &sample));
	}
}

static long long size_of(const char *place)
{
	const char *path = strchr(place, ':') ? strchr(place, ':') + 1 : place;
	struct stat info;
	return stat(path, &info) == 0 ? (long long)info.st_size : 0;
}

static size_t num_different(const struct fleet_batch *batch)
{
	static unsigned char seen[1 << 22];
	size_t num = 0;
	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < batch->profile.num_samples; i++) {
		num += !seen[batch->profile.samples[i].stack];
		seen[batch->profile.samples[i].stack] = 1;
	}
	return num;
}

/** A window of a host: the profile is the service's, with samples of its own. */
static void make_batch(struct fleet_batch *batch, const struct fleet_batch *service,
		       const uint32_t *stacks, uint32_t window, uint32_t series, uint64_t *state)
{
	char words[3][32];
	if (!batch->id)
		check(fleet_batch_set_id(batch, ""));
	struct named_sample *samples = batch->profile.samples;
	size_t cap_samples = batch->profile.cap_samples;
	batch->profile = service->profile;
	batch->profile.samples = samples;
	batch->profile.cap_samples = cap_samples;
	make_window(batch, stacks, state);
	batch->start_ns = START + window * WINDOW_NS;
	batch->length_ns = WINDOW_NS;
	snprintf(words[0], sizeof(words[0]), "batch-%u-%u", window, series);
	snprintf(words[1], sizeof(words[1]), "service-%u", series % NUM_SERVICES);
	snprintf(words[2], sizeof(words[2]), "host-%u", series / NUM_SERVICES);
	check(fleet_batch_set_id(batch, words[0]));
	check(fleet_batch_set_label(batch, "service.name", words[1]));
	check(fleet_batch_set_label(batch, "host.name", words[2]));
}

static double put_batches(struct store *store, const struct fleet_batch *batches, size_t num)
{
	const struct fleet_batch *list[MAX_BATCHES];
	struct store_put_result result;
	for (size_t i = 0; i < num; i++)
		list[i] = &batches[i];
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	check(store->ops->put(store, list, num, &result));
	return seconds_since(begin_ns);
}

static size_t put_all(struct store *store, const char *place, uint32_t num_windows,
		      uint32_t num_at_once)
{
	static struct fleet_batch services[NUM_SERVICES], batches[MAX_BATCHES];
	static uint32_t stacks[NUM_SERVICES][NUM_STACKS];
	size_t num_pairs = 0;
	uint64_t state = 99;
	double seconds = 0;
	for (uint32_t i = 0; i < NUM_SERVICES; i++)
		make_service(&services[i], i, stacks[i]);
	size_t num_made = 0;
	for (uint32_t window = 0; window < num_windows; window++) {
		for (uint32_t i = 0; i < NUM_SERVICES * NUM_HOSTS; i++) {
			struct fleet_batch *batch = &batches[num_made++];
			make_batch(batch, &services[i % NUM_SERVICES], stacks[i % NUM_SERVICES],
				   window, i, &state);
			num_pairs += num_different(batch);
			if (num_made < num_at_once)
				continue;
			seconds += put_batches(store, batches, num_made);
			num_made = 0;
		}
		if (window == 0 || window == num_windows / 2 || window == num_windows - 1)
			printf("%u windows of %u series: %zu pairs, %.1f s, %.0f pairs/s, "
			       "%lld bytes\n",
			       window + 1, NUM_SERVICES * NUM_HOSTS, num_pairs, seconds,
			       (double)num_pairs / seconds, size_of(place));
	}
	if (num_made)
		put_batches(store, batches, num_made);
	// The rest ends with the program.
	return num_pairs;
}

static void try_query(struct store *store, const char *name, const struct store_query *query)
{
	struct named_profile profile;
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	check(store->ops->query(store, query, &profile));
	printf("query of %s: %.3f s, %zu stacks\n", name, seconds_since(begin_ns),
	       profile.num_samples);
	named_profile_deinit(&profile);
}

static void try_queries(struct store *store, uint64_t end_ns)
{
	const struct fleet_label host = {(char *)"host.name", (char *)"host-3"};
	const struct store_query of_service = {.service = "service-4"};
	const struct store_query of_host = {
		.service = "service-4", .labels = &host, .num_labels = 1};
	const struct store_query of_minutes = {.service = "service-4",
					       .from_ns = end_ns - 5 * WINDOW_NS};
	const struct store_query all = {NULL};
	const struct store_query steps = {.service = "service-4", .step_ns = WINDOW_NS};
	struct store_heat heat;
	try_query(store, "one service", &of_service);
	try_query(store, "one service on one host", &of_host);
	try_query(store, "one service, 5 minutes", &of_minutes);
	try_query(store, "all services", &all);
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	check(store->ops->heat(store, &steps, &heat));
	printf("heat map of one service: %.3f s, %zu steps\n", seconds_since(begin_ns),
	       heat.num_sums);
	store_heat_deinit(&heat);
}

int main(int argc, char **argv)
{
	struct store *store;
	if (argc < 2)
		return 2;
	uint32_t num_windows = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 60;
	uint64_t end_ns = START + num_windows * WINDOW_NS;
	check(store_open(argv[1], STORE_CREATE, &store));
	put_all(store, argv[1], num_windows,
		argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) % (MAX_BATCHES + 1) : 1);
	try_queries(store, end_ns);
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	check(store->ops->roll_up(store, end_ns));
	printf("sums of hours: %.3f s\n", seconds_since(begin_ns));
	try_queries(store, end_ns);
	store_close(store);
	return 0;
}
