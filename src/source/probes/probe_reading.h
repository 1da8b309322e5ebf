/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROBES_PROBE_READING_H
#define WPERF_SOURCE_PROBES_PROBE_READING_H

/** A probe with values, found in its file: struct system_event of such an event has one. */

#include "source/bpf/value_maps.h"

#include <stdbool.h>
#include <stdint.h>

struct probe_reading {
	bool is_kernel, is_return;
	const char *path;          /* of the file; of the kernel: the function */
	uint64_t offset;           /* in the file; of the kernel: from the function's beginning */
	uint64_t counter;          /* offset of a static probe's counter in the file; 0: none */
	struct value_probe values; /* without event and period */
};

#endif
