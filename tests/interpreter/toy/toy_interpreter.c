// SPDX-License-Identifier: Apache-2.0

#include "tests/interpreter/toy/toy_interpreter.h"

#include "base/cleanup.h"
#include "base/file/file_name.h"
#include "object/object.h"
#include "process/memory/process_memory.h"
#include "source/kernel_walk.h"
#include "symbols/module_file.h"
#include "tests/interpreter/toy/toy_dump.h"
#include "tests/interpreter/toy/toy_layout.h"
#include "tests/interpreter/toy/toy_walk.h"

#include <stdlib.h>
#include <string.h>

// All that an interpreter needs: its variable is found by its name, all frames are read at once,
// and functions are read when a frame of theirs comes.

static const char *const no_folders[] = {NULL};
static const struct language toy_language = {.name = "Toy", .package_folders = no_folders};

struct toy_process {
	struct interpreted_process base;
	struct toy_walk walk;
	struct interpreted_frame frames[TOY_MAX_FRAMES];
};

static bool toy_interpreter_may_be_in(const char *path)
{
	return strcmp(file_name_of(path), "toy_program") == 0;
}

static bool toy_interpreter_is_loop_name(const char *symbol)
{
	return strcmp(symbol, "toy_run") == 0;
}

static void toy_interpreter_find_loops(struct object *object, struct eval_loop_ranges *ret)
{
	const struct object_symbol *symbols;
	size_t num_symbols;
	ret->num_items = 0;
	struct error *err = object_symbols(object, &symbols, &num_symbols);
	for (size_t i = 0; !err && i < num_symbols; i++)
		if (toy_interpreter_is_loop_name(symbols[i].name))
			ret->items[ret->num_items++] = (struct symbolizer_range){
				symbols[i].address, symbols[i].address + symbols[i].size};
	error_destroy(err);
}

static struct error *toy_interpreter_attach(struct interpreter_context *context,
					    const struct process *process,
					    const struct mapping *mapping,
					    const struct module *module,
					    struct interpreted_process **ret)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	struct error *err = module_file_open(&context->loops->search, module, &object);
	if (err)
		return err;
	uint64_t linked;
	struct object_variable runtime;
	if (!object_offset_to_address(object, mapping->file_offset, &linked) ||
	    !object_find_variable(object, "toy_runtime", &runtime))
		return error_create(ERROR_ABSENT, "no toy_runtime in '%s'", module->path);
	struct toy_process *toy = calloc(1, sizeof(*toy));
	if (!toy)
		return &error_no_memory;
	err = eval_loops_add(context->loops, &toy_interpreter_ops, module, &toy->base.loops);
	if (err) {
		free(toy);
		return err;
	}
	toy->base.bias = mapping->start - linked;
	toy->walk.runtime = runtime.address + toy->base.bias;
	*ret = &toy->base;
	return NULL;
}

static struct error *toy_interpreter_fork(const struct interpreted_process *parent, uint32_t pid,
					  struct interpreted_process **ret)
{
	struct toy_process *toy = calloc(1, sizeof(*toy));
	if (!toy)
		return &error_no_memory;
	toy->walk = ((const struct toy_process *)parent)->walk;
	*ret = &toy->base;
	return NULL;
}

static void toy_interpreter_destroy(struct interpreted_process *process)
{
	free(process);
}

static void toy_interpreter_kernel_walk(const struct interpreted_process *process,
					struct kernel_walk *ret)
{
	const struct toy_process *toy = (const struct toy_process *)process;
	*ret = (struct kernel_walk){KERNEL_WALK_TOY, &toy->walk, sizeof(toy->walk)};
}

/** Only the first thread runs code. */
static struct error *toy_interpreter_read(struct interpreted_process *process, uint32_t tid,
					  bool is_away, struct record_sample *sample)
{
	struct toy_process *toy = (struct toy_process *)process;
	const struct process_memory memory = process_memory_of(process->pid);
	struct toy_runtime runtime;
	(void)is_away;
	sample->frames = toy->frames;
	sample->num_frames = 0;
	sample->walk_end = FRAME_WALK_NONE;
	sample->gil = GIL_UNKNOWN;
	if (tid != process->pid ||
	    !process_memory_read(&memory, toy->walk.runtime, &runtime, sizeof(runtime)))
		return NULL;
	if (runtime.num_frames > TOY_MAX_FRAMES) {
		sample->walk_end = FRAME_WALK_TORN;
		return NULL;
	}
	sample->walk_end = runtime.num_frames ? FRAME_WALK_WHOLE : FRAME_WALK_NO_FRAMES;
	for (size_t i = runtime.num_frames; i-- > 0;)
		toy->frames[sample->num_frames++] = (struct interpreted_frame){
			.code = runtime.frames[i].function,
			.instruction = runtime.frames[i].instruction,
			.flags = INTERPRETED_FRAME_IS_ENTRY,
		};
	return NULL;
}

static struct error *toy_interpreter_find(struct interpreted_process *process,
					  const struct interpreted_frame *frames, size_t num_frames,
					  uint64_t *ret)
{
	const struct process_memory memory = process_memory_of(process->pid);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_frames; i++) {
		struct toy_function function;
		ret[i] = CODE_PLACE_NONE;
		if (!process_memory_read(&memory, frames[i].code, &function, sizeof(function)) ||
		    !memchr(function.name, 0, TOY_MAX_TEXT) ||
		    !memchr(function.file, 0, TOY_MAX_TEXT) ||
		    frames[i].instruction >= TOY_MAX_CODE)
			continue;
		const struct line_image_line line = {
			.function = function.name,
			.file = function.file,
			.first_line = function.first_line,
			.last_line = function.last_line,
			.line = function.code[frames[i].instruction].line,
		};
		err = code_places_add(process->context->places, &line, &ret[i]);
	}
	return err;
}

const struct interpreter_ops toy_interpreter_ops = {
	.language = &toy_language,
	.is_program = toy_interpreter_may_be_in,
	.is_mapped_as = toy_interpreter_may_be_in,
	.may_be_in = toy_interpreter_may_be_in,
	.is_named_in = toy_interpreter_may_be_in,
	.find_loops = toy_interpreter_find_loops,
	.is_loop_name = toy_interpreter_is_loop_name,
	.attach = toy_interpreter_attach,
	.fork = toy_interpreter_fork,
	.destroy = toy_interpreter_destroy,
	.kernel_walk = toy_interpreter_kernel_walk,
	.read = toy_interpreter_read,
	.find = toy_interpreter_find,
	.dump = &toy_dump_ops,
};
