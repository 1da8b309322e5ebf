// SPDX-License-Identifier: Apache-2.0

#include "profile/feedback_profile.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "profile/feedback_contexts.h"
#include "profile/feedback_discriminator.h"
#include "profile/tree/stack_sums.h"

#include <stdlib.h>
#include <string.h>

// Samples say where time was spent; a compiler wants to know how often code ran. What stands for
// what here is what create_llvm_prof of AutoFDO does with samples without branch records
// (symbol_map.cc, profile.cc), since that is what LLVM's thresholds are tuned for:
//
//	count of a line    the most samples that one instruction of it has: all of them ran as often
//	                   as the line, and a sum would make long lines hot. Times the number of
//	                   copies that unrolling and vectorizing made of the instruction.
//	total              the sum of the samples in the function and in what is inlined into it.
//
// Lines without samples are there with a count of 0 if the profile has their frames
// (symbols/function_filler.h): LLVM takes a line that is not in the profile for one of which
// nothing is known, and inlines calls there. By the rule of three, 30 samples of the hottest line
// of a function say with a confidence of 95 % that a line without any runs at most a tenth as
// often.
//
// Two more things are not in such samples, and are estimated; branch records would have them.
//
// How often a function was called (head): create_llvm_prof says 0, by which LLVM takes small
// functions for cold. Here it is the count of the first line, which is how LLVM estimates it of
// inlined calls (FunctionSamples::getHeadSamplesEstimate()), and 1 at least. If it is not known
// which lines have no samples, it stays 0: the first one that has some may be a loop. LLVM would
// think that it runs once for each call, and would not vectorize it.
//
// How often a line called what (targets): as often as the line ran, and as the target began. It is
// the larger of both, divided by the time that was spent in the target, from the stacks of samples.
//
// feedback_contexts.c finds what is inlined into what. Then each stack with samples becomes an
// instruction, each stack with a caller becomes a call; both are sorted by context and place, and
// neighbours are added up (sum_lines(), sum_targets()), and lines of which nothing is known are
// left out again.

enum { LEAST_HOT = 30 };

/** Samples at an address; those of one address are neighbours when sorted. */
struct feedback_instruction {
	uint32_t context;
	struct feedback_place place;
	uint64_t address, count;
	uint32_t copies;
};

struct feedback_call {
	uint32_t context;
	struct feedback_place place;
	uint32_t target; /* context of what is called */
	uint64_t count;
};

struct feedback_work {
	const struct named_profile *profile;
	const struct stack_sums *sums;
	struct feedback_contexts contexts;
	struct feedback_instruction *instructions;
	struct feedback_call *calls;
	size_t num_instructions, cap_instructions, num_calls, cap_calls;
	bool has_cold_code;      /* it is known which lines have no samples */
	uint32_t *line_contexts; /* of each line of the result, in the order of contexts */
};

static void feedback_work_deinit(struct feedback_work *work)
{
	feedback_contexts_deinit(&work->contexts);
	free(work->instructions);
	free(work->calls);
	free(work->line_contexts);
}

void feedback_profile_deinit(struct feedback_profile *feedback)
{
	free(feedback->functions);
	free(feedback->lines);
	free(feedback->targets);
	string_table_deinit(&feedback->names);
	*feedback = (struct feedback_profile)FEEDBACK_PROFILE_INIT;
}

static const struct named_frame *feedback_frame(const struct named_profile *profile, uint32_t stack)
{
	return &profile->frames[profile->stacks.nodes[stack].frame];
}

static struct error *add_instruction(struct feedback_work *work, uint32_t stack)
{
	const struct named_frame *frame = feedback_frame(work->profile, stack);
	uint32_t context = work->contexts.of_stacks[stack];
	uint64_t count = work->sums->self[stack].count;
	for (uint32_t at = context; at != FEEDBACK_NONE; at = work->contexts.items[at].parent)
		work->contexts.items[at].total += count;
	if (!frame->line) // code that the compiler made up
		return NULL;
	struct error *err = array_reserve(&work->instructions, &work->cap_instructions,
					  work->num_instructions + 1);
	if (!err)
		work->instructions[work->num_instructions++] = (struct feedback_instruction){
			.context = context,
			.place = feedback_place_of(work->profile, frame),
			.address = frame->address,
			.count = count,
			.copies = feedback_discriminator_copies(frame->discriminator),
		};
	return err;
}

