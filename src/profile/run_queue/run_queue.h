/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_RUN_QUEUE_H
#define WPERF_PROFILE_RUN_QUEUE_H

/**
 * How long threads were ready to run before they ran: exact sums of all waits by thread and by CPU,
 * and who ran meanwhile. Threads that end are kept by themselves while they are few; of later ones,
 * those with the same name are one row.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "profile/run_queue/run_queue_buckets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUN_QUEUE_NAME_BYTES = 16 };

struct run_queue_task {
	uint32_t pid, tid; /* both 0: the CPU was idle */
	char name[RUN_QUEUE_NAME_BYTES];
};

struct run_queue_thread {
	struct run_queue_task task; /* of several threads: their name, and no numbers */
	uint32_t num_threads;
	uint32_t max_core;
	uint64_t num, total_ns;
	uint64_t max_ns, max_at_ns;   /* the longest wait; when it ended, on the records' clock */
	struct run_queue_task runner; /* who ran longest on that CPU while it lasted */
	uint64_t runner_ns;           /* ... so long, without a break */
	uint64_t histogram[RUN_QUEUE_BUCKETS];
};

struct run_queue_core {
	uint32_t core;
	uint64_t num, total_ns, max_ns;
};

/** A thread that had the CPU while others waited for it, by samples of waits. */
struct run_queue_runner {
	struct run_queue_task task; /* both numbers UINT32_MAX: it is not known who that was */
	uint64_t num;               /* samples */
	uint64_t ns;                /* of waits that they stand for */
};

/** What is in no sum, as there was no room in the kernel. */
struct run_queue_losses {
	uint64_t waits, threads;
	uint64_t runners; /* samples, of who ran */
};

struct run_queue {
	bool is_known;                    /* false: waits were not measured */
	uint64_t began_ns, ended_ns;      /* on the records' clock */
	struct run_queue_thread *threads; /* the longest sum first, once it is sorted */
	size_t num_threads, cap_threads, num_merged;
	struct run_queue_core *cores;
	size_t num_cores, cap_cores;
	struct run_queue_runner *runners; /* likewise */
	size_t num_runners, cap_runners;
	uint64_t num_late; /* samples that were taken when the thread left its CPU again */
	struct run_queue_losses losses;
};

#define RUN_QUEUE_INIT \
	{              \
	}

void run_queue_deinit(struct run_queue *queue);

struct error *run_queue_add_thread(struct run_queue *queue, const struct run_queue_thread *thread);
/** Of one that has ended: a run may have any number of them. */
struct error *run_queue_add_ended(struct run_queue *queue, const struct run_queue_thread *thread);
struct error *run_queue_add_core(struct run_queue *queue, const struct run_queue_core *core);
struct error *run_queue_add_runner(struct run_queue *queue, const struct run_queue_runner *runner);

void run_queue_sort(struct run_queue *queue);

/** All threads as one. */
void run_queue_sum(const struct run_queue *queue, struct run_queue_thread *ret);

/** The wait that so many percent of all do not exceed, to the middle of its bucket; 0: none. */
uint64_t run_queue_percentile(const struct run_queue_thread *thread, double percent);

/** Waits of at least 2^@bit and less than 2^(@bit + 1) ns; those of the first and the last bit of
 *  run_queue_buckets.h have all shorter and all longer ones. */
uint64_t run_queue_doubling(const struct run_queue_thread *thread, uint32_t bit);

/** As bytes of a recording; none if nothing is known. */
void run_queue_encode(const struct run_queue *queue, struct string_builder *ret);

/** @bytes: of a file, with what run_queue_encode() wrote, or damaged: then @ret stays empty.
 *  @ret: empty. */
struct error *run_queue_decode(const uint8_t *bytes, size_t size, struct run_queue *ret);

#endif
