// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/walk_record.h"

#include "record/perf_data/perf_abi.h"
#include "source/bpf/walker_maps.h"

#include <string.h>

// A walk is a sample of the event PERF_COUNT_SW_BPF_OUTPUT with PERF_SAMPLE_RAW
// (linux/perf_event.h, "PERF_RECORD_SAMPLE"). The BPF program writes it during the interrupt of a
// sample, and the kernel writes the sample behind it into the same ring. So the walk belongs to the
// next sample of that ring, which the thread's numbers confirm. A sample that found no room in the
// ring leaves a walk without a partner, which is counted and dropped.
//
// Sizes and numbers are checked before frames are copied, as for any record.

/** A sample of the types that bpf_walker.c asks for, without what follows the raw bytes. */
struct walk_sample {
	struct perf_abi_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, unused;
	uint32_t raw_size;
	struct walker_output output;
};

static bool is_walk(const struct walk_record *walk, const struct walk_sample *sample, size_t size)
{
	return size >= sizeof(sample->header) + sizeof(sample->id) &&
	       sample->header.type == PERF_ABI_SAMPLE && sample->id == walk->id;
}

static bool walk_record_is_possible(const struct walker_output *output)
{
	return output->num_frames <= FRAME_WALK_MAX_FRAMES && output->end < FRAME_WALK_NUM_ENDS &&
	       output->gil < GIL_NUM_STATES;
}

static bool walk_record_is_whole(const struct walk_sample *sample, size_t size)
{
	if (size < sizeof(*sample) || !walk_record_is_possible(&sample->output))
		return false;
	size_t frames = sample->output.num_frames * sizeof(struct interpreted_frame);
	size_t room = size - sizeof(*sample);
	if (frames > room || sample->output.stack_bytes > WALK_MAX_STACK)
		return false;
	return !sample->output.stack_bytes ||
	       sizeof(uint64_t) + sample->output.stack_bytes <= room - frames;
}

static void copy_frames(struct walk_record *walk, const struct walker_output *output,
			const void *frames)
{
	walk->end = output->end;
	walk->gil = output->gil;
	walk->gil_holder = output->gil_holder;
	walk->num_frames = output->num_frames;
	memcpy(walk->frames, frames, walk->num_frames * sizeof(*walk->frames));
}

/** It stands behind the frames: its address, then its bytes. */
static void copy_stack(struct walk_record *walk, const struct walker_output *output,
		       const uint8_t *stack)
{
	walk->stack_size = output->stack_bytes;
	if (!walk->stack_size)
		return;
	memcpy(&walk->stack_address, stack, sizeof(walk->stack_address));
	memcpy(walk->stack, stack + sizeof(walk->stack_address), walk->stack_size);
}

bool walk_record_take(struct walk_record *walk, const uint8_t *bytes, size_t size,
		      uint64_t *num_unpaired)
{
	const struct walk_sample *sample = (const struct walk_sample *)bytes;
	if (!is_walk(walk, sample, size))
		return false;
	*num_unpaired += walk->is_waiting;
	walk->is_waiting = walk_record_is_whole(sample, size);
	if (!walk->is_waiting) {
		++*num_unpaired;
		return true;
	}
	walk->pid = sample->pid;
	walk->tid = sample->tid;
	walk->is_late = false;
	walk->late_slot = sample->output.late_slot;
	walk->late_number = sample->output.late_number;
	copy_frames(walk, &sample->output, sample + 1);
	copy_stack(walk, &sample->output,
		   (const uint8_t *)(sample + 1) + walk->num_frames * sizeof(*walk->frames));
	return true;
}

void walk_record_replace(struct walk_record *walk, const struct walker_output *output,
			 const struct interpreted_frame *frames)
{
	if (!walk_record_is_possible(output))
		return;
	walk->is_late = true;
	copy_frames(walk, output, frames);
}

void walk_record_drop(struct walk_record *walk, uint64_t *num_unpaired)
{
	*num_unpaired += walk->is_waiting;
	walk->is_waiting = false;
}

void walk_record_join(struct walk_record *walk, struct record *sample, uint64_t *num_unpaired)
{
	if (!walk->is_waiting)
		return;
	walk->is_waiting = false;
	if (walk->pid != sample->pid || walk->tid != sample->tid) {
		++*num_unpaired;
		return;
	}
	// Of an event whose stacks the kernel copies it keeps its own.
	if (walk->stack_size && !sample->sample.stack) {
		sample->sample.stack = walk->stack;
		sample->sample.stack_size = walk->stack_size;
		sample->sample.stack_address = walk->stack_address;
	}
	sample->sample.frames = walk->frames;
	sample->sample.num_frames = walk->num_frames;
	sample->sample.walk_end = walk->end;
	sample->sample.gil = walk->gil;
	sample->sample.gil_holder = walk->gil_holder;
}
