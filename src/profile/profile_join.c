// SPDX-License-Identifier: Apache-2.0

#include "profile/profile_join.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_name.h"
#include "base/saturating_sum.h"
#include "profile/time_span.h"

#include <stdlib.h>
#include <string.h>

// Kind by kind, in the order in which items refer to each other: strings, modules, functions,
// frames, stacks, threads, events, samples. Each step makes an array that gives the number in the
// joined profile for each number in the second one, and the next step uses it.
//
// Functions are paired by sorted lists, one of each recording. A key has what tells functions
// apart, most important first; the first round pairs those with equal keys, each further round
// those that are equal in fewer words of it, down to what makes functions one at all. Within equal
// keys the order counts, which is that of the lines: three lambdas of a function are paired one by
// one, though all moved down by a line.
//
//	round   kind, name, module   linkage name   file   line
//	1                same            same       same   same
//	2                same            same       same
//	3                same            same
//	4                same

enum {
	KEY_WORDS = 6,
	KEY_WORDS_AT_LEAST = 3,
	NO_MODULE_NAME = UINT32_MAX,
};

/** Numbers of the joined profile, by those of the second. */
struct join_work {
	struct named_profile *profile;
	const struct named_profile *other;
	uint32_t *strings, *modules, *functions, *frames, *stacks;
};

static void join_work_deinit(struct join_work *work)
{
	free(work->strings);
	free(work->modules);
	free(work->functions);
	free(work->frames);
	free(work->stacks);
}

/** Numbers have 32 bits, and the largest ones say "none". */
static struct error *profile_join_check_sizes(const struct named_profile *a,
					      const struct named_profile *b)
{
	const size_t sizes[][2] = {
		// A base name for each function's file at most comes to the strings.
		{a->strings.num_entries + a->num_functions,
		 b->strings.num_entries + b->num_functions},
		{a->num_modules, b->num_modules},
		{a->num_functions, b->num_functions},
		{a->num_frames, b->num_frames},
		{a->num_threads, b->num_threads},
		{a->num_events, b->num_events},
		{a->stacks.num_nodes, b->stacks.num_nodes},
	};
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (sizes[i][0] >= NAMED_NONE || sizes[i][1] >= NAMED_NONE - sizes[i][0])
			return error_create(ERROR_FAILED,
					    "the recordings are too large to be shown together");
	return NULL;
}

static struct error *join_work_init(struct join_work *work)
{
	const struct named_profile *other = work->other;
	work->strings = calloc(other->strings.num_entries + 1, sizeof(*work->strings));
	work->modules = calloc(other->num_modules + 1, sizeof(*work->modules));
	work->functions = calloc(other->num_functions + 1, sizeof(*work->functions));
	work->frames = calloc(other->num_frames + 1, sizeof(*work->frames));
	work->stacks = calloc(other->stacks.num_nodes + 1, sizeof(*work->stacks));
	bool is_whole =
		work->strings && work->modules && work->functions && work->frames && work->stacks;
	return is_whole ? NULL : &error_no_memory;
}

static struct error *join_strings(struct join_work *work)
{
	const struct string_table *strings = &work->other->strings;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < strings->num_entries; i++)
		err = string_table_intern_n(&work->profile->strings, string_table_get(strings, i),
					    string_table_length(strings, i), &work->strings[i]);
	return err;
}

static bool is_same_build(const struct named_module *a, const struct named_module *b)
{
	// String 0: it is not known.
	return a->build_id && a->build_id == b->build_id;
}

static struct error *join_modules(struct join_work *work)
{
	struct named_profile *profile = work->profile;
	size_t num_before = profile->num_modules;
	_cleanup_free_ uint32_t *of_build = calloc(profile->strings.num_entries, sizeof(*of_build));
	// Not interned, as modules are by path: another build has the path, too.
	struct error *err = array_reserve(&profile->modules, &profile->cap_modules,
					  num_before + work->other->num_modules);
	if (err || !of_build)
		return err ? err : &error_no_memory;
	// Backwards, so that the first module of a build stays.
	for (size_t i = num_before; i > 0; i--)
		of_build[profile->modules[i - 1].build_id] = (uint32_t)i - 1;
	for (size_t i = 0; i < work->other->num_modules; i++) {
		struct named_module module = work->other->modules[i];
		module.name = work->strings[module.name];
		module.path = work->strings[module.path];
		module.build_id = work->strings[module.build_id];
		uint32_t like = of_build[module.build_id];
		if (like < num_before && profile->modules[like].name == module.name &&
		    is_same_build(&profile->modules[like], &module)) {
			work->modules[i] = like;
			continue;
		}
		work->modules[i] = (uint32_t)profile->num_modules;
		profile->modules[profile->num_modules++] = module;
	}
	return NULL;
}

struct join_key {
	uint32_t words[KEY_WORDS];
	uint32_t function;
	bool is_paired;
};

struct join_keys {
	struct join_key *items;
	size_t num_items;
};

static void join_keys_deinit(struct join_keys *keys)
{
	free(keys->items);
}

