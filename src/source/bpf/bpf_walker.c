// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_walker.h"

#include "base/container/array.h"
#include "base/os/privileges.h"
#include "source/bpf/bpf_namespace.h"
#include "source/bpf/bpf_walker_parts.h"
#include "source/bpf/call_maps.h"
#include "source/bpf/sched_maps.h"
#include "source/bpf/value_maps.h"
#include "source/bpf/wake_maps.h"
#include "source/bpf/walk_record.h"
#include "source/bpf/walker_maps.h"
#include "source/kernel_walk.h"
#include "source/perf/perf_file.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

// The program is compiled at build time and embedded (kernel_walks.c); libbpf is loaded at run time
// and relocates the program to the structures of this kernel (CO-RE, with /sys/kernel/btf/vmlinux).
// bpf_walker_create() loads it, first with the variant that can repeat a walk
// (bpf_task_work_schedule_resume(), Linux 6.18), then without. Programs at tracepoints follow fork,
// exec and exit, so that the tables of processes are right before wperf has read any record.
//
// bpf_walker_join_ring() opens an output event for a core and redirects it into the ring of the
// core's samples; bpf_walker_attach() sets the program on each sampled event
// (PERF_EVENT_IOC_SET_BPF). bpf_walker_set_walk() stores what the interpreter's walk has to know of
// a process. Each store has a new generation, by which the program's cached threads of earlier
// interpreters become invalid.

/** Programs are loaded in sets: that of the site, and of what the kernel can do. */
enum {
	SET_EARLY = 1 << 0,
	SET_LATE = 1 << 1,
	SET_ALLOCATIONS = 1 << 2,
	SET_CALLS = 1 << 3,
	SET_WAKES = 1 << 4,
	SET_SWITCHES = 1 << 5,
	SET_VALUES = 1 << 6,
	SET_VALUES_LATE = 1 << 7,
	ALL_SETS = (1 << 8) - 1,
};

static const struct {
	const char *name;
	unsigned sets;
	bool is_attached; // at once, to the tracepoint that its section names
} walker_programs[] = {
	{"at_event", SET_EARLY, false},
	{"at_tracepoint", SET_EARLY, false},
	{"at_event_late", SET_LATE, false},
	{"at_tracepoint_late", SET_LATE, false},
	{"at_probe", SET_EARLY | SET_LATE | SET_VALUES | SET_VALUES_LATE, false},
	{"fetch_values", SET_LATE | SET_VALUES_LATE, false},
	{"at_allocation", SET_ALLOCATIONS, false},
	{"at_allocation_return", SET_ALLOCATIONS, false},
	{"at_free", SET_ALLOCATIONS, false},
	{"follow_fork", ALL_SETS, true},
	{"follow_exec", ALL_SETS, true},
	{"follow_exit", ALL_SETS, true},
	{"follow_allocator_exec", SET_ALLOCATIONS, true},
	{"call_fork", SET_CALLS, true},
	{"call_exec", SET_CALLS, true},
	{"call_end", SET_CALLS, true},
	{"call_switch", SET_CALLS, true},
	{"call_wake", SET_CALLS, true},
	{"call_exit", SET_CALLS, true},
	{"call_enter", SET_CALLS, true},
	{"wake_fork", SET_WAKES, true},
	{"wake_end", SET_WAKES, true},
	{"wake_begin_timer", SET_WAKES, true},
	{"wake_end_timer", SET_WAKES, true},
	{"wake_begin_coarse_timer", SET_WAKES, true},
	{"wake_end_coarse_timer", SET_WAKES, true},
	{"wake_begin_interrupt", SET_WAKES, true},
	{"wake_end_interrupt", SET_WAKES, true},
	{"wake_ask_for_soft", SET_WAKES, true},
	{"wake_begin_soft", SET_WAKES, true},
	{"wake_end_soft", SET_WAKES, true},
	{"wake_waking", SET_WAKES, true},
	{"sched_fork", SET_SWITCHES, true},
	{"sched_exec", SET_SWITCHES, true},
	{"sched_end", SET_SWITCHES, true},
	{"sched_change", SET_SWITCHES, true},
	{"sched_wake", SET_SWITCHES, true},
	{"sched_wake_new", SET_SWITCHES, true},
	{"sched_arrive", SET_SWITCHES, false},
	{"sched_arrive_probe", SET_SWITCHES, false},
};

