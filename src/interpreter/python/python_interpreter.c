// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_interpreter.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/container/string_table.h"
#include "base/os/clock.h"
#include "base/os/privileges.h"
#include "interpreter/kernel_walks.h"
#include "interpreter/python/python_dump.h"
#include "interpreter/python/python_language.h"
#include "interpreter/python/python_loops.h"
#include "interpreter/python/python_names.h"
#include "interpreter/python/python_process.h"
#include "interpreter/python/python_program.h"
#include "interpreter/python/python_raise.h"
#include "interpreter/python/python_reading.h"
#include "interpreter/python/python_roles.h"
#include "interpreter/python/python_trial.h"
#include "interpreter/python/stack/python_code.h"
#include "interpreter/python/stack/python_raise_stack.h"
#include "interpreter/python/task/python_coroutine.h"
#include "interpreter/python/task/python_task_stack.h"
#include "profile/interpreted/interpreted_raise.h"
#include "profile/interpreted/interpreted_task.h"
#include "source/kernel_walk.h"

#include <stdlib.h>

// What python_process.c finds in a mapped file becomes a python_process. Its layout in memory is on
// trial (python_trial.c) until it has passed, and frames are not trusted before, unless the layout
// is that of a known version and nothing speaks against it.
//
// python_interpreter_find() turns frames into places. Known frames of the process come first, by
// code object, instruction and version. Otherwise the code object is read now (python_code.c),
// because it can be freed at any time.

/** What a process's frame was found to be. */
struct known_frame {
	struct interpreted_frame frame;
	uint64_t place;
};

/** A process with CPython. It stays where it is: its code table refers to its runtime. */
struct python_process {
	struct interpreted_process base;
	struct python_runtime runtime;
	struct python_trial
		trial; /* one that has failed is only remembered so as not to ask again */
	struct python_code_table codes;
	struct python_reading *reading;         /* NULL: nobody asked yet */
	struct python_task_stack *task_stack;   /* NULL: not asked for */
	struct python_raise_stack *raise_stack; /* NULL: no exceptions were asked for */
	bool knows_tasks;                       /* where asyncio has them */
	uint32_t num_task_searches;             /* for that */
	bool may_be_read; /* its memory, by the user: else copies are not asked for */
	struct known_frame *known;
	size_t num_known, cap_known;
	struct hash_table known_index;
};

static void python_interpreter_destroy(struct interpreted_process *process)
{
	struct python_process *python = (struct python_process *)process;
	python_code_table_deinit(&python->codes);
	python_reading_destroy(python->reading);
	python_task_stack_destroy(python->task_stack);
	free(python->raise_stack);
	hash_table_deinit(&python->known_index);
	free(python->known);
	free(python);
}

/** What stacks get besides frames, if it is asked for. */
static struct error *python_interpreter_create_extras(struct python_process *python,
						      struct interpreter_context *context)
{
	if (context->with_raises)
		python->raise_stack = calloc(1, sizeof(*python->raise_stack));
	if (context->with_raises && !python->raise_stack)
		return &error_no_memory;
	return context->by_task ? python_task_stack_create(&python->runtime, &context->task_names,
							   &python->task_stack)
				: NULL;
}

static struct error *python_interpreter_create(struct interpreter_context *context, uint32_t pid,
					       const struct python_runtime *runtime,
					       struct python_process **ret)
{
	struct python_process *python = calloc(1, sizeof(*python));
	if (!python)
		return &error_no_memory;
	python->runtime = *runtime;
	python->runtime.memory = process_memory_of(pid);
	python_code_table_init(&python->codes, &python->runtime, &context->budget);
	struct error *err = python_interpreter_create_extras(python, context);
	if (err) {
		python_interpreter_destroy(&python->base);
		return err;
	}
	*ret = python;
	return NULL;
}

