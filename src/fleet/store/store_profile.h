/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_STORE_PROFILE_H
#define WPERF_FLEET_STORE_STORE_PROFILE_H

/**
 * Makes the profile of an answer from what an engine has read, in any order: the same rows give the
 * same profile, to the byte, whichever engine they come from.
 *
 * - Events are sorted by name, unit and model; those that differ in their periods alone are one.
 * - Stacks are sorted by service and frames, samples by time, event and stack; equal ones are one.
 * - Modules of one path are one module, that of the build with the smallest id. Frames in another
 *   build have no address: it would be one of other code. Queries that keep builds join none.
 * - The language is the first by name.
 */

#include "base/container/string_table.h"
#include "fleet/store/store_ops.h"
#include "record/interpreted_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What engines keep of an event; part of the files of stores. */
enum store_event_flag {
	STORE_EVENT_WHOLE = 1,
	STORE_EVENT_WAIT = 2,
	STORE_EVENT_AHEAD = 4,
	STORE_EVENT_EXCLUDES_IDLE = 8,
};

/** What engines keep of a frame; part of the files of stores. */
enum store_frame_flag { STORE_FRAME_INLINED = 1, STORE_FRAME_COMPILED = 2 };

/** What is kept of a sample's thread. */
struct store_traits {
	enum gil_state gil;
	bool is_idle_task; /* of the kernel: pid and tid are 0 */
};

/** With all that names it. Texts are strings of the builder. */
struct store_frame {
	uint32_t name, linkage_name, function_file, file;
	uint32_t module_name, module_path, build_id;
	uint32_t function_line, line;
	uint32_t flags; /* enum store_frame_flag */
	enum frame_kind kind;
	bool has_module;
	uint64_t address;
};

struct store_event {
	uint32_t name, unit, model, flags;
	uint64_t period, frequency;
};

struct store_stack {
	uint32_t service;
	struct store_traits traits;
	size_t first, depth; /* in stack_frames[], outermost first */
};

struct store_sum {
	uint32_t stack, event;
	uint64_t time_ns; /* 0 of queries without steps */
	struct named_total total;
};

struct store_profile {
	struct string_table strings;
	struct store_frame *frames;
	struct store_stack *stacks;
	uint32_t *stack_frames;
	struct store_event *events;
	struct store_sum *sums;
	size_t num_frames, num_stacks, num_stack_frames, num_events, num_sums;
	size_t cap_frames, cap_stacks, cap_stack_frames, cap_events, cap_sums;
	const char *language;      /* of strings; NULL: none */
	uint64_t start_ns, end_ns; /* end 0: without rows */
};

#define STORE_PROFILE_INIT              \
	{                               \
		.start_ns = UINT64_MAX, \
	}

void store_profile_deinit(struct store_profile *work);

struct error *store_profile_string(struct store_profile *work, const void *text, size_t size,
				   uint32_t *ret);
/** @frame: need not be another one than those before. */
struct error *store_profile_frame(struct store_profile *work, const struct store_frame *frame,
				  uint32_t *ret);
/** @frames: outermost first. */
struct error *store_profile_stack(struct store_profile *work, uint32_t service,
				  struct store_traits traits, const uint32_t *frames, size_t depth,
				  uint32_t *ret);
/** @ret: that of an equal one before, but for its period. */
struct error *store_profile_event(struct store_profile *work, const struct store_event *event,
				  uint32_t *ret);
struct error *store_profile_sum(struct store_profile *work, const struct store_sum *sum);
/** A text that nobody may print is none. @string: of the builder. */
void store_profile_language(struct store_profile *work, uint32_t string);
/** The profile begins at @start_ns or before, and ends at @end_ns or later. */
void store_profile_extend(struct store_profile *work, uint64_t start_ns, uint64_t end_ns);

/** @ret: set only on success. */
struct error *store_profile_finish(struct store_profile *work, const struct store_query *query,
				   uint64_t num_lost, struct named_profile *ret);

/** What engines keep of samples and events that are put. */
struct store_traits store_profile_traits(const struct named_profile *profile,
					 const struct named_sample *sample);
uint32_t store_profile_event_flags(const struct named_event *event);

#endif
