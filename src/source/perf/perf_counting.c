// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_counting.h"

#include "base/container/array.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_event.h"
#include "record/perf_data/perf_data.h"
#include "source/perf/perf_file.h"
#include "source/perf/perf_host.h"
#include "source/perf/perf_refusal.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

// Columns are events, rows are targets (a thread, a core, or a thread on a core). All events of a
// row are opened as groups of the event list; a group is read in one read() with PERF_FORMAT_GROUP
// and the times enabled and running, by which multiplexed counts are scaled. perf_counting_reset()
// remembers the present counts and perf_counting_read() subtracts them: PERF_EVENT_IOC_RESET resets
// neither the times nor the counts of threads that have ended.
//
// The difficulty is threads that start meanwhile. A thread that starts between the opening of a
// leader and of a member inherits half a group, which the kernel reports in three ways
// (was_torn()); then the group is closed and opened again. open_targets_once() drops threads that
// ended before their events were open. An event that the machine lacks is left out of all rows if
// the plan allows that, and all is opened anew (OPENING_LACKS_EVENT), so that groups have the same
// members everywhere.

/** How the kernel gives a group: its size, two times, then a value for each member. */
enum {
	GROUP_SIZE,
	GROUP_ENABLED,
	GROUP_RUNNING,
	GROUP_VALUES,
};

enum {
	MAX_GROUP_TRIES = 100,
	MAX_READ_TRIES = 10000,
};

struct perf_column {
	const char *event;
	struct perf_event_attr attr;
	enum perf_counter counter;
	size_t leader;         /* column; its own if it is in no group */
	size_t group_size;     /* of leaders; 0 of other members */
	bool yields;           /* to a kernel that lets us see user code only */
	bool is_blind;         /* it yielded, and sees nothing there */
	bool is_off;           /* of leaders: the group stays off when others are started */
	bool is_of_some_cores; /* whose PMU is one of several: only of those in `cores` */
	cpu_set_t cores;
	int absent_errnum; /* the machine cannot count it, which the kernel said so; or 0 */
	const char *note;
};

static const char user_code_only[] = "user code only: you may not count kernel code";
static const char not_visible[] = "not counted: it happens in kernel code, which you may not count";
static const char not_on_machine[] = "not supported on this machine; wperf detect shows why";
static const char no_new_threads[] =
	"threads that start later are not counted: this needs Linux 5.13 or later";

static const char one_pmu_only[] =
	"counted on the cores of one PMU only; PMU/EVENT/ counts on those of another, as in "
	"cpu_core/cycles/,cpu_atom/cycles/";

static const char not_followed[] =
	"probes do not follow threads and processes that start later; on whole cores (-c) they do";
static const char raises_not_followed[] =
	"those of threads and children that start later are not counted";

static const char *perf_counting_note_followed(const struct event *event)
{
	const struct probe_point *point = system_event_probe(event);
	return point && point->kind == PROBE_POINT_RAISE ? raises_not_followed : not_followed;
}

static struct error *perf_counting_add_columns(struct perf_counting *counting,
					       const struct event_list *list,
					       const struct perf_attr_rules *rules,
					       bool is_of_tasks)
{
	counting->columns = calloc(list->num_items + 1, sizeof(*counting->columns));
	if (!counting->columns)
		return &error_no_memory;
	const struct event_request *last = NULL;
	for (size_t i = 0; i < list->num_items; i++) {
		const struct event_request *request = &list->items[i];
		enum event_class event_class = request->event->event_class;
		if (event_class != EVENT_PERF && event_class != EVENT_CORE)
			continue;
		// Two kinds of events are not counted in one group.
		bool joins = last && last->group != EVENT_UNGROUPED &&
			     last->group == request->group &&
			     last->event->event_class == event_class;
		last = request;
		size_t place = counting->num_columns++;
		struct perf_column *column = &counting->columns[place];
		column->event = request->event->name;
		column->attr = perf_attr_build(request, rules);
		column->counter =
			perf_attr_counter(&column->attr, request->event, rules->cpu_types);
		column->leader = joins ? column[-1].leader : place;
		column->yields = column->attr.type == PERF_TYPE_SOFTWARE && !rules->kernel &&
				 (request->modifiers & EVENT_LEVELS) == EVENT_ANY_LEVEL;
		if (column->counter == PERF_COUNTER_PROBE && rules->inherit != PERF_INHERIT_NOTHING)
			column->note = perf_counting_note_followed(request->event);
		// Without a PMU's name, a code is one of the first PMU, too.
		if (is_of_tasks && (perf_attr_misses_cores(&column->attr, rules->cpu_types) ||
				    (event_class == EVENT_CORE && rules->cpu_types->num_types > 1)))
			column->note = one_pmu_only;
		int pmu = perf_attr_core_pmu(&column->attr, rules->cpu_types);
		column->is_of_some_cores =
			pmu >= 0 || (column->counter == PERF_COUNTER_OTHER &&
				     perf_host_unit_cores(column->attr.type, &column->cores));
		if (pmu >= 0)
			column->cores = rules->cpu_types->cores[pmu];
		counting->columns[column->leader].group_size++;
		// Its leader switches a member on.
		column->attr.disabled = !joins;
	}
	return NULL;
}

