// SPDX-License-Identifier: Apache-2.0
// In two steps, as a command has something to say between them: what is wrong with the events comes
// before what is missing of the target. First the events: those that were asked for, else cycles or
// time; the switches of --off-cpu behind them, as their number is part of the plan. Then the plan:
// how callers are found, whom to sample, how often, and whether interpreted stacks are read, which
// depends on the target. At last the recording, which depends on all of them.

#include "session/setup/sample_setup.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "base/text/number.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_events.h"
#include "process/pid_list.h"
#include "process/system/process_search.h"
#include "record/wake.h"
#include "session/profile_facts.h"
#include "session/setup/allocator_search.h"
#include "session/setup/probe_places.h"

#include <stdlib.h>
#include <string.h>

enum {
	// Not divisors of a timer's rate: programs tick at those.
	DEFAULT_FREQUENCY = 999,
	STOPPING_FREQUENCY = 99,
	MOST_STOPS = 200, // a second
	MIN_STACK = 64,
	// perf_event_open(2): sample_stack_user is a multiple of 8 below 65535.
	MAX_STACK = 65528,
};

void sample_setup_deinit(struct sample_setup *setup)
{
	profile_builder_destroy(setup->builder);
	free(setup->names);
	string_builder_deinit(&setup->notes);
	run_request_deinit(&setup->request);
	free(setup->pids);
}

/** Cycles, if the machine counts them; else time. */
static struct error *add_default_event(struct sample_setup *setup)
{
	struct session *session = setup->session;
	// AMD's Zen 3 keeps branches of this event alone, and takes only a period, no frequency.
	if (setup->asked->branches &&
	    catalog_find_event(&session->catalog, EVENT_CORE, "cpu/branch-brs/"))
		return event_spec_parse(&session->catalog, "cpu/branch-brs/:1000037",
					EVENT_SPEC_SAMPLE, NULL, &setup->request.events);
	// In this order: Linux' name of it, Arm's, and the clock that the kernel always has.
	static const char *const names[] = {"cycles", "cpu_cycles", "cpu-clock"};
	bool counts_cycles = session->info.counters.free[EVENT_CORE] > 0;
	for (size_t i = counts_cycles ? 0 : 2; i < ARRAY_SIZE(names); i++)
		if (catalog_find_event(&session->catalog, EVENT_CORE, names[i]))
			return event_spec_parse(&session->catalog, names[i], EVENT_SPEC_SAMPLE,
						NULL, &setup->request.events);
	return error_with_hint(error_create(ERROR_USAGE, "no event specified"),
			       "choose events with -e; 'wperf list' shows the names");
}

static struct error *check_branches(const struct sample_setup *setup)
{
	const struct source_ops *ops = setup->session->source->ops;
	if (!ops->sample || !ops->sample->tells_branches)
		return error_with_hint(error_create(ERROR_FAILED,
						    "source '%s' has no branch records",
						    ops->traits.name),
				       "leave out -b");
	if (setup->config.plan.chain == SAMPLE_CHAIN_LBR)
		return error_with_hint(error_create(ERROR_USAGE,
						    "-b and --call-graph lbr both need the CPU's "
						    "branch records"),
				       "take callers another way: -b --call-graph cfi");
	return NULL;
}

/** Behind all others. */
static struct error *add_off_cpu_event(struct sample_setup *setup)
{
	struct session *session = setup->session;
	const struct sample_ops *sample = session->source->ops->sample;
	if (!sample || (!sample->tells_switches && !sample->tells_absences))
		return error_with_hint(error_create(ERROR_FAILED,
						    "source '%s' cannot measure off-CPU time",
						    session->source->ops->traits.name),
				       "leave out --off-cpu");
	struct event_list *events = &setup->request.events;
	const char *name = sample->tells_absences ? SAMPLE_ABSENCES_EVENT : "context-switches";
	struct error *err =
		event_spec_parse(&session->catalog, name, EVENT_SPEC_SAMPLE, NULL, events);
	// Every switch: an absence without a sample would have no stack.
	if (!err)
		events->items[events->num_items - 1].interval = 1;
	setup->config.plan.off_cpu = true;
	setup->config.plan.off_cpu_event = (uint32_t)events->num_items - 1;
	return err;
}