/** All samples in what was called, and in what that called. */
static struct error *add_call(struct feedback_work *work, uint32_t stack)
{
	uint32_t caller = work->profile->stacks.nodes[stack].parent;
	if (caller == STACK_NONE || feedback_frame(work->profile, stack)->is_inlined)
		return NULL;
	const struct named_frame *frame = feedback_frame(work->profile, caller);
	uint32_t context = work->contexts.of_stacks[caller];
	if (context == FEEDBACK_NONE || !frame->line)
		return NULL;
	struct error *err = array_reserve(&work->calls, &work->cap_calls, work->num_calls + 1);
	if (!err)
		work->calls[work->num_calls++] = (struct feedback_call){
			.context = context,
			.place = feedback_place_of(work->profile, frame),
			.target = work->contexts.of_stacks[stack],
			.count = work->sums->total[stack].count,
		};
	return err;
}

/** What inlined calls are inlined into: there the instruction is not. */
static struct error *find_around_inlined(const struct named_profile *profile, bool **ret)
{
	const struct stack_table *stacks = &profile->stacks;
	*ret = calloc(stacks->num_nodes + 1, sizeof(**ret));
	if (!*ret)
		return &error_no_memory;
	for (uint32_t i = 0; i < stacks->num_nodes; i++)
		if (feedback_frame(profile, i)->is_inlined && stacks->nodes[i].parent != STACK_NONE)
			(*ret)[stacks->nodes[i].parent] = true;
	return NULL;
}

static struct error *feedback_work_add(struct feedback_work *work,
				       struct feedback_profile *feedback)
{
	_cleanup_free_ bool *around_inlined = NULL;
	struct error *err = find_around_inlined(work->profile, &around_inlined);
	for (uint32_t i = 0; !err && i < work->profile->stacks.num_nodes; i++) {
		if (work->contexts.of_stacks[i] == FEEDBACK_NONE)
			continue;
		feedback->num_samples += work->sums->self[i].count;
		// Code that was never on a stack is cold; a caller without samples did run.
		bool is_cold = !work->sums->total[i].count && !around_inlined[i];
		feedback->has_cold_code |= is_cold;
		if (work->sums->self[i].count || is_cold)
			err = add_instruction(work, i);
		if (!err && work->sums->total[i].count)
			err = add_call(work, i);
	}
	return err;
}

static int feedback_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_instructions(const void *left, const void *right)
{
	const struct feedback_instruction *a = left, *b = right;
	int order = feedback_compare(a->context, b->context);
	order = order ? order : feedback_place_compare(a->place, b->place);
	order = order ? order : feedback_compare(a->address, b->address);
	return order ? order : feedback_compare(a->copies, b->copies);
}

static int compare_calls(const void *left, const void *right)
{
	const struct feedback_call *a = left, *b = right;
	int order = feedback_compare(a->context, b->context);
	order = order ? order : feedback_place_compare(a->place, b->place);
	return order ? order : feedback_compare(a->target, b->target);
}

static struct error *sum_lines(struct feedback_work *work, struct feedback_profile *feedback)
{
	size_t num = work->num_instructions;
	const struct feedback_instruction *items = work->instructions;
	if (num)
		qsort(work->instructions, num, sizeof(*items), compare_instructions);
	feedback->lines = calloc(num + 1, sizeof(*feedback->lines));
	work->line_contexts = calloc(num + 1, sizeof(*work->line_contexts));
	if (!feedback->lines || !work->line_contexts)
		return &error_no_memory;
	for (size_t i = 0, next; i < num; i = next) {
		uint64_t count = 0;
		for (next = i; next < num && !compare_instructions(&items[i], &items[next]); next++)
			count += items[next].count;
		count *= items[i].copies;
		bool is_new = !i || items[i - 1].context != items[i].context ||
			      feedback_place_compare(items[i - 1].place, items[i].place) != 0;
		if (is_new) {
			work->line_contexts[feedback->num_lines] = items[i].context;
			feedback->lines[feedback->num_lines++].place = items[i].place;
		}
		struct feedback_line *line = &feedback->lines[feedback->num_lines - 1];
		line->count = count > line->count ? count : line->count;
	}
	return NULL;
}

