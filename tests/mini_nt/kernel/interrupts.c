// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/kernel/interrupts.h"

#include "tests/mini_nt/kernel/dpc.h"
#include "tests/mini_nt/kernel/thread.h"

// The registers are in "GIC Architecture Specification v3": GICD_CTLR, GICR_WAKER, GICR_IGROUPR0,
// GICR_ISENABLER0, GICR_IPRIORITYR; ICC_*_EL1 by their encodings.

#define GIC_DISTRIBUTOR   (LAYOUT_HIGH + 0x08000000)
#define GIC_REDISTRIBUTOR (LAYOUT_HIGH + 0x080a0000)
enum {
	REDISTRIBUTOR_BYTES = 0x20000,
	WAKER = 0x14,
	GROUP = 0x10080,
	SET_ENABLE = 0x10100,
	PRIORITY = 0x10400,
};
enum { ENABLE_GROUP_1 = 1 << 1, AFFINITY_ROUTING = 1 << 4 };
enum { PROCESSOR_SLEEP = 1 << 1, CHILDREN_ASLEEP = 1 << 2 };
enum { ASK = 1, PMI = 23, CLOCK = 27, FIRST_SPECIAL = 1020 };

static interrupts_pmi_fn *volatile pmi_handler;
static volatile unsigned num_stray;
static void (*volatile clock_work[LAYOUT_NUM_CPUS])(void);

static volatile uint32_t *interrupts_register(uint64_t address)
{
	return (volatile uint32_t *)address;
}

static void interrupts_enable(uint64_t redistributor, unsigned number, KIRQL irql)
{
	*(volatile uint8_t *)(redistributor + PRIORITY + number) = (uint8_t)((15 - irql) << 4);
	*interrupts_register(redistributor + SET_ENABLE) = UINT32_C(1) << number;
}

static uint64_t clock_period(void)
{
	return SYSREG_READ(cntfrq_el0) / CLOCK_PER_SECOND;
}

void interrupts_init(struct cpu *cpu)
{
	uint64_t redistributor = GIC_REDISTRIBUTOR + (uint64_t)cpu->index * REDISTRIBUTOR_BYTES;
	if (cpu->index == 0)
		*interrupts_register(GIC_DISTRIBUTOR) = AFFINITY_ROUTING | ENABLE_GROUP_1;
	SYSREG_WRITE(S3_0_C12_C12_5, 1); // ICC_SRE_EL1
	*interrupts_register(redistributor + WAKER) &= ~(uint32_t)PROCESSOR_SLEEP;
	while (*interrupts_register(redistributor + WAKER) & CHILDREN_ASLEEP)
		;
	*interrupts_register(redistributor + GROUP) = UINT32_MAX;
	interrupts_enable(redistributor, ASK, DISPATCH_LEVEL);
	interrupts_enable(redistributor, CLOCK, CLOCK_IRQL);
	interrupts_enable(redistributor, PMI, PROFILE_LEVEL);
	SYSREG_WRITE(S3_0_C12_C12_7, 1); // ICC_IGRPEN1_EL1
	SYSREG_WRITE(cntv_cval_el0, SYSREG_READ(cntvct_el0) + clock_period());
	SYSREG_WRITE(cntv_ctl_el0, 1);
}

void interrupts_ask(const struct cpu *cpu)
{
	// ICC_SGI1R_EL1: the interrupt's number, and a bit for each CPU.
	__asm__ volatile("dsb ish" ::: "memory");
	SYSREG_WRITE(S3_0_C12_C11_5, (uint64_t)ASK << 24 | UINT64_C(1) << cpu->index);
}

void interrupts_set_pmi(interrupts_pmi_fn *handler)
{
	pmi_handler = handler;
}

unsigned interrupts_num_stray(void)
{
	return num_stray;
}

void interrupts_set_clock_work(unsigned cpu, void (*work)(void))
{
	clock_work[cpu] = work;
}

static void handle_clock(struct cpu *cpu)
{
	SYSREG_WRITE(cntv_cval_el0, SYSREG_READ(cntv_cval_el0) + clock_period());
	cpu->num_clock_ticks++;
	cpu->wants_switch = true;
	if (clock_work[cpu->index])
		clock_work[cpu->index]();
	if (cpu->index == 0)
		interrupts_ask(cpu); // for timers
}

static void handle_pmi(struct cpu *cpu, const struct trap_frame *frame)
{
	interrupts_pmi_fn *handler = pmi_handler;
	cpu->num_overflows++;
	if (handler) {
		handler(frame);
		return;
	}
	num_stray++;
	SYSREG_WRITE(pmovsclr_el0, UINT32_MAX);
}

struct taken {
	struct cpu *cpu;
	const struct trap_frame *frame;
	unsigned number;
};

static void interrupts_handle(void *argument)
{
	const struct taken *taken = argument;
	KIRQL irql = taken->cpu->irql;
	cpu_unmask();
	if (taken->number == ASK)
		dpc_run_all(taken->cpu);
	else if (taken->number == CLOCK)
		handle_clock(taken->cpu);
	else
		handle_pmi(taken->cpu, taken->frame);
	cpu_mask();
	if (taken->cpu->irql != irql)
		cpu_fault("an interrupt changed the IRQL to", taken->cpu->irql);
}

static bool is_on_interrupt_stack(const struct cpu *cpu)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	return here < cpu->interrupt_stack && here >= cpu->interrupt_stack - LAYOUT_STACK_BYTES;
}

void trap_interrupt(const struct trap_frame *frame);
void trap_interrupt(const struct trap_frame *frame)
{
	struct cpu *cpu = cpu_this();
	struct taken taken = {cpu, frame, (unsigned)SYSREG_READ(S3_0_C12_C12_0)}; // ICC_IAR1_EL1
	if (taken.number >= FIRST_SPECIAL)
		return;
	KIRQL before = cpu->irql;
	bool is_ask = taken.number == ASK;
	cpu_set_irql(cpu, is_ask                ? DISPATCH_LEVEL
			  : taken.number == PMI ? PROFILE_LEVEL
						: CLOCK_IRQL);
	if (cpu->irql <= before)
		cpu_fault("an interrupt came at IRQL", before);
	if (is_ask)
		cpu_call_on_stack(interrupts_handle, &taken, cpu->dpc_stack);
	else if (is_on_interrupt_stack(cpu))
		interrupts_handle(&taken);
	else
		cpu_call_on_stack(interrupts_handle, &taken, cpu->interrupt_stack);
	SYSREG_WRITE(S3_0_C12_C12_1, taken.number); // ICC_EOIR1_EL1
	if (before < DISPATCH_LEVEL && cpu->wants_switch) {
		cpu_set_irql(cpu, DISPATCH_LEVEL);
		cpu_unmask();
		thread_yield();
		cpu_mask();
	}
	cpu_set_irql(cpu, before);
}

void trap_unexpected(const struct trap_frame *frame, uint64_t address);
void trap_unexpected(const struct trap_frame *frame, uint64_t address)
{
	thread_describe_fault(frame, address);
}

void trap_user_call(const struct trap_frame *frame);
void trap_user_call(const struct trap_frame *frame)
{
	enum { CLASS_SHIFT = 26, CLASS_SVC = 0x15 };
	if (frame->esr >> CLASS_SHIFT != CLASS_SVC)
		trap_unexpected(frame, SYSREG_READ(far_el1));
	cpu_unmask();
	thread_end();
}
