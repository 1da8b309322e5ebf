// SPDX-License-Identifier: Apache-2.0
// All texts are ranked first: from then on frames, stacks and events are compared by numbers. Ranks
// depend on the texts of the answer alone, not on the order in which an engine has read them.
//
//	texts -> frames, with the builds of their modules joined -> stacks -> samples

#include "fleet/store/store_profile.h"

#include "base/container/array.h"
#include "base/saturating_sum.h"
#include "profile/stored/profile_order.h"

#include <stdlib.h>
#include <string.h>

enum {
	STORE_FRAME_WORDS = 13,
	// Of 2^32 - 1 samples each: nobody has taken so many of one stack.
	STORE_MAX_SPLIT = 1024,
};

/** A text on its way to its rank. */
struct store_text {
	const char *text;
	uint32_t length, string;
};

/** What tells frames apart: ranks of texts, and numbers. */
struct store_frame_key {
	uint32_t words[STORE_FRAME_WORDS];
	uint32_t frame;
};

struct store_stack_key {
	uint32_t service, traits; /* service: a rank */
	const uint32_t *ranks;    /* of its frames */
	size_t depth;
	uint32_t stack;
};

/** A stack of the answer: what its samples have. */
struct store_place {
	uint32_t node, thread;
};

struct store_sample {
	struct named_sample sample;
	struct named_total total;
};

struct store_finish {
	struct store_profile *work;
	const struct store_query *query;
	struct named_profile *profile;
	uint32_t *text_ranks;  /* by string */
	uint32_t *best_frames; /* by string of a path: a frame of the build that is taken */
	struct store_frame_key *frame_keys; /* sorted */
	uint32_t *frame_ranks;              /* by frame */
	uint32_t *frame_items;              /* by rank: of the profile, or NAMED_NONE */
	uint32_t *stack_ranks;              /* of stack_frames[] */
	struct store_stack_key *stack_keys; /* sorted */
	struct store_place *places;         /* by stack */
	uint32_t *event_items;              /* by event */
	struct store_sample *samples;
};

static void store_finish_deinit(struct store_finish *finish)
{
	free(finish->text_ranks);
	free(finish->best_frames);
	free(finish->frame_keys);
	free(finish->frame_ranks);
	free(finish->frame_items);
	free(finish->stack_ranks);
	free(finish->stack_keys);
	free(finish->places);
	free(finish->event_items);
	free(finish->samples);
}

/** Zeros; at least one, so that NULL is no memory. */
static bool store_finish_allocate(struct store_finish *finish)
{
	const struct store_profile *work = finish->work;
	size_t num_texts = work->strings.num_entries;
	return (finish->text_ranks = calloc(num_texts + 1, sizeof(uint32_t))) &&
	       (finish->best_frames = calloc(num_texts + 1, sizeof(uint32_t))) &&
	       (finish->frame_keys = calloc(work->num_frames + 1, sizeof(*finish->frame_keys))) &&
	       (finish->frame_ranks = calloc(work->num_frames + 1, sizeof(uint32_t))) &&
	       (finish->frame_items = calloc(work->num_frames + 1, sizeof(uint32_t))) &&
	       (finish->stack_ranks = calloc(work->num_stack_frames + 1, sizeof(uint32_t))) &&
	       (finish->stack_keys = calloc(work->num_stacks + 1, sizeof(*finish->stack_keys))) &&
	       (finish->places = calloc(work->num_stacks + 1, sizeof(*finish->places))) &&
	       (finish->event_items = calloc(work->num_events + 1, sizeof(uint32_t))) &&
	       (finish->samples = calloc(work->num_sums + 1, sizeof(*finish->samples)));
}

static int store_finish_compare_texts(const void *a, const void *b)
{
	const struct store_text *one = a, *other = b;
	uint32_t shorter = one->length < other->length ? one->length : other->length;
	int order = memcmp(one->text, other->text, shorter);
	return order ? order : (one->length > other->length) - (one->length < other->length);
}

