// SPDX-License-Identifier: Apache-2.0

#include "interpreter/method_choice.h"

#include "base/cleanup.h"
#include "interpreter/interpreter_ops.h"
#include "interpreter/kernel_walks.h"
#include "interpreter/memory_access.h"

#include <stdio.h>
#include <string.h>

// The methods, best first: in the kernel at the sample (COLLECTION_SAMPLE), or while the source's
// machine stands still (HELD); from outside with the thread stopped (STOPPED); from outside while
// it runs, after the sample (SNAPSHOT) or on a timer (TIMER). method_choice_make() asks the source
// to open its own method. If that fails and the source reports samples at once (`sample_wakeup`),
// it falls back to reading from outside, which needs the right to read the memory, and returns the
// reason, so that the user is told. --stop chooses stopping instead. method_choice_probe() answers
// the same question for `wperf detect`, without a target.

static struct error *method_choice_refuse(const struct source *source, const char *language)
{
	return error_with_hint(error_create(ERROR_FAILED, "source '%s' cannot read %s stacks",
					    source->ops->traits.name, language),
			       "use --source perf");
}

/** By reading the memory of threads that have gone on since. */
static struct error *read_from_outside(struct source *source, const struct method_request *request,
				       enum collection_method *ret)
{
	struct error *err = memory_access_check(request->stops, request->pids, request->num_pids);
	if (err)
		return err;
	*ret = source->ops->traits.looks_by_time ? COLLECTION_TIMER
	       : request->stops                  ? COLLECTION_STOPPED
						 : COLLECTION_SNAPSHOT;
	return NULL;
}

static struct error *refuse_stops(const struct source *source, const char *language)
{
	return error_with_hint(error_create(ERROR_USAGE, "source '%s' does not stop threads",
					    source->ops->traits.name),
			       "leave out --stop: %s stacks of this source are exact", language);
}

struct error *method_choice_make(struct source *source, const struct method_request *request,
				 enum collection_method *ret, struct error **ret_above)
{
	const struct source_ops *ops = source->ops;
	*ret_above = NULL;
	if (!source_reads_frames(source))
		return method_choice_refuse(source, request->language);
	if (request->stops && !ops->sample->wakeup)
		return refuse_stops(source, request->language);
	if (request->stops && !ops->traits.looks_by_time)
		return read_from_outside(source, request, ret);
	if (source_holds_threads(source)) { // by itself, at each wakeup
		struct error *err =
			memory_access_check(request->stops, request->pids, request->num_pids);
		if (!err)
			*ret = COLLECTION_STOPPED;
		return err;
	}
	_cleanup_(error_destroyp) struct error *above =
		ops->sample->walk_open(source, &kernel_walk_program);
	if (!above) {
		*ret = ops->sample->walk && !ops->sample->holds_most ? COLLECTION_SAMPLE
								     : COLLECTION_HELD;
		return NULL;
	}
	if (!ops->sample->wakeup)
		return take_ptr(above);
	struct error *err = read_from_outside(source, request, ret);
	if (!err)
		*ret_above = take_ptr(above);
	return err;
}

static bool method_choice_is_missing(const struct probe *probe, const char *ability)
{
	for (size_t i = 0; i < probe->num_findings; i++)
		if (strcmp(probe->findings[i].ability, ability) == 0)
			return probe->findings[i].state == PROBE_NO;
	return false;
}

/** What snapshots need, and how late they are. */
struct snapshot_kind {
	const char *ability; /* behind the language */
	const char *needed;  /* ability of the source */
	const char *without, *hint;
	const char *detail;
};

static const struct snapshot_kind after_samples = {
	.ability = "stacks after samples",
	.needed = "software events",
	.without = "there are no samples",
	.hint = "make software events work, or use --source timer",
	.detail = "read from outside, about 50 us late: short calls may be wrong",
};

static const struct snapshot_kind by_timer = {
	.ability = "stacks on a timer",
	.needed = "CPU time of threads",
	.without = "running threads cannot be found",
	.hint = "make it readable; wperf dump PID works without it",
	.detail = "read from outside: no events, no native code, short calls may be wrong",
};

static const struct snapshot_kind by_held_threads = {
	.ability = "stacks on a timer",
	.needed = "CPU time of threads",
	.without = "running threads cannot be found",
	.hint = "wperf dump PID works without it",
	.detail = "exact: each thread is stopped while it is read",
};

static const struct snapshot_kind *method_choice_kind_of(const struct source_ops *ops)
{
	if (!ops->traits.looks_by_time)
		return &after_samples;
	return ops->sample->holds_threads && ops->sample->holds_threads() ? &by_held_threads
									  : &by_timer;
}

/** The walk in the kernel, of sources that have one. */
static struct error *method_choice_probe_walk(const struct source_ops *ops, const char *language,
					      struct probe *probe)
{
	char ability[64];
	const char *detail;
	if (!ops->sample->walk_check)
		return NULL;
	snprintf(ability, sizeof(ability), "%s stacks in the sample", language);
	_cleanup_(error_destroyp) struct error *err =
		ops->sample->walk_check(&kernel_walk_program, &detail);
	if (err)
		return probe_add_error(probe, ability, err);
	return probe_add_finding(probe, ability, PROBE_YES, detail, NULL);
}

struct error *method_choice_probe(const struct source_ops *ops, struct probe *probe)
{
	const struct snapshot_kind *kind = method_choice_kind_of(ops);
	const char *language = interpreter_usual_language()->name;
	struct error *full = method_choice_probe_walk(ops, language, probe);
	if (full)
		return full;
	char ability[64];
	snprintf(ability, sizeof(ability), "%s %s", language, kind->ability);
	if (method_choice_is_missing(probe, kind->needed))
		return probe_add_finding(probe, ability, PROBE_NO, kind->without, kind->hint);
	_cleanup_(error_destroyp) struct error *err = memory_access_check(false, NULL, 0);
	if (err)
		return probe_add_error(probe, ability, err);
	struct error *failed = probe_add_finding(probe, ability, PROBE_YES, kind->detail, NULL);
	return failed || ops->traits.looks_by_time ? failed : memory_access_probe(language, probe);
}
