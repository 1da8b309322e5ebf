// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_attr.h"

#include "catalog/linux/system_events.h"

// Levels of code (user, kernel, hypervisor) become exclude_ bits, and what is a sensible default
// depends on who counts. Counters of the CPU exclude the kernel unless the plan has it: user code
// is what any user may count. Software events happen in the kernel on behalf of a program, and
// would be 0 without it. PMUs outside of the cores return EINVAL if any bit is set, so they get
// none unless asked.

enum { EVERY_LEVEL = EVENT_USER | EVENT_KERNEL | EVENT_HYPERVISOR };

enum perf_counter perf_attr_counter(const struct perf_event_attr *attr, const struct event *event,
				    const struct perf_cpu_types *cpu_types)
{
	// Samples of probes with values come from a BPF program, by an event that is no probe.
	if (system_event_probe(event) && attr->type != PERF_TYPE_SOFTWARE)
		return PERF_COUNTER_PROBE;
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
	case PERF_TYPE_RAW:
		return PERF_COUNTER_CPU;
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
		return PERF_COUNTER_KERNEL;
	default:
		break;
	}
	// Kinds of cores have PMUs with types of their own (armv8_cortex_a53, cpu_atom): they are
	// CPUs, too.
	for (size_t i = 0; i < cpu_types->num_types; i++)
		if (cpu_types->types[i] == attr->type)
			return PERF_COUNTER_CPU;
	return PERF_COUNTER_OTHER;
}

static void set_event(struct perf_event_attr *attr, const struct event *event,
		      const struct perf_cpu_types *cpu_types)
{
	attr->config = event->code;
	if (event->event_class == EVENT_CORE) {
		// Codes of the CPU's manual.
		attr->type = cpu_types->num_types ? cpu_types->types[0] : PERF_TYPE_RAW;
		return;
	}
	const struct system_event *system_event = system_event_of(event);
	attr->type = system_event->type;
	attr->config1 = system_event->config1;
	attr->config2 = system_event->config2;
}

struct perf_event_attr perf_attr_build(const struct event_request *request,
				       const struct perf_attr_rules *rules)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_GROUP,
		.disabled = 1,
		.inherit = rules->inherit != PERF_INHERIT_NOTHING,
		.inherit_thread = rules->inherit == PERF_INHERIT_THREADS,
	};
	set_event(&attr, request->event, rules->cpu_types);
	enum perf_counter counter = perf_attr_counter(&attr, request->event, rules->cpu_types);
	// For who inherits it, the kernel reads the name of the probe once more, at our address in
	// the memory of the program that starts a thread or process: there it is not, and the
	// program's fork() or pthread_create() would fail (perf_uprobe_init() of the kernel).
	if (counter == PERF_COUNTER_PROBE)
		attr.inherit = attr.inherit_thread = 0;
	unsigned counted = request->modifiers & EVENT_LEVELS;
	// Software events happen in the kernel on behalf of user code: without it most would be 0.
	// Other units refuse any choice, so only what was asked for is handed to them.
	if (counted == EVENT_ANY_LEVEL)
		counted = counter == PERF_COUNTER_CPU && !rules->kernel ? EVENT_USER : EVERY_LEVEL;
	attr.exclude_user = !(counted & EVENT_USER);
	attr.exclude_kernel = !(counted & EVENT_KERNEL);
	bool is_one_level = !(counted & EVENT_USER) || !(counted & EVENT_KERNEL);
	attr.exclude_hv = is_one_level && !(counted & EVENT_HYPERVISOR);
	// Inside and outside of virtual machines: without a choice both.
	bool is_place_chosen = request->modifiers & (EVENT_GUEST | EVENT_HOST);
	attr.exclude_guest = is_place_chosen && !(request->modifiers & EVENT_GUEST);
	attr.exclude_host = is_place_chosen && !(request->modifiers & EVENT_HOST);
	attr.exclude_idle = (request->modifiers & EVENT_NOT_IDLE) != 0;
	attr.precise_ip = request->precise;
	return attr;
}

// The upper half of a generic code is the type of the PMU that shall count it (Linux 5.13).
static uint32_t type_of_pmu(const struct perf_event_attr *attr)
{
	bool is_generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
	return is_generic ? (uint32_t)(attr->config >> PERF_PMU_TYPE_SHIFT) : attr->type;
}

int perf_attr_core_pmu(const struct perf_event_attr *attr, const struct perf_cpu_types *cpu_types)
{
	uint32_t type = type_of_pmu(attr);
	if (cpu_types->num_types < 2 || type == PERF_TYPE_HARDWARE)
		return -1;
	for (size_t i = 0; i < cpu_types->num_types; i++)
		if (cpu_types->types[i] == type)
			return (int)i;
	return -1;
}

// Names and generic codes go to the first PMU that takes them, and a task's event is off on cores
// of the others (perf_event_open(2), "PERF_TYPE_HARDWARE"; perf has one event for each PMU).
bool perf_attr_misses_cores(const struct perf_event_attr *attr,
			    const struct perf_cpu_types *cpu_types)
{
	bool is_generic = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ||
			  attr->type == PERF_TYPE_RAW;
	return is_generic && cpu_types->num_types > 1 && perf_attr_core_pmu(attr, cpu_types) < 0;
}

// What happens only while the kernel runs for a thread: with exclude_kernel these stay 0.
bool perf_attr_is_kernel_only(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		attr->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		attr->config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

bool perf_attr_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}