static struct error *store_finish_rank_texts(struct store_finish *finish)
{
	const struct string_table *strings = &finish->work->strings;
	size_t num = strings->num_entries;
	_cleanup_free_ struct store_text *texts = calloc(num + 1, sizeof(*texts));
	if (!texts)
		return &error_no_memory;
	for (uint32_t i = 0; i < num; i++)
		texts[i] = (struct store_text){string_table_get(strings, i),
					       string_table_length(strings, i), i};
	if (num)
		qsort(texts, num, sizeof(*texts), store_finish_compare_texts);
	for (uint32_t i = 0; i < num; i++)
		finish->text_ranks[texts[i].string] = i;
	return NULL;
}

/** A build without an id is taken only if there is no other. */
static bool store_finish_is_better(const struct store_finish *finish, const struct store_frame *one,
				   const struct store_frame *other)
{
	const uint32_t *ranks = finish->text_ranks;
	bool has_id = string_table_length(&finish->work->strings, one->build_id);
	bool other_has_id = string_table_length(&finish->work->strings, other->build_id);
	if (has_id != other_has_id)
		return has_id;
	if (one->build_id != other->build_id)
		return ranks[one->build_id] < ranks[other->build_id];
	return ranks[one->module_name] < ranks[other->module_name];
}

static void store_finish_join_builds(struct store_finish *finish)
{
	struct store_frame *frames = finish->work->frames;
	size_t num = finish->work->num_frames;
	uint32_t *best = finish->best_frames;
	if (finish->query->keeps_builds)
		return;
	memset(best, 0xff, finish->work->strings.num_entries * sizeof(*best));
	for (uint32_t i = 0; i < num; i++) {
		uint32_t path = frames[i].module_path;
		if (frames[i].has_module &&
		    (best[path] == NAMED_NONE ||
		     store_finish_is_better(finish, &frames[i], &frames[best[path]])))
			best[path] = i;
	}
	for (uint32_t i = 0; i < num; i++) {
		if (!frames[i].has_module)
			continue;
		const struct store_frame *taken = &frames[best[frames[i].module_path]];
		if (frames[i].build_id != taken->build_id)
			frames[i].address = 0;
		frames[i].build_id = taken->build_id;
		frames[i].module_name = taken->module_name;
	}
}

static int store_finish_compare_frames(const void *a, const void *b)
{
	const struct store_frame_key *one = a, *other = b;
	for (size_t i = 0; i < STORE_FRAME_WORDS; i++)
		if (one->words[i] != other->words[i])
			return one->words[i] < other->words[i] ? -1 : 1;
	return 0;
}

/** Equal frames have one rank. */
static void store_finish_rank_frames(struct store_finish *finish)
{
	const struct store_profile *work = finish->work;
	const uint32_t *ranks = finish->text_ranks;
	struct store_frame_key *keys = finish->frame_keys;
	for (uint32_t i = 0; i < work->num_frames; i++) {
		const struct store_frame *frame = &work->frames[i];
		keys[i] = (struct store_frame_key){
			{ranks[frame->name], ranks[frame->linkage_name], frame->has_module,
			 frame->has_module ? ranks[frame->module_path] : 0, frame->kind,
			 ranks[frame->function_file], frame->function_line, ranks[frame->file],
			 frame->line, frame->flags, (uint32_t)(frame->address >> 32),
			 (uint32_t)frame->address, frame->has_module ? ranks[frame->build_id] : 0},
			i};
	}
	if (work->num_frames)
		qsort(keys, work->num_frames, sizeof(*keys), store_finish_compare_frames);
	for (uint32_t i = 0, rank = 0; i < work->num_frames; i++) {
		rank += i && store_finish_compare_frames(&keys[i - 1], &keys[i]) != 0;
		finish->frame_ranks[keys[i].frame] = rank;
		finish->frame_items[i] = NAMED_NONE;
	}
}