/** Who may not have it gets all else, and a note. */
static struct error *sample_setup_add_wakers(struct sample_setup *setup)
{
	static const struct system_event wake = {
		.event = {.name = WAKE_EVENT,
			  .title = "Waits that others end",
			  .description = "Nanoseconds that other threads waited, until this thread "
					 "woke them.",
			  .event_class = EVENT_PERF,
			  .code = SYSTEM_EVENT_BPF_OUTPUT},
		.type = SYSTEM_EVENT_SOFTWARE,
		.kind = "Software event",
		.unit = SYSTEM_EVENT_NANOSECONDS,
		.scale = 1,
		.config1 = WAKE_EVENT_MARK,
	};
	const struct event_request request = {
		.event = &wake.event, .group = EVENT_UNGROUPED, .interval = 1};
	struct error *refused = setup->session->source->ops->sample->check_wakers();
	if (!refused) {
		setup->config.plan.wakers = true;
		setup->config.plan.wake_event = (uint32_t)setup->request.events.num_items;
		return event_list_add(&setup->request.events, &request);
	}
	string_builder_appendf(&setup->notes, "note: who wakes threads is not recorded: %s\n",
			       refused->message);
	if (refused->hint)
		string_builder_appendf(&setup->notes, "hint: %s\n", refused->hint);
	error_destroy(refused);
	return NULL;
}

static struct error *sample_setup_choose_wakers(struct sample_setup *setup)
{
	const struct source_ops *ops = setup->session->source->ops;
	if (setup->asked->wakers && ops->sample && ops->sample->check_wakers)
		return sample_setup_add_wakers(setup);
	if (setup->asked->wakers)
		return error_with_hint(error_create(ERROR_FAILED,
						    "source '%s' cannot tell who wakes threads",
						    ops->traits.name),
				       "use --off-cpu alone, or --source perf on Linux");
	return NULL;
}

/** Events without a period, where the source cannot sample them at a frequency. Of a probe, each
 *  passage is a sample. */
static void sample_setup_fill_periods(struct sample_setup *setup)
{
	struct source *source = setup->session->source;
	const struct sample_ops *sample = source->ops->sample;
	struct event_list *events = &setup->request.events;
	for (size_t i = 0; i < events->num_items; i++) {
		struct event_request *request = &events->items[i];
		if (request->interval)
			continue;
		if (system_event_probe(request->event))
			request->interval = 1;
		else if (sample && sample->default_period)
			request->interval = sample->default_period(source, request->event);
	}
}

/** The kernel takes :p of its own events without a word, and does nothing. */
static void note_imprecise(struct sample_setup *setup)
{
	const struct event_list *events = &setup->request.events;
	for (size_t i = 0; i < events->num_items; i++) {
		const struct event_request *request = &events->items[i];
		if (request->precise && request->event->event_class == EVENT_PERF &&
		    system_event_is_software(system_event_of(request->event)))
			string_builder_appendf(&setup->notes,
					       "note: '%s' is an event of the kernel: :p does not "
					       "make its samples more precise\n",
					       request->event->name);
	}
}

static bool sample_setup_has_raises(const struct sample_setup *setup)
{
	for (size_t i = 0; i < setup->request.events.num_items; i++) {
		const struct probe_point *point =
			system_event_probe(setup->request.events.items[i].event);
		if (point && point->kind == PROBE_POINT_RAISE)
			return true;
	}
	return false;
}

/** The kernel's own probes are of threads; what BPF programs read is of processes. */
static void note_probes(struct sample_setup *setup)
{
	const struct sample_request *asked = setup->asked;
	bool has_probe = false, has_raise = false, has_reading = false;
	for (size_t i = 0; i < setup->request.events.num_items; i++) {
		const struct event *event = setup->request.events.items[i].event;
		const struct probe_point *point = system_event_probe(event);
		if (point && system_event_of(event)->reading)
			has_reading = true;
		else if (point && point->kind == PROBE_POINT_RAISE)
			has_raise = true;
		else if (point)
			has_probe = true;
	}
	if (!asked->command && !asked->pids && !asked->process_name)
		return;
	if (has_probe)
		string_builder_append(&setup->notes,
				      "note: probes do not follow threads and processes that start "
				      "later; with -a they see all\n");
	if (has_raise)
		string_builder_append(&setup->notes,
				      "note: exceptions of threads and children that "
				      "start later are not counted\n");
	if (has_reading)
		string_builder_append(&setup->notes,
				      "note: processes that start later are probed a moment after "
				      "their start; threads at once\n");
}

