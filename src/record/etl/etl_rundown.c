// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_rundown.h"

#include "base/container/array.h"

#include <stdlib.h>

// The first event of a process, thread or image decides: if it is a begin, it was not there at the
// start. A later one with the same number is another of its kind, whose begin is in the file.
//
// Images are told apart by the begins of their process, too: Windows puts ntdll.dll at the same
// place in all processes, and numbers of processes are used again.

static bool is_same_presence(const void *owner, uint32_t index, const void *key)
{
	const struct etl_presence *item = &((const struct etl_rundown *)owner)->items[index];
	const struct etl_presence *wanted = key;
	if (item->kind != wanted->kind)
		return false;
	if (item->kind == ETL_PRESENCE_THREAD)
		return item->tid == wanted->tid;
	bool is_image = item->kind == ETL_PRESENCE_IMAGE;
	return item->pid == wanted->pid && item->base == wanted->base &&
	       (!is_image || item->process_begin == wanted->process_begin);
}

static uint64_t etl_presence_hash(const struct etl_presence *presence)
{
	bool is_thread = presence->kind == ETL_PRESENCE_THREAD;
	const uint64_t words[] = {presence->kind, is_thread ? presence->tid : presence->pid,
				  presence->base};
	return hash_bytes(words, sizeof(words));
}

static struct etl_presence *etl_rundown_find(const struct etl_rundown *rundown,
					     const struct etl_presence *wanted)
{
	uint32_t index = hash_table_find(&rundown->index, etl_presence_hash(wanted),
					 is_same_presence, rundown, wanted);
	return index == HASH_TABLE_NONE ? NULL : &rundown->items[index];
}

static uint32_t etl_rundown_process_begin(const struct etl_rundown *rundown, uint32_t pid)
{
	const struct etl_presence *process = etl_rundown_find(
		rundown, &(struct etl_presence){.kind = ETL_PRESENCE_PROCESS, .pid = pid});
	return process ? process->process_begin : 0;
}

static void etl_rundown_update(struct etl_presence *item, const struct etl_presence *later,
			       bool is_begin)
{
	// Loaded while the list was being written: the list says what it says anyway.
	if (!item->name && later->name && item->pid == later->pid)
		item->name = later->name;
	if (is_begin && item->kind == ETL_PRESENCE_PROCESS)
		item->process_begin = later->process_begin;
}

struct error *etl_rundown_note(struct etl_rundown *rundown, const struct etl_presence *presence,
			       uint32_t life)
{
	struct etl_presence added = *presence;
	bool is_begin = life == ETL_BEGIN;
	added.was_there = !is_begin;
	added.process_begin = 0;
	if (added.kind == ETL_PRESENCE_IMAGE)
		added.process_begin = etl_rundown_process_begin(rundown, added.pid);
	if (added.kind == ETL_PRESENCE_PROCESS && is_begin)
		added.process_begin = ++rundown->num_process_begins;
	struct etl_presence *item = etl_rundown_find(rundown, &added);
	if (item) {
		etl_rundown_update(item, &added, is_begin);
		return NULL;
	}
	struct error *err =
		array_reserve(&rundown->items, &rundown->cap_items, rundown->num_items + 1);
	if (!err)
		err = hash_table_insert(&rundown->index, etl_presence_hash(&added),
					(uint32_t)rundown->num_items);
	if (!err)
		rundown->items[rundown->num_items++] = added;
	return err;
}

bool etl_presence_is_of_start(const struct etl_presence *presence)
{
	bool is_late = presence->kind == ETL_PRESENCE_IMAGE && presence->process_begin;
	return presence->was_there && !is_late;
}

static int compare_late(const void *a, const void *b)
{
	const struct etl_presence *first = a, *second = b;
	if (first->process_begin != second->process_begin)
		return first->process_begin < second->process_begin ? -1 : 1;
	return first->base < second->base ? -1 : first->base > second->base;
}

