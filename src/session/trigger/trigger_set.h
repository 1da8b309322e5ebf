/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_TRIGGER_TRIGGER_SET_H
#define WPERF_SESSION_TRIGGER_TRIGGER_SET_H

/**
 * The triggers of a run. Events are counted beside the samples, in the whole target, by a source of
 * their own. Linux only.
 *
 *	trigger_set_create();  before the target starts, which shall not inherit descriptors
 *	trigger_set_watch();   when it is there
 *	loop: trigger_set_poll();
 */

#include "session/session.h"
#include "session/trigger/trigger_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trigger_set;

/** @texts: must live on. None: @ret is a set that never fires. */
struct error *trigger_set_create(const char *const *texts, size_t num_texts,
				 struct trigger_set **ret);
void trigger_set_destroy(struct trigger_set *set);

/** Are there triggers that need a session? */
bool trigger_set_counts(const struct trigger_set *set);

/**
 * @session: open, with a catalogue, for this alone; must outlive the set.
 * @pids: of the target, "12,34"; NULL: the machine. @cores: "0,2-3", or NULL: all.
 */
struct error *trigger_set_watch(struct trigger_set *set, struct session *session, const char *pids,
				const char *cores);

/** @ret: the text of a trigger that fires now; NULL: none does. */
struct error *trigger_set_poll(struct trigger_set *set, uint64_t now_ns, const char **ret);

/** What made the last one fire, a line for the user; "": there is no more to say. Names in it come
 *  from the target, and may hold anything. */
const char *trigger_set_reason(const struct trigger_set *set);

/** Calls that were not timed, or are not known: too many at once, or tail calls of themselves. */
uint64_t trigger_set_num_lost(const struct trigger_set *set);

#endif
