// SPDX-License-Identifier: Apache-2.0
// The events come first, as whatever is wrong with them is wrong for every target: those that were
// named, else what the source counts by default, as far as this machine has it, and caches behind
// them. Then the target: sources that count whole cores take no processes, and bind a command to
// the one core that they count. The plan at last points at all of this; the source schedules by the
// list of events, by their placement, or by the plans of single cores, as it can.

#include "session/setup/count_setup.h"

#include "process/pid_list.h"
#include "session/setup/probe_places.h"

#include <stdlib.h>

void count_setup_deinit(struct count_setup *setup)
{
	run_request_deinit(&setup->request);
	free(setup->pids);
	free(setup->core_plans);
	free(setup->target_name);
	free(setup->cgroup_fds);
	cgroup_folders_close(&setup->cgroups);
}

/** Of the source's list, what this machine has. */
static struct error *add_default_events(struct count_setup *setup)
{
	struct session *session = setup->session;
	struct error *err = NULL;
	if (!session->source->ops->traits.default_events)
		return error_with_hint(error_create(ERROR_USAGE, "no event specified"),
				       "source '%s' counts nothing by default",
				       session->source->ops->traits.name);
	for (const char *const *name = session->source->ops->traits.default_events; !err && *name;
	     name++)
		if (catalog_find_event(&session->catalog, EVENT_CORE, *name))
			err = event_spec_parse(&session->catalog, *name, EVENT_SPEC_COUNT, NULL,
					       &setup->request.events);
	if (!session->info.counters.free[EVENT_CORE])
		string_builder_append(&session->warnings,
				      "note: no CPU counters here, so no cycles and instructions; "
				      "wperf detect shows why\n");
	return err;
}

/** Behind the others; where the machine has no such events, the rows say so. */
static struct error *add_cache_events(struct count_setup *setup)
{
	static const char events[] =
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses";
	struct catalog *catalog = &setup->session->catalog;
	if (!catalog->num_system_events)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source '%s' has no generic cache "
						    "events for -d",
						    setup->session->source->ops->traits.name),
				       "-m dcache counts the caches of an Arm CPU");
	return event_spec_parse(catalog, events, EVENT_SPEC_COUNT, NULL, &setup->request.events);
}

struct error *count_setup_find_events(struct count_setup *setup, const struct count_request *asked)
{
	setup->asked = asked;
	struct error *err = run_request_create(&asked->words, setup->session, EVENT_SPEC_COUNT,
					       &setup->request, &setup->session->warnings);
	if (!err && !asked->words.num_counted && !asked->only_named)
		err = add_default_events(setup);
	if (!err && asked->with_caches)
		err = add_cache_events(setup);
	const struct probe_target target = {.command = asked->command, .pids = asked->pids};
	return err ? err : probe_places_find(&setup->request, &setup->session->catalog, &target);
}

/** "'sleep 1'", the name of what is counted. */
static struct error *name_command(struct count_setup *setup)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	for (char *const *word = setup->asked->command; *word; word++)
		string_builder_appendf(&name, "%s%s", word == setup->asked->command ? "'" : " ",
				       *word);
	string_builder_append_char(&name, '\'');
	return string_builder_finish(&name, &setup->target_name);
}

static struct error *choose_cgroups(struct count_setup *setup)
{
	const struct source_ops *ops = setup->session->source->ops;
	const struct count_request *asked = setup->asked;
	if (!asked->cgroups)
		return NULL;
	if (!ops->count || !ops->count->counts_cgroups)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source '%s' knows no control groups",
						    ops->traits.name),
				       "use --source perf on Linux");
	if (asked->pids || asked->command)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "control groups are counted on whole CPUs, not %s",
				     asked->pids ? "with -p" : "with a command"),
			asked->pids ? "leave out -p"
				    : "add -a; the command then only says for how "
				      "long");
	struct error *err = cgroup_folders_open(asked->cgroups, &setup->cgroups);
	if (err)
		return err;
	size_t num = setup->cgroups.num_items;
	setup->cgroup_fds = calloc(num, sizeof(*setup->cgroup_fds));
	if (!setup->cgroup_fds)
		return &error_no_memory;
	for (size_t i = 0; i < num; i++)
		setup->cgroup_fds[i] = setup->cgroups.items[i].fd;
	setup->config.plan.cgroups = setup->cgroup_fds;
	setup->config.plan.num_cgroups = num;
	return NULL;
}

