// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/generic_events.h"

#include "base/container/array.h"

#include <linux/perf_event.h>
#include <strings.h>

// The numbers are those of <linux/perf_event.h>, explained in perf_event_open(2). The config of a
// cache event has three parts: the cache in the lowest byte, the operation in the second, and the
// result in the third. Names and aliases are those of perf, which users know. The descriptions say
// what is the same on all CPUs; what exactly a CPU counts for `cache-misses`, only its maker knows.

#define GENERIC(type_, code_, kind_, name_, alias_, title_, description_, unit_, scale_) \
	{                                                                                \
		.event = {.name = (name_),                                               \
			  .title = (title_),                                             \
			  .description = (description_),                                 \
			  .event_class = EVENT_PERF,                                     \
			  .code = (code_)},                                              \
		.type = (type_), .kind = (kind_), .alias = (alias_), .unit = (unit_),    \
		.scale = (scale_),                                                       \
	}

#define HARDWARE(id, name, alias, title, description)                                         \
	GENERIC(PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, "Hardware event", name, alias, title, \
		description, NULL, 1)

#define CACHE(cache, operation, result, name, title, description)                       \
	GENERIC(PERF_TYPE_HW_CACHE,                                                     \
		PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 | \
			PERF_COUNT_HW_CACHE_RESULT_##result << 16,                      \
		"Hardware cache event", name, NULL, title, description, NULL, 1)

#define SOFTWARE(id, name, alias, title, description)                                         \
	GENERIC(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, "Software event", name, alias, title, \
		description, NULL, 1)

// The kernel counts its clocks in nanoseconds.
#define SOFTWARE_CLOCK(id, name, title, description)                                         \
	GENERIC(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, "Software event", name, NULL, title, \
		description, "msec", 1e-6)

