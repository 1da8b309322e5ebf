// SPDX-License-Identifier: Apache-2.0

#include "tests/interpreter/toy/toy_dump.h"

#include "base/cleanup.h"
#include "base/file/file_name.h"
#include "object/object.h"
#include "process/memory/process_memory.h"
#include "process/thread/running.h"
#include "tests/interpreter/toy/toy_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The maps of the process lead to its program, and this to the variable with all frames. They are
// read at once with the thread; a function, when its frame is asked for.

struct toy_dump {
	struct interpreter_dump base;
	uint32_t pid;
	uint64_t address; /* of its struct toy_runtime */
	struct toy_runtime runtime;
	struct toy_function function; /* of the frame that was read last */
};

/** @ret: 0 if it is not in this file. */
static struct error *toy_dump_find_in(const struct record_map *map, uint64_t *ret)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct error *err = object_open(map->path, "", &object);
	uint64_t linked;
	struct object_variable runtime;
	*ret = 0;
	if (!err && object_offset_to_address(object, map->file_offset, &linked) &&
	    object_find_variable(object, "toy_runtime", &runtime))
		*ret = runtime.address + map->start - linked;
	return err;
}

static struct error *toy_dump_find(uint32_t pid, uint64_t *ret)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	bool more = true;
	*ret = 0;
	while (!err && more && !*ret) {
		struct record record;
		err = running_next(running, &record, &more);
		if (!err && more && record.kind == RECORD_MAP &&
		    strcmp(file_name_of(record.map.path), "toy_program") == 0)
			err = toy_dump_find_in(&record.map, ret);
	}
	return err || *ret ? err : error_create(ERROR_ABSENT, "process %" PRIu32 " is no toy", pid);
}

static struct error *toy_dump_open(const struct dump_request *request,
				   struct interpreter_dump **ret)
{
	uint64_t address;
	struct error *err = toy_dump_find(request->pid, &address);
	if (err)
		return err;
	struct toy_dump *dump = calloc(1, sizeof(*dump));
	if (!dump)
		return &error_no_memory;
	dump->base =
		(struct interpreter_dump){.ops = &toy_dump_ops, .version = "1", .num_threads = 1};
	dump->pid = request->pid;
	dump->address = address;
	*ret = &dump->base;
	return NULL;
}

static void toy_dump_destroy(struct interpreter_dump *dump)
{
	free(dump);
}

static struct error *toy_dump_read_thread(struct interpreter_dump *base, size_t index,
					  struct dump_thread *ret)
{
	struct toy_dump *dump = (struct toy_dump *)base;
	const struct process_memory memory = process_memory_of(dump->pid);
	(void)index;
	*ret = (struct dump_thread){.tid = dump->pid, .id = dump->pid, .end = FRAME_WALK_NO_MEMORY};
	running_thread_name(dump->pid, dump->pid, ret->name, sizeof(ret->name));
	if (!process_memory_read(&memory, dump->address, &dump->runtime, sizeof(dump->runtime)) ||
	    dump->runtime.num_frames > TOY_MAX_FRAMES)
		return NULL;
	ret->num_frames = dump->runtime.num_frames;
	ret->end = ret->num_frames ? FRAME_WALK_WHOLE : FRAME_WALK_NO_FRAMES;
	return NULL;
}

static struct error *toy_dump_read_frame(struct interpreter_dump *base, size_t frame,
					 struct dump_place *ret)
{
	struct toy_dump *dump = (struct toy_dump *)base;
	struct toy_function *function = &dump->function;
	const struct process_memory memory = process_memory_of(dump->pid);
	const struct toy_frame *found = &dump->runtime.frames[dump->runtime.num_frames - 1 - frame];
	*ret = (struct dump_place){.name = NULL};
	if (!process_memory_read(&memory, found->function, function, sizeof(*function)) ||
	    !memchr(function->name, 0, TOY_MAX_TEXT) || !memchr(function->file, 0, TOY_MAX_TEXT) ||
	    found->instruction >= TOY_MAX_CODE)
		return NULL;
	*ret = (struct dump_place){
		.name = function->name,
		.name_length = (uint32_t)strlen(function->name),
		.file = function->file,
		.file_length = (uint32_t)strlen(function->file),
		.position.line = function->code[found->instruction].line,
	};
	return NULL;
}

const struct dump_ops toy_dump_ops = {
	.open = toy_dump_open,
	.destroy = toy_dump_destroy,
	.read_thread = toy_dump_read_thread,
	.read_frame = toy_dump_read_frame,
};
