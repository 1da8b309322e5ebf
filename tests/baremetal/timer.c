// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/timer.h"

#include "tests/baremetal/sysreg.h"

enum { MS_PER_SECOND = 1000 };
enum { CONTROL_OFF, CONTROL_ON };

static uint64_t length_of_period(const struct timer *timer)
{
	return SYSREG_READ(cntfrq_el0) * timer->period_ms / MS_PER_SECOND;
}

// Due times lie on a grid: how long ticks take makes no difference.
static void handle(void *context, const struct interrupted *interrupted)
{
	struct timer *timer = context;
	SYSREG_WRITE(cntv_cval_el0, SYSREG_READ(cntv_cval_el0) + length_of_period(timer));
	timer->num_ticks++;
	timer->tick(timer->context);
}

void timer_init(struct timer *timer, struct interrupts *interrupts, timer_fn *tick, void *context)
{
	timer->tick = tick;
	timer->context = context;
	timer->period_ms = 0;
	timer->num_ticks = 0;
	SYSREG_WRITE(cntv_ctl_el0, CONTROL_OFF);
	interrupts_enable(interrupts, GIC_VIRTUAL_TIMER, handle, timer);
}

void timer_set_period(struct timer *timer, unsigned period_ms)
{
	if (period_ms == timer->period_ms)
		return;
	SYSREG_WRITE(cntv_ctl_el0, CONTROL_OFF); // else it would come at once with a period of 0
	timer->period_ms = period_ms;
	SYSREG_WRITE(cntv_cval_el0, SYSREG_READ(cntvct_el0) + length_of_period(timer));
	if (period_ms)
		SYSREG_WRITE(cntv_ctl_el0, CONTROL_ON);
}
