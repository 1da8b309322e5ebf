// SPDX-License-Identifier: Apache-2.0

#include "base/file/mapping_guard.h"

#include <errno.h>
#include <pthread.h>
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
// the store of its start. Any other SIGBUS gets the handler from before and happens again. Threads
// that change the list lock each other out, and not the handler.

enum { BLOCK_SIZE = 256 };

struct guarded {
	_Atomic uintptr_t start; /* 0: nothing is here, or not yet */
	_Atomic uintptr_t end;
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
	bool is_installed;
	uintptr_t page_size;
	struct sigaction before;
	pthread_mutex_t lock; /* of changes to the list */
} guard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool guarded_has(const struct guarded *item, uintptr_t address)
{
	uintptr_t start = item->start, end = item->end;
	// Another thread may have put another mapping here between both: then the address, which is
	// that of a mapping in use, is not in it.
	return start && address >= start && address < end && item->start == start;
}

static struct guarded *mapping_guard_find(uintptr_t address)
{
	for (struct block *block = &guard.first; block; block = block->next)
		for (struct guarded *item = block->items; item < block->items + BLOCK_SIZE; item++)
			if (guarded_has(item, address))
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

/** Somebody else may have set a handler since the last time, as frameworks for tests do. */
static void take_signal(void)
{
	struct sigaction now;
	if (sigaction(SIGBUS, NULL, &now) == 0 && now.sa_sigaction == on_bus_error)
		return;
	struct sigaction action = {.sa_sigaction = on_bus_error,
				   .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};
	sigaction(SIGBUS, &action, &guard.before);
}

void mapping_guard_install(void)
{
	guard.page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	guard.is_installed = true;
}

bool mapping_guard_add(const void *data, size_t size, const char *name)
{
	if (!guard.is_installed)
		return false;
	char *copy = strdup(name);
	pthread_mutex_lock(&guard.lock);
	struct guarded *item = copy ? find_free() : NULL;
	if (item) {
		take_signal();
		item->name = copy;
		item->end = (uintptr_t)data + size;
		// Last, as it makes the entry valid.
		item->start = (uintptr_t)data;
	}
	pthread_mutex_unlock(&guard.lock);
	if (!item)
		free(copy);
	return item;
}

void mapping_guard_remove(const void *data)
{
	if (!data || !guard.is_installed)
		return;
	pthread_mutex_lock(&guard.lock);
	struct guarded *item = mapping_guard_find((uintptr_t)data);
	if (item) {
		item->start = 0;
		// The name of a file that was cut off is kept for the report.
		if (item->name != guard.lost)
			free(item->name);
		item->name = NULL;
	}
	pthread_mutex_unlock(&guard.lock);
}

void mapping_guard_drop_pages(void)
{
	pthread_mutex_lock(&guard.lock);
	for (struct block *block = &guard.first; block; block = block->next)
		for (struct guarded *item = block->items; item < block->items + BLOCK_SIZE; item++)
			if (item->start)
				madvise((void *)item->start, item->end - item->start,
					MADV_DONTNEED);
	pthread_mutex_unlock(&guard.lock);
}

const char *mapping_guard_lost(void)
{
	return guard.lost;
}
