// SPDX-License-Identifier: Apache-2.0
// store_speed PLACE [WINDOWS]: fills a store with windows of a synthetic fleet, and prints how long
// that takes, bytes per pair and how long queries take.
//
// 10 services on 10 hosts each, as synthetic_fleet.h makes them.

#include "base/os/clock.h"
#include "bench/synthetic_fleet.h"
#include "fleet/store/store_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define START     (UINT64_C(1700000000) / 3600 * STORE_HOUR_NS)
#define WINDOW_NS (60 * (uint64_t)STORE_SECOND_NS)

enum { NUM_SERVICES = 10, NUM_HOSTS = 10 };

static double seconds_since(uint64_t begin_ns)
{
	return (double)(clock_ns(CLOCK_MONOTONIC) - begin_ns) / STORE_SECOND_NS;
}

static long long size_of(const char *place)
{
	const char *path = strchr(place, ':') ? strchr(place, ':') + 1 : place;
	struct stat info;
	return stat(path, &info) == 0 ? (long long)info.st_size : 0;
}

static size_t put_all(struct store *store, const char *place, uint32_t num_windows)
{
	static struct fleet_batch batches[NUM_SERVICES];
	static uint32_t stacks[NUM_SERVICES][SYNTHETIC_STACKS];
	size_t num_pairs = 0;
	uint64_t state = 99;
	double seconds = 0;
	for (uint32_t i = 0; i < NUM_SERVICES; i++)
		synthetic_service_make(&batches[i], i, stacks[i]);
	for (uint32_t window = 0; window < num_windows; window++) {
		for (uint32_t i = 0; i < NUM_SERVICES * NUM_HOSTS; i++) {
			struct fleet_batch *batch = &batches[i % NUM_SERVICES];
			const struct fleet_batch *list[] = {batch};
			struct store_put_result result;
			char words[3][32];
			synthetic_window_fill(batch, stacks[i % NUM_SERVICES], &state);
			num_pairs += synthetic_window_stacks(batch);
			batch->start_ns = START + window * WINDOW_NS;
			batch->length_ns = WINDOW_NS;
			snprintf(words[0], sizeof(words[0]), "batch-%u-%u", window, i);
			snprintf(words[1], sizeof(words[1]), "service-%u", i % NUM_SERVICES);
			snprintf(words[2], sizeof(words[2]), "host-%u", i / NUM_SERVICES);
			bench_check(fleet_batch_set_id(batch, words[0]));
			bench_check(fleet_batch_set_label(batch, "service.name", words[1]));
			bench_check(fleet_batch_set_label(batch, "host.name", words[2]));
			uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
			bench_check(store->ops->put(store, list, 1, &result));
			seconds += seconds_since(begin_ns);
		}
		if (window == 0 || window == num_windows / 2 || window == num_windows - 1)
			printf("%u windows of %u series: %zu pairs, %.1f s, %.0f pairs/s, "
			       "%lld bytes\n",
			       window + 1, NUM_SERVICES * NUM_HOSTS, num_pairs, seconds,
			       (double)num_pairs / seconds, size_of(place));
	}
	for (uint32_t i = 0; i < NUM_SERVICES; i++)
		fleet_batch_deinit(&batches[i]);
	return num_pairs;
}

static void try_query(struct store *store, const char *name, const struct store_query *query)
{
	struct named_profile profile;
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	bench_check(store->ops->query(store, query, &profile));
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
	bench_check(store->ops->heat(store, &steps, &heat));
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
	bench_check(store_open(argv[1], STORE_CREATE, &store));
	put_all(store, argv[1], num_windows);
	try_queries(store, end_ns);
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	bench_check(store->ops->roll_up(store, end_ns));
	printf("sums of hours: %.3f s\n", seconds_since(begin_ns));
	try_queries(store, end_ns);
	store_close(store);
	return 0;
}
