// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/user_regs.h"

#include "base/container/array.h"

#include <string.h>

// The kernel packs the registers that attr.sample_regs_user asks for: the value of a register is
// at the number of lower bits set in the mask. perf may have asked for more registers than we
// need, so their place is computed from the mask of the file (user_regs_value_of()).

// By the kernel's asm/perf_regs.h of each machine.
static const struct user_regs_layout layouts[] = {
	{.machine = "x86_64", .ip = 8, .sp = 7, .frame = 6, .link = -1},
	{.machine = "aarch64", .ip = 32, .sp = 31, .frame = 29, .link = 30},
};

const struct user_regs_layout *user_regs_layout_find(const char *machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (strcmp(layouts[i].machine, machine) == 0)
			return &layouts[i];
	return NULL;
}

// Negative: the machine has no such register.
static uint64_t user_regs_bit(int number)
{
	return number < 0 ? 0 : UINT64_C(1) << number;
}

uint64_t user_regs_mask(const struct user_regs_layout *layout)
{
	return user_regs_bit(layout->ip) | user_regs_bit(layout->sp) |
	       user_regs_bit(layout->frame) | user_regs_bit(layout->link);
}

static uint64_t user_regs_value_of(const struct record_sample *sample, int number)
{
	uint64_t below = sample->regs_mask & (user_regs_bit(number) - 1);
	// As many values stand before it as registers with lower numbers were asked for.
	return sample->regs[__builtin_popcountll(below)];
}

bool user_regs_of(const struct user_regs_layout *layout, const struct record_sample *sample,
		  struct user_regs *ret)
{
	uint64_t wanted = user_regs_mask(layout);
	// PERF_SAMPLE_REGS_ABI_NONE: a thread of the kernel has no user registers.
	if (sample->regs_abi == 0 || (sample->regs_mask & wanted) != wanted)
		return false;
	*ret = (struct user_regs){
		.ip = user_regs_value_of(sample, layout->ip),
		.sp = user_regs_value_of(sample, layout->sp),
		.frame = user_regs_value_of(sample, layout->frame),
		.link = layout->link < 0 ? 0 : user_regs_value_of(sample, layout->link),
	};
	return true;
}

static void user_regs_store(const struct user_regs_layout *layout, int number, uint64_t value,
			    uint64_t *ret)
{
	if (number >= 0)
		ret[__builtin_popcountll(user_regs_mask(layout) & (user_regs_bit(number) - 1))] =
			value;
}

void user_regs_put(const struct user_regs_layout *layout, const struct user_regs *regs,
		   uint64_t ret[static USER_REGS_MAX])
{
	user_regs_store(layout, layout->ip, regs->ip, ret);
	user_regs_store(layout, layout->sp, regs->sp, ret);
	user_regs_store(layout, layout->frame, regs->frame, ret);
	user_regs_store(layout, layout->link, regs->link, ret);
}