/** The kernel's copies are of all processes, with the rights that wperf's file may have lent. */
static bool python_interpreter_may_read(uint32_t pid)
{
	if (privileges_are_root())
		return true;
	_cleanup_(error_destroyp) struct error *refused = process_memory_check(pid);
	return !refused;
}

/** Without it, samples say where, but not what. */
static void python_interpreter_find_raise(struct python_process *python,
					  const struct module *module,
					  const struct module_file_search *search)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	uint64_t linked;
	error_destroy(module_file_open(search, module, &object));
	if (object && python_raise_find(object, &linked))
		python->runtime.walk.raise_address = linked + python->runtime.bias;
}

static struct error *python_interpreter_attach(struct interpreter_context *context,
					       const struct process *process,
					       const struct mapping *mapping,
					       const struct module *module,
					       struct interpreted_process **ret)
{
	struct python_runtime runtime;
	struct python_process *python;
	uint32_t loops;
	struct error *err =
		python_process_find_in(process, mapping, module, &context->loops->search, &runtime);
	if (!err)
		err = eval_loops_add(context->loops, &python_interpreter_ops, module, &loops);
	if (!err)
		err = python_interpreter_create(context, process->pid, &runtime, &python);
	if (err)
		return err;
	python->may_be_read = python_interpreter_may_read(process->pid);
	if (context->with_raises)
		python_interpreter_find_raise(python, module, &context->loops->search);
	python->base.loops = loops;
	python->base.bias = runtime.bias;
	*ret = &python->base;
	return NULL;
}

static struct error *python_interpreter_fork(const struct interpreted_process *parent, uint32_t pid,
					     struct interpreted_process **ret)
{
	const struct python_process *from = (const struct python_process *)parent;
	struct python_process *python;
	struct error *err =
		python_interpreter_create(parent->context, pid, &from->runtime, &python);
	if (err)
		return err;
	// The memory is a copy of the parent's: what was proven there holds here.
	python->trial = from->trial;
	python->knows_tasks = from->knows_tasks;
	python->may_be_read = from->may_be_read;
	*ret = &python->base;
	return NULL;
}

// A program chooses the names of its files, and how many there are.
static bool python_interpreter_note_module(struct interpreted_process *process,
					   const struct mapping *mapping,
					   const struct module *module)
{
	enum { MAX_SEARCHES = 16 };
	struct python_process *python = (struct python_process *)process;
	struct python_walk *walk = &python->runtime.walk;
	struct python_asyncio asyncio;
	if (python->knows_tasks || python->num_task_searches == MAX_SEARCHES ||
	    !python_process_may_have_asyncio(module->path))
		return false;
	python->num_task_searches++;
	if (!python_process_find_asyncio_in(&python->runtime, mapping, module,
					    &process->context->loops->search, &asyncio) ||
	    !python_coroutine_set_walk(&python->runtime.layout, walk))
		return false;
	walk->thread_running_task = asyncio.thread_running_task;
	walk->task_coroutine = asyncio.task_coroutine;
	walk->task_name = asyncio.task_name;
	walk->task_awaited_by = asyncio.task_awaited_by;
	walk->task_awaited_by_is_set = asyncio.task_awaited_by_is_set;
	python->knows_tasks = true;
	return true;
}

/** It has passed its trial, but the trial does not check every structure that wperf reads. */
static void note_guess(const struct python_process *python)
{
	_cleanup_(string_builder_deinit) struct string_builder note = STRING_BUILDER_INIT;
	string_builder_appendf(&note,
			       "note: Python 3.%u is newer than this wperf; it is read as 3.%d, "
			       "which has the same layout\n",
			       python->runtime.layout.minor, PYTHON_NEWEST_MINOR);
	interpreter_context_note(python->base.context, string_builder_peek(&note));
}

