// SPDX-License-Identifier: Apache-2.0

#include "python/python_stack.h"

#include "base/byte_order.h"
#include "base/cleanup.h"

#include <string.h>

enum {
	WINDOW_BYTES = 64 << 10,
	MAX_TRIES = 12,
	// A chunk is made for a function with more locals than fit: as large as that takes.
	MAX_CHUNK_BYTES = 16 << 20,
	MAX_SHIMS = 1 << 16, // one after the other: lists that run in circles end
};

/** Memory of the process as it was, so that not every frame takes a call. */
struct window {
	uint64_t start;
	size_t size;
	uint8_t *bytes;
};

/** The thread state, and what decides whether it is still the same stack. */
struct top {
	uint8_t thread[PYTHON_LAYOUT_THREAD_BYTES];
	uint64_t frame;      /* the innermost, 0 if there is none */
	uint64_t chunk, end; /* of the stack's memory that is used; 0: frames are objects */
};

/** A piece of the memory that frames are put into, one on another. */
struct chunk {
	uint64_t start, previous, size; /* start 0: none; size 0: not looked at yet */
};

/** A frame's bytes and where they were. */
struct seen_frame {
	uint64_t address;
	uint8_t bytes[PYTHON_WALK_FRAME_BYTES];
};

struct python_stack_reader {
	const struct python_runtime *runtime;
	uint32_t thread_bytes;
	struct window window;
	uint8_t *again;            /* the bytes of the window, read once more */
	struct chunk chunk, older; /* where the window is, and the one before; or start 0 */
	struct python_stack_counts counts;

	/** Frames that were read by themselves, and room to read them all again. */
	struct seen_frame *seen;
	uint8_t (*seen_again)[PYTHON_WALK_FRAME_BYTES];
	struct process_memory_part *parts;
	size_t num_seen;
};

/** A walk that goes on. */
struct walk {
	struct python_stack_reader *reader;
	struct python_frame *frames;
	size_t max, num;
	uint64_t cframe; /* of the innermost C frame that has none of our frames yet; 0: none */
};

void python_stack_reader_destroy(struct python_stack_reader *reader)
{
	if (!reader)
		return;
	free(reader->window.bytes);
	free(reader->again);
	free(reader->seen);
	free(reader->seen_again);
	free(reader->parts);
	free(reader);
}

struct error *python_stack_reader_create(const struct python_runtime *runtime,
					 struct python_stack_reader **ret)
{
	_cleanup_(python_stack_reader_destroyp) struct python_stack_reader *reader =
		calloc(1, sizeof(*reader));
	if (!reader)
		return &error_no_memory;
	reader->runtime = runtime;
	reader->thread_bytes = python_layout_thread_bytes(&runtime->layout);
	reader->window.bytes = malloc(WINDOW_BYTES);
	reader->again = malloc(WINDOW_BYTES);
	reader->seen = calloc(PYTHON_WALK_MAX_FRAMES, sizeof(*reader->seen));
	reader->seen_again = calloc(PYTHON_WALK_MAX_FRAMES, sizeof(*reader->seen_again));
	reader->parts = calloc(PYTHON_WALK_MAX_FRAMES + 1, sizeof(*reader->parts));
	if (!reader->window.bytes || !reader->again || !reader->seen || !reader->seen_again ||
	    !reader->parts)
		return &error_no_memory;
	*ret = take_ptr(reader);
	return NULL;
}

struct python_stack_counts python_stack_reader_counts(const struct python_stack_reader *reader)
{
	return reader->counts;
}

static bool read_bytes(struct python_stack_reader *reader, uint64_t address, void *bytes,
		       size_t size)
{
	reader->counts.num_calls++;
	return process_memory_read(&reader->runtime->memory, address, bytes, size);
}

static bool read_parts(struct python_stack_reader *reader, const struct process_memory_part *parts,
		       size_t num)
{
	reader->counts.num_calls++;
	return process_memory_read_parts(&reader->runtime->memory, parts, num);
}

static uint64_t word_of(const uint8_t *bytes, uint32_t offset)
{
	return byte_order_load64(bytes + offset, false);
}

static uint64_t pointer_to_frame(const struct python_stack_reader *reader, const struct top *top)
{
	return word_of(top->thread, reader->runtime->walk.thread_frame);
}

