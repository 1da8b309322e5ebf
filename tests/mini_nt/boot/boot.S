/* SPDX-License-Identifier: Apache-2.0 */
// From reset to kernel_main(), on each CPU; vectors; and what C cannot do.

#include "tests/mini_nt/boot/layout.h"

#define EL2             2
#define HCR_RW          (1 << 31)
#define CNTHCTL_EL1     3
#define ICC_SRE_ENABLE  9
#define EL1H_MASKED     0x3c5
#define SCTLR_MMU       0x1005       // M, C, I
#define FRAME_BYTES     0x150

	.text
	.globl boot_start
	.p2align 6
boot_start:
	mrs	x19, mpidr_el1
	and	x19, x19, #0xff
	mrs	x20, CurrentEL
	ubfx	x20, x20, #2, #2
	cmp	x20, #EL2
	b.ne	at_el1
	mov	x0, #HCR_RW
	msr	hcr_el2, x0
	mov	x0, #CNTHCTL_EL1
	msr	cnthctl_el2, x0
	msr	cntvoff_el2, xzr
	// A hypervisor that keeps counters for itself: the odd CPUs have four, the others six.
	mov	x0, #6
	tst	x19, #1
	b.eq	keep
	mov	x0, #4
keep:
	msr	mdcr_el2, x0
	mov	x0, #ICC_SRE_ENABLE
	msr	S3_4_C12_C9_5, x0
	mov	x0, #EL1H_MASKED
	msr	spsr_el2, x0
	adr	x0, at_el1
	msr	elr_el2, x0
	isb
	eret
at_el1:
	msr	cpacr_el1, xzr         // vector registers trap: a driver must not use them
	cbnz	x19, mmu
	adrp	x0, boot_stack_end
	add	x0, x0, :lo12:boot_stack_end
	mov	sp, x0
	bl	page_tables_fill
mmu:
	adrp	x0, page_tables_boot
	add	x0, x0, :lo12:page_tables_boot
	msr	ttbr0_el1, x0
	adrp	x0, page_tables_kernel
	add	x0, x0, :lo12:page_tables_kernel
	msr	ttbr1_el1, x0
	ldr	x0, tcr
	msr	tcr_el1, x0
	mov	x0, #0xff00            // attribute 1 is memory, 0 devices
	msr	mair_el1, x0
	tlbi	vmalle1
	dsb	sy
	isb
	mrs	x0, sctlr_el1
	mov	x1, #SCTLR_MMU
	orr	x0, x0, x1
	msr	sctlr_el1, x0
	isb
	ldr	x0, high
	br	x0
	.p2align 3
high:	.quad	boot_high
	// 48 bits on both sides, pages of 4 KiB, 40 bits of physical memory, cacheable tables.
tcr:	.quad	0x00000002b5103510
stacks:	.quad	LAYOUT_HIGH + LAYOUT_STACKS

boot_high:
	// The last stacks are those that CPUs begin on, whenever they are switched on.
	ldr	x0, stacks
	mov	x1, #LAYOUT_STACK_BYTES
	add	x2, x19, #(LAYOUT_NUM_STACKS - LAYOUT_NUM_CPUS + 1)
	madd	x0, x1, x2, x0
	mov	sp, x0
	adrp	x0, vectors
	add	x0, x0, :lo12:vectors
	msr	vbar_el1, x0
	isb
	mov	x29, xzr
	mov	x30, xzr
	mov	x0, x19
	mov	x1, x20
	b	kernel_main

