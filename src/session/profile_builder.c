// SPDX-License-Identifier: Apache-2.0

#include "session/profile_builder.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "object/unpack/read_budget.h"
#include "profile/idle_samples.h"
#include "profile/waker_stack.h"
#include "record/perf_data/perf_access.h"
#include "record/spe/spe_core.h"
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

// profile_builder_add_sample() finds the thread and process of a sample (process_table), adds its
// interpreted frames (interpreted_frames_settle()) with their places, and makes its normalized
// chain (sample_chain_set()). The chain then waits in a small batch. take_waiting() looks up the
// stacks of all samples of the batch, and adds each sample to its sum. Every look-up is a cache
// miss or two in large tables: one pass prefetches, the next one uses what has arrived, so that the
// misses of a batch overlap.
//
// A chain is looked up by the maps of its process. Therefore profile_builder_apply() empties the
// batch before a record changes any process, and the functions that read the stacks or samples do
// so, too. After the last record, profile_builder_name() names each place and stack once; the
// samples keep numbers of unnamed stacks until stack_naming_apply() replaces them.
// profile_builder_take() does the same while recording (`top`), and forget_taken() drops those
// samples when the next record comes.
//
// A sample of a thread that leaves its CPU has no weight before the thread returns: hold_absence()
// looks its stack up at once and keeps it in off_cpu, and add_absence() adds it.

enum {
	MAX_WORDS = SAMPLE_CHAIN_MAX_WORDS,
	// Each waiting sample may be one of SPE's, so both batches have the same size.
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

struct profile_builder {
	struct profile_builder_config config;
	struct process_table processes;
	struct process_users users;
	struct read_budget budget; // of files that stacks are unwound with, and of interpreters
	struct stack_finder finder;
	struct stack_walker *walker;
	struct eval_loops loops;
	struct interpreted_frames *interpreted; /* NULL: not wanted */
	struct named_profile profile;           /* its samples' stacks are the finder's */
	struct sample_sums sums;
	struct stack_naming naming;
	size_t num_noted; /* modules that the symbolizer knows of */
	bool is_taken;    /* the samples have been handed out, with named stacks */
	bool has_ended;   /* so that the samples have what is in use */
	struct profile_builder_totals totals;
	struct off_cpu off_cpu;
	struct thread_times times;
	struct live_samples live[RECORD_NUM_BLOCK_RULES]; /* by rule */
	const struct live_samples *curve_list; /* that profile.memory is of; NULL: none yet */
	bool has_left_out;
	struct sample_chain chain; /* the last sample's; its words are in waiting_words */
	enum gil_state gil;        /* the last sample's */
	struct waiting_sample waiting[MAX_WAITING];
	size_t num_waiting, num_waiting_words;
	// The chains of the batch, one behind the other. A chain of any length fits behind them:
	// let_wait() empties the batch before less than MAX_WORDS are left.
	uint64_t waiting_words[2 * MAX_WORDS];
	struct spe_batch spe; /* those of the waiting samples that are SPE's */
};

struct error *profile_builder_create(const struct profile_builder_config *config,
				     struct profile_builder **ret)
{
	_cleanup_(profile_builder_destroyp) struct profile_builder *builder =
		calloc(1, sizeof(*builder));
	if (!builder)
		return &error_no_memory;
	builder->config = *config;
	for (unsigned rule = 0; rule < RECORD_NUM_BLOCK_RULES; rule++)
		builder->live[rule].rule = (enum record_block_rule)rule;
	builder->config.files.budget = &builder->budget;
	builder->config.files.users = &builder->users;
	builder->users.is_silent = !config->reads_users;
	const struct module_file_search *files = &builder->config.files;
	stack_finder_init(&builder->finder, &builder->processes);
	struct error *err = named_profile_init(&builder->profile);
	builder->profile.language = interpreter_usual_language();
	if (!err && config->walks_stacks)
		err = stack_walker_create(config->machine, files, &builder->walker);
	if (!err && config->walks_stacks && config->reads_stacks)
		stack_walker_read_processes(builder->walker);
	if (!err && builder->walker)
		stack_walker_limit_tables(builder->walker, config->max_table_bytes);
	builder->loops.search = *files;
	const struct interpreted_frames_config interpreted = {
		.loops = &builder->loops,
		.method = config->collection_method,
		.stops = config->stops_threads,
		.extras = config->extras,
	};
	if (!err && config->with_interpreted)
		err = interpreted_frames_create(&interpreted, &builder->interpreted);
	if (!err)
		err = named_profile_string(&builder->profile, config->machine,
					   &builder->profile.machine);
	builder->users.roots = &builder->profile.roots;
	if (!err && config->reads_users)
		err = process_users_add_ourselves(&builder->users);
	if (err)
		return err;
	*ret = take_ptr(builder);
	return NULL;
}

void profile_builder_destroy(struct profile_builder *builder)
{
	if (!builder)
		return;
	stack_walker_destroy(builder->walker);
	interpreted_frames_destroy(builder->interpreted);
	eval_loops_deinit(&builder->loops);
	process_table_deinit(&builder->processes);
	process_users_deinit(&builder->users);
	stack_finder_deinit(&builder->finder);
	sample_sums_deinit(&builder->sums);
	stack_naming_deinit(&builder->naming);
	off_cpu_deinit(&builder->off_cpu);
	for (unsigned rule = 0; rule < RECORD_NUM_BLOCK_RULES; rule++)
		live_samples_deinit(&builder->live[rule]);
	thread_times_deinit(&builder->times);
	named_profile_deinit(&builder->profile);
	free(builder);
}

struct named_profile *profile_builder_profile(struct profile_builder *builder)
{
	return &builder->profile;
}

const struct language *profile_builder_language(const struct profile_builder *builder)
{
	return builder->profile.language;
}

struct error *profile_builder_add_event(struct profile_builder *builder,
					const struct named_event *event)
{
	uint32_t number;
	return named_profile_event(&builder->profile, event, &number);
}

struct profile_builder_chain profile_builder_last_chain(const struct profile_builder *builder)
{
	const struct sample_chain *chain = &builder->chain;
	return (struct profile_builder_chain){
		.words = chain->raw,
		.length = chain->num_raw,
		.gil = builder->gil,
		.is_interpreted = builder->interpreted && chain->num_raw > 1 &&
				  chain->raw[0] == RECORD_CONTEXT_USER &&
				  code_places_hold(chain->raw[1]),
	};
}

/** let_wait() has prefetched where the index of the cache has each chain. The first pass prefetches
 *  the words that are there, and the second one compares them. */
static struct error *find_stacks(struct profile_builder *builder)
{
	struct waiting_sample *end = builder->waiting + builder->num_waiting;
	for (struct waiting_sample *i = builder->waiting; i < end; i++)
		chain_cache_prefetch_words(&builder->finder.chains, i->chain.hash,
					   i->chain.num_words);
	for (struct waiting_sample *i = builder->waiting; i < end; i++) {
		struct error *err =
			stack_finder_find(&builder->finder, &i->chain, &i->sample.stack);
		if (err)
			return err;
	}
	return NULL;
}

/** Three passes, as a look-up has three steps that depend on each other: the slot of the index, the
 *  sum that it points to, and the addition. */
static struct error *add_up(struct profile_builder *builder)
{
	struct sample_sums *sums = &builder->sums;
	struct named_profile *profile = &builder->profile;
	struct waiting_sample *end = builder->waiting + builder->num_waiting;
	for (struct waiting_sample *i = builder->waiting; i < end; i++) {
		i->hash = sample_sums_hash(&i->sample);
		sample_sums_prefetch_index(sums, i->hash);
	}
	for (struct waiting_sample *i = builder->waiting; i < end; i++)
		sample_sums_prefetch_sample(sums, profile, i->hash);
	for (struct waiting_sample *i = builder->waiting; i < end; i++) {
		struct error *err = sample_sums_add(sums, profile, i->hash, &i->sample);
		if (err)
			return err;
	}
	return NULL;
}

/** Each sample with its own time, in the order of the records: there is nothing to look up. */
static struct error *profile_builder_keep(struct profile_builder *builder)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < builder->num_waiting; i++)
		err = named_profile_add(&builder->profile, &builder->waiting[i].sample);
	return err;
}

