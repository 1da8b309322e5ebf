// SPDX-License-Identifier: Apache-2.0

#include "interpreter/frame_snapshots.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "interpreter/interpreted_process.h"
#include "process/thread/thread_hold.h"

#include <stdlib.h>
#include <string.h>

// A sample becomes known twice: at once, as a wakeup with thread and time (perf_wakeup.c), and
// later as a decoded record, in time order with the records of other cores. frame_snapshots_take()
// reads the stack at the wakeup, before anything else is done, as the thread goes on running;
// frame_snapshots_join() finds it again by thread and time. Snapshots are in a ring that
// overwrites the oldest, so that notices whose record never comes take no room for ever. The code
// of the frames is read right behind them (frame_snapshots_learn()): when the record comes, code of
// exec() or a lambda may be gone.
//
// With --stop the thread is stopped by ptrace while it is read (process/thread/thread_hold.h).
// Threads that are about to leave their CPU are not: that would wake them. Threads that the
// interpreter does not know are remembered for 100 ms, because to find out that a thread is unknown
// means to read the whole list of threads.

enum {
	MAX_WAITING = 256, // samples that were noticed and are not decoded, of all cores
	MAX_STRANGERS = 32,
	STRANGER_NS = 100000000,
};

struct snapshot {
	struct sample_wakeup wakeup; /* time_ns 0: none waits here */
	uint64_t skew_ns;
	size_t num_frames;
	enum frame_walk_end end;
	enum gil_state gil;
};

struct frame_snapshots {
	struct snapshot items[MAX_WAITING];
	struct interpreted_frame frames[MAX_WAITING][FRAME_WALK_MAX_FRAMES];
	uint64_t places[FRAME_WALK_MAX_FRAMES]; // of the last ones
	size_t next;                            /* goes round */
	struct frame_snapshot_totals totals;
	bool stops;
	struct thread_hold hold;

	/** Threads that run no interpreted code: to look for them among all that are takes long. */
	uint32_t strangers[MAX_STRANGERS];
	size_t num_strangers;
	uint64_t strangers_since_ns;
};

struct error *frame_snapshots_create(bool stops, struct frame_snapshots **ret)
{
	struct frame_snapshots *snapshots = calloc(1, sizeof(*snapshots));
	if (!snapshots)
		return &error_no_memory;
	snapshots->stops = stops;
	*ret = snapshots;
	return NULL;
}

void frame_snapshots_destroy(struct frame_snapshots *snapshots)
{
	if (snapshots)
		thread_hold_deinit(&snapshots->hold);
	free(snapshots);
}

/** They are asked again from time to time, as they may have become the interpreter's. */
static bool is_stranger(struct frame_snapshots *snapshots, uint32_t tid)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (now_ns - snapshots->strangers_since_ns > STRANGER_NS) {
		snapshots->num_strangers = 0;
		snapshots->strangers_since_ns = now_ns;
	}
	for (size_t i = 0; i < snapshots->num_strangers; i++)
		if (snapshots->strangers[i] == tid)
			return true;
	return false;
}

static void note_stranger(struct frame_snapshots *snapshots, uint32_t tid)
{
	if (snapshots->num_strangers < MAX_STRANGERS)
		snapshots->strangers[snapshots->num_strangers++] = tid;
}

/** @when_ns: what was read is as of then, at the latest. */
static void frame_snapshots_keep(struct frame_snapshots *snapshots,
				 const struct sample_wakeup *wakeup,
				 const struct record_sample *read, uint64_t when_ns)
{
	size_t place = snapshots->next;
	snapshots->next = (place + 1) % MAX_WAITING;
	struct snapshot *snapshot = &snapshots->items[place];
	*snapshot = (struct snapshot){
		.wakeup = *wakeup,
		.skew_ns = when_ns > wakeup->time_ns ? when_ns - wakeup->time_ns : 0,
		.end = read->walk_end,
		.gil = read->gil,
	};
	// A frame whose memory is gone was one that ended meanwhile.
	if (snapshot->end == FRAME_WALK_NO_MEMORY)
		snapshot->end = FRAME_WALK_TORN;
	if (snapshot->end == FRAME_WALK_TORN)
		return;
	snapshot->num_frames = read->num_frames;
	memcpy(snapshots->frames[place], read->frames,
	       read->num_frames * sizeof(struct interpreted_frame));
}

/** The interpreter keeps the places, for when the record comes. */
static struct error *frame_snapshots_learn(struct frame_snapshots *snapshots,
					   struct interpreted_process *process,
					   const struct record_sample *read)
{
	bool is_sound = read->frames && read->walk_end == FRAME_WALK_WHOLE &&
			interpreted_process_is_trusted(process);
	return is_sound ? process->ops->find(process, read->frames, read->num_frames,
					     snapshots->places)
			: NULL;
}