static int store_finish_compare_stacks(const void *a, const void *b)
{
	const struct store_stack_key *one = a, *other = b;
	if (one->service != other->service)
		return one->service < other->service ? -1 : 1;
	for (size_t i = 0; i < one->depth && i < other->depth; i++)
		if (one->ranks[i] != other->ranks[i])
			return one->ranks[i] < other->ranks[i] ? -1 : 1;
	if (one->depth != other->depth)
		return one->depth < other->depth ? -1 : 1;
	return (one->traits > other->traits) - (one->traits < other->traits);
}

static void store_finish_sort_stacks(struct store_finish *finish)
{
	const struct store_profile *work = finish->work;
	for (size_t i = 0; i < work->num_stack_frames; i++)
		finish->stack_ranks[i] = finish->frame_ranks[work->stack_frames[i]];
	for (uint32_t i = 0; i < work->num_stacks; i++) {
		const struct store_stack *stack = &work->stacks[i];
		finish->stack_keys[i] = (struct store_stack_key){
			.service = finish->text_ranks[stack->service],
			.traits = (uint32_t)stack->traits.gil << 1 | stack->traits.is_idle_task,
			.ranks = &finish->stack_ranks[stack->first],
			.depth = stack->depth,
			.stack = i,
		};
	}
	if (work->num_stacks)
		qsort(finish->stack_keys, work->num_stacks, sizeof(*finish->stack_keys),
		      store_finish_compare_stacks);
}

static struct error *store_finish_text(struct store_finish *finish, uint32_t string, uint32_t *ret)
{
	const struct string_table *strings = &finish->work->strings;
	return string_table_intern_n(&finish->profile->strings, string_table_get(strings, string),
				     string_table_length(strings, string), ret);
}

static struct error *store_finish_module(struct store_finish *finish,
					 const struct store_frame *frame, uint32_t *ret)
{
	struct named_module module = {0};
	*ret = NAMED_NONE;
	if (!frame->has_module)
		return NULL;
	struct error *err = store_finish_text(finish, frame->module_name, &module.name);
	if (!err)
		err = store_finish_text(finish, frame->module_path, &module.path);
	if (!err)
		err = store_finish_text(finish, frame->build_id, &module.build_id);
	if (err)
		return err;
	return finish->query->keeps_builds ? named_profile_build(finish->profile, &module, ret)
					   : named_profile_module(finish->profile, &module, ret);
}

static struct error *store_finish_frame(struct store_finish *finish,
					const struct store_frame *frame, uint32_t *ret)
{
	struct named_function function = {.line = frame->function_line, .kind = frame->kind};
	struct named_frame named = {
		.line = frame->line,
		.is_inlined = frame->flags & STORE_FRAME_INLINED,
		.is_compiled = frame->flags & STORE_FRAME_COMPILED,
		.address = frame->address,
	};
	struct error *err = store_finish_text(finish, frame->name, &function.name);
	if (!err)
		err = store_finish_text(finish, frame->linkage_name, &function.linkage_name);
	if (!err)
		err = store_finish_module(finish, frame, &function.module);
	if (!err)
		err = store_finish_text(finish, frame->function_file, &function.file);
	if (!err)
		err = named_profile_function(finish->profile, &function, &named.function);
	if (!err)
		err = store_finish_text(finish, frame->file, &named.file);
	return err ? err : named_profile_frame(finish->profile, &named, ret);
}

/** Named from the innermost on, as recordings are: of several functions in one line, tables show
 *  the first that was named. */
static struct error *store_finish_push(struct store_finish *finish, const struct store_stack *stack,
				       uint32_t *ret)
{
	const uint32_t *frames = &finish->work->stack_frames[stack->first];
	const uint32_t *ranks = &finish->stack_ranks[stack->first];
	struct error *err = NULL;
	for (size_t i = stack->depth; !err && i > 0; i--) {
		uint32_t *item = &finish->frame_items[ranks[i - 1]];
		if (*item == NAMED_NONE)
			err = store_finish_frame(finish, &finish->work->frames[frames[i - 1]],
						 item);
	}
	*ret = STACK_NONE;
	for (size_t i = 0; !err && i < stack->depth; i++)
		err = stack_table_push(&finish->profile->stacks, *ret,
				       finish->frame_items[ranks[i]], ret);
	return err;
}

