// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_snapshot.h"

#include "base/byte_order.h"
#include "base/cleanup.h"

#include <string.h>

// Up to 3.10, frames are objects, linked by f_back. Since 3.11 they are pushed into chunks of
// memory (struct _PyStackChunk, Include/cpython/pystate.h), so that one read of the newest chunk
// has nearly the whole stack; only frames of generators and coroutines are elsewhere.
//
// python_snapshot_begin() reads the thread state, for the address of the chunk and the pointer to
// the innermost frame. python_snapshot_take() plans a list of reads (plan_look()) and runs it in
// one system call, which takes them in order: known frames and the window, then the pointer to the
// innermost frame, then window and known frames again. What is equal before and after was there
// when the pointer was read. python_snapshot_find() compares the two copies only of frames that the
// walk reaches, because what lies between them changes all the time.
//
// Frames that no read covered are read alone, remembered in `known`, and the caller repeats: the
// next look has them. After MAX_MISSES such rounds, which a deep stack of generators would need,
// python_snapshot_holds() reads the lone frames a second time and compares them instead. `known` is
// small and forgets unused frames, because each entry lengthens the look, in which the stack can
// change.

enum {
	WINDOW_BYTES = 64 << 10,
	MAX_KNOWN = 64,
	MAX_ALONE = 256,
	MAX_MISSES = 8,
	// A chunk is made for a function with more locals than fit: as large as that takes.
	MAX_CHUNK_BYTES = 16 << 20,
};

typedef uint8_t frame_bytes[PYTHON_WALK_FRAME_BYTES];

/** Memory of the process as it was, so that not every frame takes a call. */
struct window {
	uint64_t start;
	size_t size;
	uint8_t *bytes;
};

/** The thread state, and where its stack is. */
struct top {
	uint8_t thread[PYTHON_LAYOUT_THREAD_BYTES];
	uint64_t frame;      /* the innermost, 0 if there is none */
	uint64_t chunk, end; /* of the stack's memory that is used; 0: frames are objects */
};

/** A piece of the memory that frames are put into, one on another. */
struct chunk {
	uint64_t start, previous, size; /* start 0: none; size 0: not looked at yet */
};

/** Frames that are no part of the stack's memory. */
struct known_frames {
	uint64_t addresses[MAX_KNOWN], last_uses[MAX_KNOWN];
	size_t num, num_read; /* num_read: that the last look has */
	frame_bytes first[MAX_KNOWN], second[MAX_KNOWN];
};

/** Frames that were read after the look. */
struct alone_frames {
	uint64_t addresses[MAX_ALONE];
	size_t num;
	frame_bytes first[MAX_ALONE], second[MAX_ALONE];
};

struct python_snapshot {
	const struct python_runtime *runtime;
	uint32_t thread_bytes;
	uint64_t state;
	struct top top;
	struct window window;
	uint8_t *earlier;          /* the bytes of the window, read before */
	struct chunk chunk, older; /* where the window is, and the one before; or start 0 */
	struct known_frames known;
	struct alone_frames alone;
	frame_bytes spare;
	bool is_stale;       /* the stack may be elsewhere by now */
	bool has_changed;    /* a frame that both looks have */
	bool has_missed;     /* frames which the next look will have */
	unsigned num_misses; /* looks that had */
	uint64_t num_calls, num_begins;
};

void python_snapshot_destroy(struct python_snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->window.bytes);
	free(snapshot->earlier);
	free(snapshot);
}

struct error *python_snapshot_create(const struct python_runtime *runtime,
				     struct python_snapshot **ret)
{
	struct python_snapshot *snapshot = calloc(1, sizeof(*snapshot));
	if (!snapshot)
		return &error_no_memory;
	snapshot->runtime = runtime;
	snapshot->thread_bytes = python_layout_thread_bytes(&runtime->layout);
	snapshot->window.bytes = malloc(WINDOW_BYTES);
	snapshot->earlier = malloc(WINDOW_BYTES);
	if (!snapshot->window.bytes || !snapshot->earlier) {
		python_snapshot_destroy(snapshot);
		return &error_no_memory;
	}
	*ret = snapshot;
	return NULL;
}

uint64_t python_snapshot_num_calls(const struct python_snapshot *snapshot)
{
	return snapshot->num_calls;
}

bool python_snapshot_has_changed(const struct python_snapshot *snapshot)
{
	return snapshot->has_changed;
}

uint64_t python_snapshot_top(const struct python_snapshot *snapshot)
{
	return snapshot->top.frame;
}

static uint64_t python_snapshot_word_of(const uint8_t *bytes, uint32_t offset)
{
	return byte_order_load64(bytes + offset, false);
}

