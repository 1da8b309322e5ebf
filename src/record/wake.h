/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_RECORD_WAKE_H
#define WPERF_RECORD_WAKE_H

/** What a sample of the event WAKE_EVENT says besides its stack, which is that of the waker: the
 *  payload of such a sample, in the rings of the kernel and in recordings. */

#include <stdint.h>

/** Its name in reports and in recordings. */
#define WAKE_EVENT "wake"

/** attr.config1 of the event, which is one of BPF_OUTPUT: the kernel does not look at it. */
#define WAKE_EVENT_MARK UINT64_C(0x656b6177)

/** What ended a wait. */
enum wake_cause {
	WAKE_BY_THREAD,    /* the sample's own thread */
	WAKE_BY_TIMER,     /* a time that was up; the sample's thread was only interrupted */
	WAKE_BY_INTERRUPT, /* of a device, or what is done after one; likewise */
	WAKE_NUM_CAUSES,
};

enum { WAKE_NAME_SIZE = 16 };

/** With the four bytes in front, which say how large it is, whole words of eight bytes. */
struct wake {
	uint32_t pid, tid; /* who is woken */
	uint32_t cause;
	char name[WAKE_NAME_SIZE]; /* of the waker, with a 0 at its end */
};

#endif