static bool kernel_inherits_threads(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = 1,
		.inherit_thread = 1,
	};
	// Linux 5.13 knows inherit_thread; older kernels refuse bits that they do not know.
	int fd = perf_file_open(&attr, 0, -1, -1);
	if (fd >= 0)
		close(fd);
	return fd != -EINVAL;
}

static struct error *plan_columns(struct perf_counting *counting, const struct count_plan *plan)
{
	struct perf_cpu_types cpu_types;
	perf_host_cpu_types(&cpu_types);
	struct perf_attr_rules rules = {
		.cpu_types = &cpu_types,
		.kernel = plan->kernel,
		.inherit = PERF_INHERIT_NOTHING,
	};
	if (plan->num_pids && plan->inherit)
		rules.inherit = PERF_INHERIT_ALL;
	else if (plan->num_pids && !plan->only_thread && kernel_inherits_threads())
		rules.inherit = PERF_INHERIT_THREADS;
	struct error *err =
		perf_counting_add_columns(counting, plan->events, &rules, plan->num_pids > 0);
	bool loses_threads =
		plan->num_pids && !plan->only_thread && rules.inherit == PERF_INHERIT_NOTHING;
	for (size_t i = 0; loses_threads && i < counting->num_columns; i++)
		counting->columns[i].note = no_new_threads;
	return err;
}

static struct error *perf_counting_allocate(struct perf_counting *counting)
{
	size_t num_fds;
	if (__builtin_mul_overflow(counting->targets.num_items, counting->num_columns, &num_fds))
		return &error_no_memory;
	counting->fds = calloc(num_fds + 1, sizeof(*counting->fds));
	counting->base = calloc(num_fds + 1, sizeof(*counting->base));
	counting->last = calloc(num_fds + 1, sizeof(*counting->last));
	counting->row = calloc(counting->num_columns + 1, sizeof(*counting->row));
	counting->buffer = calloc(GROUP_VALUES + counting->num_columns, sizeof(*counting->buffer));
	if (!counting->fds || !counting->base || !counting->last || !counting->row ||
	    !counting->buffer)
		return &error_no_memory;
	// Not 0, which is a file descriptor: closing is right after any failure.
	for (size_t i = 0; i < num_fds; i++)
		counting->fds[i] = -1;
	counting->num_fds = num_fds;
	return NULL;
}

/** Where a group is read and switched: its first member that can be counted; else its end. */
static size_t head_of(const struct perf_counting *counting, size_t leader)
{
	size_t head = leader, end = leader + counting->columns[leader].group_size;
	while (head < end && counting->columns[head].absent_errnum)
		head++;
	return head;
}

static struct perf_refusal refusal_of(const struct perf_counting *counting,
				      const struct perf_column *column,
				      const struct perf_target *target, int errnum)
{
	return (struct perf_refusal){
		.errnum = errnum,
		.event = column->event,
		.attr = &column->attr,
		.counter = column->counter,
		.target = target,
		.is_member = column != &counting->columns[head_of(counting, column->leader)],
		.num_files = counting->num_fds + PERF_FILES_BESIDES,
	};
}