// Maps that are large where they are used, and have room for one item elsewhere.
static const struct {
	const char *name;
	unsigned sets; // that use it
	uint32_t num_items;
} large_maps[] = {
	{"call_threads", SET_CALLS, CALL_MAX_THREADS},
	{"calls", SET_CALLS, CALL_MAX_COUNTS},
	{"call_rates", SET_CALLS, CALL_NUMBERS},
	{"wake_processes", SET_WAKES, WAKE_MAX_PROCESSES},
	{"sched_threads", SET_SWITCHES, SCHED_MAX_THREADS},
	{"sched_ended", SET_SWITCHES, SCHED_MAX_ENDED},
	{"sched_runners", SET_SWITCHES, SCHED_MAX_RUNNERS},
	{"sched_processes", SET_SWITCHES, SCHED_MAX_PROCESSES},
	{"value_sums", SET_VALUES | SET_VALUES_LATE, VALUE_MAX_PROBES *PROBE_MAX_VALUES},
	{"value_strings", SET_VALUES | SET_VALUES_LATE, VALUE_MAX_STRINGS},
};

enum {
	SETS_AT_PROBES = SET_EARLY | SET_LATE | SET_VALUES | SET_VALUES_LATE,
};

// Maps that only programs of some sets use.
static const struct {
	const char *name;
	unsigned sets;
} maps_of_sets[] = {
	{"allocation_settings", SET_ALLOCATIONS},
	{"countdowns", SET_ALLOCATIONS},
	{"allocators", SET_ALLOCATIONS},
	{"allocation_rings", SET_ALLOCATIONS},
	{"freed_rings", SET_ALLOCATIONS},
	{"blocks", SET_ALLOCATIONS},
	{"returning_calls", SET_ALLOCATIONS},
	{"drawn_bytes", SET_ALLOCATIONS},
	{"call_settings", SET_CALLS},
	{"call_processes", SET_CALLS},
	{"call_threads", SET_CALLS},
	{"calls", SET_CALLS},
	{"call_rates", SET_CALLS},
	{"call_losses", SET_CALLS},
	{"call_rings", SET_CALLS},
	{"wake_settings", SET_WAKES},
	{"wake_processes", SET_WAKES},
	{"wake_cores", SET_WAKES},
	{"wake_rings", SET_WAKES},
	{"wake_bare_rings", SET_WAKES},
	{"sched_settings", SET_SWITCHES},
	{"sched_processes", SET_SWITCHES},
	{"sched_threads", SET_SWITCHES},
	{"sched_ended", SET_SWITCHES},
	{"sched_runners", SET_SWITCHES},
	{"sched_cores", SET_SWITCHES},
	{"sched_losses", SET_SWITCHES},
	{"sched_rings", SET_SWITCHES},
	{"value_probes", SETS_AT_PROBES},
	{"value_cores", SETS_AT_PROBES},
	{"value_passages", SETS_AT_PROBES},
	{"value_sums", SETS_AT_PROBES},
	{"value_strings", SETS_AT_PROBES},
	{"value_losses", SETS_AT_PROBES},
	{"value_rings", SETS_AT_PROBES},
	{"lates", SET_LATE},
	{"late_threads", SET_LATE},
};

static const char *const maps_of_cores[] = {
	"rings",      "scratches",       "allocation_rings", "freed_rings", "call_rings",
	"wake_rings", "wake_bare_rings", "sched_rings",      "value_rings",
};

// An object file of BPF, made by bpf_program.cmake.
static const uint8_t allocations_bytes[] __attribute__((aligned(8))) = {
#include "allocations.bpf.o.inc"
};