/** A service is a thread: there are no others in a store. The idle task stays what it is. */
static struct error *store_finish_thread(struct store_finish *finish,
					 const struct store_stack *stack, uint32_t *ret)
{
	struct named_thread thread = {.pid = UINT32_MAX, .tid = UINT32_MAX};
	struct error *err;
	if (stack->traits.is_idle_task) {
		thread.pid = thread.tid = 0;
		err = named_profile_string(finish->profile, "swapper", &thread.name);
	} else {
		err = store_finish_text(finish, stack->service, &thread.name);
	}
	thread.process_name = thread.name;
	return err ? err : named_profile_thread(finish->profile, &thread, ret);
}

static struct error *store_finish_stacks(struct store_finish *finish)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < finish->work->num_stacks; i++) {
		uint32_t number = finish->stack_keys[i].stack;
		const struct store_stack *stack = &finish->work->stacks[number];
		err = store_finish_push(finish, stack, &finish->places[number].node);
		if (!err)
			err = store_finish_thread(finish, stack, &finish->places[number].thread);
	}
	return err;
}

/** By name, unit, model and flags. */
static int store_finish_compare_events(const struct store_finish *finish,
				       const struct store_event *one,
				       const struct store_event *other)
{
	const uint32_t *ranks = finish->text_ranks;
	const uint32_t words[][2] = {{ranks[one->name], ranks[other->name]},
				     {ranks[one->unit], ranks[other->unit]},
				     {ranks[one->model], ranks[other->model]},
				     {one->flags, other->flags}};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i][0] != words[i][1])
			return words[i][0] < words[i][1] ? -1 : 1;
	return 0;
}

static struct error *store_finish_event(struct store_finish *finish,
					const struct store_event *event, uint32_t *ret)
{
	struct named_event named = {
		.period = event->period,
		.frequency = event->frequency,
		.is_whole = event->flags & STORE_EVENT_WHOLE,
		.is_wait = event->flags & STORE_EVENT_WAIT,
		.is_ahead = event->flags & STORE_EVENT_AHEAD,
		.excludes_idle = event->flags & STORE_EVENT_EXCLUDES_IDLE,
	};
	struct error *err = store_finish_text(finish, event->name, &named.name);
	if (!err)
		err = store_finish_text(finish, event->unit, &named.unit);
	if (!err)
		err = store_finish_text(finish, event->model, &named.model);
	return err ? err : named_profile_event(finish->profile, &named, ret);
}

/** There are few events, and all different. */
static struct error *store_finish_events(struct store_finish *finish)
{
	const struct store_profile *work = finish->work;
	struct error *err = NULL;
	for (uint32_t place = 0; !err && place < work->num_events; place++)
		for (uint32_t i = 0; !err && i < work->num_events; i++) {
			uint32_t num_before = 0;
			for (uint32_t j = 0; j < work->num_events; j++)
				num_before += store_finish_compare_events(finish, &work->events[j],
									  &work->events[i]) < 0;
			if (num_before == place)
				err = store_finish_event(finish, &work->events[i],
							 &finish->event_items[i]);
		}
	return err;
}

static int store_finish_compare_samples(const void *a, const void *b)
{
	const struct named_sample *one = a, *other = b; // the first member
	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns ? -1 : 1;
	const uint32_t words[][2] = {{one->event, other->event},
				     {one->stack, other->stack},
				     {one->thread, other->thread},
				     {one->gil, other->gil}};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i][0] != words[i][1])
			return words[i][0] < words[i][1] ? -1 : 1;
	return 0;
}

