// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/interrupted_stack.h"

#include "driver/windows/kernel.h"
#include "driver/windows/regs_arm64.h"

// At this level the kernel cannot serve a page fault, so that nothing is read that is not sure to
// be in memory. The stack that code of the kernel runs on stays where it is as long as it is
// interrupted; who walks keeps to it (frames.h). Whether the page is there at all the MMU says: a
// stack ends in a page that is not.
//
// User memory is never read here. Between the MMU's answer and the load another CPU may take the
// page away, which would stop the computer.

bool interrupted_stack_read(uint64_t address, struct driver_frame *ret)
{
	bool is_in_kernel = address >> 63; // TTBR1's half of the addresses
	if (!is_in_kernel || !regs_arm64_is_readable(address) ||
	    !regs_arm64_is_readable(address + sizeof(*ret) - 1))
		return false;
	*ret = *(const struct driver_frame *)address;
	return true;
}
