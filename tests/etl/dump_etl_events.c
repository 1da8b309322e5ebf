// SPDX-License-Identifier: Apache-2.0

/**
 * Prints the events of ETW files, a line each, for etl_baseline.py:
 *   nanoseconds since the start, pid, tid (-1: not known), CPU, class, GUID or "-", id, opcode,
 *   version, size of the payload.
 * The last line has the damage: "damage" and the three numbers of struct etl_stream_damage.
 */

#include "base/cleanup.h"
#include "record/etl/file/etl_stream.h"

#include <inttypes.h>
#include <stdio.h>

static void print_guid(const uint8_t *guid)
{
	for (int i = 0; guid && i < ETL_GUID_SIZE; i++)
		printf("%02x", guid[i]);
	if (!guid)
		putchar('-');
}

static void print_event(const struct etl_event *event, uint64_t start_ns)
{
	printf("%" PRId64 " %" PRId32 " %" PRId32 " %" PRIu32 " %" PRIu32 " ",
	       (int64_t)(event->time_ns - start_ns), (int32_t)event->pid, (int32_t)event->tid,
	       event->cpu, event->class);
	print_guid(event->guid);
	printf(" %u %u %u %" PRIu32 "\n", event->id, event->opcode, event->version,
	       event->payload_size);
}

static struct error *dump(const char *const *paths, size_t num_paths)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	struct error *err = etl_stream_open_files(paths, num_paths, false, &stream);
	uint64_t start_ns = err ? 0 : etl_stream_facts(stream)->start_ns;
	for (bool more = !err; more;) {
		struct etl_event event;
		err = etl_stream_next(stream, &event, &more);
		if (err)
			return err;
		if (more)
			print_event(&event, start_ns);
	}
	if (err)
		return err;
	struct etl_stream_damage damage = etl_stream_damage(stream);
	printf("damage %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", damage.truncated_bytes,
	       damage.bad_buffers, damage.bad_events);
	return NULL;
}

int main(int argc, char **argv)
{
	struct error *err = dump((const char *const *)argv + 1, (size_t)argc - 1);
	if (err)
		fprintf(stderr, "%s\n", err->message);
	error_destroy(err);
	return err != NULL;
}
