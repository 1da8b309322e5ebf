/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_INTERPRETER_PYTHON_KERNEL_PYTHON_WALK_BPF_H
#define WPERF_INTERPRETER_PYTHON_KERNEL_PYTHON_WALK_BPF_H

/** The walk over the frames of a CPython thread, in the kernel: see
 * source/bpf/kernel/frame_walker.bpf.h, which is included before. python_walk_thread() is the walk,
 * struct python_walk what it knows. */

#include "interpreter/python/kernel/python_walk.h"

// The thread state is found by the thread's id, which is pthread_self() and so, but for a distance
// on AArch64, the TLS base. python_walk_search_step() goes through the lists of interpreters and
// thread states; the result is cached by process, generation of the layout and TLS base, and so is
// "not a Python thread", for a short time. Of several states with the id (subinterpreters),
// python_walk_choose() takes the one that runs. Then python_walk_frame_step() follows the frames.
//
// If asyncio's tasks are wanted, the walk ends at the coroutine of the one that runs, behind which
// python_walk_add_tasks() leaves the task, and then, task by task, what waits for it: its frames
// are those of suspended coroutines. python_task_stack.h says in which form.
//
// A code object may be freed before wperf has read it, as those of exec() in a loop, or with the
// process. At the first sample that meets it, python_walk_copy_step() copies its head, its names
// and the beginning of its line table into `copies`, where wperf looks if it comes too late. The
// cache of versions knows which objects have been copied: it is a core's, and outlives the walk.

enum {
	// Of lists in the memory of others, which may have no end.
	PYTHON_WALK_MAX_LIST_STEPS = 4096,
	PYTHON_WALK_MAX_FRAME_STEPS = 2 * FRAME_WALK_MAX_FRAMES,
	// A search that finds no state is not repeated for so long for each state that it looked
	// at, so that threads that are none of Python's cost little. A thread may begin to run
	// Python, and block, in far less than a millisecond: the sample of that must not be without
	// its frames.
	PYTHON_WALK_RETRY_NS_PER_STATE = 1000,
	PYTHON_WALK_MAX_RETRY_NS = 2000000,
	// Powers of two, so that offsets can be kept within them by a mask.
	PYTHON_WALK_FRAME_ROOM = 256,
	PYTHON_WALK_BLOCK_BYTES = 4096, // no more than a page
	PYTHON_WALK_NUM_VERSIONS = 64,
	// Frames whose code is copied, from the innermost: what is further out lives longer.
	PYTHON_WALK_MAX_COPIED_FRAMES = 64,
	// Of one walk, as each takes about a microsecond; the others are copied at the next one.
	PYTHON_WALK_MAX_COPIES = 32,
	// Of what waits for the task: lists in the memory of others, which may be rings.
	PYTHON_WALK_MAX_AWAITERS = 16,
	PYTHON_WALK_MAX_AWAIT_STEPS = 128, // frames, and two for each task
};
_Static_assert((int)PYTHON_WALK_FRAME_BYTES <= (int)PYTHON_WALK_FRAME_ROOM, "a frame has room");

// Of the search for a thread's state among those of all threads, of all interpreters.
struct python_walk_search {
	uint64_t interpreter, state; // where it is
	uint64_t num_states, only;   // only: the state, if there has been no other
	uint64_t active, running, other, idle;
	uint64_t has_failed;
};

// The version of a code object: most frames of a deep stack run code that was seen before.
struct python_walk_version {
	uint64_t code;
	uint32_t version;
	uint32_t walk;    // the number of the walk that read it
	uint64_t process; // for which it has been copied; 0: none
};

// The task that runs, and then what waits for it.
struct python_walk_task {
	uint64_t running, frame; // the frame: the outermost one of its coroutine
	uint64_t task, type;     // the one whose awaiter is next, and what each has for a type
	uint64_t object, coroutine_type; // object: a coroutine whose frame is next; 0: none
	uint32_t place;                  // of the frame behind it; 0: it was not met
	uint32_t num_awaiters;
	uint32_t first_frame; // of the awaiter
};

