// SPDX-License-Identifier: Apache-2.0
// store_speed PLACE [WINDOWS [SERVICES [HOSTS [SAMPLES]]]]: fills a store with windows of a
// synthetic fleet, and prints how long that takes, bytes per pair and how long queries take.
//
// 10 services on 10 hosts each, unless others are asked for, as synthetic_fleet.h
// makes them.

#include "base/os/clock.h"
#include "bench/synthetic_fleet.h"
#include "fleet/store/store_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define START     (UINT64_C(1700000000) / 3600 * STORE_HOUR_NS)
#define WINDOW_NS (60 * (uint64_t)STORE_SECOND_NS)

enum {
	MAX_SERVICES = 10,
	BATCHES_AT_ONCE = 100, // as a server has them that takes many agents
};

/** The size of the fleet. */
struct fleet_size {
	uint32_t num_windows, num_services, num_hosts /* of each */, num_samples /* of a window */;
};

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

/** Names and stacks are the service's; samples, labels and the id its own. */
static struct fleet_batch begin_batch(const struct fleet_batch *service)
{
	struct fleet_batch batch = *service;
	batch.id = NULL;
	batch.labels = NULL;
	batch.num_labels = batch.cap_labels = 0;
	batch.profile.samples = NULL;
	batch.profile.num_samples = batch.profile.cap_samples = 0;
	return batch;
}

static void name_batch(struct fleet_batch *batch, uint32_t window, uint32_t service, uint32_t host)
{
	char words[3][48];
	batch->start_ns = START + window * WINDOW_NS;
	batch->length_ns = WINDOW_NS;
	snprintf(words[0], sizeof(words[0]), "batch-%u-%u-%u", window, service, host);
	snprintf(words[1], sizeof(words[1]), "service-%u", service);
	snprintf(words[2], sizeof(words[2]), "host-%u", host);
	bench_check(fleet_batch_set_id(batch, words[0]));
	bench_check(fleet_batch_set_label(batch, "service.name", words[1]));
	bench_check(fleet_batch_set_label(batch, "host.name", words[2]));
}

/** The window of each host, some at once. @return: seconds within put(). */
static double put_window(struct store *store, struct fleet_batch *batches, uint32_t num)
{
	const struct fleet_batch *list[BATCHES_AT_ONCE];
	struct store_put_result result;
	for (uint32_t i = 0; i < num; i++)
		list[i] = &batches[i];
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	bench_check(store->ops->put(store, list, num, &result));
	return seconds_since(begin_ns);
}

static void put_all(struct store *store, const char *place, const struct fleet_size *size)
{
	static struct fleet_batch services[MAX_SERVICES], batches[BATCHES_AT_ONCE];
	static uint32_t stacks[MAX_SERVICES][SYNTHETIC_STACKS];
	uint32_t num_series = size->num_services * size->num_hosts;
	size_t num_pairs = 0;
	uint64_t state = 99;
	double seconds = 0;
	for (uint32_t i = 0; i < size->num_services; i++)
		synthetic_service_make(&services[i], i, stacks[i]);
	for (uint32_t window = 0; window < size->num_windows; window++) {
		for (uint32_t i = 0; i < num_series; i++) {
			uint32_t service = i % size->num_services, at = i % BATCHES_AT_ONCE;
			free(batches[at].profile.samples);
			free(batches[at].id);
			fleet_batch_deinit_labels(&batches[at]);
			batches[at] = begin_batch(&services[service]);
			synthetic_window_fill(&batches[at], stacks[service], size->num_samples,
					      &state);
			num_pairs += synthetic_window_stacks(&batches[at]);
			name_batch(&batches[at], window, service, i / size->num_services);
			if (at == BATCHES_AT_ONCE - 1 || i == num_series - 1)
				seconds += put_window(store, batches, at + 1);
		}
		if (window == 0 || window == size->num_windows / 2 ||
		    window == size->num_windows - 1)
			printf("%u windows of %u series: %zu pairs, %.1f s, %.0f pairs/s, "
			       "%lld bytes\n",
			       window + 1, num_series, num_pairs, seconds,
			       (double)num_pairs / seconds, size_of(place));
		fflush(stdout);
	}
	for (uint32_t i = 0; i < BATCHES_AT_ONCE; i++) {
		free(batches[i].profile.samples);
		free(batches[i].id);
		fleet_batch_deinit_labels(&batches[i]);
	}
	for (uint32_t i = 0; i < size->num_services; i++)
		fleet_batch_deinit(&services[i]);
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
	const struct store_query of_service = {.service = "service-0"};
	const struct store_query of_host = {
		.service = "service-0", .labels = &host, .num_labels = 1};
	const struct store_query of_minutes = {.service = "service-0",
					       .from_ns = end_ns - 5 * WINDOW_NS};
	const struct store_query all = {0};
	const struct store_query steps = {.service = "service-0", .step_ns = WINDOW_NS};
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

static uint32_t word(int argc, char **argv, int number, uint32_t usual)
{
	return argc > number ? (uint32_t)strtoul(argv[number], NULL, 10) : usual;
}

int main(int argc, char **argv)
{
	struct store *store;
	const struct fleet_size size = {
		.num_windows = word(argc, argv, 2, 60),
		.num_services = word(argc, argv, 3, 10),
		.num_hosts = word(argc, argv, 4, 10),
		.num_samples = word(argc, argv, 5, 2000),
	};
	if (argc < 2 || !size.num_services || size.num_services > MAX_SERVICES)
		return 2;
	uint64_t end_ns = START + size.num_windows * WINDOW_NS;
	bench_check(store_open(argv[1], STORE_CREATE, &store));
	put_all(store, argv[1], &size);
	try_queries(store, end_ns);
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	bench_check(store->ops->roll_up(store, end_ns));
	printf("sums of hours: %.3f s\n", seconds_since(begin_ns));
	try_queries(store, end_ns);
	store_close(store);
	return 0;
}
