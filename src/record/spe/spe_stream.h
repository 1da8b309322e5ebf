/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_STREAM_H
#define WPERF_RECORD_SPE_SPE_STREAM_H

/**
 * The records in a stream of SPE packets that comes in pieces of any size: a record, or a packet,
 * may begin in one piece and end in the next, as where a ring buffer wraps. One pass, constant
 * memory. Each buffer, that is each core or thread that is recorded, has a stream of its own.
 *
 *	struct spe_stream stream;
 *	spe_stream_init(&stream, position);
 *	while (... another piece ...) {
 *		spe_stream_feed(&stream, bytes, size);
 *		const struct spe_record *record;
 *		while ((record = spe_stream_next(&stream)))
 *			...
 *	}
 *	spe_stream_break(&stream, 0); // so that an unfinished record is counted
 *
 * Where data were lost, the caller knows it and says so with spe_stream_break() in front of the
 * next piece: the kernel's AUX record has PERF_AUX_FLAG_TRUNCATED, or its offset is not where the
 * last ended. PERF_AUX_FLAG_COLLISION needs nothing: whole samples were dropped, none is damaged.
 *
 * A record ends with an END or a TIMESTAMP packet. Damage is a byte that begins no packet, or a
 * second PC in a record, whose beginning then is that of another, which was cut. All of that record
 * is bad bytes, and so is what follows until a packet ends a record, or a PC packet that looks as
 * hardware writes it begins one. Behind damage, a record must have a PC and nothing twice to count.
 * Otherwise it may be without a PC, as where a snapshot begins in the midst of a record, and the
 * later of two packets of the same kind counts. What has no more than a timestamp is no record.
 */

#include "record/spe/spe_record.h"

struct spe_stream {
	const uint8_t *next, *end; /* of the piece, not owned */
	uint64_t position;         /* of next */
	struct spe_record record;  /* the last, or what is known of the one that has not ended */
	uint8_t cut[SPE_PACKET_MAX];
	uint8_t cut_size; /* the beginning of a packet that the last piece ended in */
	bool is_begun;    /* record.position is known */
	bool is_ended;    /* record is what spe_stream_next() gave last */
	bool is_lost;     /* looking for a record's beginning or end */
	bool is_doubted;  /* no whole record since the damage */

	/** For the caller to read. */
	uint64_t num_records;
	uint64_t num_bad_bytes;
	uint64_t num_damages; /* places where the stream was damaged or broken within a record */
};

/** @position: of the first byte in the AUX area: alignment packets go by it. */
void spe_stream_init(struct spe_stream *stream, uint64_t position);

/**
 * Go on with these bytes, once spe_stream_next() has said that there is nothing left. They must
 * stay until it says so again.
 */
void spe_stream_feed(struct spe_stream *stream, const uint8_t *bytes, size_t size);

/** The next record, which stays until the next call; NULL if the piece is used up. */
const struct spe_record *spe_stream_next(struct spe_stream *stream);

/**
 * What follows does not join what was: an unfinished record is given up and counted as bad bytes.
 * @position: of the next byte.
 */
void spe_stream_break(struct spe_stream *stream, uint64_t position);

#endif
