/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_ETL_FOLLOW_H
#define WPERF_RECORD_ETL_ETL_FOLLOW_H

/**
 * Records of an ETW file that a session is still writing, in one pass. Each record waits until the
 * stream is 500 ms further: Windows writes the user part of a stack when its thread returns to user
 * mode, and buffers of other CPUs come later. Then records are given in order of time. What was
 * there when the session began (rundown) has the time of the session's start.
 *
 * So all CPUs' buffers have to be flushed more often than that. Events that come later still are
 * given, with the time of the record before, and counted: notes.num_late.
 *
 * Cached stacks (keys) are not followed: sessions of ours do not ask for them. They are counted as
 * notes.num_stacks_unknown.
 *
 *	etl_follow_create(stream, &plan, &follow);
 *	while (the program runs)
 *		etl_follow_grow(follow), etl_follow_next(follow, ...) until there are no more
 *	etl_follow_grow(follow), etl_follow_end(follow), etl_follow_next(...) until ...
 */

#include "record/etl/etl_events.h"
#include "record/etl/etl_reader.h"

struct etl_follow;

/** @stream: of etl_stream_open_growing(); becomes the follower's, also if there is an error.
 *  @events: which event of the caller's list a sample gets; copied. */
struct error *etl_follow_create(struct etl_stream *stream, const struct etl_events *events,
				struct etl_follow **ret);

/** Take what was written since. */
struct error *etl_follow_grow(struct etl_follow *follow);

/** The session has ended, all of it was read: nothing waits any more. */
void etl_follow_end(struct etl_follow *follow);

/** @ret: valid until the next call. @ret_more: false if there is none now. */
struct error *etl_follow_next(struct etl_follow *follow, struct record *ret, bool *ret_more);

/** So far. */
struct etl_reader_notes etl_follow_notes(const struct etl_follow *follow);

void etl_follow_destroy(struct etl_follow *follow);
static inline void etl_follow_destroyp(struct etl_follow **follow)
{
	etl_follow_destroy(*follow);
}

#endif
