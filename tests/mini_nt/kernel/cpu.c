// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/kernel/cpu.h"

#include "tests/baremetal/console.h"
#include "tests/baremetal/semihosting.h"
#include "tests/mini_nt/boot/page_tables.h"
#include "tests/mini_nt/kernel/interrupts.h"

struct cpu cpus[LAYOUT_NUM_CPUS];

// Functions of PSCI (Arm DEN0022).
enum { CPU_OFF = (int)0x84000002 };
#define CPU_ON UINT64_C(0xc4000003)

uint64_t cpu_psci_hvc(uint64_t function, uint64_t a, uint64_t b, uint64_t c);
uint64_t cpu_psci_smc(uint64_t function, uint64_t a, uint64_t b, uint64_t c);

// Levels 0 to 15 are priorities 0xf0 to 0x00: lower ones are more urgent.
static uint64_t priority_of(KIRQL irql)
{
	return (uint64_t)(15 - irql) << 4;
}

static void set_mask(KIRQL irql)
{
	SYSREG_WRITE(S3_0_C4_C6_0, priority_of(irql)); // ICC_PMR_EL1
}

// No interrupt comes in between that the noted level forbids.
void cpu_set_irql(struct cpu *cpu, KIRQL irql)
{
	bool is_raised = irql > cpu->irql;
	if (is_raised)
		set_mask(irql);
	cpu->irql = irql;
	if (!is_raised)
		set_mask(irql);
}

static void set_registers(struct cpu *cpu)
{
	SYSREG_WRITE(tpidr_el1, (uint64_t)cpu);
	__asm__ volatile("mov x18, %0" ::"r"(cpu));
	page_tables_end_boot();
	SYSREG_WRITE(pmuserenr_el0, 2); // SW: programs may increment
	SYSREG_WRITE(pmcr_el0, 0x41);   // the cycle counter runs, as Windows has it
	SYSREG_WRITE(pmcntenset_el0, UINT64_C(1) << 31);
}

static bool has_hypervisor;

bool cpu_has_hypervisor(void)
{
	return has_hypervisor;
}

static uint64_t call_psci(uint64_t function, uint64_t a, uint64_t b)
{
	return has_hypervisor ? cpu_psci_smc(function, a, b, 0) : cpu_psci_hvc(function, a, b, 0);
}

void cpu_init(unsigned index, unsigned entered_at)
{
	enum { EL2 = 2 };
	struct cpu *cpu = &cpus[index];
	has_hypervisor = entered_at == EL2;
	cpu->index = index;
	cpu->dpc_stack = cpu_stack_end(LAYOUT_NUM_CPUS + index);
	cpu->interrupt_stack = cpu_stack_end(2 * LAYOUT_NUM_CPUS + index);
	InitializeListHead(&cpu->dpcs);
	set_registers(cpu);
}

KIRQL cpu_raise(KIRQL irql)
{
	struct cpu *cpu = cpu_this();
	KIRQL before = cpu->irql;
	if (irql < before)
		cpu_fault("raised to a lower IRQL", irql);
	cpu_set_irql(cpu, irql);
	return before;
}

void cpu_lower(KIRQL irql)
{
	struct cpu *cpu = cpu_this();
	if (irql > cpu->irql)
		cpu_fault("lowered to a higher IRQL", irql);
	cpu_set_irql(cpu, irql);
}

void cpu_lock(KSPIN_LOCK *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		__asm__ volatile("yield");
}

void cpu_unlock(KSPIN_LOCK *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

uint64_t cpu_stack_end(unsigned n)
{
	return LAYOUT_HIGH + LAYOUT_STACKS + (uint64_t)(n + 1) * LAYOUT_STACK_BYTES;
}

void boot_start(void);

void cpu_start(unsigned index)
{
	uint64_t entry = (uint64_t)boot_start - LAYOUT_HIGH;
	if (call_psci(CPU_ON, index, entry) != 0)
		cpu_fault("a CPU does not start", index);
}

void cpu_start_others(void)
{
	for (unsigned i = 1; i < LAYOUT_NUM_CPUS; i++)
		cpu_start(i);
	for (unsigned i = 1; i < LAYOUT_NUM_CPUS; i++) {
		while (!cpus[i].is_on)
			__asm__ volatile("yield");
	}
}

static void switch_off(void *unused)
{
	struct cpu *cpu = cpu_this();
	cpu->is_on = false;
	call_psci((uint32_t)CPU_OFF, 0, 0);
	cpu_fault("a CPU does not stop", cpu->index);
}

// Its registers go to its stack, as if to another thread, which switches it off.
void cpu_power_down(void)
{
	struct cpu *cpu = cpu_this();
	KIRQL irql = cpu->irql;
	cpu_mask();
	cpu_save_and_call(&cpu->resume_sp, switch_off);
	cpu_set_irql(cpu, irql);
	cpu_unmask();
}

void cpu_resume(unsigned index)
{
	struct cpu *cpu = &cpus[index];
	uint64_t sp = cpu->resume_sp, unused;
	if (!sp)
		return;
	cpu->resume_sp = 0;
	set_registers(cpu);
	interrupts_init(cpu);
	cpu->last_time = 0; // its cycle counter began anew, too
	cpu->is_on = true;
	cpu_switch(&unused, sp);
}

void cpu_fault(const char *what, uint64_t value)
{
	enum { EXIT_CODE = 99 };
	console_text("FAIL CPU ");
	console_number(cpu_this()->index);
	console_text(": ");
	console_text(what);
	console_text(": ");
	console_hex(value);
	console_text("\n");
	semihosting_exit(EXIT_CODE);
}

void cpu_at_most(KIRQL irql, const char *function)
{
	if (cpu_this()->irql <= irql)
		return;
	console_text("FAIL called at IRQL ");
	console_number(cpu_this()->irql);
	console_text(": ");
	console_text(function);
	console_text("\n");
	cpu_fault("the highest that is allowed", irql);
}
