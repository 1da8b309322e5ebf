// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/client.h"

#include <string.h>

enum { FIRST_CLIENT = 1, MAX_EVENTS = 16 };

struct client client_create(struct machine *machine, struct report *report, uint32_t free_counters)
{
	struct client client = {.machine = machine, .report = report, .id = FIRST_CLIENT};
	EXPECT_EQUAL(report, machine_init(machine, free_counters), DRIVER_OK);
	EXPECT_EQUAL(report, client_lock(&client, WPERF_LOCK_GET), WPERF_LOCK_ACQUIRED);
	return client;
}

struct client client_create_rival(const struct client *client)
{
	struct client rival = *client;
	rival.id++;
	return rival;
}

static enum driver_status ask(const struct client *client, uint32_t code, const void *in,
			      size_t in_size, void *out, size_t out_size)
{
	size_t ret_size;
	enum driver_status status = machine_request(client->machine, client->id, code, in, in_size,
						    out, out_size, &ret_size);
	EXPECT_EQUAL(client->report, ret_size, status == DRIVER_OK ? out_size : 0);
	return status;
}

enum wperf_lock_status client_lock(const struct client *client, uint32_t flag)
{
	struct wperf_lock_request request = {.flag = flag};
	struct wperf_lock_reply reply = {.status = WPERF_LOCK_UNKNOWN_ERROR};
	uint32_t code = flag == WPERF_LOCK_RELEASE ? WPERF_PMU_CTL_LOCK_RELEASE
						   : WPERF_PMU_CTL_LOCK_ACQUIRE;
	EXPECT_EQUAL(client->report,
		     ask(client, code, &request, sizeof(request), &reply, sizeof(reply)),
		     DRIVER_OK);
	return (enum wperf_lock_status)reply.status;
}

enum driver_status client_query(const struct client *client, uint32_t code, void *out,
				size_t out_size)
{
	return ask(client, code, &code, WPERF_ANY_INPUT_SIZE, out, out_size);
}

void client_assign(const struct client *client, const uint16_t *events, uint16_t num,
		   uint64_t filter)
{
	struct {
		struct wperf_event_assign head;
		struct wperf_event_header header;
		uint16_t events[MAX_EVENTS];
	} request = {
		.head = {.core_idx = WPERF_ALL_CORES, .filter_bits = filter},
		.header = {.event_class = WPERF_CLASS_CORE, .num = num},
	};
	size_t events_size = num * sizeof(*events);
	EXPECT_WITHIN(client->report, num, 0, MAX_EVENTS);
	memcpy(request.events, events, events_size);
	EXPECT_EQUAL(client->report,
		     ask(client, WPERF_PMU_CTL_ASSIGN_EVENTS, &request,
			 sizeof(request.head) + sizeof(request.header) + events_size, NULL, 0),
		     DRIVER_OK);
}

static enum driver_status control(const struct client *client, uint32_t code, int32_t period_ms)
{
	struct wperf_control request = {
		.cores_count = 1,
		.cores_no = {MACHINE_CPU},
		.period = period_ms,
		.flags = WPERF_CONTROL_CORE,
	};
	return ask(client, code, &request, sizeof(request), NULL, 0);
}

enum driver_status client_try_start(const struct client *client, int32_t period_ms)
{
	return control(client, WPERF_PMU_CTL_START, period_ms);
}

void client_start(const struct client *client, int32_t period_ms)
{
	EXPECT_EQUAL(client->report, client_try_start(client, period_ms), DRIVER_OK);
}

void client_stop(const struct client *client)
{
	EXPECT_EQUAL(client->report, control(client, WPERF_PMU_CTL_STOP, 0), DRIVER_OK);
}

void client_reset(const struct client *client)
{
	EXPECT_EQUAL(client->report, control(client, WPERF_PMU_CTL_RESET, 0), DRIVER_OK);
}

struct wperf_core_counts client_read(const struct client *client)
{
	struct wperf_control request = {
		.cores_count = 1,
		.cores_no = {MACHINE_CPU},
		.flags = WPERF_CONTROL_CORE,
	};
	struct wperf_core_counts counts = {0};
	EXPECT_EQUAL(client->report,
		     ask(client, WPERF_PMU_CTL_READ_COUNTING, &request, sizeof(request), &counts,
			 sizeof(counts)),
		     DRIVER_OK);
	return counts;
}

static void set_source(const struct client *client, const struct wperf_sample_event *events,
		       unsigned num)
{
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event events[MAX_EVENTS];
	} request = {.head = {MACHINE_CPU}};
	size_t events_size = num * sizeof(*events);
	EXPECT_WITHIN(client->report, num, 1, MAX_EVENTS);
	memcpy(request.events, events, events_size);
	EXPECT_EQUAL(client->report,
		     ask(client, WPERF_PMU_CTL_SAMPLE_SET_SRC, &request,
			 sizeof(request.head) + events_size, NULL, 0),
		     DRIVER_OK);
}

void client_sample_start(const struct client *client, const struct wperf_sample_event *events,
			 unsigned num)
{
	set_source(client, events, num);
	EXPECT_EQUAL(client->report, control(client, WPERF_PMU_CTL_SAMPLE_START, 0), DRIVER_OK);
}

struct wperf_sample_summary client_sample_stop(const struct client *client)
{
	struct wperf_control request = {.cores_count = 1, .cores_no = {MACHINE_CPU}};
	struct wperf_sample_summary summary = {0};
	EXPECT_EQUAL(client->report,
		     ask(client, WPERF_PMU_CTL_SAMPLE_STOP, &request, sizeof(request), &summary,
			 sizeof(summary)),
		     DRIVER_OK);
	return summary;
}

void client_sample_get(const struct client *client, struct wperf_samples *ret)
{
	uint32_t cpu = MACHINE_CPU;
	memset(ret, 0, sizeof(*ret));
	EXPECT_EQUAL(client->report,
		     ask(client, WPERF_PMU_CTL_SAMPLE_GET, &cpu, sizeof(cpu), ret, sizeof(*ret)),
		     DRIVER_OK);
}
