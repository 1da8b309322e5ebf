// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/interrupted_stack.h"

#include "driver/windows/kernel.h"
#include "driver/windows/regs_arm64.h"

static bool interrupted_stack_is_in_kernel(uint64_t address)
{
	return address >> 63;
}

static bool is_on_kernel_stack(uint64_t address)
{
	ULONG_PTR low, high;
	IoGetStackLimits(&low, &high);
	return address >= low && address < high && high - address >= sizeof(struct driver_frame);
}

static bool is_in_one_page(uint64_t address)
{
	return address % PAGE_SIZE <= PAGE_SIZE - sizeof(struct driver_frame);
}

bool interrupted_stack_read(bool also_user, uint64_t address, struct driver_frame *ret)
{
	if (interrupted_stack_is_in_kernel(address)) {
		if (!is_on_kernel_stack(address))
			return false;
		*ret = *(const struct driver_frame *)address;
		return true;
	}
	if (!also_user || !is_in_one_page(address) || !regs_arm64_is_readable_by_user(address))
		return false;
	ret->next = regs_arm64_read_as_user(address);
	ret->lr = regs_arm64_read_as_user(address + sizeof(ret->next));
	return true;
}
