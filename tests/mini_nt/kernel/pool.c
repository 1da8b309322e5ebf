// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/kernel/pool.h"

#include "tests/mini_nt/kernel/thread.h"

// Pieces are whole pages, one behind the other, each with a page in front of it that says how long
// it is. The first that is long enough is given; neighbours that are free become one.

struct piece {
	size_t pages; // behind this one
	bool is_taken;
};

static unsigned num_taken;

static struct piece *first_piece(void)
{
	return (struct piece *)(LAYOUT_HIGH + LAYOUT_POOL);
}

static struct piece *piece_behind(struct piece *piece)
{
	return (struct piece *)((uint8_t *)piece + (piece->pages + 1) * PAGE_SIZE);
}

static bool is_in_pool(const struct piece *piece)
{
	return (uint64_t)piece < LAYOUT_HIGH + LAYOUT_POOL + LAYOUT_POOL_SIZE;
}

void pool_init(void)
{
	*first_piece() = (struct piece){LAYOUT_POOL_SIZE / PAGE_SIZE - 1, false};
	num_taken = 0;
}

static void join_free(struct piece *piece)
{
	for (struct piece *next = piece_behind(piece);
	     is_in_pool(next) && !next->is_taken && !piece->is_taken; next = piece_behind(piece))
		piece->pages += next->pages + 1;
}

void *pool_take(size_t size)
{
	size_t pages = (size + PAGE_SIZE - 1) / PAGE_SIZE;
	void *ret = NULL;
	KIRQL irql = thread_lock();
	for (struct piece *piece = first_piece(); !ret && is_in_pool(piece);
	     piece = piece_behind(piece)) {
		join_free(piece);
		if (piece->is_taken || piece->pages < pages)
			continue;
		size_t left = piece->pages - pages;
		piece->is_taken = true;
		if (left > 0) {
			piece->pages = pages;
			*piece_behind(piece) = (struct piece){left - 1, false};
		}
		num_taken++;
		ret = (uint8_t *)piece + PAGE_SIZE;
	}
	thread_unlock(irql);
	return ret;
}

void pool_give(void *memory)
{
	struct piece *piece = (struct piece *)((uint8_t *)memory - PAGE_SIZE);
	KIRQL irql = thread_lock();
	if (!piece->is_taken || piece->pages > LAYOUT_POOL_SIZE / PAGE_SIZE)
		cpu_fault("freed what is not taken", (uint64_t)memory);
	// Who uses it behind that finds no address in it.
	RtlFillMemory(memory, 64, 0xdd);
	piece->is_taken = false;
	num_taken--;
	thread_unlock(irql);
}

unsigned pool_num_taken(void)
{
	return num_taken;
}