struct error *sample_setup_find_events(struct sample_setup *setup,
				       const struct sample_request *asked)
{
	setup->asked = asked;
	struct error *err = run_request_create(&asked->words, setup->session, EVENT_SPEC_SAMPLE,
					       &setup->request, &setup->session->warnings);
	// For a source that samples on a timer, the error about an unknown event is replaced: the
	// event may exist, and another source may sample it.
	const struct source_traits *traits = &setup->session->source->ops->traits;
	if (err && traits->looks_by_time) {
		error_destroy(err);
		return error_with_hint(error_create(ERROR_USAGE,
						    "source '%s' samples only cpu-clock",
						    traits->name),
				       "leave out -e; --source perf samples any event");
	}
	if (!err && !asked->words.num_counted)
		err = add_default_event(setup);
	const struct probe_target target = {
		.command = asked->command,
		.pids = asked->pids,
		.process_name = asked->process_name,
		.samples = true,
	};
	if (!err)
		err = probe_places_find(&setup->request, &setup->session->catalog, &target);
	if (!err && asked->off_cpu)
		err = add_off_cpu_event(setup);
	if (!err)
		err = sample_setup_choose_wakers(setup);
	if (!err)
		sample_setup_fill_periods(setup);
	if (!err)
		note_imprecise(setup);
	if (!err)
		note_probes(setup);
	return err;
}

static struct error *sample_setup_choose_chain(const struct sample_setup *setup,
					       enum sample_chain *ret)
{
	const struct sample_request *asked = setup->asked;
	bool needs_callers = setup->session->source->ops->traits.needs_callers;
	static const struct {
		const char *name;
		enum sample_chain chain;
	} chains[] = {
		{"fp", SAMPLE_CHAIN_FP},
		{"cfi", SAMPLE_CHAIN_CFI},
		{"dwarf", SAMPLE_CHAIN_CFI}, // perf's name of it
		{"lbr", SAMPLE_CHAIN_LBR},
	};
	// All threads leave their CPU in the scheduler: only the callers show what they wait for.
	bool has_callers = asked->has_callers || asked->off_cpu || needs_callers;
	*ret = has_callers ? SAMPLE_CHAIN_CFI : SAMPLE_CHAIN_NONE;
	for (size_t i = 0; asked->unwind_method && i < ARRAY_SIZE(chains); i++) {
		size_t length = strcspn(asked->unwind_method, ",");
		if (strlen(chains[i].name) != length ||
		    strncmp(asked->unwind_method, chains[i].name, length) != 0)
			continue;
		*ret = chains[i].chain;
		return NULL;
	}
	if (!asked->unwind_method)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "unknown unwind method '%s'",
					    asked->unwind_method),
			       "--call-graph takes fp, cfi or lbr");
}

/** "dwarf,16384" of perf says it beside the method. */
static struct error *choose_stack_size(const struct sample_request *asked, uint32_t *ret)
{
	const char *comma = asked->unwind_method ? strchr(asked->unwind_method, ',') : NULL;
	uint64_t bytes = asked->stack_bytes;
	if (comma && (number_parse_decimal(comma + 1, strlen(comma + 1), &bytes) != NUMBER_OK ||
		      bytes < MIN_STACK || bytes > MAX_STACK))
		return error_with_hint(error_create(ERROR_USAGE, "not a stack size: '%s'",
						    comma + 1),
				       "%d to %d bytes, as for --stack-size", MIN_STACK, MAX_STACK);
	*ret = (uint32_t)bytes / 8 * 8;
	return NULL;
}

static struct error *find_processes(struct sample_setup *setup, const char *name)
{
	uint32_t *pids;
	size_t num_pids;
	struct error *err = process_search(name, &pids, &num_pids);
	if (err)
		return err;
	setup->pids = pids;
	setup->config.plan.num_pids = num_pids;
	if (num_pids)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "no process named '%s'", name),
			       "--image_name takes the file name of the program");
}

bool sample_setup_is_simulated(const struct sample_setup *setup)
{
	return setup->session->source->ops->traits.is_simulated;
}