static int compare_key_words(const struct join_key *a, const struct join_key *b, size_t num_words)
{
	for (size_t i = 0; i < num_words; i++)
		if (a->words[i] != b->words[i])
			return a->words[i] < b->words[i] ? -1 : 1;
	return 0;
}

static int compare_keys(const void *left, const void *right)
{
	const struct join_key *a = left, *b = right;
	int order = compare_key_words(a, b, KEY_WORDS);
	return order ? order : (a->function > b->function) - (a->function < b->function);
}

/** @function: its strings and module are numbers of @profile. */
static struct error *join_key_make(struct named_profile *profile,
				   const struct named_function *function, struct join_key *ret)
{
	// Without its folder: two builds are often in two of them.
	const char *path = named_profile_text(profile, function->file);
	uint32_t file;
	struct error *err = named_profile_string(profile, file_name_of(path), &file);
	bool has_module = function->module != NAMED_NONE;
	if (!err)
		*ret = (struct join_key){
			.words = {function->name,
				  has_module ? profile->modules[function->module].name
					     : (uint32_t)NO_MODULE_NAME,
				  function->kind, function->linkage_name, file, function->line},
		};
	return err;
}

static struct error *join_keys_init(struct join_keys *keys, struct named_profile *profile,
				    const struct named_function *functions, size_t num_functions)
{
	*keys = (struct join_keys){calloc(num_functions + 1, sizeof(*keys->items)), num_functions};
	struct error *err = keys->items ? NULL : &error_no_memory;
	for (uint32_t i = 0; !err && i < num_functions; i++) {
		err = join_key_make(profile, &functions[i], &keys->items[i]);
		keys->items[i].function = i;
	}
	if (!err)
		qsort(keys->items, num_functions, sizeof(*keys->items), compare_keys);
	return err;
}

/** The first one from @at on that is free. */
static struct join_key *next_unpaired(const struct join_keys *keys, size_t *at)
{
	while (*at < keys->num_items && keys->items[*at].is_paired)
		(*at)++;
	return *at < keys->num_items ? &keys->items[*at] : NULL;
}

static void pair_keys(const struct join_keys *mine, const struct join_keys *others,
		      size_t num_words, uint32_t *functions)
{
	size_t i = 0, j = 0;
	struct join_key *a, *b;
	while ((a = next_unpaired(mine, &i)) && (b = next_unpaired(others, &j))) {
		int order = compare_key_words(a, b, num_words);
		if (!order) {
			a->is_paired = b->is_paired = true;
			functions[b->function] = a->function;
		}
		i += order <= 0;
		j += order >= 0;
	}
}

/** @functions: those of the second recording, with numbers of the joined profile. */
static struct error *pair_functions(struct join_work *work, const struct named_function *functions)
{
	_cleanup_(join_keys_deinit) struct join_keys mine = {0}, others = {0};
	struct named_profile *profile = work->profile;
	size_t num_others = work->other->num_functions;
	struct error *err =
		join_keys_init(&mine, profile, profile->functions, profile->num_functions);
	if (!err)
		err = join_keys_init(&others, profile, functions, num_others);
	for (size_t words = KEY_WORDS; !err && words >= KEY_WORDS_AT_LEAST; words--)
		pair_keys(&mine, &others, words, work->functions);
	return err;
}

static struct error *join_functions(struct join_work *work)
{
	struct named_profile *profile = work->profile;
	size_t count = work->other->num_functions;
	_cleanup_free_ struct named_function *functions = calloc(count + 1, sizeof(*functions));
	if (!functions)
		return &error_no_memory;
	for (size_t i = 0; i < count; i++) {
		struct named_function function = work->other->functions[i];
		function.name = work->strings[function.name];
		function.linkage_name = work->strings[function.linkage_name];
		function.file = work->strings[function.file];
		if (function.module != NAMED_NONE)
			function.module = work->modules[function.module];
		functions[i] = function;
		work->functions[i] = NAMED_NONE;
	}
	struct error *err = pair_functions(work, functions);
	for (size_t i = 0; !err && i < count; i++) {
		if (work->functions[i] != NAMED_NONE)
			continue;
		err = array_reserve(&profile->functions, &profile->cap_functions,
				    profile->num_functions + 1);
		if (err)
			break;
		work->functions[i] = (uint32_t)profile->num_functions;
		profile->functions[profile->num_functions++] = functions[i];
	}
	return err;
}

/** Is an address in the second recording's function one in the joined function as well? */
static bool keeps_address(const struct join_work *work, uint32_t function)
{
	const struct named_profile *profile = work->profile;
	uint32_t module = work->other->functions[function].module;
	uint32_t joined = profile->functions[work->functions[function]].module;
	if (module == NAMED_NONE || joined == NAMED_NONE)
		return false;
	// A function that is not joined has its own module, whatever is known of it.
	return work->modules[module] == joined ||
	       is_same_build(&profile->modules[work->modules[module]], &profile->modules[joined]);
}

static struct error *join_frames(struct join_work *work)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < work->other->num_frames; i++) {
		struct named_frame frame = work->other->frames[i];
		if (!keeps_address(work, frame.function))
			frame.address = 0;
		frame.function = work->functions[frame.function];
		frame.file = work->strings[frame.file];
		err = named_profile_frame(work->profile, &frame, &work->frames[i]);
	}
	return err;
}