// What a walk works on: `own` of its scratch.
struct python_walk_scratch {
	uint64_t block_begin, block_bytes; // the address of what was read, and its size
	uint64_t next_frame;
	uint64_t cframe; // of the next entry
	uint32_t place;  // of the frame, in `block`
	uint32_t room;   // for frames
	uint32_t process;
	uint32_t num_new;    // code objects that may not have been copied
	uint32_t num_copied; // by this walk
	struct python_walk_task task;
	struct python_walk_search search;
	struct python_walk_version versions[PYTHON_WALK_NUM_VERSIONS];
	// Of frames; aligned.
	uint8_t block[PYTHON_WALK_BLOCK_BYTES + PYTHON_WALK_FRAME_ROOM + sizeof(uint64_t)]
		__attribute__((aligned(8)));
};
_Static_assert(sizeof(struct python_walk_scratch) <= WALKER_OWN_BYTES, "a scratch has room");
_Static_assert(sizeof(struct python_walk) <= WALKER_LAYOUT_BYTES, "a process has room");

static __always_inline const struct python_walk *python_walk_of(const struct walker *walker)
{
	return (const struct python_walk *)walker->process->layout;
}

static __always_inline struct python_walk_scratch *python_walk_scratch_of(
	const struct walker *walker)
{
	return (struct python_walk_scratch *)walker->scratch->own;
}

static __always_inline bool python_walk_innermost_frame(struct walker *walker, uint64_t state,
							uint64_t *ret)
{
	const struct python_walk *walk = python_walk_of(walker);
	if (!walker_read_word(walker, state + walk->thread_frame, ret))
		return false;
	return !walk->cframe_frame || walker_read_word(walker, *ret + walk->cframe_frame - 1, ret);
}

static __always_inline bool python_walk_is_active(struct walker *walker, uint64_t state)
{
	uint32_t status, offset = python_walk_of(walker)->thread_active;
	return offset && walker_read(walker, state + offset, &status, sizeof(status)) &&
	       (status & PYTHON_WALK_ACTIVE);
}

static __always_inline bool python_walk_is_own(struct walker *walker, uint64_t state, uint64_t id)
{
	const struct python_walk *walk = python_walk_of(walker);
	uint64_t number;
	if (walker->tls - id <= walk->thread_id_reach)
		return true;
	return walker->number && walk->thread_native_id &&
	       walker_read_word(walker, state + walk->thread_native_id, &number) &&
	       number == walker->number;
}

static __always_inline bool python_walk_has_own_id(struct walker *walker, uint64_t state)
{
	uint64_t id;
	return walker_read_word(walker, state + python_walk_of(walker)->thread_id, &id) &&
	       python_walk_is_own(walker, state, id);
}

// A thread that starts another one has its own id in the new state for a while, which runs nothing.
static __always_inline bool python_walk_note_match(struct walker *walker)
{
	struct python_walk_search *search = &python_walk_scratch_of(walker)->search;
	uint64_t frame = 0;
	if (!python_walk_innermost_frame(walker, search->state, &frame) || !frame) {
		search->idle = search->state;
		return false;
	}
	if (search->running)
		search->other = search->state;
	else
		search->running = search->state;
	if (python_walk_is_active(walker, search->state))
		search->active = search->state;
	return true;
}

static long python_walk_search_step(uint32_t step, struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct python_walk_search *search = &python_walk_scratch_of(walker)->search;
	if (walker_has_to_stop(walker))
		return 1;
	if (!search->state) {
		uint64_t interpreter = search->interpreter;
		if (!interpreter)
			return 1;
		search->has_failed =
			!walker_read_word(walker, interpreter + walk->interpreter_threads,
					  &search->state) ||
			!walker_read_word(walker, interpreter + walk->interpreter_next,
					  &search->interpreter);
		return search->has_failed;
	}
	uint64_t thread_id, next;
	search->has_failed =
		!walker_read_word(walker, search->state + walk->thread_id, &thread_id) ||
		!walker_read_word(walker, search->state + walk->thread_next, &next);
	if (search->has_failed)
		return 1;
	search->only = search->num_states++ ? 0 : search->state;
	// An interpreter has no other state of the thread.
	search->state = python_walk_is_own(walker, search->state, thread_id) &&
					python_walk_note_match(walker)
				? 0
				: next;
	return 0;
}

