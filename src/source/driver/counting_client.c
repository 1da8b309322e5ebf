// SPDX-License-Identifier: Apache-2.0

#include "source/driver/counting_client.h"

#include "driver/include/wperf_driver.h"

#include <string.h>

// counting_client_open() sends one PMU_CTL_ASSIGN_EVENTS per class and core. Cores of different
// types may have different lists (core_plans); clusters (DSU) and memory channels (DMC) are
// assigned once. Reading is one request per core, per cluster (through its first core that counts)
// and for all channels. Every answer is checked for the expected number of events, since a
// different client or version would otherwise shift the columns. Cores count in rounds of
// multiplexing: `scheduled` of `round` is the share that scales a count.

/** The largest assignment: one class of the largest size behind its headers. */
struct assignment {
	uint8_t bytes[sizeof(struct wperf_event_assign) + sizeof(struct wperf_event_header) +
		      WPERF_MAX_CORE_EVENTS * sizeof(uint16_t)];
	size_t size;
};

static bool counts_class(const struct counting_client *counting, enum event_class event_class)
{
	return counting->num_events[event_class] > 0;
}

// PMU_CTL_ASSIGN_EVENTS has one filter_bits for all events that it assigns.
static struct error *common_filter(const struct placement *placement, bool kernel, uint64_t *ret)
{
	bool found = false;
	*ret = kernel ? 0 : WPERF_FILTER_EXCLUDE_EL1;
	for (size_t i = 0; i < placement->num_events; i++) {
		const struct event_request *request = placement->events[i].request;
		if (!request)
			continue;
		uint64_t filter = driver_client_filter(request, kernel);
		if (found && filter != *ret)
			return error_with_hint(error_create(ERROR_USAGE,
							    "event '%s' has another user/kernel "
							    "filter than the events before it",
							    request->event->name),
					       "the driver has one filter for all events: use :u "
					       "or :k for all or for none");
		*ret = filter;
		found = true;
	}
	return NULL;
}

static void counting_client_append(struct assignment *assignment, const void *bytes, size_t size)
{
	memcpy(assignment->bytes + assignment->size, bytes, size);
	assignment->size += size;
}

/** The events of one class for one core, all cores, or a channel. */
static struct error *counting_client_assign(const struct counting_client *counting,
					    const struct placement *placement, uint32_t core,
					    uint64_t filter)
{
	struct wperf_event_assign header = {
		.core_idx = core,
		.dmc_idx = (uint8_t)counting->channel,
		.filter_bits = filter,
	};
	struct wperf_event_header events = {
		.event_class = placement->event_class,
		.num = (uint16_t)placement->num_events,
	};
	struct assignment assignment = {.size = 0};
	if (placement->num_events > WPERF_MAX_CORE_EVENTS)
		return error_create(ERROR_FAILED, "too many events for the driver: %zu",
				    placement->num_events);
	counting_client_append(&assignment, &header, sizeof(header));
	counting_client_append(&assignment, &events, sizeof(events));
	for (size_t i = 0; i < placement->num_events; i++) {
		// Numbers are packed, little-endian as all that runs Windows.
		uint16_t code = (uint16_t)placement->events[i].event->code;
		counting_client_append(&assignment, &code, sizeof(code));
	}
	return driver_client_send(counting->transport, WPERF_PMU_CTL_ASSIGN_EVENTS,
				  "PMU_CTL_ASSIGN_EVENTS", assignment.bytes, assignment.size, NULL,
				  0);
}

/** What counts on each core, from @first on. */
static struct error *counting_client_assign_cores(struct counting_client *counting, size_t first,
						  size_t num_cores,
						  const struct placement *placement, bool kernel)
{
	uint64_t filter;
	struct error *err = common_filter(placement, kernel, &filter);
	for (size_t i = first; !err && i < first + num_cores; i++) {
		counting->core_events[i] = placement->num_events;
		err = counting_client_assign(counting, placement, counting->cores[i], filter);
	}
	if (placement->num_events > counting->num_events[EVENT_CORE])
		counting->num_events[EVENT_CORE] = placement->num_events;
	return err;
}

/** Cores count their own events; clusters and channels are asked for once. */
static struct error *assign_class(struct counting_client *counting, enum event_class event_class,
				  const struct count_plan *plan)
{
	const struct placement *placement = &plan->placements[event_class];
	// Also without events: cycles are counted always.
	if (event_class == EVENT_CORE && !plan->num_core_plans)
		return counting_client_assign_cores(counting, 0, counting->num_cores, placement,
						    plan->kernel);
	struct error *err = NULL;
	if (event_class == EVENT_CORE) {
		for (size_t i = 0, first = 0; !err && i < plan->num_core_plans; i++) {
			const struct count_core_plan *cores = &plan->core_plans[i];
			err = counting_client_assign_cores(counting, first, cores->num_cores,
							   cores->placement, plan->kernel);
			first += cores->num_cores;
		}
		return err;
	}
	if (!placement->num_events)
		return NULL;
	uint64_t filter;
	err = common_filter(placement, plan->kernel, &filter);
	counting->num_events[event_class] = placement->num_events;
	return err ? err : counting_client_assign(counting, placement, WPERF_ALL_CORES, filter);
}

