// SPDX-License-Identifier: Apache-2.0

#include "profile/feedback_contexts.h"

#include "base/container/array.h"
#include "profile/feedback_discriminator.h"

#include <stdlib.h>
#include <string.h>

// In a stack table, callers have lower numbers than what they call. One pass over its nodes
// therefore finds the context of each: that of an inlined frame is within the context of the node
// before, and all others are functions.
//
// Names are cut as LLVM cuts those of its functions before it looks for them in a profile
// (FunctionSamples::getCanonicalFnName() in its SampleProf.h): ".llvm.123", ".cold" and the like
// are appended by passes that run later. ".__uniq.123" is appended by clang itself and stays.

enum {
	// Of inlined calls within each other, as object/dwarf/ reads them.
	MAX_DEPTH = 256,
	LINE_MASK = UINT16_MAX, // lines before the definition wrap, as in LLVM's getOffset()
};

static const char unique_suffix[] = ".__uniq.";

void feedback_contexts_deinit(struct feedback_contexts *contexts)
{
	free(contexts->items);
	free(contexts->of_stacks);
	hash_table_deinit(&contexts->index);
	string_table_deinit(&contexts->names);
}

static size_t feedback_name_length(const char *name)
{
	const char *unique = strstr(name, unique_suffix);
	if (unique)
		return (size_t)(unique - name) + strlen(unique_suffix) +
		       strcspn(unique + strlen(unique_suffix), ".");
	return strcspn(name, ".");
}

/** Readers take other lines for comments, numbers, properties or the contexts of callers. */
static bool is_feedback_name(const char *name, size_t length)
{
	if (!length || strchr("0123456789#![", name[0]))
		return false;
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)name[i] <= ' ' || name[i] == ':' || name[i] == '\x7f')
			return false;
	return true;
}

struct feedback_place feedback_place_of(const struct named_profile *profile,
					const struct named_frame *frame)
{
	uint32_t line = frame->line - profile->functions[frame->function].line;
	return (struct feedback_place){line & LINE_MASK,
				       feedback_discriminator_piece(frame->discriminator)};
}

int feedback_place_compare(struct feedback_place a, struct feedback_place b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return (a.piece > b.piece) - (a.piece < b.piece);
}

static bool feedback_context_is(const void *owner, uint32_t index, const void *key)
{
	const struct feedback_context *context =
		&((const struct feedback_contexts *)owner)->items[index];
	const struct feedback_context *wanted = key;
	return context->parent == wanted->parent && context->name == wanted->name &&
	       !feedback_place_compare(context->place, wanted->place);
}

static struct error *feedback_contexts_intern(struct feedback_contexts *contexts,
					      const struct feedback_context *context, uint32_t *ret)
{
	const uint32_t key[] = {context->parent, context->name, context->place.line,
				context->place.piece};
	uint64_t hash = hash_bytes(key, sizeof(key));
	uint32_t index =
		hash_table_find(&contexts->index, hash, feedback_context_is, contexts, context);
	if (index == HASH_TABLE_NONE) {
		index = (uint32_t)contexts->num_items;
		struct error *err = array_reserve(&contexts->items, &contexts->cap_items,
						  contexts->num_items + 1);
		if (!err)
			err = hash_table_insert(&contexts->index, hash, index);
		if (err)
			return err;
		contexts->items[contexts->num_items] = *context;
		contexts->items[contexts->num_items++].root =
			context->depth ? contexts->items[context->parent].root : index;
	}
	*ret = index;
	return NULL;
}

/** What the frame is inlined into, and where. False: that is not known. */
static bool feedback_contexts_find_parent(const struct feedback_contexts *contexts,
					  const struct named_profile *profile, uint32_t stack,
					  struct feedback_context *context)
{
	uint32_t around = profile->stacks.nodes[stack].parent;
	if (around == STACK_NONE || contexts->of_stacks[around] == FEEDBACK_NONE)
		return false;
	const struct named_frame *call = &profile->frames[profile->stacks.nodes[around].frame];
	context->parent = contexts->of_stacks[around];
	context->depth = contexts->items[context->parent].depth + 1;
	context->place = feedback_place_of(profile, call);
	return call->line && context->depth < MAX_DEPTH;
}

static struct error *feedback_contexts_add(struct feedback_contexts *contexts,
					   const struct named_profile *profile, uint32_t module,
					   uint32_t stack)
{
	const struct named_frame *frame = &profile->frames[profile->stacks.nodes[stack].frame];
	const struct named_function *function = &profile->functions[frame->function];
	const char *name = named_profile_text(
		profile, function->linkage_name ? function->linkage_name : function->name);
	size_t length = feedback_name_length(name);
	struct feedback_context context = {.parent = FEEDBACK_NONE};
	contexts->of_stacks[stack] = FEEDBACK_NONE;
	if (function->module != module || function->kind != FRAME_NATIVE || !function->line ||
	    !is_feedback_name(name, length))
		return NULL;
	if (frame->is_inlined && !feedback_contexts_find_parent(contexts, profile, stack, &context))
		return NULL;
	struct error *err = string_table_intern_n(&contexts->names, name, length, &context.name);
	return err ? err
		   : feedback_contexts_intern(contexts, &context, &contexts->of_stacks[stack]);
}

struct error *feedback_contexts_init(struct feedback_contexts *contexts,
				     const struct named_profile *profile, uint32_t module)
{
	*contexts = (struct feedback_contexts){.names = STRING_TABLE_INIT};
	contexts->of_stacks = calloc(profile->stacks.num_nodes + 1, sizeof(uint32_t));
	if (!contexts->of_stacks)
		return &error_no_memory;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < profile->stacks.num_nodes; i++)
		err = feedback_contexts_add(contexts, profile, module, i);
	return err;
}
