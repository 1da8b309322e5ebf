/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PERF_DATA_H
#define WPERF_RECORD_PERF_DATA_PERF_DATA_H

/**
 * What a perf.data file says of itself besides its records; shared by its reader and its writer.
 */

#include "record/collection_method.h"
#include "record/record.h"

#include "base/error.h"
#include "base/file/file_root.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PERF_ATTR_MAX = 256 };

/** One event of the file. */
struct perf_data_event {
	const char *name;
	uint8_t attr[PERF_ATTR_MAX]; /* perf_event_attr, as much of it as attr_size says */
	uint32_t attr_size;
	const uint64_t *ids;
	size_t num_ids;
	bool has_values; /* of its samples, see record_sample */
};

struct perf_data_build_id {
	const char *path;
	struct record_build_id build_id;
	bool is_kernel;
};

enum { PERF_DATA_NO_USER = UINT32_MAX };

/** Who a process belonged to, and which root folder it had. */
struct perf_data_user {
	uint32_t pid, user, group; /* PERF_DATA_NO_USER: not known */
	const uint32_t *groups;    /* besides */
	uint32_t num_groups;
	bool is_unseen;           /* it ran a program and ended before that was known */
	struct file_root_id root; /* all 0: that of the machine */
};

/**
 * What identifies a Windows image and its PDB: symbol servers find both by it. Recordings whose
 * maps have no build ids have it by path.
 */
struct perf_data_pdb {
	const char *path; /* of the image, as mapped; NULL: not known */
	/** Of the PDB: the GUID in the order of its digits, the age, the file's name
	 *  ("ntkrnlmp.pdb"). No build id, 0 and NULL: not known. */
	struct record_build_id build_id;
	uint32_t age;
	const char *name;
	uint32_t image_time, image_size; /* of the image's headers; 0: not known */
};

/** Code that was compiled at run time and is in no file. */
struct perf_data_method {
	uint32_t pid;
	uint64_t start, size;
	const char *name; /* "Namespace.Class.Method(arguments)" */
};

/** All strings may be NULL, all numbers 0, where the file does not say. */
struct perf_data_info {
	const char *host, *system_release, *version, *machine, *cpu_description, *cpu_id;
	uint32_t cpus_available, cpus_online;
	uint64_t total_memory_kb;
	const char *const *arguments; /* the command line; ends with NULL */
	const struct perf_data_event *events;
	size_t num_events;
	const struct perf_data_build_id *build_ids;
	size_t num_build_ids;
	const struct perf_data_pdb *pdbs;
	size_t num_pdbs;
	const struct perf_data_method *methods; /* sorted by pid and start */
	size_t num_methods;
	uint64_t first_time_ns, last_time_ns; /* of the samples */
	uint64_t num_let_go;       /* samples before these, which nobody wanted to keep */
	const uint8_t *line_image; /* see object/line_image/line_image.h */
	size_t line_image_size;
	const uint8_t *names; /* see symbols/recorded/recorded_names.h */
	size_t names_size;
	const uint8_t *memory; /* in use over time: see profile/memory/memory_curve.h */
	size_t memory_size;
	const uint8_t *run_queue; /* waits in it: see profile/run_queue/run_queue.h */
	size_t run_queue_size;
	const struct perf_data_user *users; /* of processes that are known */
	size_t num_users;
	const char *language; /* of the interpreted lines; not checked */
	struct collection_facts collection;
	uint32_t clock_id;          /* of the times, and ... */
	uint64_t clock_ns, wall_ns; /* ... one instant on it and since 1970 */
};

#endif