struct error *etl_rundown_end(struct etl_rundown *rundown)
{
	for (size_t i = 0; i < rundown->num_items; i++) {
		const struct etl_presence *item = &rundown->items[i];
		if (!item->was_there || etl_presence_is_of_start(item))
			continue;
		struct error *err =
			array_reserve(&rundown->late, &rundown->cap_late, rundown->num_late + 1);
		if (err)
			return err;
		rundown->late[rundown->num_late++] = *item;
	}
	if (rundown->num_late)
		qsort(rundown->late, rundown->num_late, sizeof(*rundown->late), compare_late);
	return NULL;
}

static bool etl_presence_read_process(const struct etl_event *event, struct etl_presence *ret,
				      struct etl_text *ret_name)
{
	struct etl_process process;
	if (!etl_payload_process(event, &process))
		return false;
	*ret = (struct etl_presence){
		.kind = ETL_PRESENCE_PROCESS,
		.pid = process.pid,
		.tid = process.parent,
	};
	*ret_name = process.image;
	return true;
}

static bool etl_presence_read_thread(const struct etl_event *event, struct etl_presence *ret,
				     struct etl_text *ret_name)
{
	struct etl_thread thread;
	if (!etl_payload_thread(event, &thread))
		return false;
	*ret = (struct etl_presence){
		.kind = ETL_PRESENCE_THREAD,
		.pid = thread.pid,
		.tid = thread.tid,
	};
	*ret_name = thread.name;
	return true;
}

static bool etl_presence_read_image(const struct etl_event *event, struct etl_presence *ret,
				    struct etl_text *ret_name)
{
	struct etl_image image;
	if (!etl_payload_image(event, &image))
		return false;
	*ret = (struct etl_presence){
		.kind = ETL_PRESENCE_IMAGE,
		.pid = image.pid,
		.base = image.base,
		.size = image.size,
		.time_stamp = image.time_stamp,
	};
	*ret_name = image.path;
	return true;
}

typedef bool (*etl_presence_reader)(const struct etl_event *event, struct etl_presence *ret,
				    struct etl_text *ret_name);

static etl_presence_reader etl_presence_reader_of(const struct etl_event *event)
{
	bool is_life = event->opcode >= ETL_BEGIN && event->opcode <= ETL_THERE_AT_END;
	bool is_load = event->opcode == ETL_IMAGE_LOAD;
	if (is_load && (event->class == ETL_CLASS_PROCESS || event->class == ETL_CLASS_IMAGE))
		return etl_presence_read_image;
	if (is_life && event->opcode != ETL_BEGIN && event->class == ETL_CLASS_IMAGE)
		return etl_presence_read_image;
	if (is_life && event->class == ETL_CLASS_PROCESS)
		return etl_presence_read_process;
	return is_life && event->class == ETL_CLASS_THREAD ? etl_presence_read_thread : NULL;
}

struct error *etl_presence_read(const struct etl_event *event, struct etl_modules *modules,
				struct etl_presence *ret, uint32_t *ret_life, bool *ret_is_one,
				bool *ret_is_bad)
{
	etl_presence_reader reader = etl_presence_reader_of(event);
	struct etl_presence presence;
	struct etl_text name;
	bool is_one = reader && reader(event, &presence, &name);
	*ret_is_bad = reader && !is_one;
	*ret_is_one = is_one;
	if (!is_one)
		return NULL;
	*ret_life = event->opcode == ETL_IMAGE_LOAD ? ETL_BEGIN : event->opcode;
	presence.name = NULL;
	presence.time_ns = event->time_ns;
	struct error *err = name.size ? etl_modules_text(modules, name, &presence.name) : NULL;
	if (!err)
		*ret = presence;
	return err;
}

void etl_rundown_deinit(struct etl_rundown *rundown)
{
	free(rundown->items);
	free(rundown->late);
	hash_table_deinit(&rundown->index);
	*rundown = (struct etl_rundown)ETL_RUNDOWN_INIT;
}
