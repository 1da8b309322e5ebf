// SPDX-License-Identifier: Apache-2.0
// Exception vectors of EL1: interrupts go to interrupts_dispatch(), an SVC from EL0 ends
// user_mode_run(), all else is a bug and goes to exception_report().

#define FRAME_SIZE	192		// struct interrupted comes first
#define EC_SHIFT	26
#define EC_SVC		0x15

	.text
interrupt:
	sub	sp, sp, #FRAME_SIZE
	stp	x30, x18, [sp, #16]
	stp	x0, x1, [sp, #32]
	stp	x2, x3, [sp, #48]
	stp	x4, x5, [sp, #64]
	stp	x6, x7, [sp, #80]
	stp	x8, x9, [sp, #96]
	stp	x10, x11, [sp, #112]
	stp	x12, x13, [sp, #128]
	stp	x14, x15, [sp, #144]
	stp	x16, x17, [sp, #160]
	str	x29, [sp, #176]
	mrs	x0, elr_el1
	mrs	x1, spsr_el1
	stp	x0, x1, [sp]
	mrs	x0, tpidr_el1
	mov	x1, sp
	bl	interrupts_dispatch
	ldp	x0, x1, [sp]
	msr	elr_el1, x0
	msr	spsr_el1, x1
	ldp	x30, x18, [sp, #16]
	ldp	x0, x1, [sp, #32]
	ldp	x2, x3, [sp, #48]
	ldp	x4, x5, [sp, #64]
	ldp	x6, x7, [sp, #80]
	ldp	x8, x9, [sp, #96]
	ldp	x10, x11, [sp, #112]
	ldp	x12, x13, [sp, #128]
	ldp	x14, x15, [sp, #144]
	ldp	x16, x17, [sp, #160]
	ldr	x29, [sp, #176]
	add	sp, sp, #FRAME_SIZE
	eret

call_of_user:
	mrs	x0, esr_el1
	lsr	x0, x0, #EC_SHIFT
	cmp	x0, #EC_SVC
	b.eq	user_mode_return
unexpected:
	mrs	x0, esr_el1
	mrs	x1, elr_el1
	mrs	x2, far_el1
	b	exception_report

	.macro vector target
	.p2align 7
	b	\target
	.endm

	.p2align 11
	.global vectors
vectors:
	// from EL1 with the stack of EL0, which nobody uses
	.rept	4
	vector	unexpected
	.endr
	// from EL1: synchronous, IRQ, FIQ, SError
	vector	unexpected
	vector	interrupt
	vector	unexpected
	vector	unexpected
	// from EL0
	vector	call_of_user
	vector	interrupt
	vector	unexpected
	vector	unexpected
	// from AArch32
	.rept	4
	vector	unexpected
	.endr