static void take_chunk(const struct python_stack_reader *reader, struct top *top)
{
	uint32_t offset = reader->runtime->layout.thread_chunk;
	if (!offset)
		return;
	top->chunk = word_of(top->thread, offset);
	top->end = word_of(top->thread, offset + 8);
	if (top->end < top->chunk || top->end - top->chunk > MAX_CHUNK_BYTES)
		top->chunk = top->end = 0;
}

static bool read_top(struct python_stack_reader *reader, uint64_t state, struct top *ret)
{
	const struct python_walk *walk = &reader->runtime->walk;
	*ret = (struct top){0};
	if (!read_bytes(reader, state, ret->thread, reader->thread_bytes))
		return false;
	take_chunk(reader, ret);
	ret->frame = pointer_to_frame(reader, ret);
	if (!walk->cframe_frame || !ret->frame)
		return true;
	return read_bytes(reader, ret->frame + walk->cframe_frame - 1, &ret->frame,
			  sizeof(ret->frame));
}

/** The part of a chunk below @end that the window has room for. */
static void place_window(struct window *window, uint64_t chunk, uint64_t end)
{
	uint64_t size = end - chunk;
	window->start = size > WINDOW_BYTES ? end - WINDOW_BYTES : chunk;
	window->size = (size_t)(end - window->start);
}

static const uint8_t *in_window(const struct window *window, uint64_t address, size_t size)
{
	if (address < window->start || address - window->start > window->size ||
	    window->size - (address - window->start) < size)
		return NULL;
	return window->bytes + (address - window->start);
}

/** Do two looks at a frame say the same? The innermost one goes on, from one to the next. */
static bool is_same_frame(const struct python_walk *walk, const uint8_t *a, const uint8_t *b,
			  bool is_innermost)
{
	if (is_innermost)
		return word_of(a, walk->frame_code) == word_of(b, walk->frame_code) &&
		       word_of(a, walk->frame_back) == word_of(b, walk->frame_back);
	return memcmp(a, b, walk->frame_size) == 0;
}

// The later of the two looks is walked: both have every frame of the window that is on the stack.
static bool is_same_window(const struct python_stack_reader *reader, const struct top *top)
{
	const struct python_walk *walk = &reader->runtime->walk;
	const struct window *window = &reader->window;
	uint64_t frame = top->frame;
	for (int i = 0; i < MAX_SHIMS; i++) {
		const uint8_t *bytes = in_window(window, frame, walk->frame_size);
		if (!bytes)
			return true;
		if (!is_same_frame(walk, bytes, reader->again + (frame - window->start),
				   frame == top->frame))
			return false;
		frame = word_of(bytes, walk->frame_back);
	}
	return true;
}

/** The stack may have grown since: what is left of its last page is there in any case. */
static uint64_t slightly_more(uint64_t end)
{
	enum { PAGE = 4096, SLACK = 512 };
	uint64_t left = (PAGE - end % PAGE) % PAGE;
	return end + (left < SLACK ? left : SLACK);
}

/**
 * The stack, the pointer to the innermost frame and the stack once more, in one call, if the stack
 * is still where @top was. What takes longest comes last, as it need not be of the same instant.
 */
static bool take_snapshot(struct python_stack_reader *reader, uint64_t state, struct top *top)
{
	const struct python_walk *walk = &reader->runtime->walk;
	struct window *window = &reader->window;
	struct top now = {0};
	uint64_t cframe = walk->cframe_frame ? pointer_to_frame(reader, top) : 0;
	uint64_t head = cframe ? cframe + walk->cframe_frame - 1 : state + walk->thread_frame;
	place_window(window, top->chunk, slightly_more(top->end));
	const struct process_memory_part parts[] = {
		{window->start, reader->again, window->size},
		{head, &now.frame, sizeof(now.frame)},
		{window->start, window->bytes, window->size},
		{state, now.thread, reader->thread_bytes},
	};
	if (!read_parts(reader, parts, sizeof(parts) / sizeof(*parts)))
		return false;
	take_chunk(reader, &now);
	bool is_same = now.chunk == top->chunk && now.end <= window->start + window->size &&
		       (!cframe || pointer_to_frame(reader, &now) == cframe);
	*top = now;
	return is_same && is_same_window(reader, top);
}

static struct chunk read_chunk(struct python_stack_reader *reader, uint64_t start)
{
	uint64_t words[2]; // the one before it, and its size
	struct chunk chunk = {0};
	if (start && read_bytes(reader, start, words, sizeof(words)) && words[1] <= MAX_CHUNK_BYTES)
		chunk = (struct chunk){start, words[0], words[1]};
	return chunk;
}