// The interrupted registers as KTRAP_FRAME of the WDK has them. C keeps x19 to x28.
	.macro	save from_user
	sub	sp, sp, #FRAME_BYTES
	stp	x0, x1, [sp, #0xa0]
	stp	x2, x3, [sp, #0xb0]
	stp	x4, x5, [sp, #0xc0]
	stp	x6, x7, [sp, #0xd0]
	stp	x8, x9, [sp, #0xe0]
	stp	x10, x11, [sp, #0xf0]
	stp	x12, x13, [sp, #0x100]
	stp	x14, x15, [sp, #0x110]
	stp	x16, x17, [sp, #0x120]
	stp	x18, x30, [sp, #0x130]
	mrs	x0, elr_el1
	stp	x29, x0, [sp, #0x140]
	mrs	x0, spsr_el1
	str	w0, [sp, #0x90]
	mrs	x0, esr_el1
	str	w0, [sp, #0x94]
	.if	\from_user
	mrs	x0, sp_el0
	.else
	add	x0, sp, #FRAME_BYTES
	.endif
	str	x0, [sp, #0x98]
	mrs	x18, tpidr_el1
	.endm

	.macro	restore to_user
	.if	\to_user
	ldr	x0, [sp, #0x98]
	msr	sp_el0, x0
	.endif
	ldr	w0, [sp, #0x90]
	msr	spsr_el1, x0
	ldp	x29, x0, [sp, #0x140]
	msr	elr_el1, x0
	ldp	x0, x1, [sp, #0xa0]
	ldp	x2, x3, [sp, #0xb0]
	ldp	x4, x5, [sp, #0xc0]
	ldp	x6, x7, [sp, #0xd0]
	ldp	x8, x9, [sp, #0xe0]
	ldp	x10, x11, [sp, #0xf0]
	ldp	x12, x13, [sp, #0x100]
	ldp	x14, x15, [sp, #0x110]
	ldp	x16, x17, [sp, #0x120]
	ldp	x18, x30, [sp, #0x130]
	add	sp, sp, #FRAME_BYTES
	eret
	.endm

interrupt_of_kernel:
	save	0
	mov	x0, sp
	bl	trap_interrupt
	restore	0
interrupt_of_user:
	save	1
	mov	x0, sp
	bl	trap_interrupt
	restore	1
call_of_user:
	save	1
	mov	x0, sp
	bl	trap_user_call
	restore	1
unexpected:
	save	0
	mov	x0, sp
	mrs	x1, far_el1
	bl	trap_unexpected
	b	.

	.macro	vector target
	.p2align 7
	b	\target
	.endm

	.p2align 11
vectors:
	.rept	4
	vector	unexpected
	.endr
	vector	unexpected
	vector	interrupt_of_kernel
	vector	unexpected
	vector	unexpected
	vector	call_of_user
	vector	interrupt_of_user
	vector	unexpected
	vector	unexpected
	.rept	4
	vector	unexpected
	.endr

// void cpu_call_on_stack(function, argument, top): keeps a chain of frames over both stacks.
	.globl cpu_call_on_stack
cpu_call_on_stack:
	stp	x29, x30, [sp, #-32]!
	stp	x19, x20, [sp, #16]
	mov	x29, sp
	mov	x19, sp
	mov	x3, x0
	mov	x0, x1
	mov	sp, x2
	blr	x3
	mov	sp, x19
	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret

// What a function keeps for its caller; *x0 is where to find it again.
	.macro	push_kept
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	mov	x9, sp
	str	x9, [x0]
	.endm

// void cpu_switch(uint64_t *save_sp, uint64_t load_sp)
	.globl cpu_switch
cpu_switch:
	push_kept
	mov	sp, x1
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret

// void cpu_save_and_call(uint64_t *save_sp, function): goes on when cpu_switch() loads that.
	.globl cpu_save_and_call
cpu_save_and_call:
	push_kept
	blr	x1
	b	.

// void kernel_increment(rounds, frame pointer): with x29 as it is given.
	.globl kernel_increment, kernel_increment_end
kernel_increment:
	mov	x9, x29
	mov	x29, x1
	mov	x1, #1
1:	msr	pmswinc_el0, x1
	subs	x0, x0, #1
	b.ne	1b
	mov	x29, x9
	ret
kernel_increment_end:

// void cpu_enter_user(pc, sp, argument, frame pointer, stack of the kernel)
	.globl cpu_enter_user
cpu_enter_user:
	msr	daifset, #2
	msr	elr_el1, x0
	msr	spsr_el1, xzr
	msr	sp_el0, x1
	mov	sp, x4
	mov	x0, x2
	mov	x29, x3
	mov	x30, xzr
	eret

// uint64_t cpu_psci_...(function, a, b, c): to who is above EL1; to who is above EL2
	.globl cpu_psci_hvc, cpu_psci_smc
cpu_psci_hvc:
	hvc	#0
	ret
cpu_psci_smc:
	smc	#0
	ret

// Code for EL0, which is copied: x0 rounds of one software increment, or of nothing.
	.globl user_increment, user_increment_loop, user_spin, user_code_end
	.p2align 6
user_increment:
	mov	x1, #1
user_increment_loop:
	msr	pmswinc_el0, x1
	subs	x0, x0, #1
	b.ne	user_increment_loop
	svc	#0
user_spin:
	add	x1, x1, #1
	subs	x0, x0, #1
	b.ne	user_spin
	svc	#0
user_code_end:

	.bss
	.p2align 4
boot_stack:
	.space	0x1000
boot_stack_end:
