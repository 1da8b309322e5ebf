// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// Runs in the kernel when a sample is taken, on the thread that was interrupted: it walks over the
// frames of Python and leaves them in the ring, right before the kernel leaves the sample there.

#include "source/bpf/walker_maps.h"

#include <linux/bpf.h>
// These want the types of the one before.
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>
#include <stddef.h>

// This wants all of them.
#include "source/bpf/walk_budget.h"

// A sample runs at_event(): walk_at_sample() looks up the process's layout (struct frame_walk, set
// by bpf_walker.c), finds the thread state of the current thread, follows the frames, and writes
// the result into the core's ring (python_walker_give()), right before the kernel writes the
// sample. Everything read is user memory of the interrupted thread (bpf_probe_read_user()), which
// may not fault: a page that is missing ends the walk.
//
// The thread state is found by the thread's id, which is pthread_self() and so, but for a distance
// on AArch64, the TLS base. search_step() goes through the lists of interpreters and thread states;
// the result is cached by process, generation of the layout and TLS base, and so is "not a Python
// thread", for a short time. Of several states with the id (subinterpreters),
// python_walker_choose() takes the one that runs.
//
// The verifier of the kernel follows every path: loops are callbacks of bpf_loop(), offsets into
// buffers are masked, and the working memory is in a map (scratches) and not on the stack of 512
// bytes. A thread may spend a tenth of its CPU time on walks (walk_budget.h); beyond that, walks
// are cut short.
//
// On kernels with bpf_task_work_schedule_resume(), a walk that met a missing page is repeated by
// the thread itself before it returns to user code (walk_late()), where bpf_copy_from_user() may
// fetch the page. The thread has not gone on, so the frames are those of the sample. The result is
// in the map `lates`, where perf_round.c finds it by slot and number.

// The kernel lets only programs of its own licence use the helpers that read and give output.
char licence[] SEC("license") = "GPL";

enum {
	MAX_PROCESSES = 4096,
	MAX_THREADS = 16384,
	// Of lists in the memory of others, which may have no end.
	MAX_LIST_STEPS = 4096,
	MAX_FRAME_STEPS = 2 * FRAME_WALK_MAX_FRAMES,
	// A search that finds no state is not repeated for so long for each state that it looked
	// at, so that threads that are none of Python's cost little. A thread may begin to run
	// Python, and block, in far less than a millisecond: the sample of that must not be without
	// its frames.
	RETRY_NS_PER_STATE = 1000,
	MAX_RETRY_NS = 2000000,
	MAX_LATE_STEPS = 64, // pages that may be missing
	MAX_LATE_GENERATIONS = 4,
	FORKED_WITHOUT_EXEC = 0x40, // of a task's flags
	NO_SPACE = 28,
};

// Of the kernel's structs only what is used; the loader finds where it really is, and what this
// kernel has at all. What stands behind three underscores is no part of a name.
struct thread_struct {
	unsigned long fsbase;
} __attribute__((preserve_access_index));

struct thread_struct___aarch64 {
	struct {
		unsigned long tp_value;
	} uw;
} __attribute__((preserve_access_index));

typedef struct {
	int counter;
} atomic_t;

// Registers as the program had them when it called the kernel: the first argument. What stands
// behind three underscores is no part of a name.
struct pt_regs___x86 {
	unsigned long di;
} __attribute__((preserve_access_index));

struct pt_regs___aarch64 {
	unsigned long orig_x0;
} __attribute__((preserve_access_index));

struct signal_struct {
	atomic_t live;
} __attribute__((preserve_access_index));

struct bpf_map {
	int id;
};

struct upid {
	int nr;
} __attribute__((preserve_access_index));

struct pid {
	unsigned int level;
	struct upid numbers[1];
} __attribute__((preserve_access_index));

struct task_struct {
	int pid, tgid;
	unsigned int flags;
	struct signal_struct *signal;
	struct pid *thread_pid;
	struct thread_struct thread;
} __attribute__((preserve_access_index));