static bool is_in_chunk(const struct chunk *chunk, uint64_t frame)
{
	return frame >= chunk->start && frame - chunk->start < chunk->size;
}

/** Frames go from one chunk to the one before it; those of generators are in none. */
static bool find_chunk(struct python_stack_reader *reader, uint64_t frame)
{
	if (reader->chunk.start && !reader->chunk.size) {
		reader->chunk = read_chunk(reader, reader->chunk.start);
		reader->older = read_chunk(reader, reader->chunk.previous);
	}
	if (is_in_chunk(&reader->chunk, frame))
		return true;
	if (!is_in_chunk(&reader->older, frame))
		return false;
	reader->chunk = reader->older;
	reader->older = read_chunk(reader, reader->chunk.previous);
	return true;
}

/** Move the window to older frames, from this one on. */
static bool move_window(struct python_stack_reader *reader, uint64_t frame)
{
	if (!find_chunk(reader, frame))
		return false;
	place_window(&reader->window, reader->chunk.start,
		     frame + reader->runtime->walk.frame_size);
	if (read_bytes(reader, reader->window.start, reader->window.bytes, reader->window.size))
		return true;
	reader->window.size = 0;
	return false;
}

/** What is read here is read again in the end, see is_still_seen(). */
static const uint8_t *read_alone(struct python_stack_reader *reader, uint64_t frame,
				 uint8_t alone[PYTHON_WALK_FRAME_BYTES])
{
	uint32_t size = reader->runtime->walk.frame_size;
	if (!read_bytes(reader, frame, alone, size))
		return NULL;
	if (reader->num_seen < PYTHON_WALK_MAX_FRAMES) {
		struct seen_frame *seen = &reader->seen[reader->num_seen++];
		seen->address = frame;
		memcpy(seen->bytes, alone, size);
	}
	return alone;
}

static const uint8_t *find_frame(struct python_stack_reader *reader, uint64_t frame,
				 uint8_t alone[PYTHON_WALK_FRAME_BYTES])
{
	uint32_t size = reader->runtime->walk.frame_size;
	const uint8_t *bytes = in_window(&reader->window, frame, size);
	if (bytes)
		return bytes;
	if (move_window(reader, frame))
		return in_window(&reader->window, frame, size);
	return read_alone(reader, frame, alone);
}

/** All frames that were read one by one, at once: were they what they were, in the same order? */
static bool is_still_seen(struct python_stack_reader *reader, const struct top *top)
{
	const struct python_walk *walk = &reader->runtime->walk;
	if (!reader->num_seen)
		return true;
	for (size_t i = 0; i < reader->num_seen; i++)
		reader->parts[i] = (struct process_memory_part){
			reader->seen[i].address, reader->seen_again[i], walk->frame_size};
	if (!read_parts(reader, reader->parts, reader->num_seen))
		return false;
	for (size_t i = 0; i < reader->num_seen; i++)
		if (!is_same_frame(walk, reader->seen[i].bytes, reader->seen_again[i],
				   reader->seen[i].address == top->frame))
			return false;
	return true;
}

/** The C frame that runs an entry has a CFrame in 3.10 and 3.11; they are linked. */
static uint64_t next_cframe(struct walk *walk)
{
	uint64_t cframe = walk->cframe;
	if (cframe &&
	    !read_bytes(walk->reader, cframe + walk->reader->runtime->walk.cframe_previous,
			&walk->cframe, sizeof(walk->cframe)))
		walk->cframe = 0;
	return cframe;
}

static bool is_shim(const struct python_walk *walk, const uint8_t *bytes)
{
	return walk->kind == PYTHON_WALK_OWNER && bytes[walk->frame_mark] >= walk->shim_owner;
}

static void mark_entry(struct python_frame *frame, uint64_t stack)
{
	frame->flags |= PYTHON_FRAME_IS_ENTRY;
	frame->stack = stack;
}

