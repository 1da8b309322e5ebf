// SPDX-License-Identifier: Apache-2.0
// A profile is read by what `wperf report` reads it with (report/recorded/read_profile.h); notes go
// to memory. The tables of struct named_profile are given as they are: an item is a few numbers and
// pointers to its strings, put together when it is asked for.

#include "library/library_profile.h"

#include "library/library_config.h"
#include "library/library_error.h"
#include "report/recorded/read_profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Numbers of the profile are those of the interface.
static_assert(NAMED_NONE == WPERF_NONE && STACK_NONE == WPERF_NONE, "no item");
static_assert((int)FRAME_NATIVE == WPERF_CODE_NATIVE && (int)FRAME_KERNEL == WPERF_CODE_KERNEL &&
		      (int)FRAME_JIT == WPERF_CODE_JIT &&
		      (int)FRAME_INTERPRETED == WPERF_CODE_INTERPRETED &&
		      (int)FRAME_MARKER == WPERF_CODE_MARKER,
	      "kinds of code");

struct error *library_profile_create(struct wperf_profile **ret)
{
	_cleanup_(library_profile_closep) struct wperf_profile *profile =
		calloc(1, sizeof(*profile));
	if (!profile)
		return &error_no_memory;
	struct error *err = memory_stream_open(&profile->notes);
	if (!err)
		*ret = take_ptr(profile);
	return err;
}

struct error *library_profile_finish(struct wperf_profile *profile)
{
	return memory_stream_close(&profile->notes);
}

static bool library_profile_tell_progress(void *data, const struct loading_progress *progress)
{
	const struct wperf_watch *watch = data;
	const struct wperf_progress told = {
		.elapsed_ns = progress->elapsed_ns,
		.num_samples = progress->num_samples,
		.num_lost = progress->num_lost,
		.done = progress->done,
		.whole = progress->whole,
	};
	return watch->progress(watch->data, &told);
}

static struct error *library_profile_read(const struct wperf_profile_config *config,
					  struct wperf_profile *profile)
{
	struct wperf_watch watch = config->watch;
	if (config->sysroots) {
		profile->sysroots = strdup(config->sysroots);
		if (!profile->sysroots)
			return &error_no_memory;
	}
	profile->keeps_times = config->keeps_times;
	const struct read_request request = {
		.path = config->path ? config->path : read_profile_default_path(),
		.is_default = !config->path,
		.is_forced = config->is_forced,
		.sysroots = config->sysroots,
		.keeps_samples = config->keeps_times,
		.with_full_names = config->with_full_names,
		.with_spe = true,
		.tells_spe_threads = true,
		.leaves_out_idle = !config->with_idle,
		.interpreted = config->python,
		.watch = {watch.progress ? library_profile_tell_progress : NULL, &watch},
	};
	struct error *err = read_profile(&request, profile->notes.stream, &profile->profile);
	return err ? err : library_profile_finish(profile);
}

struct wperf_error *wperf_profile_open(const struct wperf_profile_config *config,
				       struct wperf_profile **ret)
{
	struct wperf_profile_config taken;
	if (!library_config_take(config, &taken, sizeof(taken)))
		return library_error_give(library_error_of_size("wperf_profile_config"));
	_cleanup_(library_profile_closep) struct wperf_profile *profile = NULL;
	struct error *err = library_profile_create(&profile);
	if (!err)
		err = library_profile_read(&taken, profile);
	if (!err)
		*ret = take_ptr(profile);
	return library_error_give(err);
}

void wperf_profile_close(struct wperf_profile *profile)
{
	if (!profile)
		return;
	named_profile_deinit(&profile->profile);
	memory_stream_deinit(&profile->notes);
	free(profile->sysroots);
	free(profile);
}

const char *wperf_profile_notes(const struct wperf_profile *profile)
{
	return profile->notes.text;
}

