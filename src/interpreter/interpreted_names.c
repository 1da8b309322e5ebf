// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_names.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/text/utf8.h"

#include <stdlib.h>

// A process with a new thread is due at once, and again after each of the pauses: a thread may have
// been sampled before its interpreter knew it. To read a process with thousands of threads takes
// milliseconds; the next time is put off until 20 times as long has passed, so that reading takes
// at most 5 % of the time of one CPU, however many threads a program begins.

static const uint64_t pauses_ns[] = {20000000, 200000000, 2000000000};
enum { REST = 20 };

struct naming {
	uint32_t pid;
	size_t num_reads; /* since the last thread began */
	uint64_t due_ns;  /* UINT64_MAX: no more */
	uint64_t rest_until_ns;
};

struct said_role {
	uint32_t pid;
	const char *words;
};

void interpreted_names_deinit(struct interpreted_names *names)
{
	free(names->said);
	free(names->items);
	free(names->found.items);
	*names = (struct interpreted_names)INTERPRETED_NAMES_INIT;
}

static struct naming *interpreted_names_find(struct interpreted_names *names, uint32_t pid)
{
	for (size_t i = 0; i < names->num_items; i++)
		if (names->items[i].pid == pid)
			return &names->items[i];
	return NULL;
}

struct error *interpreted_names_want(struct interpreted_names *names, uint32_t pid, uint64_t now_ns)
{
	struct naming *naming = interpreted_names_find(names, pid);
	if (!naming) {
		struct error *err =
			array_reserve(&names->items, &names->cap_items, names->num_items + 1);
		if (err)
			return err;
		naming = &names->items[names->num_items++];
		*naming = (struct naming){.pid = pid};
	}
	naming->num_reads = 0;
	naming->due_ns = now_ns > naming->rest_until_ns ? now_ns : naming->rest_until_ns;
	return NULL;
}

struct error *interpreted_names_say(struct interpreted_names *names, uint32_t pid,
				    const char *words)
{
	struct error *err = array_reserve(&names->said, &names->cap_said, names->num_said + 1);
	if (!err)
		names->said[names->num_said++] = (struct said_role){pid, words};
	return err;
}

/** In the place of what was read: nothing of that is left when it is called. */
static struct error *interpreted_names_tell_role(struct interpreted_names *names)
{
	struct thread_names *found = &names->found;
	struct error *err = array_reserve(&found->items, &found->cap_items, 1);
	if (err)
		return err;
	const struct said_role said = names->said[--names->num_said];
	names->pid = found->items[0].tid = said.pid;
	utf8_copy(said.words, found->items[0].name, sizeof(found->items[0].name));
	names->next = 0;
	found->num_items = 1;
	return NULL;
}

void interpreted_names_want_all(struct interpreted_names *names)
{
	for (size_t i = 0; i < names->num_items; i++)
		names->items[i].due_ns = 0;
}

/** NULL: none is due. */
static struct naming *interpreted_names_find_due(struct interpreted_names *names, uint64_t now_ns)
{
	for (size_t i = 0; i < names->num_items; i++)
		if (names->items[i].due_ns <= now_ns)
			return &names->items[i];
	return NULL;
}

/** A name of the first thread would be one of the process: interpreted_names_say(). */
static void interpreted_names_drop_first(struct interpreted_names *names)
{
	struct thread_names *found = &names->found;
	size_t num = 0;
	for (size_t i = 0; i < found->num_items; i++)
		if (found->items[i].tid != names->pid)
			found->items[num++] = found->items[i];
	found->num_items = num;
}

static struct error *interpreted_names_read(struct interpreted_names *names, struct naming *naming,
					    struct interpreted_process *process)
{
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	struct error *err = interpreted_process_is_trusted(process)
				    ? process->ops->read_names(process, &names->found)
				    : NULL;
	interpreted_names_drop_first(names);
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	naming->rest_until_ns = now_ns + REST * (now_ns - began_ns);
	naming->due_ns = UINT64_MAX;
	if (naming->num_reads < ARRAY_SIZE(pauses_ns))
		naming->due_ns = naming->rest_until_ns + pauses_ns[naming->num_reads++];
	return err;
}

struct error *interpreted_names_next(struct interpreted_names *names,
				     struct interpreted_processes *processes, uint64_t now_ns,
				     const struct thread_name **ret)
{
	struct naming *naming;
	if (names->next == names->found.num_items && names->num_said) {
		struct error *err = interpreted_names_tell_role(names);
		if (err)
			return err;
	}
	while (names->next == names->found.num_items &&
	       (naming = interpreted_names_find_due(names, now_ns))) {
		struct interpreted_process *process =
			interpreted_processes_find(processes, naming->pid);
		names->pid = naming->pid;
		names->next = names->found.num_items = 0;
		if (!process || !process->ops->read_names) {
			*naming = names->items[--names->num_items];
			continue;
		}
		struct error *err = interpreted_names_read(names, naming, process);
		if (err)
			return err;
	}
	bool has_more = names->next < names->found.num_items;
	*ret = has_more ? &names->found.items[names->next++] : NULL;
	return NULL;
}