static struct error *choose_processes(struct sample_setup *setup)
{
	const struct sample_request *asked = setup->asked;
	if (sample_setup_is_simulated(setup)) {
		if (asked->command)
			string_builder_appendf(&setup->notes,
					       "note: source sim runs a simulated program; '%s' "
					       "was not started\n",
					       asked->command[0]);
		return NULL;
	}
	setup->config.command_output = asked->command_output;
	if (asked->command) {
		setup->config.command = asked->command;
		setup->config.sysroot = asked->sysroot;
		return NULL;
	}
	setup->config.command = asked->clock;
	setup->config.is_clock = asked->clock != NULL;
	if (asked->pids)
		return pid_list_parse(asked->pids, &setup->pids, &setup->config.plan.num_pids);
	return asked->process_name ? find_processes(setup, asked->process_name) : NULL;
}

static bool needs_wakeups(const struct sample_setup *setup)
{
	return setup->interpreted.is_wanted &&
	       collection_method_needs_wakeups(setup->interpreted.method);
}

/** A program that is stopped all the time does not get far. */
static struct error *check_stops(const struct sample_plan *plan, bool has_off_cpu)
{
	if (has_off_cpu)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--stop and --off-cpu cannot be combined"),
				       "leave out --stop");
	// How often a period gives a sample depends on the program: that has no limit in time.
	bool has_period = false;
	for (size_t i = 0; i < plan->events->num_items; i++)
		has_period = has_period || plan->events->items[i].interval;
	if (!has_period && plan->frequency_hz <= MOST_STOPS)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "--stop stops a program at most %d times a second",
					    MOST_STOPS),
			       "use -F %d or less, and events without a period", MOST_STOPS);
}

static uint32_t choose_frequency(const struct sample_setup *setup)
{
	const struct sample_request *asked = setup->asked;
	uint32_t most = setup->session->info.max_frequency;
	if (asked->stops && asked->frequency == SAMPLE_FREQUENCY_MAX)
		return MOST_STOPS;
	if (asked->frequency == SAMPLE_FREQUENCY_MAX)
		return most ? most : DEFAULT_FREQUENCY;
	if (asked->frequency)
		return asked->frequency;
	uint32_t wanted = asked->stops ? STOPPING_FREQUENCY : DEFAULT_FREQUENCY;
	return most && most < wanted ? most : wanted;
}

static bool samples_by_frequency(const struct sample_plan *plan)
{
	for (size_t i = 0; i < plan->events->num_items; i++)
		if (!plan->events->items[i].interval && !plan->events->items[i].frequency)
			return true;
	return false;
}

/** The default is not refused, as nobody asked for it: but fewer samples come than one expects. */
static void note_low_frequency(struct sample_setup *setup)
{
	const struct sample_request *asked = setup->asked;
	uint32_t most = setup->session->info.max_frequency;
	if (asked->frequency || asked->stops || !most || most >= DEFAULT_FREQUENCY ||
	    !samples_by_frequency(&setup->config.plan))
		return;
	string_builder_appendf(&setup->notes,
			       "note: %u samples a second, not %d: the kernel allows no more; as "
			       "root: sysctl kernel.perf_event_max_sample_rate=100000\n",
			       most, DEFAULT_FREQUENCY);
}

/** Is it time that the event counts, whatever stands behind its name? */
static bool sample_setup_is_clock(const struct event *event)
{
	static const char *const names[] = {"cpu-clock", "task-clock"};
	size_t length = strcspn(event->name, ":");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == length && strncmp(event->name, names[i], length) == 0)
			return true;
	return event->event_class == EVENT_PERF && system_event_is_clock(system_event_of(event));
}

static struct error *choose_interpreted(struct sample_setup *setup)
{
	const struct sample_request *asked = setup->asked;
	const struct interpreted_request request = {
		.mode = asked->interpreted,
		.only_with_gil = asked->only_with_gil,
		.by_task = asked->by_task,
		.stops = asked->stops,
		.tries = asked->tries_interpreted,
		.command = asked->command,
		.pids = setup->pids,
		.num_pids = setup->config.plan.num_pids,
	};
	return interpreted_choice_make(&request, setup->session->source, &setup->notes,
				       &setup->interpreted);
}

