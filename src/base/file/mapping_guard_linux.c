// SPDX-License-Identifier: Apache-2.0

#include "base/file/mapping_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The handler of SIGBUS looks the address up in a list of guarded mappings and maps zeros over the
// rest of the mapping; the instruction then repeats. It runs at any time, in any thread, so that it
// uses no lock and no malloc(): blocks of the list are never freed, and an entry becomes valid by
// the store of its start. Any other SIGBUS gets the handler from before and happens again.

enum { BLOCK_SIZE = 256 };

struct guarded {
	_Atomic uintptr_t start; /* 0: nothing is here, or not yet */
	uintptr_t end;
	char *name;
};

struct block {
	struct guarded items[BLOCK_SIZE];
	struct block *_Atomic next;
};

// What the signal's handler sees; it may come at any time, so blocks are added and never freed.
static struct {
	struct block first;
	char *_Atomic lost;
	uintptr_t page_size;
	struct sigaction before;
} guard;

static struct guarded *mapping_guard_find(uintptr_t address)
{
	for (struct block *block = &guard.first; block; block = block->next)
		for (struct guarded *item = block->items; item < block->items + BLOCK_SIZE; item++)
			if (item->start && address >= item->start && address < item->end)
				return item;
	return NULL;
}

static void on_bus_error(int signal, siginfo_t *info, void *context)
{
	int errnum = errno;
	uintptr_t address = (uintptr_t)info->si_addr;
	// Positive codes are of the kernel; kill(2) and others send signals with codes up to 0, and
	// si_addr means nothing then (sigaction(2)).
	bool is_fault = info->si_code > 0;
	struct guarded *item = is_fault ? mapping_guard_find(address) : NULL;
	void *page = (void *)(address & ~(guard.page_size - 1));
	if (item &&
	    mmap(page, item->end - (uintptr_t)page, PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED) {
		char *none = NULL;
		atomic_compare_exchange_strong(&guard.lost, &none, item->name);
	} else {
		// Not ours: it happens again at once, as if there were no guard.
		sigaction(signal, &guard.before, NULL);
		if (!is_fault)
			raise(signal);
	}
	errno = errnum;
}

/** NULL: there is no memory. */
static struct guarded *find_free(void)
{
	struct block *block = &guard.first;
	for (;; block = block->next) {
		for (struct guarded *item = block->items; item < block->items + BLOCK_SIZE; item++)
			if (!item->start)
				return item;
		if (!block->next)
			block->next = calloc(1, sizeof(*block));
		if (!block->next)
			return NULL;
	}
}

bool mapping_guard_add(const void *data, size_t size, const char *name)
{
	char *copy = strdup(name);
	struct guarded *item = copy ? find_free() : NULL;
	if (!item) {
		free(copy);
		return false;
	}
	// Somebody else may have set a handler since the last time, as frameworks for tests do.
	struct sigaction now;
	if (sigaction(SIGBUS, NULL, &now) != 0 || now.sa_sigaction != on_bus_error) {
		guard.page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
		struct sigaction action = {.sa_sigaction = on_bus_error,
					   .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};
		sigaction(SIGBUS, &action, &guard.before);
	}
	item->name = copy;
	item->end = (uintptr_t)data + size;
	// Last, as it makes the entry valid.
	item->start = (uintptr_t)data;
	return true;
}

void mapping_guard_remove(const void *data)
{
	struct guarded *item = data ? mapping_guard_find((uintptr_t)data) : NULL;
	if (!item)
		return;
	item->start = 0;
	// The name of a file that was cut off is kept for the report.
	if (item->name != guard.lost)
		free(item->name);
	item->name = NULL;
}

const char *mapping_guard_lost(void)
{
	return guard.lost;
}
