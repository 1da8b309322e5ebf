/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_OPERATION_H
#define WPERF_RECORD_SPE_SPE_OPERATION_H

/** What kind of operation was sampled: the class and payload of an operation packet, taken apart.
 */

#include "base/text/string_builder.h"

#include <stdbool.h>
#include <stdint.h>

/** The index of an operation packet; 3 is of none yet. */
enum spe_class {
	SPE_CLASS_OTHER,
	SPE_CLASS_LOAD_STORE, /* atomics too */
	SPE_CLASS_BRANCH,     /* exception returns too */
};

enum spe_operation_kind {
	SPE_OPERATION_UNKNOWN, /* of a class or kind that is not known */
	SPE_OPERATION_OTHER,
	SPE_OPERATION_SVE,
	SPE_OPERATION_SME,
	SPE_OPERATION_GENERAL, /* loads or stores general-purpose registers, and so on */
	SPE_OPERATION_SIMD_FP,
	SPE_OPERATION_UNSPECIFIED,
	SPE_OPERATION_SYSTEM_REGISTER, /* redirected to memory by nested virtualization */
	SPE_OPERATION_TAG,             /* allocation tags of MTE */
	SPE_OPERATION_MEMORY_COPY,
	SPE_OPERATION_MEMORY_SET,
	SPE_OPERATION_EXTENDED, /* atomic, exclusive, acquire or release */
	SPE_OPERATION_VECTOR,   /* loads or stores SVE or SME registers */
	SPE_OPERATION_GCS,      /* loads or stores a guarded control stack */
	SPE_OPERATION_BRANCH,
	SPE_OPERATION_NUM_KINDS,
};

enum {
	SPE_OPERATION_IS_STORE = 1 << 0, /* of class load/store; without it, it loads */
	SPE_OPERATION_IS_ATOMIC = 1 << 1,
	SPE_OPERATION_IS_EXCLUSIVE = 1 << 2,
	SPE_OPERATION_IS_ACQUIRE_RELEASE = 1 << 3,
	SPE_OPERATION_IS_PREDICATED = 1 << 4,
	SPE_OPERATION_IS_GATHER_SCATTER = 1 << 5,
	SPE_OPERATION_IS_FLOAT = 1 << 6,
	SPE_OPERATION_IS_SIMD = 1 << 7,        /* of class other: Advanced SIMD */
	SPE_OPERATION_IS_CONDITIONAL = 1 << 8, /* a branch, or a select */
	SPE_OPERATION_IS_INDIRECT = 1 << 9,
	SPE_OPERATION_IS_GCS = 1 << 10, /* a branch with a guarded control stack */
	SPE_OPERATION_IS_COMMON =
		1 << 11, /* of the guarded control stack: not by its own instruction */
	SPE_OPERATION_IS_CALL = 1 << 12,   /* where the processor tells (call return records) */
	SPE_OPERATION_IS_RETURN = 1 << 13, /* likewise */
	SPE_OPERATION_IS_PLAIN_BRANCH = 1 << 14, /* likewise: neither call nor return */
};

struct spe_operation {
	enum spe_operation_kind kind;
	uint32_t flags;
	uint32_t vector_bits; /* effective vector length of SVE, tile size of SME; 0: neither */
};

/** @payload: the lowest byte counts. */
struct spe_operation spe_operation_of(unsigned class, uint64_t payload);

/**
 * Append perf's words for it: `LD GP-REG`, `ST AT AR`, `B COND IND`. False, and nothing appended,
 * for a class that is not known.
 */
bool spe_operation_append(struct string_builder *text, unsigned class, uint64_t payload);

#endif