// Of several states that run code, which one it is in: the interpreter knows only while the thread
// has the GIL. Without it, that of the youngest interpreter: it was called by the others.
static __always_inline uint64_t python_walk_choose(struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	const struct python_walk_search *search = &python_walk_scratch_of(walker)->search;
	uint64_t state = 0;
	if (search->other && walk->tls_slot &&
	    walker_read_word(walker, walker->tls + walk->tls_slot, &state) && state &&
	    python_walk_has_own_id(walker, state))
		return state;
	if (!search->running && !search->idle && !search->has_failed && walker->is_only_thread)
		return search->only;
	return search->active ? search->active : search->running;
}

static __always_inline uint64_t python_walk_retry_pause_ns(const struct python_walk_search *search)
{
	uint64_t pause_ns = search->num_states * PYTHON_WALK_RETRY_NS_PER_STATE;
	return pause_ns < PYTHON_WALK_MAX_RETRY_NS ? pause_ns : PYTHON_WALK_MAX_RETRY_NS;
}

static __always_inline uint64_t python_walk_search_thread(struct walker *walker,
							  const struct walker_thread_key *key,
							  enum frame_walk_end *ret_end)
{
	struct python_walk_search *search = &python_walk_scratch_of(walker)->search;
	*search = (struct python_walk_search){0};
	search->has_failed = !walker_read_word(walker, python_walk_of(walker)->interpreters,
					       &search->interpreter);
	if (!search->has_failed)
		bpf_loop(PYTHON_WALK_MAX_LIST_STEPS, python_walk_search_step, walker, 0);
	bool is_cut = !search->has_failed && (search->state || search->interpreter);
	uint64_t state = python_walk_choose(walker);
	*ret_end = FRAME_WALK_NONE;
	if (state)
		walker_remember(key, state, 0);
	else if (search->has_failed)
		*ret_end = FRAME_WALK_NO_MEMORY;
	else if (is_cut && walker->is_cut_short)
		*ret_end = FRAME_WALK_NO_TIME;
	else if (!search->idle)
		walker_remember(key, 0, bpf_ktime_get_ns() + python_walk_retry_pause_ns(search));
	return state ? state : search->idle;
}

// That of the last sample, unless the thread may have gone into another interpreter; or 0.
static __always_inline uint64_t python_walk_state_of_last_sample(struct walker *walker,
								 uint64_t state)
{
	const struct python_walk *walk = python_walk_of(walker);
	uint64_t first, second;
	if (!python_walk_has_own_id(walker, state))
		return 0;
	if (python_walk_is_active(walker, state) ||
	    !walker_read_word(walker, walk->interpreters, &first) ||
	    !walker_read_word(walker, first + walk->interpreter_next, &second) || !second)
		return state;
	return 0;
}

// The address of the thread's state; 0 and an end if there is none.
static __always_inline uint64_t python_walk_find_thread(struct walker *walker,
							const struct walker_thread_key *key,
							enum frame_walk_end *ret_end)
{
	const struct walker_thread *known = bpf_map_lookup_elem(&threads, key);
	if (known && !known->state && known->retry_ns > bpf_ktime_get_ns())
		return 0;
	uint64_t state = 0;
	if (known && known->state)
		state = python_walk_state_of_last_sample(walker, known->state);
	return state ? state : python_walk_search_thread(walker, key, ret_end);
}

static __always_inline uint64_t python_walk_word_of(const struct python_walk_scratch *own,
						    uint32_t offset)
{
	const uint8_t *frame = own->block + (own->place & (PYTHON_WALK_BLOCK_BYTES - 1));
	return *(const uint64_t *)(frame + (offset & (PYTHON_WALK_FRAME_ROOM - 1)));
}

// Reading costs by the call, not by the byte. Callers are often below their callees in the same
// page: since 3.11 in an array of frames, before that in a pool of objects. As soon as two frames
// were, all of the page below is read, which has no other pages than the frame itself.
static __always_inline bool python_walk_read_block(struct walker *walker, uint64_t address,
						   uint32_t size)
{
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint64_t last = own->block_begin + own->place;
	bool is_near = (address ^ last) < PYTHON_WALK_BLOCK_BYTES;
	uint32_t place = is_near ? address & (PYTHON_WALK_BLOCK_BYTES - 1) : 0;
	own->place = place;
	own->block_begin = address - place;
	own->block_bytes = place + size;
	if (walker_read(walker, address - place, own->block, place + size))
		return true;
	walker->scratch->missing = address;
	walker->scratch->missing_bytes = size;
	return false;
}