/** Of a thread by itself there is nothing but the thread. */
static struct error *choose_threads(struct sample_setup *setup)
{
	struct sample_plan *plan = &setup->config.plan;
	const struct sample_request *asked = setup->asked;
	plan->inherit = !asked->only_thread;
	if (sample_setup_is_simulated(setup))
		return NULL;
	plan->only_thread = asked->only_thread;
	plan->left_out_thread = asked->left_out_thread;
	if (!plan->only_thread || setup->session->info.counts_processes)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "source '%s' cannot sample one thread",
					    setup->session->source->ops->traits.name),
			       "sample its process");
}

static struct error *sample_setup_fill_plan(struct sample_setup *setup)
{
	const struct sample_request *asked = setup->asked;
	struct sample_plan *plan = &setup->config.plan;
	struct error *err = sample_setup_choose_chain(setup, &plan->chain);
	if (!err)
		err = choose_stack_size(asked, &plan->stack_bytes);
	if (!err)
		err = choose_processes(setup);
	if (!err)
		err = choose_threads(setup);
	plan->events = &setup->request.events;
	plan->spe = setup->request.has_spe ? &setup->request.spe : NULL;
	plan->frequency_hz = choose_frequency(setup);
	plan->kernel = asked->kernel;
	plan->branches = asked->branches;
	plan->cores = setup->request.cores.cores;
	plan->num_cores = setup->request.cores.num_cores;
	plan->pids = setup->pids;
	plan->raises_limits = asked->raises_limits;
	plan->is_live = asked->is_live;
	setup->config.delay_ns = asked->delay_ns;
	// Of sources that sample whole cores, only those that know the process of a sample can be
	// filtered afterwards.
	setup->config.samples_cores = !setup->session->info.counts_processes;
	setup->config.picks_samples = setup->session->info.tells_tasks && !plan->spe;
	if (!err && asked->branches)
		err = check_branches(setup);
	if (!err && asked->stops && source_reads_frames(setup->session->source))
		err = check_stops(plan, asked->off_cpu);
	if (!err)
		err = choose_interpreted(setup);
	if (!err && setup->session->source->ops->traits.probes_allocators && plan->num_pids)
		err = allocator_search(plan->pids, plan->num_pids, &setup->session->catalog.arena,
				       &plan->allocators);
	plan->walks_frames = setup->interpreted.is_wanted;
	plan->wakes = needs_wakeups(setup);
	if (!err)
		note_low_frequency(setup);
	return err;
}

/** Of the weight of its samples. Scaled units are those of counts. */
static const char *event_unit_of(const struct event *event)
{
	static const char *const units[] = {SYSTEM_EVENT_BYTES, SYSTEM_EVENT_ALLOCATIONS,
					    SYSTEM_EVENT_BLOCKS, SYSTEM_EVENT_CALLS,
					    SYSTEM_EVENT_NANOSECONDS};
	const char *unit = event->event_class == EVENT_PERF ? system_event_of(event)->unit : NULL;
	for (size_t i = 0; unit && i < ARRAY_SIZE(units); i++)
		if (strcmp(unit, units[i]) == 0)
			return unit;
	return "events";
}

static struct error *sample_setup_add_event(struct sample_setup *setup, size_t index)
{
	const struct event_request *request = &setup->request.events.items[index];
	const struct sample_plan *plan = &setup->config.plan;
	bool is_off_cpu = plan->off_cpu && index == plan->off_cpu_event;
	bool is_wake = plan->wakers && index == plan->wake_event;
	struct named_profile *profile = profile_builder_profile(setup->builder);
	struct named_event event = {
		.period = is_off_cpu || is_wake ? 0 : request->interval,
		.is_whole = is_off_cpu || is_wake,
		.is_wait = is_off_cpu,
		.is_ahead = is_off_cpu && !setup->session->source->ops->sample->tells_absences,
	};
	// A frequency needs the kernel, which changes the period as it goes. Sources of whole
	// cores, as the driver, know only periods.
	if (!event.period && !event.is_whole && setup->session->info.counts_processes)
		event.frequency = request->frequency ? request->frequency : plan->frequency_hz;
	else if (!event.period && !event.is_whole)
		event.period = EVENT_DEFAULT_INTERVAL;
	struct error *err = named_profile_string(
		profile, is_off_cpu ? OFF_CPU_NAME : request->event->name, &event.name);
	bool is_time = is_off_cpu || sample_setup_is_clock(request->event);
	if (!err)
		err = named_profile_string(profile,
					   is_time ? "nanoseconds" : event_unit_of(request->event),
					   &event.unit);
	const char *model = source_event_note(setup->session->source, request->event);
	if (!err && model)
		err = named_profile_string(profile, model, &event.model);
	return err ? err : profile_builder_add_event(setup->builder, &event);
}

