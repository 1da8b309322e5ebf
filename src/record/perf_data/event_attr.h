/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_EVENT_ATTR_H
#define WPERF_RECORD_PERF_DATA_EVENT_ATTR_H

/** What the bytes of a perf_event_attr say of the event and of its records. */

#include "record/perf_data/perf_format.h"

#include <stddef.h>
#include <stdint.h>

enum { EVENT_ATTR_NAME_MAX = 64, EVENT_ATTR_SOFTWARE = 1 /* a type */ };

/** @size: of @attr; members behind it are 0. */
struct perf_format event_attr_format(const uint8_t *attr, size_t size);

/**
 * Samples of this attribute's event are written as @sample_type says: no registers, no stack, but
 * accesses to memory and branches as before, and the payload of those of event_attr_is_wake(). All
 * records say when and where they were taken
 * (sample_id_all).
 * @attr: with room for all members up to these.
 */
void event_attr_set_written(uint8_t *attr, uint64_t sample_type);

/** Which of RECORD_ENCODER_MORE_FIELDS its samples have. @attr: as above. */
uint64_t event_attr_more_fields(const uint8_t *attr);

/**
 * The attribute of cpu-clock in user code, so many times a second, with times by @clock.
 * @attr: all 0. Its size comes back.
 */
uint32_t event_attr_set_clock(uint8_t *attr, uint64_t frequency_hz, uint32_t clock);

/** An event of a CPU by its code, of which every so manieth is sampled. */
struct event_attr_raw {
	uint32_t type; /* of its device; 0: the CPU's own */
	uint64_t code, period;
	uint64_t frequency; /* in Hz, instead of the period; 0: by period */
	bool excludes_user, excludes_kernel, excludes_idle;
	uint32_t clock; /* of the times */
};

/** Its attribute, with samples as perf_data_writer_record() writes them. Likewise. */
uint32_t event_attr_set_raw(uint8_t *attr, const struct event_attr_raw *raw);

/** What kind of event, or the number of its device in sysfs. */
uint32_t event_attr_type(const uint8_t *attr, size_t size);

/** How often a sample is taken; one of the two is 0. */
struct event_attr_rate {
	uint64_t period, frequency;
};
struct event_attr_rate event_attr_rate(const uint8_t *attr, size_t size);

/** Does it count nanoseconds: cpu-clock, task-clock? */
bool event_attr_is_clock(const uint8_t *attr, size_t size);

/** Does it count nothing: what its samples say came from elsewhere (BPF_OUTPUT)? */
bool event_attr_is_output(const uint8_t *attr, size_t size);

/** Is it that of wake-ups (record/wake.h)? */
bool event_attr_is_wake(const uint8_t *attr, size_t size);

/** Are samples of idle CPUs left out by whoever took them? */
bool event_attr_excludes_idle(const uint8_t *attr, size_t size);

/** A sample for each time that a thread leaves its core. */
bool event_attr_is_each_switch(const uint8_t *attr, size_t size);

/** Does it only carry process events, and never occurs by itself? */
bool event_attr_is_dummy(const uint8_t *attr, size_t size);

/** Does it tell when threads leave their core and come back (RECORD_SWITCH)? */
bool event_attr_tells_switches(const uint8_t *attr, size_t size);

/** Are its samples' branches the calls that have not returned (LBR call stacks)? */
bool event_attr_has_call_stack(const uint8_t *attr, size_t size);

/** The clock of the times, or 0 where the attribute does not choose one. */
uint32_t event_attr_clock(const uint8_t *attr, size_t size);

/** `cpu-clock`, `cycles`; for what has no name of its own `raw:0x1b`, `pmu8:0x11`. */
const char *event_attr_name(const uint8_t *attr, size_t size, char buffer[EVENT_ATTR_NAME_MAX]);

#endif
