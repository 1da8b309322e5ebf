// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/real_allocator.h"

#include "source/memory/preload/live_table.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Each member begins as a function that searches all of them and calls the one that was found.
// dlsym() may itself allocate (its messages, by calloc), which ends up here again: such calls get
// memory from a small static array. This happens while the process has one thread.

enum { EARLY_BYTES = 1 << 16, EARLY_ALIGNMENT = 16 };

static struct {
	_Alignas(EARLY_ALIGNMENT) uint8_t bytes[EARLY_BYTES];
	size_t used;
	bool is_searching;
} early;

/** Where its library is; 0: not known. */
static struct {
	uintptr_t start, end;
} real_library;

bool real_allocator_has_code(const void *address)
{
	return (uintptr_t)address >= real_library.start && (uintptr_t)address < real_library.end;
}

/** @wanted: an address in it. */
static int real_library_find(struct dl_phdr_info *module, size_t size, void *wanted)
{
	uintptr_t start = UINTPTR_MAX, end = 0;
	for (unsigned i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &module->dlpi_phdr[i];
		uintptr_t at = module->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD)
			continue;
		start = at < start ? at : start;
		end = at + part->p_memsz > end ? at + part->p_memsz : end;
	}
	if ((uintptr_t)wanted < start || (uintptr_t)wanted >= end)
		return 0;
	real_library.start = start;
	real_library.end = end;
	return 1;
}

bool real_allocator_is_early(const void *block)
{
	return (uintptr_t)block - (uintptr_t)early.bytes < sizeof(early.bytes);
}

static void *early_take(size_t size)
{
	if (size > sizeof(early.bytes) - EARLY_ALIGNMENT - early.used)
		return NULL;
	void *block = early.bytes + early.used;
	live_table_watch(block);
	early.used += (size + EARLY_ALIGNMENT - 1) / EARLY_ALIGNMENT * EARLY_ALIGNMENT;
	return block;
}

static void *early_malloc(size_t size)
{
	if (early.is_searching)
		return early_take(size);
	real_allocator_find();
	return real_allocator.malloc(size);
}

static void *early_calloc(size_t num, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(num, size, &bytes))
		return NULL;
	if (early.is_searching)
		return early_take(bytes); // static memory is zero, and given out once
	real_allocator_find();
	return real_allocator.calloc(num, size);
}

static void *early_realloc(void *block, size_t size)
{
	if (early.is_searching)
		return block ? NULL : early_take(size);
	real_allocator_find();
	return real_allocator.realloc(block, size);
}

static void early_free(void *block)
{
	if (early.is_searching)
		return;
	real_allocator_find();
	real_allocator.free(block);
}

static void *early_memalign(size_t alignment, size_t size)
{
	real_allocator_find();
	return real_allocator.memalign(alignment, size);
}

static void *early_aligned_alloc(size_t alignment, size_t size)
{
	real_allocator_find();
	return real_allocator.aligned_alloc(alignment, size);
}

static int early_posix_memalign(void **ret, size_t alignment, size_t size)
{
	real_allocator_find();
	return real_allocator.posix_memalign(ret, alignment, size);
}

static void *early_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

static int early_munmap(void *address, size_t size)
{
	return (int)syscall(SYS_munmap, address, size);
}

struct real_allocator real_allocator = {
	.malloc = early_malloc,
	.calloc = early_calloc,
	.realloc = early_realloc,
	.free = early_free,
	.memalign = early_memalign,
	.aligned_alloc = early_aligned_alloc,
	.posix_memalign = early_posix_memalign,
	.mmap = early_mmap,
	.munmap = early_munmap,
};

#define MEMBER(name)                                         \
	{                                                    \
		offsetof(struct real_allocator, name), #name \
	}

static const struct {
	size_t member;
	const char *name;
} members[] = {
	MEMBER(calloc),   MEMBER(realloc),       MEMBER(free),
	MEMBER(memalign), MEMBER(aligned_alloc), MEMBER(posix_memalign),
	MEMBER(mmap),     MEMBER(munmap),        MEMBER(malloc),
};

void real_allocator_find(void)
{
	if (early.is_searching)
		return;
	early.is_searching = true;
	struct real_allocator found = real_allocator;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		// POSIX has pointers to functions in pointers to data (dlsym(3)), ISO C has not:
		// hence the copy.
		void *function = dlsym(RTLD_NEXT, members[i].name);
		if (function)
			memcpy((uint8_t *)&found + members[i].member, &function, sizeof(function));
	}
	real_allocator = found;
	void *address;
	memcpy(&address, &found.malloc, sizeof(address));
	dl_iterate_phdr(real_library_find, address);
	early.is_searching = false;
}
