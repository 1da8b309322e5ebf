// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_process.h"

#include "base/cleanup.h"
#include "source/kernel_walk.h"
#include "source/source.h"

#include <string.h>

// interpreted_process_find() turns frames into the numbers of places. What a child that has ended
// cannot tell any more is asked of its parents: code that existed before the fork is at the same
// address there. Therefore a parent is kept as long as a child needs it, at most MAX_DEPTH
// generations: a daemon that forks a child and ends, over and over, would keep all before it.

enum { MAX_DEPTH = 4 };

/** Once, however many processes there are of the kind. */
void interpreter_context_note(struct interpreter_context *context, const char *note)
{
	if (!strstr(string_builder_peek(&context->notes), note))
		string_builder_append(&context->notes, note);
}

bool interpreter_context_find_copy(const struct interpreter_context *context,
				   const struct object_copy_key *key, struct object_copy *ret)
{
	const struct sample_ops *sample = context->source ? context->source->ops->sample : NULL;
	return sample && sample->find_copy && sample->find_copy(context->source, key, ret);
}

/** Destroys the process, and then its parents one by one, if they have ended and have no children
 *  left that may need their code. */
static void release_process(struct interpreted_process *process)
{
	while (process && process->is_over && !process->num_children) {
		struct interpreted_process *parent = process->parent;
		process->ops->destroy(process);
		if (parent)
			parent->num_children--;
		process = parent;
	}
}

static void let_go_of_parent(struct interpreted_process *process)
{
	struct interpreted_process *parent = process->parent;
	process->parent = NULL;
	process->depth = 0;
	if (!parent)
		return;
	parent->num_children--;
	release_process(parent);
}

void interpreted_process_end(struct interpreted_process *process)
{
	process->is_over = true;
	release_process(process);
}

void interpreted_process_set_parent(struct interpreted_process *process,
				    struct interpreted_process *parent)
{
	if (parent->depth == MAX_DEPTH)
		let_go_of_parent(parent);
	process->parent = parent;
	process->depth = parent->depth + 1;
	parent->num_children++;
}

/** A module without an interpreter (ERROR_ABSENT) is the usual case. The user is told only of an
 *  interpreter that cannot be read. */
struct error *interpreter_context_complain(struct interpreter_context *context,
					   const struct interpreter_ops *ops, struct error *err)
{
	if (err->code == ERROR_NO_MEMORY)
		return err;
	if (err->code == ERROR_FAILED) {
		_cleanup_(string_builder_deinit) struct string_builder note = STRING_BUILDER_INIT;
		string_builder_appendf(&note, "note: no %s lines: %s\n", ops->language->name,
				       err->message);
		if (err->hint)
			string_builder_appendf(&note, "hint: %s\n", err->hint);
		interpreter_context_note(context, string_builder_peek(&note));
	}
	error_destroy(err);
	return NULL;
}

bool interpreted_process_is_trusted(const struct interpreted_process *process)
{
	return !process->ops->is_trusted || process->ops->is_trusted(process);
}

struct error *interpreter_change_tell(const struct interpreter_change *change,
				      struct source *source)
{
	const struct sample_ops *sample = source->ops->sample;
	if (!change->is_changed || !change->ops->kernel_walk || !sample->walk)
		return NULL;
	if (!change->process)
		return sample->walk(source, change->pid, NULL);
	struct kernel_walk walk;
	change->ops->kernel_walk(change->process, &walk);
	return sample->walk(source, change->pid, &walk);
}

struct error *interpreted_process_check(struct interpreted_process *process,
					struct interpreter_change *ret)
{
	if (!process->ops->check)
		return NULL;
	struct error *err = process->ops->check(process, &ret->is_changed);
	ret->ops = process->ops;
	ret->process = interpreted_process_is_trusted(process) ? process : NULL;
	return err ? interpreter_context_complain(process->context, process->ops, err) : NULL;
}

struct error *interpreted_process_find(struct interpreted_process *process,
				       const struct interpreted_frame *frames, size_t num_frames,
				       uint64_t *ret)
{
	struct error *err = process->ops->find(process, frames, num_frames, ret);
	for (size_t i = 0; !err && i < num_frames; i++) {
		struct interpreted_process *parent = process->parent;
		for (; !err && parent && ret[i] == CODE_PLACE_NONE; parent = parent->parent)
			err = parent->ops->find(parent, &frames[i], 1, &ret[i]);
		if (err || ret[i] != CODE_PLACE_NONE)
			continue;
		ret[i] = process->unknown;
		process->context->num_unnamed++;
	}
	return err;
}