static __always_inline bool python_walk_read_frame(struct walker *walker, uint64_t address)
{
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint32_t size = python_walk_of(walker)->frame_size;
	if (size > PYTHON_WALK_FRAME_BYTES)
		size = PYTHON_WALK_FRAME_BYTES;
	uint64_t place = address - own->block_begin, bytes = own->block_bytes;
	if (place >= bytes || place + size > bytes)
		return python_walk_read_block(walker, address, size);
	own->place = place;
	return true;
}

static __always_inline struct python_walk_version *python_walk_known_version(
	const struct walker *walker, uint64_t code)
{
	uint32_t place = (code >> 4 ^ code >> 10) & (PYTHON_WALK_NUM_VERSIONS - 1);
	return &python_walk_scratch_of(walker)->versions[place];
}

static __always_inline uint32_t python_walk_version_of(struct walker *walker, uint64_t code)
{
	struct walker_scratch *scratch = walker->scratch;
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	struct python_walk_version *known = python_walk_known_version(walker, code);
	if (known->code == code && known->walk == scratch->walk)
		return known->version;
	const struct python_walk *walk = python_walk_of(walker);
	uint32_t version = 0;
	if (!walk->code_head) {
		walker_read(walker, code + walk->code_version, &version, sizeof(version));
	} else {
		uint64_t head[PYTHON_WALK_HEAD_WORDS] = {};
		walker_read(walker, code + walk->code_head, head, sizeof(head));
		version = python_walk_mix_head(head);
	}
	bool is_copied =
		known->code == code && known->version == version && known->process == own->process;
	*known = (struct python_walk_version){code, version, scratch->walk,
					      is_copied ? own->process : 0};
	own->num_new += !is_copied;
	return version;
}

// A shim stands where native code called the frame before it. The heap has one behind the last.
static __always_inline void python_walk_fold_shim(struct walker_scratch *scratch, uint64_t address)
{
	uint32_t num = scratch->output.num_frames;
	if (!num)
		return;
	struct interpreted_frame *entry = walker_frame_of(scratch, num - 1);
	if (entry->flags & INTERPRETED_FRAME_IS_ENTRY)
		return;
	entry->flags = INTERPRETED_FRAME_IS_ENTRY;
	entry->stack = address;
}

static __always_inline void python_walk_enter(struct walker *walker,
					      struct interpreted_frame *frame)
{
	frame->flags = INTERPRETED_FRAME_IS_ENTRY;
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint64_t cframe = own->cframe;
	frame->stack = cframe;
	if (cframe && !walker_read_word(walker, cframe + python_walk_of(walker)->cframe_previous,
					&own->cframe))
		own->cframe = 0;
}

static __always_inline void python_walk_add_frame(struct walker *walker,
						  struct interpreted_frame *frame)
{
	const struct python_walk *walk = python_walk_of(walker);
	const struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint64_t instruction = python_walk_word_of(own, walk->frame_instruction);
	bool is_index = walk->kind == PYTHON_WALK_INDEX;
	frame->code = python_walk_word_of(own, walk->frame_code) & walk->code_mask;
	frame->instruction = is_index ? (uint64_t)(int32_t)instruction : instruction;
	frame->stack = 0;
	frame->version = walk->code_version || walk->code_head
				 ? python_walk_version_of(walker, frame->code)
				 : 0;
	frame->tlbc = walk->frame_tlbc ? (uint16_t)python_walk_word_of(own, walk->frame_tlbc) : 0;
	frame->flags = 0;
	if (is_index || (walk->kind == PYTHON_WALK_ENTRY &&
			 (uint8_t)python_walk_word_of(own, walk->frame_mark)))
		python_walk_enter(walker, frame);
}

// The walk ends behind the frame of the task that runs. Behind that is the shim of the C code that
// called it.
static __always_inline long python_walk_end_at_task(struct walker *walker, uint64_t address,
						    bool is_shim)
{
	if (is_shim)
		python_walk_fold_shim(walker->scratch, address);
	python_walk_scratch_of(walker)->next_frame = 0;
	return 1;
}