static struct error *python_interpreter_check(struct interpreted_process *process,
					      bool *ret_is_changed)
{
	struct python_process *python = (struct python_process *)process;
	if (python->trial.end != PYTHON_TRIAL_GOES_ON)
		return NULL;
	// The memory of a process that has ended cannot be read: that says nothing of its layout.
	_cleanup_(error_destroyp) struct error *gone = process_memory_check(process->pid);
	if (gone)
		return NULL;
	struct error *reason = NULL;
	struct error *err = python_trial_go_on(&python->trial, &python->runtime,
					       clock_ns(CLOCK_MONOTONIC), &reason);
	bool has_passed = python->trial.end == PYTHON_TRIAL_PASSED;
	if (!err && python->trial.end != PYTHON_TRIAL_GOES_ON)
		*ret_is_changed = !has_passed || python->runtime.is_guess;
	if (has_passed && python->runtime.is_guess)
		note_guess(python);
	return reason ? reason : err;
}

static bool python_interpreter_is_trusted(const struct interpreted_process *process)
{
	const struct python_process *python = (const struct python_process *)process;
	return python_trial_is_trusted(&python->trial, python->runtime.is_guess);
}

static void python_interpreter_kernel_walk(const struct interpreted_process *process,
					   struct kernel_walk *ret)
{
	const struct python_process *python = (const struct python_process *)process;
	*ret = (struct kernel_walk){
		.number = KERNEL_WALK_PYTHON,
		.layout = &python->runtime.walk,
		.layout_bytes = sizeof(python->runtime.walk),
	};
}

static struct error *python_interpreter_read(struct interpreted_process *process, uint32_t tid,
					     bool is_away, struct record_sample *sample)
{
	struct python_process *python = (struct python_process *)process;
	struct error *err = NULL;
	if (!python->reading)
		err = python_reading_create(process->pid, &python->runtime, &python->reading);
	return err ? err : python_reading_take(python->reading, tid, is_away, sample);
}

static bool is_compiled(const struct interpreted_frame *frame)
{
	return frame->flags & INTERPRETED_FRAME_IS_COMPILED;
}

/** The flags that make it another place. */
static uint16_t kind_of(const struct interpreted_frame *frame)
{
	return frame->flags & (INTERPRETED_FRAME_IS_COMPILED | INTERPRETED_FRAME_IS_TASK |
			       INTERPRETED_FRAME_IS_RAISE);
}

/** Its number; 0: it is no exception. */
static uint64_t raised_type(const struct interpreted_frame *frame)
{
	return frame->flags & INTERPRETED_FRAME_IS_RAISE ? frame->stack : 0;
}

/** The instruction gives the line. The version is for code that was freed, with other code at the
 *  same address now; the number of the copy is for free-threaded builds, where `instruction` points
 *  into a copy of the bytecode. */
static bool known_frame_is(const void *owner, uint32_t index, const void *key)
{
	const struct interpreted_frame *a = &((const struct known_frame *)owner)[index].frame,
				       *b = key;
	return a->code == b->code && a->instruction == b->instruction && a->version == b->version &&
	       a->tlbc == b->tlbc && kind_of(a) == kind_of(b) && raised_type(a) == raised_type(b);
}

static uint64_t known_frame_hash(const struct interpreted_frame *frame)
{
	const uint64_t words[] = {frame->code, frame->instruction,
				  (uint64_t)frame->version << 16 | frame->tlbc, kind_of(frame),
				  raised_type(frame)};
	return hash_bytes(words, sizeof(words));
}

/** @ret: PYTHON_CODE_NONE: there is no copy either. */
static struct error *python_interpreter_find_copied(struct python_process *python,
						    const struct interpreted_frame *frame,
						    uint32_t *ret)
{
	const struct object_copy_key key = {
		.pid = python->base.pid,
		.version = frame->version,
		.address = frame->code,
	};
	struct object_copy copy;
	return python->may_be_read &&
			       interpreter_context_find_copy(python->base.context, &key, &copy)
		       ? python_code_table_find_copied(&python->codes, frame, &copy, ret)
		       : NULL;
}

