// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/live_table.h"
#include "source/memory/preload/real_allocator.h"
#include "source/memory/preload/sampled_thread.h"
#include "source/memory/preload/sampler.h"
#include "source/memory/preload/slow_entry.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The functions of malloc(3), posix_memalign(3), reallocarray(3) and mmap(2), in the place of
// libc's. Each has a fast path, which ends with the call of the real function, and a slow one,
// which makes the allocation and may take a sample. Where the real function has to come first (it
// decides the size, or takes many arguments), the slow one gets its result.
//
// A block that grows by realloc() counts with its whole new size, as with other profilers: this is
// what had to be found, and often copied. Its old block is freed, as far as we are concerned, even
// if there is no memory for the new one.

#define EXPORTED __attribute__((visibility("default")))

/** A caller, as SLOW_ENTRY gives it. */
#define CALLER uint64_t sp, uint64_t ip, uint64_t frame

enum { LEAST_MAPPING = 1 << 16 }; // smaller ones are parts of an allocator's own bookkeeping

EXPORTED void *malloc(size_t size);
EXPORTED void *calloc(size_t num, size_t size);
EXPORTED void *realloc(void *old, size_t size);
EXPORTED void *reallocarray(void *old, size_t num, size_t size);
EXPORTED void free(void *block);
EXPORTED void *memalign(size_t alignment, size_t size);
EXPORTED void *aligned_alloc(size_t alignment, size_t size);
EXPORTED int posix_memalign(void **ret, size_t alignment, size_t size);
EXPORTED void *valloc(size_t size);
EXPORTED void *pvalloc(size_t size);
EXPORTED void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
EXPORTED int munmap(void *address, size_t size);
EXPORTED void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset);

void *malloc_sampled(size_t size, size_t none, size_t nothing, CALLER);
void *malloc_slow(size_t size, size_t none, size_t nothing);
SLOW_ENTRY(malloc_slow, malloc_sampled);
void *malloc_sampled(size_t size, size_t none, size_t nothing, CALLER)
{
	uint64_t left = sampled_thread_pause();
	void *block = real_allocator.malloc(size);
	sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame});
	return block;
}

void *malloc(size_t size)
{
	if (sampled_thread_is_due(size))
		return malloc_slow(size, 0, 0);
	return real_allocator.malloc(size);
}

void *calloc_sampled(size_t num, size_t size, size_t none, CALLER);
void *calloc_slow(size_t num, size_t size, size_t none);
SLOW_ENTRY(calloc_slow, calloc_sampled);
void *calloc_sampled(size_t num, size_t size, size_t none, CALLER)
{
	uint64_t left = sampled_thread_pause();
	void *block = real_allocator.calloc(num, size);
	sampled_thread_resume(left, block, num * size, &(struct sampled_caller){sp, ip, frame});
	return block;
}

void *calloc(size_t num, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(num, size, &bytes) || sampled_thread_is_due(bytes))
		return calloc_slow(num, size, 0);
	return real_allocator.calloc(num, size);
}

/** Memory that was given out while the allocator was searched: nobody else knows it. */
static void *grow_early(void *old, size_t size)
{
	void *block = real_allocator.malloc(size);
	const uint8_t *from = old;
	// How large it was is not known; what is behind it is memory of ours, too.
	for (size_t i = 0; block && i < size && real_allocator_is_early(from + i); i++)
		((uint8_t *)block)[i] = from[i];
	return block;
}

void *realloc_sampled(void *old, size_t size, size_t none, CALLER);
void *realloc_slow(void *old, size_t size, size_t none);
SLOW_ENTRY(realloc_slow, realloc_sampled);
void *realloc_sampled(void *old, size_t size, size_t none, CALLER)
{
	uint64_t left = sampled_thread_pause();
	void *block = real_allocator.realloc(old, size);
	sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame});
	return block;
}

static void *realloc_counted(void *old, size_t size)
{
	if (sampled_thread_is_due(size))
		return realloc_slow(old, size, 0);
	return real_allocator.realloc(old, size);
}

/** Of a block that live_table_may_have(). False: it was given out early, and nobody else knows it.
 */
static bool forget(const void *block)
{
	sampler_free(block);
	return !real_allocator_is_early(block);
}

static NOT_INLINED void *realloc_known(void *old, size_t size)
{
	return forget(old) ? realloc_counted(old, size) : grow_early(old, size);
}

