// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_refusal.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "source/perf/perf_host.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

// perf_event_open(2) has one errno for many causes. The situation (what was tried: whole core,
// kernel code, member of a group, precise ...) is a set of bits, and `explanations` is a table from
// errno and bits to message and hint. The first row that fits is taken, so special rows stand
// before general ones. Bits that need the system (is the core online? is there a CPU PMU?) are
// computed only here, after the failure.

/** Levels of kernel.perf_event_paranoid from which on something is refused. */
enum {
	PARANOID_KERNEL_CODE = 2,
	PARANOID_ANYTHING = 3, /* a patch of some distributions */
};

/** What was tried. */
enum situation {
	WHOLE_CORE = 1 << 0,
	ONE_TASK = 1 << 1,
	KERNEL_CODE = 1 << 2, /* and the kernel's settings forbid that */
	MEMBER = 1 << 3,
	CPU_EVENT = 1 << 4,
	OTHER_UNIT = 1 << 5,
	LEVEL_CHOSEN = 1 << 6, /* :u or :k, or their default */
	NO_CPU_PMU = 1 << 7,
	NOTHING_ALLOWED = 1 << 8,
	ON_CORE = 1 << 9, /* WHOLE_CORE, or a task while it is there */
	NO_SUCH_CORE = 1 << 10,
	TAKES_CALLS = 1 << 11, /* the CPU's own record of them */
	PRECISE = 1 << 12,     /* :p */
	PROBE = 1 << 13,       /* a place in code */
	IN_CGROUP = 1 << 14,
	TAKES_BRANCHES = 1 << 15, /* all that it took, not only calls */
	HAS_PERFMON = 1 << 16,
};

/** A fact that the hint begins with. */
enum lead {
	NO_LEAD,
	LEAD_PARANOID,
	LEAD_FILES,
};

struct explanation {
	int errnum;
	unsigned situation;  /* all of these */
	const char *message; /* NULL: this machine cannot count it */
	enum lead lead;
	const char *hint;
	bool spares_others; /* it is about this event on this machine: others can be counted */
};

// Messages and hints that several rows have.
static const char denied[] = "permission denied";
static const char no_core[] = "the core is offline or does not exist";
static const char leave_core_out[] = "/sys/devices/system/cpu/online lists the online cores";
static const char no_cpu_pmu[] =
	"the kernel offers no CPU PMU; task-clock measures time; " PERF_HINT_NO_PMU;
static const char no_calls[] = "the CPU has no branch records for this event";
static const char other_callers[] = "use --call-graph cfi or fp";
static const char no_branches[] =
	"LBR of Intel since Nehalem, LbrExtV2 of AMD since Zen 4, and BRS of Zen 3 (-e "
	"cpu/branch-brs/:1000037) keep branches, of events of the CPU such as cycles; virtual "
	"machines often hide them";
static const char not_precise[] = "the CPU cannot sample it that precisely";
static const char less_precise[] = "use fewer p behind its name, or none";
static const char root_for_probes[] =
	"probes change code that others may run: run wperf as root; some kernels "
	"are content with CAP_PERFMON (" PRIVILEGES_HINT ")";
static const char other_event[] = "'wperf list' shows what it can count";

