// SPDX-License-Identifier: Apache-2.0
// A table of all builds that were wanted, and a queue of those that wait: numbers of the table. The
// table only grows, up to its limit; then all builds but the waiting ones are forgotten at once,
// which asks for them earlier than after an hour, at a rate that the queue bounds.

#include "server/symbols/debug_fetcher.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "base/thread/mutex.h"
#include "base/thread/thread.h"
#include "base/thread/wake_event.h"
#include "object/fetch/debuginfod.h"

#include <stdlib.h>
#include <string.h>

#define DEBUG_FETCHER_RETRY_NS (3600 * (uint64_t)1000000000)

struct wanted_build {
	struct record_build_id id;
	uint64_t asked_ns;
	char *path; // NULL: it has not come
};

struct debug_fetcher {
	struct debug_fetcher_config config;
	struct mutex *lock; // of all that follows
	struct wanted_build *builds;
	size_t num_builds, cap_builds;
	struct hash_table index;
	struct record_build_id waiting[DEBUG_FETCHER_MAX_WAITING]; // a ring
	size_t first_waiting, num_waiting;
	bool is_ending;
	struct wake_event wake;
	struct thread *thread;
};

static uint64_t debug_fetcher_hash(const struct record_build_id *id)
{
	return hash_bytes(id->bytes, id->size);
}

static bool debug_fetcher_is_build(const void *owner, uint32_t index, const void *key)
{
	const struct record_build_id *id = &((const struct debug_fetcher *)owner)->builds[index].id;
	const struct record_build_id *wanted = key;
	return id->size == wanted->size && memcmp(id->bytes, wanted->bytes, id->size) == 0;
}

static struct wanted_build *debug_fetcher_build(const struct debug_fetcher *fetcher,
						const struct record_build_id *id)
{
	uint32_t index = hash_table_find(&fetcher->index, debug_fetcher_hash(id),
					 debug_fetcher_is_build, fetcher, id);
	return index == HASH_TABLE_NONE ? NULL : &fetcher->builds[index];
}

static bool debug_fetcher_goes_on(void *data)
{
	struct debug_fetcher *fetcher = data;
	mutex_lock(fetcher->lock);
	bool is_ending = fetcher->is_ending;
	mutex_unlock(fetcher->lock);
	return !is_ending && !interrupt_requested();
}

/** False: nothing waits. */
static bool debug_fetcher_take(struct debug_fetcher *fetcher, struct record_build_id *ret)
{
	mutex_lock(fetcher->lock);
	bool has_one = fetcher->num_waiting;
	if (has_one) {
		*ret = fetcher->waiting[fetcher->first_waiting];
		fetcher->first_waiting = (fetcher->first_waiting + 1) % DEBUG_FETCHER_MAX_WAITING;
		fetcher->num_waiting--;
	}
	mutex_unlock(fetcher->lock);
	return has_one;
}

static void debug_fetcher_fetch(struct debug_fetcher *fetcher, const struct record_build_id *id)
{
	_cleanup_free_ char *path = NULL;
	// What fails is as if no server had it: it is asked for again after an hour.
	error_destroy(
		fetcher->config.fetch(id->bytes, id->size, debug_fetcher_goes_on, fetcher, &path));
	mutex_lock(fetcher->lock);
	struct wanted_build *build = debug_fetcher_build(fetcher, id);
	if (build) {
		free(build->path);
		build->path = take_ptr(path);
	}
	mutex_unlock(fetcher->lock);
}

static void debug_fetcher_run(void *data)
{
	struct debug_fetcher *fetcher = data;
	struct record_build_id id;
	while (debug_fetcher_goes_on(fetcher)) {
		enum interrupt_wake wake;
		wake_event_clear(&fetcher->wake);
		while (debug_fetcher_goes_on(fetcher) && debug_fetcher_take(fetcher, &id))
			debug_fetcher_fetch(fetcher, &id);
		if (!debug_fetcher_goes_on(fetcher))
			return;
		struct error *err = interrupt_wait(fetcher->wake.fd, INTERRUPT_NO_TIMEOUT, &wake);
		if (err) {
			error_destroy(err);
			return; // nothing is fetched any more
		}
	}
}

