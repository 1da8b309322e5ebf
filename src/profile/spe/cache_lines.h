/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_CACHE_LINES_H
#define WPERF_PROFILE_SPE_CACHE_LINES_H

/**
 * Which lines of the data cache sampled loads and stores touched: who, where in the line, from
 * which code. A program touches any number of lines, but this keeps at most CACHE_LINES_MAX: when
 * the places for a line are taken, it gets that of the one with the fewest samples, and goes on
 * counting from these, as it may be that it had been there before. So a line's count is too high by
 * `inherited` at most and never too low, and no line is missing that had more samples than
 * cache_lines_max_missing(). What is known of a line besides, began when it got its place.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CACHE_LINE_BYTES = 64,
	CACHE_LINES_MAX = 1 << 16,
	CACHE_LINE_MAX_ACCESSES = 64, /* kinds of access that a line keeps */
};

enum { CACHE_ACCESS_NONE = UINT32_MAX };

/** Accesses to the same byte of a line by the same thread and instruction. */
struct cache_access {
	uint32_t stack, thread; /* of the profile */
	uint8_t offset;         /* of the first byte; how many there are is not known */
	bool is_write;          /* an atomic operation, too */
	uint32_t next;          /* of the same line, or CACHE_ACCESS_NONE */
	uint64_t count;
	uint64_t num_timed, latency; /* those with a latency, and its sum */
	uint64_t num_shared;         /* those whose data another core's cache had */
};

struct cache_line {
	uint64_t number; /* address / CACHE_LINE_BYTES */
	uint32_t pid;    /* whose address it is; 0: the kernel's */
	uint32_t first;  /* access, or CACHE_ACCESS_NONE */
	uint32_t num_accesses;
	uint64_t count;
	uint64_t inherited;
	uint64_t num_unlisted; /* of the count: kinds of access that had no room */
};

struct cache_lines {
	struct cache_line *lines; /* sets of places; a count of 0: free */
	uint32_t *tags, *counts;  /* of each: what is looked for, near each other in a set */
	struct cache_access *accesses;
	size_t num_accesses, cap_accesses;
	uint32_t free_access;
	uint64_t num_samples;
	uint64_t num_replaced; /* times that a line gave its place to another */
};

#define CACHE_LINES_INIT                         \
	{                                        \
		.free_access = CACHE_ACCESS_NONE \
	}

struct cache_line_sample {
	uint64_t address;
	uint32_t pid, thread, stack;
	bool is_write, is_shared;
	bool has_latency;
	uint32_t latency;
};

struct cache_line_key {
	uint64_t number;
	uint32_t pid;
};

/**
 * What will be added soon; each call comes when the one before it had its time. The second gives
 * the third the place where the line is, or probably will be.
 */
void cache_lines_prefetch_set(const struct cache_lines *lines, struct cache_line_key key);
size_t cache_lines_prefetch_line(const struct cache_lines *lines, struct cache_line_key key);
void cache_lines_prefetch_access(const struct cache_lines *lines, size_t place);

struct error *cache_lines_add(struct cache_lines *lines, const struct cache_line_sample *sample);

/** No line with more samples is missing; 0: none is missing. */
uint64_t cache_lines_max_missing(const struct cache_lines *lines);

void cache_lines_deinit(struct cache_lines *lines);

#endif