const struct kernel_walk_program bpf_walker_without_frames = {allocations_bytes,
							      sizeof(allocations_bytes)};

struct bpf_walker {
	struct bpf_library library;
	struct bpf_object *object;
	struct bpf_link *links[ARRAY_SIZE(walker_programs)];
	int at_event, at_tracepoint, at_probe;                 /* programs */
	int processes, rings, counters, lates, copies, wishes; /* maps */
	struct walker_late *late;                              /* one of the last, as it was read */
	enum bpf_walker_site site;
	bool is_late; /* the kernel can walk once more */
	int *probes;  /* links of the program to probes */
	size_t num_probes, cap_probes;
	int *outputs; /* an event for each core that has a ring */
	size_t num_outputs;
	uint32_t num_cores; /* that there can be */
	uint32_t generation;
};

static struct error *bpf_walker_refuse(int errnum)
{
	if (errnum == EPERM || errnum == EACCES)
		return error_with_command(
			error_with_hint(error_create(ERROR_FAILED, "you may not load BPF programs"),
					"run wperf as root, or give it CAP_BPF and CAP_PERFMON "
					"(" PRIVILEGES_HINT ")"),
			PRIVILEGES_COMMAND);
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "the kernel has no type information in /sys/kernel/btf"),
			"use a kernel built with CONFIG_DEBUG_INFO_BTF");
	return error_with_hint(error_create_errno(errnum, "the kernel rejects the BPF program"),
			       "this needs Linux 5.17 or later");
}

const struct bpf_library *bpf_walker_library(const struct bpf_walker *walker)
{
	return &walker->library;
}

uint32_t bpf_walker_num_cores(const struct bpf_walker *walker)
{
	return walker->num_cores;
}

struct bpf_program *bpf_walker_find_program(const struct bpf_walker *walker, const char *name)
{
	return walker->library.bpf_object__find_program_by_name(walker->object, name);
}

bool bpf_walker_is_at_events(const struct bpf_walker *walker)
{
	return walker->site == BPF_WALKER_AT_EVENTS ||
	       walker->site == BPF_WALKER_AT_EVENTS_AND_WAKES;
}

static unsigned walker_sets(const struct bpf_walker *walker)
{
	static const unsigned sets[] = {
		[BPF_WALKER_AT_ALLOCATIONS] = SET_ALLOCATIONS,
		[BPF_WALKER_AT_CALLS] = SET_CALLS,
		[BPF_WALKER_AT_WAKES] = SET_WAKES,
		[BPF_WALKER_AT_EVENTS_AND_WAKES] = SET_WAKES,
		[BPF_WALKER_AT_SWITCHES] = SET_SWITCHES,
	};
	if (walker->site == BPF_WALKER_AT_VALUES)
		return walker->is_late ? SET_VALUES_LATE : SET_VALUES;
	unsigned at_events = walker->is_late ? SET_LATE : SET_EARLY;
	return sets[walker->site] | (bpf_walker_is_at_events(walker) ? at_events : 0);
}

/** Only those of the site are wanted. */
static int choose_programs(struct bpf_walker *walker)
{
	int status = 0;
	for (size_t i = 0; !status && i < ARRAY_SIZE(walker_programs); i++) {
		struct bpf_program *program =
			bpf_walker_find_program(walker, walker_programs[i].name);
		bool is_wanted = walker_programs[i].sets & walker_sets(walker);
		if (program)
			status = walker->library.bpf_program__set_autoload(program, is_wanted);
	}
	return status;
}

static int size_large_maps(struct bpf_walker *walker)
{
	const struct bpf_library *library = &walker->library;
	int status = 0;
	for (size_t i = 0; !status && i < ARRAY_SIZE(large_maps); i++) {
		if (!(large_maps[i].sets & walker_sets(walker)))
			continue;
		struct bpf_map *map =
			library->bpf_object__find_map_by_name(walker->object, large_maps[i].name);
		status = map ? library->bpf_map__set_max_entries(map, large_maps[i].num_items)
			     : -ENOENT;
	}
	return status;
}