struct error *debug_fetcher_create(const struct debug_fetcher_config *config,
				   struct debug_fetcher **ret)
{
	struct debug_fetcher *fetcher = calloc(1, sizeof(*fetcher));
	if (!fetcher)
		return &error_no_memory;
	fetcher->config = *config;
	fetcher->wake = (struct wake_event)WAKE_EVENT_INIT;
	if (!config->retry_ns)
		fetcher->config.retry_ns = DEBUG_FETCHER_RETRY_NS;
	if (!config->fetch)
		fetcher->config.fetch = debuginfod_fetch_while;
	struct error *err = mutex_create(&fetcher->lock);
	if (!err)
		err = wake_event_init(&fetcher->wake);
	if (!err)
		err = thread_start("debug files", debug_fetcher_run, fetcher, &fetcher->thread);
	if (err)
		debug_fetcher_destroy(fetcher);
	else
		*ret = fetcher;
	return err;
}

static void debug_fetcher_forget(struct debug_fetcher *fetcher)
{
	for (size_t i = 0; fetcher->builds && i < fetcher->num_builds; i++)
		free(fetcher->builds[i].path);
	fetcher->num_builds = 0;
	hash_table_deinit(&fetcher->index);
	fetcher->index = (struct hash_table)HASH_TABLE_INIT;
}

void debug_fetcher_destroy(struct debug_fetcher *fetcher)
{
	if (!fetcher)
		return;
	if (fetcher->thread) {
		mutex_lock(fetcher->lock);
		fetcher->is_ending = true;
		mutex_unlock(fetcher->lock);
		wake_event_set(&fetcher->wake);
		thread_join(fetcher->thread);
	}
	debug_fetcher_forget(fetcher);
	free(fetcher->builds);
	wake_event_deinit(&fetcher->wake);
	mutex_destroy(fetcher->lock);
	free(fetcher);
}

/** With the lock. @ret: valid until the next one is added. */
static struct error *debug_fetcher_add(struct debug_fetcher *fetcher,
				       const struct record_build_id *id, struct wanted_build **ret)
{
	if (fetcher->num_builds >= DEBUG_FETCHER_MAX_KNOWN)
		debug_fetcher_forget(fetcher);
	struct error *err =
		array_reserve(&fetcher->builds, &fetcher->cap_builds, fetcher->num_builds + 1);
	if (!err)
		err = hash_table_insert(&fetcher->index, debug_fetcher_hash(id),
					(uint32_t)fetcher->num_builds);
	if (err)
		return err;
	*ret = &fetcher->builds[fetcher->num_builds++];
	**ret = (struct wanted_build){.id = *id};
	return NULL;
}

/** With the lock. */
static struct error *debug_fetcher_enqueue(struct debug_fetcher *fetcher,
					   const struct record_build_id *id)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	struct wanted_build *build = debug_fetcher_build(fetcher, id);
	if (build && now_ns - build->asked_ns < fetcher->config.retry_ns)
		return NULL;
	if (fetcher->num_waiting == DEBUG_FETCHER_MAX_WAITING)
		return NULL;
	struct error *err = build ? NULL : debug_fetcher_add(fetcher, id, &build);
	if (err)
		return err;
	build->asked_ns = now_ns;
	size_t last = (fetcher->first_waiting + fetcher->num_waiting) % DEBUG_FETCHER_MAX_WAITING;
	fetcher->waiting[last] = *id;
	fetcher->num_waiting++;
	wake_event_set(&fetcher->wake);
	return NULL;
}

struct error *debug_fetcher_want(struct debug_fetcher *fetcher, const struct record_build_id *id)
{
	mutex_lock(fetcher->lock);
	struct error *err = debug_fetcher_enqueue(fetcher, id);
	mutex_unlock(fetcher->lock);
	return err;
}

struct error *debug_fetcher_find(struct debug_fetcher *fetcher, const struct record_build_id *id,
				 char **ret)
{
	*ret = NULL;
	mutex_lock(fetcher->lock);
	const struct wanted_build *build = debug_fetcher_build(fetcher, id);
	bool has_path = build && build->path;
	if (has_path)
		*ret = strdup(build->path);
	mutex_unlock(fetcher->lock);
	return has_path && !*ret ? &error_no_memory : NULL;
}