/** @ret: PYTHON_CODE_NONE: it is gone. */
static struct error *python_interpreter_find_code(struct python_process *python,
						  const struct interpreted_frame *frame,
						  uint32_t *ret)
{
	struct error *err = python_code_table_find(&python->codes, frame, ret);
	if (!err && *ret == PYTHON_CODE_NONE)
		err = python_interpreter_find_copied(python, frame, ret);
	return err;
}

/** A task has the name of its coroutine, unless the program gave it one. */
static struct error *python_interpreter_add_task(struct python_process *python,
						 const struct python_code *code,
						 const struct interpreted_frame *frame,
						 uint64_t *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const char *name = python_task_stack_name(&python->base.context->task_names, frame);
	if (name)
		string_builder_appendf(&text, "task %s", name);
	else
		string_builder_appendf(&text, "task %s()",
				       string_table_get(&python->codes.strings,
							code->qualified_name));
	if (text.failed)
		return &error_no_memory;
	const struct line_image_line line = {
		.function = string_builder_peek(&text),
		.file = INTERPRETED_TASK_FILE,
	};
	return code_places_add(python->base.context->places, &line, ret);
}

/** Each line that raises it is a function of its own, as functions have one definition. */
static struct error *python_interpreter_add_raise(struct python_process *python,
						  const struct python_code *code, uint32_t number,
						  const struct interpreted_frame *frame,
						  uint64_t *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const char *type = python_raise_stack_name(&python->base.context->type_names, frame);
	string_builder_appendf(&text, INTERPRETED_RAISE_PREFIX "%s", type ? type : "?");
	if (text.failed)
		return &error_no_memory;
	const struct line_image_line line = {
		.function = string_builder_peek(&text),
		.file = string_table_get(&python->codes.strings, code->file),
		.first_line = number,
		.last_line = number,
		.line = number,
		.is_compiled = is_compiled(frame),
	};
	return code_places_add(python->base.context->places, &line, ret);
}

/** @ret: unchanged if the code is gone. */
static struct error *python_interpreter_read_place(struct python_process *python,
						   const struct interpreted_frame *frame,
						   uint64_t *ret)
{
	struct interpreter_context *context = python->base.context;
	uint32_t code;
	struct error *err = python_interpreter_find_code(python, frame, &code);
	if (context->budget.num_cuts)
		interpreter_context_note(context,
					 "note: Python lines are incomplete: the line tables of "
					 "its code take more than 128 MB\n");
	if (err || code == PYTHON_CODE_NONE)
		return err;
	const struct python_code *item = &python->codes.items[code];
	if (frame->flags & INTERPRETED_FRAME_IS_TASK)
		return python_interpreter_add_task(python, item, frame, ret);
	struct code_position position = python_code_position(&python->codes, code, frame);
	if (frame->flags & INTERPRETED_FRAME_IS_RAISE)
		return python_interpreter_add_raise(python, item, position.line, frame, ret);
	const struct string_table *strings = &python->codes.strings;
	const struct line_image_line line = {
		.function = string_table_get(strings, item->qualified_name),
		.file = string_table_get(strings, item->file),
		.first_line = item->lines.first_line,
		.last_line = item->last_line,
		.line = position.line,
		.is_compiled = is_compiled(frame),
	};
	return code_places_add(context->places, &line, ret);
}

static struct error *python_interpreter_learn(struct python_process *python,
					      const struct interpreted_frame *frame, uint64_t hash,
					      uint64_t *ret)
{
	*ret = CODE_PLACE_NONE;
	struct error *err = python_interpreter_read_place(python, frame, ret);
	// A failure is not remembered: other code may get this address later.
	if (err || *ret == CODE_PLACE_NONE)
		return err;
	err = array_reserve(&python->known, &python->cap_known, python->num_known + 1);
	if (!err)
		err = hash_table_insert(&python->known_index, hash, (uint32_t)python->num_known);
	if (!err)
		python->known[python->num_known++] =
			(struct known_frame){.frame = *frame, .place = *ret};
	return err;
}