/** Each map is a file descriptor, and memory: those of other sites are not made. */
static int leave_out_maps(struct bpf_walker *walker)
{
	const struct bpf_library *library = &walker->library;
	int status = 0;
	for (size_t i = 0; !status && i < ARRAY_SIZE(maps_of_sets); i++) {
		struct bpf_map *map =
			library->bpf_object__find_map_by_name(walker->object, maps_of_sets[i].name);
		if (map && !(maps_of_sets[i].sets & walker_sets(walker)))
			status = library->bpf_map__set_autocreate(map, false);
	}
	return status;
}

/** One item for each core. */
static int size_by_cores(struct bpf_walker *walker)
{
	const struct bpf_library *library = &walker->library;
	int status = 0;
	for (size_t i = 0; !status && i < ARRAY_SIZE(maps_of_cores); i++) {
		struct bpf_map *map =
			library->bpf_object__find_map_by_name(walker->object, maps_of_cores[i]);
		if (map)
			status = library->bpf_map__set_max_entries(map, walker->num_cores);
	}
	return status;
}

/** 0, or the errno. */
static int load_programs(struct bpf_walker *walker, const struct kernel_walk_program *program,
			 bool is_late)
{
	const struct bpf_library *library = &walker->library;
	errno = 0;
	walker->object = library->bpf_object__open_mem(program->bytes, program->num_bytes, NULL);
	if (!walker->object)
		return errno;
	// Possible ones: a core that comes online later has its place in the maps.
	int num_cores = library->libbpf_num_possible_cpus();
	if (num_cores < 0)
		return -num_cores;
	walker->num_cores = (uint32_t)num_cores;
	walker->is_late = is_late;
	int status = choose_programs(walker);
	if (!status)
		status = leave_out_maps(walker);
	if (!status)
		status = size_by_cores(walker);
	if (!status)
		status = size_large_maps(walker);
	if (!status)
		status = library->bpf_object__load(walker->object);
	return -status;
}

/** Kernels before 6.18 cannot walk once more. */
static struct error *bpf_walker_load(struct bpf_walker *walker,
				     const struct kernel_walk_program *program)
{
	if (!bpf_walker_is_at_events(walker) && walker->site != BPF_WALKER_AT_VALUES) {
		int status = load_programs(walker, program, false);
		return status ? bpf_walker_refuse(status) : NULL;
	}
	int errnum = load_programs(walker, program, true);
	// EPERM is about rights: the other variant would be refused as well.
	if (errnum && errnum != EPERM) {
		walker->library.bpf_object__close(walker->object);
		errnum = load_programs(walker, program, false);
	}
	return errnum ? bpf_walker_refuse(errnum) : NULL;
}

int bpf_walker_find_map(const struct bpf_walker *walker, const char *name)
{
	const struct bpf_library *library = &walker->library;
	return library->bpf_map__fd(library->bpf_object__find_map_by_name(walker->object, name));
}

static struct error *find_parts(struct bpf_walker *walker)
{
	const struct bpf_library *library = &walker->library;
	walker->processes = bpf_walker_find_map(walker, "processes");
	walker->rings = bpf_walker_find_map(walker, "rings");
	walker->counters = bpf_walker_find_map(walker, "counters");
	walker->lates = bpf_walker_find_map(walker, "lates");
	walker->copies = bpf_walker_find_map(walker, "copies");
	walker->wishes = bpf_walker_find_map(walker, "wishes");
	walker->at_event = library->bpf_program__fd(
		bpf_walker_find_program(walker, walker->is_late ? "at_event_late" : "at_event"));
	walker->at_tracepoint = library->bpf_program__fd(bpf_walker_find_program(
		walker, walker->is_late ? "at_tracepoint_late" : "at_tracepoint"));
	walker->at_probe = library->bpf_program__fd(bpf_walker_find_program(walker, "at_probe"));
	walker->late = calloc(1, sizeof(*walker->late));
	if (!walker->late)
		return &error_no_memory;
	walker->outputs = calloc(walker->num_cores, sizeof(*walker->outputs));
	return walker->outputs ? NULL : &error_no_memory;
}

