// SPDX-License-Identifier: Apache-2.0

/**
 * python_walks [-q] EVENT HZ SECONDS PID|-a [WALK_PID MEMBER=NUMBER...]...
 *
 * Samples the process and what it starts (or all cores) with the frames of Python, until it ends or
 * the seconds are over, and prints "ready", each sample, and the totals:
 *
 *   sample PID TID CPU TIME IP SP END CODE:INSTRUCTION:STACK:VERSION:FLAGS...
 *
 * A walk's members are those of struct python_walk; EVENT may have an interval: page-faults:1.
 */

#include "base/container/array.h"
#include "base/os/interrupt.h"
#include "base/text/string_builder.h"
#include "catalog/event_spec.h"
#include "catalog/linux/system_events.h"
#include "interpreter/kernel_walks.h"
#include "interpreter/python/kernel/python_walk.h"
#include "source/kernel_walk.h"
#include "source/perf/source_perf.h"
#include "source/source.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *name;
	size_t offset, size;
} members[] = {
#define MEMBER(name)                                               \
	{                                                          \
#name, offsetof(struct python_walk, name),         \
			sizeof(((struct python_walk *)NULL)->name) \
	}
	MEMBER(interpreters),  MEMBER(code_mask),        MEMBER(thread_id_reach),
	MEMBER(tls_slot),      MEMBER(interpreter_next), MEMBER(interpreter_threads),
	MEMBER(thread_next),   MEMBER(thread_id),        MEMBER(thread_native_id),
	MEMBER(thread_active), MEMBER(thread_frame),     MEMBER(cframe_frame),
	MEMBER(thread_cframe), MEMBER(cframe_previous),  MEMBER(frame_size),
	MEMBER(frame_code),    MEMBER(frame_back),       MEMBER(frame_instruction),
	MEMBER(frame_mark),    MEMBER(frame_tlbc),       MEMBER(kind),
	MEMBER(shim_owner),    MEMBER(code_version),     MEMBER(code_head),
#undef MEMBER
};

static void check(struct error *err)
{
	if (!err)
		return;
	fprintf(stderr, "%s\n%s\n", err->message, err->hint ? err->hint : "");
	exit(2);
}

static void set_member(struct python_walk *walk, const char *text)
{
	size_t length = strcspn(text, "=");
	uint64_t number = strtoull(text + length + 1, NULL, 0);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (strlen(members[i].name) == length && !strncmp(members[i].name, text, length))
			memcpy((char *)walk + members[i].offset, &number, members[i].size);
}

/** Numbers are processes, what has a '=' is a member of the walk of the process before. */
static void set_walks(struct source *source, char **words)
{
	while (*words) {
		uint32_t pid = (uint32_t)strtoul(*words++, NULL, 10);
		struct python_walk walk = {0};
		while (*words && strchr(*words, '='))
			set_member(&walk, *words++);
		const struct kernel_walk told = {KERNEL_WALK_PYTHON, &walk, sizeof(walk)};
		check(source->ops->sample->walk(source, pid, &told));
	}
}

#define STACK_POINTER (UINT64_C(1) << 7) // PERF_REG_X86_SP

static void print_sample(const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	size_t place = (size_t)__builtin_popcountll(sample->regs_mask & (STACK_POINTER - 1));
	printf("sample %u %u %u %" PRIu64 " %" PRIx64 " %" PRIx64 " %d", record->pid, record->tid,
	       record->cpu, record->time_ns, sample->ip, sample->regs_abi ? sample->regs[place] : 0,
	       sample->walk_end);
	for (size_t i = 0; i < sample->num_frames; i++) {
		const struct interpreted_frame *frame = &sample->frames[i];
		printf(" %" PRIx64 ":%" PRIx64 ":%" PRIx64 ":%x:%u", frame->code,
		       frame->instruction, frame->stack, frame->version, frame->flags);
	}
	putchar('\n');
}

static void take_round(struct source *source, uint64_t timeout_ns, int fd, bool is_quiet)
{
	check(source->ops->sample->wait(source, timeout_ns, fd));
	for (bool more = true; more;) {
		struct record record;
		check(source->ops->sample->next(source, &record, &more));
		if (more && record.kind == RECORD_SAMPLE && !is_quiet)
			print_sample(&record);
	}
}

static void print_totals(struct source *source)
{
	struct sample_totals totals = source->ops->sample->totals(source);
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	printf("totals generated=%" PRIu64 " lost=%" PRIu64 " python_lost=%" PRIu64
	       " unpaired=%" PRIu64 " late=%" PRIu64 " counted_ns=%" PRIu64 " walk_ns=%" PRIu64,
	       totals.num_generated, totals.num_lost, totals.num_walks_lost,
	       totals.num_walks_unpaired, totals.num_walks_late, totals.num_counted,
	       totals.walks_ns);
	for (size_t i = 0; i < FRAME_WALK_NUM_ENDS; i++)
		printf(" end%zu=%" PRIu64, i, totals.num_walks[i]);
	printf(" cpu_us=%ld\n", usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec +
					usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec);
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool has_ended(int process_fd)
{
	struct pollfd poll_for = {.fd = process_fd, .events = POLLIN};
	return process_fd >= 0 && poll(&poll_for, 1, 0) == 1;
}

static void sample(struct source *source, int process_fd, double seconds, bool is_quiet)
{
	check(source->ops->sample->start(source));
	puts("ready");
	fflush(stdout);
	uint64_t end_ns = now_ns() + (uint64_t)(seconds * 1e9);
	while (now_ns() < end_ns && !interrupt_requested() && !has_ended(process_fd))
		take_round(source, 50000000, process_fd, is_quiet);
	check(source->ops->sample->stop(source));
	take_round(source, 0, -1, is_quiet);
}

int main(int argc, char **argv)
{
	static const struct pmu_counters counters;
	bool is_quiet = argc > 1 && !strcmp(argv[1], "-q");
	argv += is_quiet;
	argc -= is_quiet;
	if (argc < 5)
		return 1;
	bool everything = !strcmp(argv[4], "-a");
	uint32_t pid = everything ? 0 : (uint32_t)atoi(argv[4]);
	int process_fd = everything ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
	struct catalog catalog;
	struct event_list events = {0};
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	catalog_init(&catalog, NULL, &counters);
	catalog.tracing_folder = "/sys/kernel/tracing/events";
	check(system_events_load(&catalog, SYSTEM_EVENTS_SOFTWARE, "", &notes));
	check(event_spec_parse(&catalog, argv[1], EVENT_SPEC_SAMPLE, NULL, &events));
	struct source *source;
	check(source_perf_ops.open(NULL, false, &source));
	check(source->ops->sample->walk_open(source, &kernel_walk_program));
	struct sample_plan plan = {
		.events = &events,
		.frequency_hz = (uint32_t)atoi(argv[2]),
		.kernel = true,
		.chain = SAMPLE_CHAIN_CFI,
		.stack_bytes = 64,
		.pids = &pid,
		.num_pids = !everything,
		.inherit = true,
		.walks_frames = true,
	};
	check(interrupt_install());
	check(source->ops->sample->open(source, &plan));
	set_walks(source, argv + 5);
	sample(source, process_fd, atof(argv[3]), is_quiet);
	print_totals(source);
	source_close(source);
	event_list_deinit(&events);
	catalog_deinit(&catalog);
	return 0;
}
