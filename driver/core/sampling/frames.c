// SPDX-License-Identifier: Apache-2.0

#include "driver/core/sampling/frames.h"

// A frame record of AArch64 is two words at the frame pointer x29: the caller's x29 and the return
// address (AAPCS64, "The Frame Pointer"). Records must go upwards, which excludes cycles. Return
// addresses may be signed (FEAT_PAuth): the bits from 48 up are replaced by copies of bit 55, which
// says in which half of memory the address is.

// In bit 55 is on which side of memory an address is; behind 48 bits there may be its signature.
#define UPPER_HALF   (UINT64_C(1) << 55)
#define ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

unsigned driver_frames_walk(const struct driver_registers *registers, unsigned cpu, uint64_t fp,
			    unsigned max, uint64_t *ret, bool *ret_cut)
{
	struct driver_frame frame;
	unsigned num = 0;
	if (max == 0 || !registers->ops->read_frame)
		return 0;
	while (fp != 0 && fp % sizeof(uint64_t) == 0 && fp <= UINT64_MAX - sizeof(frame) &&
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