static struct error *attach_programs(struct bpf_walker *walker)
{
	for (size_t i = 0; i < ARRAY_SIZE(walker_programs); i++) {
		if (!walker_programs[i].is_attached ||
		    !(walker_programs[i].sets & walker_sets(walker)))
			continue;
		errno = 0;
		walker->links[i] = walker->library.bpf_program__attach(
			bpf_walker_find_program(walker, walker_programs[i].name));
		if (!walker->links[i])
			return bpf_walker_refuse(errno);
	}
	return NULL;
}

struct error *bpf_walker_create(const struct kernel_walk_program *program,
				enum bpf_walker_site site, struct bpf_walker **ret)
{
	struct error *err = bpf_namespace_check();
	if (err)
		return err;
	_cleanup_(bpf_walker_destroyp) struct bpf_walker *walker = calloc(1, sizeof(*walker));
	if (!walker)
		return &error_no_memory;
	walker->site = site;
	err = bpf_library_load(&walker->library);
	if (!err)
		err = bpf_walker_load(walker, program);
	if (!err)
		err = find_parts(walker);
	if (!err)
		err = attach_programs(walker);
	if (err)
		return err;
	*ret = take_ptr(walker);
	return NULL;
}

void bpf_walker_destroy(struct bpf_walker *walker)
{
	if (!walker)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(walker->links); i++)
		if (walker->links[i])
			walker->library.bpf_link__destroy(walker->links[i]);
	if (walker->object)
		walker->library.bpf_object__close(walker->object);
	perf_file_close_all(walker->probes, walker->num_probes);
	free(walker->probes);
	perf_file_close_all(walker->outputs, walker->num_outputs);
	free(walker->outputs);
	free(walker->late);
	bpf_library_unload(&walker->library);
	free(walker);
}

static int bpf_walker_open_output(int core, uint64_t sample_type)
{
	// Those of a record's end must be the same as for all others in the ring.
	uint64_t shared =
		PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_period = 1,
		.sample_type = (sample_type & shared) | PERF_SAMPLE_RAW,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	return perf_file_open(&attr, -1, core, -1);
}

bool bpf_walker_fetches_memory(const struct bpf_walker *walker)
{
	return walker->is_late;
}

struct error *bpf_walker_join_ring(struct bpf_walker *walker, int core, int ring_fd,
				   uint64_t sample_type, uint64_t *ret_id)
{
	if (core < 0 || (uint32_t)core >= walker->num_cores ||
	    walker->num_outputs >= walker->num_cores)
		return error_create(ERROR_FAILED, "the BPF program has no buffer for core %d",
				    core);
	int fd = bpf_walker_open_output(core, sample_type);
	if (fd < 0)
		return bpf_walker_refuse(-fd);
	walker->outputs[walker->num_outputs++] = fd;
	uint32_t key = (uint32_t)core;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) || ioctl(fd, PERF_EVENT_IOC_ID, ret_id) ||
	    walker->library.bpf_map_update_elem(walker->rings, &key, &fd, BPF_ANY))
		return error_create_errno(
			errno, "cannot write Python stacks to the buffer of core %d", core);
	return NULL;
}

/** By a link, as only that has a cookie (Linux 5.15). */
static struct error *attach_to_probe(struct bpf_walker *walker,
				     const struct bpf_walker_event *event)
{
	const struct bpf_link_create_opts options = {
		.sz = sizeof(options),
		.perf_event.bpf_cookie = walker_probe_cookie(event->core, event->thread),
	};
	struct error *err =
		array_reserve(&walker->probes, &walker->cap_probes, walker->num_probes + 1);
	if (err)
		return err;
	int link = walker->library.bpf_link_create(walker->at_probe, event->fd, BPF_PERF_EVENT,
						   &options);
	if (link < 0)
		return error_create_errno(errno, "cannot attach the BPF program to a probe");
	walker->probes[walker->num_probes++] = link;
	return NULL;
}