static struct error *add_spe(struct profile_builder *builder)
{
	struct spe_batch *batch = &builder->spe;
	for (size_t i = 0; i < builder->num_waiting; i++)
		if (builder->waiting[i].spe != SPE_BATCH_NONE)
			spe_batch_set_stack(batch, builder->waiting[i].spe,
					    builder->waiting[i].sample.stack);
	return spe_batch_take(batch, &builder->profile,
			      builder->config.keeps_samples ? NULL : &builder->sums);
}

/** To be called before anything changes that stacks are looked up by: processes and their maps. */
static struct error *take_waiting(struct profile_builder *builder)
{
	struct error *err = find_stacks(builder);
	if (!err)
		err = builder->config.keeps_samples ? profile_builder_keep(builder)
						    : add_up(builder);
	if (!err)
		err = add_spe(builder);
	builder->num_waiting = 0;
	builder->num_waiting_words = 0;
	return err;
}

static struct stack_chain last_chain(const struct profile_builder *builder, uint32_t pid)
{
	const struct sample_chain *chain = &builder->chain;
	return (struct stack_chain){
		.words = chain->words,
		.num_words = chain->num_words,
		.hash = chain_cache_hash(chain->words, chain->num_words),
		.pid = pid,
	};
}

/** Its chain is the last one that was normalized. */
static struct error *let_wait(struct profile_builder *builder, uint32_t pid,
			      const struct named_sample *sample, uint8_t spe)
{
	const struct stack_chain chain = last_chain(builder, pid);
	chain_cache_prefetch_index(&builder->finder.chains, chain.hash);
	builder->waiting[builder->num_waiting++] =
		(struct waiting_sample){.sample = *sample, .chain = chain, .spe = spe};
	builder->num_waiting_words += builder->chain.num_words;
	bool is_full = builder->num_waiting == MAX_WAITING ||
		       ARRAY_SIZE(builder->waiting_words) - builder->num_waiting_words < MAX_WORDS;
	return is_full ? take_waiting(builder) : NULL;
}

/** No record has the name of Linux' idle task (pid 0, tid 0). perf calls it "swapper". */
static const char *thread_name(const struct profile_builder *builder, uint32_t pid, uint32_t tid)
{
	const char *name = process_table_thread_name(&builder->processes, pid, tid);
	return *name || pid || tid ? name : "swapper";
}

static struct error *label_thread(struct profile_builder *builder, struct process_thread *thread)
{
	struct named_profile *profile = &builder->profile;
	struct named_thread named = {
		.pid = thread->pid,
		.tid = thread->tid,
		.parent_pid = process_table_parent(&builder->processes, thread->pid),
	};
	const char *process = thread_name(builder, thread->pid, thread->pid);
	struct error *err = named_profile_string(
		profile, thread_name(builder, thread->pid, thread->tid), &named.name);
	if (!err)
		err = named_profile_string(profile, process, &named.process_name);
	if (!err)
		err = named_profile_string(
			profile, process_table_said_role(&builder->processes, thread->pid),
			&named.said_role);
	return err ? err : named_profile_thread(profile, &named, &thread->label);
}

