// SPDX-License-Identifier: Apache-2.0

#include "server/server_metrics.h"

static const uint64_t server_metrics_limits_ns[SERVER_METRICS_NUM_TIMES - 1] = {
	1000000, 3000000, 10000000, 30000000, 100000000, 300000000, 1000000000, 10000000000,
};

void server_metrics_add(struct server_metrics *metrics, enum server_counter counter,
			uint64_t amount)
{
	atomic_fetch_add_explicit(&metrics->counters[counter], amount, memory_order_relaxed);
}

void server_metrics_count_request(struct server_metrics *metrics, int status)
{
	if (status > 0 && status < SERVER_METRICS_NUM_STATUSES)
		atomic_fetch_add_explicit(&metrics->requests[status], 1, memory_order_relaxed);
}

void server_metrics_time_put(struct server_metrics *metrics, uint64_t length_ns)
{
	size_t i = 0;
	while (i < SERVER_METRICS_NUM_TIMES - 1 && length_ns > server_metrics_limits_ns[i])
		i++;
	atomic_fetch_add_explicit(&metrics->puts[i], 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&metrics->put_ns, length_ns, memory_order_relaxed);
}

double server_metrics_limit_s(size_t i)
{
	return (double)server_metrics_limits_ns[i] / 1e9;
}
