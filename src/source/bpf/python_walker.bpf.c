// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// Runs in the kernel when a sample is taken, on the thread that was interrupted: it walks over the
// frames of Python and leaves them in the ring, right before the kernel leaves the sample there.

#include "source/bpf/python_walker.h"

#include <linux/bpf.h>
// These want the types of the one before.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>
#include <stddef.h>

// The kernel lets only programs of its own licence use the helpers that read and give output.
char licence[] SEC("license") = "GPL";

enum {
	MAX_PROCESSES = 4096,
	MAX_THREADS = 16384,
	// Of lists in the memory of others, which may have no end.
	MAX_LIST_STEPS = 4096,
	MAX_FRAME_STEPS = 2 * PYTHON_WALK_MAX_FRAMES,
	// Threads of a Python process that are none of Python's are asked so rarely.
	RETRY_NS = 10000000,
	NO_SPACE = 28,
};

// Of the kernel's structs only what is used; the loader finds where it really is.
struct thread_struct {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
} __attribute__((preserve_access_index));

struct task_struct {
	int pid, tgid;
	struct signal_struct *signal;
	struct thread_struct thread;
} __attribute__((preserve_access_index));

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_PROCESSES);
	__type(key, uint32_t);
	__type(value, struct walker_process);
} processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, MAX_THREADS);
	__type(key, struct walker_thread_key);
	__type(value, struct walker_thread);
} threads SEC(".maps");

// Too large for the stack. A core works on one sample at a time: the kernel sees to that.
struct scratch {
	uint32_t before; // so that frames are aligned
	struct walker_output output;
	struct python_frame frames[PYTHON_WALK_MAX_FRAMES];
	uint8_t frame[PYTHON_WALK_FRAME_BYTES + sizeof(uint64_t)];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct scratch);
} scratches SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALKER_NUM_COUNTERS);
	__type(key, uint32_t);
	__type(value, uint64_t);
} counters SEC(".maps");

// An event of each core that writes into the ring of the core's samples; the loader says how many.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} rings SEC(".maps");

static __always_inline bool read_word(uint64_t address, uint64_t *ret)
{
	return bpf_probe_read_user(ret, sizeof(*ret), (const void *)address) == 0;
}

static __always_inline bool read_half(uint64_t address, uint32_t *ret)
{
	return bpf_probe_read_user(ret, sizeof(*ret), (const void *)address) == 0;
}

static __always_inline bool innermost_frame(const struct python_walk *walk, uint64_t state,
					    uint64_t *ret)
{
	if (!read_word(state + walk->thread_frame, ret))
		return false;
	return !walk->cframe_frame || read_word(*ret + walk->cframe_frame - 1, ret);
}

static __always_inline bool is_active(const struct python_walk *walk, uint64_t state)
{
	uint32_t status;
	return walk->thread_active && read_half(state + walk->thread_active, &status) &&
	       (status & PYTHON_WALK_ACTIVE);
}

// The states of the thread among those of all threads, of all interpreters.
struct search {
	const struct python_walk *walk;
	uint64_t thread_id;
	uint64_t interpreter, state; // where it is
	uint64_t active, running, other, idle;
	bool has_failed;
};

// A thread that starts another one has its own id in the new state for a while, which runs nothing.
static __always_inline bool note_match(struct search *search)
{
	uint64_t frame = 0;
	if (!innermost_frame(search->walk, search->state, &frame) || !frame) {
		search->idle = search->state;
		return false;
	}
	search->other = search->running;
	search->running = search->state;
	if (is_active(search->walk, search->state))
		search->active = search->state;
	return true;
}

static long search_step(uint32_t step, struct search *search)
{
	const struct python_walk *walk = search->walk;
	if (!search->state) {
		uint64_t interpreter = search->interpreter;
		if (!interpreter)
			return 1;
		search->has_failed =
			!read_word(interpreter + walk->interpreter_threads, &search->state) ||
			!read_word(interpreter + walk->interpreter_next, &search->interpreter);
		return search->has_failed;
	}
	uint64_t thread_id, next;
	search->has_failed = !read_word(search->state + walk->thread_id, &thread_id) ||
			     !read_word(search->state + walk->thread_next, &next);
	if (search->has_failed)
		return 1;
	// An interpreter has no other state of the thread.
	search->state = thread_id == search->thread_id && note_match(search) ? 0 : next;
	return 0;
}

static __always_inline bool has_id(const struct python_walk *walk, uint64_t state, uint64_t wanted)
{
	uint64_t id;
	return read_word(state + walk->thread_id, &id) && id == wanted;
}

// Of several states, which one it is in: the interpreter knows only while the thread has the GIL.
static __always_inline uint64_t choose(const struct search *search, uint64_t tls)
{
	const struct python_walk *walk = search->walk;
	uint64_t state = 0;
	if (search->other && walk->tls_slot && read_word(tls + walk->tls_slot, &state) && state &&
	    has_id(walk, state, search->thread_id))
		return state;
	return search->active ? search->active : search->running;
}

