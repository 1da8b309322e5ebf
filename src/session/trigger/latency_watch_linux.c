// SPDX-License-Identifier: Apache-2.0

#include "session/trigger/latency_watch.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "catalog/event_spec.h"
#include "catalog/linux/system_event.h"
#include "process/pid_list.h"
#include "session/setup/probe_places.h"
#include "source/bpf/bpf_latency.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The place of a function is found as that of an event "u:FILE:FUNCTION", whose attributes have the
// path and the offset. Callers are named by the process's maps at once, as it may end.

enum { REASON_FRAMES = 5, REASON_BYTES = 1024 };

struct latency_reason {
	struct latency_hit longest; /* call that is not reported; of 0 ns: there is none */
	bool is_explained;
	char text[REASON_BYTES];
};

struct latency_watch {
	struct bpf_latency *latency;
	struct latency_reason reasons[LATENCY_MAX_PLACES]; /* by number of the trigger */
};

struct error *latency_watch_create(struct latency_watch **ret)
{
	struct latency_watch *watch = calloc(1, sizeof(*watch));
	if (!watch)
		return &error_no_memory;
	struct error *err = bpf_latency_create(&watch->latency);
	if (err) {
		latency_watch_destroy(watch);
		return err;
	}
	*ret = watch;
	return NULL;
}

void latency_watch_destroy(struct latency_watch *watch)
{
	if (!watch)
		return;
	bpf_latency_destroy(watch->latency);
	free(watch);
}

static struct error *latency_watch_add_process(struct latency_watch *watch, uint32_t pid,
					       const struct system_event *event,
					       const struct trigger_words *words, uint32_t number)
{
	const struct bpf_latency_place place = {
		.number = number,
		.pid = pid,
		.event = words->name,
		.path = (const char *)(uintptr_t)event->config1,
		.offset = event->config2,
		.limit_ns = words->limit,
	};
	return bpf_latency_add(watch->latency, &place);
}

struct error *latency_watch_add(struct latency_watch *watch, struct session *session,
				const char *pids, const struct trigger_words *words,
				uint32_t number)
{
	const struct probe_target target = {.pids = pids};
	struct run_request request = {0};
	_cleanup_free_ uint32_t *list = NULL;
	size_t num_pids = 0;
	if (!pids)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--trigger latency> times the functions of "
						    "processes"),
				       "name a program, or a process with -p PID");
	struct error *err = pid_list_parse(pids, &list, &num_pids);
	if (!err)
		err = event_spec_parse(&session->catalog, words->name, EVENT_SPEC_SAMPLE, NULL,
				       &request.events);
	if (!err)
		err = probe_places_find(&request, &session->catalog, &target);
	for (size_t i = 0; !err && i < num_pids; i++)
		err = latency_watch_add_process(watch, list[i],
						system_event_of(request.events.items[0].event),
						words, number);
	run_request_deinit(&request);
	return err;
}

/** "libshop.so+0x1234" of an address, by a line of /proc/PID/maps (proc(5)); of a mapping without a
 *  name @ret stays. False: the address is of another one. */
static bool latency_watch_name(const char *line, uint64_t address, char *ret, size_t size)
{
	uint64_t start, end, offset;
	int path = -1;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end,
		   &offset, &path) != 3 ||
	    path < 0 || address < start || address >= end)
		return false;
	const char *slash = strrchr(line + path, '/');
	const char *name = slash ? slash + 1 : line + path;
	int length = (int)strcspn(name, "\n");
	if (length)
		snprintf(ret, size, "%.*s+0x%" PRIx64, length, name, address - start + offset);
	return true;
}

static void latency_watch_add_frame(const struct latency_hit *hit, uint32_t frame,
				    struct latency_reason *reason)
{
	char path[32], name[256];
	uint64_t address = hit->frames[frame];
	size_t length = strlen(reason->text);
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", hit->pid);
	snprintf(name, sizeof(name), "0x%" PRIx64, address);
	FILE *file = file_path_open(path, "r");
	char *line = NULL;
	size_t capacity = 0;
	while (file && getline(&line, &capacity, file) > 0)
		if (latency_watch_name(line, address, name, sizeof(name)))
			break;
	free(line);
	if (file)
		fclose(file);
	// What has no room is left out.
	snprintf(reason->text + length, sizeof(reason->text) - length, "%s %s",
		 frame ? "," : "; called from", name);
}

static void latency_watch_explain(struct latency_reason *reason)
{
	const struct latency_hit *hit = &reason->longest;
	snprintf(reason->text, sizeof(reason->text),
		 "%.*s (thread %" PRIu32 " of process %" PRIu32
		 ") was in it for %.3f ms, until %.6f s",
		 LATENCY_NAME_BYTES, hit->name, hit->tid, hit->pid, (double)hit->duration_ns / 1e6,
		 (double)hit->ended_ns / 1e9);
	for (uint32_t i = 0; i < hit->num_frames && i < REASON_FRAMES && hit->frames[i]; i++)
		latency_watch_add_frame(hit, i, reason);
	reason->is_explained = true;
}

static void latency_watch_keep_longest(struct latency_watch *watch, const struct latency_hit *hit)
{
	if (hit->place >= LATENCY_MAX_PLACES ||
	    hit->duration_ns <= watch->reasons[hit->place].longest.duration_ns)
		return;
	watch->reasons[hit->place].longest = *hit;
	watch->reasons[hit->place].is_explained = false;
}

void latency_watch_poll(struct latency_watch *watch)
{
	struct latency_hit hit;
	// No more than there is room for: who calls without end gets no more of our time.
	for (int i = 0; i < LATENCY_MAX_HITS && bpf_latency_take(watch->latency, &hit); i++)
		latency_watch_keep_longest(watch, &hit);
	for (size_t i = 0; i < LATENCY_MAX_PLACES; i++)
		if (watch->reasons[i].longest.duration_ns && !watch->reasons[i].is_explained)
			latency_watch_explain(&watch->reasons[i]);
}

bool latency_watch_has(const struct latency_watch *watch, uint32_t number)
{
	return number < LATENCY_MAX_PLACES && watch->reasons[number].longest.duration_ns;
}

void latency_watch_settle(struct latency_watch *watch, uint32_t number)
{
	if (number < LATENCY_MAX_PLACES)
		watch->reasons[number].longest.duration_ns = 0;
}

const char *latency_watch_reason(const struct latency_watch *watch, uint32_t number)
{
	return number < LATENCY_MAX_PLACES ? watch->reasons[number].text : "";
}

uint64_t latency_watch_num_lost(const struct latency_watch *watch)
{
	return bpf_latency_num_lost(watch->latency);
}
