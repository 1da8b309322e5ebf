// SPDX-License-Identifier: Apache-2.0
// Input: a byte that says in how many pieces the file is written, and the ETW file. It is followed
// while it grows; time never goes back, and everything that records point at is read.

#include "base/cleanup.h"
#include "record/etl/etl_follow.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t touch_record(const struct record *record)
{
	uint64_t sum = 0;
	if (record->kind == RECORD_SAMPLE)
		for (size_t i = 0; i < record->sample.chain_length; i++)
			sum += record->sample.chain[i];
	if (record->kind == RECORD_MAP && record->map.path)
		sum += strlen(record->map.path);
	if (record->kind == RECORD_COMM)
		sum += strlen(record->comm.name);
	return sum;
}

static struct error *take_all(struct etl_follow *follow, uint64_t *last_ns, uint64_t *sum)
{
	for (bool more = true; more;) {
		struct record record;
		struct error *err = etl_follow_next(follow, &record, &more);
		if (err || !more)
			return err;
		if (record.time_ns < *last_ns)
			abort();
		*last_ns = record.time_ns;
		*sum += touch_record(&record);
	}
	return NULL;
}

static struct error *begin(const char *path, struct etl_follow **ret)
{
	struct etl_stream *stream;
	struct error *err = etl_stream_open_growing(path, &stream);
	struct etl_events events = ETL_EVENTS_INIT;
	events.clock = 0;
	events.off_cpu = 1;
	events.wakeups = 2;
	events.dpc = 3;
	events.isr = 4;
	events.first_counter = 5;
	events.num_counters = 2;
	events.sources[events.num_sources++] = (struct etl_source_event){2, 7};
	return err ? err : etl_follow_create(stream, &events, ret);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	char path[32];
	int fd = memfd_create("growing", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	_cleanup_(etl_follow_destroyp) struct etl_follow *follow = NULL;
	struct error *err = NULL;
	uint64_t last_ns = 0, sum = 0;
	size_t pieces = 1 + data[0] % 8, done = 1;
	for (size_t i = 1; !err && i <= pieces; i++) {
		size_t end = 1 + (size - 1) * i / pieces;
		if (write(fd, data + done, end - done) != (ssize_t)(end - done))
			abort();
		done = end;
		err = follow ? etl_follow_grow(follow) : begin(path, &follow);
		if (err && err->code == ERROR_ABSENT && !follow) {
			error_destroy(err);
			err = NULL;
			continue;
		}
		if (!err && i == pieces)
			etl_follow_end(follow);
		if (!err)
			err = take_all(follow, &last_ns, &sum);
	}
	error_destroy(err);
	close(fd);
	return sum == UINT64_MAX ? 1 : 0;
}
