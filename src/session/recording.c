// SPDX-License-Identifier: Apache-2.0

#include "session/recording.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "object/unpack/read_budget.h"
#include "profile/idle_samples.h"
#include "session/off_cpu.h"
#include "session/profile_facts.h"
#include "session/sample_sums.h"
#include "session/spe_batch.h"
#include "stack/sample_chain.h"
#include "stack/stack_finder.h"
#include "stack/stack_naming.h"
#include "stack/stack_walker.h"

#include <stdlib.h>
#include <string.h>

// recording_add_sample() finds the thread and process of a sample (process_table), adds its
// interpreted frames (interpreted_frames_settle()) and makes its normalized chain
// (sample_chain_set()). The chain then waits in a small batch. take_waiting() looks up the stacks
// of all samples of the batch, and adds each sample to its sum. Every look-up is a cache miss or
// two in large tables: one pass prefetches, the next one uses what has arrived, so that the misses
// of a batch overlap.
//
// A chain is looked up by the maps of its process. Therefore recording_apply() empties the batch
// before a record changes any process, and the functions that read the stacks or samples do so,
// too. After the last record, recording_name() names each place and stack once; the samples keep
// numbers of unnamed stacks until stack_naming_apply() replaces them. recording_take() does the
// same while recording (`top`), and forget_taken() drops those samples when the next record comes.
//
// A sample of a thread that leaves its CPU has no weight before the thread returns: hold_absence()
// looks its stack up at once and keeps it in off_cpu, and add_absence() adds it.

enum {
	MAX_WORDS = SAMPLE_CHAIN_MAX_WORDS,
	MAX_WAITING = SPE_BATCH_MAX,
};

// A sample whose stack was not looked up yet: memory is slow, and a number of look-ups that do not
// wait for each other take little longer than one.
struct waiting_sample {
	struct named_sample sample;
	struct stack_chain chain;
	uint8_t spe;   /* its number in the batch, or SPE_BATCH_NONE */
	uint64_t hash; /* of the sample, once its stack is known */
};

struct recording {
	struct recording_config config;
	struct process_table processes;
	struct process_users users;
	struct read_budget budget; // of files that stacks are unwound with, and of interpreters
	struct stack_finder finder;
	struct stack_walker *walker;
	struct eval_loops loops;
	struct interpreted_frames *interpreted; /* NULL: not wanted */
	const struct language *language;        /* of interpreted code */
	struct named_profile profile;           /* its samples' stacks are the finder's */
	struct sample_sums sums;
	struct stack_naming naming;
	size_t num_noted; /* modules that the symbolizer knows of */
	bool is_taken;    /* the samples have been handed out, with named stacks */
	struct recording_totals totals;
	struct off_cpu off_cpu;
	struct thread_times times;
	bool has_left_out;
	struct sample_chain chain; /* the last sample's; its words are in waiting_words */
	struct waiting_sample waiting[MAX_WAITING];
	size_t num_waiting, num_waiting_words;
	uint64_t waiting_words[2 * MAX_WORDS];
	struct spe_batch spe; /* those of the waiting samples that are SPE's */
};

struct error *recording_create(const struct recording_config *config, struct recording **ret)
{
	_cleanup_(recording_destroyp) struct recording *recording = calloc(1, sizeof(*recording));
	if (!recording)
		return &error_no_memory;
	recording->config = *config;
	recording->config.files.budget = &recording->budget;
	recording->config.files.users = &recording->users;
	recording->users.is_silent = !config->reads_users;
	const struct module_file_search *files = &recording->config.files;
	stack_finder_init(&recording->finder, &recording->processes);
	struct error *err = named_profile_init(&recording->profile);
	recording->language = all_interpreters[0]->language;
	recording->profile.language = recording->language;
	if (!err && config->walks_stacks)
		err = stack_walker_create(config->machine, files, &recording->walker);
	if (!err && config->walks_stacks && config->reads_stacks)
		stack_walker_read_processes(recording->walker);
	recording->loops.search = *files;
	const struct interpreted_frames_config interpreted = {
		.loops = &recording->loops,
		.method = config->collection_method,
		.stops = config->stops_threads,
	};
	if (!err && config->with_interpreted)
		err = interpreted_frames_create(&interpreted, &recording->interpreted);
	if (!err)
		err = named_profile_string(&recording->profile, config->machine,
					   &recording->profile.machine);
	recording->users.roots = &recording->profile.roots;
	if (!err && config->reads_users)
		err = process_users_add_ourselves(&recording->users);
	if (err)
		return err;
	*ret = take_ptr(recording);
	return NULL;
}