struct error *counting_client_open(struct counting_client *counting,
				   const struct driver_transport *transport,
				   const struct driver_topology *topology, unsigned num_cores,
				   const struct count_plan *plan)
{
	_cleanup_(counting_client_close) struct counting_client opened = {
		.transport = transport,
		.topology = *topology,
		.period_ms = plan->period_ms,
		.channel = plan->channel,
	};
	opened.num_cores = plan->num_cores ? plan->num_cores : num_cores;
	opened.cores = calloc(opened.num_cores, sizeof(*opened.cores));
	opened.core_events = calloc(opened.num_cores, sizeof(*opened.core_events));
	if (!opened.cores || !opened.core_events)
		return &error_no_memory;
	for (size_t i = 0; i < opened.num_cores; i++)
		opened.cores[i] = plan->num_cores ? plan->cores[i] : (unsigned)i;
	struct error *err = NULL;
	for (enum event_class i = EVENT_CORE; !err && i < NUM_PMU_CLASSES; i++)
		err = assign_class(&opened, i, plan);
	if (err)
		return err;
	*counting = opened;
	opened = (struct counting_client)COUNTING_CLIENT_INIT;
	// The driver may still have counts of the client before.
	return counting_client_reset(counting);
}

void counting_client_close(struct counting_client *counting)
{
	free(counting->cores);
	free(counting->core_events);
	*counting = (struct counting_client)COUNTING_CLIENT_INIT;
}

static struct error *counting_client_control(const struct counting_client *counting, uint32_t code,
					     const char *name)
{
	struct wperf_control request = {
		.cores_count = counting->num_cores,
		.period = (int32_t)counting->period_ms,
		.dmc_idx = (uint8_t)counting->channel,
		.flags = WPERF_CONTROL_CORE,
	};
	if (counts_class(counting, EVENT_DSU))
		request.flags |= WPERF_CONTROL_DSU;
	if (counts_class(counting, EVENT_DMC_CLK) || counts_class(counting, EVENT_DMC_CLKDIV2))
		request.flags |= WPERF_CONTROL_DMC;
	// cores_no of the contract has so many places.
	if (counting->num_cores > WPERF_MAX_CORES)
		return error_create(ERROR_FAILED, "the driver counts on at most %d cores",
				    WPERF_MAX_CORES);
	for (size_t i = 0; i < counting->num_cores; i++)
		request.cores_no[i] = (uint8_t)counting->cores[i];
	return driver_client_send(counting->transport, code, name, &request, sizeof(request), NULL,
				  0);
}

struct error *counting_client_start(const struct counting_client *counting)
{
	return counting_client_control(counting, WPERF_PMU_CTL_START, "PMU_CTL_START");
}

struct error *counting_client_stop(const struct counting_client *counting)
{
	return counting_client_control(counting, WPERF_PMU_CTL_STOP, "PMU_CTL_STOP");
}

struct error *counting_client_reset(const struct counting_client *counting)
{
	return counting_client_control(counting, WPERF_PMU_CTL_RESET, "PMU_CTL_RESET");
}

/** One core's or channel's answer; @out must be filled to the last byte. */
static struct error *counting_client_read_unit(const struct counting_client *counting,
					       uint32_t code, const char *name, unsigned core,
					       uint32_t flags, void *out, size_t out_size)
{
	struct wperf_control request = {
		.cores_count = 1,
		.cores_no = {(uint8_t)core},
		.dmc_idx = (uint8_t)counting->channel,
		.flags = flags,
	};
	return driver_client_send(counting->transport, code, name, &request, sizeof(request), out,
				  out_size);
}

static struct error *wrong_answer(const char *name, size_t wanted, size_t got)
{
	return error_create(ERROR_FAILED, "%s returned %zu events instead of %zu", name, got,
			    wanted);
}

static void take_counts(const struct wperf_event_count *events, uint64_t round,
			const struct count_set *set, size_t unit, size_t num)
{
	for (size_t i = 0; i < num; i++) {
		*count_set_at(set, unit, i) = (struct count){
			.value = events[i].value,
			.scheduled = events[i].scheduled,
			.total = round,
		};
	}
}

