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

static struct memory_model *create_model(const struct plugin *plugin)
{
	if (!plugin->wants_model)
		return NULL;
	const struct region_config *config = plugin->config;
	size_t size = memory_model_size(&config->model);
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory_model_init(memory, &config->model);
}

/** The numbers are another thread's, or another process's, from now on. */
static void begin_numbers(struct guest_thread *thread, struct region_thread *shared)
{
	const struct plugin *plugin = thread->plugin;
	const struct region_config *config = plugin->config;
	thread->shared = shared;
	// The number of its place in the region.
	if (shared == plugin->first_thread)
		thread->core = plugin->first_core;
	else if (shared == &plugin->nowhere)
		thread->core = 0;
	else
		thread->core = (uint32_t)(shared - plugin->region->threads);
	thread->window_left = (int64_t)config->window_cycles;
	if (thread->model)
		memory_model_count_into(thread->model, &shared->totals[FIRST_MODEL_MEASURE]);
	// Cycles are counted in thousandths, so that 0.7 per instruction adds up
	// (guest_thread_scale()).
	for (uint32_t i = 0; i < config->num_sampled; i++) {
		const struct region_sampled *event = &config->sampled[i];
		thread->overflows[i] = (struct overflow){
			.period = event->period,
			.left = (int64_t)(event->period * guest_thread_scale(event)),
			.seen = shared->totals[event->measure],
		};
	}
}

static void destroy_thread(struct guest_thread *thread)
{
	if (thread->model)
		munmap(thread->model, memory_model_size(&thread->plugin->config->model));
	free(thread->record);
	free(thread);
}

static struct guest_thread *create_thread(struct plugin *plugin, struct region_thread *shared)
{
	struct guest_thread *thread = calloc(1, sizeof(*thread));
	uint64_t *record = malloc(REGION_MAX_RECORD);
	if (!thread || !record) {
		free(thread);
		free(record);
		return NULL;
	}
	thread->plugin = plugin;
	thread->is_sampling = plugin->config->mode == REGION_SAMPLES;
	thread->record = record;
	thread->model = create_model(plugin);
	begin_numbers(thread, shared);
	return thread;
}

/** Only its numbers stay. */
static void end_thread(void *context)
{
	struct guest_thread *thread = context;
	struct plugin *plugin = thread->plugin;
	struct region_thread *shared = thread->shared;
	if (thread->is_sampling)
		task_records_exit(thread);
	// First threads are the program's: its generated code goes on adding.
	if (shared != &plugin->nowhere && shared != plugin->first_thread) {
		region_lock(&plugin->region->lock);
		region_thread_end(plugin->region, shared);
		region_unlock(&plugin->region->lock);
	}
	// Destructors of the program's own may still run: they attach the thread anew.
	guest_thread_current = NULL;
	destroy_thread(thread);
}

static void guest_thread_become(struct guest_thread *thread)
{
	guest_thread_current = thread;
	pthread_setspecific(thread->plugin->thread_end, thread);
}

struct guest_thread *guest_thread_attach(struct plugin *plugin)
{
	struct region_thread *shared = region_add_thread(plugin->region, getpid(), gettid());
	if (!shared)
		plugin->region->num_uncounted_threads++;
	struct guest_thread *thread = create_thread(plugin, shared ? shared : &plugin->nowhere);
	if (!thread)
		abort(); // without memory the program itself has not long to go
	guest_thread_become(thread);
	if (thread->is_sampling)
		task_records_fork(thread, getpid(), getpid());
	return thread;
}

/** The same address, other memory: that of @shared. */
static bool map_first(struct plugin *plugin, struct region_thread *shared)
{
	int flags = MAP_SHARED | (plugin->first_thread ? MAP_FIXED : 0);
	int fd = shared ? open(plugin->config->region_path, O_RDWR | O_CLOEXEC) : -1;
	off_t offset = shared ? (const char *)shared - (const char *)plugin->region : 0;
	if (fd < 0) { // nobody will ask for the numbers
		flags = (flags & ~MAP_SHARED) | MAP_PRIVATE | MAP_ANONYMOUS;
		offset = 0;
	}
	void *memory = mmap(plugin->first_thread, sizeof(struct region_thread),
			    PROT_READ | PROT_WRITE, flags, fd, offset);
	if (fd >= 0)
		close(fd);
	if (memory == MAP_FAILED)
		return false;
	plugin->first_thread = memory;
	plugin->first_core = shared ? (uint32_t)(shared - plugin->region->threads) : 0;
	return true;
}

// The region may be full. Then the numbers go to memory of nobody, and the region counts the
// thread.
static bool take_first_place(struct plugin *plugin)
{
	struct region_thread *shared = region_add_thread(plugin->region, getpid(), gettid());
	if (!shared)
		plugin->region->num_uncounted_threads++;
	return map_first(plugin, shared);
}

bool guest_thread_init_first(struct plugin *plugin)
{
	if (pthread_key_create(&plugin->thread_end, end_thread) || !take_first_place(plugin))
		return false;
	struct guest_thread *thread = create_thread(plugin, plugin->first_thread);
	if (!thread)
		return false;
	guest_thread_become(thread);
	return true;
}

void guest_thread_after_fork(struct plugin *plugin)
{
	struct guest_thread *thread = guest_thread_self(plugin);
	if (!take_first_place(plugin))
		abort(); // it would add to its parent's numbers
	// The child starts at the time of its parent: the records' time is that of the region.
	thread->num_instructions = thread->passed_ns = 0;
	begin_numbers(thread, plugin->first_thread);
	if (thread->is_sampling)
		task_records_fork(thread, plugin->forking_pid, plugin->forking_tid);
}

uint64_t guest_thread_passed_ns(struct guest_thread *thread)
{
	uint64_t now_ns = guest_thread_time_ns(thread, thread->plugin->region);
	uint64_t passed_ns = now_ns - thread->passed_ns;
	thread->passed_ns = now_ns;
	return passed_ns;
}

void guest_thread_next_window(struct guest_thread *thread)
{
	struct region *region = thread->plugin->region;
	const struct region_config *config = &region->config;
	if (config->num_windows < 2)
		return;
	region_lock(&region->lock);
	region_thread_next_window(region, thread->shared);
	region_unlock(&region->lock);
	thread->window_left += (int64_t)config->window_cycles;
}