void recording_destroy(struct recording *recording)
{
	if (!recording)
		return;
	stack_walker_destroy(recording->walker);
	interpreted_frames_destroy(recording->interpreted);
	eval_loops_deinit(&recording->loops);
	process_table_deinit(&recording->processes);
	process_users_deinit(&recording->users);
	stack_finder_deinit(&recording->finder);
	sample_sums_deinit(&recording->sums);
	stack_naming_deinit(&recording->naming);
	off_cpu_deinit(&recording->off_cpu);
	thread_times_deinit(&recording->times);
	named_profile_deinit(&recording->profile);
	free(recording);
}

struct named_profile *recording_profile(struct recording *recording)
{
	return &recording->profile;
}

struct error *recording_add_event(struct recording *recording, const struct named_event *event)
{
	uint32_t number;
	return named_profile_event(&recording->profile, event, &number);
}

struct recording_chain recording_last_chain(const struct recording *recording)
{
	const struct sample_chain *chain = &recording->chain;
	return (struct recording_chain){
		.words = chain->raw,
		.length = chain->num_raw,
		.is_interpreted = recording->interpreted && chain->num_raw > 1 &&
				  chain->raw[0] == RECORD_CONTEXT_USER &&
				  code_places_hold(chain->raw[1]),
	};
}