static struct error *choose_target(struct count_setup *setup)
{
	const struct count_request *asked = setup->asked;
	const struct source_info *info = &setup->session->info;
	struct count_plan *plan = &setup->config.plan;
	if (asked->pids && asked->command)
		return error_create(ERROR_USAGE, "a command and -p cannot be combined");
	if (asked->pids && !info->counts_processes)
		return error_with_hint(error_create(ERROR_USAGE, "this source counts whole cores, "
								 "not processes"),
				       "choose cores with -c");
	// The command is bound to the counted core; on several, other programs would be counted
	// where it does not run.
	if (asked->command && !info->counts_processes && setup->request.cores.num_cores != 1)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "you can specify only one core for process spawn"),
			"this source counts whole cores: choose one with -c");
	plan->inherit = !asked->only_thread;
	plan->only_thread = asked->only_thread;
	plan->per_thread = asked->per_thread;
	setup->config.command = asked->clock;
	setup->config.is_clock = asked->clock != NULL;
	setup->config.command_output = asked->command_output;
	setup->config.delay_ns = asked->delay_ns;
	if (asked->pids)
		return pid_list_parse(asked->pids, &setup->pids, &plan->num_pids);
	if (asked->command)
		setup->config.command = asked->command;
	setup->config.sysroot = asked->sysroot;
	setup->config.counts_cores = !info->counts_processes;
	return asked->command ? name_command(setup) : NULL;
}

static struct error *fill_core_plans(struct count_setup *setup)
{
	const struct run_request *request = &setup->request;
	setup->core_plans = calloc(request->num_core_requests + 1, sizeof(*setup->core_plans));
	if (!setup->core_plans)
		return &error_no_memory;
	for (size_t i = 0; i < request->num_core_requests; i++) {
		const struct core_request *own = &request->core_requests[i];
		setup->core_plans[i] = (struct count_core_plan){
			.placement = &own->placement,
			.cores = own->cores.cores,
			.num_cores = own->cores.num_cores,
		};
	}
	return NULL;
}

static void count_setup_fill_plan(struct count_setup *setup)
{
	const struct count_request *asked = setup->asked;
	struct count_plan *plan = &setup->config.plan;
	plan->events = &setup->request.events;
	plan->placements = setup->request.placements;
	const struct count_ops *count = setup->session->source->ops->count;
	// A source that cannot count says so when it is opened.
	plan->kernel = asked->kernel || (count && count->counts_all_levels);
	// What this machine cannot count gets a row that says so; the others are counted.
	plan->skips_absent = true;
	plan->raises_limits = asked->raises_limits;
	plan->period_ms = setup->request.config.count_period_ms;
	plan->channel = asked->channel;
	plan->cores = setup->request.cores.cores;
	plan->num_cores = setup->request.cores.num_cores;
	plan->pids = setup->pids;
	plan->core_plans = setup->core_plans;
	plan->num_core_plans = setup->request.num_core_requests;
	setup->config.counts_on = asked->counts_on;
	setup->config.is_endless = asked->is_endless;
}

struct error *count_setup_finish(struct count_setup *setup)
{
	struct error *err = choose_cgroups(setup);
	if (!err)
		err = choose_target(setup);
	if (!err)
		err = fill_core_plans(setup);
	if (!err)
		count_setup_fill_plan(setup);
	return err;
}