static long python_walk_frame_step(uint32_t step, struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct walker_scratch *scratch = walker->scratch;
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint64_t address = own->next_frame;
	if (!address || walker_has_to_stop(walker))
		return 1;
	if (!python_walk_read_frame(walker, address)) {
		scratch->output.end = FRAME_WALK_NO_MEMORY;
		return 1;
	}
	uint32_t num = scratch->output.num_frames;
	bool is_shim = walk->kind == PYTHON_WALK_OWNER &&
		       (uint8_t)python_walk_word_of(own, walk->frame_mark) >= walk->shim_owner;
	if (own->task.place)
		return python_walk_end_at_task(walker, address, is_shim);
	if (!is_shim && num >= own->room)
		return 1;
	own->next_frame = python_walk_word_of(own, walk->frame_back);
	if (is_shim) {
		python_walk_fold_shim(scratch, address);
		return 0;
	}
	python_walk_add_frame(walker, walker_frame_of(scratch, num));
	scratch->output.num_frames = num + 1;
	if (address == own->task.frame)
		own->task.place = num + 1;
	return 0;
}

// Tasks of a class that is not asyncio's have another form. Theirs are not met on the stack.
static __always_inline void python_walk_find_task(struct walker *walker, uint64_t state)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct python_walk_task *task = &python_walk_scratch_of(walker)->task;
	*task = (struct python_walk_task){0};
	if (!walk->thread_running_task ||
	    !walker_read_word(walker, state + walk->thread_running_task, &task->running) ||
	    !task->running ||
	    !walker_read_word(walker, task->running + walk->task_coroutine, &task->object) ||
	    !task->object)
		return;
	task->frame = task->object + walk->generator_frame;
}

// The first bytes of the name: it may be gone before wperf can read it.
static __always_inline uint32_t python_walk_read_name(struct walker *walker, uint64_t name)
{
	enum { PAGE_BYTES = 4096 };
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint32_t on_page = PAGE_BYTES - (name & (PAGE_BYTES - 1));
	own->block_bytes = 0; // frames stand there else
	walker->scratch->num_reads++;
	if (!bpf_probe_read_user(own->block, PYTHON_WALK_NAME_BYTES, (const void *)name))
		return PYTHON_WALK_NAME_BYTES;
	if (on_page < PYTHON_WALK_NAME_LEAST_BYTES || on_page >= PYTHON_WALK_NAME_BYTES ||
	    bpf_probe_read_user(own->block, on_page, (const void *)name))
		return 0;
	return on_page;
}

// @of: a frame of the task's coroutine. False: there is no room.
static __always_inline bool python_walk_add_task(struct walker *walker, uint64_t task, uint32_t of)
{
	struct walker_scratch *scratch = walker->scratch;
	const struct interpreted_frame *block =
		(const struct interpreted_frame *)python_walk_scratch_of(walker)->block;
	uint32_t num = scratch->output.num_frames;
	uint64_t name = 0;
	if (num + 1 + PYTHON_WALK_NAME_FRAMES > python_walk_scratch_of(walker)->room)
		return false;
	walker_read_word(walker, task + python_walk_of(walker)->task_name, &name);
	struct interpreted_frame *frame = walker_frame_of(scratch, num);
	*frame = *walker_frame_of(scratch, of);
	frame->instruction = name ? python_walk_read_name(walker, name) : 0;
	frame->stack = name;
	frame->flags = INTERPRETED_FRAME_IS_TASK;
	for (uint32_t i = 0; i < PYTHON_WALK_NAME_FRAMES; i++)
		*walker_frame_of(scratch, num + 1 + i) = block[i];
	scratch->output.num_frames = num + 1 + PYTHON_WALK_NAME_FRAMES;
	return true;
}

// False: none waits, or several do, which is no way outward.
static __always_inline bool python_walk_begin_awaiter(struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct python_walk_task *task = &python_walk_scratch_of(walker)->task;
	uint64_t awaiter, type;
	uint8_t is_set;
	if (task->num_awaiters++ >= PYTHON_WALK_MAX_AWAITERS ||
	    !walker_read(walker, task->task + walk->task_awaited_by_is_set, &is_set,
			 sizeof(is_set)) ||
	    is_set || !walker_read_word(walker, task->task + walk->task_awaited_by, &awaiter) ||
	    !awaiter || awaiter == task->running ||
	    !walker_read_word(walker, awaiter + walk->object_type, &type) || type != task->type ||
	    !walker_read_word(walker, awaiter + walk->task_coroutine, &task->object))
		return false;
	task->task = awaiter;
	task->first_frame = walker->scratch->output.num_frames;
	return task->object != 0;
}