/** Are all members of the group of PMUs that the target's core has? */
static bool group_fits(const struct perf_counting *counting, size_t leader,
		       const struct perf_target *target)
{
	bool fits = true;
	size_t end = leader + counting->columns[leader].group_size;
	for (size_t i = leader; target->core >= 0 && i < end; i++)
		fits = fits && (!counting->columns[i].is_of_some_cores ||
				CPU_ISSET(target->core, &counting->columns[i].cores));
	return fits;
}

/** Who names cores by which the kernel does not count a unit means the units that they share. */
static void allow_other_cores(struct perf_counting *counting)
{
	for (size_t i = 0; i < counting->num_columns; i++) {
		struct perf_column *column = &counting->columns[i];
		bool has_core = column->counter != PERF_COUNTER_OTHER;
		for (size_t k = 0; k < counting->targets.num_items; k++) {
			int core = counting->targets.items[k].core;
			has_core = has_core || core < 0 || CPU_ISSET(core, &column->cores);
		}
		column->is_of_some_cores = column->is_of_some_cores && has_core;
	}
}

static bool is_absent(const struct perf_counting *counting, size_t leader)
{
	return head_of(counting, leader) == leader + counting->columns[leader].group_size;
}

static size_t num_present(const struct perf_counting *counting, size_t leader)
{
	size_t num = 0, end = leader + counting->columns[leader].group_size;
	for (size_t column = leader; column < end; column++)
		num += !counting->columns[column].absent_errnum;
	return num;
}

static int open_column(const struct perf_column *column, const struct perf_target *target,
		       int leader)
{
	struct perf_event_attr attr = column->attr;
	attr.enable_on_exec = target->awaits_exec && attr.disabled;
	if (target->in_cgroup)
		return perf_file_open_cgroup(&attr, target->cgroup, target->core, leader);
	return perf_file_open(&attr, target->thread, target->core, leader);
}

/** The kernel may allow user code where it forbids its own. */
static int open_user_code(struct perf_column *column, const struct perf_target *target, int leader)
{
	struct perf_column restricted = *column;
	restricted.yields = false;
	restricted.attr.exclude_kernel = restricted.attr.exclude_hv = 1;
	restricted.is_blind = perf_attr_is_kernel_only(&restricted.attr);
	if (!perf_attr_is_clock(&restricted.attr))
		restricted.note = restricted.is_blind ? not_visible : user_code_only;
	int fd = open_column(&restricted, target, leader);
	// If that is refused as well, it is not about kernel code, and the error shall not say so.
	if (fd >= 0 || fd == -EACCES)
		*column = restricted;
	return fd;
}

/** 0, or the errno; then @ret_failed is the column. */
static int perf_counting_open_group(struct perf_counting *counting, size_t leader,
				    const struct perf_target *target, int *fds, size_t *ret_failed)
{
	size_t head = head_of(counting, leader);
	size_t end = leader + counting->columns[leader].group_size;
	for (size_t column = head; column < end; column++) {
		if (counting->columns[column].absent_errnum)
			continue;
		int group = column == head ? -1 : fds[head];
		struct perf_column *opened = &counting->columns[column];
		fds[column] = open_column(opened, target, group);
		if (fds[column] == -EACCES && opened->yields)
			fds[column] = open_user_code(opened, target, group);
		if (fds[column] < 0) {
			*ret_failed = column;
			return -fds[column];
		}
	}
	return 0;
}

/** Into counting->buffer. 0, or the errno. */
static int read_group_once(const struct perf_counting *counting, size_t leader, const int *fds)
{
	size_t group_size = num_present(counting, leader);
	ssize_t wanted = (ssize_t)((GROUP_VALUES + group_size) * sizeof(*counting->buffer));
	ssize_t got = read(fds[head_of(counting, leader)], counting->buffer, (size_t)wanted);
	if (got < 0)
		return errno;
	return got == wanted && counting->buffer[GROUP_SIZE] == group_size ? 0 : EIO;
}

/**
 * A thread that is started between the opening of a leader and of its members inherits only half
 * of a group: then none of it can be read until that thread ends (ECHILD), or the kernel has
 * exchanged the two threads' events and finds no leader for a member (EINVAL), or one that has
 * ended (ENODEV). The last is also how the end of the thread itself shows between the two.
 */
static bool was_torn(size_t leader, size_t failed, int errnum)
{
	return errnum == ECHILD || (failed != leader && (errnum == EINVAL || errnum == ENODEV));
}