/** Of a frame that is no shim. */
static void add_frame(struct walk *walk, const uint8_t *bytes)
{
	const struct python_walk *rules = &walk->reader->runtime->walk;
	uint64_t code = word_of(bytes, rules->frame_code) & rules->code_mask;
	struct python_frame *frame = &walk->frames[walk->num++];
	*frame = (struct python_frame){
		.code = code,
		.instruction = rules->kind == PYTHON_WALK_INDEX
				       ? byte_order_load32(bytes + rules->frame_instruction, false)
				       : word_of(bytes, rules->frame_instruction),
	};
	if (rules->frame_tlbc)
		frame->tlbc = byte_order_load16(bytes + rules->frame_tlbc, false);
	if (rules->kind == PYTHON_WALK_INDEX ||
	    (rules->kind == PYTHON_WALK_ENTRY && bytes[rules->frame_mark]))
		mark_entry(frame, next_cframe(walk));
}

static enum python_walk_end walk_frames(struct walk *walk, uint64_t frame)
{
	const struct python_walk *rules = &walk->reader->runtime->walk;
	int num_shims = 0;
	while (frame) {
		uint8_t alone[PYTHON_WALK_FRAME_BYTES];
		const uint8_t *bytes = find_frame(walk->reader, frame, alone);
		if (!bytes)
			return PYTHON_WALK_NO_MEMORY;
		uint64_t back = word_of(bytes, rules->frame_back);
		if (!is_shim(rules, bytes)) {
			if (walk->num == walk->max)
				return PYTHON_WALK_TOO_DEEP;
			add_frame(walk, bytes);
		} else if (num_shims++ == MAX_SHIMS) {
			return PYTHON_WALK_TORN;
		} else if (walk->num) {
			mark_entry(&walk->frames[walk->num - 1], frame);
		}
		frame = back;
	}
	return walk->num ? PYTHON_WALK_WHOLE : PYTHON_WALK_NO_FRAMES;
}

/** Of all frames at once; one by one if a code object is gone. */
static void add_versions(struct walk *walk)
{
	enum { BATCH = 128 };
	struct python_stack_reader *reader = walk->reader;
	uint32_t offset = reader->runtime->walk.code_version;
	for (size_t done = 0; offset && done < walk->num;) {
		struct process_memory_part parts[BATCH];
		size_t num = walk->num - done < BATCH ? walk->num - done : BATCH;
		for (size_t i = 0; i < num; i++) {
			struct python_frame *frame = &walk->frames[done + i];
			parts[i] = (struct process_memory_part){
				frame->code + offset, &frame->version, sizeof(frame->version)};
		}
		if (!read_parts(reader, parts, num))
			for (size_t i = 0; i < num; i++)
				read_parts(reader, &parts[i], 1);
		done += num;
	}
}

/** Look at the stack, all at once if that can be. False: something changed meanwhile. */
static bool look(struct python_stack_reader *reader, uint64_t state, struct top *top)
{
	reader->window.size = 0;
	reader->num_seen = 0;
	reader->chunk = reader->older = (struct chunk){0};
	if (!top->chunk)
		return read_top(reader, state, top);
	if (!take_snapshot(reader, state, top))
		return false;
	reader->chunk = (struct chunk){.start = top->chunk};
	return true;
}

static enum python_walk_end try_once(struct walk *walk, uint64_t state, struct top *top)
{
	walk->num = 0;
	if (!look(walk->reader, state, top))
		return PYTHON_WALK_TORN;
	uint32_t cframe = walk->reader->runtime->walk.thread_cframe;
	walk->cframe = cframe ? word_of(top->thread, cframe) : 0;
	enum python_walk_end end = walk_frames(walk, top->frame);
	if (end != PYTHON_WALK_NO_MEMORY && !is_still_seen(walk->reader, top))
		return PYTHON_WALK_TORN;
	return end;
}

enum python_walk_end python_stack_read(struct python_stack_reader *reader, uint64_t state,
				       struct python_frame *frames, size_t max, size_t *ret_num)
{
	struct walk walk = {.reader = reader, .frames = frames, .max = max};
	struct top top;
	*ret_num = 0;
	reader->counts.num_reads++;
	if (!read_top(reader, state, &top))
		return PYTHON_WALK_NO_MEMORY;
	enum python_walk_end end = PYTHON_WALK_TORN;
	for (int i = 0; i < MAX_TRIES; i++) {
		reader->counts.num_tries++;
		end = try_once(&walk, state, &top);
		// A frame that is not there was most likely one that ended.
		if (end != PYTHON_WALK_TORN && end != PYTHON_WALK_NO_MEMORY)
			break;
	}
	add_versions(&walk);
	*ret_num = walk.num;
	return end;
}