static struct error *find_stacks(struct recording *recording)
{
	struct waiting_sample *end = recording->waiting + recording->num_waiting;
	for (struct waiting_sample *i = recording->waiting; i < end; i++)
		chain_cache_prefetch_words(&recording->finder.chains, i->chain.hash,
					   i->chain.num_words);
	for (struct waiting_sample *i = recording->waiting; i < end; i++) {
		struct error *err =
			stack_finder_find(&recording->finder, &i->chain, &i->sample.stack);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_up(struct recording *recording)
{
	struct sample_sums *sums = &recording->sums;
	struct named_profile *profile = &recording->profile;
	struct waiting_sample *end = recording->waiting + recording->num_waiting;
	for (struct waiting_sample *i = recording->waiting; i < end; i++) {
		i->hash = sample_sums_hash(&i->sample);
		sample_sums_prefetch_index(sums, i->hash);
	}
	for (struct waiting_sample *i = recording->waiting; i < end; i++)
		sample_sums_prefetch_sample(sums, profile, i->hash);
	for (struct waiting_sample *i = recording->waiting; i < end; i++) {
		struct error *err = sample_sums_add(sums, profile, i->hash, &i->sample);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *recording_keep(struct recording *recording)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < recording->num_waiting; i++)
		err = named_profile_add(&recording->profile, &recording->waiting[i].sample);
	return err;
}

static struct error *add_spe(struct recording *recording)
{
	struct spe_batch *batch = &recording->spe;
	for (size_t i = 0; i < recording->num_waiting; i++)
		if (recording->waiting[i].spe != SPE_BATCH_NONE)
			spe_batch_set_stack(batch, recording->waiting[i].spe,
					    recording->waiting[i].sample.stack);
	return spe_batch_take(batch, &recording->profile,
			      recording->config.keeps_samples ? NULL : &recording->sums);
}

/** The samples that wait; before anything changes that their stacks are found by. */
static struct error *take_waiting(struct recording *recording)
{
	struct error *err = find_stacks(recording);
	if (!err)
		err = recording->config.keeps_samples ? recording_keep(recording)
						      : add_up(recording);
	if (!err)
		err = add_spe(recording);
	recording->num_waiting = 0;
	recording->num_waiting_words = 0;
	return err;
}

static struct stack_chain last_chain(const struct recording *recording, uint32_t pid)
{
	const struct sample_chain *chain = &recording->chain;
	return (struct stack_chain){
		.words = chain->words,
		.num_words = chain->num_words,
		.hash = chain_cache_hash(chain->words, chain->num_words),
		.pid = pid,
	};
}

/** Its chain is the last one that was normalized. */
static struct error *let_wait(struct recording *recording, uint32_t pid,
			      const struct named_sample *sample, uint8_t spe)
{
	const struct stack_chain chain = last_chain(recording, pid);
	chain_cache_prefetch_index(&recording->finder.chains, chain.hash);
	recording->waiting[recording->num_waiting++] =
		(struct waiting_sample){.sample = *sample, .chain = chain, .spe = spe};
	recording->num_waiting_words += recording->chain.num_words;
	bool is_full =
		recording->num_waiting == MAX_WAITING ||
		ARRAY_SIZE(recording->waiting_words) - recording->num_waiting_words < MAX_WORDS;
	return is_full ? take_waiting(recording) : NULL;
}

/** Nobody tells the name of Linux' idle task: it is what perf calls it. */
static const char *thread_name(const struct recording *recording, uint32_t pid, uint32_t tid)
{
	const char *name = process_table_thread_name(&recording->processes, pid, tid);
	return *name || pid || tid ? name : "swapper";
}

static struct error *label_thread(struct recording *recording, struct process_thread *thread)
{
	struct named_profile *profile = &recording->profile;
	struct named_thread named = {.pid = thread->pid, .tid = thread->tid};
	const char *process = thread_name(recording, thread->pid, thread->pid);
	struct error *err = named_profile_string(
		profile, thread_name(recording, thread->pid, thread->tid), &named.name);
	if (!err)
		err = named_profile_string(profile, process, &named.process_name);
	return err ? err : named_profile_thread(profile, &named, &thread->label);
}

static struct error *recording_find_thread(struct recording *recording, const struct record *record,
					   uint32_t *ret)
{
	struct process_thread *thread;
	struct error *err =
		process_table_thread(&recording->processes, record->pid, record->tid, &thread);
	if (!err && thread->label == UINT32_MAX)
		err = label_thread(recording, thread);
	if (!err)
		*ret = thread->label;
	return err;
}

static void note_time(struct recording_totals *totals, uint64_t time_ns)
{
	totals->num_samples++;
	if (!time_ns)
		return;
	if (!totals->first_time_ns || time_ns < totals->first_time_ns)
		totals->first_time_ns = time_ns;
	if (time_ns > totals->last_time_ns)
		totals->last_time_ns = time_ns;
}

static void forget_taken(struct recording *recording)
{
	if (!recording->is_taken)
		return;
	recording->profile.num_samples = 0;
	sample_sums_deinit(&recording->sums);
	recording->sums = (struct sample_sums)SAMPLE_SUMS_INIT;
	recording->is_taken = false;
}

static struct error *recording_set_chain(struct recording *recording, const struct process *process,
					 const struct record *record)
{
	const struct sample_chain_rules rules = {
		.has_callers = recording->config.has_callers,
		.has_call_branches = recording->config.has_call_branches,
		.walker = recording->walker,
		.interpreted = interpreted_frames_processes(recording->interpreted),
		.interpreted_rule = recording->config.interpreted_rule,
	};
	struct sample_chain *chain = &recording->chain;
	struct error *err =
		sample_chain_set(chain, &rules, &recording->processes.modules, process, record,
				 recording->waiting_words + recording->num_waiting_words);
	if (err)
		return err;
	if (chain->was_walked)
		recording->totals.num_walks[chain->end]++;
	recording->totals.num_completed += chain->was_completed;
	recording->totals.num_entries += chain->num_entries;
	recording->totals.num_placed += chain->num_placed;
	return NULL;
}

static bool is_left_out(const struct recording *recording, const struct record *record)
{
	return recording->config.only_with_gil && record->sample.gil != GIL_HELD;
}

static bool is_off_cpu(const struct recording *recording, const struct record *record)
{
	return recording->config.has_off_cpu && record->event == recording->config.off_cpu_event;
}

/** No address and no frames: the kernel did not show it. */
static bool has_stack(const struct record_sample *sample)
{
	return sample->ip || sample->num_frames;
}

/** What it weighs will be known later, its stack only now. */
static struct error *hold_absence(struct recording *recording, const struct record *record,
				  const struct named_sample *sample)
{
	const struct stack_chain chain = last_chain(recording, record->pid);
	struct error *err = take_waiting(recording);
	if (err)
		return err;
	struct off_cpu_absence absence = {
		.sample = *sample,
		.gil = record->sample.gil,
		.read_ns = record->sample.skew_ns ? record->time_ns + record->sample.skew_ns : 0,
	};
	absence.sample.stack = STACK_NONE;
	if (has_stack(&record->sample))
		err = stack_finder_find(&recording->finder, &chain, &absence.sample.stack);
	return err ? err : off_cpu_sample(&recording->off_cpu, record->tid, &absence);
}

// @ret: its number in the batch; SPE_BATCH_NONE if there is nothing of SPE, or it is not wanted.
static struct error *keep_spe(struct recording *recording, const struct process *process,
			      const struct record *record, const struct named_sample *named,
			      uint8_t *ret)
{
	*ret = SPE_BATCH_NONE;
	if (!recording->config.with_spe || !record->sample.spe)
		return NULL;
	*ret = (uint8_t)recording->spe.num;
	struct spe_sample *sample =
		spe_batch_add(&recording->spe, record, named, recording->config.tells_spe_threads);
	if (!spe_sample_has_target(sample))
		return NULL;
	uint64_t target = spe_record_address(&sample->record, SPE_ADDRESS_BRANCH_TARGET);
	return stack_finder_address(&recording->finder, process, target, &sample->target_stack);
}

static struct error *recording_add_sample(struct recording *recording, const struct record *record)
{
	struct named_sample sample = {
		.time_ns = record->time_ns,
		.weight = record->sample.period,
		.count = 1,
		.event = record->event,
		.cpu = record->cpu,
	};
	forget_taken(recording);
	struct process *process;
	struct error *err = recording_find_thread(recording, record, &sample.thread);
	if (!err)
		err = process_table_process(&recording->processes, record->pid, &process);
	if (err)
		return err;
	struct record joined;
	err = interpreted_frames_settle(recording->interpreted, &record, &joined);
	if (err)
		return err;
	recording->has_left_out = is_left_out(recording, record);
	recording->totals.num_left_out += recording->has_left_out;
	recording->totals.num_gil_unknown += recording->has_left_out && record->sample.num_frames &&
					     record->sample.gil == GIL_UNKNOWN;
	process_lives_sample(process);
	if (recording->has_left_out)
		return NULL;
	err = recording_set_chain(recording, process, record);
	if (err)
		return err;
	note_time(&recording->totals, record->time_ns);
	if (is_off_cpu(recording, record))
		return hold_absence(recording, record, &sample);
	uint8_t spe;
	err = thread_times_add(&recording->times, &sample, record->sample.gil);
	if (!err)
		err = keep_spe(recording, process, record, &sample, &spe);
	return err ? err : let_wait(recording, record->pid, &sample, spe);
}

/** It had a time of its own, which is known now. */
static struct error *add_absence(struct recording *recording, struct off_cpu_absence *absence,
				 uint64_t until_ns)
{
	struct named_sample *sample = &absence->sample;
	sample->weight = until_ns > sample->time_ns ? until_ns - sample->time_ns : 0;
	if (absence->is_preempted)
		recording->totals.preempted_ns += sample->weight;
	// It may have been on another line by then.
	bool is_too_short = absence->read_ns > until_ns;
	recording->totals.num_too_short += is_too_short;
	struct error *err = NULL;
	if (is_too_short || sample->stack == STACK_NONE)
		err = stack_finder_unknown(&recording->finder, &sample->stack);
	forget_taken(recording);
	if (!err)
		err = thread_times_add(&recording->times, sample, absence->gil);
	if (err)
		return err;
	if (recording->config.keeps_samples)
		return named_profile_add(&recording->profile, sample);
	return sample_sums_add(&recording->sums, &recording->profile, sample_sums_hash(sample),
			       sample);
}

/** A thread whose sample did not come has no stack, but its time. */
static struct error *recording_leave(struct recording *recording, const struct record *record)
{
	struct off_cpu_absence absence = {
		.sample = {.time_ns = record->time_ns,
			   .count = 1,
			   .stack = STACK_NONE,
			   .event = recording->config.off_cpu_event,
			   .cpu = record->cpu},
		.is_preempted = record->change.is_preempted,
		.is_unsampled = true,
	};
	struct error *err = recording_find_thread(recording, record, &absence.sample.thread);
	return err ? err : off_cpu_leave(&recording->off_cpu, record->tid, &absence);
}

static struct error *come_back(struct recording *recording, const struct record *record)
{
	struct off_cpu_absence absence;
	if (!off_cpu_return(&recording->off_cpu, record->tid, &absence))
		return NULL;
	recording->totals.num_unsampled += absence.is_unsampled;
	return add_absence(recording, &absence, record->time_ns);
}

static struct error *change_thread(struct recording *recording, const struct record *record)
{
	if (!recording->config.has_off_cpu || !record->tid)
		return NULL;
	return record->change.is_out ? recording_leave(recording, record)
				     : come_back(recording, record);
}

/** Whoever ends runs: it has come back, also where that was not told. */
static struct error *follow_task(struct recording *recording, const struct record *record)
{
	if (!recording->config.has_off_cpu)
		return NULL;
	if (record->kind == RECORD_FORK)
		off_cpu_begin(&recording->off_cpu, record->tid);
	if (record->kind != RECORD_EXIT)
		return NULL;
	struct error *err = come_back(recording, record);
	return err ? err : off_cpu_end(&recording->off_cpu, record->tid);
}

struct error *recording_end(struct recording *recording, uint64_t time_ns)
{
	if (!recording->config.has_off_cpu)
		return NULL;
	struct off_cpu_absence absence;
	struct error *err = take_waiting(recording);
	while (!err && off_cpu_take(&recording->off_cpu, &absence))
		err = add_absence(recording, &absence, time_ns);
	if (time_ns > recording->totals.last_time_ns)
		recording->totals.last_time_ns = time_ns;
	return err;
}

bool recording_has_left_out(const struct recording *recording)
{
	return recording->has_left_out;
}

const struct language *recording_language(const struct recording *recording)
{
	return recording->language;
}

struct interpreted_frames *recording_interpreted(const struct recording *recording)
{
	return recording->interpreted;
}

const struct thread_times *recording_thread_times(const struct recording *recording)
{
	return &recording->times;
}

static struct error *recording_apply(struct recording *recording, const struct record *record)
{
	struct error *err = take_waiting(recording);
	if (!err)
		err = follow_task(recording, record);
	if (!err)
		err = process_table_apply(&recording->processes, record);
	if (!err)
		err = process_lives_apply(&recording->totals.lives, &recording->processes, record);
	if (!err)
		err = interpreted_frames_note(recording->interpreted, &recording->processes,
					      record);
	const struct interpreter_change change = interpreted_frames_change(recording->interpreted);
	if (change.process)
		recording->profile.language = change.ops->language;
	return err;
}

struct error *recording_add(struct recording *recording, const struct record *record)
{
	recording->has_left_out = false;
	interpreted_frames_begin_record(recording->interpreted);
	struct error *err =
		recording->config.reads_users ? process_users_see(&recording->users, record) : NULL;
	if (err)
		return err;
	switch (record->kind) {
	case RECORD_SAMPLE:
		return recording_add_sample(recording, record);
	case RECORD_LOST:
		recording->totals.num_lost += record->num_lost;
		return NULL;
	case RECORD_SWITCH:
		return change_thread(recording, record);
	default:
		return recording_apply(recording, record);
	}
}

struct recording_totals recording_totals(const struct recording *recording)
{
	struct recording_totals totals = recording->totals;
	totals.num_cut_mappings = recording->processes.room.num_cut;
	return totals;
}

struct process_users *recording_users(struct recording *recording)
{
	return &recording->users;
}

static void set_rights(struct recording *recording)
{
	struct named_profile *profile = &recording->profile;
	const struct process_users *users = &recording->users;
	for (size_t i = 0; i < profile->num_threads; i++)
		profile->threads[i].rights = process_users_find(users, profile->threads[i].pid);
	for (size_t i = 0; i < profile->num_modules; i++) {
		profile->modules[i].rights =
			process_users_find_code(users, profile->modules[i].pid);
		profile->modules[i].has_rights = true;
	}
}

const struct process_table *recording_processes(const struct recording *recording)
{
	return &recording->processes;
}

struct error *recording_used_modules(struct recording *recording, bool **ret)
{
	struct error *err = take_waiting(recording);
	if (err)
		return err;
	bool *used = calloc(recording->processes.modules.num_items + 1, sizeof(*used));
	if (!used)
		return &error_no_memory;
	for (size_t i = 0; i < recording->finder.frames.num_items; i++)
		if (recording->finder.frames.items[i].module < STACK_INTERPRETED_MODULE)
			used[recording->finder.frames.items[i].module] = true;
	*ret = used;
	return NULL;
}

struct error *recording_name(struct recording *recording, struct symbolizer *symbolizer)
{
	const struct named_places places = {
		.modules = &recording->processes.modules,
		.frames = &recording->finder.frames,
		.stacks = &recording->finder.stacks,
		.interpreted = interpreted_frames_places(recording->interpreted),
		.loops = &recording->loops,
	};
	struct error *err = take_waiting(recording);
	if (!err && recording->config.reads_users)
		err = process_users_refresh(&recording->users);
	for (; !err && recording->num_noted < places.modules->num_items; recording->num_noted++)
		err = symbolizer_note_module(symbolizer,
					     &places.modules->items[recording->num_noted]);
	return err ? err
		   : stack_naming_add(&recording->naming, &places, symbolizer, &recording->profile);
}

/** SPE's sums are beside its samples, and have no idle CPUs: they execute nothing. */
static struct error *recording_leave_out_idle(struct recording *recording)
{
	bool is_wanted = recording->config.leaves_out_idle && !recording->profile.spe;
	return is_wanted ? idle_samples_leave_out(&recording->profile, NULL) : NULL;
}

struct error *recording_take(struct recording *recording, struct symbolizer *symbolizer,
			     const struct named_profile **ret)
{
	forget_taken(recording);
	struct error *err = recording_name(recording, symbolizer);
	if (err)
		return err;
	stack_naming_apply(&recording->naming, &recording->profile);
	set_rights(recording);
	recording->profile.num_lost = recording->totals.num_lost;
	recording->is_taken = true;
	*ret = &recording->profile;
	return recording_leave_out_idle(recording);
}

struct error *recording_finish(struct recording *recording, struct symbolizer *symbolizer,
			       struct named_profile *ret)
{
	struct named_profile *profile = &recording->profile;
	const struct collection_facts collection = interpreted_frames_facts(recording->interpreted);
	struct error *err = recording_name(recording, symbolizer);
	if (!err)
		err = profile_facts_set_collection(profile, &collection);
	if (err)
		return err;
	stack_naming_apply(&recording->naming, profile);
	if (profile->spe)
		spe_profile_renumber_stacks(profile->spe, recording->naming.stacks);
	err = recording_leave_out_idle(recording);
	if (err)
		return err;
	set_rights(recording);
	profile->num_lost = recording->totals.num_lost;
	profile->start_time_ns = recording->totals.first_time_ns;
	profile->duration_ns = recording->totals.last_time_ns - recording->totals.first_time_ns;
	*ret = *profile;
	*profile = (struct named_profile){0};
	return NULL;
}
