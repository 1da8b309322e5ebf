/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_RECORDING_H
#define WPERF_SOURCE_ETW_ETW_RECORDING_H

/**
 * One run of an ETW session: Windows writes a temporary file, which becomes records when the
 * session has ended. The file has no other use and is removed.
 */

#include "record/etl/etl_reader.h"
#include "source/etw/etw_session.h"
#include "source/etw/volumes/etw_volumes.h"

struct etw_recording {
	struct etw_session *session;
	struct etl_events events;
	struct etl_reader *reader; /* NULL: the session has not ended */
	char *path;                /* of the file */
	struct etw_volumes volumes;
	struct string_builder text;
	struct etw_session_totals totals;
};

#define ETW_RECORDING_INIT \
	{                  \
	}

/**
 * Begin. Ended by etw_recording_close(), also after an error.
 * @plan: without a path.
 * @events: which event of the caller samples get.
 */
struct error *etw_recording_start(struct etw_recording *recording, const struct etw_calls *calls,
				  const struct etw_session_plan *plan,
				  const struct etl_events *events);

/** End the session: all of it can be read then. */
struct error *etw_recording_stop(struct etw_recording *recording);

/** The next record of all processes, in order of time. @ret_more: false behind
 *  the last, and before the stop. */
struct error *etw_recording_next(struct etw_recording *recording, struct record *ret,
				 bool *ret_more);

void etw_recording_close(struct etw_recording *recording);

#endif