static struct error *join_stacks(struct join_work *work)
{
	const struct stack_table *stacks = &work->other->stacks;
	struct error *err = NULL;
	// A caller's number is lower, so that its own is known by then.
	for (size_t i = 0; !err && i < stacks->num_nodes; i++) {
		const struct stack_node *node = &stacks->nodes[i];
		uint32_t parent =
			node->parent == STACK_NONE ? STACK_NONE : work->stacks[node->parent];
		err = stack_table_push(&work->profile->stacks, parent, work->frames[node->frame],
				       &work->stacks[i]);
	}
	return err;
}

static struct error *join_threads(struct join_work *work)
{
	struct named_profile *profile = work->profile;
	// Not interned: thread 7 of the second recording is another one than thread 7 of the first.
	struct error *err = array_reserve(&profile->threads, &profile->cap_threads,
					  profile->num_threads + work->other->num_threads);
	for (size_t i = 0; !err && i < work->other->num_threads; i++) {
		struct named_thread thread = work->other->threads[i];
		thread.name = work->strings[thread.name];
		thread.process_name = work->strings[thread.process_name];
		thread.role.words = work->strings[thread.role.words];
		thread.said_role = work->strings[thread.said_role];
		profile->threads[profile->num_threads++] = thread;
	}
	return err;
}

static struct error *join_events(struct join_work *work)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < work->other->num_events; i++) {
		struct named_event event = work->other->events[i];
		uint32_t number;
		event.name = work->strings[event.name];
		event.unit = work->strings[event.unit];
		event.model = work->strings[event.model];
		err = named_profile_event(work->profile, &event, &number);
	}
	return err;
}

static struct error *join_samples(struct join_work *work, const struct profile_join *join)
{
	struct named_profile *profile = work->profile;
	struct time_span mine = time_span_of(profile), others = time_span_of(work->other);
	struct error *err = array_reserve(&profile->samples, &profile->cap_samples,
					  profile->num_samples + work->other->num_samples);
	for (size_t i = 0; !err && i < work->other->num_samples; i++) {
		struct named_sample sample = work->other->samples[i];
		sample.time_ns = saturating_sum(mine.begin_ns, sample.time_ns - others.begin_ns);
		if (sample.stack != STACK_NONE)
			sample.stack = work->stacks[sample.stack];
		sample.thread += join->first_thread;
		sample.event += join->first_event;
		profile->samples[profile->num_samples++] = sample;
	}
	if (err)
		return err;
	uint64_t length = mine.end_ns - mine.begin_ns;
	if (others.end_ns - others.begin_ns > length)
		length = others.end_ns - others.begin_ns;
	// Without times of its own the first recording still has room for the second's.
	profile->start_time_ns = mine.begin_ns;
	profile->duration_ns = length;
	return NULL;
}

/** What names the language is the first recording's, if it has interpreted code. */
static struct error *join_language(struct join_work *work)
{
	if (work->profile->language != &language_unknown)
		return NULL;
	const struct named_profile *other = work->other;
	if (other->named_language)
		return named_profile_set_language(work->profile, other->named_language->name);
	work->profile->language = other->language;
	return NULL;
}

struct joined_recording profile_join_describe(const struct named_profile *profile)
{
	return (struct joined_recording){
		.command_line = profile->command_line,
		.host = profile->host,
		.system = profile->system,
		.machine = profile->machine,
		.start_wall_ns = profile->start_wall_ns,
		.duration_ns = profile->duration_ns,
		.num_lost = profile->num_lost,
		.collection = profile->collection,
	};
}

static struct joined_recording describe_other(const struct join_work *work)
{
	struct joined_recording recording = profile_join_describe(work->other);
	uint32_t *const texts[] = {&recording.command_line,   &recording.host,
				   &recording.system,         &recording.machine,
				   &recording.collection.way, &recording.collection.words};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		*texts[i] = work->strings[*texts[i]];
	return recording;
}

struct error *profile_join_add(struct named_profile *profile, const struct named_profile *other,
			       struct profile_join *ret)
{
	_cleanup_(join_work_deinit) struct join_work work = {.profile = profile, .other = other};
	struct profile_join join = {
		.first_event = (uint32_t)profile->num_events,
		.first_thread = (uint32_t)profile->num_threads,
		.recordings = {profile_join_describe(profile)},
	};
	struct error *err = profile_join_check_sizes(profile, other);
	if (!err)
		err = join_work_init(&work);
	if (!err)
		err = join_strings(&work);
	if (!err)
		err = join_modules(&work);
	if (!err)
		err = join_functions(&work);
	if (!err)
		err = join_frames(&work);
	if (!err)
		err = join_stacks(&work);
	if (!err)
		err = join_threads(&work);
	if (!err)
		err = join_events(&work);
	if (!err)
		err = join_samples(&work, &join);
	if (!err)
		err = join_language(&work);
	if (err)
		return err;
	join.recordings[1] = describe_other(&work);
	profile->is_anonymous = profile->is_anonymous || other->is_anonymous;
	*ret = join;
	return NULL;
}
