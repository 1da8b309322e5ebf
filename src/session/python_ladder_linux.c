// SPDX-License-Identifier: Apache-2.0

#include "session/python_ladder.h"

#include "base/cleanup.h"
#include "process/process_memory.h"
#include "process/thread_hold.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char yama[] = "/proc/sys/kernel/yama/ptrace_scope";

/** 0 also where there is no such rule. */
static int yama_scope(void)
{
	int scope = 0;
	FILE *file = fopen(yama, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%d", &scope) != 1)
		scope = 0;
	fclose(file);
	return scope;
}

static struct error *check_process(bool stops, uint32_t pid)
{
	struct error *err = process_memory_check(pid);
	return err || !stops ? err : thread_hold_check(pid);
}

/** Rules differ for what is ours: only a child tells what may be done with children. */
static struct error *check_child(bool stops)
{
	pid_t pid = fork();
	if (pid < 0)
		return error_create_errno(errno, "cannot start a process");
	if (pid == 0) {
		for (;;)
			pause();
	}
	struct error *err = process_memory_check((uint32_t)pid);
	struct error *unstopped = err || !stops ? NULL : thread_hold_check((uint32_t)pid);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	if (!err)
		return unstopped;
	error_destroy(err);
	if (yama_scope() > 1)
		return error_with_hint(error_create(ERROR_FAILED,
						    "kernel.yama.ptrace_scope is %d: nobody may "
						    "look into processes",
						    yama_scope()),
				       "as root: sysctl kernel.yama.ptrace_scope=1");
	return error_with_hint(
		error_create(ERROR_FAILED, "this user may not look into its own processes"),
		"a filter of system calls forbids process_vm_readv, as in some containers: allow "
		"it, or run wperf outside");
}

static struct error *check_processes(bool stops, const uint32_t *pids, size_t num_pids)
{
	struct error *err = num_pids ? NULL : check_child(stops);
	for (size_t i = 0; !err && i < num_pids; i++)
		err = check_process(stops, pids[i]);
	return err;
}

static struct error *refuse(const struct source *source)
{
	return error_with_hint(error_create(ERROR_FAILED, "source '%s' sees no frames of Python",
					    source->ops->name),
			       "--source perf does");
}

/** By reading the memory of threads that have gone on since. */
static struct error *climb_outside(struct source *source, bool stops, const uint32_t *pids,
				   size_t num_pids, enum python_rung *ret)
{
	struct error *err = check_processes(stops, pids, num_pids);
	if (err)
		return err;
	*ret = source->ops->looks_by_time ? PYTHON_RUNG_TIMER
	       : stops                    ? PYTHON_RUNG_STOPPED
					  : PYTHON_RUNG_SNAPSHOT;
	return NULL;
}

static struct error *refuse_stops(const struct source *source)
{
	return error_with_hint(error_create(ERROR_USAGE,
					    "source '%s' does not stop threads for a sample",
					    source->ops->name),
			       "leave --stop out: its frames of Python are exact");
}

struct error *python_ladder_climb(struct source *source, bool stops, const uint32_t *pids,
				  size_t num_pids, enum python_rung *ret, struct error **ret_above)
{
	const struct source_ops *ops = source->ops;
	*ret_above = NULL;
	if (!ops->python_open)
		return refuse(source);
	if (stops && !ops->sample_notice)
		return refuse_stops(source);
	if (stops && !ops->looks_by_time)
		return climb_outside(source, stops, pids, num_pids, ret);
	_cleanup_(error_destroyp) struct error *above = ops->python_open(source);
	if (!above) {
		*ret = ops->python_walk ? PYTHON_RUNG_SAMPLE : PYTHON_RUNG_HELD;
		return NULL;
	}
	if (!ops->sample_notice)
		return take_ptr(above);
	struct error *err = climb_outside(source, stops, pids, num_pids, ret);
	if (!err)
		*ret_above = take_ptr(above);
	return err;
}

static struct error *probe_others(struct probe *probe)
{
	static const char ability[] = "Python of running programs";
	if (geteuid() == 0)
		return probe_add_finding(probe, ability, PROBE_YES, "with -p", NULL);
	if (yama_scope() == 0)
		return probe_add_finding(probe, ability, PROBE_YES, "of this user, with -p", NULL);
	char detail[80];
	snprintf(detail, sizeof(detail),
		 "kernel.yama.ptrace_scope is %d: only of those that wperf starts", yama_scope());
	return probe_add_finding(probe, ability, PROBE_NO, detail,
				 "as root: sysctl kernel.yama.ptrace_scope=0, or give wperf "
				 "CAP_SYS_PTRACE (setcap cap_sys_ptrace+ep)");
}

static bool is_missing(const struct probe *probe, const char *ability)
{
	for (size_t i = 0; i < probe->num_findings; i++)
		if (strcmp(probe->findings[i].ability, ability) == 0)
			return probe->findings[i].state == PROBE_NO;
	return false;
}

/** What snapshots need, and how late they are. */
struct snapshot_kind {
	const char *ability;
	const char *needed; /* ability of the source */
	const char *without, *hint;
	const char *detail;
};

static const struct snapshot_kind after_samples = {
	.ability = "Python stacks after samples",
	.needed = "software events",
	.without = "there are no samples",
	.hint = "make software events work; the source timer has lines of Python without them",
	.detail = "read from outside, some 50 us late: short calls may be off",
};

static const struct snapshot_kind by_timer = {
	.ability = "Python stacks by a timer",
	.needed = "CPU time of threads",
	.without = "there is nothing to tell who runs",
	.hint = "make it readable; wperf dump -p PID shows where threads are without it",
	.detail = "read from outside: no events, no native code, short calls may be off",
};

struct error *python_ladder_probe(const struct source_ops *ops, struct probe *probe)
{
	const struct snapshot_kind *kind = ops->looks_by_time ? &by_timer : &after_samples;
	if (is_missing(probe, kind->needed))
		return probe_add_finding(probe, kind->ability, PROBE_NO, kind->without, kind->hint);
	_cleanup_(error_destroyp) struct error *err = check_child(false);
	if (err)
		return probe_add_finding(probe, kind->ability, PROBE_NO, err->message, err->hint);
	struct error *failed =
		probe_add_finding(probe, kind->ability, PROBE_YES, kind->detail, NULL);
	return failed || ops->looks_by_time ? failed : probe_others(probe);
}
