/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PERF_ABI_H
#define WPERF_RECORD_PERF_DATA_PERF_ABI_H

/**
 * The numbers of perf's records and files. They are our own names for what linux/perf_event.h
 * and perf's files fix for all times, so that files are read and written on every system.
 */

#include <stdint.h>

/** Bits of sample_type: the fields of a sample. */
#define PERF_ABI_IP           (UINT64_C(1) << 0)
#define PERF_ABI_TID          (UINT64_C(1) << 1)
#define PERF_ABI_TIME         (UINT64_C(1) << 2)
#define PERF_ABI_ADDR         (UINT64_C(1) << 3)
#define PERF_ABI_READ         (UINT64_C(1) << 4)
#define PERF_ABI_CALLCHAIN    (UINT64_C(1) << 5)
#define PERF_ABI_ID           (UINT64_C(1) << 6)
#define PERF_ABI_CPU          (UINT64_C(1) << 7)
#define PERF_ABI_PERIOD       (UINT64_C(1) << 8)
#define PERF_ABI_STREAM_ID    (UINT64_C(1) << 9)
#define PERF_ABI_RAW          (UINT64_C(1) << 10)
#define PERF_ABI_BRANCH_STACK (UINT64_C(1) << 11)
#define PERF_ABI_REGS_USER    (UINT64_C(1) << 12)
#define PERF_ABI_STACK_USER   (UINT64_C(1) << 13)
#define PERF_ABI_WEIGHT       (UINT64_C(1) << 14)
#define PERF_ABI_DATA_SOURCE  (UINT64_C(1) << 15)
#define PERF_ABI_IDENTIFIER   (UINT64_C(1) << 16)
#define PERF_ABI_TRANSACTION  (UINT64_C(1) << 17)
#define PERF_ABI_REGS_INTR    (UINT64_C(1) << 18)
#define PERF_ABI_PHYSICAL     (UINT64_C(1) << 19)
#define PERF_ABI_WEIGHTS      (UINT64_C(1) << 24) /* three in one word; the first is a latency */

/** Bits of read_format. */
#define PERF_ABI_READ_ENABLED (UINT64_C(1) << 0)
#define PERF_ABI_READ_RUNNING (UINT64_C(1) << 1)
#define PERF_ABI_READ_ID      (UINT64_C(1) << 2)
#define PERF_ABI_READ_GROUP   (UINT64_C(1) << 3)
#define PERF_ABI_READ_LOST    (UINT64_C(1) << 4)

/** Bits of branch_sample_type that change the layout. */
#define PERF_ABI_BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define PERF_ABI_BRANCH_COUNTERS (UINT64_C(1) << 19)

/** Bits of perf_event_attr's flags. */
#define PERF_ABI_BRANCH_CALL_STACK       (UINT64_C(1) << 11)
#define PERF_ABI_ATTR_EXCLUDE_USER       (UINT64_C(1) << 4)
#define PERF_ABI_ATTR_EXCLUDE_KERNEL     (UINT64_C(1) << 5)
#define PERF_ABI_ATTR_EXCLUDE_HYPERVISOR (UINT64_C(1) << 6)
#define PERF_ABI_ATTR_EXCLUDE_IDLE       (UINT64_C(1) << 7)
#define PERF_ABI_ATTR_FREQUENCY          (UINT64_C(1) << 10)
#define PERF_ABI_ATTR_SAMPLE_ID_ALL      (UINT64_C(1) << 18)
#define PERF_ABI_ATTR_USE_CLOCK          (UINT64_C(1) << 25)
#define PERF_ABI_ATTR_SWITCHES           (UINT64_C(1) << 26)

/** Types of records: the kernel's, then those that only perf itself writes. */
enum {
	PERF_ABI_MMAP = 1,
	PERF_ABI_LOST = 2,
	PERF_ABI_COMM = 3,
	PERF_ABI_EXIT = 4,
	PERF_ABI_THROTTLE = 5,
	PERF_ABI_UNTHROTTLE = 6,
	PERF_ABI_FORK = 7,
	PERF_ABI_SAMPLE = 9,
	PERF_ABI_MMAP2 = 10,
	PERF_ABI_AUX = 11,
	PERF_ABI_ITRACE_START = 12,
	PERF_ABI_LOST_SAMPLES = 13,
	PERF_ABI_SWITCH = 14,
	PERF_ABI_SWITCH_CPU_WIDE = 15,
	PERF_ABI_FIRST_OF_TOOLS = 64,
	PERF_ABI_HEADER_ATTR = 64,
	PERF_ABI_TRACING_DATA = 66,
	PERF_ABI_HEADER_BUILD_ID = 67,
	PERF_ABI_FINISHED_ROUND = 68,
	PERF_ABI_AUXTRACE_INFO = 70,
	PERF_ABI_AUXTRACE = 71,
	PERF_ABI_EVENT_UPDATE = 78,
	PERF_ABI_TIME_CONV = 79,
	PERF_ABI_HEADER_FEATURE = 80,
	PERF_ABI_COMPRESSED = 81,
	PERF_ABI_COMPRESSED2 = 83,
};

