// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_sampled_event.h"

#include "catalog/linux/access_events.h"
#include "catalog/linux/system_event.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/user_regs.h"
#include "source/perf/perf_file.h"

#include <errno.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

// perf_sampled_event_init() fills the attribute from the plan; perf_sampled_event_open() opens it
// and retreats where the kernel refuses: from the most precise sampling (precise_ip 3 to 0, where
// the first target decides for all), from kernel code to user code if the user named no level, and
// from counting lost records (PERF_FORMAT_LOST, Linux 6.0).
//
// All events have the same leading fields (PERF_SAMPLE_IDENTIFIER and sample_id_all), since they
// share rings and the reader must know the event before it can decode the rest. Times are
// CLOCK_MONOTONIC, which user space can read, too.

enum { MAX_PRECISE = 3, PIECES_OF_BUFFER = 16 };

static struct error *set_stack_copy(struct perf_event_attr *attr, const struct sample_plan *plan)
{
	struct utsname host;
	uname(&host);
	const struct user_regs_layout *layout = user_regs_layout_find(host.machine);
	if (!layout)
		return error_with_hint(error_create(ERROR_FAILED,
						    "cannot unwind stacks of %s with cfi",
						    host.machine),
				       "use --call-graph fp");
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	// The kernel would follow frame pointers that may not be there; its own part of the chain
	// stays.
	attr->exclude_callchain_user = 1;
	attr->sample_regs_user = user_regs_mask(layout);
	attr->sample_stack_user = plan->stack_bytes;
	if (plan->wakes)
		return NULL;
	// What is above the copy is read from the process: the sooner the better.
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(plan->buffer_bytes / PIECES_OF_BUFFER);
	return NULL;
}

static struct error *perf_sampled_event_set_chain(struct perf_event_attr *attr,
						  const struct sample_plan *plan)
{
	switch (plan->chain) {
	case SAMPLE_CHAIN_NONE:
		return NULL;
	case SAMPLE_CHAIN_CFI:
		return set_stack_copy(attr, plan);
	case SAMPLE_CHAIN_LBR:
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		// The branch records as a stack of calls, which newer CPUs of Intel keep by
		// themselves. They need no frame pointers and no copy, but end after 16 or 32
		// callers.
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_USER;
		attr->exclude_callchain_user = 1;
		break;
	case SAMPLE_CHAIN_FP:
		break;
	}
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	return NULL;
}

// MMAP2, COMM, FORK and EXIT records come with one event of a target: with several the same news
// would come several times.
void perf_sampled_event_track(struct perf_sampled_event *event)
{
	event->attr.mmap = 1;
	event->attr.mmap2 = 1;
	event->attr.comm = 1;
	event->attr.comm_exec = 1;
	event->attr.task = 1;
}

void perf_sampled_event_leave_stack(struct perf_sampled_event *event)
{
	event->attr.sample_type &= ~(uint64_t)PERF_SAMPLE_STACK_USER;
	event->attr.sample_stack_user = 0;
}

void perf_sampled_event_track_switches(struct perf_sampled_event *event)
{
	event->attr.context_switch = 1;
}

bool perf_sampled_event_is_blind(const struct perf_sampled_event *event)
{
	return event->attr.exclude_kernel && perf_attr_is_kernel_only(&event->attr);
}

/** The branches before each sample, and what the processor says of an access to memory. Both cost
 *  room in each record, so that only who asks for them, or samples such an event, has them. */
static void perf_sampled_event_set_details(struct perf_event_attr *attr,
					   const struct sample_plan *plan,
					   const struct event *event)
{
	if (access_events_have(event))
		attr->sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;
	if (!plan->branches)
		return;
	// Levels of code are those of the event.
	attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	attr->branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
}

static void set_records(struct perf_event_attr *attr)
{
	// perf_attr_build() asks for groups and times, which are for counting.
	attr->read_format = 0;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

void perf_sampled_event_init_spe(struct perf_sampled_event *event, const struct sample_plan *plan,
				 const struct perf_attr_rules *rules,
				 const struct perf_spe_pmu *pmu)
{
	union perf_spe_attr spe = perf_spe_pmu_attr(pmu, plan->spe, plan->kernel);
	set_records(&spe.attr);
	spe.attr.inherit = rules->inherit != PERF_INHERIT_NOTHING;
	// Who runs, where packets do not say it.
	spe.attr.context_switch = !plan->off_cpu;
	*event = (struct perf_sampled_event){
		.name = plan->spe->spec,
		.attr = spe.attr,
		.counter = PERF_COUNTER_OTHER,
		.spe = pmu,
		.spe_attr = spe,
	};
	event->attr.size = sizeof(event->attr);
}

void perf_sampled_event_init_dummy(struct perf_sampled_event *event,
				   const struct perf_attr_rules *rules)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.inherit = rules->inherit != PERF_INHERIT_NOTHING,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	set_records(&attr);
	*event = (struct perf_sampled_event){
		.name = "dummy", .attr = attr, .counter = PERF_COUNTER_KERNEL};
}

bool perf_sampled_event_is_dummy(const struct perf_sampled_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == PERF_COUNT_SW_DUMMY;
}

bool perf_sampled_event_is_output(const struct perf_sampled_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}

