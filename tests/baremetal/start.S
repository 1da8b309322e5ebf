// SPDX-License-Identifier: Apache-2.0
// From reset to main(entered_at), at EL1 with a stack, exception vectors and zeroed memory.

#define EL2		2
#define HCR_RW		(1 << 31)	// EL1 is AArch64
#define CNTHCTL_EL1	3		// EL1 may use the physical counter and timer
#define ICC_SRE_ENABLE	9		// so it may the registers of the GICv3's CPU interface
#define COUNTERS_KEPT	1
#define EL1H_MASKED	0x3c5		// the stack of EL1; debug, SError, IRQ and FIQ masked

	.section .text.start, "ax"
	.global start
start:
	mrs	x19, CurrentEL
	ubfx	x19, x19, #2, #2
	cmp	x19, #EL2
	b.ne	at_el1

	mov	x0, #HCR_RW
	msr	hcr_el2, x0
	mrs	x0, cnthctl_el2
	orr	x0, x0, #CNTHCTL_EL1
	msr	cnthctl_el2, x0
	msr	cntvoff_el2, xzr
	// Keep a counter, as a hypervisor may (MDCR_EL2.HPMN); trap no access to the others.
	mrs	x0, pmcr_el0
	ubfx	x0, x0, #11, #5
	sub	x0, x0, #COUNTERS_KEPT
	msr	mdcr_el2, x0
	mrs	x0, id_aa64pfr0_el1
	ubfx	x0, x0, #24, #4
	cbz	x0, leave_el2
	mov	x0, #ICC_SRE_ENABLE
	msr	icc_sre_el2, x0
leave_el2:
	mov	x0, #EL1H_MASKED
	msr	spsr_el2, x0
	adr	x0, at_el1
	msr	elr_el2, x0
	isb
	eret

at_el1:
	ldr	x0, =stack_top
	mov	sp, x0
	ldr	x0, =vectors
	msr	vbar_el1, x0
	isb
	ldr	x0, =bss_begin
	ldr	x1, =bss_end
zero:
	cmp	x0, x1
	b.hs	run
	stp	xzr, xzr, [x0], #16
	b	zero
run:
	mov	x0, x19
	bl	main
	b	.