/** @ret: the thread's number in the profile. The process table keeps it as the thread's label,
 * until the thread changes its name: it becomes another thread of the profile then. */
static struct error *profile_builder_find_thread(struct profile_builder *builder,
						 const struct record *record, uint32_t *ret)
{
	struct process_thread *thread;
	struct error *err =
		process_table_thread(&builder->processes, record->pid, record->tid, &thread);
	if (!err && thread->label == UINT32_MAX) {
		// What keeps no samples must not grow with each thread that there ever was.
		if (builder->config.keeps_no_samples)
			thread->label = 0;
		else
			err = label_thread(builder, thread);
		if (!err)
			err = interpreted_frames_note_thread(builder->interpreted, thread->pid,
							     thread->tid);
	}
	if (!err)
		*ret = thread->label;
	return err;
}

/** A record of a source without times has 0, which is no time. */
static void note_time(struct profile_builder_totals *totals, uint64_t time_ns)
{
	totals->num_samples++;
	if (!time_ns)
		return;
	if (!totals->first_time_ns || time_ns < totals->first_time_ns)
		totals->first_time_ns = time_ns;
	if (time_ns > totals->last_time_ns)
		totals->last_time_ns = time_ns;
}

/** The index goes with the samples, as it refers to them by number. */
static void forget_taken(struct profile_builder *builder)
{
	if (!builder->is_taken)
		return;
	builder->profile.num_samples = 0;
	sample_sums_deinit(&builder->sums);
	builder->sums = (struct sample_sums)SAMPLE_SUMS_INIT;
	// They have the numbers of named stacks by now, and belong to what was taken.
	wait_table_deinit(&builder->profile.waits);
	builder->is_taken = false;
}

static struct error *profile_builder_set_chain(struct profile_builder *builder,
					       const struct process *process,
					       const struct record *record)
{
	struct interpreted_stack interpreted;
	struct error *err =
		interpreted_frames_find_places(builder->interpreted, record, &interpreted);
	if (err)
		return err;
	const struct sample_chain_rules rules = {
		.has_callers = builder->config.has_callers,
		.has_call_branches = builder->config.has_call_branches,
		.walker = builder->walker,
		.interpreted_rule = builder->config.interpreted_rule,
	};
	const struct sample_chain_parts parts = {
		.record = record,
		.process = process,
		.modules = &builder->processes.modules,
		.interpreted = &interpreted,
	};
	struct sample_chain *chain = &builder->chain;
	sample_chain_set(chain, &rules, &parts,
			 builder->waiting_words + builder->num_waiting_words);
	if (chain->was_walked)
		builder->totals.num_walks[chain->end]++;
	builder->totals.num_completed += chain->was_completed;
	builder->totals.num_entries += chain->num_entries;
	builder->totals.num_placed += chain->num_placed;
	return NULL;
}

/** Its stack has to be found now, likewise. */
static struct error *hold_wake(struct profile_builder *builder, const struct record *record,
			       const struct wake *wake, uint32_t thread)
{
	const struct stack_chain chain = last_chain(builder, record->pid);
	struct off_cpu_link link = {.cause = WAKE_BY_THREAD, .thread = thread};
	struct error *err = take_waiting(builder);
	if (!err)
		err = stack_finder_find(&builder->finder, &chain, &link.stack);
	if (!err)
		off_cpu_wake(&builder->off_cpu, wake->tid, record->tid, record->time_ns, &link);
	return err;
}

/** False: it is damaged. */
static bool profile_builder_read_wake(const struct record *record, struct wake *ret)
{
	const struct record_sample *sample = &record->sample;
	if (!sample->payload || sample->payload_size < sizeof(*ret))
		return false;
	memcpy(ret, sample->payload, sizeof(*ret));
	return ret->cause < WAKE_NUM_CAUSES && memchr(ret->name, 0, sizeof(ret->name));
}

/** Whoever wakes the target's threads may be no part of it: its name comes with the sample. */
static struct error *profile_builder_introduce_waker(struct profile_builder *builder,
						     const struct record *record,
						     const struct wake *wake)
{
	const struct record comm = {
		.kind = RECORD_COMM,
		.pid = record->pid,
		.tid = record->tid,
		.time_ns = record->time_ns,
		.comm = {.name = wake->name},
	};
	if (*process_table_thread_name(&builder->processes, record->pid, record->tid))
		return NULL;
	struct error *err = take_waiting(builder);
	return err ? err : process_table_apply(&builder->processes, &comm);
}

/** Nobody's stack led to it. */
static void profile_builder_take_interrupt(struct profile_builder *builder,
					   const struct record *record, const struct wake *wake)
{
	const struct off_cpu_link link = {
		.cause = (enum wake_cause)wake->cause,
		.thread = NAMED_NONE,
		.stack = STACK_NONE,
	};
	builder->chain.num_raw = 0;
	builder->gil = GIL_UNKNOWN;
	off_cpu_wake(&builder->off_cpu, wake->tid, 0, record->time_ns, &link);
}

/** The weight is known when the thread returns. The stack has to be looked up now, before the maps
 *  of its process change. */
