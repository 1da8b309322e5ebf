// SPDX-License-Identifier: Apache-2.0

#include "driver/core/sampling/frames.h"

// A frame record of AArch64 is two words at the frame pointer x29: the caller's x29 and the return
// address (AAPCS64, "The Frame Pointer"). Records must go upwards, which excludes cycles. Return
// addresses may be signed (FEAT_PAuth): the bits from 48 up are replaced by copies of bit 55, which
// says in which half of memory the address is.
//
// Who interrupts user code can read no memory of the kernel through its x29: each half of memory is
// walked for its own code only.

// In bit 55 is on which side of memory an address is; behind 48 bits there may be its signature.
#define UPPER_HALF   (UINT64_C(1) << 55)
#define ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

// Of a whole record; the reach may go beyond the end of memory.
static bool is_on_stack(const struct driver_interrupted *interrupted, uint64_t address)
{
	const uint64_t size = sizeof(struct driver_frame);
	if (address % sizeof(uint64_t) != 0 || address > UINT64_MAX - size)
		return false;
	if (!interrupted->in_kernel)
		return address != 0 && !(address & UPPER_HALF);
	return address >= interrupted->sp &&
	       address - interrupted->sp <= DRIVER_FRAMES_KERNEL_REACH - size;
}

unsigned driver_frames_walk(const struct driver_registers *registers, unsigned cpu,
			    const struct driver_interrupted *interrupted, unsigned max,
			    uint64_t *ret, bool *ret_cut)
{
	struct driver_frame frame;
	uint64_t fp = interrupted->fp;
	unsigned num = 0;
	if (max == 0 || !registers->ops->read_frame)
		return 0;
	while (is_on_stack(interrupted, fp) &&
	       registers->ops->read_frame(registers->context, cpu, fp, &frame) && frame.lr != 0) {
		if (num == max) {
			*ret_cut = true;
			break;
		}
		ret[num++] =
			frame.lr & UPPER_HALF ? frame.lr | ~ADDRESS_MASK : frame.lr & ADDRESS_MASK;
		if (frame.next <= fp)
			break;
		fp = frame.next;
	}
	return num;
}
