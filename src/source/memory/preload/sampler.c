// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/sampler.h"

#include "source/memory/preload/live_table.h"
#include "source/memory/preload/memory_region.h"
#include "source/memory/preload/own_stack.h"
#include "source/memory/preload/region_slot.h"
#include "source/memory/preload/thread_state.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// sampler_begin() runs before main(), and maps the region that the environment names. A process is
// announced with its first sample, so that one that allocates little costs nothing: as a new
// program (after exec), or as a copy of the process that was announced before the fork.
// Announcements wait until wperf has read the maps of the process.
//
// A child of vfork() shares our memory with its parent, but not its pid: it is left alone.

enum {
	NS_PER_S = 1000000000,
	SAMPLE_WAIT_NS = 2000000,    // for wperf to begin with a sample
	ANNOUNCE_WAIT_NS = NS_PER_S, // ... and with a process
	LEAKS_WAIT_S = 30,           // until a process has been searched
};

enum sampler_state { NOT_ANNOUNCED, BEING_ANNOUNCED, ANNOUNCED };

static struct {
	struct memory_region *region; // NULL: nobody samples
	bool has_begun;
	uint32_t pid, parent;   // parent: that wperf knows, of which we are a copy; 0: none
	_Atomic uint32_t state; // enum sampler_state
	uint64_t loader;
	void (*before_sample)(void);
	_Atomic uint64_t num_blocks; // that were sampled
	uint64_t first_block;        // the last number that is our parent's
	_Atomic uint64_t num_threads;
} sampler;

bool sampler_has_begun(void)
{
	return sampler.has_begun;
}

bool sampler_is_open(void)
{
	return sampler.region && !sampler.region->is_closed;
}

bool sampler_is_own_process(void)
{
	return (uint32_t)getpid() == sampler.pid;
}

uint64_t sampler_period(void)
{
	return sampler.region->period;
}

static uint64_t sampler_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/** @kind: of an announcement. */
static void sampler_announce_as(enum memory_kind kind)
{
	struct region_slot slot;
	if (!region_slot_claim(&slot, sampler.region, sampler.pid))
		return;
	slot.memory->head = (struct memory_head){
		.kind = kind,
		.pid = sampler.pid,
		.tid = (uint32_t)syscall(SYS_gettid),
		.parent = kind == MEMORY_FORK ? sampler.parent : (uint32_t)getppid(),
		.time_ns = sampler_now_ns(),
		.address = live_table_address(),
		.loader = sampler.loader,
		.block = sampler.first_block,
	};
	region_slot_publish(&slot, ANNOUNCE_WAIT_NS);
}

/** False: another thread is at it, and needs long. */
static bool sampler_announce(void)
{
	uint32_t expected = NOT_ANNOUNCED;
	if (sampler.state == ANNOUNCED)
		return true;
	if (atomic_compare_exchange_strong(&sampler.state, &expected, BEING_ANNOUNCED)) {
		sampler_announce_as(sampler.parent ? MEMORY_FORK : MEMORY_PROGRAM);
		sampler.state = ANNOUNCED;
		region_slot_wake(&sampler.state);
		return true;
	}
	region_slot_sleep(&sampler.state, BEING_ANNOUNCED, ANNOUNCE_WAIT_NS);
	return sampler.state == ANNOUNCED;
}

void sampler_take(const void *block, size_t size, const struct sampled_caller *caller)
{
	struct memory_region *region = sampler.region;
	struct region_slot slot;
	sampler.before_sample();
	if (!region->is_enabled || !sampler_is_own_process())
		return;
	if (!sampler_announce()) {
		region->num_lost++;
		return;
	}
	if (!region_slot_claim(&slot, region, sampler.pid))
		return;
	uint64_t number = region->sees_frees ? ++sampler.num_blocks : 0;
	const struct live_block live = {number, thread_state.number, thread_state.drawn, size};
	if (number && !live_table_add(block, &live))
		region->num_unseen++;
	slot.memory->head = (struct memory_head){
		.kind = MEMORY_ALLOCATION,
		.pid = sampler.pid,
		.tid = thread_state.tid,
		.time_ns = sampler_now_ns(),
		.address = (uint64_t)(uintptr_t)block,
		.size = size,
		.period = thread_state.period,
		.ip = caller->ip,
		.sp = caller->sp,
		.frame = caller->frame,
		.loader = sampler.loader,
		.block = number,
		.stack_size = own_stack_copy(caller->sp, slot.stack, region->stack_bytes),
	};
	region_slot_publish(&slot, region->holds ? SAMPLE_WAIT_NS : 0);
}

