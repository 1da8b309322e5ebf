// SPDX-License-Identifier: Apache-2.0
// Threads with counts of their own: each gets its items, whatever the others collect meanwhile, and
// its own last error. A thread that collects nothing gets those of the newest count.

#include "wperf-lib.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { NUM_THREADS = 4, NUM_ROUNDS = 50 };

static bool count(uint16_t event)
{
	STAT_CONF conf;
	STAT_INFO item;
	uint8_t cores[] = {0};
	memset(&conf, 0, sizeof(conf));
	conf.num_cores = 1;
	conf.cores = cores;
	conf.num_events = 1;
	conf.events = &event;
	conf.duration = 0.1;
	if (!wperf_stat(&conf, NULL))
		return false;
	int num_own = 0, num_all = 0;
	for (; wperf_stat(&conf, &item); num_all++)
		num_own += item.event_idx == event;
	return num_own == 1 && num_all == 2; // the cycles are the other
}

/** Every other call fails, with the thread's own reason. */
static bool has_own_error(unsigned number)
{
	TEST_CONF conf;
	wchar_t name[32];
	const wchar_t *metric = name;
	memset(&conf, 0, sizeof(conf));
	swprintf(name, 32, L"nothing_%u", number);
	conf.num_metrics = 1;
	conf.metric_events = &metric;
	return !wperf_test(&conf, NULL) && wperf_last_error() && wcsstr(wperf_last_error(), name);
}

static void *run_thread(void *data)
{
	unsigned number = *(unsigned *)data;
	for (int i = 0; i < NUM_ROUNDS; i++)
		if (!count((uint16_t)(0x10 + number)) || !has_own_error(number))
			return data;
	return NULL;
}

static void *read_newest(void *data)
{
	STAT_CONF conf;
	STAT_INFO item;
	memset(&conf, 0, sizeof(conf));
	int num = 0;
	while (wperf_stat(&conf, &item))
		num++;
	return num == 2 ? NULL : data;
}

static int join(pthread_t *threads, int num)
{
	int num_failed = 0;
	for (int i = 0; i < num; i++) {
		void *failed;
		pthread_join(threads[i], &failed);
		num_failed += failed != NULL;
	}
	return num_failed;
}

int main(void)
{
	pthread_t threads[NUM_THREADS];
	unsigned numbers[NUM_THREADS];
	if (!wperf_init())
		return 1;
	for (unsigned i = 0; i < NUM_THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, run_thread, &numbers[i]);
	}
	int num_failed = join(threads, NUM_THREADS);
	pthread_create(&threads[0], NULL, read_newest, numbers);
	num_failed += join(threads, 1);
	printf("%d threads failed\n", num_failed);
	return !wperf_close() || num_failed;
}
