// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_frames.h"

#include "base/os/clock.h"
#include "interpreter/interpreted_names.h"
#include "process/system/process_command.h"

#include <stdlib.h>

// Between the profile builder and the interpreters of the target's processes. A record that is no
// sample may show an interpreter (interpreted_frames_note()). interpreted_frames_settle() completes
// a sample: it goes on with the check of the interpreter, then takes the frames that came with the
// sample, reads them now (the thread stands still or sleeps), or joins the snapshot that was read
// at the wakeup. Frames of an interpreter that is not trusted yet are removed. The record is copied
// only if it changes. interpreted_frames_find_places() then looks up what the chain of the sample
// is made of, so that the chain has to ask nobody.

struct interpreted_frames {
	enum collection_method method;
	bool is_completed; /* frames are, by the interpreter: see complete() */
	struct interpreted_processes *processes;
	struct frame_snapshots *snapshots; /* NULL: none are taken */
	struct interpreted_names names;
	struct interpreter_change change;
	/** Of the last sample, by frame: see interpreted_stack.h. */
	uint64_t places[FRAME_WALK_MAX_FRAMES], addresses[FRAME_WALK_MAX_FRAMES];
};

struct error *interpreted_frames_create(const struct interpreted_frames_config *config,
					struct interpreted_frames **ret)
{
	struct interpreted_frames *frames = calloc(1, sizeof(*frames));
	if (!frames)
		return &error_no_memory;
	frames->method = config->method;
	frames->is_completed = config->extras.by_task || config->extras.with_raises;
	struct error *err =
		interpreted_processes_create(&config->extras, config->loops, &frames->processes);
	if (!err && collection_method_needs_wakeups(config->method))
		err = frame_snapshots_create(config->stops, &frames->snapshots);
	if (err) {
		interpreted_frames_destroy(frames);
		return err;
	}
	*ret = frames;
	return NULL;
}

void interpreted_frames_destroy(struct interpreted_frames *frames)
{
	if (!frames)
		return;
	interpreted_processes_destroy(frames->processes);
	frame_snapshots_destroy(frames->snapshots);
	interpreted_names_deinit(&frames->names);
	free(frames);
}

void interpreted_frames_set_source(struct interpreted_frames *frames, struct source *source)
{
	if (frames)
		interpreted_processes_set_source(frames->processes, source);
}

struct interpreted_processes *interpreted_frames_processes(const struct interpreted_frames *frames)
{
	return frames ? frames->processes : NULL;
}

const struct code_places *interpreted_frames_places(const struct interpreted_frames *frames)
{
	return frames ? interpreted_processes_places(frames->processes) : NULL;
}

struct error *interpreted_frames_wakeup(struct interpreted_frames *frames,
					const struct sample_wakeup *wakeup)
{
	if (!frames || !frames->snapshots)
		return NULL;
	struct interpreted_process *process =
		interpreted_processes_find(frames->processes, wakeup->pid);
	return process ? frame_snapshots_take(frames->snapshots, process, wakeup) : NULL;
}

void interpreted_frames_end_wakeups(struct interpreted_frames *frames)
{
	if (frames && frames->snapshots)
		frame_snapshots_release(frames->snapshots);
}

void interpreted_frames_begin_record(struct interpreted_frames *frames)
{
	if (frames)
		frames->change.is_changed = false;
}

/** Of a process whose interpreter may just have been found. */
static struct error *interpreted_frames_say_role(struct interpreted_frames *frames, uint32_t pid)
{
	const struct interpreted_process *process =
		interpreted_processes_find(frames->processes, pid);
	char command[PROCESS_COMMAND_SIZE];
	if (!process || !process->ops->role_of_command)
		return NULL;
	process_command_read(pid, command, sizeof(command));
	const char *words = process->ops->role_of_command(command);
	return words ? interpreted_names_say(&frames->names, pid, words) : NULL;
}

struct error *interpreted_frames_note(struct interpreted_frames *frames,
				      struct process_table *processes, const struct record *record)
{
	if (!frames)
		return NULL;
	bool may_begin = record->kind == RECORD_MAP && record->map.is_executable &&
			 !interpreted_processes_find(frames->processes, record->pid);
	struct error *err =
		interpreted_processes_note(frames->processes, processes, record, &frames->change);
	return err || !may_begin ? err : interpreted_frames_say_role(frames, record->pid);
}

/** Frames that the source does not bring. @process: NULL: it has no interpreter. @joined: the
 *  record, once more. */
static struct error *interpreted_frames_join(struct interpreted_frames *frames,
					     struct interpreted_process *process,
					     struct record *joined)
{
	bool is_asleep = joined->sample.is_asleep;
	if (frames->method == COLLECTION_HELD || is_asleep)
		return process && !joined->sample.has_gone_on
			       ? process->ops->read(process, joined->tid, is_asleep,
						    &joined->sample)
			       : NULL;
	if (frames->snapshots)
		frame_snapshots_join(frames->snapshots, process, joined);
	return NULL;
}