struct task_struct___aarch64 {
	struct thread_struct___aarch64 thread;
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

// What a walk works on is too large for the stack, or, on it, too much for the kernel, which
// follows each value of what is there when it checks the program: that took a quarter of a second.
// A core works on one sample at a time: the kernel sees to that. An array for each core would be
// the kernel's own, but its values may have no more than 32 KiB.
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); // one for each core: the loader knows how many
	__type(key, uint32_t);
	__type(value, struct walker_scratch);
} scratches SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, WALKER_NUM_COUNTERS);
	__type(key, uint32_t);
	__type(value, uint64_t);
} counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WALKER_NUM_LATES);
	__type(key, uint32_t);
	__type(value, struct walker_late);
} lates SEC(".maps");

// Threads in a late walk, and how many of them led to it. To fetch a page is a page fault, which
// may be sampled itself: without an end to this a late walk could lead to the next one for ever.
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4 * WALKER_NUM_LATES);
	__type(key, uint64_t);
	__type(value, uint32_t);
} late_threads SEC(".maps");

// An event of each core that writes into the ring of the core's samples; the loader says how many.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} rings SEC(".maps");

uint32_t num_lates;

struct walker {
	const struct frame_walk *walk;
	struct walker_scratch *scratch;
	bool is_cut_short; // because the thread has spent its budget
	uint64_t tls;
	// Where the TLS base may be that of the program before:
	uint64_t number;     // of the thread; else 0
	bool is_only_thread; // since its program began
};

static __always_inline uint64_t tls_of(const struct task_struct *task)
{
	const struct task_struct___aarch64 *aarch64 = (const void *)task;
	if (bpf_core_field_exists(aarch64->thread.uw.tp_value))
		return aarch64->thread.uw.tp_value;
	return task->thread.fsbase;
}

// What the thread itself knows for its number, in whatever container.
static __always_inline uint64_t own_number(struct task_struct *task)
{
	uint64_t pid = 0;
	uint32_t level = 0, number = 0;
	bpf_core_read(&pid, sizeof(pid), &task->thread_pid);
	bpf_core_read(&level, sizeof(level), &((struct pid *)pid)->level);
	const char *numbers = (const char *)pid + bpf_core_field_offset(struct pid, numbers);
	bpf_probe_read_kernel(&number, sizeof(number),
			      numbers + level * bpf_core_type_size(struct upid));
	return number;
}

// A child that runs the program of its parent has a TLS base since it was forked.
static __always_inline bool is_only_thread(const struct task_struct *task)
{
	return !(task->flags & FORKED_WITHOUT_EXEC) && task->signal->live.counter == 1;
}

static __always_inline bool python_walker_read(struct walker *walker, uint64_t address, void *ret,
					       uint32_t size)
{
	walker->scratch->num_reads++;
	if (!bpf_probe_read_user(ret, size, (const void *)address))
		return true;
	walker->scratch->missing = address;
	return false;
}

static __always_inline bool has_to_stop(const struct walker *walker)
{
	return walker->is_cut_short && walker->scratch->num_reads >= WALK_BUDGET_LEAST_READS;
}

static __always_inline bool python_walker_read_word(struct walker *walker, uint64_t address,
						    uint64_t *ret)
{
	return python_walker_read(walker, address, ret, sizeof(*ret));
}

static __always_inline bool innermost_frame(struct walker *walker, uint64_t state, uint64_t *ret)
{
	const struct frame_walk *walk = walker->walk;
	if (!python_walker_read_word(walker, state + walk->thread_frame, ret))
		return false;
	return !walk->cframe_frame ||
	       python_walker_read_word(walker, *ret + walk->cframe_frame - 1, ret);
}

static __always_inline bool is_active(struct walker *walker, uint64_t state)
{
	uint32_t status, offset = walker->walk->thread_active;
	return offset && python_walker_read(walker, state + offset, &status, sizeof(status)) &&
	       (status & FRAME_WALK_ACTIVE);
}

