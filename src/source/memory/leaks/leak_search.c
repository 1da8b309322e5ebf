// SPDX-License-Identifier: Apache-2.0

#include "source/memory/leaks/leak_search.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "base/os/clock.h"
#include "source/memory/leaks/heap_chunks.h"
#include "source/memory/leaks/held_process.h"
#include "source/memory/leaks/used_memory.h"
#include "source/memory/preload/live_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// As a garbage collector marks. All threads are stopped. The roots are the registers and all memory
// that the process can write, without the blocks: the chunks of glibc's heap (heap_chunks.h), of
// which a copy is made, and those sampled blocks that are elsewhere (mapped alone, or of another
// allocator). A word that is an address in a block makes it reached, and its words are looked at
// in turn. Where the heap is not made as we know it, its memory is a root, and so is that of other
// allocators: there a block is found only if no other one points to it, lost or not.
//
// Of the first thread's stack, what is below the stack pointer does not count.

enum {
	MOST_SECONDS = 10,
	MAIN_PIECE = 1 << 16, // words that are looked at at once
	RED_ZONE = 128,       // below the stack pointer, in use all the same (System V ABI)
	ARENA_BYTES = 64 << 20,
	LEAST_PAGE = 4096,
	NS_PER_S = 1000000000,
};

#define MOST_COPIED (UINT64_C(4) << 30)

struct leak_block {
	uint64_t start, end; // an address that is not in a heap
	uint64_t id;
	bool is_reached;
};

/** Of memory of the process, with one heap. */
struct leak_copy {
	void *bytes;
	size_t size;
};

/** Memory that is no root. */
struct leak_hole {
	uint64_t start, end;
};

struct leak_search {
	struct held_process held;
	struct used_memory used;
	struct live_table_slot *table;
	struct heap_chunks *heaps; /* by address */
	size_t num_heaps, cap_heaps;
	struct leak_copy *copies; /* of these */
	size_t num_copies, cap_copies;
	struct leak_block *blocks; // sampled ones that are not in a heap, by address
	size_t num_blocks, cap_blocks;
	struct leak_hole *holes; // by address
	size_t num_holes, cap_holes;
	uint64_t lowest, highest; // of heaps and blocks
	uint64_t *pending;        // reached, but not looked at: starts of blocks
	size_t num_pending, cap_pending;
	uint64_t *words; // a piece of the process's memory
	uint64_t num_copied, until_ns;
};

static void leak_search_deinit(struct leak_search *search)
{
	held_process_end(&search->held);
	for (size_t i = 0; i < search->num_heaps; i++)
		heap_chunks_destroy(&search->heaps[i]);
	for (size_t i = 0; i < search->num_copies; i++)
		munmap(search->copies[i].bytes, search->copies[i].size);
	used_memory_close(&search->used);
	free(search->table);
	free(search->heaps);
	free(search->copies);
	free(search->blocks);
	free(search->holes);
	free(search->pending);
	free(search->words);
}

static struct error *leak_search_check_time(const struct leak_search *search)
{
	if (clock_ns(CLOCK_MONOTONIC) < search->until_ns)
		return NULL;
	return error_create(ERROR_FAILED, "process %u has too much memory to be searched",
			    search->held.pid);
}

static struct error *leak_search_unreadable(const struct leak_search *search)
{
	return error_create(ERROR_FAILED, "cannot read all memory of process %u", search->held.pid);
}

/** The pages that were never touched stay zero. False: not all can be read. */
static struct error *leak_search_fill(struct leak_search *search, uint64_t start, uint64_t end,
				      uint8_t *copy, bool *ret_is_read)
{
	struct error *err = NULL;
	*ret_is_read = true;
	uint64_t to;
	for (uint64_t at = start; !err && *ret_is_read && at < end; at = to) {
		uint64_t begin = used_memory_next(&search->used, at, end, &to);
		*ret_is_read = begin == to ||
			       process_memory_read(&search->used.memory, begin,
						   copy + (begin - start), (size_t)(to - begin));
		err = leak_search_check_time(search);
	}
	return err;
}