bool sampler_sees_frees(void)
{
	return sampler_is_open() && sampler.region->sees_frees;
}

uint64_t sampler_number_thread(void)
{
	return ++sampler.num_threads;
}

/** By this thread; UINT64_MAX: the block is another one's. */
static uint64_t sampler_allocated_since(const struct live_block *live)
{
	const struct thread_state *thread = &thread_state;
	if (live->thread != thread->number || thread->left > THREAD_STATE_NEVER / 2)
		return UINT64_MAX;
	return thread->drawn - thread->left - live->drawn;
}

void sampler_free(const void *block)
{
	int errnum = errno;
	struct region_slot slot;
	struct live_block live;
	if (live_table_remove(block, &live) && sampler_is_open() && sampler_is_own_process() &&
	    region_slot_claim(&slot, sampler.region, sampler.pid)) {
		slot.memory->head = (struct memory_head){
			.kind = MEMORY_FREED,
			.pid = sampler.pid,
			.tid = thread_state.number ? thread_state.tid
						   : (uint32_t)syscall(SYS_gettid),
			.time_ns = sampler_now_ns(),
			.size = sampler_allocated_since(&live),
			.block = live.id,
		};
		region_slot_publish(&slot, 0);
	}
	errno = errnum;
}

void sampler_end(void)
{
	struct region_slot slot;
	if (!sampler_is_open() || !sampler.region->seeks_leaks || sampler.state != ANNOUNCED ||
	    !sampler_is_own_process() || !region_slot_claim(&slot, sampler.region, sampler.pid))
		return;
	slot.memory->head = (struct memory_head){
		.kind = MEMORY_ENDING,
		.pid = sampler.pid,
		.tid = (uint32_t)syscall(SYS_gettid),
		.time_ns = sampler_now_ns(),
	};
	region_slot_publish(&slot, (uint64_t)LEAKS_WAIT_S * NS_PER_S);
}

/** In the child, which has one thread. */
static void sampler_forked(void)
{
	if (sampler.state == ANNOUNCED)
		sampler.parent = sampler.pid;
	sampler.first_block = sampler.num_blocks;
	sampler.pid = (uint32_t)getpid();
	sampler.state = NOT_ANNOUNCED;
	thread_state.random = 0;
	thread_state.tid = sampler.pid;
	thread_state.knows_stack = false;
	if (thread_state.left < THREAD_STATE_NEVER / 2)
		thread_state.left = 0;
}

/** NULL: it is of another build, or of no region. */
static struct memory_region *sampler_map(int fd)
{
	struct stat status;
	const size_t size = sizeof(struct memory_region);
	if (fstat(fd, &status) || (size_t)status.st_size != size)
		return NULL;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return NULL;
	struct memory_region *region = memory;
	if (region->version == MEMORY_VERSION && region->stack_bytes <= MEMORY_MAX_STACK &&
	    region->period)
		return region;
	munmap(memory, size);
	return NULL;
}

static struct memory_region *sampler_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	struct memory_region *region = sampler_map(fd);
	close(fd); // the program must find the numbers of files as if we were not here
	return region;
}

void sampler_begin(bool has_own_malloc, void (*before_sample)(void))
{
	sampler.before_sample = before_sample;
	const char *path = getenv(MEMORY_VARIABLE);
	sampler.region = path ? sampler_open(path) : NULL;
	if (sampler_is_open()) {
		sampler.pid = (uint32_t)getpid();
		sampler.loader = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "_r_debug");
		own_stack_begin();
		pthread_atfork(NULL, NULL, sampler_forked);
		if (has_own_malloc)
			sampler.region->has_own_malloc = 1;
		// What was in use before exec is gone, even if this program never allocates.
		if (sampler.region->sees_frees)
			sampler_announce();
	}
	sampler.has_begun = true;
}
