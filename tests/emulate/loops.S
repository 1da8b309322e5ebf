// SPDX-License-Identifier: Apache-2.0
// One loop for each kind of instruction: loop_NAME(rounds, memory of 256 bytes, aligned to 64).
// LOOPS in counts.py says what a round counts; the last two instructions of each are subs and b.ne.

	.arch	armv8.2-a+crypto

	.macro	begin name
	.global	loop_\name
	.type	loop_\name, %function
	.p2align 6
loop_\name:
	.cfi_startproc
	add	x9, x1, #64
	.endm

	.macro	end name
	subs	x0, x0, #1
	b.ne	round_\name
	ret
	.cfi_endproc
	.size	loop_\name, . - loop_\name
	.endm

	begin	int
round_int:
	ldr	x2, [x1]
	ldr	w3, [x1, #8]
	add	x4, x2, x3
	eor	x5, x4, x2, lsl #3
	str	x5, [x1, #16]
	madd	x6, x4, x5, x2
	end	int

	begin	pair
round_pair:
	ldp	x2, x3, [x1]
	ldp	w4, w5, [x1, #16]
	stp	x2, x3, [x9]
	end	pair

	begin	unaligned
round_unaligned:
	ldr	x2, [x1, #1]
	ldrh	w3, [x1, #3]
	str	w2, [x9, #2]
	ldrb	w4, [x1, #5]
	end	unaligned

	begin	vfp
round_vfp:
	fadd	d0, d1, d2
	fmul	s3, s4, s5
	fmadd	d6, d0, d1, d2
	fcmp	d0, d1
	end	vfp

	begin	ase
round_ase:
	add	v0.4s, v1.4s, v2.4s
	fmul	v3.2d, v4.2d, v5.2d
	tbl	v6.16b, {v7.16b}, v0.16b
	end	ase

	begin	crypto
round_crypto:
	aese	v0.16b, v1.16b
	aesmc	v0.16b, v0.16b
	sha256h	q2, q3, v4.4s
	end	crypto

	begin	exclusive
round_exclusive:
	ldxr	x2, [x1]
	add	x2, x2, #1
	stxr	w3, x2, [x1]
	end	exclusive

	begin	acquire
round_acquire:
	ldar	x2, [x1]
	stlr	x2, [x9]
	ldaxr	w3, [x1]
	stlxr	w4, w3, [x1]
	end	acquire

	begin	exclusive_pair
round_exclusive_pair:
	ldxp	x2, x3, [x1]
	stxp	w4, x2, x3, [x1]
	add	x5, x5, #1
	end	exclusive_pair

	begin	atomic
round_atomic:
	ldadd	x2, x3, [x1]
	swp	x4, x5, [x9]
	cas	x6, x7, [x1]
	end	atomic

	begin	atomic_pair
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x5, #0
round_atomic_pair:
	casp	x2, x3, x4, x5, [x1]
	add	x6, x6, #1
	end	atomic_pair

	begin	barrier
round_barrier:
	dmb	ish
	dmb	ishld
	dsb	ish
	isb
	end	barrier

	// getpid(): nothing is done for it
	begin	svc
	mov	x9, x0
	mov	x8, #172
round_svc:
	svc	#0
	mov	x0, x9
	sub	x9, x9, #1
	end	svc

	begin	call
	mov	x7, x30
	adr	x2, leaf
round_call:
	bl	leaf
	blr	x2
	adr	x3, 1f
	br	x3
1:
	mov	x30, x7
	end	call

	.p2align 6
leaf:
	ret

	begin	branch
	mov	x2, #0
round_branch:
	cbnz	x2, 2f			// not taken
	tbz	x2, #3, 1f		// taken
	nop
1:	cmp	x2, #1
	b.eq	2f			// not taken
	b	2f			// taken
	nop
2:
	end	branch

	begin	prefetch
round_prefetch:
	prfm	pldl1keep, [x1]
	ldr	q0, [x1]
	str	q0, [x9]
	end	prefetch

	begin	structure
round_structure:
	ld1	{v0.2d}, [x1]
	st1	{v0.2d}, [x9]
	end	structure

	// one round takes long, and is one block
	begin	long
round_long:
	.rept	200
	add	x2, x2, #1
	ldr	x3, [x1]
	.endr
	end	long

	.section .note.GNU-stack, "", %progbits
