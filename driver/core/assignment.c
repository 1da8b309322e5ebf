// SPDX-License-Identifier: Apache-2.0

#include "driver/core/assignment.h"

#include "driver/core/control.h"
#include "driver/core/core.h"
#include "driver/core/uncore/dsu.h"
#include "driver/include/wperf_driver.h"

// The input is a head and any number of classes, each with a count and event numbers.
// assignment_parse() copies it in steps that are checked against what is left; assignment_check()
// then validates every number against the limits of its class; only then anything changes. So a bad
// request changes nothing.

enum {
	NUM_CLASSES = WPERF_CLASS_DMC_CLKDIV2 + 1,
	MAX_EVENTS = WPERF_MAX_CORE_EVENTS - 1, // of any class
};

struct class_events {
	bool is_named;
	uint16_t num;
	uint16_t numbers[MAX_EVENTS];
};

struct assignment {
	struct wperf_event_assign head;
	struct class_events classes[NUM_CLASSES];
	struct driver_channel_range channels;
};

// What is left of the input.
struct input {
	const uint8_t *unsafe_bytes;
	size_t size;
};

static bool assignment_take(struct input *input, void *ret, size_t size)
{
	if (size > input->size)
		return false;
	memcpy(ret, input->unsafe_bytes, size);
	input->unsafe_bytes += size;
	input->size -= size;
	return true;
}

static bool assignment_parse(const struct driver_call *call, struct assignment *ret)
{
	struct input input = {call->unsafe_in, call->in_size};
	memset(ret, 0, sizeof(*ret));
	if (!assignment_take(&input, &ret->head, sizeof(ret->head)))
		return false;
	// A class may be missing: then it has no events.
	while (input.size > 0) {
		struct wperf_event_header header;
		if (!assignment_take(&input, &header, sizeof(header)) ||
		    header.event_class >= NUM_CLASSES || header.num > MAX_EVENTS)
			return false;
		struct class_events *events = &ret->classes[header.event_class];
		if (events->is_named) // twice: which one would be meant?
			return false;
		events->is_named = true;
		events->num = header.num;
		if (!assignment_take(&input, events->numbers,
				     header.num * sizeof(events->numbers[0])))
			return false;
	}
	return true;
}

static bool has_good_numbers(const struct driver_core *core, const struct assignment *assignment)
{
	// One place less than the arrays of answers have: the first is that of cycles.
	const struct driver_dmc_kind_info *kinds = driver_dmc_kinds;
	const struct {
		unsigned max_num, max_number;
	} limits[NUM_CLASSES] = {
		[WPERF_CLASS_CORE] = {WPERF_MAX_CORE_EVENTS - 1, core->max_event},
		[WPERF_CLASS_DSU] = {WPERF_MAX_DSU_EVENTS - 1, UINT16_MAX},
		[WPERF_CLASS_DMC_CLK] = {kinds[DRIVER_DMC_CLK].num_counters,
					 kinds[DRIVER_DMC_CLK].num_events - 1},
		[WPERF_CLASS_DMC_CLKDIV2] = {kinds[DRIVER_DMC_CLKDIV2].num_counters,
					     kinds[DRIVER_DMC_CLKDIV2].num_events - 1},
	};
	for (unsigned i = 0; i < NUM_CLASSES; i++) {
		const struct class_events *events = &assignment->classes[i];
		if (events->num > limits[i].max_num)
			return false;
		for (unsigned k = 0; k < events->num; k++) {
			if (events->numbers[k] > limits[i].max_number)
				return false;
		}
	}
	return true;
}

static enum driver_status check_cluster(const struct driver_core *core, uint32_t core_idx)
{
	unsigned cluster;
	if (core->config.dsu_clusters == 0)
		return DRIVER_NOT_SUPPORTED;
	if (core_idx == WPERF_ALL_CORES || driver_dsu_find_cluster(core, core_idx, &cluster))
		return DRIVER_OK;
	return DRIVER_INVALID_PARAMETER;
}

static enum driver_status assignment_check(const struct driver_core *core,
					   struct assignment *assignment)
{
	const struct wperf_event_assign *head = &assignment->head;
	const struct class_events *classes = assignment->classes;
	bool knows_core =
		head->core_idx == WPERF_ALL_CORES || head->core_idx < core->config.num_cores;
	bool knows_filter = head->filter_bits == 0 ||
			    head->filter_bits == WPERF_FILTER_EXCLUDE_EL1 ||
			    head->filter_bits == WPERF_FILTER_EXCLUDE_EL0;
	if (!knows_core || !knows_filter || !has_good_numbers(core, assignment))
		return DRIVER_INVALID_PARAMETER;
	enum driver_status status = DRIVER_OK;
	if (classes[WPERF_CLASS_DSU].is_named)
		status = check_cluster(core, head->core_idx);
	bool names_dmc =
		classes[WPERF_CLASS_DMC_CLK].is_named || classes[WPERF_CLASS_DMC_CLKDIV2].is_named;
	if (status == DRIVER_OK && names_dmc)
		status = driver_control_find_channels(core, head->dmc_idx, &assignment->channels);
	return status;
}

static void assignment_assign_cores(struct driver_core *core, const struct assignment *assignment)
{
	const struct class_events *events = &assignment->classes[WPERF_CLASS_CORE];
	uint32_t core_idx = assignment->head.core_idx;
	for (unsigned cpu = 0; events->is_named && cpu < core->config.num_cores; cpu++) {
		if (core_idx == WPERF_ALL_CORES || core_idx == cpu)
			driver_counting_assign(&core->cores[cpu], events->numbers, events->num,
					       assignment->head.filter_bits);
	}
}

// Clusters know no filter.
static void assign_clusters(struct driver_core *core, const struct assignment *assignment)
{
	const struct class_events *events = &assignment->classes[WPERF_CLASS_DSU];
	uint32_t core_idx = assignment->head.core_idx;
	unsigned num_clusters = events->is_named ? core->config.dsu_clusters : 0;
	for (unsigned cluster = 0; cluster < num_clusters; cluster++) {
		if (core_idx == WPERF_ALL_CORES ||
		    core_idx / core->config.dsu_cluster_size == cluster)
			driver_counting_assign(&core->clusters[cluster], events->numbers,
					       events->num, 0);
	}
}

static void assign_channels(struct driver_core *core, const struct assignment *assignment)
{
	static const enum wperf_event_class classes[NUM_DRIVER_DMC_KINDS] = {
		[DRIVER_DMC_CLK] = WPERF_CLASS_DMC_CLK,
		[DRIVER_DMC_CLKDIV2] = WPERF_CLASS_DMC_CLKDIV2,
	};
	const struct driver_channel_range *channels = &assignment->channels;
	for (unsigned kind = 0; kind < NUM_DRIVER_DMC_KINDS; kind++) {
		const struct class_events *events = &assignment->classes[classes[kind]];
		for (unsigned i = channels->first; events->is_named && i < channels->end; i++)
			driver_dmc_counting_assign(&core->channels[i], (enum driver_dmc_kind)kind,
						   events->numbers, events->num);
	}
}

enum driver_status driver_assignment_handle(struct driver_core *core, struct driver_call *call)
{
	struct assignment assignment;
	if (!assignment_parse(call, &assignment))
		return DRIVER_INVALID_PARAMETER;
	enum driver_status status = assignment_check(core, &assignment);
	if (status != DRIVER_OK)
		return status;
	assignment_assign_cores(core, &assignment);
	assign_clusters(core, &assignment);
	assign_channels(core, &assignment);
	return DRIVER_OK;
}
