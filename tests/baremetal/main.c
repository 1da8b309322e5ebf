// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/console.h"
#include "tests/baremetal/semihosting.h"
#include "tests/baremetal/sysreg.h"
#include "tests/baremetal/tests.h"

#include <stddef.h>

static const struct {
	const char *name;
	test_fn *run;
} tests[] = {
	{"lock", test_lock},
	{"hw_cfg", test_hw_cfg},
	{"supported_events", test_supported_events},
	{"exact_counts", test_exact_counts},
	{"ticks_lose_nothing", test_ticks_lose_nothing},
	{"reset", test_reset},
	{"busy_counters", test_busy_counters},
	{"without_el1", test_without_el1},
	{"without_el0", test_without_el0},
	{"turns", test_turns},
	{"scaling", test_scaling},
	{"wrap_of_32_bits", test_wrap_of_32_bits},
	{"no_wrap_of_64_bits", test_no_wrap_of_64_bits},
	{"samples_of_el1", test_samples_of_el1},
	{"samples_of_el0", test_samples_of_el0},
	{"overflow_at_third_increment", test_overflow_at_third_increment},
	{"sample_each_interval", test_sample_each_interval},
	{"sample_cycles", test_sample_cycles},
	{"sample_when_full", test_sample_when_full},
	{"sample_two_events", test_sample_two_events},
	{"sample_each_instruction", test_sample_each_instruction},
	{"sample_kernel", test_sample_kernel},
	{"count_after_sampling", test_count_after_sampling},
	{"cycle_counter_goes_on", test_cycle_counter_goes_on},
	{"registers_as_before", test_registers_as_before},
	{"no_counter", test_no_counter},
	{"lock_is_forced", test_lock_is_forced},
	{"handle_is_closed", test_handle_is_closed},
};

// The runner compares it with the machine that it asked for.
static void describe_machine(unsigned entered_at)
{
	console_text("machine: ");
	console_text(gic_find()->name);
	console_text(", entered at EL");
	console_number(entered_at);
	console_text(", ");
	console_number(driver_register_num_counters(SYSREG_READ(pmcr_el0)));
	console_text(" counters\n");
}

void main(unsigned entered_at)
{
	static struct machine machine;
	struct report report = {.passed = 0};
	describe_machine(entered_at);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		report_begin(&report, tests[i].name);
		tests[i].run(&machine, &report);
		EXPECT_EQUAL(&report, machine.interrupts.num_unexpected, 0);
		report_end(&report);
	}
	report_finish(&report);
	semihosting_exit(report.failed > 0);
}
