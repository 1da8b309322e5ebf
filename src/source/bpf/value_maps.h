/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_VALUE_MAPS_H
#define WPERF_SOURCE_BPF_VALUE_MAPS_H

/** What the program at probes with values in the kernel (value_probe.bpf.h) and its loader share.
 */

#include "record/probe_values.h"

#include <stdint.h>

enum {
	VALUE_MAX_PROBES = 64,
	VALUE_FIRST_CONDITION = PROBE_MAX_VALUES,
	VALUE_MAX_CONDITIONS = 4,
	VALUE_NUM_PLACES = PROBE_MAX_VALUES + VALUE_MAX_CONDITIONS,
	VALUE_ROOM_OF_PLACES = 16, /* a power of two, so that an index can be masked */
	VALUE_ROOM_OF_REGISTERS = 64,
	VALUE_NO_REGISTER = 63,             /* this one is always 0 */
	VALUE_MAX_REGISTERS_BYTES = 34 * 8, /* AArch64's struct pt_regs, as far as it is used */
	VALUE_BUCKETS = 65,                 /* 0: the number 0; n: from 2^(n-1) on */
	VALUE_MAX_STRINGS = 16384,          /* different ones that are counted */
	VALUE_MAX_PROCESSES = 4096,
};

enum value_place_kind { VALUE_CONSTANT, VALUE_REGISTER, VALUE_MEMORY };

/** Where a value is. */
struct value_place {
	int64_t displacement;
	uint8_t kind;
	uint8_t reg, index, scale_shift; /* registers: words of struct pt_regs */
	uint8_t size;                    /* 1, 2, 4 or 8 bytes */
	uint8_t is_signed, is_string, reserved;
};

/** What a comparison may come out as. */
enum { VALUE_IS_LESS = 1, VALUE_IS_EQUAL = 2, VALUE_IS_GREATER = 4 };

/** Of `value_probes`. */
struct value_probe {
	/* Those of the values, and from VALUE_FIRST_CONDITION on those of the conditions. */
	struct value_place places[VALUE_ROOM_OF_PLACES];
	int64_t compared[VALUE_ROOM_OF_PLACES]; /* with the condition's value */
	uint8_t outcomes[VALUE_ROOM_OF_PLACES]; /* that the condition allows */
	uint8_t num_values, num_conditions;
	uint8_t strings, is_unsigned; /* as in struct probe_payload */
	uint16_t event;
	uint8_t is_kernel; /* strings are the kernel's, or, where that fails, the program's */
	uint8_t is_summed; /* values are summed up here; else each passage is a sample */
	uint32_t period;
	uint32_t is_off; /* nothing is read */
};

/** Of `value_settings`. */
struct value_setting {
	uint32_t is_on;
	uint32_t sees_all; /* also processes that are not in `value_processes` */
	uint32_t inherits; /* children of those are in there, too */
	uint32_t register_bytes;
	uint32_t only_thread, left_out_thread; /* 0: none */
};

/** Of `value_processes`. */
struct value_process {
	uint32_t awaits_exec;
	uint32_t is_probed; /* samples: it has events of its own */
};

/** Of `value_sums`, by probe * PROBE_MAX_VALUES + value, for each core. */
struct value_sum {
	uint64_t count, num_unread;
	uint64_t sum_low, sum_high; /* of 128 bits */
	int64_t least, greatest;    /* of unsigned ones: their bits */
	uint64_t num_negative;
	uint64_t buckets[VALUE_BUCKETS];
};

/** Of `value_strings`. */
struct value_string {
	uint32_t place; /* as in `value_sums` */
	char text[PROBE_STRING_BYTES];
};

/** Of `value_losses`, for each core. */
enum {
	VALUE_LOST_BUSY,       /* passages: too many at once on a core */
	VALUE_LOST_STRINGS,    /* strings that had no room to be counted */
	VALUE_LOST_CONDITIONS, /* passages whose condition could not be read */
	VALUE_NUM_LOSSES,
};

/* The cookie of a probe's event: that of walker_probe_cookie(), and above it, which probe it is. Of
 * samples the event is a process's: that is there instead of the thread. */
enum { VALUE_COOKIE_SHIFT = 57, VALUE_COOKIE_ANY_CORE = (1 << 24) - 1 };
#define VALUE_COOKIE_HAS_VALUES ((uint64_t)1 << 63)

static inline uint64_t value_cookie(uint32_t number)
{
	return VALUE_COOKIE_HAS_VALUES | (uint64_t)number << VALUE_COOKIE_SHIFT;
}

static inline uint32_t value_cookie_number(uint64_t cookie)
{
	return (uint32_t)(cookie >> VALUE_COOKIE_SHIFT) & (VALUE_MAX_PROBES - 1);
}

#endif