static void *realloc_any(void *old, size_t size)
{
	if (live_table_checks_frees() && live_table_may_have(old))
		return realloc_known(old, size);
	return realloc_counted(old, size);
}

void *realloc(void *old, size_t size)
{
	return realloc_any(old, size);
}

void *reallocarray(void *old, size_t num, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(num, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc_any(old, bytes);
}

static NOT_INLINED void free_known(void *block)
{
	if (forget(block))
		real_allocator.free(block);
}

void free(void *block)
{
	if (live_table_checks_frees() && live_table_may_have(block))
		free_known(block);
	else
		real_allocator.free(block);
}

void *memalign_sampled(size_t alignment, size_t size, size_t none, CALLER);
void *memalign_slow(size_t alignment, size_t size, size_t none);
SLOW_ENTRY(memalign_slow, memalign_sampled);
void *memalign_sampled(size_t alignment, size_t size, size_t none, CALLER)
{
	uint64_t left = sampled_thread_pause();
	void *block = real_allocator.memalign(alignment, size);
	sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame});
	return block;
}

void *memalign(size_t alignment, size_t size)
{
	if (sampled_thread_is_due(size))
		return memalign_slow(alignment, size, 0);
	return real_allocator.memalign(alignment, size);
}

void *aligned_alloc_sampled(size_t alignment, size_t size, size_t none, CALLER);
void *aligned_alloc_slow(size_t alignment, size_t size, size_t none);
SLOW_ENTRY(aligned_alloc_slow, aligned_alloc_sampled);
void *aligned_alloc_sampled(size_t alignment, size_t size, size_t none, CALLER)
{
	uint64_t left = sampled_thread_pause();
	void *block = real_allocator.aligned_alloc(alignment, size);
	sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame});
	return block;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	if (sampled_thread_is_due(size))
		return aligned_alloc_slow(alignment, size, 0);
	return real_allocator.aligned_alloc(alignment, size);
}

int posix_memalign_sampled(void **ret, size_t alignment, size_t size, CALLER);
int posix_memalign_slow(void **ret, size_t alignment, size_t size);
SLOW_ENTRY(posix_memalign_slow, posix_memalign_sampled);
int posix_memalign_sampled(void **ret, size_t alignment, size_t size, CALLER)
{
	uint64_t left = sampled_thread_pause();
	int errnum = real_allocator.posix_memalign(ret, alignment, size);
	sampled_thread_resume(left, errnum ? NULL : *ret, size,
			      &(struct sampled_caller){sp, ip, frame});
	return errnum;
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
	if (sampled_thread_is_due(size))
		return posix_memalign_slow(ret, alignment, size);
	return real_allocator.posix_memalign(ret, alignment, size);
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void *valloc(size_t size)
{
	return memalign(page_size(), size);
}

void *pvalloc(size_t size)
{
	size_t page = page_size();
	return memalign(page, size > SIZE_MAX - page ? SIZE_MAX : (size + page - 1) / page * page);
}

void *mapped_sampled(void *block, size_t size, size_t none, CALLER);
void *mapped_slow(void *block, size_t size, size_t none);
SLOW_ENTRY(mapped_slow, mapped_sampled);
void *mapped_sampled(void *block, size_t size, size_t none, CALLER)
{
	uint64_t left = sampled_thread_pause();
	sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame});
	return block;
}

/** Address space that cannot be used is no memory yet; nor is what an allocator maps for the blocks
 *  that it gives out. */
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *block = real_allocator.mmap(address, size, protection, flags, fd, offset);
	if (real_allocator_has_code(__builtin_return_address(0)))
		return block;
	bool counts = block != MAP_FAILED && size >= LEAST_MAPPING && (flags & MAP_ANONYMOUS) &&
		      (protection & PROT_WRITE);
	if (!counts)
		return block;
	if (sampled_thread_is_due(size))
		return mapped_slow(block, size, 0);
	return block;
}

/** Of a mapping as a whole; one that is unmapped in pieces counts until its first piece is. */
int munmap(void *address, size_t size)
{
	if (live_table_checks_frees() && live_table_may_have(address))
		sampler_free(address);
	return real_allocator.munmap(address, size);
}

// The same, as off_t has 64 bits on the machines that we know (slow_entry.h).
void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
	__attribute__((alias("mmap")));