/** 0, or the errno; then @ret_failed is the column. */
static int open_whole_group(struct perf_counting *counting, size_t leader,
			    const struct perf_target *target, int *fds, size_t *ret_failed)
{
	size_t group_size = counting->columns[leader].group_size;
	int errnum = ECHILD;
	for (unsigned tries = 0; was_torn(leader, *ret_failed, errnum) && tries < MAX_GROUP_TRIES;
	     tries++) {
		perf_file_close_all(fds + leader, group_size);
		*ret_failed = leader;
		errnum = perf_counting_open_group(counting, leader, target, fds, ret_failed);
		if (!errnum && num_present(counting, leader) > 1)
			errnum = read_group_once(counting, leader, fds);
	}
	return errnum;
}

/** How the opening of a target's events ended. */
enum opening {
	OPENING_DONE,
	OPENING_VANISHED,    /* the thread is gone */
	OPENING_LACKS_EVENT, /* one more column is absent: all targets have to go without it */
};

/** All events of one target are opened one after the other: they start and stop together. */
static struct error *perf_counting_open_target(struct perf_counting *counting,
					       const struct perf_target *target, int *fds,
					       enum opening *ret)
{
	int errnum = 0;
	size_t failed = 0;
	for (size_t column = 0; !errnum && column < counting->num_columns;
	     column += counting->columns[column].group_size)
		if (group_fits(counting, column, target))
			errnum = open_whole_group(counting, column, target, fds, &failed);
	*ret = OPENING_DONE;
	if (!errnum)
		return NULL;
	struct perf_column *column = &counting->columns[failed];
	struct perf_refusal refusal = refusal_of(counting, column, target, errnum);
	struct error *err = NULL;
	if (errnum == ESRCH && target->thread >= 0)
		*ret = OPENING_VANISHED;
	else if (counting->skips_absent && perf_refusal_spares_others(&refusal))
		*ret = OPENING_LACKS_EVENT;
	else
		err = perf_refusal_error(&refusal);
	if (*ret == OPENING_LACKS_EVENT) {
		column->absent_errnum = errnum;
		column->note = not_on_machine;
		// The group goes on without it; another member may have to lead.
		if (!is_absent(counting, column->leader))
			counting->columns[head_of(counting, column->leader)].attr.disabled = true;
	}
	// Whatever happened, this row is not open.
	perf_file_close_all(fds, counting->num_columns);
	return err;
}

/** Targets without the threads that vanished. */
static struct error *open_targets_once(struct perf_counting *counting, bool *ret_again)
{
	struct perf_targets *targets = &counting->targets;
	size_t num_open = 0;
	struct error *err = NULL;
	*ret_again = false;
	for (size_t i = 0; i < targets->num_items; i++) {
		struct perf_target target = targets->items[i];
		enum opening opening = OPENING_VANISHED;
		int *fds = &counting->fds[num_open * counting->num_columns];
		if (!err)
			err = perf_targets_check_interrupt(targets);
		// After a failure the others are only kept in the list, as they are tried again.
		if (!err && !*ret_again)
			err = perf_counting_open_target(counting, &target, fds, &opening);
		else
			opening = OPENING_DONE; // not tried
		*ret_again = *ret_again || opening == OPENING_LACKS_EVENT;
		if (opening != OPENING_VANISHED)
			targets->items[num_open++] = target;
	}
	targets->num_items = num_open;
	return err;
}

/** What the whole counting is refused with if none of its events can be counted. */
static struct error *check_any_present(const struct perf_counting *counting)
{
	for (size_t i = 0; i < counting->num_columns; i++)
		if (!counting->columns[i].absent_errnum)
			return NULL;
	if (!counting->num_columns || !counting->targets.num_items)
		return NULL;
	const struct perf_column *first = &counting->columns[0];
	struct perf_refusal refusal =
		refusal_of(counting, first, &counting->targets.items[0], first->absent_errnum);
	return perf_refusal_error(&refusal);
}