static __always_inline bool is_own(struct walker *walker, uint64_t state, uint64_t id)
{
	const struct frame_walk *walk = walker->walk;
	uint64_t number;
	if (walker->tls - id <= walk->thread_id_reach)
		return true;
	return walker->number && walk->thread_native_id &&
	       python_walker_read_word(walker, state + walk->thread_native_id, &number) &&
	       number == walker->number;
}

static __always_inline bool has_own_id(struct walker *walker, uint64_t state)
{
	uint64_t id;
	return python_walker_read_word(walker, state + walker->walk->thread_id, &id) &&
	       is_own(walker, state, id);
}

// A thread that starts another one has its own id in the new state for a while, which runs nothing.
static __always_inline bool note_match(struct walker *walker)
{
	struct walker_search *search = &walker->scratch->search;
	uint64_t frame = 0;
	if (!innermost_frame(walker, search->state, &frame) || !frame) {
		search->idle = search->state;
		return false;
	}
	if (search->running)
		search->other = search->state;
	else
		search->running = search->state;
	if (is_active(walker, search->state))
		search->active = search->state;
	return true;
}

static long search_step(uint32_t step, struct walker *walker)
{
	const struct frame_walk *walk = walker->walk;
	struct walker_search *search = &walker->scratch->search;
	if (has_to_stop(walker))
		return 1;
	if (!search->state) {
		uint64_t interpreter = search->interpreter;
		if (!interpreter)
			return 1;
		search->has_failed =
			!python_walker_read_word(walker, interpreter + walk->interpreter_threads,
						 &search->state) ||
			!python_walker_read_word(walker, interpreter + walk->interpreter_next,
						 &search->interpreter);
		return search->has_failed;
	}
	uint64_t thread_id, next;
	search->has_failed =
		!python_walker_read_word(walker, search->state + walk->thread_id, &thread_id) ||
		!python_walker_read_word(walker, search->state + walk->thread_next, &next);
	if (search->has_failed)
		return 1;
	search->only = search->num_states++ ? 0 : search->state;
	// An interpreter has no other state of the thread.
	search->state = is_own(walker, search->state, thread_id) && note_match(walker) ? 0 : next;
	return 0;
}

// Of several states that run code, which one it is in: the interpreter knows only while the thread
// has the GIL. Without it, that of the youngest interpreter: it was called by the others.
static __always_inline uint64_t python_walker_choose(struct walker *walker)
{
	const struct frame_walk *walk = walker->walk;
	const struct walker_search *search = &walker->scratch->search;
	uint64_t state = 0;
	if (search->other && walk->tls_slot &&
	    python_walker_read_word(walker, walker->tls + walk->tls_slot, &state) && state &&
	    has_own_id(walker, state))
		return state;
	if (!search->running && !search->idle && !search->has_failed && walker->is_only_thread)
		return search->only;
	return search->active ? search->active : search->running;
}

static __always_inline void python_walker_remember(const struct walker_thread_key *key,
						   uint64_t state, uint64_t retry_ns)
{
	struct walker_thread thread = {.state = state, .retry_ns = retry_ns};
	bpf_map_update_elem(&threads, key, &thread, BPF_ANY);
}

static __always_inline uint64_t retry_pause_ns(const struct walker_search *search)
{
	uint64_t pause_ns = search->num_states * RETRY_NS_PER_STATE;
	return pause_ns < MAX_RETRY_NS ? pause_ns : MAX_RETRY_NS;
}