// The coroutine that this one waits for. What is not one is the end: a future, or C code.
static __always_inline uint64_t python_walk_awaited(struct walker *walker, uint64_t coroutine)
{
	const struct python_walk *walk = python_walk_of(walker);
	uint64_t stack, object, type;
	int8_t state;
	if (!walker_read(walker, coroutine + walk->generator_state, &state, sizeof(state)) ||
	    state < walk->waits_from || state > walk->waits_to ||
	    !walker_read_word(walker, coroutine + walk->generator_frame + walk->frame_stack,
			      &stack) ||
	    !walker_read_word(walker, stack - walk->waited_for * sizeof(object), &object))
		return 0;
	object &= walk->code_mask;
	if (!walker_read_word(walker, object + walk->object_type, &type) ||
	    type != python_walk_scratch_of(walker)->task.coroutine_type)
		return 0;
	return object;
}

// Outermost first, as they wait for each other.
static long python_walk_await_step(uint32_t step, struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct walker_scratch *scratch = walker->scratch;
	struct python_walk_task *task = &python_walk_scratch_of(walker)->task;
	if (walker_has_to_stop(walker))
		return 1;
	if (!task->object)
		return !python_walk_begin_awaiter(walker);
	uint32_t num = scratch->output.num_frames;
	if (num >= python_walk_scratch_of(walker)->room ||
	    !python_walk_read_frame(walker, task->object + walk->generator_frame))
		return 1;
	python_walk_add_frame(walker, walker_frame_of(scratch, num));
	scratch->output.num_frames = num + 1;
	task->object = python_walk_awaited(walker, task->object);
	return !task->object && !python_walk_add_task(walker, task->task, task->first_frame);
}

static __always_inline void python_walk_add_tasks(struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct python_walk_task *task = &python_walk_scratch_of(walker)->task;
	if (!task->place || !python_walk_add_task(walker, task->running, task->place - 1) ||
	    !walker_read_word(walker, task->running + walk->object_type, &task->type) ||
	    !walker_read_word(walker, task->object + walk->object_type, &task->coroutine_type))
		return;
	task->task = task->running;
	task->object = 0;
	bpf_loop(PYTHON_WALK_MAX_AWAIT_STEPS, python_walk_await_step, walker, 0);
}

static __always_inline void python_walk_copy_pointed(struct walker *walker, uint32_t part,
						     uint64_t code, uint32_t offset)
{
	uint64_t address = 0;
	if (offset)
		bpf_probe_read_user(&address, sizeof(address), (const void *)(code + offset));
	walker_copy(&walker->scratch->copy.parts[part], address);
}

static __always_inline void python_walk_copy_code(struct walker *walker,
						  const struct object_copy_key *key)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct object_copy *copy = &walker->scratch->copy;
	walker_copy(&copy->parts[0], key->address);
	python_walk_copy_pointed(walker, 1, key->address, walk->code_name);
	python_walk_copy_pointed(walker, 2, key->address, walk->code_qualified_name);
	python_walk_copy_pointed(walker, 3, key->address, walk->code_file);
	python_walk_copy_pointed(walker, 4, key->address, walk->code_lines);
	uint64_t lines = copy->parts[4].address;
	for (uint32_t i = 5; i < OBJECT_COPY_MAX_PARTS; i++)
		walker_copy(&copy->parts[i], lines ? lines + (i - 4) * OBJECT_COPY_PART_BYTES : 0);
	bpf_map_update_elem(&copies, key, copy, BPF_ANY);
}

static long python_walk_copy_step(uint32_t step, struct walker *walker)
{
	struct walker_scratch *scratch = walker->scratch;
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	if (step >= scratch->output.num_frames || own->num_copied >= PYTHON_WALK_MAX_COPIES)
		return 1;
	const struct interpreted_frame *frame = walker_frame_of(scratch, step);
	struct python_walk_version *known = python_walk_known_version(walker, frame->code);
	const struct object_copy_key key = {
		.pid = own->process,
		.version = frame->version,
		.address = frame->code,
	};
	// Another object of the stack may have taken its place in the cache.
	bool is_known = known->code == key.address && known->version == key.version;
	if (is_known && known->process)
		return 0;
	if (is_known)
		known->process = own->process;
	if (!key.version || bpf_map_lookup_elem(&copies, &key))
		return 0;
	python_walk_copy_code(walker, &key);
	own->num_copied++;
	return 0;
}

