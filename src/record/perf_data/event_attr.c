// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/event_attr.h"

#include "base/container/array.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/record_encoder.h"
#include "record/wake.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Reads and writes struct perf_event_attr of linux/perf_event.h by offset and not by its C type:
// files come from kernels with other sizes of it, and this code runs on Windows, too. A field
// behind the end of an older attribute is 0, which is its default in the kernel, too.

enum { TYPE_HARDWARE = 0, TYPE_RAW = 4 };

static uint64_t event_attr_load64(const uint8_t *attr, size_t size, size_t offset)
{
	uint64_t value = 0;
	if (offset + sizeof(value) <= size)
		memcpy(&value, attr + offset, sizeof(value));
	return value;
}

static uint32_t event_attr_load32(const uint8_t *attr, size_t size, size_t offset)
{
	uint32_t value = 0;
	if (offset + sizeof(value) <= size)
		memcpy(&value, attr + offset, sizeof(value));
	return value;
}

struct perf_format event_attr_format(const uint8_t *attr, size_t size)
{
	return (struct perf_format){
		.sample_type = event_attr_load64(attr, size, PERF_ABI_ATTR_SAMPLE_TYPE),
		.read_format = event_attr_load64(attr, size, PERF_ABI_ATTR_READ_FORMAT),
		.branch_sample_type = event_attr_load64(attr, size, PERF_ABI_ATTR_BRANCH_TYPE),
		.regs_user = event_attr_load64(attr, size, PERF_ABI_ATTR_REGS_USER),
		.regs_intr = event_attr_load64(attr, size, PERF_ABI_ATTR_REGS_INTR),
		.period = event_attr_rate(attr, size).period,
		.sample_id_all = event_attr_load64(attr, size, PERF_ABI_ATTR_FLAGS) &
				 PERF_ABI_ATTR_SAMPLE_ID_ALL,
	};
}

uint32_t event_attr_type(const uint8_t *attr, size_t size)
{
	return event_attr_load32(attr, size, PERF_ABI_ATTR_TYPE);
}

struct event_attr_rate event_attr_rate(const uint8_t *attr, size_t size)
{
	uint64_t value = event_attr_load64(attr, size, PERF_ABI_ATTR_PERIOD);
	bool is_frequency =
		event_attr_load64(attr, size, PERF_ABI_ATTR_FLAGS) & PERF_ABI_ATTR_FREQUENCY;
	return (struct event_attr_rate){
		.period = is_frequency ? 0 : value,
		.frequency = is_frequency ? value : 0,
	};
}

bool event_attr_is_clock(const uint8_t *attr, size_t size)
{
	// Of enum perf_sw_ids, as the number below.
	enum { CPU_CLOCK = 0, TASK_CLOCK = 1 };
	uint64_t config = event_attr_load64(attr, size, PERF_ABI_ATTR_CONFIG);
	return event_attr_type(attr, size) == EVENT_ATTR_SOFTWARE &&
	       (config == CPU_CLOCK || config == TASK_CLOCK);
}

bool event_attr_is_output(const uint8_t *attr, size_t size)
{
	enum { BPF_OUTPUT = 10 };
	return event_attr_type(attr, size) == EVENT_ATTR_SOFTWARE &&
	       event_attr_load64(attr, size, PERF_ABI_ATTR_CONFIG) == BPF_OUTPUT;
}

bool event_attr_is_wake(const uint8_t *attr, size_t size)
{
	return event_attr_is_output(attr, size) &&
	       event_attr_load64(attr, size, PERF_ABI_ATTR_CONFIG1) == WAKE_EVENT_MARK;
}

bool event_attr_excludes_idle(const uint8_t *attr, size_t size)
{
	return event_attr_load64(attr, size, PERF_ABI_ATTR_FLAGS) & PERF_ABI_ATTR_EXCLUDE_IDLE;
}

bool event_attr_is_each_switch(const uint8_t *attr, size_t size)
{
	enum { CONTEXT_SWITCHES = 3 };
	struct event_attr_rate rate = event_attr_rate(attr, size);
	return event_attr_load32(attr, size, PERF_ABI_ATTR_TYPE) == EVENT_ATTR_SOFTWARE &&
	       event_attr_load64(attr, size, PERF_ABI_ATTR_CONFIG) == CONTEXT_SWITCHES &&
	       rate.period == 1;
}

