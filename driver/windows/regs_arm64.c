// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/regs_arm64.h"

// MRS and MSR have the register's number in the instruction, so that a register that is chosen at
// run time needs a switch with an instruction for each. Names and encodings are those of the Arm
// ARM ("AArch64 System register encoding"); the cluster's are in the manual of the DynamIQ Shared
// Unit ("PMU registers"). S<op0>_<op1>_C<CRn>_C<CRm>_<op2> is how assemblers take any of them.
//
// The ISB behind each MSR makes the write take effect before the next instruction (Arm ARM,
// "Synchronization requirements for AArch64 System registers"). A cluster has no instruction for
// each of its event counters: CLUSTERPMSELR_EL1 selects one, and two more registers are windows to
// it. Nothing comes between these two steps, since callers run with interrupts masked (cpus.h).

// Those that assemblers know by name only if they are told of the extension, or not at all.
#define SYSREG_PMSCR_EL1             "S3_0_C9_C9_0"
#define SYSREG_PMSICR_EL1            "S3_0_C9_C9_2"
#define SYSREG_PMSIRR_EL1            "S3_0_C9_C9_3"
#define SYSREG_PMSFCR_EL1            "S3_0_C9_C9_4"
#define SYSREG_PMSEVFR_EL1           "S3_0_C9_C9_5"
#define SYSREG_PMSLATFR_EL1          "S3_0_C9_C9_6"
#define SYSREG_PMSIDR_EL1            "S3_0_C9_C9_7"
#define SYSREG_PMBLIMITR_EL1         "S3_0_C9_C10_0"
#define SYSREG_PMBPTR_EL1            "S3_0_C9_C10_1"
#define SYSREG_PMBSR_EL1             "S3_0_C9_C10_3"
#define SYSREG_PMBIDR_EL1            "S3_0_C9_C10_7"
#define SYSREG_CLUSTERPMCR_EL1       "S3_0_C15_C5_0"
#define SYSREG_CLUSTERPMCNTENSET_EL1 "S3_0_C15_C5_1"
#define SYSREG_CLUSTERPMCNTENCLR_EL1 "S3_0_C15_C5_2"
#define SYSREG_CLUSTERPMOVSCLR_EL1   "S3_0_C15_C5_4"
#define SYSREG_CLUSTERPMSELR_EL1     "S3_0_C15_C5_5"
#define SYSREG_CLUSTERPMINTENSET_EL1 "S3_0_C15_C5_6"
#define SYSREG_CLUSTERPMINTENCLR_EL1 "S3_0_C15_C5_7"
#define SYSREG_CLUSTERPMCCNTR_EL1    "S3_0_C15_C6_0"
#define SYSREG_CLUSTERPMXEVTYPER_EL1 "S3_0_C15_C6_1"
#define SYSREG_CLUSTERPMXEVCNTR_EL1  "S3_0_C15_C6_2"
#define SYSREG_CLUSTERPMCEID0_EL1    "S3_0_C15_C6_4"
#define SYSREG_CLUSTERPMCEID1_EL1    "S3_0_C15_C6_5"

#define MRS(name, value) __asm__ volatile("mrs %0, " name : "=r"(value)::"memory")
#define MSR(name, value) __asm__ volatile("msr " name ", %0\n\tisb" ::"r"(value) : "memory")

#define EACH_TO_9(X)    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define EACH_TO_19(X)   X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)
#define EACH_TO_30(X)   X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30)
#define EACH_COUNTER(X) EACH_TO_9(X) EACH_TO_19(X) EACH_TO_30(X)