/** @ret: its bytes are NULL if a copy cannot be made. */
static struct error *leak_search_copy(struct leak_search *search, uint64_t start, uint64_t end,
				      struct leak_copy *ret)
{
	size_t size = (size_t)(end - start);
	*ret = (struct leak_copy){.bytes = NULL};
	if (search->num_copied + size > MOST_COPIED)
		return NULL;
	void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (copy == MAP_FAILED)
		return NULL;
	bool is_read;
	struct error *err = leak_search_fill(search, start, end, copy, &is_read);
	if (err || !is_read)
		munmap(copy, size);
	else
		*ret = (struct leak_copy){copy, size};
	return err;
}

/** Do chunks begin here? @bytes: of a copy. */
static struct error *leak_search_try_heap(struct leak_search *search, uint64_t start, uint64_t end,
					  uint8_t *bytes, bool *ret_is_heap)
{
	*ret_is_heap = false;
	struct error *err =
		array_reserve(&search->heaps, &search->cap_heaps, search->num_heaps + 1);
	if (!err)
		err = heap_chunks_create(start, end, bytes, &search->heaps[search->num_heaps],
					 ret_is_heap);
	search->num_heaps += *ret_is_heap;
	return err;
}

/** One that has no heap is of no use: its memory is a root. */
static void leak_search_keep(struct leak_search *search, const struct leak_copy *copy, bool is_heap)
{
	if (!is_heap) {
		munmap(copy->bytes, copy->size);
		return;
	}
	search->copies[search->num_copies++] = *copy;
	search->num_copied += copy->size;
}

/** Chunks that begin at one of several places, up to the same end. @num_places: UNIT apart. */
static struct error *leak_search_add_heap(struct leak_search *search, uint64_t start,
					  size_t num_places, uint64_t end)
{
	enum { UNIT = 16, SIZE_WORD = 8, BEFORE_IS_USED = 1 };
	struct leak_copy copy;
	struct error *err =
		array_reserve(&search->copies, &search->cap_copies, search->num_copies + 1);
	if (!err)
		err = leak_search_copy(search, start, end, &copy);
	if (err || !copy.bytes)
		return err;
	bool is_heap = false;
	for (size_t i = 0; !err && !is_heap && i < num_places; i++) {
		uint8_t *bytes = (uint8_t *)copy.bytes + i * UNIT;
		uint64_t size;
		memcpy(&size, bytes + SIZE_WORD, sizeof(size));
		// Nothing is free before the first chunk; most wrong places are seen as such.
		if (size & BEFORE_IS_USED)
			err = leak_search_try_heap(search, start + i * UNIT, end, bytes, &is_heap);
	}
	leak_search_keep(search, &copy, is_heap);
	return err;
}

/** Of another thread than the first: malloc/arena.c of glibc, "struct heap_info". The chunks come
 * after it, and in the first heap of an arena after "struct malloc_state", whose size depends on
 * the version: the chunks end where the heap says only if they begin at the right place. */
static struct error *leak_search_add_arena(struct leak_search *search,
					   const struct used_range *range)
{
	enum { AR_PTR, PREV, SIZE, MPROTECT_SIZE, PAGESIZE, NUM_WORDS };
	enum { UNIT = 16, STATE_AT_LEAST = 0x700, STATE_AT_MOST = 0xa00, OLD_INFO = 32, INFO = 48 };
	uint64_t info[NUM_WORDS];
	if (!process_memory_read(&search->used.memory, range->start, info, sizeof(info)))
		return NULL;
	bool looks_right = info[SIZE] <= range->end - range->start && info[SIZE] % UNIT == 0 &&
			   info[SIZE] > INFO + STATE_AT_MOST + UNIT && info[AR_PTR] &&
			   info[MPROTECT_SIZE] >= info[SIZE] && info[MPROTECT_SIZE] <= ARENA_BYTES;
	if (!looks_right)
		return NULL;
	uint64_t in_arena = info[AR_PTR] - range->start;
	bool is_first = in_arena == OLD_INFO || in_arena == INFO;
	uint64_t least = is_first ? in_arena + STATE_AT_LEAST : OLD_INFO;
	uint64_t most = is_first ? in_arena + STATE_AT_MOST : INFO;
	return leak_search_add_heap(search, range->start + least,
				    (size_t)((most - least) / UNIT + 1), range->start + info[SIZE]);
}