uint64_t python_snapshot_word(const struct python_snapshot *snapshot, uint32_t offset)
{
	return python_snapshot_word_of(snapshot->top.thread, offset);
}

bool python_snapshot_read(struct python_snapshot *snapshot, uint64_t address, void *bytes,
			  size_t size)
{
	snapshot->num_calls++;
	return process_memory_read(&snapshot->runtime->memory, address, bytes, size);
}

bool python_snapshot_read_parts(struct python_snapshot *snapshot,
				const struct process_memory_part *parts, size_t num)
{
	snapshot->num_calls++;
	return process_memory_read_parts(&snapshot->runtime->memory, parts, num);
}

static uint64_t pointer_to_frame(const struct python_snapshot *snapshot, const struct top *top)
{
	return python_snapshot_word_of(top->thread, snapshot->runtime->walk.thread_frame);
}

static void take_chunk(const struct python_snapshot *snapshot, struct top *top)
{
	uint32_t offset = snapshot->runtime->layout.thread_chunk;
	if (!offset)
		return;
	top->chunk = python_snapshot_word_of(top->thread, offset);
	top->end = python_snapshot_word_of(top->thread, offset + 8);
	if (top->end < top->chunk || top->end - top->chunk > MAX_CHUNK_BYTES)
		top->chunk = top->end = 0;
}

/** By reading the thread state. */
static bool find_top(struct python_snapshot *snapshot)
{
	const struct python_walk *walk = &snapshot->runtime->walk;
	struct top *top = &snapshot->top;
	*top = (struct top){0};
	if (!python_snapshot_read(snapshot, snapshot->state, top->thread, snapshot->thread_bytes))
		return false;
	take_chunk(snapshot, top);
	top->frame = pointer_to_frame(snapshot, top);
	snapshot->is_stale = false;
	return !walk->cframe_frame || !top->frame ||
	       python_snapshot_read(snapshot, top->frame + walk->cframe_frame - 1, &top->frame,
				    sizeof(top->frame));
}

bool python_snapshot_begin(struct python_snapshot *snapshot, uint64_t state)
{
	snapshot->state = state;
	snapshot->num_begins++;
	snapshot->num_misses = 0;
	return find_top(snapshot);
}

/** The part of a chunk below @end that the window has room for. */
static void place_window(struct window *window, uint64_t chunk, uint64_t end)
{
	uint64_t size = end - chunk;
	window->start = size > WINDOW_BYTES ? end - WINDOW_BYTES : chunk;
	window->size = (size_t)(end - window->start);
}

/** Offset of a frame in the window, or SIZE_MAX. */
static size_t offset_in_window(const struct window *window, uint64_t address, size_t size)
{
	uint64_t offset = address - window->start;
	if (address < window->start || offset > window->size || window->size - offset < size)
		return SIZE_MAX;
	return (size_t)offset;
}

static bool is_in_window(const struct python_snapshot *snapshot, uint64_t frame)
{
	return offset_in_window(&snapshot->window, frame, snapshot->runtime->walk.frame_size) !=
	       SIZE_MAX;
}

/** Do two looks at a frame say the same? The innermost one goes on, from one to the next. */
static bool is_same_frame(const struct python_snapshot *snapshot, uint64_t frame, const uint8_t *a,
			  const uint8_t *b)
{
	const struct python_walk *walk = &snapshot->runtime->walk;
	if (frame == snapshot->top.frame)
		return python_snapshot_word_of(a, walk->frame_code) ==
			       python_snapshot_word_of(b, walk->frame_code) &&
		       python_snapshot_word_of(a, walk->frame_back) ==
			       python_snapshot_word_of(b, walk->frame_back);
	return memcmp(a, b, walk->frame_size) == 0;
}

/** The stack may have grown since: what is left of its last page is there in any case. */
static uint64_t slightly_more(uint64_t end)
{
	enum { PAGE = 4096, SLACK = 512 };
	uint64_t left = (PAGE - end % PAGE) % PAGE;
	return end + (left < SLACK ? left : SLACK);
}

/** What is read at once, in this order. */
struct look {
	struct process_memory_part parts[2 * MAX_KNOWN + 3];
	size_t num_parts;
	uint64_t head; /* the pointer to the innermost frame */
};

static void python_snapshot_add_part(struct look *look, uint64_t address, void *bytes, size_t size)
{
	if (size)
		look->parts[look->num_parts++] = (struct process_memory_part){address, bytes, size};
}

static void python_snapshot_add_known(const struct python_snapshot *snapshot, struct look *look,
				      frame_bytes *into)
{
	for (size_t i = 0; i < snapshot->known.num; i++)
		python_snapshot_add_part(look, snapshot->known.addresses[i], into[i],
					 snapshot->runtime->walk.frame_size);
}

