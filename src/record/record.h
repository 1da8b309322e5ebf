/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_RECORD_H
#define WPERF_RECORD_RECORD_H

/**
 * The common language of all sources: what happened, as it is said by a kernel, a file or the
 * simulator. A record lives only until the next one is taken from where it came; whoever keeps
 * something of it copies it. Times are nanoseconds of the source's clock.
 */

#include "record/interpreted_frame.h"
#include "record/spe/spe_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_kind {
	RECORD_OTHER, /* well formed, of no interest; `raw` says what it was */
	RECORD_SAMPLE,
	RECORD_MAP,      /* a file, or memory with code in it, was mapped */
	RECORD_COMM,     /* a thread has a new name; perhaps it became another program */
	RECORD_FORK,     /* a thread or process began */
	RECORD_EXIT,     /* ... ended */
	RECORD_LOST,     /* records were dropped for want of room */
	RECORD_THROTTLE, /* the kernel stopped sampling for a while, or went on */
	RECORD_SWITCH,   /* a thread left its core, or came onto one */
	RECORD_FREE,     /* memory of a sample with `block` was freed, or is lost */
	RECORD_MOMENT,   /* what is in use now is wanted */
};

/** In what mode the CPU was, or whose address it is. The numbers are those of perf_event.h. */
enum record_mode {
	RECORD_MODE_UNKNOWN,
	RECORD_MODE_KERNEL,
	RECORD_MODE_USER,
	RECORD_MODE_HYPERVISOR,
	RECORD_MODE_GUEST_KERNEL,
	RECORD_MODE_GUEST_USER,
};

/** Entries of a call chain at or above this are no addresses but say whose the next ones are. */
#define RECORD_CONTEXT_MAX    ((uint64_t)-4095)
#define RECORD_CONTEXT_KERNEL ((uint64_t)-128)
#define RECORD_CONTEXT_USER   ((uint64_t)-512)

/** The kernel's addresses are the upper half of all, on every machine and system that we know. */
static inline bool record_is_kernel_address(uint64_t address)
{
	return address >> 63;
}

enum { RECORD_BUILD_ID_MAX = 20, RECORD_REGS_MAX = 64 };

struct record_build_id {
	uint8_t size; /* 0: not known */
	uint8_t bytes[RECORD_BUILD_ID_MAX];
};

/** When the sample of a block counts: the upper bits of its number. */
enum record_block_rule {
	RECORD_BLOCK_AT_END,    /* if it is in use at the end */
	RECORD_BLOCK_AT_PEAK,   /* ... when most is */
	RECORD_BLOCK_LEAKED,    /* if a record_free says so: nothing points to it */
	RECORD_BLOCK_TEMPORARY, /* ... it was freed at once */
	RECORD_BLOCK_AT_MOMENT, /* if it was in use at the last RECORD_MOMENT */
	RECORD_BLOCK_NUMBER,    /* as RECORD_BLOCK_AT_END, but the weight is a number of blocks */
	RECORD_NUM_BLOCK_RULES,
	RECORD_BLOCK_RULE_SHIFT = 61,
};

static inline enum record_block_rule record_block_rule(uint64_t block)
{
	return (enum record_block_rule)(block >> RECORD_BLOCK_RULE_SHIFT);
}

struct record_branch {
	uint64_t from, to;
	uint64_t flags; /* as in perf_branch_entry */
};

struct record_sample {
	uint64_t ip;
	uint64_t period;           /* events that it stands for; 0: not said */
	uint64_t address;          /* data address, or 0 */
	uint64_t physical_address; /* the same, or 0 */
	uint64_t data_source;      /* as perf_mem_data_src, see perf_access.h; 0: not said */
	uint32_t latency;          /* cycles until the data were there; 0: not said */
	/** Leaf first, with context markers between; NULL if none was taken. */
	const uint64_t *chain;
	size_t chain_length;
	/** User registers: regs[i] is that of the i-th set bit of regs_mask; abi 0: none taken. */
	uint64_t regs_abi, regs_mask;
	const uint64_t *regs;
	/** User stack, from the stack pointer upwards; size is what was really copied. */
	const uint8_t *stack;
	size_t stack_size;
	uint64_t stack_address; /* of its first byte; 0: the stack pointer of the registers */
	const uint8_t *payload; /* what else the event says, not aligned; or NULL */
	size_t payload_size;
	bool has_values; /* the payload is that of probe_values.h, and belongs into recordings */
	const struct record_branch *branches; /* newest first */
	size_t num_branches;
	/** Interpreted frames, innermost first, and whether they are all: interpreted_frame.h. */
	const struct interpreted_frame *frames;
	size_t num_frames;
	enum frame_walk_end walk_end;
	enum gil_state gil;
	uint32_t gil_holder; /* with GIL_WAITED: the thread that has it; 0: not known */
	/** Number of a block of memory that counts only by its rule; 0: it always counts. */
	uint64_t block;
	bool is_asleep;   /* its thread sleeps now, and can be looked at */
	bool has_gone_on; /* of a source that holds its threads: this one does not wait any more */
	/** How much later than the sample they were read, at most; 0: in it. */
	uint64_t skew_ns;
	/** What Arm's SPE says of the operation that was sampled; NULL: a sample of another kind.
	 */
	const struct spe_record *spe;
	uint32_t spe_midr; /* MIDR_EL1 of its core, which names data sources; 0: not known */
};

struct record_map {
	uint64_t start, length;
	uint64_t file_offset;
	const char *path; /* as mapped: a file, "[vdso]", "//anon", "[kernel.kallsyms]_text" */
	uint32_t major, minor;
	uint64_t inode, inode_generation;
	uint32_t protection; /* PROT_*; 0 if not said */
	bool is_executable;
	struct record_build_id build_id;
};

struct record_comm {
	const char *name;
	bool is_exec; /* the old maps are gone */
	/** Not the system's, but one that an interpreter knows, of all that the thread does: it
	 *  stands in where the system's is only inherited from the process. */
	bool is_given;
};

struct record_task { /* fork and exit */
	uint32_t parent_pid, parent_tid;
};

struct record_free {
	uint64_t block;
	bool counts; /* of RECORD_BLOCK_LEAKED and RECORD_BLOCK_TEMPORARY: its sample does */
};

struct record_switch {
	bool is_out;
	bool is_preempted;             /* it would have gone on, but another one got the core */
	uint32_t other_pid, other_tid; /* who ran before or runs now; UINT32_MAX: not said */
};

struct record {
	enum record_kind kind;
	enum record_mode mode;
	uint32_t pid, tid;
	uint64_t time_ns; /* 0: not said */
	uint32_t cpu;     /* UINT32_MAX: not said */
	uint32_t event;   /* which of the recording's events, counted from 0 */
	union {
		struct record_sample sample;
		struct record_map map;
		struct record_comm comm;
		struct record_task task;
		uint64_t num_lost;
		bool is_throttled; /* false: sampling goes on again */
		struct record_switch change;
		struct record_free freed;
	};
	/** The bytes as they came, header and all, in perf's layout; NULL if there are none. */
	const uint8_t *raw;
	size_t raw_size;
	/** What belongs to them but stands behind: a piece of a trace; or NULL. */
	const uint8_t *payload;
	size_t payload_size;
};

#endif
