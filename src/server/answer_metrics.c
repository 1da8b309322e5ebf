// SPDX-License-Identifier: Apache-2.0
// Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats). Of tenants, only
// the one that asks is in it.

#include "base/container/array.h"
#include "base/file/first_line.h"
#include "base/os/clock.h"
#include "server/http/http_server.h"
#include "server/server_routes.h"
#include "server/server_state.h"
#include "server/tenant/intake.h"
#include "server/tenant/tenant_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER_METRICS_LINE_SIZE = 128, ANSWER_METRICS_NS_PER_S = 1000000000 };

static void answer_metrics_head(struct string_builder *text, const char *name, const char *type,
				const char *help)
{
	string_builder_appendf(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void answer_metrics_number(struct string_builder *text, const char *name, const char *type,
				  const char *help, uint64_t number)
{
	answer_metrics_head(text, name, type, help);
	string_builder_appendf(text, "%s %" PRIu64 "\n", name, number);
}

static void answer_metrics_requests(const struct server_metrics *metrics,
				    struct string_builder *text)
{
	answer_metrics_head(text, "wperf_requests_total", "counter", "Requests, by status.");
	for (unsigned i = 0; i < SERVER_METRICS_NUM_STATUSES; i++)
		if (metrics->requests[i])
			string_builder_appendf(text,
					       "wperf_requests_total{status=\"%u\"} %" PRIu64 "\n",
					       i, (uint64_t)metrics->requests[i]);
}

static void answer_metrics_counters(const struct server_metrics *metrics,
				    struct string_builder *text)
{
	static const struct {
		const char *name, *label, *help; // help: the first of a name
	} rows[NUM_SERVER_COUNTERS] = {
		[SERVER_BATCHES_STORED] = {"wperf_batches_total", "{result=\"stored\"}",
					   "Batches, by what the store did with them."},
		[SERVER_BATCHES_KNOWN] = {"wperf_batches_total", "{result=\"known\"}", NULL},
		[SERVER_BATCHES_TOO_OLD] = {"wperf_batches_total", "{result=\"too_old\"}", NULL},
		[SERVER_REFUSED_AUTHORIZATION] = {"wperf_refused_total", "{reason=\"token\"}",
						  "Requests to store that were refused."},
		[SERVER_REFUSED_DAMAGED] = {"wperf_refused_total", "{reason=\"damaged\"}", NULL},
		[SERVER_REFUSED_TYPE] = {"wperf_refused_total", "{reason=\"type\"}", NULL},
		[SERVER_REFUSED_SIZE] = {"wperf_refused_total", "{reason=\"size\"}", NULL},
		[SERVER_REFUSED_LIMIT] = {"wperf_refused_total", "{reason=\"limit\"}", NULL},
		[SERVER_REFUSED_STORE] = {"wperf_refused_total", "{reason=\"store\"}", NULL},
		[SERVER_BYTES_IN] = {"wperf_received_bytes_total", "",
				     "Bytes of requests to store, as they came."},
		[SERVER_SAMPLES] = {"wperf_received_samples_total", "",
				    "Samples that were received: different stacks of batches."},
	};
	for (size_t i = 0; i < NUM_SERVER_COUNTERS; i++) {
		if (rows[i].help)
			answer_metrics_head(text, rows[i].name, "counter", rows[i].help);
		string_builder_appendf(text, "%s%s %" PRIu64 "\n", rows[i].name, rows[i].label,
				       (uint64_t)metrics->counters[i]);
	}
}

static void answer_metrics_puts(const struct server_metrics *metrics, struct string_builder *text)
{
	uint64_t sum = 0;
	answer_metrics_head(text, "wperf_put_seconds", "histogram",
			    "How long transactions of stores took.");
	for (size_t i = 0; i < SERVER_METRICS_NUM_TIMES; i++) {
		sum += metrics->puts[i];
		bool is_rest = i == SERVER_METRICS_NUM_TIMES - 1;
		char limit[ANSWER_METRICS_LINE_SIZE] = "+Inf";
		if (!is_rest)
			snprintf(limit, sizeof(limit), "%g", server_metrics_limit_s(i));
		string_builder_appendf(text, "wperf_put_seconds_bucket{le=\"%s\"} %" PRIu64 "\n",
				       limit, sum);
	}
	string_builder_appendf(text,
			       "wperf_put_seconds_sum %g\nwperf_put_seconds_count %" PRIu64 "\n",
			       (double)metrics->put_ns / ANSWER_METRICS_NS_PER_S, sum);
}

static void answer_metrics_process(struct string_builder *text)
{
	char line[ANSWER_METRICS_LINE_SIZE];
	answer_metrics_head(text, "process_cpu_seconds_total", "counter",
			    "CPU time of the server.");
	string_builder_appendf(text, "process_cpu_seconds_total %.3f\n",
			       (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) /
				       ANSWER_METRICS_NS_PER_S);
	// proc(5): all pages, and those in memory.
	first_line_read("/proc/self/statm", line, sizeof(line));
	const char *resident = strchr(line, ' ');
	if (resident)
		answer_metrics_number(
			text, "process_resident_memory_bytes", "gauge", "Memory of the server.",
			strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE));
}

static void answer_metrics_connections(struct http_server *http, struct string_builder *text)
{
	const struct http_connections_counts counts = http_server_connections(http);
	const struct {
		const char *reason;
		uint64_t count;
	} rows[] = {
		{"address", counts.num_refused},
		{"slow", counts.num_slow},
		{"crowded", counts.num_crowded},
	};
	answer_metrics_number(text, "wperf_connections", "gauge", "Connections that are open.",
			      counts.num_open);
	answer_metrics_head(text, "wperf_closed_connections_total", "counter",
			    "Connections that the server refused or ended, by reason.");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		string_builder_appendf(text,
				       "wperf_closed_connections_total{reason=\"%s\"} %" PRIu64
				       "\n",
				       rows[i].reason, rows[i].count);
}

static void answer_metrics_tenant(const struct server_call *call, struct string_builder *text)
{
	const struct tenant *tenant = tenants_find(&call->state->tenants, call->tenant);
	uint64_t size;
	answer_metrics_head(text, "wperf_agent_dropped_batches_total", "counter",
			    "Batches that agents dropped, as they report it.");
	string_builder_appendf(text,
			       "wperf_agent_dropped_batches_total{tenant=\"%s\"} %" PRIu64 "\n",
			       call->tenant, intake_num_dropped(call->intake));
	if (!tenant || !tenant_place_size(tenant_place(tenant), &size))
		return;
	answer_metrics_head(text, "wperf_store_bytes", "gauge", "Size of the store on the disk.");
	string_builder_appendf(text, "wperf_store_bytes{tenant=\"%s\"} %" PRIu64 "\n", call->tenant,
			       size);
}

struct error *answer_metrics(const struct server_call *call, struct server_answer *ret)
{
	struct string_builder *text = &ret->body;
	ret->type = "text/plain; version=0.0.4; charset=utf-8";
	ret->may_compress = true;
	answer_metrics_requests(&call->state->metrics, text);
	answer_metrics_counters(&call->state->metrics, text);
	answer_metrics_puts(&call->state->metrics, text);
	answer_metrics_number(text, "wperf_queued_requests", "gauge",
			      "Requests that wait for a thread.",
			      http_server_num_waiting(call->state->http));
	answer_metrics_connections(call->state->http, text);
	answer_metrics_number(text, "wperf_retention_held", "gauge",
			      "1: nothing is dropped, as the clock has jumped ahead.",
			      call->state->metrics.is_retention_held);
	answer_metrics_tenant(call, text);
	answer_metrics_process(text);
	return NULL;
}
