// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/task_records.h"

#include "driver/emulator/plugin/guest_thread.h"
#include "driver/emulator/plugin/plugin_state.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Records of linux/perf_event.h with sample_id_all: MMAP2, COMM, FORK and EXIT, each followed by
// the trailer of TID, TIME, CPU and IDENTIFIER. They are built word by word, as all fields are
// aligned.

enum {
	TRAILER_WORDS = 4, // who, when, where, of which event
	TIME_FROM_END = 3,
	MAX_WORDS = 8 + REGION_PATH_SIZE / 8 + TRAILER_WORDS + 2,
};

struct record_builder {
	uint64_t words[MAX_WORDS];
	size_t num_words;
};

static uint64_t task_records_pair(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

static void task_records_add(struct record_builder *builder, uint64_t word)
{
	builder->words[builder->num_words++] = word;
}

/** With its end, filled up to a word. */
static void add_text(struct record_builder *builder, const char *text)
{
	size_t length = strlen(text);
	if (length >= REGION_PATH_SIZE)
		length = REGION_PATH_SIZE - 1;
	size_t num_words = length / 8 + 1;
	memset(&builder->words[builder->num_words], 0, num_words * 8);
	memcpy(&builder->words[builder->num_words], text, length);
	builder->num_words += num_words;
}

static uint64_t own_ids(void)
{
	return task_records_pair((uint32_t)getpid(), (uint32_t)gettid());
}

static void task_records_finish(struct record_builder *builder, uint32_t type, uint16_t misc,
				struct guest_thread *thread)
{
	struct plugin *plugin = thread->plugin;
	task_records_add(builder, own_ids());
	task_records_add(builder, 0);
	task_records_add(builder, thread->core);
	task_records_add(builder, plugin->config->sampled[0].id);
	struct perf_event_header header = {
		.type = type, .misc = misc, .size = (uint16_t)(builder->num_words * 8)};
	memcpy(builder->words, &header, sizeof(header));
	ring_write(&plugin->ring, builder->words, builder->num_words,
		   builder->num_words - TIME_FROM_END, guest_thread_passed_ns(thread));
}

void task_records_map(struct guest_thread *thread, const struct mapped_file *mapped)
{
	struct record_builder builder = {.num_words = 1};
	task_records_add(&builder, own_ids());
	task_records_add(&builder, mapped->start);
	task_records_add(&builder, mapped->end - mapped->start);
	task_records_add(&builder, mapped->offset);
	task_records_add(&builder, task_records_pair(mapped->major, mapped->minor));
	task_records_add(&builder, mapped->inode);
	task_records_add(&builder, 0); // generation of the inode
	task_records_add(&builder, task_records_pair(PROT_READ | PROT_EXEC, MAP_PRIVATE));
	add_text(&builder, *mapped->path ? mapped->path : "//anon");
	task_records_finish(&builder, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, thread);
}

void task_records_name(struct guest_thread *thread, const char *name, bool is_exec)
{
	struct record_builder builder = {.num_words = 1};
	task_records_add(&builder, own_ids());
	add_text(&builder, name);
	task_records_finish(&builder, PERF_RECORD_COMM, is_exec ? PERF_RECORD_MISC_COMM_EXEC : 0,
			    thread);
}

static void add_task(struct guest_thread *thread, uint32_t type, int32_t parent_pid,
		     int32_t parent_tid)
{
	struct record_builder builder = {.num_words = 1};
	task_records_add(&builder, task_records_pair((uint32_t)getpid(), (uint32_t)parent_pid));
	task_records_add(&builder, task_records_pair((uint32_t)gettid(), (uint32_t)parent_tid));
	task_records_add(&builder, thread->plugin->region->now_ns);
	task_records_finish(&builder, type, 0, thread);
}

void task_records_fork(struct guest_thread *thread, int32_t parent_pid, int32_t parent_tid)
{
	add_task(thread, PERF_RECORD_FORK, parent_pid, parent_tid);
}

void task_records_exit(struct guest_thread *thread)
{
	add_task(thread, PERF_RECORD_EXIT, getppid(), getppid());
}
