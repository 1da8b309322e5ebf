// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_targets.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/os/interrupt.h"
#include "base/text/number.h"
#include "source/perf/perf_host.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

// perf_targets_list() makes the rows: for processes each thread of /proc/PID/task (times the cores
// of the plan), else each core. Units are what the user sees, a process, thread or core; several
// items may have one. Threads that end before their events are open are removed by the caller.
// perf_targets_settle() then renumbers the units and reports a process that has no thread left.

static void perf_targets_close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

static struct error *add_unit(struct perf_targets *targets, uint32_t id)
{
	struct error *err =
		array_reserve(&targets->units, &targets->cap_units, targets->num_units + 1);
	if (!err)
		targets->units[targets->num_units++] = (struct perf_unit){.id = id};
	return err;
}

// An item belongs to the unit that was added last.
static struct error *perf_targets_add_item(struct perf_targets *targets,
					   const struct perf_target *item)
{
	struct error *err =
		array_reserve(&targets->items, &targets->cap_items, targets->num_items + 1);
	if (err)
		return err;
	targets->items[targets->num_items] = *item;
	targets->items[targets->num_items++].unit = targets->num_units - 1;
	return NULL;
}

static struct error *perf_targets_add_core(struct perf_targets *targets, unsigned core)
{
	struct error *err = add_unit(targets, core);
	if (err)
		return err;
	return perf_targets_add_item(targets,
				     &(struct perf_target){.thread = -1, .core = (int)core});
}

static struct error *list_cores(struct perf_targets *targets, const struct count_plan *plan)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < plan->num_cores; i++)
		err = perf_targets_add_core(targets, plan->cores[i]);
	unsigned num_cores = plan->num_cores ? 0 : perf_host_num_cores();
	for (unsigned core = 0; !err && core < num_cores; core++)
		if (perf_host_core_is_online(core))
			err = perf_targets_add_core(targets, core);
	return err;
}

static struct error *list_cgroup(struct perf_targets *targets, const struct count_plan *plan,
				 size_t place)
{
	struct error *err = add_unit(targets, (uint32_t)place);
	unsigned num_cores = plan->num_cores ? (unsigned)plan->num_cores : perf_host_num_cores();
	for (unsigned i = 0; !err && i < num_cores; i++) {
		unsigned core = plan->num_cores ? plan->cores[i] : i;
		const struct perf_target target = {
			.thread = -1,
			.core = (int)core,
			.in_cgroup = true,
			.cgroup = plan->cgroups[place],
		};
		if (plan->num_cores || perf_host_core_is_online(core))
			err = perf_targets_add_item(targets, &target);
	}
	return err;
}

static struct error *list_cgroups(struct perf_targets *targets, const struct count_plan *plan)
{
	struct error *err = NULL;
	targets->unit_kind = COUNT_UNIT_CGROUP;
	for (size_t i = 0; !err && i < plan->num_cgroups; i++)
		err = list_cgroup(targets, plan, i);
	return err;
}

static struct error *perf_targets_add_thread(struct perf_targets *targets,
					     const struct count_plan *plan,
					     const struct perf_target *thread)
{
	if (plan->num_cores == 0)
		return perf_targets_add_item(targets, thread);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < plan->num_cores; i++) {
		struct perf_target item = *thread;
		item.core = (int)plan->cores[i];
		err = perf_targets_add_item(targets, &item);
	}
	return err;
}

/** What is about to become another program does not have its name yet. */
static struct error *add_task_unit(struct perf_targets *targets, const struct perf_target *target)
{
	struct error *err = add_unit(targets, (uint32_t)target->thread);
	if (!err && !target->awaits_exec)
		perf_host_thread_name(target->thread, targets->units[targets->num_units - 1].name,
				      PERF_NAME_SIZE);
	return err;
}

static struct error *process_is_gone(pid_t process)
{
	return error_with_hint(
		error_create(ERROR_FAILED, "cannot count process %d: no such process",
			     (int)process),
		"it may have ended; outside of a container its process IDs are different");
}

