// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/cpu_registers.h"

#include "tests/baremetal/console.h"
#include "tests/baremetal/semihosting.h"
#include "tests/baremetal/sysreg.h"

enum { EXIT_CODE = 98 };

#define EACH_TO_9(X)    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define EACH_TO_19(X)   X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)
#define EACH_TO_30(X)   X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30)
#define EACH_COUNTER(X) EACH_TO_9(X) EACH_TO_19(X) EACH_TO_30(X)

static _Noreturn void refuse(const char *what, enum driver_register reg)
{
	console_text("FAIL registers: cannot ");
	console_text(what);
	console_text(" number ");
	console_number(reg);
	console_text("\n");
	semihosting_exit(EXIT_CODE);
}

#define READ(name)          \
	case DRIVER_##name: \
		return SYSREG_READ(name);

#define READ_COUNTER(n)                                \
	case DRIVER_PMEVCNTR0_EL0 + (n):               \
		return SYSREG_READ(PMEVCNTR##n##_EL0); \
	case DRIVER_PMEVTYPER0_EL0 + (n):              \
		return SYSREG_READ(PMEVTYPER##n##_EL0);

static uint64_t read(void *context, unsigned cpu, enum driver_register reg)
{
	switch ((unsigned)reg) {
		READ(MIDR_EL1)
		READ(ID_AA64DFR0_EL1)
		READ(PMCR_EL0)
		READ(PMCEID0_EL0)
		READ(PMCEID1_EL0)
		READ(PMCNTENSET_EL0)
		READ(PMCNTENCLR_EL0)
		READ(PMINTENSET_EL1)
		READ(PMINTENCLR_EL1)
		READ(PMOVSCLR_EL0)
		READ(PMCCNTR_EL0)
		READ(PMCCFILTR_EL0)
		READ(CNTVCT_EL0)
		READ(CNTFRQ_EL0)
		EACH_COUNTER(READ_COUNTER)
	default:
		refuse("read", reg);
	}
}

#define WRITE(name)                        \
	case DRIVER_##name:                \
		SYSREG_WRITE(name, value); \
		break;

#define WRITE_COUNTER(n)                                 \
	case DRIVER_PMEVCNTR0_EL0 + (n):                 \
		SYSREG_WRITE(PMEVCNTR##n##_EL0, value);  \
		break;                                   \
	case DRIVER_PMEVTYPER0_EL0 + (n):                \
		SYSREG_WRITE(PMEVTYPER##n##_EL0, value); \
		break;

static void write(void *context, unsigned cpu, enum driver_register reg, uint64_t value)
{
	switch ((unsigned)reg) {
		WRITE(PMCR_EL0)
		WRITE(PMCNTENSET_EL0)
		WRITE(PMCNTENCLR_EL0)
		WRITE(PMINTENSET_EL1)
		WRITE(PMINTENCLR_EL1)
		WRITE(PMOVSCLR_EL0)
		WRITE(PMCCNTR_EL0)
		WRITE(PMCCFILTR_EL0)
		EACH_COUNTER(WRITE_COUNTER)
	default:
		refuse("write", reg);
	}
}

// There is one CPU: what a tick must not interrupt is called with interrupts masked.
static void on_cpu(void *context, unsigned cpu, driver_cpu_fn *function, void *argument)
{
	uint64_t mask = SYSREG_READ(daif);
	__asm__ volatile("msr daifset, #2" ::: "memory");
	function(argument);
	SYSREG_WRITE(daif, mask);
}

const struct driver_register_ops cpu_registers_ops = {
	.read = read,
	.write = write,
	.on_cpu = on_cpu,
};
