// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_undo.h"

#include "base/container/array.h"
#include "source/etw/etw_rights.h"

bool etw_undo_add_interval(struct etw_undo *undo, struct etw_interval old)
{
	if (undo->num_intervals == ARRAY_SIZE(undo->intervals))
		return false;
	undo->intervals[undo->num_intervals++] = old;
	return true;
}

/** Keep the first error. */
static void etw_undo_fail(struct error **err, struct error *next)
{
	if (*err)
		error_destroy(next);
	else
		*err = next;
}

// The last change first, so that a source that was changed twice gets what it had at first.
struct error *etw_undo_apply(const struct etw_calls *calls, struct etw_undo *undo)
{
	struct error *err = NULL;
	size_t num_left = 0;
	struct etw_interval left[ETW_UNDO_MAX];
	for (size_t i = undo->num_intervals; i-- > 0;) {
		const struct etw_interval *old = &undo->intervals[i];
		uint32_t code =
			calls->set(calls->context, 0, ETW_CLASS_INTERVAL, old, sizeof(*old));
		if (!code)
			continue;
		left[num_left++] = *old;
		etw_undo_fail(&err, etw_error(code,
					      "cannot restore the sampling interval of source %u "
					      "to %u",
					      old->source, old->interval));
	}
	undo->num_intervals = 0;
	while (num_left > 0)
		undo->intervals[undo->num_intervals++] = left[--num_left];
	if (!undo->num_sampled)
		return err;
	uint32_t code = calls->set(calls->context, 0, ETW_CLASS_SOURCE_CONFIG, undo->sampled,
				   (uint32_t)(undo->num_sampled * sizeof(undo->sampled[0])));
	if (code)
		etw_undo_fail(&err, etw_error(code, "cannot restore the list of sampled sources"));
	else
		undo->num_sampled = 0;
	return err;
}