/**
 * The first call of a line of the result; false if it has none. @call: where the search begins, and
 * where it ended; lines are asked for in their order.
 */
static bool feedback_work_find_calls(const struct feedback_work *work,
				     const struct feedback_profile *feedback, size_t line,
				     size_t *call)
{
	struct feedback_call key = {work->line_contexts[line], feedback->lines[line].place, 0, 0};
	while (*call < work->num_calls && compare_calls(&work->calls[*call], &key) < 0)
		(*call)++;
	key.target = UINT32_MAX;
	return *call < work->num_calls && compare_calls(&work->calls[*call], &key) < 0;
}

/** Lines that call, but have no samples of their own, did run: how often is not known. */
static void forget_quiet_callers(struct feedback_work *work,
				 const struct feedback_profile *feedback)
{
	if (work->num_calls)
		qsort(work->calls, work->num_calls, sizeof(*work->calls), compare_calls);
	for (size_t i = 0, call = 0; i < feedback->num_lines; i++)
		if (feedback_work_find_calls(work, feedback, i, &call) && !feedback->lines[i].count)
			work->line_contexts[i] = FEEDBACK_NONE;
}

/** The most samples that one line has of a function and what is inlined into it; by context. */
static struct error *find_hottest(const struct feedback_work *work,
				  const struct feedback_profile *feedback, uint64_t **ret)
{
	uint64_t *hottest = *ret = calloc(work->contexts.num_items + 1, sizeof(*hottest));
	if (!hottest)
		return &error_no_memory;
	for (size_t i = 0; i < feedback->num_lines; i++) {
		if (work->line_contexts[i] == FEEDBACK_NONE)
			continue;
		uint32_t root = work->contexts.items[work->line_contexts[i]].root;
		if (feedback->lines[i].count > hottest[root])
			hottest[root] = feedback->lines[i].count;
	}
	return NULL;
}

/** Leaves out lines without samples where these are too few to know that the line is cold. */
static struct error *keep_known_lines(struct feedback_work *work, struct feedback_profile *feedback)
{
	struct feedback_context *contexts = work->contexts.items;
	_cleanup_free_ uint64_t *hottest = NULL;
	struct error *err = find_hottest(work, feedback, &hottest);
	if (err)
		return err;
	size_t num_kept = 0;
	for (size_t i = 0; i < feedback->num_lines; i++) {
		uint32_t context = work->line_contexts[i];
		if (context == FEEDBACK_NONE)
			continue;
		if (!feedback->lines[i].count && hottest[contexts[context].root] < LEAST_HOT)
			continue;
		contexts[context].is_known = true;
		work->line_contexts[num_kept] = context;
		feedback->lines[num_kept++] = feedback->lines[i];
	}
	feedback->num_lines = num_kept;
	for (size_t i = work->contexts.num_items; i > 0; i--) {
		struct feedback_context *context = &contexts[i - 1];
		context->is_known |= context->total > 0;
		if (context->is_known && context->depth)
			contexts[context->parent].is_known = true;
	}
	return NULL;
}

/** How much the first place of a context has, of those that are known until now. */
struct feedback_head {
	struct feedback_place place;
	uint64_t count;
	bool is_known;
};

/** Calls at one place that were inlined are added: the place chose one of them each time. */
static void feedback_head_add(struct feedback_head *head, struct feedback_place place,
			      uint64_t count)
{
	int order = head->is_known ? feedback_place_compare(place, head->place) : -1;
	if (order <= 0)
		*head = (struct feedback_head){place, order ? count : head->count + count, true};
}

/** What is inlined has higher numbers than what it is inlined into: backwards, it is known. */
static struct error *estimate_heads(struct feedback_work *work,
				    const struct feedback_profile *feedback)
{
	struct feedback_contexts *contexts = &work->contexts;
	_cleanup_free_ struct feedback_head *heads =
		calloc(contexts->num_items + 1, sizeof(*heads));
	if (!heads)
		return &error_no_memory;
	for (size_t i = feedback->num_lines; i > 0; i--) {
		const struct feedback_line *line = &feedback->lines[i - 1];
		uint32_t context = work->line_contexts[i - 1];
		if (context != FEEDBACK_NONE)
			heads[context] = (struct feedback_head){line->place, line->count, true};
	}
	for (size_t i = feedback->has_cold_code ? contexts->num_items : 0; i > 0; i--) {
		struct feedback_context *context = &contexts->items[i - 1];
		const struct feedback_head *head = &heads[i - 1];
		context->head = head->count || !context->total ? head->count : 1;
		if (head->is_known && context->depth)
			feedback_head_add(&heads[context->parent], context->place, context->head);
	}
	return NULL;
}