/** Bits of a record's misc. */
enum {
	PERF_ABI_MISC_MODE = 7,
	PERF_ABI_MISC_MMAP_DATA = 1 << 13,
	PERF_ABI_MISC_COMM_EXEC = 1 << 13,
	PERF_ABI_MISC_COMM_GIVEN = 1 << 14, /* our own: record_comm.is_given; perf ignores it */
	PERF_ABI_MISC_SWITCH_OUT = 1 << 13,
	PERF_ABI_MISC_MMAP_BUILD_ID = 1 << 14,
	PERF_ABI_MISC_SWITCH_OUT_PREEMPT = 1 << 14,
	PERF_ABI_MISC_BUILD_ID_SIZE = 1 << 15, /* of a build id in a file's header */
};

/** Whose traces they are, in the first word behind the header of PERF_ABI_AUXTRACE_INFO. */
enum { PERF_ABI_AUXTRACE_ARM_SPE = 4 };

/** Flags of PERF_ABI_AUX. */
enum {
	PERF_ABI_AUX_TRUNCATED = 1 << 0, /* there was no room for what followed */
	PERF_ABI_AUX_OVERWRITE = 1 << 1,
	PERF_ABI_AUX_PARTIAL = 1 << 2,   /* there are gaps in it */
	PERF_ABI_AUX_COLLISION = 1 << 3, /* of samples: the hardware dropped one of two */
};

/** What every record begins with. */
struct perf_abi_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* of the whole record */
};

enum { PERF_ABI_MAX_RECORD = UINT16_MAX };

/** Where perf_event_attr keeps what we need of it; its size tells what of that it has. */
enum {
	PERF_ABI_ATTR_TYPE = 0,
	PERF_ABI_ATTR_SIZE = 4,
	PERF_ABI_ATTR_CONFIG = 8,
	PERF_ABI_ATTR_PERIOD = 16,
	PERF_ABI_ATTR_SAMPLE_TYPE = 24,
	PERF_ABI_ATTR_READ_FORMAT = 32,
	PERF_ABI_ATTR_FLAGS = 40,
	PERF_ABI_ATTR_CONFIG1 = 56,
	PERF_ABI_ATTR_BRANCH_TYPE = 72,
	PERF_ABI_ATTR_REGS_USER = 80,
	PERF_ABI_ATTR_STACK_USER = 88,
	PERF_ABI_ATTR_CLOCK_ID = 92,
	PERF_ABI_ATTR_REGS_INTR = 96,
	PERF_ABI_ATTR_MIN_SIZE = 64,
};

/** The header of a file; that of a pipe has the first two members only. */
struct perf_abi_section {
	uint64_t offset, size;
};

struct perf_abi_file_header {
	char magic[8];
	uint64_t size;
	uint64_t attr_size; /* of one attribute and the section of its ids */
	struct perf_abi_section attrs, data, event_types;
	uint64_t features[4]; /* one bit each */
};

enum { PERF_ABI_PIPE_HEADER_SIZE = 16 };

#define PERF_ABI_MAGIC "PERFILE2"

/** Features: sections behind the data, one for each bit that is set. */
enum {
	PERF_ABI_FEATURE_BUILD_ID = 2,
	PERF_ABI_FEATURE_HOST = 3,
	PERF_ABI_FEATURE_RELEASE = 4,
	PERF_ABI_FEATURE_VERSION = 5,
	PERF_ABI_FEATURE_MACHINE = 6,
	PERF_ABI_FEATURE_CPUS = 7,
	PERF_ABI_FEATURE_CPU_DESCRIPTION = 8,
	PERF_ABI_FEATURE_CPU_ID = 9,
	PERF_ABI_FEATURE_MEMORY = 10,
	PERF_ABI_FEATURE_ARGUMENTS = 11,
	PERF_ABI_FEATURE_EVENTS = 12,
	PERF_ABI_FEATURE_SAMPLE_TIME = 21,
	PERF_ABI_FEATURE_CLOCK = 29,
	/* Our own; perf knows neither: */
	PERF_ABI_FEATURE_LINE_IMAGE = 200, /* an image of interpreted lines */
	PERF_ABI_FEATURE_COLLECTION = 201, /* how they were collected, see feature_writer.c */
	PERF_ABI_FEATURE_NAMES =
		202, /* our own: names of places, see symbols/recorded/recorded_names.h */
	PERF_ABI_FEATURE_USERS = 203,     /* our own: pid, user and group of processes */
	PERF_ABI_FEATURE_RIGHTS = 204,    /* our own: their other groups and root folders */
	PERF_ABI_FEATURE_LANGUAGE = 205,  /* our own: the name of that of the interpreted lines */
	PERF_ABI_FEATURE_PDBS = 206,      /* our own: PDBs of Windows images */
	PERF_ABI_FEATURE_IN_USE = 207,    /* our own: memory in use over time */
	PERF_ABI_FEATURE_LET_GO = 215,    /* our own: how many samples a ring has let go */
	PERF_ABI_FEATURE_RUN_QUEUE = 216, /* our own: waits in run queues */
	PERF_ABI_NUM_FEATURES = 256,
};

/** Of the number of groups in PERF_ABI_FEATURE_RIGHTS: the process is unseen. */
#define PERF_ABI_RIGHTS_UNSEEN (UINT32_C(1) << 31)

/** A build id in a file's header: header, pid, 20 bytes, their size, 3 unused; then the name. */
enum { PERF_ABI_BUILD_ID_SIZE = 24, PERF_ABI_BUILD_ID_FIXED = 8 + 4 + 24 };

#endif