static struct error *hold_absence(struct profile_builder *builder, const struct record *record,
				  const struct named_sample *sample)
{
	// Its words stand behind those of the waiting samples. take_waiting() only resets the
	// counters, so they stay valid until the next chain is set.
	const struct stack_chain chain = last_chain(builder, record->pid);
	struct error *err = take_waiting(builder);
	if (err)
		return err;
	struct off_cpu_absence absence = {
		.sample = *sample,
		.read_ns = record->sample.skew_ns ? record->time_ns + record->sample.skew_ns : 0,
	};
	absence.sample.stack = STACK_NONE;
	// No address and no frames: the kernel did not show it.
	if (record->sample.ip || record->sample.num_frames)
		err = stack_finder_find(&builder->finder, &chain, &absence.sample.stack);
	return err ? err : off_cpu_sample(&builder->off_cpu, record->tid, &absence);
}

static struct live_samples *profile_builder_live(struct profile_builder *builder, uint64_t block)
{
	return &builder->live[record_block_rule(block)];
}

/** The events of memory in use have the same blocks: one curve of bytes is that of all. */
static struct error *profile_builder_note_memory(struct profile_builder *builder,
						 const struct live_samples *list, uint64_t time_ns)
{
	bool has_curve = list->rule != RECORD_BLOCK_TEMPORARY && list->rule != RECORD_BLOCK_NUMBER;
	if (!builder->curve_list && has_curve)
		builder->curve_list = list;
	return builder->curve_list == list
		       ? memory_curve_add(&builder->profile.memory, time_ns, list->weight)
		       : NULL;
}

/** It counts at the end, if the rule of its block says so. The stack is looked up now, likewise. */
static struct error *hold_block(struct profile_builder *builder, const struct record *record,
				const struct named_sample *sample)
{
	const struct stack_chain chain = last_chain(builder, record->pid);
	struct error *err = take_waiting(builder);
	struct live_sample live = {
		.block = record->sample.block,
		.pid = record->pid,
		.tid = record->tid,
		.ip = record->sample.ip,
		.sample = *sample,
	};
	if (!err)
		err = stack_finder_find(&builder->finder, &chain, &live.sample.stack);
	if (err)
		return err;
	const struct profile_builder_chain written = profile_builder_last_chain(builder);
	live.words = written.words;
	live.num_words = written.length;
	live.is_interpreted = written.is_interpreted;
	builder->has_left_out = true;
	builder->profile.events[sample->event].is_state = true;
	struct live_samples *list = profile_builder_live(builder, live.block);
	err = live_samples_add(list, &live);
	return err ? err : profile_builder_note_memory(builder, list, record->time_ns);
}

static struct error *profile_builder_free(struct profile_builder *builder,
					  const struct record *record)
{
	struct live_samples *list = profile_builder_live(builder, record->freed.block);
	struct error *err = live_samples_free(list, record->freed.block, record->freed.counts);
	builder->has_left_out = true;
	return err ? err : profile_builder_note_memory(builder, list, record->time_ns);
}

/** The memory of a process is gone: it has become another program. */
static struct error *profile_builder_drop_memory(struct profile_builder *builder,
						 const struct record *record)
{
	struct error *err = NULL;
	for (unsigned rule = 0; !err && rule < RECORD_NUM_BLOCK_RULES; rule++)
		err = live_samples_drop(&builder->live[rule], record->pid);
	if (err || !builder->curve_list)
		return err;
	return profile_builder_note_memory(builder, builder->curve_list, record->time_ns);
}

// @ret: its number in the batch; SPE_BATCH_NONE if there is nothing of SPE, or it is not wanted.
static struct error *keep_spe(struct profile_builder *builder, const struct process *process,
			      const struct record *record, const struct named_sample *named,
			      uint8_t *ret)
{
	struct spe_record access;
	struct record of_access;
	*ret = SPE_BATCH_NONE;
	if (!builder->config.with_spe)
		return NULL;
	// An access to memory that another processor than Arm's tells of.
	if (record->sample.data_source && perf_access_operation(&record->sample, &access)) {
		of_access = *record;
		of_access.sample.spe = &access;
		of_access.sample.spe_midr = SPE_CORE_OF_PERF;
		record = &of_access;
	}
	if (!record->sample.spe)
		return NULL;
	*ret = (uint8_t)builder->spe.num;
	struct spe_sample *sample =
		spe_batch_add(&builder->spe, record, named, builder->config.tells_spe_threads);
	if (!spe_sample_has_target(sample))
		return NULL;
	uint64_t target = spe_record_address(&sample->record, SPE_ADDRESS_BRANCH_TARGET);
	return stack_finder_address(&builder->finder, process, target, &sample->target_stack);
}

/** The taken branches before a sample, which its processor recorded. */
static struct error *add_branches(struct profile_builder *builder, const struct process *process,
				  const struct record *record, const struct named_sample *named)
{
	struct named_profile *profile = &builder->profile;
	struct error *err = NULL;
	if (!builder->config.with_spe || builder->config.has_call_branches)
		return NULL;
	for (size_t i = 0; !err && i < record->sample.num_branches; i++) {
		struct spe_sample branch = {
			.place = {.thread = builder->config.tells_spe_threads ? named->thread
									      : NAMED_NONE,
				  .event = named->event,
				  .midr = SPE_CORE_OF_PERF},
			.pid = record->pid,
		};
		if (!perf_branch_operation(&record->sample.branches[i], &branch.record)) {
			builder->totals.num_unpredicted++;
			continue;
		}
		if (!profile->spe)
			err = spe_profile_create(&profile->spe);
		if (!err)
			err = stack_finder_address(&builder->finder, process,
						   record->sample.branches[i].from,
						   &branch.place.stack);
		if (!err)
			err = stack_finder_address(&builder->finder, process,
						   record->sample.branches[i].to,
						   &branch.target_stack);
		if (!err)
			err = spe_profile_add(profile->spe, &branch);
	}
	return err;
}