static __always_inline void python_walk_copy_new(struct walker *walker)
{
	if (!python_walk_scratch_of(walker)->num_new || walker->is_cut_short)
		return;
	bpf_loop(PYTHON_WALK_MAX_COPIED_FRAMES, python_walk_copy_step, walker, 0);
}

// A C frame of 3.10 has its CFrame a moment longer than its frame of Python, or not yet, or no
// more: then all frames found that of another one. The last CFrame, which stands in no C frame,
// tells.
static long python_walk_inner_step(uint32_t step, struct walker *walker)
{
	struct walker_scratch *scratch = walker->scratch;
	uint32_t num = scratch->output.num_frames;
	if (step + 1 >= num)
		return 1;
	walker_frame_of(scratch, num - 1 - step)->stack =
		walker_frame_of(scratch, num - 2 - step)->stack;
	return 0;
}

static long python_walk_outer_step(uint32_t step, struct walker *walker)
{
	struct walker_scratch *scratch = walker->scratch;
	if (step + 1 >= scratch->output.num_frames)
		return 1;
	walker_frame_of(scratch, step)->stack = walker_frame_of(scratch, step + 1)->stack;
	return 0;
}

static __always_inline void python_walk_align_cframes(struct walker *walker)
{
	struct walker_scratch *scratch = walker->scratch;
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint32_t num = scratch->output.num_frames;
	uint64_t last = own->cframe, behind = 0;
	if (!num)
		return;
	if (!last) {
		bpf_loop(FRAME_WALK_MAX_FRAMES, python_walk_inner_step, walker, 0);
		walker_frame_of(scratch, 0)->stack = 0;
	} else if (walker_read_word(walker, last + python_walk_of(walker)->cframe_previous,
				    &behind) &&
		   behind) {
		bpf_loop(FRAME_WALK_MAX_FRAMES, python_walk_outer_step, walker, 0);
		walker_frame_of(scratch, num - 1)->stack = last;
	}
}

// Code that CPython's JIT made says only now and then where it is.
static __always_inline void python_walk_mark_compiled(struct walker *walker, uint64_t state)
{
	uint32_t offset = python_walk_of(walker)->thread_compiled;
	uint64_t compiled;
	if (offset && walker_read_word(walker, state + offset, &compiled) && compiled)
		walker_frame_of(walker->scratch, 0)->flags |= INTERPRETED_FRAME_IS_COMPILED;
}

static __always_inline enum frame_walk_end python_walk_follow(struct walker *walker, uint64_t state)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct walker_scratch *scratch = walker->scratch;
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	own->cframe = 0;
	own->block_bytes = 0;
	own->num_new = 0;
	own->num_copied = 0;
	if (!python_walk_innermost_frame(walker, state, &own->next_frame) ||
	    (walk->thread_cframe &&
	     !walker_read_word(walker, state + walk->thread_cframe, &own->cframe)))
		return FRAME_WALK_NO_MEMORY;
	scratch->output.end = FRAME_WALK_WHOLE;
	python_walk_find_task(walker, state);
	bpf_loop(walker->is_cut_short ? WALK_BUDGET_LEAST_FRAMES : PYTHON_WALK_MAX_FRAME_STEPS,
		 python_walk_frame_step, walker, 0);
	python_walk_copy_new(walker);
	python_walk_mark_compiled(walker, state);
	if (scratch->output.end != FRAME_WALK_WHOLE)
		return scratch->output.end;
	if (own->next_frame)
		return walker->is_cut_short ? FRAME_WALK_NO_TIME : FRAME_WALK_TOO_DEEP;
	python_walk_add_tasks(walker);
	if (walk->kind == PYTHON_WALK_INDEX && walk->thread_cframe)
		python_walk_align_cframes(walker);
	return scratch->output.num_frames ? FRAME_WALK_WHOLE : FRAME_WALK_NO_FRAMES;
}