// clang-format off
const struct system_event generic_hardware_events[] = {
	HARDWARE(CPU_CYCLES, "cycles", "cpu-cycles", "CPU cycles",
		 "Cycles of the core's clock while it was not halted; the clock changes its speed."),
	HARDWARE(INSTRUCTIONS, "instructions", NULL, "Instructions retired",
		 "Instructions that were really executed, those of wrongly guessed paths left out."),
	HARDWARE(CACHE_REFERENCES, "cache-references", NULL, "Cache accesses",
		 "Accesses to a cache, on most CPUs the last level one, prefetches often included."),
	HARDWARE(CACHE_MISSES, "cache-misses", NULL, "Cache misses",
		 "Accesses that the cache of cache-references could not serve, mostly answered by memory."),
	HARDWARE(BRANCH_INSTRUCTIONS, "branches", "branch-instructions", "Branches retired",
		 "Jumps, calls, returns and conditional branches that were really executed."),
	HARDWARE(BRANCH_MISSES, "branch-misses", NULL, "Mispredicted branches",
		 "Branches whose direction or target was guessed wrong, so that work had to be thrown away."),
	HARDWARE(BUS_CYCLES, "bus-cycles", NULL, "Bus cycles",
		 "Cycles of the bus that joins core and memory; what that is differs between CPUs."),
	HARDWARE(STALLED_CYCLES_FRONTEND, "stalled-cycles-frontend", "idle-cycles-frontend",
		 "Cycles stalled in the frontend",
		 "Cycles in which no operation was ready to issue: fetching or decoding was behind."),
	HARDWARE(STALLED_CYCLES_BACKEND, "stalled-cycles-backend", "idle-cycles-backend",
		 "Cycles stalled in the backend",
		 "Cycles in which operations were ready but waited for data or for an execution unit."),
	HARDWARE(REF_CPU_CYCLES, "ref-cycles", NULL, "Reference cycles",
		 "Cycles of a clock of constant speed while the core was not halted."),

	CACHE(L1D, READ, ACCESS, "L1-dcache-loads", "L1 data cache loads",
	      "Loads that looked into the first level data cache."),
	CACHE(L1D, READ, MISS, "L1-dcache-load-misses", "L1 data cache load misses",
	      "Loads that did not find their line in the first level data cache."),
	CACHE(L1D, WRITE, ACCESS, "L1-dcache-stores", "L1 data cache stores",
	      "Stores that looked into the first level data cache."),
	CACHE(L1D, WRITE, MISS, "L1-dcache-store-misses", "L1 data cache store misses",
	      "Stores that did not find their line in the first level data cache."),
	CACHE(L1D, PREFETCH, ACCESS, "L1-dcache-prefetches", "L1 data cache prefetches",
	      "Lines asked for in advance, looked up in the first level data cache."),
	CACHE(L1D, PREFETCH, MISS, "L1-dcache-prefetch-misses", "L1 data cache prefetch misses",
	      "Lines asked for in advance that the first level data cache did not have yet."),
	CACHE(L1I, READ, ACCESS, "L1-icache-loads", "L1 instruction cache fetches",
	      "Fetches that looked into the first level instruction cache."),
	CACHE(L1I, READ, MISS, "L1-icache-load-misses", "L1 instruction cache misses",
	      "Fetches that did not find their line in the first level instruction cache."),
	CACHE(L1I, PREFETCH, ACCESS, "L1-icache-prefetches", "L1 instruction cache prefetches",
	      "Code asked for in advance, looked up in the first level instruction cache."),
	CACHE(L1I, PREFETCH, MISS, "L1-icache-prefetch-misses", "L1 instruction cache prefetch misses",
	      "Code asked for in advance that the first level instruction cache did not have yet."),
	CACHE(LL, READ, ACCESS, "LLC-loads", "Last level cache loads",
	      "Loads that came as far as the last cache before memory."),
	CACHE(LL, READ, MISS, "LLC-load-misses", "Last level cache load misses",
	      "Loads that not even the last cache before memory could serve."),
	CACHE(LL, WRITE, ACCESS, "LLC-stores", "Last level cache stores",
	      "Stores that came as far as the last cache before memory."),
	CACHE(LL, WRITE, MISS, "LLC-store-misses", "Last level cache store misses",
	      "Stores whose line was not in the last cache before memory."),
	CACHE(LL, PREFETCH, ACCESS, "LLC-prefetches", "Last level cache prefetches",
	      "Lines asked for in advance, looked up in the last cache before memory."),
	CACHE(LL, PREFETCH, MISS, "LLC-prefetch-misses", "Last level cache prefetch misses",
	      "Lines asked for in advance that had to come from memory."),
	CACHE(DTLB, READ, ACCESS, "dTLB-loads", "Data TLB loads",
	      "Loads whose address was translated through the data TLB."),
	CACHE(DTLB, READ, MISS, "dTLB-load-misses", "Data TLB load misses",
	      "Loads whose page was not in the data TLB, so that the page tables were walked."),
	CACHE(DTLB, WRITE, ACCESS, "dTLB-stores", "Data TLB stores",
	      "Stores whose address was translated through the data TLB."),
	CACHE(DTLB, WRITE, MISS, "dTLB-store-misses", "Data TLB store misses",
	      "Stores whose page was not in the data TLB, so that the page tables were walked."),
	CACHE(DTLB, PREFETCH, ACCESS, "dTLB-prefetches", "Data TLB prefetches",
	      "Prefetches whose address was translated through the data TLB."),
	CACHE(DTLB, PREFETCH, MISS, "dTLB-prefetch-misses", "Data TLB prefetch misses",
	      "Prefetches whose page was not in the data TLB."),
	CACHE(ITLB, READ, ACCESS, "iTLB-loads", "Instruction TLB lookups",
	      "Fetches whose address was translated through the instruction TLB."),
	CACHE(ITLB, READ, MISS, "iTLB-load-misses", "Instruction TLB misses",
	      "Fetches whose page was not in the instruction TLB, so that the page tables were walked."),
	CACHE(BPU, READ, ACCESS, "branch-loads", "Branch predictor lookups",
	      "Branches that the branch predictor was asked about."),
	CACHE(BPU, READ, MISS, "branch-load-misses", "Branch predictor misses",
	      "Branches that the branch predictor did not know or guessed wrong."),
	CACHE(NODE, READ, ACCESS, "node-loads", "Loads from memory of a node",
	      "Loads that memory answered, of this NUMA node or of another one."),
	CACHE(NODE, READ, MISS, "node-load-misses", "Loads from memory of another node",
	      "Loads that memory of another NUMA node had to answer."),
	CACHE(NODE, WRITE, ACCESS, "node-stores", "Stores to memory of a node",
	      "Stores that went to memory, of this NUMA node or of another one."),
	CACHE(NODE, WRITE, MISS, "node-store-misses", "Stores to memory of another node",
	      "Stores that went to memory of another NUMA node."),
	CACHE(NODE, PREFETCH, ACCESS, "node-prefetches", "Prefetches from memory of a node",
	      "Prefetches that memory answered, of this NUMA node or of another one."),
	CACHE(NODE, PREFETCH, MISS, "node-prefetch-misses", "Prefetches from memory of another node",
	      "Prefetches that memory of another NUMA node had to answer."),
};

