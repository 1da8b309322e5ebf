/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_RUNDOWN_H
#define WPERF_RECORD_ETL_ETL_RUNDOWN_H

/**
 * Processes, threads and images that were there when a session began. Windows lists them at the
 * start or at the end of a session, or both; and what ends without having begun was there, too.
 */

#include "record/etl/etl_modules.h"

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum etl_presence_kind { ETL_PRESENCE_PROCESS, ETL_PRESENCE_THREAD, ETL_PRESENCE_IMAGE };

struct etl_presence {
	enum etl_presence_kind kind;
	bool was_there; /* at the start; else it began later */
	uint32_t pid;
	uint32_t tid;        /* of processes the parent */
	uint64_t base, size; /* of images; else 0 */
	uint32_t time_stamp;
	const char *name; /* NULL: not known. Of images the kernel's path */
	uint64_t time_ns; /* of the event */
	/** Which begin of a process, counted from 1 in the whole recording, was the last of this
	 *  number; 0: none. What was there is of that process, or from the start on. */
	uint32_t process_begin;
};

struct etl_rundown {
	/** Each process and thread once; each place of an image once for each process. */
	struct etl_presence *items;
	size_t num_items, cap_items;
	uint32_t num_process_begins;
	/** Images that were there when a process began, in order of these begins: its begin is in
	 *  the file, but not their loads. */
	struct etl_presence *late;
	size_t num_late, cap_late;
	struct hash_table index;
};

#define ETL_RUNDOWN_INIT \
	{                \
	}

/** What one event says of whom; false: nothing. @ret_life: of enum etl_life; loading is a begin.
 *  @ret_is_bad: it is such an event, but cannot be read. */
struct error *etl_presence_read(const struct etl_event *event, struct etl_modules *modules,
				struct etl_presence *ret, uint32_t *ret_life, bool *ret_is_one,
				bool *ret_is_bad);

/** All events of a file in order of time. */
struct error *etl_rundown_note(struct etl_rundown *rundown, const struct etl_presence *presence,
			       uint32_t life);

/** All were noted: fills `late`. */
struct error *etl_rundown_end(struct etl_rundown *rundown);

/** Was it there at the start of the session? */
bool etl_presence_is_of_start(const struct etl_presence *presence);

void etl_rundown_deinit(struct etl_rundown *rundown);

#endif