static uint64_t address_of_head(const struct python_snapshot *snapshot)
{
	const struct python_walk *walk = &snapshot->runtime->walk;
	return walk->cframe_frame
		       ? pointer_to_frame(snapshot, &snapshot->top) + walk->cframe_frame - 1
		       : snapshot->state + walk->thread_frame;
}

// Objects say themselves whether they run: one look is enough. Of other frames, those that are the
// same before and after the innermost one was asked for were there at that moment.
static void plan_look(struct python_snapshot *snapshot, struct look *look)
{
	struct window *window = &snapshot->window;
	bool is_twice = snapshot->runtime->walk.kind != PYTHON_WALK_INDEX;
	window->size = 0;
	if (snapshot->top.chunk)
		place_window(window, snapshot->top.chunk, slightly_more(snapshot->top.end));
	look->num_parts = 0;
	if (is_twice)
		python_snapshot_add_known(snapshot, look, snapshot->known.second);
	python_snapshot_add_part(look, window->start, snapshot->earlier, window->size);
	python_snapshot_add_part(look, address_of_head(snapshot), &look->head, sizeof(look->head));
	python_snapshot_add_part(look, window->start, window->bytes, is_twice ? window->size : 0);
	python_snapshot_add_known(snapshot, look, snapshot->known.first);
}

/** Every frame more takes time, in which the stack changes. */
static void forget_unused(struct python_snapshot *snapshot)
{
	enum { UNUSED = 4 };
	struct known_frames *known = &snapshot->known;
	size_t num = 0;
	for (size_t i = 0; i < known->num; i++) {
		if (snapshot->num_begins - known->last_uses[i] > UNUSED)
			continue;
		known->addresses[num] = known->addresses[i];
		known->last_uses[num++] = known->last_uses[i];
	}
	known->num = num;
}

// A known frame may be in memory that is gone, and so may the stack of a thread that ended.
static bool python_snapshot_forget(struct python_snapshot *snapshot)
{
	snapshot->known.num = 0;
	snapshot->is_stale = true;
	return false;
}

static void python_snapshot_reset(struct python_snapshot *snapshot)
{
	snapshot->chunk = snapshot->older = (struct chunk){0};
	snapshot->known.num_read = snapshot->alone.num = 0;
	snapshot->has_changed = snapshot->has_missed = false;
}

bool python_snapshot_take(struct python_snapshot *snapshot)
{
	const struct python_walk *walk = &snapshot->runtime->walk;
	struct look look;
	python_snapshot_reset(snapshot);
	if (snapshot->is_stale && !find_top(snapshot))
		return false;
	if (walk->cframe_frame && !pointer_to_frame(snapshot, &snapshot->top))
		return true; // it has no C frame that runs Python, either
	forget_unused(snapshot);
	plan_look(snapshot, &look);
	if (!python_snapshot_read_parts(snapshot, look.parts, look.num_parts))
		return python_snapshot_forget(snapshot);
	snapshot->known.num_read = snapshot->known.num;
	snapshot->chunk.start = snapshot->top.chunk;
	snapshot->top.frame = look.head;
	// Perhaps the stack has grown into another chunk.
	snapshot->is_stale = snapshot->top.chunk && !is_in_window(snapshot, look.head);
	return true;
}

static struct chunk read_chunk(struct python_snapshot *snapshot, uint64_t start)
{
	uint64_t words[2]; // the one before it, and its size
	struct chunk chunk = {0};
	if (start && python_snapshot_read(snapshot, start, words, sizeof(words)) &&
	    words[1] <= MAX_CHUNK_BYTES)
		chunk = (struct chunk){start, words[0], words[1]};
	return chunk;
}

static bool is_in_chunk(const struct chunk *chunk, uint64_t frame)
{
	return frame >= chunk->start && frame - chunk->start < chunk->size;
}

/** Frames go from one chunk to the one before it; those of generators are in none. */
static bool find_chunk(struct python_snapshot *snapshot, uint64_t frame)
{
	if (snapshot->chunk.start && !snapshot->chunk.size) {
		snapshot->chunk = read_chunk(snapshot, snapshot->chunk.start);
		snapshot->older = read_chunk(snapshot, snapshot->chunk.previous);
	}
	if (is_in_chunk(&snapshot->chunk, frame))
		return true;
	if (!is_in_chunk(&snapshot->older, frame))
		return false;
	snapshot->chunk = snapshot->older;
	snapshot->older = read_chunk(snapshot, snapshot->chunk.previous);
	return true;
}