/** Of each context, all samples in it and in what it called, also for callers elsewhere. */
static struct error *sum_called(const struct feedback_work *work, uint64_t **ret)
{
	uint64_t *called = *ret = calloc(work->contexts.num_items + 1, sizeof(*called));
	if (!called)
		return &error_no_memory;
	for (uint32_t i = 0; i < work->profile->stacks.num_nodes; i++)
		if (work->contexts.of_stacks[i] != FEEDBACK_NONE)
			called[work->contexts.of_stacks[i]] += work->sums->total[i].count;
	return NULL;
}

/** All calls of one target from one line. */
static uint64_t count_calls(const struct feedback_work *work, size_t first, size_t end)
{
	uint64_t count = 0;
	for (size_t i = first; i < end && work->calls[i].target == work->calls[first].target; i++)
		count += work->calls[i].count;
	return count;
}

/** As LLVM's writer of profiles has them: often called first, then by name. */
static int compare_targets(const void *left, const void *right)
{
	const struct feedback_target *a = left, *b = right;
	int order = feedback_compare(b->count, a->count);
	return order ? order : strcmp(a->name, b->name);
}

/** @first, @end: the calls of a line. @called: of each context, all samples in what it called. */
static void add_targets(const struct feedback_work *work, size_t first, size_t end,
			const uint64_t *called, struct feedback_line *line,
			struct feedback_profile *feedback)
{
	double sum = 0;
	for (size_t i = first; i < end; i++)
		sum += (double)work->calls[i].count;
	for (size_t i = first; i < end; i++) {
		uint32_t target = work->calls[i].target;
		if (i > first && work->calls[i - 1].target == target)
			continue;
		const struct feedback_context *context = &work->contexts.items[target];
		double count = (double)count_calls(work, i, end);
		double of_line = (double)line->count * count / sum;
		double of_target = (double)context->head * count / (double)called[target];
		uint64_t calls = (uint64_t)((of_line > of_target ? of_line : of_target) + 0.5);
		if (!calls)
			continue;
		feedback->targets[feedback->num_targets++] = (struct feedback_target){
			string_table_get(&work->contexts.names, context->name), calls};
		line->num_targets++;
	}
	if (line->num_targets)
		qsort(&feedback->targets[line->first_target], line->num_targets,
		      sizeof(*feedback->targets), compare_targets);
}

static struct error *sum_targets(const struct feedback_work *work,
				 struct feedback_profile *feedback)
{
	_cleanup_free_ uint64_t *called = NULL;
	struct error *err = sum_called(work, &called);
	feedback->targets = calloc(work->num_calls + 1, sizeof(*feedback->targets));
	if (err || !feedback->targets)
		return &error_no_memory;
	for (size_t i = 0, call = 0; i < feedback->num_lines; i++) {
		feedback->lines[i].first_target = feedback->num_targets;
		feedback_work_find_calls(work, feedback, i, &call);
		size_t first = call;
		while (feedback_work_find_calls(work, feedback, i, &call))
			call++;
		add_targets(work, first, call, called, &feedback->lines[i], feedback);
	}
	return NULL;
}

/** A context on its way into the list of functions. */
struct feedback_order {
	uint32_t parent, context;
	struct feedback_place place;
	uint64_t total;
	const char *name;
};

/** Backwards, as a stack takes them out again: within a parent, what comes first is last. */
static int compare_orders(const void *left, const void *right)
{
	const struct feedback_order *a = left, *b = right;
	int order = feedback_compare(a->parent, b->parent);
	if (!order && a->parent == FEEDBACK_NONE)
		order = feedback_compare(a->total, b->total);
	order = order ? order : feedback_place_compare(b->place, a->place);
	return order ? order : strcmp(b->name, a->name);
}