#define READ(name)                 \
	case DRIVER_##name:        \
		MRS(#name, value); \
		break;
#define READ_CODED(name)                   \
	case DRIVER_##name:                \
		MRS(SYSREG_##name, value); \
		break;
#define READ_COUNTER(n)                            \
	case DRIVER_PMEVCNTR0_EL0 + (n):           \
		MRS("PMEVCNTR" #n "_EL0", value);  \
		break;                             \
	case DRIVER_PMEVTYPER0_EL0 + (n):          \
		MRS("PMEVTYPER" #n "_EL0", value); \
		break;

#define WRITE(name)                \
	case DRIVER_##name:        \
		MSR(#name, value); \
		break;
#define WRITE_CODED(name)                  \
	case DRIVER_##name:                \
		MSR(SYSREG_##name, value); \
		break;
#define WRITE_COUNTER(n)                           \
	case DRIVER_PMEVCNTR0_EL0 + (n):           \
		MSR("PMEVCNTR" #n "_EL0", value);  \
		break;                             \
	case DRIVER_PMEVTYPER0_EL0 + (n):          \
		MSR("PMEVTYPER" #n "_EL0", value); \
		break;

static bool is_in_row(enum driver_register reg, enum driver_register first)
{
	return reg >= first && reg < first + DRIVER_MAX_EVENT_COUNTERS;
}

static void select_cluster_counter(uint64_t counter)
{
	MSR(SYSREG_CLUSTERPMSELR_EL1, counter);
}

static uint64_t read_cluster_counter(enum driver_register reg)
{
	uint64_t value = 0;
	if (is_in_row(reg, DRIVER_CLUSTERPMEVCNTR0_EL1)) {
		select_cluster_counter(reg - DRIVER_CLUSTERPMEVCNTR0_EL1);
		MRS(SYSREG_CLUSTERPMXEVCNTR_EL1, value);
	} else if (is_in_row(reg, DRIVER_CLUSTERPMEVTYPER0_EL1)) {
		select_cluster_counter(reg - DRIVER_CLUSTERPMEVTYPER0_EL1);
		MRS(SYSREG_CLUSTERPMXEVTYPER_EL1, value);
	}
	return value;
}

uint64_t regs_arm64_read(enum driver_register reg)
{
	uint64_t value = 0;
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
		READ_CODED(PMBIDR_EL1)
		READ_CODED(PMSIDR_EL1)
		READ_CODED(PMSCR_EL1)
		READ_CODED(PMSICR_EL1)
		READ_CODED(PMSIRR_EL1)
		READ_CODED(PMSFCR_EL1)
		READ_CODED(PMSEVFR_EL1)
		READ_CODED(PMSLATFR_EL1)
		READ_CODED(PMBLIMITR_EL1)
		READ_CODED(PMBPTR_EL1)
		READ_CODED(PMBSR_EL1)
		READ_CODED(CLUSTERPMCR_EL1)
		READ_CODED(CLUSTERPMCEID0_EL1)
		READ_CODED(CLUSTERPMCEID1_EL1)
		READ_CODED(CLUSTERPMCNTENSET_EL1)
		READ_CODED(CLUSTERPMCNTENCLR_EL1)
		READ_CODED(CLUSTERPMINTENSET_EL1)
		READ_CODED(CLUSTERPMINTENCLR_EL1)
		READ_CODED(CLUSTERPMOVSCLR_EL1)
		READ_CODED(CLUSTERPMCCNTR_EL1)
		EACH_COUNTER(READ_COUNTER)
	default:
		value = read_cluster_counter(reg);
	}
	return value;
}

static void write_cluster_counter(enum driver_register reg, uint64_t value)
{
	if (is_in_row(reg, DRIVER_CLUSTERPMEVCNTR0_EL1)) {
		select_cluster_counter(reg - DRIVER_CLUSTERPMEVCNTR0_EL1);
		MSR(SYSREG_CLUSTERPMXEVCNTR_EL1, value);
	} else if (is_in_row(reg, DRIVER_CLUSTERPMEVTYPER0_EL1)) {
		select_cluster_counter(reg - DRIVER_CLUSTERPMEVTYPER0_EL1);
		MSR(SYSREG_CLUSTERPMXEVTYPER_EL1, value);
	}
}

void regs_arm64_write(enum driver_register reg, uint64_t value)
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
		WRITE_CODED(PMSCR_EL1)
		WRITE_CODED(PMSICR_EL1)
		WRITE_CODED(PMSIRR_EL1)
		WRITE_CODED(PMSFCR_EL1)
		WRITE_CODED(PMSEVFR_EL1)
		WRITE_CODED(PMSLATFR_EL1)
		WRITE_CODED(PMBLIMITR_EL1)
		WRITE_CODED(PMBPTR_EL1)
		WRITE_CODED(PMBSR_EL1)
		WRITE_CODED(CLUSTERPMCR_EL1)
		WRITE_CODED(CLUSTERPMCNTENSET_EL1)
		WRITE_CODED(CLUSTERPMCNTENCLR_EL1)
		WRITE_CODED(CLUSTERPMINTENSET_EL1)
		WRITE_CODED(CLUSTERPMINTENCLR_EL1)
		WRITE_CODED(CLUSTERPMOVSCLR_EL1)
		WRITE_CODED(CLUSTERPMCCNTR_EL1)
		EACH_COUNTER(WRITE_COUNTER)
	default:
		write_cluster_counter(reg, value);
	}
}

// HINT 17 is PSB CSYNC: records of earlier instructions are made before what follows. The DSB then
// waits until they are in memory (Arm ARM, "Profiling Synchronization Barrier").
void regs_arm64_drain_profiling(void)
{
	__asm__ volatile("hint #17\n\tdsb nsh\n\tisb" ::: "memory");
}

uint64_t regs_arm64_mask_interrupts(void)
{
	uint64_t saved;
	MRS("daif", saved);
	// Bit 1 of the immediate is I: interrupts. SErrors, FIQs and debug exceptions stay as they
	// are.
	__asm__ volatile("msr daifset, #2" ::: "memory");
	return saved;
}

void regs_arm64_unmask_interrupts(uint64_t saved)
{
	MSR("daif", saved);
}

// AT S1E1R translates the address as a load at EL1 would, without a fault: bit 0 of PAR_EL1 (F)
// says that there would be one.
bool regs_arm64_is_readable(uint64_t address)
{
	uint64_t saved, result;
	MRS("par_el1", saved); // of whom we interrupted
	__asm__ volatile("at s1e1r, %0\n\tisb" ::"r"(address) : "memory");
	MRS("par_el1", result);
	MSR("par_el1", saved);
	return !(result & 1);
}