static struct error *leak_search_find_heaps(struct leak_search *search)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < search->used.num_ranges; i++) {
		const struct used_range *range = &search->used.ranges[i];
		if (range->is_heap)
			err = leak_search_add_heap(search, range->start, 1, range->end);
		else if (range->is_anonymous && range->start % ARENA_BYTES == 0)
			err = leak_search_add_arena(search, range);
	}
	return err;
}

/** NULL: there is none. */
static struct heap_chunks *leak_search_heap(const struct leak_search *search, uint64_t address)
{
	size_t num = BISECT_U64(search->heaps, search->num_heaps, start, address);
	struct heap_chunks *heap = num ? &search->heaps[num - 1] : NULL;
	return heap && address < heap->end ? heap : NULL;
}

static struct error *leak_search_read_table(struct leak_search *search, uint64_t address)
{
	const size_t size = LIVE_TABLE_SLOTS * sizeof(*search->table);
	search->table = malloc(size);
	if (!search->table)
		return &error_no_memory;
	if (process_memory_read(&search->used.memory, address, search->table, size))
		return NULL;
	return leak_search_unreadable(search);
}

static int leak_search_compare(const void *first, const void *second)
{
	const uint64_t *one = first, *other = second;
	return (*one > *other) - (*one < *other);
}

/** Blocks that lie in each other (of an allocator that maps by the mmap() that we see) are left
 * out: their memory is a root. */
static void leak_search_drop_overlaps(struct leak_search *search)
{
	size_t num = 0;
	uint64_t end = 0;
	bool is_bad = false;
	for (size_t i = 0; i < search->num_blocks; i++) {
		const struct leak_block block = search->blocks[i];
		if (num > 0 && block.start < end) {
			num -= !is_bad;
			is_bad = true;
		} else {
			search->blocks[num++] = block;
			is_bad = false;
		}
		if (block.end > end)
			end = block.end;
	}
	search->num_blocks = num;
}

static struct error *leak_search_find_blocks(struct leak_search *search, uint64_t last_id)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < LIVE_TABLE_SLOTS; i++) {
		const struct live_table_slot *slot = &search->table[i];
		uint64_t start = live_table_slot_block(slot), size = slot->live.size;
		// What the process says of a block may be wrong: a piece of memory would be
		// searched that it does not have.
		if (!start || slot->live.id <= last_id || !size || size > UINT64_MAX - start ||
		    leak_search_heap(search, start) ||
		    !used_memory_covers(&search->used, start, start + size))
			continue;
		err = array_reserve(&search->blocks, &search->cap_blocks, search->num_blocks + 1);
		if (!err)
			search->blocks[search->num_blocks++] = (struct leak_block){
				.start = start,
				.end = start + size,
				.id = slot->live.id,
			};
	}
	if (!err && search->num_blocks)
		qsort(search->blocks, search->num_blocks, sizeof(*search->blocks),
		      leak_search_compare);
	leak_search_drop_overlaps(search);
	return err;
}

static struct error *leak_search_add_hole(struct leak_search *search, uint64_t start, uint64_t end)
{
	struct error *err =
		array_reserve(&search->holes, &search->cap_holes, search->num_holes + 1);
	if (!err)
		search->holes[search->num_holes++] = (struct leak_hole){start, end};
	return err;
}

static struct error *leak_search_find_holes(struct leak_search *search)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < search->num_heaps; i++)
		err = leak_search_add_hole(search, search->heaps[i].start, search->heaps[i].end);
	for (size_t i = 0; !err && i < search->num_blocks; i++)
		err = leak_search_add_hole(search, search->blocks[i].start, search->blocks[i].end);
	for (size_t i = 0; i < search->num_holes; i++) {
		const struct leak_hole *hole = &search->holes[i];
		search->lowest = hole->start < search->lowest ? hole->start : search->lowest;
		search->highest = hole->end > search->highest ? hole->end : search->highest;
	}
	uint64_t sp = search->held.main_sp;
	for (size_t i = 0; !err && sp && i < search->used.num_ranges; i++) {
		const struct used_range *range = &search->used.ranges[i];
		if (range->is_stack && sp > range->start + RED_ZONE && sp < range->end)
			err = leak_search_add_hole(search, range->start,
						   (sp - RED_ZONE) / sizeof(uint64_t) *
							   sizeof(uint64_t));
	}
	if (!err && search->num_holes)
		qsort(search->holes, search->num_holes, sizeof(*search->holes),
		      leak_search_compare);
	return err;
}

