// SPDX-License-Identifier: Apache-2.0

#include "session/process_events.h"

#include "base/cleanup.h"
#include "base/os/clock.h"

#include <stdlib.h>

// process_events_look() has two steps: find_family() updates which processes belong to the target,
// by the command's job (child_job_win.c) or the list of all processes, and note_members() tells the
// reader of maps and threads (process/thread/running.h) about those that began or ended.
// process_events_next() then gives the ends first: a pid that was reused has to be free before its
// next process begins. The list is read at most every 10 ms and takes at most 2 % of the time, as
// it is long on a large machine; but at least every half second.

enum {
	LIST_NS = 10000000,       // between two lists of all that runs, at least ...
	LIST_SHARE = 50,          // ... or one of so many parts of the time, ...
	MOST_LIST_NS = 500000000, // ... and at most
};

void process_events_deinit(struct process_events *events)
{
	running_destroy(events->running);
	family_deinit(&events->family);
	*events = (struct process_events)PROCESS_EVENTS_INIT;
}

/** Without a job, the system reports no children: they are found in the list of all processes. */
static struct error *list_family(struct process_events *events)
{
	if (events->looked_ns < events->list_due_ns)
		return NULL;
	_cleanup_free_ struct process_origin *origins = NULL;
	struct family_sight sight = {.num_origins = 0};
	struct error *err = process_origin_list(&origins, &sight.num_origins);
	sight.origins = origins;
	sight.now_ns = clock_ns(CLOCK_MONOTONIC);
	sight.wall_ns = clock_ns(CLOCK_REALTIME);
	uint64_t pause_ns = (sight.now_ns - events->looked_ns) * LIST_SHARE;
	if (pause_ns > MOST_LIST_NS)
		pause_ns = MOST_LIST_NS;
	events->list_due_ns = sight.now_ns + (pause_ns > LIST_NS ? pause_ns : LIST_NS);
	return err ? err : family_follow(&events->family, &sight);
}

static struct error *find_family(struct process_events *events, uint64_t since_ns)
{
	if (events->is_of_all)
		return NULL;
	// Samples from before a member's end may come in the round behind the one that saw it.
	family_forget(&events->family, since_ns);
	const struct target *target = events->target;
	bool has_job = target->child.job && !target->is_clock;
	return has_job ? child_look(&events->target->child, since_ns, &events->family)
		       : list_family(events);
}

struct error *process_events_open(struct process_events *events, struct target *target,
				  const uint32_t *pids, size_t num_pids, bool is_watched)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	*events = (struct process_events){
		.target = target,
		.is_watched = is_watched,
		.is_of_all = num_pids == 0,
		.looked_ns = now_ns,
		.listed_ns = now_ns,
	};
	struct error *err = running_open(pids, num_pids, &events->running);
	for (size_t i = 0; !err && i < num_pids; i++)
		err = family_add(&events->family, pids[i], 0, 0);
	for (size_t i = 0; i < events->family.num_members; i++)
		events->family.members[i].is_told = true;
	if (!err && is_watched)
		err = running_add_kernel(events->running);
	if (!err && is_watched)
		err = find_family(events, now_ns);
	if (err)
		process_events_deinit(events);
	return err;
}

/** Members with the same pid are in the order in which they began, so the end of the first one is
 *  noted before the begin of the next. */
static struct error *note_members(struct process_events *events, bool *ret_has_begun)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < events->family.num_members; i++) {
		struct family_member *member = &events->family.members[i];
		bool is_running = member->ended_ns == FAMILY_RUNS;
		if (!is_running && !member->is_end_told)
			running_drop(events->running, member->pid);
		if (is_running && !member->is_told) {
			err = running_add(events->running, member->pid);
			*ret_has_begun = true;
		}
		member->is_told = true;
	}
	events->next_ended = 0;
	return err;
}

struct error *process_events_look(struct process_events *events, uint64_t pause_ns,
				  bool *ret_has_begun)
{
	uint64_t before_ns = events->looked_ns;
	*ret_has_begun = false;
	events->looked_ns = clock_ns(CLOCK_MONOTONIC);
	struct error *err = find_family(events, before_ns);
	if (!err)
		err = note_members(events, ret_has_begun);
	if (err || (!*ret_has_begun && events->looked_ns - events->listed_ns < pause_ns))
		return err;
	events->since_ns = events->listed_ns;
	events->listed_ns = events->looked_ns;
	return running_look_again(events->running);
}

static bool next_end(struct process_events *events, struct record *ret)
{
	while (events->next_ended < events->family.num_members) {
		struct family_member *member = &events->family.members[events->next_ended++];
		if (member->ended_ns == FAMILY_RUNS || member->is_end_told)
			continue;
		member->is_end_told = true;
		*ret = (struct record){
			.kind = RECORD_EXIT,
			.mode = RECORD_MODE_USER,
			.pid = member->pid,
			.tid = member->pid,
			.time_ns = member->ended_ns,
			.cpu = UINT32_MAX,
		};
		return true;
	}
	return false;
}

struct error *process_events_next(struct process_events *events, struct record *ret, bool *ret_more)
{
	*ret_more = next_end(events, ret);
	if (*ret_more || !events->running)
		return NULL;
	struct error *err = running_next(events->running, ret, ret_more);
	// What was found now may have begun at any time since the last look. The earliest is taken:
	// a mapping has to come before the samples in it.
	if (!err && *ret_more)
		ret->time_ns = events->since_ns;
	return err;
}

bool process_events_is_ours(const struct process_events *events, uint32_t pid, uint64_t time_ns)
{
	return events->is_of_all || family_has(&events->family, pid, time_ns);
}