/** Functions without samples are callers of others. */
static size_t fill_orders(const struct feedback_contexts *contexts, struct feedback_order *orders)
{
	size_t num = 0;
	for (uint32_t i = 0; i < contexts->num_items; i++) {
		const struct feedback_context *context = &contexts->items[i];
		if (context->is_known && contexts->items[context->root].total)
			orders[num++] = (struct feedback_order){
				context->parent, i, context->place, context->total,
				string_table_get(&contexts->names, context->name)};
	}
	if (num)
		qsort(orders, num, sizeof(*orders), compare_orders);
	return num;
}

static struct feedback_function feedback_function_of(const struct feedback_work *work,
						     const struct feedback_profile *feedback,
						     uint32_t index)
{
	const struct feedback_context *context = &work->contexts.items[index];
	// Lines are in the order of contexts.
	size_t end = bisect_u32(work->line_contexts, feedback->num_lines, sizeof(uint32_t), index);
	size_t first = index ? bisect_u32(work->line_contexts, feedback->num_lines,
					  sizeof(uint32_t), index - 1)
			     : 0;
	return (struct feedback_function){
		.name = string_table_get(&work->contexts.names, context->name),
		.depth = context->depth,
		.place = context->place,
		.total = context->total,
		.head = context->head,
		.first_line = first,
		.num_lines = end - first,
	};
}

/** Each function before what is inlined into it; without recursion, since names may be hostile. */
static struct error *order_functions(const struct feedback_work *work,
				     struct feedback_profile *feedback)
{
	size_t num_contexts = work->contexts.num_items;
	_cleanup_free_ struct feedback_order *orders = calloc(num_contexts + 1, sizeof(*orders));
	_cleanup_free_ size_t *firsts = calloc(num_contexts + 1, sizeof(*firsts));
	_cleanup_free_ uint32_t *waiting = calloc(num_contexts + 1, sizeof(*waiting));
	feedback->functions = calloc(num_contexts + 1, sizeof(*feedback->functions));
	if (!orders || !firsts || !waiting || !feedback->functions)
		return &error_no_memory;
	size_t num = fill_orders(&work->contexts, orders), num_waiting = 0;
	for (size_t i = 0; i <= num_contexts; i++)
		firsts[i] = num;
	for (size_t i = num; i > 0; i--)
		if (orders[i - 1].parent != FEEDBACK_NONE)
			firsts[orders[i - 1].parent] = i - 1;
	for (size_t i = 0; i < num; i++)
		if (orders[i].parent == FEEDBACK_NONE)
			waiting[num_waiting++] = orders[i].context;
	while (num_waiting) {
		uint32_t context = waiting[--num_waiting];
		feedback->functions[feedback->num_functions++] =
			feedback_function_of(work, feedback, context);
		for (size_t i = firsts[context]; i < num && orders[i].parent == context; i++)
			waiting[num_waiting++] = orders[i].context;
	}
	return NULL;
}

struct error *feedback_profile_create(const struct named_profile *profile, uint32_t event,
				      struct feedback_profile *ret)
{
	_cleanup_(feedback_profile_deinit) struct feedback_profile feedback = FEEDBACK_PROFILE_INIT;
	_cleanup_(feedback_work_deinit) struct feedback_work work = {.profile = profile};
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	struct error *err = leaf_module_find(profile, event, NULL, &feedback.of);
	if (!err)
		err = profile_filter_create(profile, &criteria, &filter);
	if (!err)
		err = stack_sums_create(profile, filter, &sums);
	if (!err)
		err = feedback_contexts_init(&work.contexts, profile, feedback.of.module);
	work.sums = &sums;
	if (!err)
		err = feedback_work_add(&work, &feedback);
	if (!err)
		err = sum_lines(&work, &feedback);
	if (!err)
		forget_quiet_callers(&work, &feedback);
	if (!err)
		err = estimate_heads(&work, &feedback);
	if (!err)
		err = keep_known_lines(&work, &feedback);
	if (!err)
		err = sum_targets(&work, &feedback);
	if (!err)
		err = order_functions(&work, &feedback);
	if (err)
		return err;
	feedback.names = work.contexts.names;
	work.contexts.names = (struct string_table)STRING_TABLE_INIT;
	*ret = feedback;
	feedback = (struct feedback_profile)FEEDBACK_PROFILE_INIT;
	return NULL;
}