// The first row that fits is taken.
static const struct explanation explanations[] = {
	{EBADF, IN_CGROUP, "perf events do not know this control group", NO_LEAD,
	 "the controller perf_event may be in a hierarchy that is not mounted: /proc/cgroups; or "
	 "the group has ended",
	 false},
	{ENODEV, IN_CGROUP, "the control group has ended, or the core is offline", NO_LEAD,
	 leave_core_out, false},
	{EACCES, PROBE | HAS_PERFMON, denied, NO_LEAD,
	 "wperf has CAP_PERFMON, but this kernel lets only root (CAP_SYS_ADMIN) set probes in "
	 "programs: run wperf as root",
	 false},
	{EACCES, PROBE, denied, NO_LEAD, root_for_probes, false},
	{EPERM, PROBE, denied, NO_LEAD, root_for_probes, false},
	{ENOENT, PROBE, "the kernel finds no such file or function", NO_LEAD,
	 "a function of the kernel may have been inlined: /proc/kallsyms lists those that are left",
	 true},
	{EINVAL, PROBE, "the kernel sets no probe there", NO_LEAD,
	 "a probe needs the first byte of an instruction, of a file that can be mapped; the kernel "
	 "keeps some of its own functions free of them",
	 true},
	{EACCES, NOTHING_ALLOWED, denied, LEAD_PARANOID,
	 "as root: sysctl kernel.perf_event_paranoid=2, or " PERF_HINT_CAPABILITY, false},
	{EACCES, WHOLE_CORE, denied, LEAD_PARANOID,
	 "your own programs and processes need no more rights; for whole cores run wperf as root, "
	 "or as root: sysctl kernel.perf_event_paranoid=0, or " PERF_HINT_CAPABILITY,
	 false},
	{EACCES, KERNEL_CODE | OTHER_UNIT, denied, LEAD_PARANOID,
	 "this PMU takes user and kernel code together: as root: sysctl "
	 "kernel.perf_event_paranoid=1, or " PERF_HINT_CAPABILITY,
	 false},
	{EACCES, KERNEL_CODE, denied, LEAD_PARANOID,
	 "leave out -k and :k, or as root: sysctl kernel.perf_event_paranoid=1, "
	 "or " PERF_HINT_CAPABILITY,
	 false},
	{EACCES, ONE_TASK, denied, NO_LEAD,
	 "the process belongs to another user or is protected: run wperf as root, "
	 "or " PERF_HINT_CAPABILITY,
	 false},
	{EPERM, 0, "perf_event_open is forbidden here, as in most containers", NO_LEAD,
	 PERF_HINT_CONTAINER, false},
	{EOPNOTSUPP, TAKES_BRANCHES, no_calls, NO_LEAD, no_branches, false},
	{EINVAL, TAKES_BRANCHES, no_calls, NO_LEAD, no_branches, false},
	{EOPNOTSUPP, TAKES_CALLS, no_calls, NO_LEAD, other_callers, false},
	{EINVAL, TAKES_CALLS, no_calls, NO_LEAD, other_callers, false},
	{EOPNOTSUPP, CPU_EVENT | NO_CPU_PMU, NULL, NO_LEAD, no_cpu_pmu, true},
	{EOPNOTSUPP, PRECISE | CPU_EVENT, not_precise, NO_LEAD, less_precise, true},
	{EINVAL, PRECISE, not_precise, NO_LEAD, less_precise, true},
	{ENOENT, CPU_EVENT | NO_CPU_PMU, NULL, NO_LEAD, no_cpu_pmu, true},
	{ENOENT, 0, NULL, NO_LEAD, other_event, true},
	{EOPNOTSUPP, 0, NULL, NO_LEAD, other_event, true},
	{ENXIO, 0, NULL, NO_LEAD, other_event, true},
	{ENODEV, ON_CORE, no_core, NO_LEAD, leave_core_out, false},
	{ENODEV, 0, NULL, NO_LEAD, other_event, true},
	{EINVAL, NO_SUCH_CORE, no_core, NO_LEAD, leave_core_out, false},
	{EINVAL, OTHER_UNIT | LEVEL_CHOSEN, "this PMU cannot separate user code from kernel code",
	 NO_LEAD, "leave out :u and :k", true},
	{EINVAL, OTHER_UNIT | ONE_TASK, "this PMU cannot count a single program", NO_LEAD,
	 "count whole cores: -c 0 without a command", false},
	{EINVAL, MEMBER, "it does not fit into its group", NO_LEAD,
	 "a group needs a counter of the same PMU for each event: remove some, or count them "
	 "without braces",
	 false},
	{EINVAL, 0, "the kernel rejects this event", NO_LEAD, other_event, true},
	{EMFILE, 0, "too many open files", LEAD_FILES,
	 "raise the limit (ulimit -n as root, LimitNOFILE= of a service), or count fewer events, "
	 "threads or cores",
	 false},
	{ENFILE, 0, "too many open files in the system", LEAD_FILES,
	 "as root: sysctl fs.file-max, or count fewer events, threads or cores", false},
	{ESRCH, 0, "no such process", NO_LEAD, "it may have ended", false},
	{EBUSY, 0, "its counter is in use", NO_LEAD,
	 "another profiler may use it, or the watchdog: as root: sysctl kernel.nmi_watchdog=0",
	 false},
	{ENOSPC, 0, "no counter is free", NO_LEAD, "count fewer events at once", false},
	{ECHILD, 0, "the process starts threads too fast to follow", NO_LEAD,
	 "count events without braces, or start the program with wperf", false},
	{ENOMEM, 0, "the kernel is out of memory", NO_LEAD, "count fewer events, threads or cores",
	 false},
	{ENOSYS, 0, "this kernel has no perf events", NO_LEAD,
	 "use a kernel built with CONFIG_PERF_EVENTS; --source sim works without", false},
};

