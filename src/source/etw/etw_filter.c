// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_filter.h"

static void etw_filter_drop_chain(struct record *sample)
{
	sample->sample.chain = NULL;
	sample->sample.chain_length = 0;
}

/** Begin the chain with its part of user code. Without one, only the time is left. */
static void etw_filter_drop_kernel(struct record *sample)
{
	struct record_sample *of = &sample->sample;
	size_t i = 0;
	while (i < of->chain_length && of->chain[i] != RECORD_CONTEXT_USER)
		i++;
	sample->mode = RECORD_MODE_USER;
	if (i + 1 >= of->chain_length) {
		of->ip = 0;
		etw_filter_drop_chain(sample);
		return;
	}
	of->chain += i;
	of->chain_length -= i;
	of->ip = of->chain[1];
}

static bool etw_filter_take_sample(const struct etw_filter *filter, struct record *sample)
{
	if (sample->event >= filter->num_events)
		return false;
	const struct etw_filter_event *event = &filter->events[sample->event];
	bool is_kernel = sample->mode == RECORD_MODE_KERNEL;
	if (!event->is_absences && !(is_kernel ? event->kernel : event->user))
		return false;
	if (event->is_absences && is_kernel && !filter->kernel)
		etw_filter_drop_kernel(sample);
	if (!filter->has_callers)
		etw_filter_drop_chain(sample);
	return true;
}

struct error *etw_filter_take(const struct etw_filter *filter, struct record *record,
			      bool *ret_is_wanted)
{
	struct error *err = etw_targets_take(filter->targets, record, ret_is_wanted);
	if (!err && *ret_is_wanted && record->kind == RECORD_SAMPLE)
		*ret_is_wanted = etw_filter_take_sample(filter, record);
	return err;
}