/** Whose it is, and its interpreted frames, which come in @joined. */
static struct error *profile_builder_begin_sample(struct profile_builder *builder,
						  const struct record **record,
						  struct record *joined, uint32_t *ret_thread,
						  struct process **ret_process)
{
	forget_taken(builder);
	struct error *err = profile_builder_find_thread(builder, *record, ret_thread);
	if (!err)
		err = process_table_process(&builder->processes, (*record)->pid, ret_process);
	if (!err)
		err = interpreted_frames_settle(builder->interpreted, record, joined);
	if (!err)
		builder->gil = (*record)->sample.gil;
	return err;
}

/** Of whatever process it is, and with or without the GIL. */
static struct error *profile_builder_add_waker(struct profile_builder *builder,
					       const struct record *record, const struct wake *wake)
{
	struct record joined;
	struct process *process;
	uint32_t thread;
	struct error *err = profile_builder_introduce_waker(builder, record, wake);
	if (!err)
		err = profile_builder_begin_sample(builder, &record, &joined, &thread, &process);
	if (!err)
		err = profile_builder_set_chain(builder, process, record);
	if (err)
		return err;
	note_time(&builder->totals, record->time_ns);
	return builder->config.keeps_no_samples ? NULL : hold_wake(builder, record, wake, thread);
}

static struct error *profile_builder_note_wake(struct profile_builder *builder,
					       const struct record *record)
{
	struct wake wake;
	if (!profile_builder_read_wake(record, &wake)) {
		builder->has_left_out = true;
		builder->totals.num_bad_wakes++;
		return NULL;
	}
	if (wake.cause == WAKE_BY_THREAD)
		return profile_builder_add_waker(builder, record, &wake);
	profile_builder_take_interrupt(builder, record, &wake);
	return NULL;
}

static struct error *profile_builder_add_sample(struct profile_builder *builder,
						const struct record *record)
{
	struct named_sample sample = {
		.time_ns = record->time_ns,
		.weight = record->sample.period,
		.count = 1,
		.event = record->event,
		.cpu = record->cpu,
	};
	struct record joined;
	struct process *process;
	struct error *err =
		profile_builder_begin_sample(builder, &record, &joined, &sample.thread, &process);
	if (err)
		return err;
	sample.gil = builder->gil;
	builder->has_left_out = builder->config.only_with_gil && sample.gil != GIL_HELD;
	builder->totals.num_left_out += builder->has_left_out;
	builder->totals.num_gil_unknown +=
		builder->has_left_out && record->sample.num_frames && sample.gil == GIL_UNKNOWN;
	process_lives_sample(process);
	if (builder->has_left_out)
		return NULL;
	err = profile_builder_set_chain(builder, process, record);
	if (err)
		return err;
	note_time(&builder->totals, record->time_ns);
	if (builder->config.keeps_no_samples)
		return NULL;
	if (builder->config.has_off_cpu && record->event == builder->config.off_cpu_event)
		return hold_absence(builder, record, &sample);
	if (record->sample.block)
		return hold_block(builder, record, &sample);
	uint8_t spe;
	uint32_t values = 0;
	if (record->sample.payload)
		err = value_table_add(&builder->profile.values, &builder->profile.strings,
				      record->sample.payload, record->sample.payload_size, &values);
	sample.values = values & ((1U << NAMED_VALUES_BITS) - 1);
	if (!err)
		err = thread_times_add(&builder->times, &sample);
	if (!err)
		err = keep_spe(builder, process, record, &sample, &spe);
	if (!err && record->sample.num_branches)
		err = add_branches(builder, process, record, &sample);
	return err ? err : let_wait(builder, record->pid, &sample, spe);
}

/** A sample whose stack was looked up before. */
static struct error *profile_builder_add_found(struct profile_builder *builder,
					       const struct named_sample *sample)
{
	if (builder->config.keeps_samples)
		return named_profile_add(&builder->profile, sample);
	return sample_sums_add(&builder->sums, &builder->profile, sample_sums_hash(sample), sample);
}

static enum wait_end profile_builder_end_of(const struct off_cpu_absence *absence)
{
	static const enum wait_end ends[WAKE_NUM_CAUSES] = {
		[WAKE_BY_THREAD] = WAIT_END_THREAD,
		[WAKE_BY_TIMER] = WAIT_END_TIMER,
		[WAKE_BY_INTERRUPT] = WAIT_END_INTERRUPT,
	};
	if (absence->is_preempted)
		return WAIT_END_CORE;
	if (absence->wake.num_links)
		return ends[absence->wake.links[0].cause];
	return absence->never_ended ? WAIT_END_NEVER : WAIT_END_UNKNOWN;
}

/** Beside the samples. */
static struct error *profile_builder_add_wait(struct profile_builder *builder,
					      const struct off_cpu_absence *absence)
{
	const struct named_sample *sample = &absence->sample;
	const struct off_cpu_link *first = &absence->wake.links[0];
	struct wait_sum wait = {
		.stack = sample->stack,
		.thread = sample->thread,
		.waker_stack = STACK_NONE,
		.waker = NAMED_NONE,
		.end = profile_builder_end_of(absence),
		.has_gil_wait = sample->gil == GIL_WAITED,
	};
	if (wait.end == WAIT_END_THREAD) {
		wait.waker = first->thread;
		wait.waker_stack = first->stack;
	}
	builder->totals.num_waits_ended[wait.end]++;
	builder->totals.num_cut_wakes += absence->wake.num_links && absence->wake.is_cut;
	return wait_table_add(&builder->profile.waits, &wait, sample->weight);
}

