// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/interrupted_stack.h"

#include "driver/windows/kernel.h"
#include "driver/windows/regs_arm64.h"

// At this level the kernel cannot serve a page fault. So nothing is read that is not sure to be in
// memory: within the limits of the current kernel stack, which is never paged out while its thread
// runs, or a page of the user's that the MMU says it can read (AT S1E0R, regs_arm64.c).

bool interrupted_stack_read(bool also_user, uint64_t address, struct driver_frame *ret)
{
	bool is_in_kernel = address >> 63; // TTBR1's half of the addresses
	if (is_in_kernel) {
		ULONG_PTR low, high;
		IoGetStackLimits(&low, &high);
		if (address < low || address >= high || high - address < sizeof(*ret))
			return false;
		*ret = *(const struct driver_frame *)address;
		return true;
	}
	// The MMU's answer is about one page: the frame must not reach into the next.
	bool is_in_one_page = address % PAGE_SIZE <= PAGE_SIZE - sizeof(*ret);
	if (!also_user || !is_in_one_page || !regs_arm64_is_readable_by_user(address))
		return false;
	ret->next = regs_arm64_read_as_user(address);
	ret->lr = regs_arm64_read_as_user(address + sizeof(ret->next));
	return true;
}
