/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_CHECKS_CHECKS_H
#define WPERF_TESTS_MINI_NT_CHECKS_CHECKS_H

/**
 * All checks, which run one after the other on a thread of CPU 0. Each loads the driver, and must
 * leave nothing behind. To add one: name it here, give it a row in main.c.
 *
 * QEMU runs with -icount shift=0: an instruction of any CPU is a nanosecond, and a cycle of every
 * CPU. So cycles follow the clock everywhere, instructions are those of all CPUs, and what belongs
 * to one CPU alone is the event of software increments (SW_INCR).
 */

#include "tests/mini_nt/checks/client.h"
#include "tests/mini_nt/kernel/thread.h"

typedef void check_fn(struct report *report);

enum { EVENT_SW_INCR = 0x00, EVENT_INST_RETIRED = 0x08, EVENT_CPU_CYCLES = 0x11 };

/** Threads at EL0 that increment, on all CPUs; wait for their end. */
void checks_increment_everywhere(uint64_t rounds);

/** boot.S */
extern const uint8_t user_increment[], user_increment_loop[], user_spin[], user_code_end[];

/** Where these are at EL0. */
uint64_t checks_user_address(const void *code);

/* load.c */
check_fn check_load, check_many_loads, check_less_than_everything;

/* counting.c */
check_fn check_exact_counts, check_cycles_follow_the_clock, check_switched_off, check_sleep;

/* sampling.c */
check_fn check_samples_of_programs, check_callers, check_bad_frames, check_progress;
check_fn check_broken_kernel_frames;

/* requests.c */
check_fn check_waiting, check_cancel, check_two_clients, check_close_while_sampling;

#endif
