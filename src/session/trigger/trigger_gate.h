/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_TRIGGER_TRIGGER_GATE_H
#define WPERF_SESSION_TRIGGER_TRIGGER_GATE_H

/** When a condition that is checked again and again fires: once when it becomes true, and not again
 *  before it was false, nor before a pause is over. */

#include <stdbool.h>
#include <stdint.h>

struct trigger_gate {
	bool has_fired; /* since the condition became true */
	bool is_used;
	uint64_t fired_ns;
};

/** Does it fire now? */
bool trigger_gate_pass(struct trigger_gate *gate, bool is_true, uint64_t now_ns, uint64_t pause_ns);

/** A count that grows, as a rate over the last second. */
struct trigger_rate {
	struct trigger_count {
		uint64_t time_ns, count;
	} counts[16]; /* a circle, the newest at `newest` */
	unsigned newest, num;
};

/** Between two counts: a second has ten, so that the circle is long enough. */
#define TRIGGER_RATE_STEP_NS UINT64_C(100000000)

/** @ret: a second. False: there is no count from a second ago yet. */
bool trigger_rate_add(struct trigger_rate *rate, uint64_t time_ns, uint64_t count, double *ret);

#endif
