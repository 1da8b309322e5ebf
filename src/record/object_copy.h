/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_RECORD_OBJECT_COPY_H
#define WPERF_RECORD_OBJECT_COPY_H

/** Memory of an object of an interpreter, and of what it points to, as it was at the sample whose
 *  walk met the object first. It outlives the object, and the process. */

#include <stdint.h>

enum {
	OBJECT_COPY_MAX_PARTS = 8,
	OBJECT_COPY_PART_BYTES = 256,
};

struct object_copy_key {
	uint32_t pid;
	uint32_t version; /* as of struct interpreted_frame; never 0 */
	uint64_t address;
};

struct object_copy_part {
	uint64_t address;
	uint32_t size; /* as much as was readable */
	uint32_t unused;
	uint8_t bytes[OBJECT_COPY_PART_BYTES];
};

struct object_copy {
	struct object_copy_part parts[OBJECT_COPY_MAX_PARTS];
};

#endif
