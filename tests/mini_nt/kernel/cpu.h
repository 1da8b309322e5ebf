/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_KERNEL_CPU_H
#define WPERF_TESTS_MINI_NT_KERNEL_CPU_H

/**
 * What each CPU has, and its IRQL, which is the priority mask of its interrupt controller: an
 * interrupt of IRQL n comes only below n.
 */

#include "driver/windows/kernel.h"
#include "tests/baremetal/sysreg.h"
#include "tests/mini_nt/boot/layout.h"

struct thread;

enum { CLOCK_IRQL = 13 }; /* PROFILE_LEVEL, of the PMI, is 15; DPCs are at DISPATCH_LEVEL */

struct cpu {
	unsigned index;
	volatile KIRQL irql;
	struct thread *thread, *idle;
	volatile bool wants_switch; /* another thread should run */
	volatile bool is_on;

	LIST_ENTRY dpcs;
	KSPIN_LOCK dpcs_lock;
	uint64_t dpc_stack, interrupt_stack; /* their upper ends */
	uint64_t resume_sp; /* of what goes on when it is switched on; 0: it boots */

	volatile uint64_t num_clock_ticks, num_dpcs, num_overflows;
	uint64_t last_cycles, last_time; /* when a thread was switched to */
	uint64_t num_switches;
};

extern struct cpu cpus[LAYOUT_NUM_CPUS];

static inline struct cpu *cpu_this(void)
{
	return (struct cpu *)SYSREG_READ(tpidr_el1);
}

/** The one that runs this begins. @entered_at: the exception level that it was switched on at. */
void cpu_init(unsigned index, unsigned entered_at);

/** Is there one, which keeps counters for itself (boot.S)? */
bool cpu_has_hypervisor(void);

/** Returns the one before. */
KIRQL cpu_raise(KIRQL irql);
void cpu_lower(KIRQL irql);

/** Only in traps, with interrupts masked: to whatever level. */
void cpu_set_irql(struct cpu *cpu, KIRQL irql);

static inline void cpu_mask(void)
{
	__asm__ volatile("msr daifset, #2" ::: "memory");
}

static inline void cpu_unmask(void)
{
	__asm__ volatile("msr daifclr, #2" ::: "memory");
}

void cpu_lock(KSPIN_LOCK *lock);
void cpu_unlock(KSPIN_LOCK *lock);

/** Stack n of the area of stacks: its upper end. CPU n has stack n for its idle thread. */
uint64_t cpu_stack_end(unsigned n);

void cpu_call_on_stack(void (*function)(void *argument), void *argument, uint64_t stack_end);
void cpu_switch(uint64_t *save_sp, uint64_t load_sp);
void cpu_save_and_call(uint64_t *save_sp, void (*function)(void *unused));
_Noreturn void cpu_enter_user(uint64_t pc, uint64_t sp, uint64_t argument, uint64_t fp,
			      uint64_t kernel_sp);

/** Switch the other CPUs on. */
void cpu_start_others(void);
void cpu_start(unsigned index);

/** Switch this one off. Returns when another one has started it, with its registers as reset. */
void cpu_power_down(void);

/** In kernel_main(): go on in cpu_power_down(), if that is why it was switched on. */
void cpu_resume(unsigned index);

/** Says what is wrong, and ends. */
_Noreturn void cpu_fault(const char *what, uint64_t value);

/** A call that is only allowed up to @irql. */
void cpu_at_most(KIRQL irql, const char *function);

#endif
