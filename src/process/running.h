/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_RUNNING_H
#define WPERF_PROCESS_RUNNING_H

/**
 * What runs already when recording begins, told as the records that it would have left: names of
 * threads and executable mappings, and the kernel's own text. On Windows, where nobody tells us of
 * modules that are loaded later, it is also where these come from.
 */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>
#include <stdint.h>

struct running; /* a walk over processes */

/** @pids: none: all processes. One that ends meanwhile, or is not ours to read, has no records. */
struct error *running_open(const uint32_t *pids, size_t num_pids, struct running **ret);

/** @ret: valid until the next call. @ret_more: false at the end. */
struct error *running_next(struct running *running, struct record *ret, bool *ret_more);

/** Does nobody else tell of what is loaded later? */
extern const bool running_tells_news;

/** The kernel's images as well, where it is made of such: their records come next. Elsewhere its
 * text is told anyway. */
struct error *running_add_kernel(struct running *running);

/** One process more, whose records come next, if it is not among them. */
struct error *running_add(struct running *running, uint32_t pid);

/** After the end: it is over, and its number may be another one's. */
void running_drop(struct running *running, uint32_t pid);

/** After the end: what has come since is next, if it is ours to tell. Costs microseconds for each
 *  process, and a millisecond for the list of all, if it is about all. */
struct error *running_look_again(struct running *running);

/** What a thread is called now; false and "" if it is not there. @size: of @ret, not 0. */
bool running_thread_name(uint32_t pid, uint32_t tid, char *ret, size_t size);

void running_destroy(struct running *running);
static inline void running_destroyp(struct running **running)
{
	running_destroy(*running);
}

#endif
