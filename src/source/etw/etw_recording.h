/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_RECORDING_H
#define WPERF_SOURCE_ETW_ETW_RECORDING_H

/**
 * One run of an ETW session: Windows writes a temporary file, which becomes records when the
 * session has ended, or while it is written. The file has no other use and is removed.
 */

#include "record/etl/etl_follow.h"
#include "record/etl/etl_reader.h"
#include "source/etw/etw_session.h"
#include "source/etw/volumes/etw_volumes.h"

struct etw_recording {
	struct etw_session *session;
	struct etl_events events;
	bool is_followed;
	struct etl_follow *follow; /* with is_followed; NULL: nothing was written yet */
	struct etl_reader *reader; /* without it; NULL: the session has not ended */
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
 * @is_followed: there are records before the stop, about half a second after they happened.
 */
struct error *etw_recording_start(struct etw_recording *recording, const struct etw_calls *calls,
				  const struct etw_session_plan *plan,
				  const struct etl_events *events, bool is_followed);

/** If it is followed: read what happened since. */
struct error *etw_recording_take(struct etw_recording *recording);

/** End the session: all of it can be read then. */
struct error *etw_recording_stop(struct etw_recording *recording);

/** Events that Windows lost so far, as far as it has said so. */
uint64_t etw_recording_num_lost(const struct etw_recording *recording);

/** The next record of all processes, in order of time. @ret_more: false behind the last, and behind
 *  what was read so far. */
struct error *etw_recording_next(struct etw_recording *recording, struct record *ret,
				 bool *ret_more);

void etw_recording_close(struct etw_recording *recording);

#endif