struct error *bpf_walker_attach(struct bpf_walker *walker, const struct bpf_walker_event *event)
{
	bool is_tracepoint = event->kind == BPF_WALKER_TRACEPOINT;
	if (is_tracepoint && !event->is_first)
		return NULL;
	if (event->kind == BPF_WALKER_PROBE)
		return attach_to_probe(walker, event);
	int program = is_tracepoint ? walker->at_tracepoint : walker->at_event;
	if (ioctl(event->fd, PERF_EVENT_IOC_SET_BPF, program) == 0 ||
	    (is_tracepoint && errno == EEXIST))
		return NULL; // two events may be of one tracepoint: only one of them has frames
	return error_create_errno(errno, "cannot attach the BPF program to an event");
}

struct error *bpf_walker_set_stack_bytes(struct bpf_walker *walker, uint32_t most)
{
	const uint32_t first = 0;
	const struct walker_wish wish = {.stack_bytes = most};
	if (!walker->library.bpf_map_update_elem(walker->wishes, &first, &wish, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot have the BPF program copy stacks");
}

bool bpf_walker_copies_stacks(const struct bpf_walker *walker, enum bpf_walker_kind kind)
{
	return bpf_walker_is_at_events(walker) && kind == BPF_WALKER_EVENT;
}

static struct error *forget_walk(struct bpf_walker *walker, uint32_t pid)
{
	if (!walker->library.bpf_map_delete_elem(walker->processes, &pid) || errno == ENOENT)
		return NULL;
	return error_create_errno(errno, "cannot remove process %u from the BPF program", pid);
}

struct error *bpf_walker_set_walk(struct bpf_walker *walker, uint32_t pid,
				  const struct kernel_walk *walk)
{
	if (!walk)
		return forget_walk(walker, pid);
	struct walker_process process = {.generation = ++walker->generation, .walk = walk->number};
	if (walk->layout_bytes > sizeof(process.layout))
		return error_create(ERROR_FAILED, "the BPF program has no room for process %u",
				    pid);
	memcpy(process.layout, walk->layout, walk->layout_bytes);
	if (!walker->library.bpf_map_update_elem(walker->processes, &pid, &process, BPF_ANY))
		return NULL;
	return error_create_errno(errno, "cannot add process %u to the BPF program", pid);
}

bool bpf_walker_take_late(const struct bpf_walker *walker, struct walk_record *walk)
{
	struct walker_late *late = walker->late;
	if (walker->library.bpf_map_lookup_elem(walker->lates, &walk->late_slot, late))
		return false;
	if (late->number != walk->late_number)
		return false; // another one has come since
	if (late->done != walk->late_number || late->begun != walk->late_number)
		return true;
	walk_record_replace(walk, &late->scratch.output, late->scratch.frames);
	return false;
}

bool bpf_walker_find_copy(const struct bpf_walker *walker, const struct object_copy_key *key,
			  struct object_copy *ret)
{
	return !walker->library.bpf_map_lookup_elem(walker->copies, key, ret);
}

static uint64_t sum_of_cores(const struct bpf_walker *walker, uint32_t counter)
{
	_cleanup_free_ uint64_t *counts = calloc(walker->num_cores, sizeof(*counts));
	if (!counts || walker->library.bpf_map_lookup_elem(walker->counters, &counter, counts))
		return 0;
	uint64_t sum = 0;
	for (uint32_t core = 0; core < walker->num_cores; core++)
		sum += counts[core];
	return sum;
}

uint64_t bpf_walker_num_lost(const struct bpf_walker *walker)
{
	return sum_of_cores(walker, WALKER_COUNTER_NO_ROOM);
}

uint64_t bpf_walker_time_ns(const struct bpf_walker *walker)
{
	return sum_of_cores(walker, WALKER_COUNTER_NS);
}