static struct error *leak_search_reach(struct leak_search *search, uint64_t block)
{
	struct error *err =
		array_reserve(&search->pending, &search->cap_pending, search->num_pending + 1);
	if (!err)
		search->pending[search->num_pending++] = block;
	return err;
}

/** NULL: there is none. */
static struct leak_block *leak_search_block(const struct leak_search *search, uint64_t address)
{
	size_t num = BISECT_U64(search->blocks, search->num_blocks, start, address);
	struct leak_block *block = num ? &search->blocks[num - 1] : NULL;
	return block && address < block->end ? block : NULL;
}

static struct error *leak_search_look_at(struct leak_search *search, uint64_t word)
{
	if (word < search->lowest || word >= search->highest)
		return NULL;
	struct heap_chunks *heap = leak_search_heap(search, word);
	if (heap) {
		uint64_t found = heap_chunks_find(heap, word);
		return found && !heap_chunks_reach(heap, found) ? leak_search_reach(search, found)
								: NULL;
	}
	struct leak_block *block = leak_search_block(search, word);
	if (!block || block->is_reached)
		return NULL;
	block->is_reached = true;
	return leak_search_reach(search, block->start);
}

static struct error *leak_search_look_at_all(struct leak_search *search, const uint64_t *words,
					     size_t num)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num; i++)
		err = leak_search_look_at(search, words[i]);
	return err;
}

/** Touched memory of the process; pointers are at multiples of their size. */
static struct error *leak_search_read(struct leak_search *search, uint64_t start, uint64_t end)
{
	const uint64_t step = sizeof(uint64_t);
	struct error *err = NULL;
	start = (start + step - 1) / step * step;
	end = end / step * step;
	while (!err && start < end) {
		uint64_t size = end - start < MAIN_PIECE * step ? end - start : MAIN_PIECE * step;
		// What no one can read has no pointers: memory of devices.
		size_t got = search->used.memory.read(search->used.memory.context, start,
						      search->words, (size_t)size);
		err = leak_search_look_at_all(search, search->words, got / sizeof(uint64_t));
		if (!err)
			err = leak_search_check_time(search);
		// Go on behind the page that cannot be read.
		start += got < size ? (start + got) / LEAST_PAGE * LEAST_PAGE + LEAST_PAGE - start
				    : size;
	}
	return err;
}

static struct error *leak_search_read_used(struct leak_search *search, uint64_t start, uint64_t end)
{
	struct error *err = NULL;
	uint64_t to;
	for (uint64_t at = start; !err && at < end; at = to) {
		uint64_t begin = used_memory_next(&search->used, at, end, &to);
		err = begin < to ? leak_search_read(search, begin, to)
				 : leak_search_check_time(search);
	}
	return err;
}

static struct error *leak_search_look_at_block(struct leak_search *search, uint64_t start)
{
	const struct heap_chunks *heap = leak_search_heap(search, start);
	if (!heap) {
		const struct leak_block *block = leak_search_block(search, start);
		return block ? leak_search_read_used(search, block->start, block->end) : NULL;
	}
	// Blocks of a heap are at multiples of 16.
	uint64_t end = heap_chunks_end(heap, start);
	const uint8_t *bytes = heap->bytes + (start - heap->start);
	return leak_search_look_at_all(search, (const uint64_t *)(const void *)bytes,
				       (size_t)(end - start) / sizeof(uint64_t));
}

static struct error *leak_search_follow(struct leak_search *search)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && search->num_pending; i++) {
		err = leak_search_look_at_block(search, search->pending[--search->num_pending]);
		if (!err && i % MAIN_PIECE == 0)
			err = leak_search_check_time(search);
	}
	return err;
}