struct error *perf_counting_open(struct perf_counting *counting, const struct count_plan *plan)
{
	_cleanup_(perf_counting_close) struct perf_counting opened = PERF_COUNTING_INIT;
	opened.skips_absent = plan->skips_absent;
	struct error *err = plan_columns(&opened, plan);
	if (!err)
		err = perf_targets_list(&opened.targets, plan);
	allow_other_cores(&opened);
	if (!err)
		err = perf_counting_allocate(&opened);
	if (err)
		return err;
	if (plan->raises_limits)
		perf_file_raise_limit(opened.num_fds);
	for (bool again = true; !err && again;) {
		perf_file_close_all(opened.fds, opened.num_fds);
		err = open_targets_once(&opened, &again);
		if (!err)
			err = check_any_present(&opened);
	}
	if (!err)
		err = perf_targets_settle(&opened.targets, plan);
	if (err)
		return err;
	opened.awaits_exec = plan->enable_on_exec;
	opened.is_settled = true; // all is 0
	*counting = opened;
	opened = (struct perf_counting)PERF_COUNTING_INIT;
	return NULL;
}

void perf_counting_close(struct perf_counting *counting)
{
	perf_file_close_all(counting->fds, counting->num_fds);
	perf_targets_deinit(&counting->targets);
	free(counting->columns);
	free(counting->fds);
	free(counting->base);
	free(counting->last);
	free(counting->row);
	free(counting->buffer);
	*counting = (struct perf_counting)PERF_COUNTING_INIT;
}

static int *fds_of(const struct perf_counting *counting, size_t target)
{
	return &counting->fds[target * counting->num_columns];
}

/** @request: of leaders; it goes for the members, too, and for what inherited them. */
static struct error *tell_group(const struct perf_counting *counting, size_t target, size_t leader,
				unsigned long request)
{
	const int *fds = fds_of(counting, target);
	if (!is_absent(counting, leader) &&
	    group_fits(counting, leader, &counting->targets.items[target]) &&
	    ioctl(fds[head_of(counting, leader)], request, 0))
		return error_create_errno(errno, "cannot switch '%s' %s",
					  counting->columns[leader].event,
					  request == PERF_EVENT_IOC_ENABLE ? "on" : "off");
	return NULL;
}

static struct error *tell_target(const struct perf_counting *counting, size_t target,
				 unsigned long request)
{
	struct error *err = NULL;
	for (size_t column = 0; !err && column < counting->num_columns;
	     column += counting->columns[column].group_size)
		if (!counting->columns[column].is_off)
			err = tell_group(counting, target, column, request);
	return err;
}

struct error *perf_counting_start(struct perf_counting *counting)
{
	struct error *err = NULL;
	counting->is_on = true;
	counting->is_settled = false;
	for (size_t i = 0; !err && i < counting->targets.num_items; i++) {
		bool awaits_exec = counting->awaits_exec && counting->targets.items[i].awaits_exec;
		if (!awaits_exec)
			err = tell_target(counting, i, PERF_EVENT_IOC_ENABLE);
	}
	return err;
}

struct error *perf_counting_switch(struct perf_counting *counting, size_t leader, bool is_on)
{
	unsigned long request = is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	struct error *err = NULL;
	counting->is_settled = false;
	for (size_t i = 0; !err && counting->is_on && i < counting->targets.num_items; i++)
		err = tell_group(counting, i, leader, request);
	counting->columns[leader].is_off = !is_on;
	return err;
}

void perf_counting_event(const struct perf_counting *counting, size_t column,
			 struct perf_data_event *ret)
{
	const struct perf_column *from = &counting->columns[column];
	*ret = (struct perf_data_event){.name = from->event, .attr_size = sizeof(from->attr)};
	memcpy(ret->attr, &from->attr, sizeof(from->attr));
}

struct error *perf_counting_stop(struct perf_counting *counting)
{
	counting->awaits_exec = false;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < counting->targets.num_items; i++)
		err = tell_target(counting, i, PERF_EVENT_IOC_DISABLE);
	counting->is_on = err != NULL;
	return err;
}

/** A group cannot be read in the moment in which a thread that inherited it starts or ends. */
static int perf_counting_read_group(const struct perf_counting *counting, size_t leader,
				    const int *fds)
{
	static const struct timespec moment = {.tv_nsec = 50000};
	int errnum = read_group_once(counting, leader, fds);
	for (unsigned tries = 0; errnum == ECHILD && tries < MAX_READ_TRIES; tries++) {
		nanosleep(&moment, NULL);
		errnum = read_group_once(counting, leader, fds);
	}
	return errnum;
}

