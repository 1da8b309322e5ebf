/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_PAYLOAD_H
#define WPERF_RECORD_ETL_ETL_PAYLOAD_H

/**
 * What is in the payloads of the events that matter to a profiler, by hand and never by TDH, which
 * does not know samples on some machines. Each function returns false if the payload is too short
 * or of a version that is not known. Strings and bytes point into the payload.
 */

#include "record/etl/etl_text.h"
#include "record/etl/file/etl_event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Opcodes of processes, threads and, except for the begin, of images. */
enum etl_life {
	ETL_BEGIN = 1,
	ETL_END = 2,
	ETL_THERE_AT_START = 3,
	ETL_THERE_AT_END = 4,
};

enum etl_opcode {
	ETL_IMAGE_LOAD = 10, /* with the class of processes, or of images */
	/* thread */
	ETL_THREAD_SWITCH = 36,
	ETL_THREAD_READY = 50,
	ETL_THREAD_NAME = 72,
	/* perfinfo */
	ETL_SAMPLE = 46,
	ETL_COUNTER_SAMPLE = 47,
	ETL_COUNTER_NAMES = 48,
	ETL_THREAD_DPC = 66,
	ETL_ISR = 67,
	ETL_DPC = 68,
	ETL_TIMER_DPC = 69,
	ETL_INTERVAL_SET = 72,
	ETL_INTERVAL_BEGIN = 73,
	ETL_INTERVAL_END = 74,
	/* stack */
	ETL_STACK = 32,
	ETL_STACK_CREATED = 34,
	ETL_STACK_DELETED = 35,
	ETL_STACK_RUNDOWN = 36,
	ETL_STACK_KERNEL_KEY = 37,
	ETL_STACK_USER_KEY = 38,
	/* image ID */
	ETL_IMAGE_ID_HEADERS = 0,
	ETL_IMAGE_ID_RSDS = 36,
	ETL_IMAGE_ID_IL_RSDS = 37,
	/* config */
	ETL_CONFIG_CPU = 10,
	ETL_CONFIG_PROCESSOR = 35,
	/* config of merged files */
	ETL_CONFIG_EX_FOLDERS = 33,
	ETL_CONFIG_EX_VOLUME = 35,
	/* lost */
	ETL_LOST_EVENT = 32,
	ETL_LOST_BUFFER = 33,
	ETL_LOST_FILE = 34,
};

/** Event IDs of .NET: a method was compiled, or was there at the end; with names. */
enum { ETL_CLR_METHOD = 143, ETL_CLR_METHOD_AT_END = 144 };

struct etl_process {
	uint32_t pid, parent;
	struct etl_text image; /* without its path, perhaps cut */
};
bool etl_payload_process(const struct etl_event *event, struct etl_process *ret);

struct etl_thread {
	uint32_t pid, tid;
	struct etl_text name; /* empty: none */
};
bool etl_payload_thread(const struct etl_event *event, struct etl_thread *ret);
/** ETL_THREAD_NAME. */
bool etl_payload_thread_name(const struct etl_event *event, struct etl_thread *ret);

struct etl_image {
	uint64_t base, size;
	uint32_t pid; /* 0 or 4: the kernel's, if the address is */
	uint32_t time_stamp;
	struct etl_text path;
};
bool etl_payload_image(const struct etl_event *event, struct etl_image *ret);

/** Of one image in one process, for ETL_IMAGE_ID_HEADERS and ETL_IMAGE_ID_RSDS. */
struct etl_image_id {
	uint64_t base;
	uint32_t pid;
	uint32_t time_stamp; /* of ETL_IMAGE_ID_HEADERS */
	const uint8_t *guid; /* of ETL_IMAGE_ID_RSDS, as stored */
	uint32_t age;
	struct etl_text pdb;
};
bool etl_payload_image_id(const struct etl_event *event, struct etl_image_id *ret);

/** ETL_CONFIG_EX_VOLUME: a path that begins with @from begins with @to for users. Also
 *  ETL_CONFIG_EX_FOLDERS: the system's and Windows' folder. */
struct etl_volume {
	struct etl_text from, to;
};
bool etl_payload_volume(const struct etl_event *event, struct etl_volume *ret);

/** ETL_SAMPLE and ETL_COUNTER_SAMPLE. */
struct etl_sample {
	uint64_t ip;
	uint32_t tid;
	uint32_t source;   /* 0: the timer */
	bool in_interrupt; /* a DPC or an interrupt ran */
};
bool etl_payload_sample(const struct etl_event *event, struct etl_sample *ret);

/** The interval of a source: events, of the timer units of 100 ns. */
struct etl_interval {
	uint32_t source, interval;
	struct etl_text name; /* empty in old versions */
};
bool etl_payload_interval(const struct etl_event *event, struct etl_interval *ret);

/** ETL_COUNTER_NAMES: @ret: room for @most; the names that were read. */
bool etl_payload_counter_names(const struct etl_event *event, struct etl_text *ret, size_t most,
			       size_t *ret_num);

struct etl_switch {
	uint32_t new_tid, old_tid;
	bool has_ended; /* the old thread will not come back */
};
bool etl_payload_switch(const struct etl_event *event, struct etl_switch *ret);
/** ETL_THREAD_READY: whom the running thread made ready. */
bool etl_payload_ready(const struct etl_event *event, uint32_t *ret_tid);

/** A DPC or an interrupt, at its end. */
struct etl_interrupt {
	uint64_t began_ns, routine;
};
bool etl_payload_interrupt(const struct etl_event *event, struct etl_interrupt *ret);

/** Every opcode of the class of stacks. */
struct etl_stack {
	/** Of the event that it belongs to; of definitions nothing. */
	uint64_t time_ns;
	uint32_t pid, tid;
	uint64_t key;             /* but for ETL_STACK */
	const uint8_t *addresses; /* pointers, not aligned; of keys none */
	size_t num_addresses;
};
bool etl_payload_stack(const struct etl_event *event, struct etl_stack *ret);

/** A pointer of the event's size. */
uint64_t etl_payload_pointer(const struct etl_event *event, const uint8_t *bytes);

/** Numbers of PROCESSOR_ARCHITECTURE_*. */
enum { ETL_MACHINE_X86 = 0, ETL_MACHINE_ARM = 5, ETL_MACHINE_X64 = 9, ETL_MACHINE_ARM64 = 12 };

struct etl_cpu {
	uint32_t mhz, memory_mb;
	struct etl_text computer;
	uint32_t architecture; /* UINT32_MAX: not said */
};
bool etl_payload_cpu(const struct etl_event *event, struct etl_cpu *ret);

struct etl_processor {
	struct etl_text name, identifier;
};
bool etl_payload_processor(const struct etl_event *event, struct etl_processor *ret);

struct etl_method {
	uint64_t start, size;
	struct etl_text space, name, signature; /* "System.String", "Concat", "void  (...)" */
};
bool etl_payload_method(const struct etl_event *event, struct etl_method *ret);

#endif