/** The waker's own sample, which weighs what it ended: the time until then. */
static struct error *profile_builder_add_wake(struct profile_builder *builder,
					      const struct off_cpu_absence *absence)
{
	const struct off_cpu_wake *wake = &absence->wake;
	if (!wake->num_links || wake->links[0].cause != WAKE_BY_THREAD)
		return NULL;
	const struct named_sample sample = {
		.time_ns = wake->time_ns,
		.weight = wake->time_ns - absence->sample.time_ns,
		.count = 1,
		.stack = wake->links[0].stack,
		.thread = wake->links[0].thread,
		.event = builder->config.wake_event,
		.cpu = NAMED_NONE,
	};
	return profile_builder_add_found(builder, &sample);
}

/** What woke it stands on its stack. */
static struct error *profile_builder_join_wakers(struct profile_builder *builder,
						 const struct off_cpu_wake *wake, uint32_t *stack)
{
	struct stack_finder *finder = &builder->finder;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < wake->num_links; i++) {
		const struct off_cpu_link *link = &wake->links[i];
		if (link->cause == WAKE_BY_THREAD)
			err = stack_finder_add_waker(finder, *stack, link->thread, link->stack,
						     stack);
		else
			err = stack_finder_add_marker(finder, *stack,
						      link->cause == WAKE_BY_TIMER
							      ? STACK_MARKER_WOKEN_BY_TIMER
							      : STACK_MARKER_WOKEN_BY_INTERRUPT,
						      stack);
	}
	return err;
}

static struct error *profile_builder_take_wake(struct profile_builder *builder,
					       struct off_cpu_absence *absence)
{
	struct error *err = profile_builder_add_wait(builder, absence);
	if (!err && builder->config.has_wakes)
		err = profile_builder_add_wake(builder, absence);
	if (!err && builder->config.joins_wakers)
		err = profile_builder_join_wakers(builder, &absence->wake, &absence->sample.stack);
	return err;
}

/** The thread is back: the sample from when it left gets its weight. */
static struct error *add_absence(struct profile_builder *builder, struct off_cpu_absence *absence,
				 uint64_t until_ns)
{
	struct named_sample *sample = &absence->sample;
	sample->weight = until_ns > sample->time_ns ? until_ns - sample->time_ns : 0;
	if (absence->is_preempted)
		builder->totals.preempted_ns += sample->weight;
	// The stack was read from outside, and the thread was back before the read ended.
	// It may have been on another line by then.
	bool is_too_short = absence->read_ns > until_ns;
	builder->totals.num_too_short += is_too_short;
	struct error *err = NULL;
	if (is_too_short || sample->stack == STACK_NONE)
		err = stack_finder_unknown(&builder->finder, &sample->stack);
	forget_taken(builder);
	if (!err)
		err = thread_times_add(&builder->times, sample);
	if (!err)
		err = profile_builder_take_wake(builder, absence);
	return err ? err : profile_builder_add_found(builder, sample);
}

/** A thread whose sample did not come has no stack, but its time. */
static struct error *profile_builder_leave(struct profile_builder *builder,
					   const struct record *record)
{
	struct off_cpu_absence absence = {
		.sample = {.time_ns = record->time_ns,
			   .count = 1,
			   .stack = STACK_NONE,
			   .event = builder->config.off_cpu_event,
			   .cpu = record->cpu},
		.is_preempted = record->change.is_preempted,
		.is_unsampled = true,
	};
	struct error *err = profile_builder_find_thread(builder, record, &absence.sample.thread);
	return err ? err : off_cpu_leave(&builder->off_cpu, record->tid, &absence);
}

static struct error *come_back(struct profile_builder *builder, const struct record *record)
{
	struct off_cpu_absence absence;
	if (!off_cpu_return(&builder->off_cpu, record->tid, &absence))
		return NULL;
	builder->totals.num_unsampled += absence.is_unsampled;
	return add_absence(builder, &absence, record->time_ns);
}

static struct error *change_thread(struct profile_builder *builder, const struct record *record)
{
	if (!builder->config.has_off_cpu || !record->tid)
		return NULL;
	return record->change.is_out ? profile_builder_leave(builder, record)
				     : come_back(builder, record);
}

/** A thread that ends is on its CPU. If the record of its return was lost, its exit stands in. */
static struct error *follow_task(struct profile_builder *builder, const struct record *record)
{
	if (!builder->config.has_off_cpu)
		return NULL;
	if (record->kind == RECORD_FORK)
		off_cpu_begin(&builder->off_cpu, record->tid);
	if (record->kind != RECORD_EXIT)
		return NULL;
	struct error *err = come_back(builder, record);
	return err ? err : off_cpu_end(&builder->off_cpu, record->tid);
}

const struct live_sample *profile_builder_next_live(const struct profile_builder *builder,
						    size_t *index)
{
	// The index goes through one list after the other.
	size_t first = 0;
	for (unsigned rule = 0; rule < RECORD_NUM_BLOCK_RULES; rule++) {
		const struct live_samples *list = &builder->live[rule];
		size_t place = *index - first;
		const struct live_sample *live =
			*index < first + list->num_items ? live_samples_next(list, &place) : NULL;
		if (live) {
			*index = first + place;
			return live;
		}
		first += list->num_items;
		if (*index < first)
			*index = first;
	}
	return NULL;
}