bool event_attr_is_dummy(const uint8_t *attr, size_t size)
{
	enum { DUMMY = 9 };
	return event_attr_load32(attr, size, PERF_ABI_ATTR_TYPE) == EVENT_ATTR_SOFTWARE &&
	       event_attr_load64(attr, size, PERF_ABI_ATTR_CONFIG) == DUMMY;
}

bool event_attr_tells_switches(const uint8_t *attr, size_t size)
{
	return event_attr_load64(attr, size, PERF_ABI_ATTR_FLAGS) & PERF_ABI_ATTR_SWITCHES;
}

bool event_attr_has_call_stack(const uint8_t *attr, size_t size)
{
	return event_attr_load64(attr, size, PERF_ABI_ATTR_BRANCH_TYPE) &
	       PERF_ABI_BRANCH_CALL_STACK;
}

void event_attr_set_written(uint8_t *attr, uint64_t sample_type)
{
	// What the kernel gave beyond this was turned into a chain of callers, or left out: the
	// attribute must not promise fields that records do not have.
	static const uint64_t none = 0;
	uint64_t flags, given, branch_type;
	memcpy(&flags, attr + PERF_ABI_ATTR_FLAGS, sizeof(flags));
	memcpy(&given, attr + PERF_ABI_ATTR_SAMPLE_TYPE, sizeof(given));
	memcpy(&branch_type, attr + PERF_ABI_ATTR_BRANCH_TYPE, sizeof(branch_type));
	flags |= PERF_ABI_ATTR_SAMPLE_ID_ALL;
	given &= ~(uint64_t)PERF_ABI_RAW;
	if (event_attr_is_wake(attr, PERF_ABI_ATTR_MIN_SIZE))
		given |= PERF_ABI_RAW;
	// Of the three numbers of a weight, the latency is kept.
	if (given & PERF_ABI_WEIGHTS)
		given |= PERF_ABI_WEIGHT;
	if (branch_type & PERF_ABI_BRANCH_CALL_STACK)
		given &= ~PERF_ABI_BRANCH_STACK;
	sample_type |= given & RECORD_ENCODER_MORE_FIELDS;
	branch_type &= ~(PERF_ABI_BRANCH_HW_INDEX | PERF_ABI_BRANCH_COUNTERS);
	if (!(sample_type & PERF_ABI_BRANCH_STACK))
		branch_type = 0;
	memcpy(attr + PERF_ABI_ATTR_FLAGS, &flags, sizeof(flags));
	memcpy(attr + PERF_ABI_ATTR_SAMPLE_TYPE, &sample_type, sizeof(sample_type));
	memcpy(attr + PERF_ABI_ATTR_BRANCH_TYPE, &branch_type, sizeof(branch_type));
	memcpy(attr + PERF_ABI_ATTR_REGS_USER, &none, sizeof(none));
	memcpy(attr + PERF_ABI_ATTR_STACK_USER, &none, sizeof(uint32_t));
}

uint64_t event_attr_more_fields(const uint8_t *attr)
{
	uint64_t sample_type;
	memcpy(&sample_type, attr + PERF_ABI_ATTR_SAMPLE_TYPE, sizeof(sample_type));
	return sample_type & RECORD_ENCODER_MORE_FIELDS;
}

static void event_attr_store64(uint8_t *attr, size_t offset, uint64_t value)
{
	memcpy(attr + offset, &value, sizeof(value));
}

static void event_attr_store32(uint8_t *attr, size_t offset, uint32_t value)
{
	memcpy(attr + offset, &value, sizeof(value));
}

enum { SIZE = 128 }; // the kernel's since 5.13

