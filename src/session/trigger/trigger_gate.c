// SPDX-License-Identifier: Apache-2.0

#include "session/trigger/trigger_gate.h"

#include "base/container/array.h"

enum { NS_PER_S = 1000000000 };

bool trigger_gate_pass(struct trigger_gate *gate, bool is_true, uint64_t now_ns, uint64_t pause_ns)
{
	if (!is_true) {
		gate->has_fired = false;
		return false;
	}
	// Of what becomes true within the pause, the file follows when that is over.
	if (gate->has_fired || (gate->is_used && now_ns - gate->fired_ns < pause_ns))
		return false;
	*gate = (struct trigger_gate){.has_fired = true, .is_used = true, .fired_ns = now_ns};
	return true;
}

// Counts of events that take turns are scaled, and may shrink from one moment to the next.
bool trigger_rate_add(struct trigger_rate *rate, uint64_t time_ns, uint64_t count, double *ret)
{
	const unsigned size = ARRAY_SIZE(rate->counts);
	rate->newest = (rate->newest + 1) % size;
	rate->counts[rate->newest] = (struct trigger_count){time_ns, count};
	rate->num += rate->num < size;
	for (unsigned i = 1; i < rate->num; i++) {
		const struct trigger_count *then = &rate->counts[(rate->newest + size - i) % size];
		if (time_ns - then->time_ns < NS_PER_S)
			continue;
		uint64_t more = count > then->count ? count - then->count : 0;
		*ret = (double)more * NS_PER_S / (double)(time_ns - then->time_ns);
		return true;
	}
	return false;
}