static struct error *counting_client_read_cores(const struct counting_client *counting,
						struct count_set *set)
{
	size_t num_columns = counting->num_events[EVENT_CORE] + 1;
	struct error *err = count_set_renew(COUNT_UNIT_CORE, counting->num_cores, num_columns, set);
	for (size_t i = 0; !err && i < counting->num_cores; i++) {
		struct wperf_core_counts counts;
		err = counting_client_read_unit(counting, WPERF_PMU_CTL_READ_COUNTING,
						"PMU_CTL_READ_COUNTING", counting->cores[i],
						WPERF_CONTROL_CORE, &counts, sizeof(counts));
		size_t num_own = counting->core_events[i] + 1;
		if (!err && counts.evt_num != num_own)
			err = wrong_answer("PMU_CTL_READ_COUNTING", num_own, counts.evt_num);
		if (err)
			return err;
		// Columns behind the core's own events stay 0, never scheduled.
		set->units[i] = counting->cores[i];
		take_counts(counts.evts, counts.round, set, i, num_own);
	}
	return err;
}

/** The clusters of the cores that count, each with its first such core; ascending as the cores. */
static size_t find_clusters(const struct counting_client *counting, unsigned *clusters,
			    unsigned *first_cores)
{
	size_t num = 0;
	for (size_t i = 0; i < counting->num_cores; i++) {
		unsigned cluster = counting->cores[i] / counting->topology.dsu_cluster_size;
		// Cores of one cluster have consecutive numbers.
		if (num && clusters[num - 1] == cluster)
			continue;
		clusters[num] = cluster;
		first_cores[num++] = counting->cores[i];
	}
	return num;
}

static struct error *read_clusters(const struct counting_client *counting, struct count_set *set)
{
	// A cluster has at least one core.
	unsigned clusters[WPERF_MAX_CORES], first_cores[WPERF_MAX_CORES];
	size_t num = find_clusters(counting, clusters, first_cores);
	size_t num_columns = counting->num_events[EVENT_DSU] + 1;
	struct error *err = count_set_renew(COUNT_UNIT_CLUSTER, num, num_columns, set);
	for (size_t i = 0; !err && i < num; i++) {
		struct wperf_dsu_counts counts;
		err = counting_client_read_unit(counting, WPERF_DSU_CTL_READ_COUNTING,
						"DSU_CTL_READ_COUNTING", first_cores[i],
						WPERF_CONTROL_DSU, &counts, sizeof(counts));
		if (!err && counts.evt_num != num_columns)
			err = wrong_answer("DSU_CTL_READ_COUNTING", num_columns, counts.evt_num);
		if (err)
			return err;
		set->units[i] = clusters[i];
		take_counts(counts.evts, counts.round, set, i, num_columns);
	}
	return err;
}

/** DMC counters are never multiplexed: they count in one round, the whole time. */
static void take_channel(const struct wperf_event_count *events, const struct count_set *set,
			 size_t unit)
{
	for (size_t i = 0; i < set->num_columns; i++)
		*count_set_at(set, unit, i) = (struct count){events[i].value, 1, 1};
}

static struct error *read_channels(const struct counting_client *counting,
				   struct source_counts *ret)
{
	bool all = counting->channel == COUNT_ALL_CHANNELS;
	size_t num = all ? counting->topology.dmc_channels : 1;
	// The request names a core, as all do; channels belong to none.
	struct wperf_dmc_counts channels[UINT8_MAX];
	struct error *err =
		counting_client_read_unit(counting, WPERF_DMC_CTL_READ_COUNTING,
					  "DMC_CTL_READ_COUNTING", counting->cores[0],
					  WPERF_CONTROL_DMC, channels, num * sizeof(channels[0]));
	for (enum event_class i = EVENT_DMC_CLK; !err && i <= EVENT_DMC_CLKDIV2; i++)
		err = count_set_renew(COUNT_UNIT_CHANNEL, num, counting->num_events[i],
				      &ret->sets[i]);
	for (size_t i = 0; !err && i < num; i++) {
		ret->sets[EVENT_DMC_CLK].units[i] = all ? (uint32_t)i : counting->channel;
		ret->sets[EVENT_DMC_CLKDIV2].units[i] = ret->sets[EVENT_DMC_CLK].units[i];
		take_channel(channels[i].clk_events, &ret->sets[EVENT_DMC_CLK], i);
		take_channel(channels[i].clkdiv2_events, &ret->sets[EVENT_DMC_CLKDIV2], i);
	}
	return err;
}

struct error *counting_client_read(const struct counting_client *counting,
				   struct source_counts *ret)
{
	struct error *err = counting_client_read_cores(counting, &ret->sets[EVENT_CORE]);
	if (!err && counts_class(counting, EVENT_DSU))
		err = read_clusters(counting, &ret->sets[EVENT_DSU]);
	if (!err &&
	    (counts_class(counting, EVENT_DMC_CLK) || counts_class(counting, EVENT_DMC_CLKDIV2)))
		err = read_channels(counting, ret);
	return err;
}
