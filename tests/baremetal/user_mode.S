// SPDX-License-Identifier: Apache-2.0

	.text
	// While EL0 runs, the stack pointer of EL1 stays what it was: it finds the registers again.
	.global user_mode_run
user_mode_run:
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	// EL0 gets the interrupt mask as it is. Meanwhile none may come: it would overwrite ELR.
	mrs	x9, daif
	msr	daifset, #2
	msr	spsr_el1, x9		// all other bits 0: EL0
	msr	elr_el1, x0
	mov	x0, x1
	adr	x30, leave
	isb
	eret
leave:
	svc	#0

	.global user_mode_return
user_mode_return:
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	// An exception masks everything; SPSR has what EL0 ran with.
	mrs	x9, spsr_el1
	msr	daif, x9
	ret