/** Behind the list of events: that is its number in samples (sample_plan.h). */
static struct error *add_spe_event(struct sample_setup *setup)
{
	struct named_profile *profile = profile_builder_profile(setup->builder);
	const struct spe_filters *spe = &setup->request.spe;
	struct named_event event = {.period = spe->configs[SPE_PERIOD]};
	struct error *err = named_profile_string(profile, spe->spec, &event.name);
	if (!err)
		err = named_profile_string(profile, "operations", &event.unit);
	return err ? err : profile_builder_add_event(setup->builder, &event);
}

/** This machine is not described as the host of samples that were simulated. */
static struct error *sample_setup_describe(struct sample_setup *setup, const struct host *host,
					   const char *machine)
{
	bool is_simulated = sample_setup_is_simulated(setup);
	const struct source_info *source = &setup->session->info;
	const struct perf_data_info info = {
		.arguments = (const char *const *)setup->asked->command_line,
		.host = is_simulated ? NULL : host->name,
		.system_release = is_simulated      ? NULL
				  : source->machine ? source->description
						    : host->release,
		.machine = machine,
	};
	return profile_facts_describe(profile_builder_profile(setup->builder), &info);
}

static struct error *create_builder(struct sample_setup *setup)
{
	struct host host = host_read();
	const char *machine = setup->session->info.machine;
	if (!machine)
		machine = host.machine;
	bool has_callers = setup->config.plan.chain != SAMPLE_CHAIN_NONE;
	bool is_simulated = sample_setup_is_simulated(setup);
	const struct profile_builder_config config = {
		.machine = machine,
		.keeps_samples = setup->asked->keeps_samples,
		.keeps_no_samples = setup->asked->keeps_none,
		.has_callers = has_callers,
		.with_spe = setup->asked->with_spe,
		.reads_users = process_users_matter() && !is_simulated,
		.leaves_out_idle = !setup->asked->keeps_idle,
		.has_call_branches = setup->config.plan.chain == SAMPLE_CHAIN_LBR,
		.walks_stacks = setup->config.plan.chain == SAMPLE_CHAIN_CFI,
		// Addresses in emulated programs are not those of processes of this system.
		// --stack-size is a limit: nothing above the copy is read then.
		.reads_stacks = !is_simulated && !setup->session->source->ops->wrap_command &&
				!setup->asked->stack_bytes,
		.max_table_bytes = setup->asked->max_table_bytes,
		.with_interpreted = setup->interpreted.is_wanted,
		.interpreted_rule = setup->interpreted.rule,
		.only_with_gil = setup->asked->only_with_gil,
		.extras = {.by_task = setup->asked->by_task,
			   .with_raises = sample_setup_has_raises(setup)},
		// Where samples tell how long an absence was, nothing has to be put together.
		.has_off_cpu = setup->asked->off_cpu && !setup->asked->keeps_none &&
			       setup->session->source->ops->sample->tells_switches,
		.off_cpu_event = setup->config.plan.off_cpu_event,
		.has_wakes = setup->config.plan.wakers,
		.wake_event = setup->config.plan.wake_event,
		.collection_method = setup->interpreted.method,
		.stops_threads = needs_wakeups(setup) && setup->asked->stops,
		.files = {.sysroots = setup->asked->sysroot, .are_processes_here = !is_simulated},
	};
	struct error *err = profile_builder_create(&config, &setup->builder);
	if (!err)
		err = sample_setup_describe(setup, &host, machine);
	for (size_t i = 0; !err && i < setup->request.events.num_items; i++)
		err = sample_setup_add_event(setup, i);
	if (!err && setup->request.has_spe)
		err = add_spe_event(setup);
	return err;
}

