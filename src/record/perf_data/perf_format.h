/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_PERF_FORMAT_H
#define WPERF_RECORD_PERF_DATA_PERF_FORMAT_H

/**
 * The layout of perf's records, as the kernel writes them into its rings and perf into its files,
 * taken apart into struct record. Nothing of the host's headers is needed, so that files are read
 * on every system.
 */

#include "record/record.h"

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What perf_event_attr says of the records of one event. */
struct perf_format {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user, regs_intr; /* masks */
	uint64_t period;               /* of samples that do not say theirs; 0: not known */
	bool sample_id_all;
};

/** Which event an id belongs to. */
struct perf_format_id {
	uint64_t id;
	uint32_t event;
};

/**
 * The formats of a recording's events. With more than one, their records are told apart by id:
 * ids are sorted ascending. All formats agree on where the id is (perf demands the same).
 */
struct perf_formats {
	const struct perf_format *events;
	size_t num_events;
	const struct perf_format_id *ids;
	size_t num_ids;
};

/**
 * Decode one whole record. Pointers in @ret are into @bytes, which are 8-byte aligned and of our
 * byte order (the reader of files of the other order turns the words of a copy before).
 * @bytes: @size of them, header included; header.size must be @size.
 */
struct error *perf_format_decode(const struct perf_formats *formats, const void *bytes, size_t size,
				 struct record *ret);

/**
 * The time of a record by its sample type, without decoding it: what records are put in order by.
 * 0 if it has none. @size: at least that of a record's header.
 */
uint64_t perf_format_time(const struct perf_formats *formats, const void *bytes, size_t size);

#endif