void wperf_profile_describe(const struct wperf_profile *profile, struct wperf_profile_facts *ret)
{
	const struct named_profile *inner = &profile->profile;
	*ret = (struct wperf_profile_facts){
		.num_events = inner->num_events,
		.num_samples = inner->num_samples,
		.num_stacks = inner->stacks.num_nodes,
		.num_frames = inner->num_frames,
		.num_functions = inner->num_functions,
		.num_modules = inner->num_modules,
		.num_threads = inner->num_threads,
		.num_lost = inner->num_lost,
		.start_ns = inner->start_time_ns,
		.duration_ns = inner->duration_ns,
		.start_wall_ns = inner->start_wall_ns,
		.command_line = named_profile_text(inner, inner->command_line),
		.host = named_profile_text(inner, inner->host),
		.system = named_profile_text(inner, inner->system),
		.machine = named_profile_text(inner, inner->machine),
		.language = inner->language->name,
	};
}

bool wperf_profile_event_at(const struct wperf_profile *profile, size_t number,
			    struct wperf_sampled_event *ret)
{
	const struct named_profile *inner = &profile->profile;
	if (number >= inner->num_events)
		return false;
	const struct named_event *event = &inner->events[number];
	*ret = (struct wperf_sampled_event){
		.name = named_profile_text(inner, event->name),
		.unit = named_profile_text(inner, event->unit),
		.period = event->period,
		.frequency = event->frequency,
	};
	return true;
}

bool wperf_profile_thread_at(const struct wperf_profile *profile, size_t number,
			     struct wperf_sampled_thread *ret)
{
	const struct named_profile *inner = &profile->profile;
	if (number >= inner->num_threads)
		return false;
	const struct named_thread *thread = &inner->threads[number];
	*ret = (struct wperf_sampled_thread){
		.pid = thread->pid,
		.tid = thread->tid,
		.name = named_profile_text(inner, thread->name),
		.process_name = named_profile_text(inner, thread->process_name),
	};
	return true;
}

bool wperf_profile_module_at(const struct wperf_profile *profile, size_t number,
			     struct wperf_module *ret)
{
	const struct named_profile *inner = &profile->profile;
	if (number >= inner->num_modules)
		return false;
	const struct named_module *module = &inner->modules[number];
	*ret = (struct wperf_module){
		.name = named_profile_text(inner, module->name),
		.path = named_profile_text(inner, module->path),
		.build_id = named_profile_text(inner, module->build_id),
	};
	return true;
}

bool wperf_profile_function_at(const struct wperf_profile *profile, size_t number,
			       struct wperf_function *ret)
{
	const struct named_profile *inner = &profile->profile;
	if (number >= inner->num_functions)
		return false;
	const struct named_function *function = &inner->functions[number];
	*ret = (struct wperf_function){
		.name = named_profile_text(inner, function->name),
		.linkage_name = named_profile_text(inner, function->linkage_name),
		.file = named_profile_text(inner, function->file),
		.line = function->line,
		.module = function->module,
		.kind = (enum wperf_code_kind)function->kind,
	};
	return true;
}

bool wperf_profile_frame_at(const struct wperf_profile *profile, size_t number,
			    struct wperf_frame *ret)
{
	const struct named_profile *inner = &profile->profile;
	if (number >= inner->num_frames)
		return false;
	const struct named_frame *frame = &inner->frames[number];
	*ret = (struct wperf_frame){
		.function = frame->function,
		.file = named_profile_text(inner, frame->file),
		.line = frame->line,
		.is_inlined = frame->is_inlined,
		.address = frame->address,
	};
	return true;
}

bool wperf_profile_stack_at(const struct wperf_profile *profile, size_t number,
			    struct wperf_stack *ret)
{
	const struct stack_table *stacks = &profile->profile.stacks;
	if (number >= stacks->num_nodes)
		return false;
	const struct stack_node *node = &stacks->nodes[number];
	*ret = (struct wperf_stack){
		.frame = node->frame,
		.caller = node->parent,
		.depth = node->depth,
	};
	return true;
}

bool wperf_profile_sample_at(const struct wperf_profile *profile, size_t number,
			     struct wperf_sampled *ret)
{
	const struct named_profile *inner = &profile->profile;
	if (number >= inner->num_samples)
		return false;
	const struct named_sample *sample = &inner->samples[number];
	*ret = (struct wperf_sampled){
		.time_ns = sample->time_ns,
		.weight = sample->weight,
		.count = sample->count,
		.stack = sample->stack,
		.thread = sample->thread,
		.event = sample->event,
		.core = sample->cpu,
	};
	return true;
}