static __always_inline void remember(const struct walker_thread_key *key, uint64_t state,
				     bool is_shared, uint64_t retry_ns)
{
	struct walker_thread thread = {
		.state = state, .retry_ns = retry_ns, .is_shared = is_shared};
	bpf_map_update_elem(&threads, key, &thread, BPF_ANY);
}

// The address of the thread's state; 0 and an end if there is none.
static __noinline uint64_t search_thread(const struct python_walk *walk,
					 const struct walker_thread_key *key, uint64_t known_state,
					 enum python_walk_end *ret_end)
{
	struct search search = {.walk = walk, .thread_id = key->tls + walk->thread_id_offset};
	search.has_failed = !read_word(walk->interpreters, &search.interpreter);
	if (!search.has_failed)
		bpf_loop(MAX_LIST_STEPS, search_step, &search, 0);
	uint64_t state = choose(&search, key->tls);
	// Without the GIL no state is active, and the last one that was is still right.
	if (state && known_state && !search.active)
		state = known_state;
	if (state)
		remember(key, state, search.other, 0);
	else if (!search.idle && !search.has_failed)
		remember(key, 0, false, bpf_ktime_get_ns() + RETRY_NS);
	*ret_end = search.has_failed ? PYTHON_WALK_NO_MEMORY : PYTHON_WALK_NO_PYTHON;
	return state ? state : search.idle;
}

static __always_inline uint64_t find_thread(const struct python_walk *walk,
					    const struct walker_thread_key *key,
					    enum python_walk_end *ret_end)
{
	const struct walker_thread *known = bpf_map_lookup_elem(&threads, key);
	if (!known)
		return search_thread(walk, key, 0, ret_end);
	uint64_t state = known->state;
	if (!state) {
		*ret_end = PYTHON_WALK_NO_PYTHON;
		return known->retry_ns > bpf_ktime_get_ns() ? 0
							    : search_thread(walk, key, 0, ret_end);
	}
	if (!has_id(walk, state, key->tls + walk->thread_id_offset))
		return search_thread(walk, key, 0, ret_end);
	if (known->is_shared && !is_active(walk, state))
		return search_thread(walk, key, state, ret_end);
	return state;
}

struct walker {
	const struct python_walk *walk;
	struct scratch *scratch;
	uint64_t frame;  // the next one
	uint64_t cframe; // of the next entry
	enum python_walk_end end;
};

static __always_inline uint64_t word_of(const uint8_t *frame, uint32_t offset)
{
	return *(const uint64_t *)(frame + (offset & (PYTHON_WALK_FRAME_BYTES - 1)));
}

static __always_inline struct python_frame *frame_of(struct scratch *scratch, uint32_t place)
{
	return &scratch->frames[place & (PYTHON_WALK_MAX_FRAMES - 1)];
}

// A shim stands where native code called the frame before it. The heap has one behind the last.
static __always_inline void fold_shim(struct scratch *scratch, uint64_t address)
{
	uint32_t num = scratch->output.num_frames;
	if (!num)
		return;
	struct python_frame *entry = frame_of(scratch, num - 1);
	if (entry->flags & PYTHON_FRAME_IS_ENTRY)
		return;
	entry->flags = PYTHON_FRAME_IS_ENTRY;
	entry->stack = address;
}

static __always_inline void enter(struct walker *walker, struct python_frame *frame)
{
	frame->flags = PYTHON_FRAME_IS_ENTRY;
	frame->stack = walker->cframe;
	if (walker->cframe &&
	    !read_word(walker->cframe + walker->walk->cframe_previous, &walker->cframe))
		walker->cframe = 0;
}

static __always_inline void add_frame(struct walker *walker, struct python_frame *frame)
{
	const struct python_walk *walk = walker->walk;
	const uint8_t *bytes = walker->scratch->frame;
	uint64_t instruction = word_of(bytes, walk->frame_instruction);
	bool is_index = walk->kind == PYTHON_WALK_INDEX;
	frame->code = word_of(bytes, walk->frame_code) & walk->code_mask;
	frame->instruction = is_index ? (uint64_t)(int32_t)instruction : instruction;
	frame->stack = 0;
	frame->version = 0;
	frame->tlbc = walk->frame_tlbc ? (uint16_t)word_of(bytes, walk->frame_tlbc) : 0;
	frame->flags = 0;
	if (walk->code_version)
		read_half(frame->code + walk->code_version, &frame->version);
	if (is_index ||
	    (walk->kind == PYTHON_WALK_ENTRY && (uint8_t)word_of(bytes, walk->frame_mark)))
		enter(walker, frame);
}