static __always_inline uint64_t search_thread(struct walker *walker,
					      const struct walker_thread_key *key,
					      enum frame_walk_end *ret_end)
{
	struct walker_search *search = &walker->scratch->search;
	*search = (struct walker_search){0};
	search->has_failed =
		!python_walker_read_word(walker, walker->walk->interpreters, &search->interpreter);
	if (!search->has_failed)
		bpf_loop(MAX_LIST_STEPS, search_step, walker, 0);
	bool is_cut = !search->has_failed && (search->state || search->interpreter);
	uint64_t state = python_walker_choose(walker);
	*ret_end = FRAME_WALK_NONE;
	if (state)
		python_walker_remember(key, state, 0);
	else if (search->has_failed)
		*ret_end = FRAME_WALK_NO_MEMORY;
	else if (is_cut && walker->is_cut_short)
		*ret_end = FRAME_WALK_NO_TIME;
	else if (!search->idle)
		python_walker_remember(key, 0, bpf_ktime_get_ns() + retry_pause_ns(search));
	return state ? state : search->idle;
}

// That of the last sample, unless the thread may have gone into another interpreter; or 0.
static __always_inline uint64_t state_of_last_sample(struct walker *walker, uint64_t state)
{
	const struct frame_walk *walk = walker->walk;
	uint64_t first, second;
	if (!has_own_id(walker, state))
		return 0;
	if (is_active(walker, state) ||
	    !python_walker_read_word(walker, walk->interpreters, &first) ||
	    !python_walker_read_word(walker, first + walk->interpreter_next, &second) || !second)
		return state;
	return 0;
}

// The address of the thread's state; 0 and an end if there is none.
static __always_inline uint64_t python_walker_find_thread(struct walker *walker,
							  const struct walker_thread_key *key,
							  enum frame_walk_end *ret_end)
{
	const struct walker_thread *known = bpf_map_lookup_elem(&threads, key);
	if (known && !known->state && known->retry_ns > bpf_ktime_get_ns())
		return 0;
	uint64_t state = 0;
	if (known && known->state)
		state = state_of_last_sample(walker, known->state);
	return state ? state : search_thread(walker, key, ret_end);
}

static __always_inline uint64_t python_walker_word_of(const struct walker_scratch *scratch,
						      uint32_t offset)
{
	const uint8_t *frame = scratch->block + (scratch->place & (WALKER_BLOCK_BYTES - 1));
	return *(const uint64_t *)(frame + (offset & (WALKER_FRAME_ROOM - 1)));
}

// Reading costs by the call, not by the byte. Callers are often below their callees in the same
// page: since 3.11 in an array of frames, before that in a pool of objects. As soon as two frames
// were, all of the page below is read, which has no other pages than the frame itself.
static __always_inline bool python_walker_read_block(struct walker *walker, uint64_t address,
						     uint32_t size)
{
	struct walker_scratch *scratch = walker->scratch;
	uint64_t last = scratch->block_begin + scratch->place;
	bool is_near = (address ^ last) < WALKER_BLOCK_BYTES;
	uint32_t place = is_near ? address & (WALKER_BLOCK_BYTES - 1) : 0;
	scratch->place = place;
	scratch->block_begin = address - place;
	scratch->block_bytes = place + size;
	if (python_walker_read(walker, address - place, scratch->block, place + size))
		return true;
	scratch->missing = address;
	return false;
}

static __always_inline bool python_walker_read_frame(struct walker *walker, uint64_t address)
{
	struct walker_scratch *scratch = walker->scratch;
	uint32_t size = walker->walk->frame_size;
	if (size > FRAME_WALK_FRAME_BYTES)
		size = FRAME_WALK_FRAME_BYTES;
	uint64_t place = address - scratch->block_begin, bytes = scratch->block_bytes;
	if (place >= bytes || place + size > bytes)
		return python_walker_read_block(walker, address, size);
	scratch->place = place;
	return true;
}

static __always_inline uint32_t version_of(struct walker *walker, uint64_t code)
{
	struct walker_scratch *scratch = walker->scratch;
	uint32_t place = (code >> 4 ^ code >> 10) & (WALKER_NUM_VERSIONS - 1);
	struct walker_version *known = &scratch->versions[place];
	if (known->code == code && known->walk == scratch->walk)
		return known->version;
	uint32_t version = 0;
	python_walker_read(walker, code + walker->walk->code_version, &version, sizeof(version));
	*known = (struct walker_version){code, version, scratch->walk};
	return version;
}