uint32_t event_attr_set_clock(uint8_t *attr, uint64_t frequency_hz, uint32_t clock)
{
	event_attr_store32(attr, PERF_ABI_ATTR_TYPE, EVENT_ATTR_SOFTWARE);
	event_attr_store32(attr, PERF_ABI_ATTR_SIZE, SIZE);
	event_attr_store64(attr, PERF_ABI_ATTR_PERIOD, frequency_hz);
	event_attr_store64(attr, PERF_ABI_ATTR_SAMPLE_TYPE,
			   PERF_ABI_IDENTIFIER | PERF_ABI_IP | PERF_ABI_TID | PERF_ABI_TIME |
				   PERF_ABI_CPU | PERF_ABI_PERIOD);
	event_attr_store64(attr, PERF_ABI_ATTR_FLAGS,
			   // The period's place has a frequency then: they share a union.
			   PERF_ABI_ATTR_FREQUENCY | PERF_ABI_ATTR_EXCLUDE_KERNEL |
				   PERF_ABI_ATTR_EXCLUDE_HYPERVISOR | PERF_ABI_ATTR_SAMPLE_ID_ALL |
				   PERF_ABI_ATTR_USE_CLOCK);
	event_attr_store32(attr, PERF_ABI_ATTR_CLOCK_ID, clock);
	return SIZE;
}

uint32_t event_attr_set_raw(uint8_t *attr, const struct event_attr_raw *raw)
{
	event_attr_store32(attr, PERF_ABI_ATTR_TYPE, raw->type ? raw->type : TYPE_RAW);
	event_attr_store32(attr, PERF_ABI_ATTR_SIZE, SIZE);
	event_attr_store64(attr, PERF_ABI_ATTR_CONFIG, raw->code);
	event_attr_store64(attr, PERF_ABI_ATTR_PERIOD,
			   raw->frequency ? raw->frequency : raw->period);
	event_attr_store64(attr, PERF_ABI_ATTR_SAMPLE_TYPE, RECORD_ENCODER_SAMPLE_TYPE);
	event_attr_store64(attr, PERF_ABI_ATTR_FLAGS,
			   (raw->excludes_user ? PERF_ABI_ATTR_EXCLUDE_USER : 0) |
				   (raw->excludes_kernel ? PERF_ABI_ATTR_EXCLUDE_KERNEL : 0) |
				   (raw->frequency ? PERF_ABI_ATTR_FREQUENCY : 0) |
				   (raw->excludes_idle ? PERF_ABI_ATTR_EXCLUDE_IDLE : 0) |
				   PERF_ABI_ATTR_EXCLUDE_HYPERVISOR | PERF_ABI_ATTR_SAMPLE_ID_ALL |
				   PERF_ABI_ATTR_USE_CLOCK);
	event_attr_store32(attr, PERF_ABI_ATTR_CLOCK_ID, raw->clock);
	return SIZE;
}

uint32_t event_attr_clock(const uint8_t *attr, size_t size)
{
	bool is_chosen =
		event_attr_load64(attr, size, PERF_ABI_ATTR_FLAGS) & PERF_ABI_ATTR_USE_CLOCK;
	return is_chosen ? event_attr_load32(attr, size, PERF_ABI_ATTR_CLOCK_ID) : 0;
}

const char *event_attr_name(const uint8_t *attr, size_t size, char buffer[EVENT_ATTR_NAME_MAX])
{
	// By the numbers of enum perf_hw_id and enum perf_sw_ids, in the words of `perf list`.
	static const char *const hardware[] = {
		"cycles",
		"instructions",
		"cache-references",
		"cache-misses",
		"branches",
		"branch-misses",
		"bus-cycles",
		"stalled-cycles-frontend",
		"stalled-cycles-backend",
		"ref-cycles",
	};
	static const char *const software[] = {
		"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
		"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
	};
	uint32_t type = event_attr_type(attr, size);
	uint64_t config = event_attr_load64(attr, size, PERF_ABI_ATTR_CONFIG);
	// Above the number is the type of the PMU that counts it, where there are several.
	if (type == TYPE_HARDWARE && (uint32_t)config < ARRAY_SIZE(hardware))
		return hardware[(uint32_t)config];
	if (type == EVENT_ATTR_SOFTWARE && config < ARRAY_SIZE(software))
		return software[config];
	if (type == TYPE_RAW)
		snprintf(buffer, EVENT_ATTR_NAME_MAX, "raw:0x%" PRIx64, config);
	else
		snprintf(buffer, EVENT_ATTR_NAME_MAX, "pmu%" PRIu32 ":0x%" PRIx64, type, config);
	return buffer;
}