static bool perf_targets_wants(const struct count_plan *plan, uint32_t thread)
{
	if (plan->only_thread)
		return thread == plan->only_thread;
	return thread != plan->left_out_thread;
}

static struct error *perf_targets_list_threads(struct perf_targets *targets,
					       const struct count_plan *plan,
					       struct perf_target *target)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", (int)target->process);
	_cleanup_(perf_targets_close_folder) DIR *folder = opendir(path);
	// opendir() says ENOENT; a process that ends while it is listed, ESRCH.
	if (!folder && (errno == ENOENT || errno == ESRCH))
		return process_is_gone(target->process);
	if (!folder)
		return error_create_errno(errno, "cannot list the threads of process %d",
					  (int)target->process);
	struct error *err = NULL;
	for (struct dirent *entry; !err && (entry = readdir(folder));) {
		uint64_t thread;
		const char *name = entry->d_name;
		if (number_parse(name, strlen(name), &thread) != NUMBER_OK || thread > INT32_MAX)
			continue; // "." and ".."
		if (!perf_targets_wants(plan, (uint32_t)thread))
			continue;
		target->thread = (pid_t)thread;
		if (plan->per_thread)
			err = add_task_unit(targets, target);
		if (!err)
			err = perf_targets_add_thread(targets, plan, target);
	}
	return err;
}

struct error *perf_targets_list(struct perf_targets *targets, const struct count_plan *plan)
{
	if (plan->num_cgroups)
		return list_cgroups(targets, plan);
	if (plan->num_pids == 0) {
		targets->unit_kind = COUNT_UNIT_CORE;
		return list_cores(targets, plan);
	}
	// A process is opened thread by thread: `inherit` of perf_event_open(2) covers only threads
	// that start later.
	targets->unit_kind = plan->per_thread ? COUNT_UNIT_THREAD : COUNT_UNIT_PROCESS;
	struct error *err = NULL;
	for (size_t place = 0; !err && place < plan->num_pids; place++) {
		struct perf_target target = {
			.thread = plan->pids[place],
			.core = -1,
			.process = plan->pids[place],
			.place = place,
			.awaits_exec = plan->enable_on_exec && place == 0,
		};
		if (!plan->per_thread)
			err = add_task_unit(targets, &target);
		if (!err)
			err = perf_targets_list_threads(targets, plan, &target);
	}
	return err;
}

static struct error *check_processes(const struct perf_targets *targets,
				     const struct count_plan *plan)
{
	size_t item = 0;
	for (size_t place = 0; place < plan->num_pids; place++) {
		if (item == targets->num_items || targets->items[item].place != place)
			return process_is_gone(plan->pids[place]);
		// Items are in the order of the processes of the plan.
		while (item < targets->num_items && targets->items[item].place == place)
			item++;
	}
	return NULL;
}

struct error *perf_targets_settle(struct perf_targets *targets, const struct count_plan *plan)
{
	struct error *err = check_processes(targets, plan);
	if (err)
		return err;
	size_t num_units = 0;
	size_t last_unit = SIZE_MAX;
	for (size_t i = 0; i < targets->num_items; i++) {
		struct perf_target *item = &targets->items[i];
		// Units without items have lost all of their threads: those behind them move
		// forward.
		if (item->unit != last_unit) {
			last_unit = item->unit;
			targets->units[num_units++] = targets->units[last_unit];
		}
		item->unit = num_units - 1;
	}
	targets->num_units = num_units;
	return NULL;
}

struct error *perf_targets_check_interrupt(const struct perf_targets *targets)
{
	if (!interrupt_requested())
		return NULL;
	return error_create(ERROR_FAILED, "interrupted before the events of %zu targets were open",
			    targets->num_items);
}

void perf_targets_deinit(struct perf_targets *targets)
{
	free(targets->units);
	free(targets->items);
	*targets = (struct perf_targets)PERF_TARGETS_INIT;
}
