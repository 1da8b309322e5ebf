// SPDX-License-Identifier: Apache-2.0
// loop N: 4 instructions per round, N rounds; 5 per digit of N, and 7 others. Nothing else runs, so a
// count of it can be checked to the instruction (boot.py).

#define SYS_EXIT 93

	.global _start
_start:
	ldr	x1, [sp, #16]		// argv[1]
	mov	x0, #0
	mov	x3, #10
next_digit:
	ldrb	w2, [x1], #1
	cbz	w2, round
	sub	w2, w2, #'0'
	madd	x0, x0, x3, x2
	b	next_digit

round:
	add	x9, x9, #1
	eor	x10, x10, x9
	subs	x0, x0, #1
	b.ne	round

	mov	x8, #SYS_EXIT
	svc	#0