/** Into counting->row and `last`. */
static struct error *read_target(const struct perf_counting *counting, size_t target)
{
	const uint64_t *group = counting->buffer;
	for (size_t leader = 0, end; leader < counting->num_columns; leader = end) {
		bool absent = is_absent(counting, leader) ||
			      !group_fits(counting, leader, &counting->targets.items[target]);
		int errnum = absent ? 0
				    : perf_counting_read_group(counting, leader,
							       fds_of(counting, target));
		if (errnum)
			return error_create_errno(errnum, "cannot read '%s'",
						  counting->columns[leader].event);
		end = leader + counting->columns[leader].group_size;
		size_t place = GROUP_VALUES;
		for (size_t column = leader; column < end; column++) {
			counting->row[column] = (struct count){0};
			if (absent || counting->columns[column].absent_errnum)
				continue;
			counting->row[column] = (struct count){
				.value = group[place++],
				.scheduled = group[GROUP_RUNNING],
				.total = group[GROUP_ENABLED],
			};
		}
	}
	memcpy(&counting->last[target * counting->num_columns], counting->row,
	       counting->num_columns * sizeof(*counting->row));
	return NULL;
}

// The kernel's own reset forgets neither times nor what threads that have ended counted.
struct error *perf_counting_reset(struct perf_counting *counting)
{
	struct error *err = NULL;
	// Who starts and stops around a few lines of code waits for no read that tells nothing new.
	for (size_t i = 0; !err && !counting->is_settled && i < counting->targets.num_items; i++)
		err = read_target(counting, i);
	if (!err)
		memcpy(counting->base, counting->last, counting->num_fds * sizeof(*counting->base));
	return err;
}

struct error *perf_counting_read(struct perf_counting *counting, struct source_counts *ret)
{
	const struct perf_targets *targets = &counting->targets;
	struct count_set *set = &ret->sets[EVENT_PERF];
	struct error *err =
		count_set_renew(targets->unit_kind, targets->num_units, counting->num_columns, set);
	if (err)
		return err;
	for (size_t unit = 0; unit < targets->num_units; unit++)
		set->units[unit] = targets->units[unit].id;
	for (size_t i = 0; i < targets->num_items; i++) {
		err = read_target(counting, i);
		if (err)
			return err;
		// What the row has more than at the last reset.
		const struct count *base = &counting->base[i * counting->num_columns];
		for (size_t column = 0; column < counting->num_columns; column++) {
			const struct count *now = &counting->row[column];
			struct count *sum = count_set_at(set, targets->items[i].unit, column);
			sum->total += now->total - base[column].total;
			if (counting->columns[column].is_blind)
				continue;
			sum->value += now->value - base[column].value;
			sum->scheduled += now->scheduled - base[column].scheduled;
		}
	}
	counting->is_settled = !counting->is_on;
	return NULL;
}

const char *perf_counting_note(const struct perf_counting *counting, size_t column)
{
	return column < counting->num_columns ? counting->columns[column].note : NULL;
}

bool perf_counting_is_absent(const struct perf_counting *counting, size_t column)
{
	return column < counting->num_columns && counting->columns[column].absent_errnum;
}

bool perf_counting_core_code(const struct perf_counting *counting, size_t column, uint64_t *ret)
{
	const struct perf_column *at = &counting->columns[column];
	// Numbers of generic events are the kernel's, not codes of the CPU.
	bool has_name = at->attr.type == PERF_TYPE_HARDWARE || at->attr.type == PERF_TYPE_HW_CACHE;
	if (at->counter != PERF_COUNTER_CPU || has_name)
		return false;
	*ret = at->attr.config;
	return true;
}

bool perf_counting_lost_core(const struct perf_counting *counting, size_t n, uint32_t *ret_core)
{
	const struct perf_targets *targets = &counting->targets;
	size_t num_cores = targets->unit_kind == COUNT_UNIT_CORE ? targets->num_units : 0;
	for (size_t i = 0; i < num_cores; i++) {
		if (perf_host_core_is_online(targets->units[i].id) || n--)
			continue;
		*ret_core = targets->units[i].id;
		return true;
	}
	return false;
}

const char *perf_counting_unit_name(const struct perf_counting *counting, size_t unit)
{
	const char *name = counting->targets.units[unit].name;
	return *name ? name : NULL;
}
