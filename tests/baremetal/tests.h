/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_TESTS_H
#define WPERF_TESTS_BAREMETAL_TESTS_H

/**
 * All tests. To add one: name it here, give it a row in main.c. It finds any machine and brings it
 * into a known state by client_create() or machine_init().
 *
 * QEMU runs with -icount shift=0: an instruction takes one cycle and a nanosecond, so counts are
 * the same in each run. What the calls of a test cost cancels out between runs of n and 2n rounds.
 */

#include "tests/baremetal/machine.h"
#include "tests/baremetal/report.h"

/** For what runs with n and with 2n rounds: it must be the same code both times. */
#define NOT_INLINED __attribute__((noinline))

typedef void test_fn(struct machine *machine, struct report *report);

/* test_requests.c */
test_fn test_lock, test_hw_cfg, test_supported_events;

/* test_counts.c */
test_fn test_exact_counts, test_ticks_lose_nothing, test_reset, test_busy_counters;

/* test_filter.c */
test_fn test_without_el1, test_without_el0;

/* test_turns.c */
test_fn test_turns, test_scaling;

/* test_wrap.c */
test_fn test_wrap_of_32_bits, test_no_wrap_of_64_bits;

/* test_overflow.c */
test_fn test_samples_of_el1, test_samples_of_el0, test_overflow_at_third_increment;

/* test_sampling.c */
test_fn test_sample_each_interval, test_sample_cycles, test_sample_when_full;
test_fn test_sample_two_events, test_sample_each_instruction, test_sample_kernel;
test_fn test_count_after_sampling;

/* test_cycle_counter.c */
test_fn test_cycle_counter_goes_on, test_registers_as_before, test_no_counter;

/* test_lock_loss.c */
test_fn test_lock_is_forced, test_handle_is_closed;

#endif