static __always_inline struct interpreted_frame *python_walker_frame_of(
	struct walker_scratch *scratch, uint32_t place)
{
	return &scratch->frames[place & (FRAME_WALK_MAX_FRAMES - 1)];
}

// A shim stands where native code called the frame before it. The heap has one behind the last.
static __always_inline void fold_shim(struct walker_scratch *scratch, uint64_t address)
{
	uint32_t num = scratch->output.num_frames;
	if (!num)
		return;
	struct interpreted_frame *entry = python_walker_frame_of(scratch, num - 1);
	if (entry->flags & INTERPRETED_FRAME_IS_ENTRY)
		return;
	entry->flags = INTERPRETED_FRAME_IS_ENTRY;
	entry->stack = address;
}

static __always_inline void python_walker_enter(struct walker *walker,
						struct interpreted_frame *frame)
{
	frame->flags = INTERPRETED_FRAME_IS_ENTRY;
	uint64_t cframe = walker->scratch->cframe;
	frame->stack = cframe;
	if (cframe && !python_walker_read_word(walker, cframe + walker->walk->cframe_previous,
					       &walker->scratch->cframe))
		walker->scratch->cframe = 0;
}

static __always_inline void python_walker_add_frame(struct walker *walker,
						    struct interpreted_frame *frame)
{
	const struct frame_walk *walk = walker->walk;
	const struct walker_scratch *scratch = walker->scratch;
	uint64_t instruction = python_walker_word_of(scratch, walk->frame_instruction);
	bool is_index = walk->kind == FRAME_WALK_INDEX;
	frame->code = python_walker_word_of(scratch, walk->frame_code) & walk->code_mask;
	frame->instruction = is_index ? (uint64_t)(int32_t)instruction : instruction;
	frame->stack = 0;
	frame->version = walk->code_version ? version_of(walker, frame->code) : 0;
	frame->tlbc =
		walk->frame_tlbc ? (uint16_t)python_walker_word_of(scratch, walk->frame_tlbc) : 0;
	frame->flags = 0;
	if (is_index || (walk->kind == FRAME_WALK_ENTRY &&
			 (uint8_t)python_walker_word_of(scratch, walk->frame_mark)))
		python_walker_enter(walker, frame);
}

static long frame_step(uint32_t step, struct walker *walker)
{
	const struct frame_walk *walk = walker->walk;
	struct walker_scratch *scratch = walker->scratch;
	uint64_t address = scratch->next_frame;
	if (!address || has_to_stop(walker))
		return 1;
	if (!python_walker_read_frame(walker, address)) {
		scratch->output.end = FRAME_WALK_NO_MEMORY;
		return 1;
	}
	uint32_t num = scratch->output.num_frames;
	bool is_shim =
		walk->kind == FRAME_WALK_OWNER &&
		(uint8_t)python_walker_word_of(scratch, walk->frame_mark) >= walk->shim_owner;
	if (!is_shim && num >= FRAME_WALK_MAX_FRAMES)
		return 1;
	scratch->next_frame = python_walker_word_of(scratch, walk->frame_back);
	if (is_shim) {
		fold_shim(scratch, address);
		return 0;
	}
	python_walker_add_frame(walker, python_walker_frame_of(scratch, num));
	scratch->output.num_frames = num + 1;
	return 0;
}

// A C frame of 3.10 has its CFrame a moment longer than its frame of Python, or not yet, or no
// more: then all frames found that of another one. The last CFrame, which stands in no C frame,
// tells.
static long inner_step(uint32_t step, struct walker *walker)
{
	struct walker_scratch *scratch = walker->scratch;
	uint32_t num = scratch->output.num_frames;
	if (step + 1 >= num)
		return 1;
	python_walker_frame_of(scratch, num - 1 - step)->stack =
		python_walker_frame_of(scratch, num - 2 - step)->stack;
	return 0;
}

