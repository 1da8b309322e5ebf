// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/guest_thread.h"

#include "driver/emulator/plugin/plugin_state.h"
#include "driver/emulator/plugin/task_records.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A thread's counts are in the shared region. Generated code adds to fixed addresses, those of the
// first thread. After a fork, the child must add to other memory at the same addresses: map_first()
// maps the child's own place there (MAP_FIXED). Threads without a place count into `nowhere`, and
// the region says how many there are.

__thread struct guest_thread *guest_thread_current;

// The numbers of threads that there is no room for.
static struct region_thread nowhere;

static pthread_key_t end_key;

static struct memory_model *create_model(const struct region_config *config)
{
	if (!plugin.wants_model)
		return NULL;
	size_t size = memory_model_size(&config->model);
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory_model_init(memory, &config->model);
}

/** The number of its place in the region. */
static uint32_t core_of(const struct region_thread *shared)
{
	if (shared == plugin.first_thread)
		return plugin.first_core;
	return shared == &nowhere ? 0 : (uint32_t)(shared - plugin.region->threads);
}

static void begin_periods(struct guest_thread *thread)
{
	const struct region_config *config = plugin.config;
	for (uint32_t i = 0; i < config->num_sampled; i++) {
		const struct region_sampled *event = &config->sampled[i];
		thread->overflows[i] = (struct overflow){
			.period = event->period,
			.left = (int64_t)(event->period * guest_thread_scale(event)),
			.seen = thread->shared->totals[event->measure],
		};
	}
}

/** The numbers are another thread's, or another process's, from now on. */
static void begin_numbers(struct guest_thread *thread, struct region_thread *shared)
{
	thread->shared = shared;
	thread->core = core_of(shared);
	thread->window_left = (int64_t)plugin.config->window_cycles;
	if (thread->model)
		memory_model_count_into(thread->model, &shared->totals[FIRST_MODEL_MEASURE]);
	begin_periods(thread);
}

static void destroy_thread(struct guest_thread *thread)
{
	if (thread->model)
		munmap(thread->model, memory_model_size(&plugin.config->model));
	free(thread->record);
	free(thread);
}

static struct guest_thread *create_thread(struct region_thread *shared)
{
	struct guest_thread *thread = calloc(1, sizeof(*thread));
	uint64_t *record = malloc(REGION_MAX_RECORD);
	if (!thread || !record) {
		free(thread);
		free(record);
		return NULL;
	}
	thread->record = record;
	thread->model = create_model(plugin.config);
	begin_numbers(thread, shared);
	return thread;
}

/** Only its numbers stay. */
static void end_thread(void *context)
{
	struct guest_thread *thread = context;
	struct region_thread *shared = thread->shared;
	if (plugin.config->mode == REGION_SAMPLES)
		task_records_exit();
	// First threads are the program's: its generated code goes on adding.
	if (shared != &nowhere && shared != plugin.first_thread) {
		region_lock(&plugin.region->lock);
		region_thread_end(plugin.region, shared);
		region_unlock(&plugin.region->lock);
	}
	guest_thread_current = NULL;
	destroy_thread(thread);
}

static void guest_thread_become(struct guest_thread *thread)
{
	guest_thread_current = thread;
	pthread_setspecific(end_key, thread);
}

struct guest_thread *guest_thread_attach(void)
{
	struct region_thread *shared = region_add_thread(plugin.region, getpid(), gettid());
	if (!shared)
		plugin.region->num_uncounted_threads++;
	struct guest_thread *thread = create_thread(shared ? shared : &nowhere);
	if (!thread)
		abort(); // without memory the program itself has not long to go
	guest_thread_become(thread);
	if (plugin.config->mode == REGION_SAMPLES)
		task_records_fork(getpid(), getpid());
	return thread;
}

/** The same address, other memory: that of @shared. */
static bool map_first(struct region_thread *shared)
{
	int flags = MAP_SHARED | (plugin.first_thread ? MAP_FIXED : 0);
	int fd = shared ? open(plugin.config->region_path, O_RDWR | O_CLOEXEC) : -1;
	off_t offset = shared ? (const char *)shared - (const char *)plugin.region : 0;
	if (fd < 0) { // nobody will ask for the numbers
		flags = (flags & ~MAP_SHARED) | MAP_PRIVATE | MAP_ANONYMOUS;
		offset = 0;
	}
	void *memory = mmap(plugin.first_thread, sizeof(struct region_thread),
			    PROT_READ | PROT_WRITE, flags, fd, offset);
	if (fd >= 0)
		close(fd);
	if (memory == MAP_FAILED)
		return false;
	plugin.first_thread = memory;
	plugin.first_core = shared ? (uint32_t)(shared - plugin.region->threads) : 0;
	return true;
}

static bool take_first_place(void)
{
	struct region_thread *shared = region_add_thread(plugin.region, getpid(), gettid());
	if (!shared)
		plugin.region->num_uncounted_threads++;
	return map_first(shared);
}

bool guest_thread_init_first(void)
{
	if (pthread_key_create(&end_key, end_thread) || !take_first_place())
		return false;
	struct guest_thread *thread = create_thread(plugin.first_thread);
	if (!thread)
		return false;
	guest_thread_become(thread);
	return true;
}

void guest_thread_after_fork(int32_t parent_pid, int32_t parent_tid)
{
	struct guest_thread *thread = guest_thread_self();
	if (!take_first_place())
		abort(); // it would add to its parent's numbers
	thread->num_instructions = thread->passed_ns = 0;
	begin_numbers(thread, plugin.first_thread);
	if (plugin.config->mode == REGION_SAMPLES)
		task_records_fork(parent_pid, parent_tid);
}

uint64_t guest_thread_passed_ns(struct guest_thread *thread)
{
	uint64_t now_ns = guest_thread_time_ns(thread, plugin.region);
	uint64_t passed_ns = now_ns - thread->passed_ns;
	thread->passed_ns = now_ns;
	return passed_ns;
}

void guest_thread_next_window(struct guest_thread *thread)
{
	const struct region_config *config = plugin.config;
	if (config->num_windows < 2)
		return;
	region_lock(&plugin.region->lock);
	region_thread_next_window(plugin.region, thread->shared);
	region_unlock(&plugin.region->lock);
	thread->window_left += (int64_t)config->window_cycles;
}
