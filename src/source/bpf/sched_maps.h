/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_SCHED_MAPS_H
#define WPERF_SOURCE_BPF_SCHED_MAPS_H

/** What the programs at the scheduler in the kernel (sched_probe.bpf.h) and their loader share. */

#include "profile/run_queue/run_queue_buckets.h"

#include <stdint.h>

enum {
	SCHED_MAX_PROCESSES = 4096,
	SCHED_MAX_THREADS = 8192, /* of the target, that live at one time */
	SCHED_MAX_ENDED = 2048,   /* threads that ended since wperf looked */
	SCHED_MAX_RUNNERS = 8192, /* threads that others waited for */
	SCHED_NAME_BYTES = 16,    /* of a thread, as in the kernel */
	SCHED_RUNS_BITS = 9,
	SCHED_RUNS = 1 << SCHED_RUNS_BITS, /* of each core, that are known by who ran */
};

/** Of `sched_processes`, by the process. */
struct sched_process {
	uint32_t awaits_exec; /* waits before its exec do not count */
};

struct sched_task {
	uint32_t pid, tid; /* 0: the CPU was idle */
	char name[SCHED_NAME_BYTES];
};

/** Of `sched_threads`, by the thread; of `sched_ended` once it has ended. */
struct sched_thread {
	struct sched_task task;
	uint64_t since_ns; /* when it became ready to run; 0: it is not, or runs */
	uint64_t num, total_ns;
	uint64_t max_ns, max_at_ns; /* the longest wait, and when it ended */
	uint64_t runner_ns;         /* so long `runner` ran meanwhile */
	struct sched_task runner;   /* who did so longest without a break, on the same CPU */
	uint32_t max_core;
	uint32_t histogram[RUN_QUEUE_BUCKETS];
};

/** Of `sched_runners`, by pid << 32 | tid; UINT64_MAX: who ran is not known any more. */
struct sched_runner {
	uint64_t num; /* waits that were chosen, and had a moment at which this thread ran */
	uint64_t ns;  /* of waits that these stand for */
	char name[SCHED_NAME_BYTES];
};

/** A thread had a CPU. */
struct sched_run {
	uint64_t began_ns, ended_ns;
	struct sched_task task;
};

/** Of `sched_cores`, for each core. */
struct sched_core {
	uint64_t num, total_ns, max_ns;
	uint64_t came_ns;      /* when the thread that runs got the CPU; 0: not known */
	uint64_t carry_ns;     /* of waits, that is part of no sample yet */
	uint64_t owed_ns;      /* what the next sample stands for; 0: there is none */
	uint64_t owed_wait_ns; /* the wait that it is taken at */
	uint32_t owed_tid;
	uint32_t has_carry; /* since the beginning */
	uint32_t newest;    /* of the runs */
	uint32_t padding;
	struct sched_run runs[SCHED_RUNS]; /* a circle */
};

/** Of `sched_settings`. */
struct sched_setting {
	uint32_t is_on;
	uint32_t inherits;  /* children count, too */
	uint32_t is_of_all; /* processes */
	uint32_t padding;
	uint64_t period_ns; /* waits between two samples */
};

/** Of `sched_losses`, for each core. */
enum {
	SCHED_LOST_WAITS,   /* that are in no thread's counts: a map was full */
	SCHED_LOST_RUNNERS, /* chosen waits that are not counted by who ran meanwhile */
	SCHED_LOST_THREADS, /* that ended: their counts found no room */
	SCHED_LOST_SAMPLES, /* a ring was full */
	SCHED_LATE_SAMPLES, /* taken when the thread left its CPU again */
	SCHED_NUM_LOSSES,
};

/** The payload of a sample. */
struct sched_output {
	uint64_t period_ns; /* of waits that it stands for */
	uint64_t waited_ns; /* at this one */
};

#endif