static long outer_step(uint32_t step, struct walker *walker)
{
	struct walker_scratch *scratch = walker->scratch;
	if (step + 1 >= scratch->output.num_frames)
		return 1;
	python_walker_frame_of(scratch, step)->stack =
		python_walker_frame_of(scratch, step + 1)->stack;
	return 0;
}

static __always_inline void align_cframes(struct walker *walker)
{
	struct walker_scratch *scratch = walker->scratch;
	uint32_t num = scratch->output.num_frames;
	uint64_t last = scratch->cframe, behind = 0;
	if (!num)
		return;
	if (!last) {
		bpf_loop(FRAME_WALK_MAX_FRAMES, inner_step, walker, 0);
		python_walker_frame_of(scratch, 0)->stack = 0;
	} else if (python_walker_read_word(walker, last + walker->walk->cframe_previous, &behind) &&
		   behind) {
		bpf_loop(FRAME_WALK_MAX_FRAMES, outer_step, walker, 0);
		python_walker_frame_of(scratch, num - 1)->stack = last;
	}
}

// Code that CPython's JIT made says only now and then where it is.
static __always_inline void python_walker_mark_compiled(struct walker *walker, uint64_t state)
{
	uint32_t offset = walker->walk->thread_compiled;
	uint64_t compiled;
	if (offset && python_walker_read_word(walker, state + offset, &compiled) && compiled)
		python_walker_frame_of(walker->scratch, 0)->flags |= INTERPRETED_FRAME_IS_COMPILED;
}

static __always_inline enum frame_walk_end python_walker_walk_frames(struct walker *walker,
								     uint64_t state)
{
	const struct frame_walk *walk = walker->walk;
	struct walker_scratch *scratch = walker->scratch;
	scratch->cframe = 0;
	scratch->walk++;
	scratch->block_bytes = 0;
	if (!innermost_frame(walker, state, &scratch->next_frame) ||
	    (walk->thread_cframe &&
	     !python_walker_read_word(walker, state + walk->thread_cframe, &scratch->cframe)))
		return FRAME_WALK_NO_MEMORY;
	scratch->output.end = FRAME_WALK_WHOLE;
	bpf_loop(walker->is_cut_short ? WALK_BUDGET_LEAST_FRAMES : MAX_FRAME_STEPS, frame_step,
		 walker, 0);
	python_walker_mark_compiled(walker, state);
	if (scratch->output.end != FRAME_WALK_WHOLE)
		return scratch->output.end;
	if (scratch->next_frame)
		return walker->is_cut_short ? FRAME_WALK_NO_TIME : FRAME_WALK_TOO_DEEP;
	if (walk->kind == FRAME_WALK_INDEX && walk->thread_cframe)
		align_cframes(walker);
	return scratch->output.num_frames ? FRAME_WALK_WHOLE : FRAME_WALK_NO_FRAMES;
}

static __always_inline void python_walker_count(uint32_t counter, uint64_t number)
{
	uint64_t *value = bpf_map_lookup_elem(&counters, &counter);
	if (value)
		*value += number;
}

static __always_inline void python_walker_charge(uint64_t *spent, uint64_t ns)
{
	*spent += ns;
	python_walker_count(WALKER_COUNTER_NS, ns);
}

static __always_inline void python_walker_give(void *context, struct walker_scratch *scratch)
{
	uint32_t num = scratch->output.num_frames;
	if (num > FRAME_WALK_MAX_FRAMES)
		num = FRAME_WALK_MAX_FRAMES;
	uint64_t size = sizeof(scratch->output) + num * sizeof(scratch->frames[0]);
	long status =
		bpf_perf_event_output(context, &rings, BPF_F_CURRENT_CPU, &scratch->output, size);
	if (status == -NO_SPACE)
		python_walker_count(WALKER_COUNTER_NO_ROOM, 1);
}