/** All writable memory between the holes. */
static struct error *leak_search_look_at_roots(struct leak_search *search)
{
	struct error *err =
		leak_search_look_at_all(search, search->held.words, search->held.num_words);
	size_t hole = 0;
	for (size_t i = 0; !err && i < search->used.num_ranges; i++) {
		uint64_t at = search->used.ranges[i].start, end = search->used.ranges[i].end;
		while (!err && at < end) {
			while (hole < search->num_holes && search->holes[hole].end <= at)
				hole++;
			bool has_hole = hole < search->num_holes && search->holes[hole].start < end;
			uint64_t to = has_hole ? search->holes[hole].start : end;
			if (to > at)
				err = leak_search_read_used(search, at, to);
			at = has_hole ? search->holes[hole].end : end;
		}
	}
	return err;
}

static struct error *leak_search_add_leak(uint64_t id, uint64_t **ids, size_t *num, size_t *cap)
{
	struct error *err = array_reserve(ids, cap, *num + 1);
	if (!err)
		(*ids)[(*num)++] = id;
	return err;
}

/** Blocks of the table that were not reached. One that the heap has no block for is not one. */
static struct error *leak_search_collect(const struct leak_search *search, uint64_t last_id,
					 uint64_t **ret, size_t *ret_num)
{
	size_t cap = 0;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < search->num_blocks; i++)
		if (!search->blocks[i].is_reached)
			err = leak_search_add_leak(search->blocks[i].id, ret, ret_num, &cap);
	for (size_t i = 0; !err && i < LIVE_TABLE_SLOTS; i++) {
		const struct live_table_slot *slot = &search->table[i];
		uint64_t start = live_table_slot_block(slot);
		const struct heap_chunks *heap = start ? leak_search_heap(search, start) : NULL;
		if (heap && slot->live.id > last_id && heap_chunks_find(heap, start) == start &&
		    !heap_chunks_is_reached(heap, start))
			err = leak_search_add_leak(slot->live.id, ret, ret_num, &cap);
	}
	return err;
}

/** Before it is stopped. */
static struct error *leak_search_check_process(uint32_t pid, const struct shared_file *shared)
{
	_cleanup_(used_memory_close) struct used_memory used = USED_MEMORY_INIT;
	bool is_shared;
	struct error *err = used_memory_open(&used, pid, shared, &is_shared);
	if (err || is_shared)
		return err;
	return error_create(ERROR_FAILED,
			    "%u, which a program calls its number, is no process that shares "
			    "memory with wperf: programs of a container have other numbers",
			    pid);
}

struct error *leak_search_run(const struct leak_search_process *process, uint64_t **ret,
			      size_t *ret_num)
{
	struct leak_search search = {
		.used = USED_MEMORY_INIT,
		.lowest = UINT64_MAX,
		.until_ns = clock_ns(CLOCK_MONOTONIC) + (uint64_t)MOST_SECONDS * NS_PER_S,
		.words = malloc(MAIN_PIECE * sizeof(uint64_t)),
	};
	uint64_t *ids = NULL;
	size_t num = 0;
	struct shared_file shared;
	bool is_shared;
	struct error *err = search.words ? NULL : &error_no_memory;
	if (!err)
		err = shared_file_of(process->region, &shared);
	if (!err)
		err = leak_search_check_process(process->pid, &shared);
	if (!err)
		err = held_process_begin(&search.held, process->pid, search.until_ns,
					 process->late);
	// What it has mapped may have changed until it stood still.
	if (!err)
		err = used_memory_open(&search.used, process->pid, &shared, &is_shared);
	if (!err)
		err = leak_search_read_table(&search, process->table);
	if (!err)
		err = leak_search_find_heaps(&search);
	if (!err)
		err = leak_search_find_blocks(&search, process->last_id);
	if (!err)
		err = leak_search_find_holes(&search);
	if (!err)
		err = leak_search_look_at_roots(&search);
	if (!err)
		err = leak_search_follow(&search);
	if (!err)
		err = leak_search_collect(&search, process->last_id, &ids, &num);
	leak_search_deinit(&search);
	if (err) {
		free(ids);
		return err;
	}
	*ret = ids;
	*ret_num = num;
	return NULL;
}