static struct error *python_interpreter_find(struct interpreted_process *process,
					     const struct interpreted_frame *frames,
					     size_t num_frames, uint64_t *ret)
{
	struct python_process *python = (struct python_process *)process;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_frames; i++) {
		uint64_t hash = known_frame_hash(&frames[i]);
		uint32_t index = hash_table_find(&python->known_index, hash, known_frame_is,
						 python->known, &frames[i]);
		if (index != HASH_TABLE_NONE)
			ret[i] = python->known[index].place;
		else
			err = python_interpreter_learn(python, &frames[i], hash, &ret[i]);
	}
	return err;
}

/**
 * The outermost coroutine of a stack is that of the task: an event loop, which is outside of it, is
 * a function, as are the callbacks that it calls.
 * @ret: the number of frames from the innermost to it; 0: there is none.
 */
static struct error *python_interpreter_count_task(struct python_process *python,
						   const struct record_sample *sample, size_t *ret)
{
	struct error *err = NULL;
	*ret = 0;
	for (size_t i = sample->num_frames; !err && !*ret && i > 0; i--) {
		uint32_t code;
		err = python_interpreter_find_code(python, &sample->frames[i - 1], &code);
		if (!err && code != PYTHON_CODE_NONE && python->codes.items[code].is_coroutine)
			*ret = i;
	}
	return err;
}

/** What the walk in the kernel has found of tasks, or what the frames say. */
static struct error *python_interpreter_root_at_task(struct python_process *python,
						     struct record_sample *sample)
{
	struct interpreter_context *context = python->base.context;
	struct python_task_stack *stack = python->task_stack;
	size_t num = 0;
	if (python_task_stack_is_found(sample)) {
		struct error *err = python_task_stack_decode(stack, python->may_be_read, sample);
		if (stack->has_more_names)
			interpreter_context_note(context,
						 "note: tasks have more than 4096 names; further "
						 "ones are named by their coroutines\n");
		return err;
	}
	// Of a stack that is cut, the outermost frames are missing.
	if (sample->walk_end != FRAME_WALK_WHOLE)
		return NULL;
	struct error *err = python_interpreter_count_task(python, sample, &num);
	if (!err && num)
		python_task_stack_cut(stack, num, sample);
	return err;
}

static struct error *python_interpreter_complete(struct interpreted_process *process,
						 struct record_sample *sample)
{
	struct python_process *python = (struct python_process *)process;
	struct interpreter_context *context = process->context;
	struct error *err = NULL;
	if (context->with_raises)
		err = python_raise_stack_decode(python->raise_stack,
						python->may_be_read ? &context->type_names : NULL,
						sample);
	return err || !context->by_task ? err : python_interpreter_root_at_task(python, sample);
}

static struct error *python_interpreter_read_names(struct interpreted_process *process,
						   struct thread_names *names)
{
	const struct python_process *python = (const struct python_process *)process;
	return python_names_read(process->pid, &python->runtime, names);
}

const struct interpreter_ops python_interpreter_ops = {
	.language = &python_language,
	.is_program = python_program_is_name,
	.is_mapped_as = python_program_is_mapped_as,
	.runs_script = python_program_runs_script,
	.may_be_in = python_loops_may_be_in,
	.is_named_in = python_loops_are_named_in,
	.find_loops = python_loops_find,
	.find_raise = python_raise_find,
	.is_loop_name = python_loops_is_name,
	.attach = python_interpreter_attach,
	.note_module = python_interpreter_note_module,
	.fork = python_interpreter_fork,
	.destroy = python_interpreter_destroy,
	.check = python_interpreter_check,
	.is_trusted = python_interpreter_is_trusted,
	.kernel_walk = python_interpreter_kernel_walk,
	.read = python_interpreter_read,
	.complete = python_interpreter_complete,
	.find = python_interpreter_find,
	.read_names = python_interpreter_read_names,
	.role_of_command = python_roles_of_command,
	.dump = &python_dump_ops,
};
