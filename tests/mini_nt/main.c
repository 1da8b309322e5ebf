// SPDX-License-Identifier: Apache-2.0

#include "driver/core/registers.h"
#include "tests/baremetal/console.h"
#include "tests/baremetal/semihosting.h"
#include "tests/mini_nt/boot/page_tables.h"
#include "tests/mini_nt/checks/checks.h"
#include "tests/mini_nt/kernel/interrupts.h"
#include "tests/mini_nt/kernel/pool.h"

#include <string.h>

static const struct {
	const char *name;
	check_fn *run;
} checks[] = {
	{"load", check_load},
	{"many_loads", check_many_loads},
	{"less_than_everything", check_less_than_everything},
	{"exact_counts", check_exact_counts},
	{"cycles_follow_the_clock", check_cycles_follow_the_clock},
	{"switched_off", check_switched_off},
	{"sleep", check_sleep},
	{"samples_of_programs", check_samples_of_programs},
	{"callers", check_callers},
	{"bad_frames", check_bad_frames},
	{"broken_kernel_frames", check_broken_kernel_frames},
	{"progress", check_progress},
	{"waiting", check_waiting},
	{"cancel", check_cancel},
	{"two_clients", check_two_clients},
	{"close_while_sampling", check_close_while_sampling},
};

static void copy_user_code(void)
{
	uint8_t *user = (uint8_t *)(LAYOUT_HIGH + LAYOUT_USER);
	enum { NUM_PAGES = 64 };
	memcpy(user, user_increment, (size_t)(user_code_end - user_increment));
	page_tables_set(LAYOUT_USER, PAGE_USER_CODE);
	// Stacks, and behind them nothing.
	for (unsigned i = 1; i < NUM_PAGES; i++)
		page_tables_set(LAYOUT_USER + i * PAGE_SIZE, PAGE_USER_DATA);
	__asm__ volatile("dsb ish\n\tic ialluis\n\tdsb ish\n\tisb" ::: "memory");
}

static void expect_nothing_left(struct report *report)
{
	EXPECT_EQUAL(report, exports_num_devices(), 0);
	EXPECT_EQUAL(report, exports_num_links(), 0);
	EXPECT_EQUAL(report, exports_num_counter_handles(), 0);
	EXPECT_EQUAL(report, pool_num_taken(), 0);
	EXPECT_EQUAL(report, interrupts_num_stray(), 0);
}

static void run_checks(void *unused)
{
	static struct report report;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		memset(&exports_settings, 0, sizeof(exports_settings));
		report_begin(&report, checks[i].name);
		checks[i].run(&report);
		expect_nothing_left(&report);
		report_end(&report);
	}
	report_finish(&report);
	semihosting_exit(report.failed > 0);
}

static void describe_machine(unsigned entered_at)
{
	console_text("machine: ");
	console_number(LAYOUT_NUM_CPUS);
	console_text(" CPUs, ");
	console_number(driver_register_num_counters(SYSREG_READ(pmcr_el0)));
	console_text(" counters on the first, entered at EL");
	console_number(entered_at);
	console_text("\n");
}

// From boot.S.
void kernel_main(unsigned index, unsigned entered_at);
void kernel_main(unsigned index, unsigned entered_at)
{
	struct cpu *cpu = &cpus[index];
	cpu_resume(index);
	cpu_init(index, entered_at);
	cpu_set_irql(cpu, DISPATCH_LEVEL);
	thread_init_cpu(cpu);
	interrupts_init(cpu);
	cpu->is_on = true;
	if (index == 0) {
		describe_machine(entered_at);
		pool_init();
		copy_user_code();
		cpu_start_others();
		thread_create(0, THREAD_HIGH_PRIORITY, run_checks, NULL);
	}
	cpu_call_on_stack(thread_idle, NULL, cpu_stack_end(index));
}
