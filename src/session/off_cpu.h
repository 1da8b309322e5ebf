/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_OFF_CPU_H
#define WPERF_SESSION_OFF_CPU_H

/**
 * Threads that have left their core, and since when: what a sample of that moment weighs is known
 * only when its thread comes back.
 */

#include "base/error.h"
#include "base/hash_table.h"
#include "profile/named_profile.h"
#include "record/python_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One absence. */
struct off_cpu_absence {
	struct named_sample sample; /* of when it left; its weight is 0 */
	enum python_gil_state gil;
	uint64_t read_ns; /* until when its stack of Python was being read; 0: in the sample */
	bool is_preempted;
	bool is_unsampled; /* its sample did not come */
};

struct off_cpu_thread; /* private */

struct off_cpu {
	struct off_cpu_thread *threads;
	size_t num_threads, cap_threads;
	struct hash_table index;
	size_t num_taken; /* private */
};

#define OFF_CPU_INIT \
	{            \
	}

void off_cpu_deinit(struct off_cpu *off_cpu);

/** The sample of a thread that is about to leave. */
struct error *off_cpu_sample(struct off_cpu *off_cpu, uint32_t tid,
			     const struct off_cpu_absence *absence);

/** It leaves. @absence: what it is if its sample is missing. */
struct error *off_cpu_leave(struct off_cpu *off_cpu, uint32_t tid,
			    const struct off_cpu_absence *absence);

/** It ends: what the kernel tells of it afterwards is how it leaves for good, and no absence. */
struct error *off_cpu_end(struct off_cpu *off_cpu, uint32_t tid);

/** A new one has its number. */
void off_cpu_begin(struct off_cpu *off_cpu, uint32_t tid);

/** It is back, or its end was not seen. @ret: set only if it was known to be away. */
bool off_cpu_return(struct off_cpu *off_cpu, uint32_t tid, struct off_cpu_absence *ret);

/** At the end: those that are still away, one after the other; false: there is none left. */
bool off_cpu_take(struct off_cpu *off_cpu, struct off_cpu_absence *ret);

#endif
