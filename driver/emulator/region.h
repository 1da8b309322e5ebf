/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_REGION_H
#define WPERF_EMULATOR_REGION_H

/**
 * The memory that wperf and the emulated programs share: wperf writes the config and starts a
 * program, the plugin in each emulator counts and samples into it. Both come from one build, so
 * only a version is compared. Linux only.
 *
 * Counting is exact because each thread has numbers of its own: a block of instructions adds 1 to
 * the count of its vector, which says how often each measure occurs in such a block. Blocks with
 * equal vectors share a count.
 *
 * Samples and what else happened go into a ring of their own file, laid out as the kernel's rings
 * are, with records in perf's layout. The program waits when it is full.
 */

#include "driver/emulator/measure.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	REGION_VERSION = 1,
	REGION_MAX_THREADS = 1024,
	REGION_MAX_VECTORS = 1 << 16,
	REGION_MAX_SAMPLED = 32,
	REGION_MAX_WINDOWS = 32,
	REGION_PATH_SIZE = 4096,
	REGION_NAME_SIZE = 64,
	REGION_PAGE = 4096,
	REGION_MAX_RECORD = 1 << 16, /* bytes; in the ring */
};

enum region_mode { REGION_COUNTS, REGION_SAMPLES };
enum region_chain { REGION_CHAIN_NONE, REGION_CHAIN_FRAMES, REGION_CHAIN_STACK };

struct region_sampled {
	enum measure measure;
	uint64_t id;     /* of its samples */
	uint64_t period; /* the first one, if there is a frequency */
	uint64_t span;   /* cycles between two samples that the period is adapted to; 0: never */
};

/** Written before a program starts. */
struct region_config {
	uint32_t version;
	enum region_mode mode;
	int32_t reader; /* process that reads the ring */

	/** REGION_COUNTS: anything besides block measures? Each costs time. */
	bool counts_branches, counts_memory, counts_model;
	uint32_t num_windows;   /* more than 1: multiplexed */
	uint64_t window_cycles; /* of one window */

	/** REGION_SAMPLES */
	struct region_sampled sampled[REGION_MAX_SAMPLED];
	uint32_t num_sampled;
	enum region_chain chain;
	uint32_t stack_bytes;
	uint64_t ring_bytes; /* a power of two, behind the first page of its file */
	bool holds_still;    /* a thread with a new record waits until it has been taken */

	uint32_t cycles_per_1000; /* instructions */
	struct memory_model_config model;

	/** How other programs are started, when the emulated one becomes them. */
	char emulator[REGION_PATH_SIZE], plugin[REGION_PATH_SIZE], sysroot[REGION_PATH_SIZE];
	char cpu[REGION_NAME_SIZE];
	/** Where this region and the ring can be opened. */
	char region_path[REGION_NAME_SIZE], ring_path[REGION_NAME_SIZE];
};

/** How often each block measure occurs in a block. */
struct region_vector {
	uint16_t counts[NUM_BLOCK_MEASURES];
};

enum region_thread_state {
	REGION_THREAD_FREE,
	REGION_THREAD_RUNS,
	REGION_THREAD_ENDED, /* all that it counted is in totals */
};

struct region_window {
	uint64_t totals[NUM_MEASURES];
};

/** A thread of an emulated program; written by that thread alone, but for the folding at its end.
 */
struct region_thread {
	_Atomic uint32_t state; /* enum region_thread_state */
	int32_t pid, tid;
	uint32_t window;                                  /* the current one */
	uint64_t window_began[NUM_MEASURES];              /* totals when it did */
	struct region_window windows[REGION_MAX_WINDOWS]; /* those before it */

	/** What is not of blocks, and what was folded. Cycles stay 0 here. */
	uint64_t totals[NUM_MEASURES];
	/** By number of the vector; whole pages. */
	_Alignas(REGION_PAGE) uint64_t counts[REGION_MAX_VECTORS];
};

struct region {
	struct region_config config;

	_Atomic uint32_t is_enabled; /* samples are taken */
	_Atomic uint32_t is_closed;  /* nobody reads any more: nothing waits */
	_Atomic uint64_t now_ns;     /* time of the last record: cycles of all threads */
	/** Where threads, and the reader, sleep; they change with each record. */
	_Atomic uint32_t num_written, num_taken;

	/** What could not be done as it should. */
	_Atomic uint64_t num_uncounted_threads; /* more at a time than there is room for */
	_Atomic uint64_t num_foreign_programs;  /* of another architecture: they ran on the host */
	_Atomic uint32_t has_no_registers;      /* this emulator keeps them somewhere else */

	/** Robust and shared between processes. */
	pthread_mutex_t lock;      /* vectors; beginning and end of threads */
	pthread_mutex_t ring_lock; /* writers */

	uint32_t num_vectors;
	uint32_t vector_index[2 * REGION_MAX_VECTORS]; /* hash -> number + 1 */
	struct region_vector vectors[REGION_MAX_VECTORS];

	_Alignas(REGION_PAGE) struct region_thread threads[REGION_MAX_THREADS];
};

/** In zeroed memory. False: this system has no such locks. */
bool region_init(struct region *region);

/** A lock whose holder may have been killed meanwhile. */
void region_lock(pthread_mutex_t *lock);
void region_unlock(pthread_mutex_t *lock);

/** The number of a vector, which is added if it is new; REGION_MAX_VECTORS if there is no room. */
uint32_t region_find_vector(struct region *region, const struct region_vector *vector);

/** The vector of one occurrence of a measure: always there, for blocks that have no own one. */
static inline uint32_t region_unit_vector(enum measure measure)
{
	return (uint32_t)measure;
}

/** What a thread counted so far, all windows together. Under the lock. */
void region_thread_totals(const struct region *region, const struct region_thread *thread,
			  uint64_t totals[static NUM_MEASURES]);

/** The thread's current window ends, and the next one begins. Under the lock. */
void region_thread_next_window(const struct region *region, struct region_thread *thread);

/** A thread has ended, or became another program: its counts go into its totals. Under the lock. */
void region_thread_end(struct region *region, struct region_thread *thread);

/**
 * A free place for a thread, all zero, and running; NULL if there is none. Takes the lock.
 * What ran under the same numbers before has ended: it became another program. When places run
 * out, the numbers of threads that ended are put together: those of one process first, which keep
 * its pid, then those of processes that are no more.
 */
struct region_thread *region_add_thread(struct region *region, int32_t pid, int32_t tid);

/** Sleep until @word is not @value any more, or for @ns; and wake who sleeps there. */
void region_sleep(_Atomic uint32_t *word, uint32_t value, uint32_t ns);
void region_wake(_Atomic uint32_t *word);

/** Cycles by the model. */
uint64_t region_cycles(const struct region *region, uint64_t num_instructions);

#endif