static __always_inline void python_walker_note_thread(struct walker *walker,
						      const struct walker_thread_key *key)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	bool is_late_tls = walker->walk->thread_id_reach != 0;
	walker->tls = key->tls;
	walker->number = is_late_tls ? own_number(task) : 0;
	walker->is_only_thread = is_late_tls && is_only_thread(task);
}

static __always_inline uint64_t first_argument(void)
{
	const void *regs = (const void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	const struct pt_regs___x86 *x86 = regs;
	const struct pt_regs___aarch64 *aarch64 = regs;
	uint64_t argument = 0;
	if (bpf_core_field_exists(x86->di))
		bpf_core_read(&argument, sizeof(argument), &x86->di);
	else if (bpf_core_field_exists(aarch64->orig_x0))
		bpf_core_read(&argument, sizeof(argument), &aarch64->orig_x0);
	return argument;
}

// A thread that sleeps until it gets the lock gave the kernel the address of a word within it.
static __always_inline enum gil_state gil_of(struct walker *walker, uint64_t state)
{
	const struct frame_walk *walk = walker->walk;
	uint64_t gil = walk->gil, holder;
	uint32_t is_locked;
	if (!walk->gil_holder)
		return GIL_UNKNOWN;
	if (!gil && (!python_walker_read_word(walker, state + walk->thread_interpreter, &gil) ||
		     !python_walker_read_word(walker, gil + walk->interpreter_gil, &gil)))
		return GIL_UNKNOWN;
	if (!python_walker_read_word(walker, gil + walk->gil_holder, &holder) ||
	    !python_walker_read(walker, gil + walk->gil_locked, &is_locked, sizeof(is_locked)))
		return GIL_UNKNOWN;
	if (is_locked == 1 && holder == state)
		return GIL_HELD;
	uint64_t distance = first_argument() - (gil + walk->gil_waiting_place);
	return distance < walk->gil_waiting_place_size ? GIL_WAITED : GIL_FREE;
}

// False: the thread is none of Python's, which is what a sample without a walk says.
static __always_inline bool walk_thread(struct walker *walker, const struct walker_thread_key *key)
{
	struct walker_scratch *scratch = walker->scratch;
	enum frame_walk_end end = FRAME_WALK_NONE;
	scratch->missing = 0;
	scratch->num_reads = 0;
	scratch->output.num_frames = 0;
	scratch->output.late_slot = UINT32_MAX;
	python_walker_note_thread(walker, key);
	uint64_t state = python_walker_find_thread(walker, key, &end);
	scratch->output.end = state ? python_walker_walk_frames(walker, state) : end;
	scratch->output.gil = state ? gil_of(walker, state) : GIL_UNKNOWN;
	return state || end != FRAME_WALK_NONE;
}

struct late_walker {
	struct walker walker;
	const struct walker_thread_key *key;
	uint64_t *spent;
};

// Each missing page is fetched, and the walk begun anew: the thread does not go on meanwhile.
static long late_step(uint32_t step, struct late_walker *late)
{
	struct walker_scratch *scratch = late->walker.scratch;
	uint64_t begin_ns = bpf_ktime_get_ns();
	walk_thread(&late->walker, late->key);
	python_walker_charge(late->spent, bpf_ktime_get_ns() - begin_ns);
	uint64_t missing = scratch->missing;
	uint8_t byte;
	if (!missing || bpf_copy_from_user(&byte, sizeof(byte), (const void *)missing))
		return 1;
	return bpf_copy_from_user(&byte, sizeof(byte),
				  (const void *)(missing + late->walker.walk->frame_size - 1)) !=
		       0 &&
	       step;
}

static int walk_late(struct bpf_map *map, void *slot, void *value)
{
	struct walker_late *late = value;
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &late->key.process);
	uint64_t *spent = walk_budget_spent((const void *)bpf_get_current_task_btf());
	if (!process || !spent)
		return 0;
	struct late_walker walker = {
		.walker = {.walk = &process->walk, .scratch = &late->scratch},
		.key = &late->key,
		.spent = spent,
	};
	uint32_t number = late->number;
	uint64_t thread = bpf_get_current_pid_tgid();
	if (bpf_map_update_elem(&late_threads, &thread, &late->generation, BPF_ANY))
		return 0;
	late->begun = number;
	barrier();
	bpf_loop(MAX_LATE_STEPS, late_step, &walker, 0);
	barrier();
	late->done = number;
	bpf_map_delete_elem(&late_threads, &thread);
	return 0;
}

