// SPDX-License-Identifier: Apache-2.0

#include "profile/scheduler_frame.h"

#include "base/container/array.h"

#include <string.h>

// A sample of waiting is taken inside the scheduler, where every thread waits. What the user looks
// for is who called it. Functions of the scheduler are known by their names, as no table of the
// kernel says which ones belong to it.

// kernel/sched/core.c, kernel/time/sleep_timeout.c and what entry code calls to give up a core.
// Variants have more behind the name: schedule_hrtimeout_range_clock, __schedule.isra.0.
static const char *const names[] = {
	"schedule",
	"__schedule",
	"io_schedule",
	"__cond_resched",
	"preempt_schedule",
	"raw_irqentry_exit_cond_resched",
	"perf_event_task_sched_out",
	"__perf_event_task_sched_out",
	"prepare_task_switch",
};

bool scheduler_frame_is(const struct named_profile *profile, uint32_t frame)
{
	const struct named_function *function =
		&profile->functions[profile->frames[frame].function];
	if (function->kind != FRAME_KERNEL)
		return false;
	const char *name = named_profile_text(profile, function->name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}