/** What is in use now. */
static struct error *profile_builder_add_state(struct profile_builder *builder)
{
	struct error *err = NULL;
	const struct live_sample *live;
	for (size_t i = 0; !err && (live = profile_builder_next_live(builder, &i));)
		err = profile_builder_add_found(builder, &live->sample);
	return err;
}

/** Their times are those of the end. */
static struct error *profile_builder_add_live(struct profile_builder *builder, uint64_t time_ns)
{
	struct error *err = NULL;
	const struct live_sample *live;
	for (size_t i = 0; !err && (live = profile_builder_next_live(builder, &i));) {
		struct named_sample sample = live->sample;
		sample.time_ns = time_ns;
		err = thread_times_add(&builder->times, &sample);
		if (!err)
			err = profile_builder_add_found(builder, &sample);
	}
	return err;
}

struct error *profile_builder_end(struct profile_builder *builder, uint64_t time_ns)
{
	bool has_live = false;
	builder->has_ended = true;
	for (unsigned rule = 0; rule < RECORD_NUM_BLOCK_RULES; rule++)
		has_live = has_live || builder->live[rule].num_items;
	if (!builder->config.has_off_cpu && !has_live)
		return NULL;
	struct off_cpu_absence absence;
	forget_taken(builder);
	struct error *err = take_waiting(builder);
	if (!err)
		err = profile_builder_add_live(builder, time_ns);
	while (!err && off_cpu_take(&builder->off_cpu, &absence)) {
		absence.never_ended = true;
		err = add_absence(builder, &absence, time_ns);
	}
	if (time_ns > builder->totals.last_time_ns)
		builder->totals.last_time_ns = time_ns;
	return err;
}

bool profile_builder_has_left_out(const struct profile_builder *builder)
{
	return builder->has_left_out;
}

struct interpreted_frames *profile_builder_interpreted(const struct profile_builder *builder)
{
	return builder->interpreted;
}

const struct thread_times *profile_builder_thread_times(const struct profile_builder *builder)
{
	return &builder->times;
}

struct error *profile_builder_next_name(struct profile_builder *builder, uint64_t time_ns,
					struct record *ret, bool *ret_more)
{
	struct error *err;
	do
		err = interpreted_frames_next_name(builder->interpreted, ret, ret_more);
	while (!err && *ret_more &&
	       !process_table_takes_name(&builder->processes, ret->pid, ret->tid, ret->comm.name));
	ret->time_ns = time_ns;
	return err;
}

/** The name is that of all samples of the thread, unlike one that the system has from now on. */
static struct error *profile_builder_rename_thread(struct profile_builder *builder,
						   const struct record *record)
{
	struct named_profile *profile = &builder->profile;
	struct process_thread *thread;
	uint32_t name;
	struct error *err =
		process_table_thread(&builder->processes, record->pid, record->tid, &thread);
	if (err || thread->label == UINT32_MAX || builder->config.keeps_no_samples)
		return err;
	if (record->tid == record->pid)
		return named_profile_string(
			profile, process_table_said_role(&builder->processes, record->pid),
			&profile->threads[thread->label].said_role);
	err = named_profile_string(profile, thread_name(builder, record->pid, record->tid), &name);
	return err ? err : named_profile_rename_thread(profile, thread->label, name);
}

static struct error *profile_builder_apply(struct profile_builder *builder,
					   const struct record *record)
{
	// process_lives and the interpreters want the table as it is after the record: the name
	// that a program got by exec, the file that was just mapped.
	struct error *err = take_waiting(builder);
	bool is_exec = record->kind == RECORD_COMM && record->comm.is_exec;
	if (!err && is_exec)
		err = profile_builder_drop_memory(builder, record);
	if (!err)
		err = follow_task(builder, record);
	if (!err)
		err = process_table_apply(&builder->processes, record);
	if (!err && record->kind == RECORD_COMM && record->comm.is_given)
		err = profile_builder_rename_thread(builder, record);
	if (!err)
		err = process_lives_apply(&builder->totals.lives, &builder->processes, record);
	if (!err)
		err = interpreted_frames_note(builder->interpreted, &builder->processes, record);
	const struct interpreter_change change = interpreted_frames_change(builder->interpreted);
	if (change.process)
		builder->profile.language = change.ops->language;
	return err;
}

struct error *profile_builder_add(struct profile_builder *builder, const struct record *record)
{
	builder->has_left_out = false;
	interpreted_frames_begin_record(builder->interpreted);
	struct error *err =
		builder->config.reads_users ? process_users_see(&builder->users, record) : NULL;
	if (err)
		return err;
	switch (record->kind) {
	case RECORD_SAMPLE:
		return builder->config.has_wakes && record->event == builder->config.wake_event
			       ? profile_builder_note_wake(builder, record)
			       : profile_builder_add_sample(builder, record);
	case RECORD_LOST:
		builder->totals.num_lost += record->num_lost;
		return NULL;
	case RECORD_SWITCH:
		return change_thread(builder, record);
	case RECORD_MOMENT:
		builder->has_left_out = true;
		live_samples_mark_moment(&builder->live[RECORD_BLOCK_AT_MOMENT]);
		return NULL;
	case RECORD_FREE:
		return profile_builder_free(builder, record);
	default:
		return profile_builder_apply(builder, record);
	}
}