static unsigned situation_of(const struct perf_refusal *refusal)
{
	const struct perf_event_attr *attr = refusal->attr;
	int paranoid = perf_host_paranoid();
	struct perf_cpu_types cpu_types;
	perf_host_cpu_types(&cpu_types);
	const struct {
		bool is_so;
		unsigned situation;
	} facts[] = {
		{refusal->target->thread < 0, WHOLE_CORE},
		{refusal->target->thread >= 0, ONE_TASK},
		{!attr->exclude_kernel && paranoid >= PARANOID_KERNEL_CODE, KERNEL_CODE},
		{refusal->is_member, MEMBER},
		{refusal->counter == PERF_COUNTER_CPU, CPU_EVENT},
		{refusal->counter == PERF_COUNTER_OTHER, OTHER_UNIT},
		{attr->exclude_kernel || attr->exclude_user, LEVEL_CHOSEN},
		{cpu_types.num_types == 0, NO_CPU_PMU},
		{paranoid >= PARANOID_ANYTHING, NOTHING_ALLOWED},
		{refusal->target->core >= 0, ON_CORE},
		{attr->sample_type & PERF_SAMPLE_BRANCH_STACK, TAKES_CALLS},
		{attr->branch_sample_type & PERF_SAMPLE_BRANCH_ANY, TAKES_BRANCHES},
		{attr->precise_ip, PRECISE},
		{refusal->counter == PERF_COUNTER_PROBE, PROBE},
		{refusal->target->in_cgroup, IN_CGROUP},
		{perf_host_has_perfmon(), HAS_PERFMON},
		{refusal->target->core >= (int)perf_host_num_cores(), NO_SUCH_CORE},
	};
	unsigned situation = 0;
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		situation |= facts[i].is_so ? facts[i].situation : 0;
	return situation;
}

static const struct explanation *perf_refusal_explain(const struct perf_refusal *refusal)
{
	unsigned situation = situation_of(refusal);
	for (size_t i = 0; i < ARRAY_SIZE(explanations); i++) {
		const struct explanation *row = &explanations[i];
		if (row->errnum == refusal->errnum && (row->situation & ~situation) == 0)
			return row;
	}
	return NULL;
}

static struct error *add_hint(struct error *err, const struct explanation *row,
			      const struct perf_refusal *refusal)
{
	struct rlimit limit = {0};
	switch (row->lead) {
	case LEAD_PARANOID:
		return error_with_hint(err, "perf_event_paranoid is %d; %s", perf_host_paranoid(),
				       row->hint);
	case LEAD_FILES:
		getrlimit(RLIMIT_NOFILE, &limit);
		return error_with_hint(err, "%zu files are needed and %llu allowed; %s",
				       refusal->num_files, (unsigned long long)limit.rlim_cur,
				       row->hint);
	case NO_LEAD:
		break;
	}
	return error_with_hint(err, "%s", row->hint);
}

bool perf_refusal_spares_others(const struct perf_refusal *refusal)
{
	const struct explanation *row = perf_refusal_explain(refusal);
	return row && row->spares_others;
}

struct error *perf_refusal_error(const struct perf_refusal *refusal)
{
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	const struct perf_target *target = refusal->target;
	if (target->thread >= 0 && target->thread != target->process)
		string_builder_appendf(&place, " of thread %d", (int)target->thread);
	if (target->thread >= 0)
		string_builder_appendf(&place, " of process %d", (int)target->process);
	if (target->core >= 0)
		string_builder_appendf(&place, " on core %d", target->core);
	const struct explanation *row = perf_refusal_explain(refusal);
	if (!row)
		return error_create_errno(refusal->errnum, "cannot open '%s'%s", refusal->event,
					  string_builder_peek(&place));
	struct error *err =
		row->message ? error_create(ERROR_FAILED, "cannot open '%s'%s: %s", refusal->event,
					    string_builder_peek(&place), row->message)
			     : error_create(ERROR_FAILED, "this machine cannot count '%s'",
					    refusal->event);
	return add_hint(err, row, refusal);
}