/** Names that the source has for code that is in no file. @ret: to be freed. */
static struct error *names_of_source(struct source *source, struct symbolizer_name **ret,
				     size_t *ret_num)
{
	*ret_num = 0;
	const struct sample_symbol *symbols =
		source->ops->sample->symbols ? source->ops->sample->symbols(source, ret_num) : NULL;
	struct symbolizer_name *names = calloc(*ret_num + 1, sizeof(*names));
	if (!names)
		return &error_no_memory;
	for (size_t i = 0; i < *ret_num; i++)
		names[i] = (struct symbolizer_name){
			.address = symbols[i].address,
			.size = symbols[i].size,
			.name = symbols[i].name,
			.file = symbols[i].file,
			.line = symbols[i].line,
		};
	*ret = names;
	return NULL;
}

struct error *sample_setup_finish(struct sample_setup *setup)
{
	struct error *err = sample_setup_fill_plan(setup);
	return err ? err : create_builder(setup);
}

bool sample_setup_lacks_core(const struct sample_setup *setup)
{
	const struct source_info *info = &setup->session->info;
	return !info->counts_processes && !info->tells_tasks && setup->request.cores.num_cores != 1;
}

static struct error *recorded_events(const struct sample_setup *setup,
				     const struct perf_data_event **ret, size_t *ret_num)
{
	struct source *source = setup->session->source;
	*ret = source->ops->sample->events ? source->ops->sample->events(source, ret_num) : NULL;
	return *ret ? NULL
		    : error_create(ERROR_FAILED, "source '%s' cannot write a perf.data file",
				   source->ops->traits.name);
}

static bool has_values(const struct sample_setup *setup)
{
	const struct event_list *events = &setup->request.events;
	for (size_t i = 0; i < events->num_items; i++)
		if (events->items[i].event->event_class == EVENT_PERF &&
		    system_event_of(events->items[i].event)->reading)
			return true;
	return false;
}

/** The kernel's samples are written again then, with the callers that we found; those of BPF
 *  programs, as events of another number. */
static bool recording_makes_chains(const struct sample_setup *setup)
{
	const struct sample_plan *plan = &setup->config.plan;
	return plan->chain == SAMPLE_CHAIN_CFI || plan->off_cpu || setup->interpreted.is_wanted ||
	       has_values(setup);
}

struct error *sample_setup_create_file(const struct sample_setup *setup, const char *path,
				       struct recording_file **ret)
{
	size_t num_events = 0;
	const struct perf_data_event *events;
	struct error *err = recorded_events(setup, &events, &num_events);
	return err ? err
		   : recording_file_create(path, events, num_events, recording_makes_chains(setup),
					   ret);
}

struct error *sample_setup_create_recorder(const struct sample_setup *setup,
					   const struct recorder_config *config,
					   struct recorder **ret)
{
	struct recorder_config complete = *config;
	complete.makes_chains = recording_makes_chains(setup);
	struct error *err = recorded_events(setup, &complete.events, &complete.num_events);
	return err ? err : recorder_create(&complete, ret);
}

struct error *sample_setup_renew_builder(struct sample_setup *setup,
					 struct profile_builder **ret_old)
{
	struct profile_builder *old = take_ptr(setup->builder);
	struct error *err = create_builder(setup);
	if (err) {
		profile_builder_destroy(setup->builder);
		setup->builder = old;
		return err;
	}
	*ret_old = old;
	return NULL;
}

struct error *sample_setup_symbolizer(struct sample_setup *setup, struct symbolizer **ret)
{
	free(take_ptr(setup->names));
	struct error *err =
		names_of_source(setup->session->source, &setup->names, &setup->num_names);
	if (err)
		return err;
	struct source *source = setup->session->source;
	const char *sysroot = setup->asked->sysroot;
	if (!sysroot && source->ops->sysroot)
		sysroot = source->ops->sysroot(source);
	const struct symbolizer_config config = {
		.sysroots = sysroot,
		.symbol_path = setup->asked->symbol_path,
		.is_this_kernel = !sample_setup_is_simulated(setup),
		.are_processes_here = !sample_setup_is_simulated(setup),
		.users = profile_builder_users(setup->builder),
		.with_lines = !setup->asked->without_lines,
		.max_file_bytes = setup->asked->max_file_bytes,
		.with_full_names = setup->asked->with_full_names,
		.names = setup->names,
		.num_names = setup->num_names,
	};
	return symbolizer_create(&config, ret);
}
