/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_RECORD_PROBE_VALUES_H
#define WPERF_RECORD_PROBE_VALUES_H

/**
 * The values that a sample of a probe brings, as its payload (PERF_SAMPLE_RAW): arguments and
 * returned values, numbers and strings. A BPF program writes it, and recordings keep it.
 *
 *	struct probe_payload
 *	char strings[][PROBE_STRING_BYTES]   one for each bit of `strings`, from the lowest; each
 *	                                     ends with a 0
 */

#include <stdint.h>

enum {
	PROBE_MAX_VALUES = 6,
	PROBE_STRING_BYTES = 128, /* with the 0 at the end; longer ones are cut */
	PROBE_PAYLOAD_MAGIC = 0x31765077,
};

struct probe_payload {
	uint32_t magic;
	uint8_t num;
	uint8_t strings;     /* bit n: value n is a string */
	uint8_t unread;      /* bit n: value n could not be read */
	uint8_t is_unsigned; /* bit n: value n is an unsigned number */
	uint16_t event;      /* while sampling: its number in the plan */
	uint16_t reserved[3];
	uint64_t numbers[PROBE_MAX_VALUES];
};

#endif