const struct system_event generic_software_events[] = {
	SOFTWARE_CLOCK(CPU_CLOCK, "cpu-clock", "Time on the CPU by its clock",
		       "Time by a high resolution timer of each CPU; samples without any PMU."),
	SOFTWARE_CLOCK(TASK_CLOCK, "task-clock", "Time on the CPU of the task",
		       "Time that the threads under measurement really spent on a CPU."),
	SOFTWARE(PAGE_FAULTS, "page-faults", "faults", "Page faults",
		 "Accesses to memory that the kernel had to step in for."),
	SOFTWARE(CONTEXT_SWITCHES, "context-switches", "cs", "Context switches",
		 "Times that the kernel took the CPU from one thread and gave it to another."),
	SOFTWARE(CPU_MIGRATIONS, "cpu-migrations", "migrations", "Moves to another CPU",
		 "Times that a thread went on on another CPU than the one it ran on before."),
	SOFTWARE(PAGE_FAULTS_MIN, "minor-faults", NULL, "Page faults without I/O",
		 "Page faults that were answered from memory."),
	SOFTWARE(PAGE_FAULTS_MAJ, "major-faults", NULL, "Page faults with I/O",
		 "Page faults that had to wait for a page from a disk or another device."),
	SOFTWARE(ALIGNMENT_FAULTS, "alignment-faults", NULL, "Alignment faults",
		 "Misaligned accesses that the kernel carried out in place of the CPU; none on x86."),
	SOFTWARE(EMULATION_FAULTS, "emulation-faults", NULL, "Emulated instructions",
		 "Instructions that the kernel carried out because the CPU does not know them."),
	SOFTWARE(CGROUP_SWITCHES, "cgroup-switches", NULL, "Switches to another cgroup",
		 "Context switches between threads of different control groups."),
};
// clang-format on

const size_t num_generic_hardware_events = ARRAY_SIZE(generic_hardware_events);
const size_t num_generic_software_events = ARRAY_SIZE(generic_software_events);

static const struct system_event *generic_events_look_up(const struct system_event *events,
							 size_t num_events, const char *name)
{
	for (size_t i = 0; i < num_events; i++) {
		const struct system_event *event = &events[i];
		if (!strcasecmp(event->event.name, name) ||
		    (event->alias && !strcasecmp(event->alias, name)))
			return event;
	}
	return NULL;
}

const struct system_event *generic_events_find(const char *name)
{
	const struct system_event *event =
		generic_events_look_up(generic_hardware_events, num_generic_hardware_events, name);
	if (event)
		return event;
	return generic_events_look_up(generic_software_events, num_generic_software_events, name);
}
