/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_WAKE_MAPS_H
#define WPERF_SOURCE_BPF_WAKE_MAPS_H

/** What the programs at wake-ups in the kernel (wake_probe.bpf.h) and their loader share. */

#include <stdint.h>

enum { WAKE_MAX_PROCESSES = 4096 };

/** Of `wake_settings`. */
struct wake_setting {
	uint32_t is_on;
	uint32_t is_of_all; /* all processes; else those of `wake_processes` */
	uint32_t inherits;  /* children of these, too */
	uint32_t own_pid;   /* wperf, whose wake-ups make records that wake it */
};

/** What a core may be in besides a thread. */
enum wake_place {
	WAKE_IN_TIMER, /* what is to be done when a time is up */
	WAKE_IN_INTERRUPT,
	WAKE_IN_SOFT_INTERRUPT,
	WAKE_NUM_PLACES,
};

/** Of `wake_cores`, for each core. */
struct wake_core {
	uint32_t is_in[WAKE_NUM_PLACES];
	uint32_t sender; /* thread that has given itself a packet to receive; 0: none */
};

#endif