/** A count that is too large for one sample becomes several. */
static struct error *store_finish_add(struct named_profile *profile, struct named_sample sample,
				      struct named_total total)
{
	struct error *err = NULL;
	if (total.count / STORE_MAX_SPLIT > UINT32_MAX)
		return error_create(ERROR_FAILED,
				    "the store is damaged: a stack has too many samples");
	for (sample.weight = total.weight; !err && total.count > UINT32_MAX; sample.weight = 0) {
		sample.count = UINT32_MAX;
		total.count -= UINT32_MAX;
		err = named_profile_add(profile, &sample);
	}
	sample.count = (uint32_t)total.count;
	return err ? err : named_profile_add(profile, &sample);
}

static void store_finish_fill_samples(struct store_finish *finish)
{
	const struct store_profile *work = finish->work;
	for (size_t i = 0; i < work->num_sums; i++) {
		const struct store_sum *sum = &work->sums[i];
		finish->samples[i] = (struct store_sample){
			.sample = {.time_ns =
					   finish->query->step_ns ? sum->time_ns : work->start_ns,
				   .stack = finish->places[sum->stack].node,
				   .thread = finish->places[sum->stack].thread,
				   .event = finish->event_items[sum->event],
				   .cpu = NAMED_NONE,
				   .gil = work->stacks[sum->stack].traits.gil},
			.total = sum->total,
		};
	}
	if (work->num_sums)
		qsort(finish->samples, work->num_sums, sizeof(*finish->samples),
		      store_finish_compare_samples);
}

static struct error *store_finish_samples(struct store_finish *finish)
{
	const struct store_sample *samples = finish->samples;
	size_t num = finish->work->num_sums;
	struct error *err = NULL;
	store_finish_fill_samples(finish);
	for (size_t i = 0, next; !err && i < num; i = next) {
		struct named_total total = samples[i].total;
		for (next = i + 1;
		     next < num && store_finish_compare_samples(&samples[i], &samples[next]) == 0;
		     next++) {
			total.count = saturating_sum(total.count, samples[next].total.count);
			total.weight = saturating_sum(total.weight, samples[next].total.weight);
		}
		err = store_finish_add(finish->profile, samples[i].sample, total);
	}
	return err;
}

/** What is known of the answer besides its samples. */
static struct error *store_finish_describe(struct store_finish *finish, uint64_t num_lost)
{
	const struct store_profile *work = finish->work;
	const struct store_query *query = finish->query;
	struct named_profile *profile = finish->profile;
	struct error *err = NULL;
	profile->num_lost = num_lost;
	if (work->end_ns) {
		profile->start_time_ns = profile->start_wall_ns = work->start_ns;
		profile->duration_ns = work->end_ns - work->start_ns;
	}
	if (work->language)
		err = named_profile_set_language(profile, work->language);
	for (size_t i = 0; !err && i < query->num_labels; i++)
		if (strcmp(query->labels[i].key, "host.name") == 0)
			return named_profile_string(profile, query->labels[i].value,
						    &profile->host);
	return err;
}

struct error *store_profile_finish(struct store_profile *work, const struct store_query *query,
				   uint64_t num_lost, struct named_profile *ret)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(store_finish_deinit) struct store_finish finish = {
		.work = work, .query = query, .profile = &profile};
	struct error *err = named_profile_init(&profile);
	if (!err && !store_finish_allocate(&finish))
		err = &error_no_memory;
	if (!err)
		err = store_finish_rank_texts(&finish);
	if (err)
		return err;
	store_finish_join_builds(&finish);
	store_finish_rank_frames(&finish);
	store_finish_sort_stacks(&finish);
	err = store_finish_stacks(&finish);
	if (!err)
		err = store_finish_events(&finish);
	if (!err)
		err = store_finish_samples(&finish);
	if (!err)
		err = store_finish_describe(&finish, num_lost);
	if (!err)
		err = profile_order_apply(&profile);
	if (err)
		return err;
	*ret = profile;
	profile = (struct named_profile){0};
	return NULL;
}