typedef int (*task_work_callback)(struct bpf_map *map, void *key, void *value);

extern int bpf_task_work_schedule_resume_impl(struct task_struct *task, struct bpf_task_work *work,
					      void *map, task_work_callback callback,
					      void *unused) __ksym __weak;

// The thread walks over its own frames before it goes on with its program.
static __always_inline void walk_once_more(struct walker_scratch *scratch,
					   const struct walker_thread_key *key)
{
	uint64_t thread = bpf_get_current_pid_tgid();
	const uint32_t *parent = bpf_map_lookup_elem(&late_threads, &thread);
	uint32_t generation = parent ? *parent + 1 : 0;
	if (generation > MAX_LATE_GENERATIONS)
		return;
	uint32_t number = __sync_fetch_and_add(&num_lates, 1) + 1;
	uint32_t slot = number % WALKER_NUM_LATES;
	struct walker_late *late = bpf_map_lookup_elem(&lates, &slot);
	if (!late || bpf_task_work_schedule_resume_impl(bpf_get_current_task_btf(), &late->work,
							&lates, walk_late, NULL))
		return;
	late->key = *key;
	late->number = number;
	late->generation = generation;
	scratch->output.late_slot = slot;
	scratch->output.late_number = number;
}

static __always_inline void walk_at_sample(void *context, bool may_be_late)
{
	uint32_t process_id = bpf_get_current_pid_tgid() >> 32;
	uint32_t core = bpf_get_smp_processor_id();
	const struct walker_process *process = bpf_map_lookup_elem(&processes, &process_id);
	struct walker_scratch *scratch = bpf_map_lookup_elem(&scratches, &core);
	if (!process || !scratch)
		return;
	uint64_t begin_ns = bpf_ktime_get_ns();
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	uint64_t *spent = walk_budget_spent((const void *)task);
	if (!spent)
		return;
	struct walker_thread_key key = {
		.process = process_id,
		.generation = process->generation,
		.tls = tls_of(task),
	};
	struct walker walker = {
		.walk = &process->walk,
		.scratch = scratch,
		.is_cut_short = !walk_budget_is_left((const void *)task, spent),
	};
	if (walk_thread(&walker, &key)) {
		if (may_be_late && scratch->missing && !walker.is_cut_short)
			walk_once_more(scratch, &key);
		python_walker_give(context, scratch);
	}
	python_walker_charge(spent, bpf_ktime_get_ns() - begin_ns);
}

// What these return has the kernel go on with the sample.

SEC("perf_event")
int at_event(void *context)
{
	walk_at_sample(context, false);
	return 1;
}

SEC("tracepoint")
int at_tracepoint(void *context)
{
	walk_at_sample(context, false);
	return 1;
}

SEC("perf_event")
int at_event_late(void *context)
{
	walk_at_sample(context, true);
	return 1;
}

SEC("tracepoint")
int at_tracepoint_late(void *context)
{
	walk_at_sample(context, true);
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
	walk_budget_forget(task);
	if (!process)
		return 0;
	struct walker_thread_key key = {
		.process = process_id,
		.generation = process->generation,
		.tls = tls_of(task),
	};
	bpf_map_delete_elem(&threads, &key);
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&processes, &process_id);
	return 0;
}