static long frame_step(uint32_t step, struct walker *walker)
{
	const struct python_walk *walk = walker->walk;
	struct scratch *scratch = walker->scratch;
	uint64_t address = walker->frame;
	if (!address)
		return 1;
	uint32_t size = walk->frame_size;
	if (size > PYTHON_WALK_FRAME_BYTES)
		size = PYTHON_WALK_FRAME_BYTES;
	if (bpf_probe_read_user(scratch->frame, size, (const void *)address)) {
		walker->end = PYTHON_WALK_NO_MEMORY;
		return 1;
	}
	uint32_t num = scratch->output.num_frames;
	bool is_shim = walk->kind == PYTHON_WALK_OWNER &&
		       (uint8_t)word_of(scratch->frame, walk->frame_mark) >= walk->shim_owner;
	if (!is_shim && num >= PYTHON_WALK_MAX_FRAMES)
		return 1;
	walker->frame = word_of(scratch->frame, walk->frame_back);
	if (is_shim) {
		fold_shim(scratch, address);
		return 0;
	}
	add_frame(walker, frame_of(scratch, num));
	scratch->output.num_frames = num + 1;
	return 0;
}

static __always_inline enum python_walk_end walk_frames(struct walker *walker, uint64_t state)
{
	const struct python_walk *walk = walker->walk;
	if (!innermost_frame(walk, state, &walker->frame) ||
	    (walk->thread_cframe && !read_word(state + walk->thread_cframe, &walker->cframe)))
		return PYTHON_WALK_NO_MEMORY;
	walker->end = PYTHON_WALK_WHOLE;
	bpf_loop(MAX_FRAME_STEPS, frame_step, walker, 0);
	if (walker->end != PYTHON_WALK_WHOLE)
		return walker->end;
	if (walker->frame)
		return PYTHON_WALK_TOO_DEEP;
	return walker->scratch->output.num_frames ? PYTHON_WALK_WHOLE : PYTHON_WALK_NO_FRAMES;
}

static __always_inline void count(uint32_t counter)
{
	uint64_t *value = bpf_map_lookup_elem(&counters, &counter);
	if (value)
		(*value)++;
}

static __always_inline void give(void *context, struct scratch *scratch)
{
	uint32_t num = scratch->output.num_frames;
	if (num > PYTHON_WALK_MAX_FRAMES)
		num = PYTHON_WALK_MAX_FRAMES;
	uint64_t size = sizeof(scratch->output) + num * sizeof(scratch->frames[0]);
	long status =
		bpf_perf_event_output(context, &rings, BPF_F_CURRENT_CPU, &scratch->output, size);
	if (status)
		count(status == -NO_SPACE ? WALKER_COUNTER_NO_ROOM : WALKER_COUNTER_NO_RING);
}

static __noinline void walk_thread(void *context)
{
	uint32_t process_id = bpf_get_current_pid_tgid() >> 32;
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &process_id);
	if (!process)
		return;
	uint32_t zero = 0;
	struct scratch *scratch = bpf_map_lookup_elem(&scratches, &zero);
	if (!scratch)
		return;
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct walker_thread_key key = {
		.process = process_id,
		.generation = process->generation,
		.tls = task->thread.fsbase,
	};
	enum python_walk_end end = PYTHON_WALK_NO_PYTHON;
	uint64_t state = key.tls ? find_thread(&process->walk, &key, &end) : 0;
	if (!state && end == PYTHON_WALK_NO_PYTHON)
		return; // which is what a sample without a walk says
	struct walker walker = {.walk = &process->walk, .scratch = scratch};
	scratch->output.num_frames = 0;
	scratch->output.end = state ? walk_frames(&walker, state) : end;
	give(context, scratch);
}

// What these return has the kernel go on with the sample.

SEC("perf_event")
int walk_at_event(void *context)
{
	walk_thread(context);
	return 1;
}

SEC("tracepoint")
int walk_at_tracepoint(void *context)
{
	walk_thread(context);
	return 1;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(follow_fork, struct task_struct *parent, struct task_struct *child)
{
	uint32_t parent_id = parent->tgid, child_id = child->tgid;
	if (parent_id == child_id)
		return 0;
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &parent_id);
	if (process)
		bpf_map_update_elem(&processes, &child_id, process, BPF_ANY);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(follow_exec, struct task_struct *task)
{
	uint32_t process_id = task->tgid;
	bpf_map_delete_elem(&processes, &process_id);
	return 0;
}

// The next thread may get the same place for its thread-local memory.
SEC("tp_btf/sched_process_exit")
int BPF_PROG(follow_exit, struct task_struct *task)
{
	uint32_t process_id = task->tgid;
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &process_id);
	if (!process)
		return 0;
	struct walker_thread_key key = {
		.process = process_id,
		.generation = process->generation,
		.tls = task->thread.fsbase,
	};
	bpf_map_delete_elem(&threads, &key);
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&processes, &process_id);
	return 0;
}