static __always_inline void python_walk_note_thread(struct walker *walker,
						    const struct walker_thread_key *key)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	bool is_late_tls = python_walk_of(walker)->thread_id_reach != 0;
	python_walk_scratch_of(walker)->process = key->process;
	walker->tls = key->tls;
	walker->number = is_late_tls ? walker_thread_number(task) : 0;
	walker->is_only_thread = is_late_tls && walker_is_only_thread(task);
}

/** Of a thread that had the GIL last, and may have ended. 0: not known, as up to 3.10. */
static __always_inline uint32_t python_walk_native_id(struct walker *walker, uint64_t state)
{
	const struct python_walk *walk = python_walk_of(walker);
	uint64_t id;
	if (!state || !walk->thread_native_id ||
	    !walker_read_word(walker, state + walk->thread_native_id, &id))
		return 0;
	return (uint32_t)id;
}

static __always_inline enum gil_state python_walk_gil_of(struct walker *walker, uint64_t state)
{
	const struct python_walk *walk = python_walk_of(walker);
	uint64_t gil = walk->gil, holder;
	uint32_t is_locked;
	if (!walk->gil_holder)
		return GIL_UNKNOWN;
	if (!gil && (!walker_read_word(walker, state + walk->thread_interpreter, &gil) ||
		     !walker_read_word(walker, gil + walk->interpreter_gil, &gil)))
		return GIL_UNKNOWN;
	if (!walker_read_word(walker, gil + walk->gil_holder, &holder) ||
	    !walker_read(walker, gil + walk->gil_locked, &is_locked, sizeof(is_locked)))
		return GIL_UNKNOWN;
	if (is_locked == 1 && holder == state)
		return GIL_HELD;
	// A thread that sleeps until it gets the lock gave the kernel the address of a word in it.
	uint64_t distance = walker_first_argument() - (gil + walk->gil_waiting_place);
	if (distance >= walk->gil_waiting_place_size)
		return GIL_FREE;
	walker->scratch->output.gil_holder = python_walk_native_id(walker, holder);
	return GIL_WAITED;
}

// At the beginning of the function that raises exceptions, whose second argument is their type.
static __always_inline bool python_walk_is_at_raise(const struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	return walker->is_at_probe && walk->raise_address &&
	       walker_instruction() == walk->raise_address;
}

static __always_inline void python_walk_add_raise(struct walker *walker)
{
	const struct python_walk *walk = python_walk_of(walker);
	struct walker_scratch *scratch = walker->scratch;
	struct python_walk_scratch *own = python_walk_scratch_of(walker);
	uint32_t num = scratch->output.num_frames;
	uint64_t name = 0;
	const struct interpreted_frame *block = (const struct interpreted_frame *)own->block;
	own->block_bytes = 0;
	own->block[0] = 0;
	if (walker_read_word(walker, walker_second_argument() + walk->type_name, &name))
		bpf_probe_read_user_str(own->block,
					PYTHON_WALK_TYPE_NAME_FRAMES * sizeof(*block) + 1,
					(const void *)name);
	*walker_frame_of(scratch, num) =
		(struct interpreted_frame){.flags = INTERPRETED_FRAME_IS_RAISE};
	for (uint32_t i = 0; i < PYTHON_WALK_TYPE_NAME_FRAMES; i++)
		*walker_frame_of(scratch, num + 1 + i) = block[i];
	scratch->output.num_frames = num + 1 + PYTHON_WALK_TYPE_NAME_FRAMES;
}

// False: the thread is none of Python's, which is what a sample without a walk says.
static __always_inline bool python_walk_thread(struct walker *walker,
					       const struct walker_thread_key *key)
{
	struct walker_output *output = &walker->scratch->output;
	enum frame_walk_end end = FRAME_WALK_NONE;
	bool is_at_raise = python_walk_is_at_raise(walker);
	// An exception has its place even behind a stack that is too deep.
	python_walk_scratch_of(walker)->room =
		FRAME_WALK_MAX_FRAMES - (is_at_raise ? 1 + PYTHON_WALK_TYPE_NAME_FRAMES : 0);
	python_walk_note_thread(walker, key);
	uint64_t state = python_walk_find_thread(walker, key, &end);
	output->end = state ? python_walk_follow(walker, state) : end;
	output->gil = state ? python_walk_gil_of(walker, state) : GIL_UNKNOWN;
	if (state && is_at_raise)
		python_walk_add_raise(walker);
	return state || end != FRAME_WALK_NONE;
}

#endif