struct error *profile_builder_forget(struct profile_builder *builder, uint64_t before_ns)
{
	_cleanup_free_ uint32_t *pids = NULL;
	size_t num_pids;
	struct error *err = process_table_forget(&builder->processes, before_ns, &pids, &num_pids);
	return err ? err : process_users_forget(&builder->users, pids, num_pids);
}

struct profile_builder_totals profile_builder_totals(const struct profile_builder *builder)
{
	struct profile_builder_totals totals = builder->totals;
	totals.num_cut_mappings = builder->processes.room.num_cut;
	return totals;
}

struct process_users *profile_builder_users(struct profile_builder *builder)
{
	return &builder->users;
}

static void set_rights(struct profile_builder *builder)
{
	struct named_profile *profile = &builder->profile;
	const struct process_users *users = &builder->users;
	for (size_t i = 0; i < profile->num_threads; i++)
		profile->threads[i].rights = process_users_find(users, profile->threads[i].pid);
	for (size_t i = 0; i < profile->num_modules; i++) {
		profile->modules[i].rights =
			process_users_find_code(users, profile->modules[i].pid);
		profile->modules[i].has_rights = true;
	}
}

const struct process_table *profile_builder_processes(const struct profile_builder *builder)
{
	return &builder->processes;
}

struct error *profile_builder_used_modules(struct profile_builder *builder, bool **ret)
{
	struct error *err = take_waiting(builder);
	if (err)
		return err;
	bool *used = calloc(builder->processes.modules.num_items + 1, sizeof(*used));
	if (!used)
		return &error_no_memory;
	// Higher numbers are no modules: markers, places in interpreted code, and wakers.
	for (size_t i = 0; i < builder->finder.frames.num_items; i++)
		if (builder->finder.frames.items[i].module < STACK_WAKER_MODULE)
			used[builder->finder.frames.items[i].module] = true;
	*ret = used;
	return NULL;
}

struct error *profile_builder_name(struct profile_builder *builder, struct symbolizer *symbolizer)
{
	const struct named_places places = {
		.modules = &builder->processes.modules,
		.frames = &builder->finder.frames,
		.stacks = &builder->finder.stacks,
		.interpreted = interpreted_frames_places(builder->interpreted),
		.loops = &builder->loops,
	};
	struct error *err = take_waiting(builder);
	if (!err && builder->config.reads_users)
		err = process_users_refresh(&builder->users);
	for (; !err && builder->num_noted < places.modules->num_items; builder->num_noted++)
		err = symbolizer_note_module(symbolizer,
					     &places.modules->items[builder->num_noted]);
	return err ? err
		   : stack_naming_add(&builder->naming, &places, symbolizer, &builder->profile);
}

/** SPE's sums are beside its samples, and have no idle CPUs: they execute nothing. */
static struct error *profile_builder_leave_out_idle(struct profile_builder *builder)
{
	bool is_wanted = builder->config.leaves_out_idle && !builder->profile.spe;
	return is_wanted ? idle_samples_leave_out(&builder->profile, NULL) : NULL;
}

struct error *profile_builder_take(struct profile_builder *builder, struct symbolizer *symbolizer,
				   const struct named_profile **ret)
{
	forget_taken(builder);
	struct error *err = builder->has_ended ? NULL : profile_builder_add_state(builder);
	if (!err)
		err = profile_builder_name(builder, symbolizer);
	if (err)
		return err;
	stack_naming_apply(&builder->naming, &builder->profile);
	set_rights(builder);
	builder->profile.num_lost = builder->totals.num_lost;
	builder->is_taken = true;
	*ret = &builder->profile;
	return profile_builder_leave_out_idle(builder);
}

struct error *profile_builder_drop(struct profile_builder *builder)
{
	forget_taken(builder);
	builder->is_taken = true;
	return take_waiting(builder);
}

static void profile_builder_trim_wakes(struct profile_builder *builder)
{
	struct named_profile *profile = &builder->profile;
	for (size_t i = 0; builder->config.has_wakes && i < profile->num_samples; i++) {
		struct named_sample *sample = &profile->samples[i];
		if (sample->event == builder->config.wake_event)
			sample->stack = waker_stack_trim(profile, sample->stack);
	}
}

struct error *profile_builder_finish(struct profile_builder *builder, struct symbolizer *symbolizer,
				     struct named_profile *ret)
{
	struct named_profile *profile = &builder->profile;
	const struct collection_facts collection = interpreted_frames_facts(builder->interpreted);
	struct error *err = profile_builder_name(builder, symbolizer);
	if (!err)
		err = profile_facts_set_collection(profile, &collection);
	if (err)
		return err;
	stack_naming_apply(&builder->naming, profile);
	profile_builder_trim_wakes(builder);
	// stack_naming_apply() has renumbered the samples only; SPE's sums have stacks of their
	// own.
	if (profile->spe)
		spe_profile_renumber_stacks(profile->spe, builder->naming.stacks);
	err = profile_builder_leave_out_idle(builder);
	if (err)
		return err;
	set_rights(builder);
	profile->num_lost = builder->totals.num_lost;
	profile->start_time_ns = builder->totals.first_time_ns;
	// Samples of memory in use have the time of the end.
	if (profile->memory.num_points &&
	    profile->memory.points[0].time_ns < profile->start_time_ns)
		profile->start_time_ns = profile->memory.points[0].time_ns;
	profile->duration_ns = builder->totals.last_time_ns - profile->start_time_ns;
	*ret = *profile;
	*profile = (struct named_profile){0};
	return NULL;
}