/** Move the window to older frames, from this one on. */
static bool move_window(struct python_snapshot *snapshot, uint64_t frame)
{
	struct window *window = &snapshot->window;
	if (!find_chunk(snapshot, frame))
		return false;
	place_window(window, snapshot->chunk.start, frame + snapshot->runtime->walk.frame_size);
	if (!python_snapshot_read(snapshot, window->start, window->bytes, window->size)) {
		window->size = 0;
		return false;
	}
	// These were there all the time: there is one look at them only.
	memcpy(snapshot->earlier, window->bytes, window->size);
	return true;
}

/** The first look, if that was one of a frame that ran, or else if the second one is the same. */
static const uint8_t *take_if_same(struct python_snapshot *snapshot, uint64_t frame,
				   const uint8_t *first, const uint8_t *second)
{
	const struct python_layout *layout = &snapshot->runtime->layout;
	snapshot->has_changed = layout->kind == PYTHON_WALK_INDEX
					? first[layout->frame_mark] != layout->frame_running
					: !is_same_frame(snapshot, frame, first, second);
	return snapshot->has_changed ? NULL : first;
}

static const uint8_t *find_in_window(struct python_snapshot *snapshot, uint64_t frame)
{
	size_t offset =
		offset_in_window(&snapshot->window, frame, snapshot->runtime->walk.frame_size);
	return take_if_same(snapshot, frame, snapshot->earlier + offset,
			    snapshot->window.bytes + offset);
}

static size_t find_known(const struct python_snapshot *snapshot, uint64_t frame)
{
	for (size_t i = 0; i < snapshot->known.num_read; i++)
		if (snapshot->known.addresses[i] == frame)
			return i;
	return SIZE_MAX;
}

static const uint8_t *take_known(struct python_snapshot *snapshot, size_t index)
{
	struct known_frames *known = &snapshot->known;
	known->last_uses[index] = snapshot->num_begins;
	return take_if_same(snapshot, known->addresses[index], known->first[index],
			    known->second[index]);
}

/** In the place of the one that was not used for the longest time. */
static void python_snapshot_remember(struct python_snapshot *snapshot, uint64_t frame)
{
	struct known_frames *known = &snapshot->known;
	for (size_t i = 0; i < known->num; i++)
		if (known->addresses[i] == frame)
			return;
	size_t place = known->num;
	if (place == MAX_KNOWN) {
		place = 0;
		for (size_t i = 1; i < MAX_KNOWN; i++)
			if (known->last_uses[i] < known->last_uses[place])
				place = i;
		if (known->last_uses[place] == snapshot->num_begins)
			return; // all are of this stack
		// The copies are of the one that was there.
		known->num_read = place < known->num_read ? 0 : known->num_read;
	} else {
		known->num++;
	}
	known->addresses[place] = frame;
	known->last_uses[place] = snapshot->num_begins;
	snapshot->has_missed = true;
}

static const uint8_t *read_alone(struct python_snapshot *snapshot, uint64_t frame)
{
	struct alone_frames *alone = &snapshot->alone;
	uint8_t *bytes = alone->num < MAX_ALONE ? alone->first[alone->num] : snapshot->spare;
	if (!python_snapshot_read(snapshot, frame, bytes, snapshot->runtime->walk.frame_size))
		return NULL;
	if (alone->num < MAX_ALONE)
		alone->addresses[alone->num++] = frame;
	python_snapshot_remember(snapshot, frame);
	return take_if_same(snapshot, frame, bytes, bytes);
}

const uint8_t *python_snapshot_find(struct python_snapshot *snapshot, uint64_t frame)
{
	if (is_in_window(snapshot, frame))
		return find_in_window(snapshot, frame);
	size_t index = find_known(snapshot, frame);
	if (index != SIZE_MAX)
		return take_known(snapshot, index);
	if (move_window(snapshot, frame))
		return find_in_window(snapshot, frame);
	return read_alone(snapshot, frame);
}

bool python_snapshot_holds(struct python_snapshot *snapshot)
{
	struct alone_frames *alone = &snapshot->alone;
	struct process_memory_part parts[MAX_ALONE];
	// What is read later is not of the same moment: rather look again, at all of it.
	if (snapshot->has_missed && snapshot->num_misses++ < MAX_MISSES)
		return false;
	if (!alone->num || snapshot->runtime->layout.kind == PYTHON_WALK_INDEX)
		return true;
	for (size_t i = 0; i < alone->num; i++)
		parts[i] = (struct process_memory_part){alone->addresses[i], alone->second[i],
							snapshot->runtime->walk.frame_size};
	if (!python_snapshot_read_parts(snapshot, parts, alone->num))
		return false;
	for (size_t i = 0; i < alone->num; i++)
		if (!is_same_frame(snapshot, alone->addresses[i], alone->first[i],
				   alone->second[i]))
			return false;
	return true;
}