static struct error *frame_snapshots_read_running(struct frame_snapshots *snapshots,
						  struct interpreted_process *process,
						  const struct sample_wakeup *wakeup,
						  struct record_sample *read, uint64_t *ret_when_ns)
{
	struct error *err = process->ops->read(process, wakeup->tid, wakeup->is_leaving, read);
	*ret_when_ns = wakeup->is_held ? wakeup->time_ns : clock_ns(CLOCK_MONOTONIC);
	return err ? err : frame_snapshots_learn(snapshots, process, read);
}

static void count_held(struct frame_snapshot_totals *totals, uint64_t held_ns)
{
	totals->num_held++;
	totals->held_ns += held_ns;
	if (held_ns > totals->max_held_ns)
		totals->max_held_ns = held_ns;
}

/** Nothing is read of a thread that does not stop: it would not be what was asked for. */
static struct error *read_held(struct frame_snapshots *snapshots,
			       struct interpreted_process *process,
			       const struct sample_wakeup *wakeup, struct record_sample *read,
			       uint64_t *ret_when_ns)
{
	if (!thread_hold_begin(&snapshots->hold, wakeup->pid, wakeup->tid)) {
		snapshots->totals.num_loose++;
		return NULL;
	}
	*ret_when_ns = clock_ns(CLOCK_MONOTONIC);
	struct error *err = process->ops->read(process, wakeup->tid, false, read);
	if (!err)
		err = frame_snapshots_learn(snapshots, process, read);
	thread_hold_end(&snapshots->hold);
	count_held(&snapshots->totals, clock_ns(CLOCK_MONOTONIC) - *ret_when_ns);
	return err;
}

struct error *frame_snapshots_take(struct frame_snapshots *snapshots,
				   struct interpreted_process *process,
				   const struct sample_wakeup *wakeup)
{
	if (is_stranger(snapshots, wakeup->tid))
		return NULL;
	struct record_sample read = {.frames = NULL};
	uint64_t when_ns = 0;
	bool is_to_stop = snapshots->stops && !wakeup->is_leaving; // to stop it would wake it
	struct error *err = is_to_stop ? read_held(snapshots, process, wakeup, &read, &when_ns)
				       : frame_snapshots_read_running(snapshots, process, wakeup,
								      &read, &when_ns);
	if (err || !read.frames)
		return err;
	frame_snapshots_keep(snapshots, wakeup, &read, when_ns);
	// One that has just begun leaves its core before it is one of the interpreter's.
	if (read.walk_end == FRAME_WALK_NONE && !wakeup->is_leaving)
		note_stranger(snapshots, wakeup->tid);
	return NULL;
}

void frame_snapshots_release(struct frame_snapshots *snapshots)
{
	thread_hold_release_late(&snapshots->hold);
}

static struct snapshot *frame_snapshots_find(struct frame_snapshots *snapshots,
					     const struct record *sample)
{
	for (size_t i = 0; i < MAX_WAITING; i++) {
		struct snapshot *item = &snapshots->items[i];
		if (item->wakeup.time_ns == sample->time_ns && item->wakeup.tid == sample->tid &&
		    item->wakeup.pid == sample->pid && sample->time_ns)
			return item;
	}
	return NULL;
}

static void frame_snapshots_count(struct frame_snapshot_totals *totals,
				  const struct snapshot *snapshot)
{
	// Threads that are away stay where they are.
	if (snapshot->end == FRAME_WALK_NONE || snapshot->wakeup.is_leaving)
		return;
	if (snapshot->end == FRAME_WALK_TORN) {
		totals->num_torn++;
		return;
	}
	totals->num_joined++;
	totals->skew_ns += snapshot->skew_ns;
	if (snapshot->skew_ns > totals->max_skew_ns)
		totals->max_skew_ns = snapshot->skew_ns;
}

void frame_snapshots_join(struct frame_snapshots *snapshots,
			  const struct interpreted_process *process, struct record *sample)
{
	struct snapshot *snapshot = frame_snapshots_find(snapshots, sample);
	if (!snapshot) {
		snapshots->totals.num_missed += process && !is_stranger(snapshots, sample->tid);
		return;
	}
	sample->sample.frames = snapshots->frames[snapshot - snapshots->items];
	sample->sample.num_frames = snapshot->num_frames;
	sample->sample.walk_end = snapshot->end;
	sample->sample.gil = snapshot->gil;
	sample->sample.skew_ns = snapshot->skew_ns;
	frame_snapshots_count(&snapshots->totals, snapshot);
	snapshot->wakeup.time_ns = 0; // it is no other sample's
}

struct frame_snapshot_totals frame_snapshots_totals(const struct frame_snapshots *snapshots)
{
	struct frame_snapshot_totals totals = snapshots->totals;
	// Nothing was read of these, and nothing was found when their record came.
	totals.num_missed -=
		totals.num_loose < totals.num_missed ? totals.num_loose : totals.num_missed;
	return totals;
}
