// SPDX-License-Identifier: Apache-2.0
// Functions with the rare codes of Arm64's unwind data, for pe_arm64.py; nobody runs them.

	.macro function name
	.p2align 2
	.globl \name
	.def \name
	.scl 2
	.type 32
	.endef
	.seh_proc \name
\name:
	.endm

	.text

	// Codes for any register, and a return address that is signed.
	function any_registers
	pacibsp
	.seh_pac_sign_lr
	stp x19, x20, [sp, #-96]!
	.seh_save_any_reg_px x19, 96
	stp x29, x30, [sp, #16]
	.seh_save_any_reg_p x29, 16
	str x21, [sp, #32]
	.seh_save_any_reg x21, 32
	stp q8, q9, [sp, #48]
	.seh_save_any_reg_p q8, 48
	str d10, [sp, #80]
	.seh_save_any_reg d10, 80
	str x22, [sp, #-16]!
	.seh_save_any_reg_x x22, 16
	add x29, sp, #32
	.seh_add_fp 32
	.seh_endprologue
	bl called
	.seh_startepilogue
	sub sp, x29, #32
	.seh_add_fp 32
	ldr x22, [sp], #16
	.seh_save_any_reg_x x22, 16
	ldr d10, [sp, #80]
	.seh_save_any_reg d10, 80
	ldp q8, q9, [sp, #48]
	.seh_save_any_reg_p q8, 48
	ldr x21, [sp, #32]
	.seh_save_any_reg x21, 32
	ldp x29, x30, [sp, #16]
	.seh_save_any_reg_p x29, 16
	ldp x19, x20, [sp], #96
	.seh_save_any_reg_px x19, 96
	autibsp
	.seh_pac_sign_lr
	.seh_endepilogue
	ret
	.seh_endproc

	// Pairs that follow each other, up to the frame pointer's.
	function next_pairs
	stp x19, x20, [sp, #-112]!
	.seh_save_r19r20_x 112
	stp x21, x22, [sp, #16]
	.seh_save_next
	stp x23, x24, [sp, #32]
	.seh_save_next
	stp x25, x26, [sp, #48]
	.seh_save_next
	stp x27, x28, [sp, #64]
	.seh_save_next
	stp x29, x30, [sp, #80]
	.seh_save_next
	add x29, sp, #80
	.seh_add_fp 80
	sub sp, sp, #4080
	.seh_stackalloc 4080
	.seh_endprologue
	bl called
	cbz x0, 1f
	.seh_startepilogue
	add sp, sp, #4080
	.seh_stackalloc 4080
	ldp x29, x30, [sp, #80]
	.seh_save_fplr 80
	ldp x27, x28, [sp, #64]
	.seh_save_regp x27, 64
	ldp x25, x26, [sp, #48]
	.seh_save_regp x25, 48
	ldp x23, x24, [sp, #32]
	.seh_save_regp x23, 32
	ldp x21, x22, [sp, #16]
	.seh_save_regp x21, 16
	ldp x19, x20, [sp], #112
	.seh_save_r19r20_x 112
	.seh_endepilogue
	ret
1:
	bl called
	.seh_startepilogue
	add sp, sp, #4080
	.seh_stackalloc 4080
	ldp x29, x30, [sp, #80]
	.seh_save_fplr 80
	ldp x27, x28, [sp, #64]
	.seh_save_regp x27, 64
	ldp x25, x26, [sp, #48]
	.seh_save_regp x25, 48
	ldp x23, x24, [sp, #32]
	.seh_save_regp x23, 32
	ldp x21, x22, [sp, #16]
	.seh_save_regp x21, 16
	ldp x19, x20, [sp], #112
	.seh_save_r19r20_x 112
	.seh_endepilogue
	b called
	.seh_endproc

	// The return address with another register, alone, and floats in all ways.
	function link_pairs
	str x19, [sp, #-160]!
	.seh_save_reg_x x19, 160
	stp x23, x30, [sp, #16]
	.seh_save_lrpair x23, 16
	str x29, [sp, #32]
	.seh_save_reg x29, 32
	stp d8, d9, [sp, #48]
	.seh_save_fregp d8, 48
	str d10, [sp, #64]
	.seh_save_freg d10, 64
	stp d12, d13, [sp, #-16]!
	.seh_save_fregp_x d12, 16
	str d14, [sp, #-16]!
	.seh_save_freg_x d14, 16
	stp x25, x26, [sp, #-16]!
	.seh_save_regp_x x25, 16
	nop
	.seh_nop
	sub sp, sp, #32, lsl #12
	.seh_stackalloc 131072
	.seh_endprologue
	bl called
	.seh_startepilogue
	add sp, sp, #32, lsl #12
	.seh_stackalloc 131072
	ldp x25, x26, [sp], #16
	.seh_save_regp_x x25, 16
	ldr d14, [sp], #16
	.seh_save_freg_x d14, 16
	ldp d12, d13, [sp], #16
	.seh_save_fregp_x d12, 16
	ldr d10, [sp, #64]
	.seh_save_freg d10, 64
	ldp d8, d9, [sp, #48]
	.seh_save_fregp d8, 48
	ldr x29, [sp, #32]
	.seh_save_reg x29, 32
	ldp x23, x30, [sp, #16]
	.seh_save_lrpair x23, 16
	ldr x19, [sp], #160
	.seh_save_reg_x x19, 160
	.seh_endepilogue
	ret
	.seh_endproc

	// The beginning of a function, whose parts below have its frame already.
	function host
	stp x29, x30, [sp, #-64]!
	.seh_save_fplr_x 64
	mov x29, sp
	.seh_set_fp
	stp x19, x20, [sp, #16]
	.seh_save_regp x19, 16
	.seh_endprologue
	cbz x0, part
	cbz x1, part_with_more
	bl called
	.seh_startepilogue
	ldp x19, x20, [sp, #16]
	.seh_save_regp x19, 16
	ldp x29, x30, [sp], #64
	.seh_save_fplr_x 64
	.seh_endepilogue
	ret
	.seh_endproc

	// It begins where nothing is left to do.
part:
	bl called
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #64
	ret
part_end:

	// It saves more before it goes on.
part_with_more:
	stp x21, x22, [sp, #32]
	sub sp, sp, #32
	bl called
	add sp, sp, #32
	ldp x21, x22, [sp, #32]
	ldp x19, x20, [sp, #16]
	ldp x29, x30, [sp], #64
	ret
part_with_more_end:

	.section .xdata, "dr"
	.p2align 2
part_unwind:
	.long (part_end - part) / 4 | 1 << 22 | 3 << 27
	.long 1 | 6 << 22
	.byte 0xe5, 0xc8, 0x02, 0xe1, 0x87, 0xe4
	.byte 0xc8, 0x02, 0x87, 0xe4, 0xe3, 0xe3
part_with_more_unwind:
	.long (part_with_more_end - part_with_more) / 4 | 1 << 21 | 9 << 22 | 5 << 27
	.byte 0x02, 0xc8, 0x84, 0xe5, 0xc8, 0x02, 0xe1, 0x87, 0xe4
	.byte 0x02, 0xc8, 0x84, 0xc8, 0x02, 0x87, 0xe4, 0xe3, 0xe3, 0xe3, 0xe3
	.section .pdata, "dr"
	.p2align 2
	.rva part, part_unwind
	.rva part_with_more, part_with_more_unwind

	// A word for a function, and, of kind 2, for a part of one.
	.macro packed name, kind, floats, integers, arguments, chain, frame
	.section .pdata, "dr"
	.rva \name
	.long \kind | (\name\()_end - \name) / 4 << 2 | \floats << 13 | \integers << 16 | \arguments << 20 | \chain << 21 | \frame / 16 << 23
	.text
	.endm

	.text
	packed packed_all, 1, 2, 3, 1, 1, 5120
packed_all:
	stp x19, x20, [sp, #-128]!
	stp x21, x30, [sp, #16]
	stp d8, d9, [sp, #32]
	str d10, [sp, #48]
	stp x0, x1, [sp, #56]
	stp x2, x3, [sp, #72]
	stp x4, x5, [sp, #88]
	stp x6, x7, [sp, #104]
	sub sp, sp, #4080
	sub sp, sp, #912
	bl called
	add sp, sp, #912
	add sp, sp, #4080
	ldr d10, [sp, #48]
	ldp d8, d9, [sp, #32]
	ldp x21, x30, [sp, #16]
	ldp x19, x20, [sp], #128
	ret
packed_all_end:

	packed packed_arguments, 1, 0, 0, 1, 0, 64
packed_arguments:
	stp x0, x1, [sp, #-64]!
	stp x2, x3, [sp, #16]
	stp x4, x5, [sp, #32]
	stp x6, x7, [sp, #48]
	nop
	add sp, sp, #64
	ret
packed_arguments_end:

	packed packed_signed, 1, 0, 2, 0, 2, 48
packed_signed:
	pacibsp
	stp x19, x20, [sp, #-16]!
	stp x29, x30, [sp, #-32]!
	mov x29, sp
	bl called
	cbz x0, packed_part
	mov sp, x29
	ldp x29, x30, [sp], #32
	ldp x19, x20, [sp], #16
	autibsp
	ret
packed_signed_end:

	packed packed_part, 2, 0, 2, 0, 2, 48
packed_part:
	bl called
	b packed_signed + 16
packed_part_end:

	packed packed_chained, 1, 0, 1, 0, 3, 1024
packed_chained:
	str x19, [sp, #-16]!
	sub sp, sp, #1008
	stp x29, x30, [sp]
	mov x29, sp
	bl called
	sub sp, sp, x0
	bl called
	mov sp, x29
	ldp x29, x30, [sp]
	add sp, sp, #1008
	ldr x19, [sp], #16
	ret
packed_chained_end:

	packed packed_floats, 1, 3, 0, 0, 0, 80
packed_floats:
	stp d8, d9, [sp, #-32]!
	stp d10, d11, [sp, #16]
	sub sp, sp, #48
	nop
	add sp, sp, #48
	ldp d10, d11, [sp, #16]
	ldp d8, d9, [sp], #32
	ret
packed_floats_end:

	packed packed_link, 1, 1, 0, 0, 1, 32
packed_link:
	str x30, [sp, #-32]!
	stp d8, d9, [sp, #8]
	bl called
	ldp d8, d9, [sp, #8]
	ldr x30, [sp], #32
	ret
packed_link_end:

	// What the system calls with the registers of what it interrupted on the stack.
	function on_context
	.seh_context
	.seh_endprologue
	bl called
	nop
	.seh_endproc

	function on_machine_frame
	.seh_pushframe
	sub sp, sp, #48
	.seh_stackalloc 48
	stp x29, x30, [sp]
	.seh_save_fplr 0
	mov x29, sp
	.seh_set_fp
	.seh_endprologue
	bl called
	nop
	.seh_endproc

	function on_ec_context
	.seh_ec_context
	.seh_clear_unwound_to_call
	.seh_endprologue
	bl called
	nop
	.seh_endproc

	function on_trap_frame
	.seh_trap_frame
	.seh_endprologue
	bl called
	nop
	.seh_endproc

	.p2align 2
	.globl called
called:
	ret