struct error *interpreted_frames_settle(struct interpreted_frames *frames,
					const struct record **record, struct record *joined)
{
	if (!frames)
		return NULL;
	const struct record_sample *sample = &(*record)->sample;
	uint32_t pid = (*record)->pid;
	struct interpreted_process *process = interpreted_processes_find(frames->processes, pid);
	frames->change = (struct interpreter_change){.pid = pid};
	struct error *err = process ? interpreted_process_check(process, &frames->change) : NULL;
	bool is_trusted = process && interpreted_process_is_trusted(process);
	bool brings_all =
		frames->method != COLLECTION_HELD && !frames->snapshots && !sample->is_asleep;
	if (err || (brings_all && ((is_trusted && !frames->is_completed) || !sample->num_frames)))
		return err;
	*joined = **record;
	*record = joined;
	err = interpreted_frames_join(frames, process, joined);
	if (!is_trusted) {
		joined->sample.num_frames = 0;
		joined->sample.gil = GIL_UNKNOWN;
	}
	if (!err && frames->is_completed && joined->sample.num_frames && process->ops->complete)
		err = process->ops->complete(process, &joined->sample);
	return err;
}

static size_t interpreted_frames_count_called(const struct record_sample *sample)
{
	size_t num = 0;
	while (num < sample->num_frames && !(sample->frames[num].flags & INTERPRETED_FRAME_IS_TASK))
		num++;
	return num;
}

struct error *interpreted_frames_find_places(struct interpreted_frames *frames,
					     const struct record *record,
					     struct interpreted_stack *ret)
{
	const struct record_sample *sample = &record->sample;
	*ret = (struct interpreted_stack){.num_frames = 0};
	struct interpreted_process *process =
		frames && sample->num_frames
			? interpreted_processes_find(frames->processes, record->pid)
			: NULL;
	if (!process)
		return NULL;
	struct error *err = interpreted_process_find(process, sample->frames, sample->num_frames,
						     frames->places);
	if (err)
		return err;
	const struct code_places *places = process->context->places;
	for (size_t i = 0; i < sample->num_frames; i++)
		frames->addresses[i] = code_places_address(places, frames->places[i]);
	*ret = (struct interpreted_stack){
		.frames = sample->frames,
		.num_frames = sample->num_frames,
		.num_called = interpreted_frames_count_called(sample),
		.places = frames->places,
		.addresses = frames->addresses,
		.loops = process->context->loops,
		.loops_module = process->loops,
		.bias = process->bias,
	};
	return NULL;
}

/** The system's name of a first thread is that of the process, which says more. */
struct error *interpreted_frames_note_thread(struct interpreted_frames *frames, uint32_t pid,
					     uint32_t tid)
{
	if (!frames || tid == pid || !interpreted_processes_find(frames->processes, pid))
		return NULL;
	return interpreted_names_want(&frames->names, pid, clock_ns(CLOCK_MONOTONIC));
}

void interpreted_frames_end_names(struct interpreted_frames *frames)
{
	if (frames)
		interpreted_names_want_all(&frames->names);
}

struct error *interpreted_frames_next_name(struct interpreted_frames *frames, struct record *ret,
					   bool *ret_more)
{
	*ret_more = false;
	if (!frames || (!frames->names.num_items && !frames->names.num_said))
		return NULL;
	const struct thread_name *name;
	struct error *err = interpreted_names_next(&frames->names, frames->processes,
						   clock_ns(CLOCK_MONOTONIC), &name);
	if (err || !name)
		return err;
	*ret = (struct record){
		.kind = RECORD_COMM,
		.mode = RECORD_MODE_USER,
		.pid = frames->names.pid,
		.tid = name->tid,
		.cpu = UINT32_MAX,
		.comm = {.name = name->name, .is_given = true},
	};
	*ret_more = true;
	return NULL;
}

struct interpreter_change interpreted_frames_change(const struct interpreted_frames *frames)
{
	return frames ? frames->change : (struct interpreter_change){.is_changed = false};
}

struct frame_snapshot_totals interpreted_frames_snapshots(const struct interpreted_frames *frames)
{
	static const struct frame_snapshot_totals none = {0};
	return frames && frames->snapshots ? frame_snapshots_totals(frames->snapshots) : none;
}

struct collection_facts interpreted_frames_facts(const struct interpreted_frames *frames)
{
	if (!frames)
		return (struct collection_facts){.method = COLLECTION_NONE};
	struct frame_snapshot_totals totals = interpreted_frames_snapshots(frames);
	uint64_t num_without = totals.num_torn + totals.num_missed + totals.num_loose;
	return (struct collection_facts){
		.method = frames->method,
		.num_samples = totals.num_joined + num_without,
		.num_without = num_without,
		.mean_skew_ns = totals.num_joined ? totals.skew_ns / totals.num_joined : 0,
		.max_skew_ns = totals.max_skew_ns,
	};
}
