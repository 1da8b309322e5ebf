// SPDX-License-Identifier: Apache-2.0
// Threads of the profile are numbered, so an array says which service each one has, and in which
// window that was found. All threads of a process that have its name share one look into /proc. A
// process that becomes another program (exec) has another name then, and its threads are others in
// the profile, too.

#include "agent/services.h"

#include "agent/process_identity.h"
#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/thread/thread.h"

#include <stdlib.h>
#include <string.h>

enum { SERVICE_NONE = UINT32_MAX };

struct services_thread {
	uint32_t window, service;
};

/** Found in this window. */
struct services_process {
	uint32_t pid, name; /* a string of the profile */
	uint32_t service;
};

struct services {
	const struct service_rules *rules;
	uint32_t window;
	struct services_thread *threads; /* by number in the profile */
	size_t num_threads, cap_threads;
	size_t next_sample; /* of the profile; those before were seen */
	struct services_process *processes;
	size_t num_processes, cap_processes;
	struct hash_table process_index;
	struct service *items;
	size_t num_items, cap_items;
};

struct error *services_create(const struct service_rules *rules, struct services **ret)
{
	struct services *services = calloc(1, sizeof(*services));
	if (!services)
		return &error_no_memory;
	services->rules = rules;
	*ret = services;
	return NULL;
}

void services_begin_window(struct services *services)
{
	services->window++;
	services->next_sample = 0;
	services->num_processes = 0;
	hash_table_deinit(&services->process_index);
	services->process_index = (struct hash_table)HASH_TABLE_INIT;
}

void services_renew(struct services *services)
{
	for (size_t i = 0; i < services->num_items; i++) {
		free(services->items[i].name);
		free(services->items[i].container);
		free(services->items[i].pod);
	}
	services->num_items = services->num_threads = 0;
	services_begin_window(services);
}

void services_destroy(struct services *services)
{
	if (!services)
		return;
	services_renew(services);
	free(services->items);
	free(services->threads);
	free(services->processes);
	free(services);
}

size_t services_count(const struct services *services)
{
	return services->num_items;
}

const struct service *services_get(const struct services *services, uint32_t index)
{
	return &services->items[index];
}

uint32_t services_of(const struct services *services, uint32_t thread)
{
	return services->threads[thread].service;
}

/** There are few: tens, on most machines. */
static struct error *services_intern(struct services *services, const char *name,
				     const char *container, const char *pod, uint32_t *ret)
{
	for (uint32_t i = 0; i < services->num_items; i++) {
		const struct service *item = &services->items[i];
		if (strcmp(item->name, name) != 0 || strcmp(item->container, container) != 0 ||
		    strcmp(item->pod, pod) != 0)
			continue;
		*ret = i;
		return NULL;
	}
	struct error *err =
		array_reserve(&services->items, &services->cap_items, services->num_items + 1);
	if (err)
		return err;
	struct service item = {strdup(name), strdup(container), strdup(pod)};
	*ret = (uint32_t)services->num_items;
	services->items[services->num_items++] = item;
	return item.name && item.container && item.pod ? NULL : &error_no_memory;
}

struct error *services_own(struct services *services, uint32_t *ret)
{
	return services_intern(services, SERVICES_AGENT, "", "", ret);
}

static struct error *services_name(struct services *services, const char *process_name,
				   const struct process_identity *identity, uint32_t *ret)
{
	const struct cgroup_names *cgroup = &identity->cgroup;
	const char *name = service_rules_find(services->rules, process_name, identity->command);
	if (!name && identity->is_kernel)
		name = "kernel";
	if (!name && !*cgroup->container && *cgroup->unit)
		name = cgroup->unit;
	if (!name)
		name = *process_name ? process_name : "unknown";
	// Programs may call themselves anything, and be many.
	if (services->num_items >= SERVICES_MAX)
		return services_intern(services, "other", "", "", ret);
	return services_intern(services, name, cgroup->container, cgroup->pod, ret);
}

static bool services_is_process(const void *owner, uint32_t index, const void *key)
{
	const struct services *services = owner;
	const struct services_process *process = &services->processes[index], *wanted = key;
	return process->pid == wanted->pid && process->name == wanted->name;
}

/** @known: of an earlier window; SERVICE_NONE: not known. */
static struct error *services_read(struct services *services, const struct named_profile *profile,
				   const struct named_thread *thread, uint32_t known, uint32_t *ret)
{
	struct process_identity identity;
	if (thread->pid == thread_own_process())
		return services_own(services, ret);
	bool is_there = process_identity_read(thread->pid, &identity);
	if (!is_there && known != SERVICE_NONE) {
		*ret = known;
		return NULL;
	}
	return services_name(services, named_profile_text(profile, thread->process_name), &identity,
			     ret);
}

static struct error *services_find_process(struct services *services,
					   const struct named_profile *profile,
					   const struct named_thread *thread, uint32_t known,
					   uint32_t *ret)
{
	struct services_process process = {thread->pid, thread->process_name, SERVICE_NONE};
	uint64_t hash = hash_mix(process.pid ^ ((uint64_t)process.name << 32), HASH_GOLDEN_RATIO);
	uint32_t index = hash_table_find(&services->process_index, hash, services_is_process,
					 services, &process);
	if (index != HASH_TABLE_NONE) {
		*ret = services->processes[index].service;
		return NULL;
	}
	struct error *err = services_read(services, profile, thread, known, &process.service);
	if (!err)
		err = array_reserve(&services->processes, &services->cap_processes,
				    services->num_processes + 1);
	if (!err)
		err = hash_table_insert(&services->process_index, hash,
					(uint32_t)services->num_processes);
	if (err)
		return err;
	services->processes[services->num_processes++] = process;
	*ret = process.service;
	return NULL;
}

static struct error *services_look_at(struct services *services,
				      const struct named_profile *profile, uint32_t thread)
{
	struct services_thread *item = &services->threads[thread];
	if (item->window == services->window && item->service != SERVICE_NONE)
		return NULL;
	item->window = services->window;
	return services_find_process(services, profile, &profile->threads[thread], item->service,
				     &item->service);
}

struct error *services_look(struct services *services, const struct named_profile *profile)
{
	struct error *err =
		array_reserve(&services->threads, &services->cap_threads, profile->num_threads + 1);
	// New threads at once: their samples may still be on their way into the profile.
	while (!err && services->num_threads < profile->num_threads) {
		uint32_t thread = (uint32_t)services->num_threads++;
		services->threads[thread] = (struct services_thread){0, SERVICE_NONE};
		err = services_look_at(services, profile, thread);
	}
	if (services->next_sample > profile->num_samples)
		services->next_sample = 0;
	while (!err && services->next_sample < profile->num_samples)
		err = services_look_at(services, profile,
				       profile->samples[services->next_sample++].thread);
	return err;
}

struct error *services_look_at_all(struct services *services, const struct named_profile *profile)
{
	services->next_sample = 0;
	return services_look(services, profile);
}