bool perf_sampled_event_fits(const struct perf_sampled_event *event,
			     const struct perf_target *target)
{
	if (target->core < 0)
		return true;
	if (event->is_of_some_cores && !CPU_ISSET(target->core, &event->cores))
		return false;
	return !event->spe || perf_spe_pmu_has_core(event->spe, (unsigned)target->core);
}

struct error *perf_sampled_event_init(struct perf_sampled_event *event,
				      const struct sample_plan *plan,
				      const struct perf_attr_rules *rules,
				      const struct event_request *request)
{
	struct perf_event_attr attr = perf_attr_build(request, rules);
	set_records(&attr);
	attr.wakeup_events = plan->wakes;
	uint32_t frequency = request->frequency ? request->frequency : plan->frequency_hz;
	attr.freq = request->interval == 0;
	attr.sample_period = request->interval ? request->interval : frequency;
	struct error *err = perf_sampled_event_set_chain(&attr, plan);
	if (err)
		return err;
	// What a BPF program gives comes with its samples.
	if (attr.type == PERF_TYPE_SOFTWARE && attr.config == PERF_COUNT_SW_BPF_OUTPUT)
		attr.sample_type |= PERF_SAMPLE_RAW;
	enum perf_counter counter = perf_attr_counter(&attr, request->event, rules->cpu_types);
	perf_sampled_event_set_details(&attr, plan, request->event);
	// Where samples are to tell their period, the kernel takes one at each software event and
	// at each passage of a probe, whatever the period is (perf_swevent_event()). Without, each
	// stands for the period of the event.
	bool is_software = attr.type == PERF_TYPE_SOFTWARE && !perf_attr_is_clock(&attr);
	if ((is_software && request->interval > 1) || (counter == PERF_COUNTER_PROBE && !attr.freq))
		attr.sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	*event = (struct perf_sampled_event){
		.name = request->event->name,
		.attr = attr,
		.counter = counter,
		.has_values = request->event->event_class == EVENT_PERF &&
			      system_event_of(request->event)->reading,
		.yields = attr.type == PERF_TYPE_SOFTWARE && !rules->kernel &&
			  (request->modifiers & EVENT_LEVELS) == EVENT_ANY_LEVEL,
	};
	int pmu = perf_attr_core_pmu(&attr, rules->cpu_types);
	event->is_of_some_cores = pmu >= 0;
	if (pmu >= 0)
		event->cores = rules->cpu_types->cores[pmu];
	return NULL;
}

// The size of an attribute with SPE is its own: perf_spe_pmu.c.
static int open_once(const struct perf_sampled_event *event, const struct perf_target *target)
{
	union perf_spe_attr any = event->spe_attr;
	if (!event->spe)
		any.attr = event->attr;
	any.attr.enable_on_exec = target->awaits_exec;
	any.attr.read_format = event->counts_no_losses ? 0 : PERF_ABI_READ_LOST;
	return perf_file_open(&any.attr, target->thread, target->core, -1);
}

/** Not every event of a CPU can tell the very instruction; the first target finds out. */
static int open_most_precise(struct perf_sampled_event *event, const struct perf_target *target)
{
	int fd = -EINVAL;
	for (unsigned precise = MAX_PRECISE; precise > 0 && fd < 0; precise--) {
		event->attr.precise_ip = precise;
		fd = open_once(event, target);
		// No permission, or no such thread: less precision would not help.
		if (fd == -EACCES || fd == -EPERM || fd == -ESRCH)
			break;
	}
	if (fd >= 0)
		return fd;
	event->attr.precise_ip = 0;
	return open_once(event, target);
}

static int open_best(struct perf_sampled_event *event, const struct perf_target *target)
{
	// Who said :p wants that, not what there is.
	bool may_be_precise =
		!event->is_tried && event->counter == PERF_COUNTER_CPU && !event->attr.precise_ip;
	int fd = may_be_precise ? open_most_precise(event, target) : open_once(event, target);
	if (fd != -EACCES || !event->yields)
		return fd;
	struct perf_sampled_event restricted = *event;
	restricted.yields = false;
	restricted.attr.exclude_kernel = restricted.attr.exclude_hv = 1;
	restricted.attr.exclude_callchain_kernel = 1;
	// Only if that works it is kept, so that the error is about what was asked for.
	fd = open_once(&restricted, target);
	if (fd >= 0)
		*event = restricted;
	return fd;
}

int perf_sampled_event_open(struct perf_sampled_event *event, const struct perf_target *target)
{
	int fd = open_best(event, target);
	if (fd == -EINVAL && !event->counts_no_losses) {
		// From now on for all targets: the kernel is older than 6.0.
		event->counts_no_losses = true;
		fd = open_best(event, target);
	}
	event->is_tried = event->is_tried || fd >= 0;
	return fd;
}

struct perf_event_tally perf_sampled_event_read(const struct perf_sampled_event *event, int fd)
{
	struct perf_event_tally tally = {0};
	// Without PERF_FORMAT_LOST, read() gives the count alone.
	size_t size = event->counts_no_losses ? sizeof(tally.value) : sizeof(tally);
	if (fd < 0 || read(fd, &tally, size) != (ssize_t)size)
		return (struct perf_event_tally){0};
	return tally;
}
